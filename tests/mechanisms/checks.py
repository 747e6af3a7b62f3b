"""The checks of the mechanisms, as functions: the tests run them, and the mutants must fail them.

Each runs the real code on chosen noise (see `enumeration`) and compares what comes out with the definition.
Where all noise vectors up to a bound were run, the weights of the outputs are compared with the exact law.
"""

import dataclasses
import itertools
import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb

from dpduck.kernel.accounting.events import Histogram
from dpduck.kernel.mechanisms import (
    additive,
    private_topk,
    quantile,
    ranked_counts,
    selection,
    topk,
    topk_counts,
)
from dpduck.kernel.mechanisms import linear_estimates as code_blue
from dpduck.kernel.scores import PlainScores, WithThreshold
from tests.mechanisms.enumeration import (
    FORMS,
    Drawn,
    Layout,
    Output,
    cdf_of,
    laplace_words,
    noise_vectors,
    plain,
    ranking_words,
)
from tests.noise.balls import ball, precise
from tests.oracles import blue, unknown
from tests.oracles import topk as topk_oracle
from tests.oracles.selection import permute_and_flip_pmf
from tests.sources import Scripted
from tests.test_oracles import release_by_definition

RATE = Fraction(3)  # p is about 1/20, so that small noise is nearly all noise
Law = Mapping[Any, float]


def rational(rate: Fraction) -> Fraction:
    """p = e^(-rate), to ten places."""
    return Fraction(math.exp(-rate)).limit_denominator(10**7)


def assert_law(found: Law, exact: Callable[[Any], Fraction | float], missing_at_most: float) -> None:
    """The weights found are those of the law, but for the mass of the noise that was not run."""
    missing = 1 - sum(found.values())
    assert -1e-9 < missing < missing_at_most
    for output, weight in found.items():
        assert weight - 1e-9 <= float(exact(output)) <= weight + missing + 1e-9


# Top-k


def check_top_k(
    scores: Sequence[int],
    k: int,
    noise: topk.Noise,
    *,
    form: str = "plain",
    reach: int = 2,
    rate: Fraction = RATE,
) -> Law:
    """Every noise vector and tie order: the order and the gaps are those of the statement."""
    vector = FORMS[form](scores)
    layout = Layout.of(vector, scores, k + 1)
    cdf = cdf_of(noise, rate)
    gaps: topk_oracle.Gaps = "floor" if noise == "exponential" else "priority"
    half = 0.5 if noise == "exponential" else 0.0
    found: dict[Output, float] = defaultdict(float)
    for drawn in noise_vectors(noise, len(scores), reach, rate):
        source = Scripted(ranking_words(layout, drawn.real, cdf, k + 1, k))
        release = topk.top_k(vector, k, rate * k, source, noise=noise)
        order, floors = release_by_definition(drawn.values(scores), drawn.ranks, k, gaps)
        assert release.candidates == order
        assert release.gaps == tuple(g + half for g in floors)
        assert source.left == 0
        found[order, floors] += drawn.weight
    return found


def check_top_k_law(scores: Sequence[int], k: int, noise: topk.Noise, *, reach: int = 2) -> None:
    """... and their weights are the law of Theorem A or B."""
    laws = {
        "exponential": topk_oracle.selection_pmf_topk_exponential,
        "laplace": topk_oracle.selection_pmf_topk_laplace,
    }
    found = check_top_k(scores, k, noise, reach=reach)
    law = laws[noise](scores, k, rational(RATE))
    assert_law(found, law, 2 * len(scores) * math.exp(-float(RATE) * (reach + 1)))


# One winner


