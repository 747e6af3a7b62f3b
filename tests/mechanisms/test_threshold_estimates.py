"""Estimates of counts above a threshold: intervals that hold for what was selected, exactly and in scans."""

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

from dpduck.kernel.mechanisms.accuracy import log_tail_of_difference
from dpduck.kernel.mechanisms.sparse_vector import EpsilonSplit, above_threshold, divide
from dpduck.kernel.mechanisms.threshold_estimates import Intervals, Level, combine, measured, selected
from tests.mechanisms.checks import count_variance, rational, smallest_half_width
from tests.noise.balls import ball, precise
from tests.oracles import passed as oracle
from tests.oracles.above import Factor, sum_over_integers
from tests.sources import Seeded

ONE = Fraction(1)


# The tail


@pytest.mark.parametrize("x", [Fraction(1, 2), Fraction(9, 10)])
@pytest.mark.parametrize(("own", "other"), [(1, 1), (1, 2), (2, 1), (1, 5), (3, 2)])
def test_the_log_tail_of_a_difference_is_exact(own: int, other: int, x: Fraction) -> None:
    """P(X - Y >= m) as a rational sum, for bases that are powers of x; to 1e-9, and 1e-5 for equal ones."""
    rate = -math.log(x)
    for m in (-40, -3, -1, 0, 1, 2, 17, 300):
        exact = sum_over_integers([Factor(other, "pmf", 0), Factor(own, "least", -m)], x)
        found = log_tail_of_difference(m, own * rate, other * rate)
        close = 1e-5 * max(1.0, abs(m) * rate) if own == other else 1e-9
        assert math.isclose(found, math.log(exact), rel_tol=1e-9, abs_tol=close)
        # Lower tails too: what is missing to 1 is the upper tail of the mirrored difference.
        mirrored = log_tail_of_difference(1 - m, own * rate, other * rate)
        assert math.isclose(math.exp(found) + math.exp(mirrored), 1, rel_tol=1e-9)


@pytest.mark.parametrize(
    ("own", "other"), [(Fraction(1, 1000), Fraction(1, 300)), (Fraction(2), Fraction(1, 50))]
)
def test_far_tails_are_exact_where_their_mass_is_no_double(own: Fraction, other: Fraction) -> None:
    """By partial fractions in balls, down to e^-40000."""
    for m in (1, 40, 10_000, 2_000_000):
        with precise():
            p, r = (-ball(own)).exp(), (-ball(other)).exp()
            # P(D >= m) = sum over d >= m of A p^d + B r^d, matched at d = 0 and by the convolution's poles.
            scale = ((1 - p) * (1 - r)) ** 2 / ((p - r) * (1 - p * r))
            tail = scale * (p ** (m + 1) / ((1 - p) * (1 - p * p)) - r ** (m + 1) / ((1 - r) * (1 - r * r)))
            exact = float(tail.log())
        assert math.isclose(log_tail_of_difference(m, float(own), float(other)), exact, rel_tol=1e-9)


def test_the_tail_is_certain_far_below_and_symmetric() -> None:
    assert log_tail_of_difference(-(10**6), 1.0, 2.0) == 0.0
    for one, other in ((0.3, 0.7), (0.7, 0.3), (1.0, 1.0)):
        half = math.exp(log_tail_of_difference(0, one, other)) + math.exp(
            log_tail_of_difference(1, one, other)
        )
        assert math.isclose(half, 1, rel_tol=1e-6)
        assert math.isclose(
            log_tail_of_difference(9, one, other), log_tail_of_difference(9, other, one), rel_tol=1e-6
        )


# Intervals, exactly: for a count that passed one test


BUDGETS = {
    "epsilon 1": divide(ONE, 5, adaptive=True),
    "small noise": divide(Fraction(8), 5, adaptive=True),
    "hardly any noise": divide(Fraction(60), 1, adaptive=True),
    "a noisier threshold": EpsilonSplit(1, Fraction(1, 20), Fraction(1, 3), adaptive=True),
}


def passing(budget: EpsilonSplit, kind: str) -> tuple[oracle.Passing, Fraction]:
    """The law of a test: alone, the first of two, or the second after the first was failed."""
    clear = kind == "clear"
    rate = budget.rate(clear=clear)
    before = (float(budget.unit), budget.margin) if kind == "near" else None
    cut = budget.margin if clear else 0
    return oracle.Passing(cut, float(rate), float(budget.threshold), before), rate


