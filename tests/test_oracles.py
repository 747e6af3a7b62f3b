"""The oracles agree with brute force, the theorems hold on tiny cases, the same checks catch the mutants."""

import itertools
import math
import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from flint import arb

from tests.oracles import blue, fit, noise, privacy, selection, topk, unknown
from tests.oracles.figures import equal_error_row, exponential_error, median_groups, mode_groups
from tests.oracles.noise import Factor

HALF = Fraction(1, 2)
COINS = (HALF, Fraction(2, 3), Fraction(9, 10))
SCORES = ((0, 0), (1, 0), (3, 1, 0, 0), (2, 2, 1), (0, 5, 5, 4), (0, 0, 0, 0, 1))


# Noise


@pytest.mark.parametrize("p", COINS)
def test_laplace_is_the_difference_of_two_geometric_draws(p: Fraction) -> None:
    for x in range(-4, 5):
        pair = [Factor("geometric", "pmf", 0), Factor("geometric", "pmf", x)]
        assert noise.sum_over_integers(pair, p) == noise.discrete_laplace_pmf(x, p)
        assert noise.discrete_laplace_cdf(x, p) - noise.discrete_laplace_cdf(
            x - 1, p
        ) == noise.discrete_laplace_pmf(x, p)


def test_infinite_sums_agree_with_long_finite_ones() -> None:
    factors = [Factor("laplace", "pmf", 2), Factor("laplace", "cdf", -1), Factor("geometric", "cdf", 0)]
    laws = (noise.discrete_laplace_pmf, noise.discrete_laplace_cdf, noise.geometric_cdf)
    by_hand = sum(
        math.prod(law(z - f.shift, HALF) for law, f in zip(laws, factors, strict=True))
        for z in range(-60, 90)
    )
    assert 0 <= noise.sum_over_integers(factors, HALF) - by_hand < Fraction(1, 2**80)


def test_a_divergent_sum_is_refused() -> None:
    with pytest.raises(ValueError, match="diverges"):
        noise.sum_over_integers([Factor("geometric", "cdf", 0)], HALF)


# One winner


@pytest.mark.parametrize("coin", COINS)
@pytest.mark.parametrize("scores", SCORES)
def test_four_ways_to_permute_and_flip(scores: Sequence[int], coin: Fraction) -> None:
    law = selection.permute_and_flip_pmf(scores, coin)
    assert sum(law) == 1
    assert law == selection.permute_and_flip_by_definition(scores, coin)
    assert law == selection.permute_and_flip_by_subsets(scores, coin)
    assert law == selection.noisy_max_geometric_pmf(scores, coin)


@pytest.mark.parametrize("coin", COINS)
@pytest.mark.parametrize("scores", SCORES)
def test_permute_and_flip_is_never_worse_and_at_most_twice_better(
    scores: Sequence[int], coin: Fraction
) -> None:
    flip = selection.expected_error(scores, selection.permute_and_flip_pmf(scores, coin))
    exponential = selection.expected_error(scores, selection.exponential_mechanism_pmf(scores, coin))
    assert flip <= exponential <= 2 * flip


def test_grouped_laws_add_up_the_members() -> None:
    scores = (4, 2, 2, 2, 0, 0)
    for single, grouped in (
        (selection.permute_and_flip_pmf, selection.permute_and_flip_grouped),
        (selection.exponential_mechanism_pmf, selection.exponential_mechanism_grouped),
    ):
        total: dict[int, Fraction] = defaultdict(Fraction)
        for q, mass in zip(scores, single(scores, HALF), strict=True):
            total[q] += mass
        assert grouped(Counter(scores), HALF) == total


def test_balls_agree_with_the_exact_law() -> None:
    groups = Counter((7, 5, 5, 4, 0, 0, 0, -30))
    rate = Fraction(3, 10)
    coin = Fraction(math.exp(-0.3))
    for ball, exact in (
        (selection.permute_and_flip_arb, selection.permute_and_flip_grouped),
        (selection.exponential_mechanism_arb, selection.exponential_mechanism_grouped),
    ):
        expected = exact(groups, coin)
        for q, mass in ball(groups, rate).items():
            assert math.isclose(float(mass.mid()), float(expected[q]), rel_tol=1e-13)