def check_permute_and_flip(
    scores: Sequence[int],
    *,
    form: str = "plain",
    monotonic: bool = True,
    sensitivity: int = 1,
    reach: int = 2,
    rate: Fraction = RATE,
) -> None:
    """Every noise vector and tie order: the winner is the largest, and the law permute-and-flip's."""
    vector = FORMS[form](scores)
    layout = Layout.of(vector, scores, 1)
    cdf = cdf_of("exponential", rate)
    epsilon = rate * sensitivity * (1 if monotonic else 2)
    found: dict[int, float] = defaultdict(float)
    for drawn in noise_vectors("exponential", len(scores), reach, rate):
        source = Scripted(ranking_words(layout, drawn.real, cdf, 1, 1))
        release = selection.permute_and_flip(
            vector, epsilon, source, monotonic=monotonic, sensitivity=sensitivity
        )
        values = list(zip(drawn.values(scores), drawn.ranks, strict=True))
        assert release.candidate == values.index(max(values))
        assert source.left == 0
        found[release.candidate] += drawn.weight
    pmf = permute_and_flip_pmf(scores, rational(rate))
    assert_law(found, pmf.__getitem__, len(scores) * math.exp(-float(rate) * (reach + 1)))


def rank_scores(values: Sequence[int], points: int, q: Fraction) -> list[int]:
    """-max(0, (b - a) L - a (E + G), a G - (b - a) (E + L)); q = a / b; L, E, G below, at and above."""
    a, b = q.numerator, q.denominator
    result = []
    for x in range(points):
        below, at = sum(v < x for v in values), sum(v == x for v in values)
        above = len(values) - below - at
        result.append(-max(0, (b - a) * below - a * (at + above), a * above - (b - a) * (at + below)))
    return result


def check_quantile(values: Sequence[int], points: int, q: Fraction) -> None:
    """Permute-and-flip on the rank scores, at half the rate, of the grid points as the code groups them."""
    sample = quantile.Values(np.array(values, dtype=np.int64), points)
    scores = rank_scores(values, points, q)
    layout = Layout.of(quantile.QuantileScores(sample, points, q), scores, 1)
    epsilon = 2 * RATE * max(q.numerator, q.denominator - q.numerator)
    for drawn in noise_vectors("exponential", points, 2, RATE):
        source = Scripted(ranking_words(layout, drawn.real, cdf_of("exponential", RATE), 1, 1))
        release = quantile.quantile(sample, points, q, epsilon, source)
        ranked = list(zip(drawn.values(scores), drawn.ranks, strict=True))
        assert release.offset == ranked.index(max(ranked))
        assert source.left == 0


def check_exponential(
    scores: Sequence[int], *, form: str = "plain", monotonic: bool = True, sensitivity: int = 1
) -> None:
    """Gumbel noise from a coarse grid: the winner, the gap rounded down, the p-value of that gap."""
    rate = Fraction(3, 2)
    vector = FORMS[form](scores)
    layout = Layout.of(vector, scores, 2)
    cdf = cdf_of("gumbel", rate)
    epsilon = rate * sensitivity * (1 if monotonic else 2)
    for coarse in itertools.product((-0.71, 0.113, 1.37, 2.93), repeat=len(scores)):
        noise = [x + 0.0371 * i for i, x in enumerate(coarse)]
        source = Scripted(ranking_words(layout, noise, cdf, 2, 1))
        release = selection.exponential(vector, epsilon, source, monotonic=monotonic, sensitivity=sensitivity)
        second, best = sorted((q + x, i) for i, (q, x) in enumerate(zip(scores, noise, strict=True)))[-2:]
        assert release.candidate == best[1]
        steps = math.floor((best[0] - second[0]) * 1024 / sensitivity)
        assert release.gap == steps * sensitivity / 1024
        assert math.isclose(release.p_value, 2 / (1 + math.exp(release.gap * float(rate))), rel_tol=1e-12)


# Counts


def check_noisy_counts(groups: int = 4, rows: int = 3) -> None:
    """Each count gets its own noise of rate epsilon / (groups rows), and the event says groups."""
    counts, draws, rate = np.array([5, 0, 1000, 7]), [0, 3, -2, -11], Fraction(1, 8)
    source = Scripted(laplace_words(draws, rate))
    epsilon = rate * groups * rows
    release = additive.noisy_counts(counts, epsilon, source, groups=groups, rows=rows)
    assert release.event == Histogram(epsilon, groups=groups)
    assert release.counts.tolist() == [5, 3, 998, -4]
    assert release.half_width == smallest_half_width(rational(rate))
    assert source.left == 0