def coverage(name: str, kind: str, places: int) -> list[tuple[float, float, float]]:
    """For counts from far below to far above: P(held), P(too far below), P(too far above), given passing."""
    budget = BUDGETS[name]
    law, rate = passing(budget, kind)
    reach = int(15 / float(min(rate, budget.threshold))) + 3
    most = int(4 * reach)
    levels = [Level(law.cut + g, law.cut, rate) for g in range(most + 1)]
    found = selected(levels, 0, budget.threshold)
    lows, highs = np.array(found.lows), np.array(found.highs)
    result = []
    for u in np.unique(np.linspace(-reach, 2 * reach + law.cut, places).round().astype(int)).tolist():
        mass = law.law(u, most)
        result.append(
            tuple(float((mass * c).sum()) for c in ((lows <= u) & (u <= highs), u < lows, u > highs))
        )
    return result  # type: ignore[return-value]


@pytest.mark.parametrize("kind", ["alone", "clear"])
@pytest.mark.parametrize("name", BUDGETS)
def test_given_that_it_passed_an_interval_holds_for_every_count(name: str, kind: str) -> None:
    """At least 95 %, at most 2.5 % on either side, whatever the count: exactly."""
    found = coverage(name, kind, 25)
    for held, below, above in found:
        assert held >= 0.95 - 1e-9
        assert max(below, above) <= 0.025 + 1e-9
    # Where noise is large against whole numbers, no wider than that: the upper end alone, or both.
    if name == "epsilon 1":
        assert max(held for held, _, _ in found) < 0.98
        assert found[-1][0] < 0.96


def test_failing_the_first_test_matters_little() -> None:
    """A near answer's law is tilted by the noise that both tests share: within a point of 95 %."""
    found = coverage("epsilon 1", "near", 25)
    assert all(held >= 0.94 for held, _, _ in found)
    assert min(held for held, _, _ in found) < 0.95


def ends_by_definition(law: oracle.Passing, gap: int, us: Sequence[int]) -> list[tuple[float, float]]:
    """For each u: P(gap or more | passed) and P(gap or less | passed)."""
    result = []
    for u in us:
        mass = law.law(u, gap - law.cut + 1)
        result.append((float(mass[gap - law.cut :].sum()), float(mass[: gap - law.cut + 1].sum())))
    return result


@pytest.mark.parametrize("kind", ["alone", "clear"])
@pytest.mark.parametrize("excess", [0, 7, 24, 26, 60, 200])
def test_the_ends_are_where_the_quotient_says(excess: int, kind: str) -> None:
    """Just inside both conditional tails are above 2.5 %, two steps beyond an end one of them is not."""
    budget = BUDGETS["epsilon 1"]
    law, rate = passing(budget, kind)
    gap = law.cut + excess
    found = selected([Level(gap, law.cut, rate)], 100, budget.threshold)
    (estimate, low, high) = (found.estimates[0], found.lows[0] - 100, found.highs[0] - 100)
    assert estimate == 100 + gap
    assert low <= gap <= high
    inside = [int(high)] + ([int(low)] if math.isfinite(low) else [])
    outside = [int(high) + 2] + ([int(low) - 2] if math.isfinite(low) else [])
    for (up, down), u in zip(ends_by_definition(law, gap, inside), inside, strict=True):
        assert min(up, down) > 0.025 - 1e-9 or u == gap
    for up, down in ends_by_definition(law, gap, outside):
        assert min(up, down) < 0.025
    if not math.isfinite(low):
        assert ends_by_definition(law, gap, [-int(10 / rate)])[0][0] > 0.025


@pytest.mark.parametrize("rate", [Fraction(1, 100), Fraction(1, 7), Fraction(1)])
def test_a_lower_end_is_open_up_to_3_7_noise_scales_above_the_cut(rate: Fraction) -> None:
    """e^(-rate (gap - cut)) = 2.5 %, as far as whole numbers tell."""
    for cut in (0, 12):
        levels = [Level(cut + g, cut, rate) for g in range(int(6 / rate))]
        found = selected(levels, 0, 2 * rate)
        opened = [math.isinf(low) for low in found.lows]
        last = sum(opened)
        assert opened == [True] * last + [False] * (len(opened) - last)
        assert abs(last - math.log(40) / float(rate)) <= 2
        assert all(map(math.isfinite, found.highs))


def test_lemma_5_is_the_limit_far_above_the_cut() -> None:
    """Where passing was no question, the ends are the noise's own points: P(D >= t) = 2.5 %."""
    rate, common = Fraction(1, 10), Fraction(1, 6)
    found = selected([Level(10_000, 0, rate)], 50, common)
    t = next(t for t in range(1000) if math.exp(log_tail_of_difference(t, 0.1, 1 / 6)) <= 0.025)
    assert found.estimates[0] == 10_050
    assert abs(found.estimates[0] - found.lows[0] - t) <= 1
    assert abs(found.highs[0] - found.estimates[0] - t) <= 1


