"""One winner and its gap: the exact laws are private, the code follows them, p-values are calibrated."""

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

import numpy as np
import pytest

from dpduck.kernel.accounting.events import PermuteAndFlip
from dpduck.kernel.errors import ParameterError
from dpduck.kernel.mechanisms.selection import GAP_STEPS, expected_gap, exponential, permute_and_flip_with_gap
from dpduck.kernel.mechanisms.topk import p_values, top_k
from dpduck.kernel.scores import PlainScores
from tests.mechanisms.checks import RATE, assert_close, rational
from tests.mechanisms.enumeration import FORMS, Layout, cdf_of, plain, ranking_words, singles
from tests.noise.laws import REJECT, assert_frequencies
from tests.oracles import peeling as oracle
from tests.oracles.fit import log_p_value
from tests.oracles.privacy import general_neighbours, monotonic_neighbours, worst_ratio
from tests.oracles.selection import exponential_gap_survival, permute_and_flip_pmf
from tests.sources import Quiet, Scripted, Seeded

X = Fraction(1, 2)
SMALL = ((0, 0), (1, 0), (2, 0, 1), (0, 3, 3))
STEPS = (1, 3)  # of a score unit, as a grid of floors
Law = Callable[..., Callable[[oracle.Won], Fraction]]

every_law = pytest.mark.parametrize("law", [oracle.flip_with_gap, oracle.exponential_with_gap])
two_claims = pytest.mark.parametrize(
    ("monotonic", "sensitivity"), [(True, 1), (False, 1), (True, 3), (False, 3), (True, Fraction(1, 3))]
)


# The laws are private


def worst(law: Law, scores: Sequence[int], neighbours: Iterable[tuple[int, ...]], steps: int) -> float:
    """Over all winners, and gaps up to two beyond the spread, on a grid of so many steps to a unit."""
    most = (max(scores) - min(scores) + 2) * steps
    outputs = list(itertools.product(range(len(scores)), range(most + 1)))
    return float(worst_ratio(lambda q: law(q, X, steps), scores, neighbours, outputs))


@every_law
@pytest.mark.parametrize("steps", STEPS)
@pytest.mark.parametrize("scores", SMALL)
def test_the_gap_is_free_for_counts(law: Law, scores: Sequence[int], steps: int) -> None:
    """All neighbours: at most e^epsilon where noise has rate epsilon, however fine the grid of gaps is."""
    assert worst(law, scores, monotonic_neighbours(scores), steps) <= 2**steps * (1 + 1e-12)


@every_law
@pytest.mark.parametrize("steps", STEPS)
@pytest.mark.parametrize("scores", SMALL)
def test_the_gap_is_free_for_any_scores_at_half_the_rate(law: Law, scores: Sequence[int], steps: int) -> None:
    """Scores that move either way: at most e^epsilon where noise has rate epsilon / 2."""
    assert worst(law, scores, general_neighbours(scores), steps) <= 4**steps * (1 + 1e-12)


def test_both_bounds_are_attained() -> None:
    """By permute-and-flip exactly; by the exponential mechanism nearly, for a winner far behind."""
    assert worst(oracle.flip_with_gap, (0, 2), [(0, 3)], 1) == 2
    assert worst(oracle.flip_with_gap, (0, 2), [(-1, 3)], 1) == 4
    assert 1.99 < worst(oracle.exponential_with_gap, (0, 8), [(0, 9)], 1) <= 2
    assert 3.97 < worst(oracle.exponential_with_gap, (0, 8), [(-1, 9)], 1) <= 4


@every_law
@pytest.mark.parametrize("scores", SMALL)
def test_the_laws_add_up(law: Law, scores: Sequence[int]) -> None:
    """All gaps but a tail; without the gap, the winner has the law of the mechanism without gap."""
    of = law(scores, X)
    masses = [sum(of((s, g)) for g in range(60)) for s in range(len(scores))]
    assert 0 <= 1 - sum(masses) < Fraction(1, 2**50)
    if law is oracle.flip_with_gap:
        assert np.allclose([float(m) for m in masses], [float(m) for m in permute_and_flip_pmf(scores, X)])


def test_the_gap_of_gumbel_noise_by_quadrature() -> None:
    """P(winner s, gap >= t) from the definition: s is above the largest of the others by t or more."""
    scores, rate, step = (3, 1, 0), 0.6, 1e-3
    z = (np.arange(-15_000, 60_000) + 0.5) * step

    def log_cdf(x: np.ndarray) -> np.ndarray:
        return -np.exp(-rate * x)

    for s, t in itertools.product(range(3), (0.0, 0.25, 1.0, 4.5)):
        others = [q for i, q in enumerate(scores) if i != s]
        below = sum(log_cdf(z - q) for q in others)
        density = np.exp(below) * sum(rate * np.exp(-rate * (z - q)) for q in others)
        found = float((density * -np.expm1(log_cdf(z + t - scores[s]))).sum() * step)
        weights = [math.exp(rate * (q - t * (i == s))) for i, q in enumerate(scores)]
        assert math.isclose(found, weights[s] / sum(weights), rel_tol=1e-4)
        if t == int(t):
            coin = Fraction(math.exp(-rate))
            share = math.exp(rate * scores[s]) / sum(math.exp(rate * q) for q in scores)
            formula = share * float(exponential_gap_survival(scores, s, int(t), coin))
            assert math.isclose(found, formula, rel_tol=1e-4)