def smallest_half_width(p: Fraction) -> int:
    return next(w for w in itertools.count() if 2 * p ** (w + 1) / (1 + p) <= Fraction(1, 20))


def check_private_key_counts(groups: int = 2) -> None:
    """Only keys at or above the threshold show, with their noisy counts."""
    rate, delta = Fraction(1, 2), Fraction(1, 1000)
    tau = additive.threshold(rate * groups, delta, groups)
    counts = np.array([tau, tau, tau - 3, tau + 9, 1])
    source = Scripted(laplace_words([0, -1, 3, -8, 0], rate))
    release = additive.private_key_counts(PlainScores(counts), rate * groups, delta, source, groups=groups)
    assert release.threshold == tau
    assert release.candidates == (0, 2, 3)
    assert release.counts == (tau, tau, tau + 1)
    assert release.half_width == smallest_half_width(rational(rate))


def check_threshold(epsilon: Fraction, delta: Fraction, groups: int) -> None:
    """A key of one unit passes with at most delta / groups, in ball arithmetic; one less is too low."""
    tau = additive.threshold(epsilon, delta, groups)
    with precise():
        p = (-ball(epsilon / groups)).exp()
        allowed = ball(delta / groups)
        assert p ** (tau - 1) / (1 + p) <= allowed
        assert tau == 1 or p ** (tau - 2) / (1 + p) > allowed * (1 - arb(2) ** -30)


def check_bottom(epsilon: Fraction, delta: Fraction, k: int, groups: int | None) -> None:
    """Theorem C's bound s e^(-(tau-1)/b) / 2 is at most delta, in ball arithmetic; one less is too low."""
    tau = private_topk.bottom(epsilon, delta, k, groups)
    strangers = private_topk.KEYS_READ + k if groups is None else groups
    with precise():
        bound, step = (-ball(epsilon / k) * (tau - 1)).exp() * strangers / 2, ball(epsilon / k).exp()
        assert tau >= 1
        assert bound <= ball(delta)
        assert tau == 1 or bound * step > ball(delta) * (1 - arb(2) ** -30)


# Top-k with counts


def count_variance(rate: Fraction) -> float:
    p = math.exp(-rate)
    return 2 * p / (1 - p) ** 2


def expected_estimates(measured: Sequence[int], gaps: Sequence[float], weight: float) -> list[float]:
    if not measured:
        return []
    between = [Fraction(g) for g in gaps[: len(measured) - 1]]
    found = blue.closed_form([Fraction(a) for a in measured], between, Fraction(weight))
    return [float(x) for x in found]


def assert_close(found: Sequence[float] | None, expected: Sequence[float]) -> None:
    assert found is not None
    assert len(found) == len(expected)
    assert all(math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9) for a, b in zip(found, expected, strict=True))


MEASURED = (3, -4, 0, 1, -1)


def parts_of(k: int, epsilon: Fraction, groups: int | None) -> tuple[code_blue.Split, Fraction, Fraction]:
    """The split, and the rates of selection and measurement: e1 / k and e2 / min(k, groups)."""
    sensitivity = k if groups is None else min(k, groups)
    split = code_blue.best_split(epsilon, k, sensitivity)
    assert split.selection + split.measurement == epsilon
    return split, split.selection / k, split.measurement / sensitivity


def sure_of(floors: Sequence[int], rate: Fraction) -> int:
    """The last rank whose chance e^(-rate gap) is at most 1 in 20 k."""
    chances = [math.exp(-float(rate) * max(gap, 0)) for gap in floors]
    return max((i + 1 for i, chance in enumerate(chances) if chance <= 0.05 / len(chances)), default=0)