def test_an_interval_moves_with_the_threshold_and_depends_on_the_excess_alone() -> None:
    levels = [Level(40, 0, Fraction(1, 8)), Level(52, 12, Fraction(1, 8)), Level(3, 0, Fraction(1, 2))]
    here, there = (selected(levels, t, Fraction(1, 5)) for t in (0, 1000))
    assert [a + 1000 for a in here.estimates] == list(there.estimates)
    assert [a + 1000 for a in here.lows] == list(there.lows)
    assert [a + 1000 for a in here.highs] == list(there.highs)
    assert here.lows[1] - here.lows[0] == here.highs[1] - here.highs[0] == 12


# Intervals in scans


TABLES = {
    "far above": (np.full(60, 5000), 5000),
    "above": (np.full(60, 120), 5000),
    "a little above": (np.full(60, 80), 5000),
    "at the threshold": (np.full(60, 60), 5000),
    "below": (np.full(300, 30), 5000),
    "one": (np.array([70]), 15_000),
    "long tail": (np.repeat([300, 120, 60, 30, 10, 1], [3, 5, 10, 50, 100, 300]), 3000),
    "long tail, largest last": (np.repeat([1, 10, 30, 60, 120, 300], [300, 100, 50, 10, 5, 3]), 3000),
}


def rates_of(budget: EpsilonSplit) -> oracle.Rates:
    near, clear = (float(budget.rate(clear=c)) for c in (False, budget.adaptive))
    margin = budget.margin if budget.adaptive else 0
    return oracle.Rates(float(budget.threshold), near, clear, margin, budget.k, budget.adaptive)