def long_tailed_histogram(bins: int = 1024) -> list[int]:
    """Counts with a long tail, many ties and many empty bins, in a fixed shuffled order."""
    counts = [int(40_000 / (1 + i) ** 1.1) if i % 3 else i % 7 for i in range(bins)]
    random.Random(1).shuffle(counts)
    return counts


@pytest.mark.parametrize("rate", [Fraction(1, 2000), Fraction(1, 50), Fraction(3)])
def test_a_large_histogram_never_gives_a_negative_or_huge_probability(rate: Fraction) -> None:
    masses = selection.permute_and_flip_arb(mode_groups(long_tailed_histogram()), rate)
    with selection.precision(192):
        total = sum(masses.values(), arb(0))
        assert total.contains(1)
        assert all(m > 0 and m < 1 + arb(2) ** -100 for m in masses.values())
        assert float(total.rad()) < 1e-30


def test_equal_error_rows_on_a_made_up_histogram() -> None:
    histogram = long_tailed_histogram()
    for groups, target, halved in ((mode_groups(histogram), 25, False), (median_groups(histogram), 50, True)):
        epsilon, flip, quotient = equal_error_row(groups, target, halved=halved)
        assert math.isclose(exponential_error(groups, epsilon / (2 if halved else 1)), target, rel_tol=1e-9)
        assert math.isclose(flip * quotient, target, rel_tol=1e-9)
        assert 1 <= quotient <= 2


@pytest.mark.parametrize("scores", SCORES)
def test_the_exponential_gap_is_a_lowered_winner(scores: Sequence[int]) -> None:
    """P(winner s, gap >= g) is the probability that s wins with its score lowered by g (Gumbel noise)."""
    for s, g in itertools.product(range(len(scores)), range(4)):
        lowered = [q - g * (i == s) for i, q in enumerate(scores)]
        weights = [HALF**-q for q in lowered]
        survival = selection.exponential_gap_survival(scores, s, g, HALF)
        assert selection.exponential_mechanism_pmf(scores, HALF)[s] * survival == weights[s] / sum(weights)


def test_the_gap_formula_as_printed() -> None:
    scores, a = (5, 3, 2), 0.4
    theta = a * 5 - math.log(math.exp(a * 3) + math.exp(a * 2))
    printed = (1 + math.exp(-theta)) / (1 + math.exp(a * 2 - theta))
    assert math.isclose(
        selection.exponential_gap_survival(scores, 0, 2, Fraction(math.exp(-a))), printed, rel_tol=1e-12
    )


def selection_laws(n: int, coin: Fraction) -> dict[str, tuple[Any, Any]]:
    """Law and outputs of each selection mechanism over n candidates."""
    gap_outputs = list(itertools.product(range(n), range(6)))
    return {
        "permute-and-flip": (lambda q: selection.permute_and_flip_pmf(q, coin).__getitem__, range(n)),
        "exponential": (lambda q: selection.exponential_mechanism_pmf(q, coin).__getitem__, range(n)),
        "exponential with gap": (
            lambda q: lambda w: selection.exponential_with_gap_probability(q, w[0], w[1], coin),
            gap_outputs,
        ),
    }


@pytest.mark.parametrize("name", ["permute-and-flip", "exponential", "exponential with gap"])
@pytest.mark.parametrize("p", [HALF, Fraction(4, 5)])
def test_the_monotonic_coin_is_for_monotonic_scores_only(name: str, p: Fraction) -> None:
    worst: Fraction | float = Fraction(1)
    for q in ((0, 0, 0), (1, 0, 2), (4, 0, 0), (2, 2, 0)):
        law, outputs = selection_laws(3, p)[name]
        assert privacy.worst_ratio(law, q, privacy.monotonic_neighbours(q), outputs) <= 1 / p
        general = privacy.worst_ratio(law, q, privacy.general_neighbours(q), outputs)
        assert general <= 1 / p**2  # the halved coin: here p is exp(-epsilon / 2)
        worst = max(worst, general)
    assert worst > 1 / p  # caught