def expected_found(
    split: code_blue.Split,
    rate: Fraction,
    most: int,
    true: Sequence[int],
    levels: Sequence[float],
    floors: Sequence[int],
) -> tuple[list[float], list[int]]:
    """The counts of the winners, and the words of the measurements.

    Input: `rate`: of the selection; `most`: how many winners one unit may count for; `levels`: noisy scores.
    """
    if not true:
        return [], []
    gaps = [(math.floor((a - b) * 1024) + 0.5) / 1024 for a, b in itertools.pairwise(levels)]
    places = [-sum(gaps[:i]) for i in range(len(true))]
    sure = sure_of(floors, rate)
    if split.together:
        block = sure or len(true)
        mean = (sum(true[:block]) + MEASURED[0] - sum(places[:block])) / block
        words = laplace_words(MEASURED[:1], split.measurement / min(most, block))
        return [mean + place for place in places], words
    own = split.measurement / min(most, len(true))
    draws = MEASURED[: len(true)]
    measured = [q + x for q, x in zip(true, draws, strict=True)]
    weight, width = float(1 / rate**2) / count_variance(own), smallest_half_width(rational(own))
    moved = zip(expected_estimates(measured, gaps, weight), measured, strict=True)
    found = [min(max(x, m - width), m + width) for x, m in moved]
    if sure:
        found[:sure] = expected_estimates(measured[:sure], gaps[: sure - 1], weight)
    return found, laplace_words(draws, own)


def check_top_k_counts(
    scores: Sequence[int] = (40, 31, 31, 7), k: int = 2, groups: int | None = None
) -> None:
    """Selection noise of rate e1 / k, measurements of rate e2 / min(k, groups), the best linear estimate."""
    epsilon, most = Fraction(4), k if groups is None else min(k, groups)
    split, first, _ = parts_of(k, epsilon, groups)
    vector = plain(scores)
    layout = Layout.of(vector, scores, k + 1)
    for drawn in itertools.islice(noise_vectors("exponential", len(scores), 2, first), 0, None, 37):
        order, gaps = release_by_definition(drawn.values(scores), drawn.ranks, k, "floor")
        levels, true = [scores[c] + drawn.real[c] for c in order], [scores[c] for c in order]
        expected, measuring = expected_found(split, first, most, true, levels, gaps)
        words = ranking_words(layout, drawn.real, cdf_of("exponential", first), k + 1, k)
        source = Scripted([*words, *measuring])
        release = topk_counts.top_k_counts(vector, k, epsilon, source, groups=groups)
        assert release.candidates == order
        assert release.gaps == tuple(g + 0.5 for g in gaps)
        assert_close(release.found.counts, expected)
        assert source.left == 0


def check_measured_each() -> None:
    """Each of three is measured: two are sure and combined, the third has its measurement's interval."""
    split = dataclasses.replace(code_blue.best_split(Fraction(4), 3, 1), together=False, weight=0.5)
    true, gaps = (50, 31, 9), (18.5, 20.5, 0.5)
    source = Scripted(laplace_words(MEASURED[:3], split.measurement))
    found = ranked_counts._by_each(true, gaps, 2, split, source)
    measured = [50 + 3, 31 - 4, 9]
    width = smallest_half_width(rational(split.measurement))
    assert_close(found.counts[:2], expected_estimates(measured[:2], [18.5], 0.5))
    all_three = expected_estimates(measured, list(gaps[:2]), 0.5)
    assert_close(found.counts[2:], [min(max(all_three[2], 9 - width), 9 + width)])
    assert (found.lows[2], found.highs[2]) == (9 - width, 9 + width)
    low, high = dataclasses.replace(split, k=2).error()
    assert_close([found.lows[0] or 0, found.highs[0] or 0], [found.counts[0] - high, found.counts[0] - low])
    assert source.left == 0


def check_among() -> None:
    """Of five places three are taken: what is measured moves by at most three, selection's noise stays."""
    split = code_blue.best_split(Fraction(1), 5, 5)
    fewer = split.among(3)
    assert (fewer.measurement_rate, fewer.selection_rate) == (split.measurement / 3, split.selection / 5)
    assert (fewer.k, fewer.together) == (3, split.together)
    assert split.among(5) == split.among(0) == split
    assert code_blue.best_split(Fraction(1), 5, 2).among(4).sensitivity == 2


# Top-k over private keys