# Every noise vector


def check_flip_with_gap(
    scores: Sequence[int] = (1, 0, 1),
    *,
    form: str = "plain",
    monotonic: bool = True,
    sensitivity: Fraction | int = 1,
    rate: Fraction = RATE,
) -> None:
    """Noise from a grid: the winner, and its gap rounded down to 1 / 1024 of what a unit moves."""
    vector = FORMS[form](scores)
    layout = Layout.of(vector, scores, 2)
    epsilon = rate * sensitivity * (1 if monotonic else 2)
    for coarse in itertools.product((0.0, 0.37, 1.24, 2.9), repeat=len(scores)):
        noise = [x + 0.0131 * (i + 1) for i, x in enumerate(coarse)]
        source = Scripted(ranking_words(layout, noise, cdf_of("exponential", rate), 2, 1))
        release = permute_and_flip_with_gap(
            vector, epsilon, source, monotonic=monotonic, sensitivity=sensitivity
        )
        assert source.left == 0
        second, best = sorted((q + x, i) for i, (q, x) in enumerate(zip(scores, noise, strict=True)))[-2:]
        unit = float(sensitivity) / 1024
        steps = math.floor((best[0] - second[0]) / unit)
        assert release.candidate == best[1]
        assert math.isclose(release.gap, steps * unit, rel_tol=1e-12, abs_tol=1e-12)
        assert_close([release.p_value], [math.exp(-release.gap * float(rate))])
        assert release.event == PermuteAndFlip(epsilon)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("scores", [(0, 0, 0), (1, 0, 2), (2, 2, 1)])
def test_it_is_the_largest_of_exponential_noise(scores: Sequence[int], form: str) -> None:
    check_flip_with_gap(scores, form=form)


@two_claims
def test_the_rate_follows_the_claims(sensitivity: Fraction | int, *, monotonic: bool) -> None:
    for rate in (Fraction(3), Fraction(1, 2)):
        check_flip_with_gap(monotonic=monotonic, sensitivity=sensitivity, rate=rate)


def test_the_grid_is_public() -> None:
    assert GAP_STEPS == 1024


# Frequencies


def coarse_law(scores: Sequence[int], rate: Fraction, cap: int) -> dict[oracle.Won, float]:
    """Of the winner and its whole gap, those of `cap` and more as one."""
    of = oracle.flip_with_gap(scores, rational(rate))
    winners = permute_and_flip_pmf(scores, rational(rate))
    law = {won: float(of(won)) for won in itertools.product(range(len(scores)), range(cap))}
    rest = {(s, cap): float(w) - sum(law[s, g] for g in range(cap)) for s, w in enumerate(winners)}
    return law | rest


@pytest.mark.parametrize(
    ("monotonic", "sensitivity", "form"), [(True, 1, "plain"), (False, 1, "lumped"), (False, 2, "singles")]
)
def test_frequencies_follow_the_exact_law(sensitivity: int, form: str, *, monotonic: bool) -> None:
    """n = 3000; accepted at 1e-3, rejected at 1e-9 at a rate 30 % off or the other claim's."""
    scores, rate, cap = (2, 1, 1), Fraction(3, 4), 3
    epsilon, vector = rate * sensitivity * (1 if monotonic else 2), FORMS[form](scores)
    observed: Counter[oracle.Won] = Counter()
    entropy = Seeded("flip with gap", monotonic, sensitivity)
    for _ in range(3000):
        release = permute_and_flip_with_gap(
            vector, epsilon, entropy, monotonic=monotonic, sensitivity=sensitivity
        )
        observed[release.candidate, min(math.floor(release.gap), cap)] += 1
    assert_frequencies(observed, coarse_law(scores, rate, cap))
    for factor in (Fraction(7, 10), Fraction(13, 10), 2 if monotonic else Fraction(1, 2)):
        assert log_p_value(observed, coarse_law(scores, rate * factor, cap)) < REJECT


# What gaps say


@pytest.mark.parametrize("theta", [-700.0, -5.0, -0.1, 0.0, 0.7, 6.0, 40.0, 800.0])
def test_the_expected_gap_is_the_integral_of_its_survival(theta: float) -> None:
    step = 1e-3
    t = (np.arange(int((max(theta, 0) + 60) / step)) + 0.5) * step
    # (1 + e^-theta) / (1 + e^(t - theta)), without large exponents
    log_survival = np.logaddexp(0, -theta) - np.logaddexp(0, t - theta)
    assert math.isclose(expected_gap(theta), float(np.exp(log_survival).sum() * step), rel_tol=1e-4)