def test_the_monotonic_coin_on_median_scores_costs_twice() -> None:
    """Adding one unit moves median scores in both directions, and the ratio comes near 1 / p^2."""
    p = HALF
    worst: Fraction | float = Fraction(1)
    for counts in itertools.product(range(5), repeat=3):
        for bin_ in range(3):
            larger = [c + (i == bin_) for i, c in enumerate(counts)]
            first, second = (
                selection.permute_and_flip_pmf(selection.median_scores(c), p) for c in (counts, larger)
            )
            worst = max(worst, *map(privacy.ratio, first, second))
    assert 1 / p < worst <= 1 / p**2


@pytest.mark.parametrize("counts", list(itertools.product(range(3), repeat=3)))
def test_median_scores_count_units_to_add_or_remove(counts: Sequence[int]) -> None:
    def is_median(c: Sequence[int], x: int) -> bool:
        low, equal, high = sum(c[:x]), c[x], sum(c[x + 1 :])
        return low <= equal + high and high <= equal + low

    scores = selection.median_scores(counts)
    for x in range(3):
        edits = itertools.product(range(7), repeat=3)
        nearest = min(
            sum(map(abs, (a - b for a, b in zip(c, counts, strict=True)))) for c in edits if is_median(c, x)
        )
        assert scores[x] == -nearest
    for x in range(3):
        moved = selection.median_scores([c + (i == x) for i, c in enumerate(counts)])
        assert all(abs(a - b) <= 1 for a, b in zip(moved, scores, strict=True))


# Top-k with gaps


def release_by_definition(
    values: Sequence[int], ranks: Sequence[int], k: int, form: topk.Gaps
) -> topk.Release:
    """Order and gaps of one noisy vector, straight from the statement."""
    order = sorted(range(len(values)), key=lambda i: (values[i], ranks[i]), reverse=True)
    behind = [int(ranks[a] < ranks[b]) for a, b in itertools.pairwise(order)]
    gaps = [values[a] - values[b] for a, b in itertools.pairwise(order)][:k]
    if form == "floor":
        gaps = [g - b for g, b in zip(gaps, behind, strict=False)]
    if form == "priority":
        last = order[k - 1]
        gaps[-1] = values[last] - max(values[i] + (ranks[i] > ranks[last]) for i in order[k:])
    return tuple(order[:k]), tuple(gaps)


CASES: list[tuple[noise.Noise, topk.Gaps, bool]] = [
    ("geometric", "floor", False),
    ("laplace", "priority", False),
    ("laplace", "priority", True),
    ("geometric", "priority", False),
    ("laplace", "raw", True),
    ("geometric", "raw", True),
]


@pytest.mark.parametrize(("law", "form", "by_index"), CASES)
@pytest.mark.parametrize("k", [1, 2])
def test_topk_law_agrees_with_enumerated_noise(
    law: noise.Noise, form: topk.Gaps, by_index: bool, k: int
) -> None:
    scores, p, reach = (1, 0, 1), Fraction(1, 4), 9
    mass = noise.geometric_pmf if law == "geometric" else noise.discrete_laplace_pmf
    masses = {x: float(mass(x, p)) for x in range(-reach if law == "laplace" else 0, reach + 1)}
    ties = [(0, -1, -2)] if by_index else list(itertools.permutations(range(3)))
    found: dict[topk.Release, float] = defaultdict(float)
    for draw in itertools.product(masses, repeat=3):
        weight = math.prod(masses[x] for x in draw) / len(ties)
        values = [q + x for q, x in zip(scores, draw, strict=True)]
        for ranks in ties:
            found[release_by_definition(values, ranks, k, form)] += weight
    priority = ties[0] if by_index else None
    for w, weight in found.items():
        exact = topk.topk_probability(w, scores, p, noise=law, form=form, priority=priority)
        assert math.isclose(float(exact), weight, rel_tol=1e-9, abs_tol=3e-5)