def private_by_definition(values: Sequence[int], ranks: Sequence[int], k: int) -> Output:
    """Theorem C's release; the bottom is the last value. With k items, the gap is to whatever is next."""
    order = sorted(range(len(values)), key=lambda i: (values[i], ranks[i]), reverse=True)
    items = order[: min(k, order.index(len(values) - 1))]
    gaps = [values[a] - values[b] - (ranks[a] < ranks[b]) for a, b in itertools.pairwise(order)]
    return tuple(items), tuple(gaps[: len(items)])


def check_private_top_k(
    counts: Sequence[int], k: int, *, groups: int | None, delta: Fraction = Fraction(1, 3), reach: int = 2
) -> None:
    """Every noise vector: only keys above the bottom, and the law of Theorem C."""
    read_most = private_topk.KEYS_READ + k if groups is None else len(counts)
    p, strangers = rational(RATE), read_most if groups is None else groups
    keyed = dict(enumerate(counts))
    read = sorted(keyed, key=lambda key: counts[key])[-read_most:]
    chosen = {key: counts[key] for key in read}
    assert chosen in unknown.top_sets(keyed, read_most)
    bottom = unknown.cut(keyed, read_most) + unknown.bottom_tau(p, delta, strangers)
    levels = [*chosen.values(), bottom]
    layout = Layout.of(with_threshold(levels), levels, k + 1)
    found: dict[Output, float] = defaultdict(float)
    for drawn in noise_vectors("exponential", len(levels), reach, RATE):
        places, gaps = private_by_definition(drawn.values(levels), drawn.ranks, k)
        source = Scripted(private_words(layout, drawn, k, RATE, len(places)))
        release = private_topk.private_top_k(
            PlainScores(np.array(counts, dtype=np.int64)),
            k,
            RATE * k,
            delta,
            source,
            groups=groups,
            measure=False,
        )
        assert release.candidates == tuple(read[place] for place in places)
        assert release.gaps == tuple(g + 0.5 for g in gaps)
        assert release.found.counts == ()
        assert source.left == 0
        found[release.candidates, gaps] += drawn.weight
    law = lambda output: unknown.bottom_probability(output, chosen, bottom, k, p)  # noqa: E731
    assert_law(found, law, len(levels) * math.exp(-float(RATE) * (reach + 1)))


def with_threshold(levels: Sequence[int]) -> WithThreshold:
    """A vector whose last level is the threshold."""
    return WithThreshold(PlainScores(np.array(levels[:-1], dtype=np.int64)), levels[-1])


def private_words(layout: Layout, drawn: Drawn, k: int, rate: Fraction, winners: int) -> list[int]:
    count = min(k + 1, len(layout.scores))
    return ranking_words(layout, drawn.real, cdf_of("exponential", rate), count, winners)


def check_private_counts(groups: int | None = 1) -> None:
    """As `check_top_k_counts`, for k = 2 and as many winners as reach the bottom: two, one, none."""
    k, epsilon, delta = 2, Fraction(4), Fraction(1, 10)
    split, first, _ = parts_of(k, epsilon, groups)
    strangers = private_topk.KEYS_READ + k if groups is None else groups
    bottom = unknown.bottom_tau(rational(first), delta, strangers)
    counts = [1, bottom, bottom]
    layout = Layout.of(with_threshold([*counts, bottom]), [*counts, bottom], k + 1)
    winners = []
    for whole in ((0, 1, 2, 0), (1, 3, 0, 1), (0, 0, 1, 9)):
        drawn = Drawn(whole, (0, 2, 1, 3), 1.0)
        items, gaps = private_by_definition(drawn.values([*counts, bottom]), drawn.ranks, k)
        levels, true = [counts[c] + drawn.real[c] for c in items], [counts[c] for c in items]
        most = k if groups is None else min(k, groups)
        expected, measuring = expected_found(split, first, most, true, levels, gaps)
        words = private_words(layout, drawn, k, first, len(items))
        source = Scripted([*words, *measuring])
        release = private_topk.private_top_k(
            PlainScores(np.array(counts)), k, epsilon, delta, source, groups=groups, measure=True
        )
        assert release.candidates == items
        assert release.gaps == tuple(g + 0.5 for g in gaps)
        assert_close(release.found.counts, expected)
        assert source.left == 0
        winners.append(len(items))
    assert winners == [2, 1, 0]
