"""Multiples of usual numbers as ends of intervals: cells, scores, sensitivity, law, coverage."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from dpduck.kernel.catalog.ranges import make_range
from dpduck.kernel.catalog.types import parse_type
from dpduck.kernel.mechanisms.quantile import Sample, ValueCounts, quantile
from dpduck.kernel.mechanisms.quantile_intervals import PARTS, End, EndScores, IntervalKind
from dpduck.kernel.mechanisms.roundings import Rounding
from dpduck.kernel.plan.roundings import roundings_of
from dpduck.kernel.scores import Member
from tests.depth import depth
from tests.mechanisms.checks import rational
from tests.noise.laws import assert_frequencies
from tests.oracles import quantile_intervals as points_oracle
from tests.oracles import roundings as oracle
from tests.oracles.selection import permute_and_flip_pmf
from tests.sources import Seeded

HALF, MOST, DOUBT = Fraction(1, 2), Fraction(9, 10), Fraction(1, 20)
POINTS = 6
SHAPES = ((0, 2, 1, 0, 2), (-1, 3, 1, 0, 1), (-1, 5, 2, 0, 2), (-3, 5, 1, 1, 1))


def roundings(*, upper: bool, points: int = POINTS) -> tuple[Rounding, ...]:
    """Pairs of points, three from an odd one, two and a half, and two and a half that floats may move."""
    return tuple(
        Rounding(phase, width, parts, points, slack, copies, upper)
        for phase, width, parts, slack, copies in SHAPES
    )


def ends(epsilons: Sequence[int], most: int = 1) -> Iterator[End]:
    for q, upper, epsilon, population in itertools.product(
        (HALF, MOST, Fraction(1, 10)), (False, True), epsilons, (False, True)
    ):
        end = End(q, upper, Fraction(epsilon), most, POINTS, DOUBT, population)
        yield replace(end, roundings=roundings(upper=upper))


def sample_of(weights: Sequence[int]) -> Sample:
    points = np.flatnonzero(weights)
    return ValueCounts(points, np.array(weights, dtype=np.int64)[points])


def found(end: End, weights: Sequence[int]) -> Counter[tuple[int, int]]:
    """How many candidates stand for each point with each score, as the code has them."""
    groups = end.scores(sample_of(weights)).groups(1, 1e300)
    counted: Counter[tuple[int, int]] = Counter()
    for g, size in enumerate(groups.sizes.tolist()):
        for member in (Member(g, r) for r in range(size)):
            counted[groups.candidates([member])[0], groups.score(member)] += 1
    return counted


def expected(end: End, weights: Sequence[int]) -> list[tuple[int, int, int]]:
    """Each candidate of the definition: the point it stands for, its score, how many times over."""
    total = sum(weights)
    inside = points_oracle.scores(weights, end.unit, end.rank(total), upper=end.upper)
    beyond = range(end.points, 2 * end.points) if end.upper else range(-end.points, 0)
    every = [(x, score, 1) for x, score in enumerate(inside[:-1])] + [(x, inside[-1], 1) for x in beyond]
    rule = end.penalty(total)
    for one in end.roundings:
        listed = enumerate(oracle.scores(weights, one, rule))
        every += [(one.point(cell), score, one.copies) for cell, score in listed]
    return every


TABLES = list(itertools.product(range(2), repeat=POINTS))
HEAVY = [(0, 9, 0, 0, 4, 0), (3, 0, 3, 0, 3, 0), (0, 0, 0, 0, 0, 20), (7, 1, 0, 2, 0, 6), (0, 5, 5, 5, 5, 0)]


def check_scores() -> None:
    """Tables of at most one unit at each point, and heavier ones."""
    for end in ends((2, 30)):
        for weights in [*TABLES[:: depth(1, 3)], *HEAVY]:
            counted: Counter[tuple[int, int]] = Counter()
            for point, score, times in expected(end, weights):
                counted[point, score] += times
            assert found(end, weights) == counted


def check_sensitivity() -> None:
    """A unit with a weight of one or two parts moves no score by more than it may."""
    units = [one for one in itertools.product(range(3), repeat=POINTS) if 0 < sum(one) <= 2]
    for end in ends((2, 30), most=2):
        for weights in [*TABLES[:: depth(1, 7)], *HEAVY]:
            before = [score for _, score, _ in expected(end, weights)]
            for unit in units[:: depth(1, 2)]:
                more = [own + new for own, new in zip(weights, unit, strict=True)]
                after = [score for _, score, _ in expected(end, more)]
                assert max(abs(x - y) for x, y in zip(before, after, strict=True)) <= end.sensitivity


def law_of(end: End, weights: Sequence[int]) -> dict[int, Fraction]:
    """The probability of each point, exactly."""
    every = expected(end, weights)
    alone = [score for _, score, times in every for _ in range(times)]
    step = rational(end.epsilon / (2 * end.sensitivity))
    chances = iter(permute_and_flip_pmf(alone, step))
    pmf = dict.fromkeys(range(end.points), Fraction(0))
    for point, _, times in every:
        pmf[min(max(point, 0), end.points - 1)] += sum((next(chances) for _ in range(times)), Fraction(0))
    return pmf


def check_law() -> None:
    """n = 1000, on a grid of three points with its ends."""
    for weights, upper in itertools.product(((0, 9, 4), (3, 0, 3), (9, 1, 30)), (False, True)):
        ends_too = (Rounding(0, 2, 1, 3, 0, 2, upper),)
        end = End(HALF, upper, Fraction(3), 1, 3, DOUBT, False, ends_too)
        entropy, sample = Seeded("roundings", weights, upper), sample_of(weights)
        observed = Counter(end.select(sample, entropy) for _ in range(1000))
        assert_frequencies(observed, law_of(end, weights))


def test_scores_are_those_of_the_definition() -> None:
    check_scores()


def test_one_unit_moves_no_score_by_more_than_the_sensitivity() -> None:
    check_sensitivity()


def test_ends_follow_the_law() -> None:
    check_law()


def check_cells() -> None:
    """Cells divide the grid, and a multiple never lies inside the values it stands for, but for slack.

    So an end is on the right side whichever rounding is chosen.
    """
    for points, wide, parts, slack, upper in itertools.product(
        (2, 5, 40), (1, 7, 40), (1, 2, 3), (0, 1), (False, True)
    ):
        width = max(wide, 16 * slack * parts, 2 * parts)
        for phase in range(0, -width, -1 - width // 9):
            one = Rounding(phase, width, parts, points, slack, 1, upper)
            offsets = np.arange(points)
            cells = one.cells(offsets)
            assert set(np.diff(cells).tolist()) <= {0, 1}
            assert cells[0] >= 0
            assert one.count == cells[-1] + 1
            released = np.array([one.point(int(cell)) for cell in cells])
            assert ((released >= offsets - slack) if upper else (released <= offsets + slack)).all()
            assert set(np.flatnonzero(one.has(offsets))) == {x for x in offsets if oracle.is_multiple(x, one)}


def test_a_multiple_never_lies_inside_the_values_it_stands_for() -> None:
    check_cells()


# How often they cover


def even(chance: np.random.Generator, n: int) -> NDArray[np.float64]:
    return chance.normal(80, 20, n)


def covered(
    kind: str, low: float, high: float, step: float, n: int, epsilon: int, *, rounded: bool = True
) -> tuple[float, float]:
    """How often an interval holds the median of normal values that are rounded, and its median width."""
    sql_type = parse_type(kind)
    grid = make_range(sql_type, *map(float if kind == "DOUBLE" else int, (low, high)))
    places = roundings_of(grid, sql_type) if rounded else ((), ())
    lower, upper = IntervalKind().ends(HALF, Fraction(epsilon), 1, grid.size, places)
    chance, entropy = np.random.default_rng(68), Seeded("rounded", kind, step, n, epsilon)
    held, widths, runs = 0, [], depth(2000, 200)
    for _ in range(runs):
        values = np.clip(even(chance, n), low, high)
        values = np.sort(np.round(values / step) * step if step else values)
        offsets = np.floor((values - low) / float(grid.step)).astype(np.int64)
        sample = ValueCounts(*np.unique(offsets, return_counts=True))
        ends = [one.select(sample, entropy) for one in (lower, upper)]
        ends.append(quantile(sample, grid.size, HALF, Fraction(epsilon, PARTS), entropy).offset)
        first, last = (float(grid.value(end)) for end in (min(ends[0], ends[2]), max(ends[1], ends[2])))
        held += first <= values[n // 2] + 1e-9 and last >= values[n // 2 - 1] - 1e-9
        widths.append(last - first)
    return held / runs, float(np.median(widths))


CASES = [("DOUBLE", 20, 200, step) for step in (0.1, 1, 5)] + [("INTEGER", 0, 20_000, 10)]


@pytest.mark.nightly
@pytest.mark.parametrize(("kind", "low", "high", "step"), CASES)
@pytest.mark.parametrize("n", [300, 1000, 10_000])
def test_medians_of_rounded_values_are_covered(
    kind: str, low: float, high: float, step: float, n: int
) -> None:
    """200 runs: 95 % less four standard deviations."""
    held, _ = covered(kind, low, high, step, n, 1)
    assert held > 0.89


@pytest.mark.parametrize("step", [1, 5])
def test_without_multiples_they_are_not(step: float) -> None:
    held, _ = covered("DOUBLE", 20, 200, step, 10_000, 1, rounded=False)
    assert held < 0.2


@pytest.mark.parametrize("n", [100, 1000])
def test_intervals_of_other_values_are_as_wide_as_without(n: int) -> None:
    """And cover as often."""
    held, wide = covered("DOUBLE", 20, 200, 0, n, 1)
    _, alone = covered("DOUBLE", 20, 200, 0, n, 1, rounded=False)
    assert held > 0.89
    assert wide < 1.25 * alone


def test_very_large_noise_has_no_multiples() -> None:
    """Areas of windows would not fit 64 bits."""
    end = End(HALF, False, Fraction(1, 10**9), 1, POINTS, DOUBT, False, roundings(upper=False))
    assert isinstance(end.scores(sample_of([1] * POINTS)), EndScores)