@pytest.mark.parametrize("scores", [(0, 0, 0), (2, 0, 1), (3, 1, 0, 0)])
@pytest.mark.parametrize("k", [1, 2])
def test_geometric_releases_sum_to_one(scores: Sequence[int], k: int) -> None:
    """Exactly, with the weights of the tails: evidence that the bound on the gaps loses nothing."""
    law = topk.selection_pmf_topk_exponential(scores, k, Fraction(2, 3))
    boxes = list(topk.weighted_gaps(k, max(scores) - min(scores), Fraction(2, 3)))
    orders = itertools.permutations(range(len(scores)), k)
    assert sum(weight * law((order, gaps)) for order in orders for gaps, weight in boxes) == 1


def test_the_winner_of_topk_is_permute_and_flip() -> None:
    scores = (3, 1, 0, 0)
    law = topk.selection_pmf_topk_exponential(scores, 1, HALF)
    boxes = list(topk.weighted_gaps(1, 3, HALF))
    winners = [sum(weight * law(((j,), gaps)) for gaps, weight in boxes) for j in range(4)]
    assert winners == selection.permute_and_flip_pmf(scores, HALF)


@pytest.mark.parametrize("p", [HALF, Fraction(4, 5)])
@pytest.mark.parametrize(
    ("scores", "k"), [((0, 0), 1), ((1, 0, 2), 1), ((1, 0, 2), 2), ((0, 0, 0, 0), 2), ((1, 0, 0, 1), 1)]
)
def test_theorem_b(scores: Sequence[int], k: int, p: Fraction) -> None:
    """The bound p^-k holds and is reached; gaps up to the neighbours' spread lose nothing (see topk)."""
    outputs = topk.all_releases(len(scores), k, max(scores) - min(scores) + 2)
    worst = privacy.worst_ratio(
        lambda q: topk.selection_pmf_topk_exponential(q, k, p),
        scores,
        privacy.monotonic_neighbours(scores),
        outputs,
    )
    assert worst == p**-k


@pytest.mark.parametrize(("scores", "k"), [((0, 0, 0), 1), ((1, 0, 2), 2)])
def test_theorem_b_costs_twice_for_general_scores(scores: Sequence[int], k: int) -> None:
    law = lambda q: topk.selection_pmf_topk_exponential(q, k, HALF)  # noqa: E731
    outputs = topk.all_releases(len(scores), k, max(scores) + 2)
    assert privacy.worst_ratio(law, scores, privacy.general_neighbours(scores), outputs) == HALF ** (-2 * k)


@pytest.mark.parametrize(("scores", "k"), [((1, 0, 2), 1), ((1, 0, 2), 2), ((0, 1, 0, 1), 2)])
def test_theorem_b_in_raw_integers(scores: Sequence[int], k: int) -> None:
    outputs = topk.all_releases(len(scores), k, 3)
    worst = privacy.worst_ratio(
        lambda q: (
            lambda w: topk.topk_probability(
                w, q, HALF, noise="geometric", form="priority", priority=range(len(q))
            )
        ),
        scores,
        privacy.monotonic_neighbours(scores),
        outputs,
    )
    assert worst <= HALF**-k


@pytest.mark.parametrize(
    ("scores", "k", "bound"), [((1, 0, 2), 1, 5), ((1, 0, 2), 2, 5), ((0, 0, 0, 0), 1, 5)]
)
@pytest.mark.parametrize("fixed", [True, False])
def test_theorem_a(scores: Sequence[int], k: int, bound: int, fixed: bool) -> None:
    priority = range(len(scores)) if fixed else None
    outputs = topk.all_releases(len(scores), k, bound)

    def worst(neighbours: object) -> Fraction | float:
        law = lambda q: topk.selection_pmf_topk_laplace(q, k, HALF, priority=priority)  # noqa: E731
        return privacy.worst_ratio(law, scores, neighbours, outputs)  # type: ignore[arg-type]

    monotonic = worst(privacy.monotonic_neighbours(scores))
    assert monotonic <= HALF**-k
    assert monotonic < worst(privacy.general_neighbours(scores)) <= HALF ** (-2 * k)