def test_the_mean_gap_is_the_expected_one() -> None:
    """n = 4000 at (3, 1, 0): the mean over winners, within five standard errors."""
    scores, rate, entropy = (3, 1, 0), Fraction(3, 4), Seeded("mean gap")
    gaps = [exponential(singles(scores), rate, entropy, monotonic=True).gap for _ in range(4000)]
    weights = [math.exp(0.75 * q) for q in scores]
    total = sum(weights)
    means = [w / total * expected_gap(math.log(w / (total - w))) / 0.75 for w in weights]
    assert abs(np.mean(gaps) + 0.5 / 1024 - sum(means)) < 5 * np.std(gaps) / math.sqrt(4000)


LEVELS = (0.01, 0.05, 0.2, 0.5)


def assert_calibrated(found: Sequence[float], n: int, *, tight: bool) -> None:
    """P(p <= alpha) is at most alpha, within five standard errors; about alpha if `tight`."""
    for alpha in LEVELS:
        share, error = sum(p <= alpha for p in found) / n, 5 * math.sqrt(alpha / n)
        assert share <= alpha + error
        if tight:
            assert share >= alpha - error - 0.01 * alpha


@pytest.mark.parametrize("scores", [(5, 5, 5, 5, 5), (3, 5, 5, 5)])
def test_p_values_of_a_winner_that_is_not_the_best(scores: Sequence[int]) -> None:
    """n = 4000: none of these is above all others; where all are tied it is exact."""
    entropy, vector, n = Seeded("flip p", scores), plain(scores), 4000
    releases = [permute_and_flip_with_gap(vector, Fraction(1), entropy, monotonic=True) for _ in range(n)]
    assert_calibrated([r.p_value for r in releases], n, tight=len(set(scores)) == 1)


TABLES = {
    "all tied": (5,) * 12,
    "pairs": (90, 90, 60, 60, 30, 30, 0, 0),
    "a slope": tuple(range(12, 0, -1)),
    "crowd": (9, *(4,) * 60),
}


def wrong_p_values(name: str, k: int, rate: Fraction, draws: int) -> list[list[float]]:
    """For each rank: the p-values of winners that are not truly above all that come after."""
    scores = TABLES[name]
    entropy, vector = Seeded("p values", name, k), PlainScores(np.array(scores))
    wrong: list[list[float]] = [[] for _ in range(k)]
    for _ in range(draws):
        release = top_k(vector, k, rate * k, entropy)
        found = p_values(release.gaps, rate)
        left = list(range(len(scores)))
        for place, (winner, p) in enumerate(zip(release.candidates, found, strict=True)):
            left.remove(winner)
            if max(scores[i] for i in left) >= scores[winner]:
                wrong[place].append(p)
    return wrong


@pytest.mark.parametrize("name", ["pairs", "a slope", "crowd"])
def test_p_values_are_calibrated_for_each_rank(name: str) -> None:
    """n = 3000 of three winners, by rank: P(p <= alpha) <= alpha for those not truly above the rest."""
    found = wrong_p_values(name, 3, Fraction(1, 20), 3000)
    for of_place in found:
        assert_calibrated(of_place, max(len(of_place), 1), tight=False)
    assert max(map(len, found)) > 1000


def test_p_values_of_tied_winners_are_tight_at_the_first_rank() -> None:
    """n = 4000. The j-th of tied winners must stay below the one before too: p <= alpha in alpha^j cases."""
    rate, alpha = Fraction(1, 20), 0.2
    for place, found in enumerate(wrong_p_values("all tied", 3, rate, 4000)):
        assert_calibrated(found, 4000, tight=place == 0)
        expected = alpha ** (place + 1)
        assert abs(np.mean([p <= alpha for p in found]) - expected) < 5 * math.sqrt(expected / 4000)


def test_p_values_use_whole_gaps() -> None:
    assert p_values((), Fraction(1)) == ()
    assert_close(p_values((0.5, 7.5, 2.5), Fraction(1, 3)), [1.0, math.exp(-7 / 3), math.exp(-2 / 3)])


# Zero noise, and errors


def test_without_noise_the_gap_is_the_true_one() -> None:
    for scores in ([7, 3, 5], [-4, 2**40, 0]):
        release = permute_and_flip_with_gap(plain(scores), Fraction(20), Quiet(), monotonic=True)
        first, second = sorted(scores)[-1:-3:-1]
        assert release.candidate == scores.index(first)
        assert abs(release.gap - (first - second)) <= 1 / 1024


@pytest.mark.parametrize("count", [0, 1])
def test_two_candidates_are_needed_before_any_draw(count: int) -> None:
    with pytest.raises(ParameterError, match="A selection needs at least 2"):
        permute_and_flip_with_gap(
            PlainScores(np.zeros(count, dtype=np.int64)), Fraction(1), Scripted(), monotonic=True
        )