def intervals_of(
    scan: oracle.Scan, threshold: int, budget: EpsilonSplit
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Estimates, lows and highs of all answers, each kind and gap computed once."""
    keys, places = np.unique(np.stack([scan.clear, scan.gaps]), axis=1, return_inverse=True)
    levels = [
        Level(int(gap), budget.margin if clear else 0, budget.rate(clear=bool(clear)))
        for clear, gap in keys.T
    ]
    found = selected(levels, threshold, budget.threshold)
    return tuple(np.array(ends)[places.ravel()] for ends in (found.estimates, found.lows, found.highs))  # type: ignore[return-value]


def check_scans(name: str, *, adaptive: bool, epsilon: Fraction = ONE, k: int = 5) -> None:
    """10,000 intervals and more: each side misses at most 3.5 %, so that 95 % hold within two points.

    Where a lower end is open there is only the upper side to miss: then up to 97.5 % hold.
    """
    scores, runs = TABLES[name]
    budget = divide(epsilon, k, adaptive=adaptive)
    rng = np.random.default_rng([len(name), adaptive, k])
    scan = oracle.scan(scores, 60, rates_of(budget), runs, rng)
    _, lows, highs = intervals_of(scan, 60, budget)
    true = scores[scan.candidates]
    held = (lows <= true) & (true <= highs)
    assert len(held) > 9000
    assert 0.93 < held.mean() < 0.985
    assert max((true < lows).mean(), (true > highs).mean()) < 0.035
    for clear in (True, False):
        branch = scan.clear == clear
        if branch.sum() > 1000:
            assert held[branch].mean() > 0.93
    if not np.isinf(lows).any():
        assert held.mean() < 0.97


@pytest.mark.parametrize("adaptive", [True, False])
@pytest.mark.parametrize("name", TABLES)
def test_intervals_hold_for_what_was_selected(name: str, *, adaptive: bool) -> None:
    check_scans(name, adaptive=adaptive)


@pytest.mark.parametrize("adaptive", [True, False])
@pytest.mark.parametrize("name", ["a little above", "at the threshold", "long tail"])
def test_intervals_hold_at_a_tenth_of_epsilon(name: str, *, adaptive: bool) -> None:
    check_scans(name, adaptive=adaptive, epsilon=Fraction(1, 10), k=10)


def test_the_scan_of_the_code_says_these_intervals() -> None:
    """Above_threshold's estimates and ends are those of its gaps, tests and rates."""
    scores = np.random.default_rng(1).permutation(np.repeat([300, 120, 60, 30, 1], [3, 5, 10, 50, 300]))
    seen = set()
    for adaptive in (True, False):
        budget = divide(ONE, 5, adaptive=adaptive)
        for run in range(40):
            release = above_threshold(scores, 60, 5, ONE, Seeded("says", adaptive, run), adaptive=adaptive)
            levels = [
                Level(gap, budget.margin if clear else 0, budget.rate(clear=clear))
                for gap, clear in zip(release.gaps, release.clear, strict=True)
            ]
            found = selected(levels, 60, budget.threshold)
            assert release.estimates == tuple(60.0 + gap for gap in release.gaps)
            assert (release.lows, release.highs) == (tuple(found.lows), tuple(found.highs))
            seen |= set(release.clear)
    assert seen == {True, False}


def check_coverage_of_the_code(draws: int = 600) -> None:
    """Some 5000 answers of real releases on a long tail."""
    scores = np.random.default_rng(2).permutation(np.repeat([300, 120, 60, 30, 1], [3, 5, 10, 50, 300]))
    held: list[bool] = []
    entropy = Seeded("coverage of the code")
    for _ in range(draws):
        release = above_threshold(scores, 60, 5, ONE, entropy)
        true = scores[list(release.candidates)]
        held += ((np.array(release.lows) <= true) & (true <= np.array(release.highs))).tolist()
    assert 0.93 < np.mean(held) < 0.985


def test_intervals_hold_in_the_code() -> None:
    check_coverage_of_the_code()


# Measured


def check_combined() -> None:
    """Generalised least squares, kept within the measurement's own interval."""
    budget, rate, threshold = divide(ONE, 3, adaptive=True), Fraction(1, 4), 60
    levels = [
        Level(30, budget.margin, budget.unit),
        Level(5, 0, budget.answer),
        Level(400, budget.margin, budget.unit),
    ]
    counts = [95, 60, 58]
    found = measured(counts, rate, levels, threshold, budget.threshold)
    width = smallest_half_width(rational(rate))
    assert list(found.lows) == [c - width for c in counts]
    assert list(found.highs) == [c + width for c in counts]
    expected = least_squares(
        counts, [threshold + x.gap for x in levels], [x.rate for x in levels], rate, budget
    )
    assert np.allclose(found.estimates, np.clip(expected, found.lows, found.highs), rtol=1e-9)
    assert expected[2] > found.highs[2] == found.estimates[2]


def least_squares(
    counts: Sequence[int],
    levels: Sequence[int],
    rates: Sequence[Fraction],
    rate: Fraction,
    budget: EpsilonSplit,
) -> np.ndarray:
    """From the normal equations; the threshold's noise is common to all levels."""
    first = np.eye(len(counts)) / count_variance(rate)
    second = np.linalg.inv(np.diag([count_variance(r) for r in rates]) + count_variance(budget.threshold))
    return np.linalg.solve(first + second, first @ np.array(counts) + second @ np.array(levels))


def test_measurements_and_gaps_are_combined_within_the_measurements_interval() -> None:
    check_combined()


def test_combining_is_generalised_least_squares() -> None:
    budget, rate = divide(ONE, 3, adaptive=False), Fraction(1, 5)
    counts, levels = [100, 40, -3, 7], [90, 60, 5, 0]
    found = combine(
        counts,
        levels,
        [count_variance(budget.answer)] * 4,
        count_variance(rate),
        count_variance(budget.threshold),
    )
    assert np.allclose(found, least_squares(counts, levels, [budget.answer] * 4, rate, budget))


@pytest.mark.parametrize("name", ["at the threshold", "below", "long tail"])
def test_measured_intervals_hold_whatever_was_selected(name: str) -> None:
    """10,000 answers with a fresh measurement each: within two points of 95 %, the gaps notwithstanding."""
    scores, runs = TABLES[name]
    budget, rate = divide(ONE, 5, adaptive=True), Fraction(1, 10)
    rng = np.random.default_rng([7, len(name)])
    scan = oracle.scan(scores, 60, rates_of(budget), min(runs, 1500), rng)
    true = scores[scan.candidates]
    counts = true + oracle.laplace(float(rate), true.shape, rng)
    held = []
    for run in range(min(runs, 1500)):
        mine = np.nonzero(scan.runs == run)[0]
        levels = [
            Level(
                int(scan.gaps[i]),
                budget.margin if scan.clear[i] else 0,
                budget.rate(clear=bool(scan.clear[i])),
            )
            for i in mine
        ]
        found: Intervals = measured(counts[mine].tolist(), rate, levels, 60, budget.threshold)
        held += [low <= t <= high for low, t, high in zip(found.lows, true[mine], found.highs, strict=True)]
        assert all(a <= b <= c for a, b, c in zip(found.lows, found.estimates, found.highs, strict=True))
    assert abs(np.mean(held) - 0.95) < 0.02


def test_nothing_selected_nothing_estimated() -> None:
    for found in (selected([], 5, ONE), measured([], ONE, [], 5, ONE)):
        assert (list(found.estimates), list(found.lows), list(found.highs)) == ([], [], [])