def test_theorem_a_with_two_winners_of_four() -> None:
    scores, k = (0, 1, 0, 2), 2
    law = lambda q: topk.selection_pmf_topk_laplace(q, k, HALF, priority=range(4))  # noqa: E731
    outputs = topk.all_releases(4, k, 3)
    monotonic, general = (
        privacy.worst_ratio(law, scores, near(scores), outputs)
        for near in (privacy.monotonic_neighbours, privacy.general_neighbours)
    )
    assert 2 < monotonic <= HALF**-k < general <= HALF ** (-2 * k)


def test_mutant_raw_last_gap_is_caught() -> None:
    """Laplace noise, ties by index, raw last gap: the ratio tends to p^-2 although k = 1."""
    law = lambda q: topk.mutant_raw_last_gap(q, 1, HALF)  # noqa: E731
    for losers, least in ((2, 2.8), (5, 3.97)):
        zeros = (0,) * (losers + 2)
        raised = (1,) * losers + (0, 0)
        worst = privacy.worst_ratio(law, zeros, [raised], topk.all_releases(losers + 2, 1, 1))
        assert least < worst < 4
        fixed = lambda q: topk.selection_pmf_topk_laplace(q, 1, HALF, priority=[-i for i in range(len(q))])  # noqa: E731
        assert privacy.worst_ratio(fixed, zeros, [raised], topk.all_releases(losers + 2, 1, 1)) <= 2


@pytest.mark.parametrize(("scores", "k"), [((0, 0, 0), 1), ((0, 1, 0, 2), 2)])
def test_mutant_raw_gaps_of_exponential_noise_are_caught(scores: Sequence[int], k: int) -> None:
    law = lambda q: topk.mutant_raw_last_gap(q, k, HALF, noise="geometric")  # noqa: E731
    outputs = topk.all_releases(len(scores), k, 2)
    assert privacy.worst_ratio(law, scores, privacy.monotonic_neighbours(scores), outputs) == HALF ** (-k - 1)


@pytest.mark.parametrize("k", [1, 2])
def test_order_alone_is_private_with_fixed_ties(k: int) -> None:
    orders = list(itertools.permutations(range(3), k))
    for scores in ((0, 0, 0), (1, 0, 2)):
        law = lambda q: lambda w: topk.order_probability(w, q, HALF, noise="geometric")  # noqa: E731
        assert privacy.worst_ratio(law, scores, privacy.monotonic_neighbours(scores), orders) <= HALF**-k


def test_ratio_counts_an_impossible_output_as_infinite() -> None:
    assert privacy.ratio(Fraction(0), Fraction(0)) == 1
    assert privacy.ratio(Fraction(0), HALF) == math.inf


# Private keys


def test_threshold_of_the_statement() -> None:
    """15 at epsilon = 1, delta = 1e-6 and one key; e^-1 lies between the two rational numbers."""
    delta = Fraction(1, 10**6)
    assert {unknown.threshold(Fraction(x, 10**5), delta, 1) for x in (36787, 36788)} == {15}


@pytest.mark.parametrize("p", [HALF, Fraction(3, 4)])
@pytest.mark.parametrize("delta", [Fraction(1, 10), Fraction(1, 1000)])
@pytest.mark.parametrize("keys", [1, 2])
def test_threshold_release_is_exactly_private(p: Fraction, delta: Fraction, keys: int) -> None:
    tau = unknown.threshold(p, delta, keys)
    grid = list(itertools.product(range(tau + 3), repeat=keys))
    deltas = {counts: unknown.threshold_delta(counts, tau, p) for counts in grid}
    assert max(deltas.values()) <= delta
    assert deltas[(0,) * keys] == max(deltas.values()) == 1 - (1 - p ** (tau - 1) / (1 + p)) ** keys
    assert unknown.threshold_delta((0,) * keys, tau - 1, p) > delta  # a lower threshold is caught


def test_threshold_classes_are_laws() -> None:
    for count, tau in itertools.product(range(5), range(1, 5)):
        classes = unknown.threshold_classes(count, tau, Fraction(2, 3))
        assert [sum(side) for side in zip(*classes, strict=True)] == [1, 1]


def theorem_c_delta(
    n: int, kbar: int, k: int, tau: int, p: Fraction, *, keys_per_unit: int | None = None
) -> Fraction:
    """The largest delta at e^epsilon = p^-k over counts in {0, 1, 2}^n, all units, all ways to break ties."""
    worst = Fraction(0)
    for counts in itertools.combinations_with_replacement((2, 1, 0), n):
        for delta in itertools.product((0, 1), repeat=n):
            if keys_per_unit is None or sum(delta) <= keys_per_unit:
                worst = max(
                    worst, pair_delta(counts, delta, kbar, k, tau, p, public_ties=keys_per_unit is not None)
                )
    return worst


def pair_delta(
    counts: Sequence[int],
    delta: Sequence[int],
    kbar: int,
    k: int,
    tau: int,
    p: Fraction,
    *,
    public_ties: bool = False,
    ignore_cut: bool = False,
) -> Fraction:
    """The same for one pair of databases, in both directions."""
    sides = []
    for database in (counts, [h + d for h, d in zip(counts, delta, strict=True)]):
        keyed = dict(enumerate(database))
        sets = [unknown.first_set(keyed, kbar)] if public_ties else unknown.top_sets(keyed, kbar)
        bottom = tau + (0 if ignore_cut else unknown.cut(keyed, kbar))
        sides.append([(chosen, bottom) for chosen in sets])
    worst = Fraction(0)
    for first, second in itertools.product(*sides):
        pairs = unknown.bottom_pairs(first, second, k, p)
        swapped = [(b, a) for a, b in pairs]
        worst = max(worst, *(privacy.hockey_stick(side, p**-k) for side in (pairs, swapped)))
    return worst


def test_bottom_releases_sum_to_one() -> None:
    first, second = ({0: 2, 1: 1, 2: 1}, 3), ({0: 2, 3: 1}, 2)
    for k in (1, 2):
        pairs = unknown.bottom_pairs(first, second, k, Fraction(2, 3))
        assert [sum(side) for side in zip(*pairs, strict=True)] == [1, 1]


@pytest.mark.parametrize(
    ("n", "kbar", "k", "tau", "p"),
    [
        (2, 1, 1, 1, HALF),
        (2, 1, 1, 3, Fraction(3, 4)),
        (2, 2, 1, 2, HALF),
        (2, 2, 2, 2, Fraction(3, 4)),
        (3, 1, 1, 2, HALF),
        (3, 2, 1, 2, HALF),
        (3, 2, 2, 2, HALF),
        (3, 2, 2, 2, Fraction(3, 4)),
    ],
)
def test_theorem_c_is_exact(n: int, kbar: int, k: int, tau: int, p: Fraction) -> None:
    """Its delta is enough for all pairs of databases, and some pair needs all of it."""
    assert theorem_c_delta(n, kbar, k, tau, p) == unknown.bottom_delta(p, tau, kbar)


@pytest.mark.parametrize(("kbar", "tau"), [(1, 2), (2, 2), (3, 2), (3, 3)])
def test_theorem_c_with_one_key_per_unit(kbar: int, tau: int) -> None:
    """delta = y / 2 whatever kbar; kbar = 3 of 3 keys is the case without a cut."""
    delta = theorem_c_delta(3, kbar, min(kbar, 2), tau, HALF, keys_per_unit=1)
    assert delta == unknown.bottom_delta(HALF, tau, 1) == HALF**tau


def test_a_bottom_that_ignores_the_cut_is_caught() -> None:
    """With kbar = 1 and counts (5, 5), one unit exchanges the only candidate, far above a fixed threshold."""
    bound = unknown.bottom_delta(HALF, 2, 1)
    assert pair_delta((5, 5), (0, 1), 1, 1, 2, HALF) <= bound
    assert pair_delta((5, 5), (0, 1), 1, 1, 2, HALF, ignore_cut=True) > 3 * bound


def test_bottom_delta_and_tau() -> None:
    for strangers, p in itertools.product((1, 2, 10), COINS):
        delta = Fraction(1, 10**4)
        tau = unknown.bottom_tau(p, delta, strangers)
        assert unknown.bottom_delta(p, tau, strangers) <= delta
        simple = strangers * p ** (tau - 1) / 2
        assert simple * (1 - strangers * p ** (tau - 1)) <= unknown.bottom_delta(p, tau, strangers) <= simple


# Samplers


def draw_laplace(p: float, n: int, source: random.Random) -> list[int]:
    """n discrete Laplace draws by inversion, for the test of the test only."""

    def geometric() -> int:
        return int(math.log(1 - source.random()) / math.log(p))

    return [geometric() - geometric() for _ in range(n)]


ALPHA, DRAWS, RATE = 1e-9, 8000, 0.5


def laplace_law(rate: float) -> dict[int, Fraction]:
    p = Fraction(math.exp(-rate))
    return fit.merged_law(lambda x: noise.discrete_laplace_cdf(x, p), -12, 12)


def test_the_right_scale_is_accepted() -> None:
    law = laplace_law(RATE)
    assert sum(law.values()) == 1
    for seed in range(5):
        observed = fit.counts_of(draw_laplace(math.exp(-RATE), DRAWS, random.Random(seed)), -12, 12)
        assert fit.log_p_value(observed, law) > math.log(1e-3)


@pytest.mark.parametrize("factor", [0.7, 1.3])
def test_a_scale_off_by_thirty_percent_is_rejected(factor: float) -> None:
    actual = RATE / factor
    assert fit.expected_log_p_value(laplace_law(actual), laplace_law(RATE), DRAWS) < 1.3 * math.log(ALPHA)
    for seed in range(5):
        observed = fit.counts_of(draw_laplace(math.exp(-actual), DRAWS, random.Random(seed)), -12, 12)
        assert fit.log_p_value(observed, laplace_law(RATE)) < math.log(ALPHA)


def test_an_impossible_outcome_is_always_rejected() -> None:
    assert fit.log_p_value({"a": 10, "b": 1}, {"a": 1.0}) == -math.inf
    assert fit.log_p_value({"a": 10, "b": 0}, {"a": 1.0}) == 0


# Estimates from gaps


@pytest.mark.parametrize("ratio", [Fraction(1), HALF, Fraction(5, 3)])
@pytest.mark.parametrize("k", [2, 3, 5, 10])
def test_closed_form_is_generalised_least_squares(k: int, ratio: Fraction) -> None:
    weights, covariance = blue.least_squares(k, ratio)
    for i in range(2 * k - 1):
        unit = [Fraction(int(i == j)) for j in range(2 * k - 1)]
        assert blue.closed_form(unit[:k], unit[k:], ratio) == [row[i] for row in weights]
    assert {covariance[i][i] for i in range(k)} == {blue.error_ratio(k, ratio)}
    assert 1 - blue.error_ratio(k, ratio) == (k - 1) / (k * (1 + ratio))


def test_variance_ratios_of_the_two_noises() -> None:
    """Exponential selection noise of the same scale has half the variance: lambda = 1/2 instead of 1."""
    p = Fraction(2, 3)
    cut = 400
    laplace = sum(x * x * noise.discrete_laplace_pmf(x, p) for x in range(-cut, cut + 1))
    assert abs(laplace - 2 * noise.geometric_variance(p)) < Fraction(1, 10**60)
