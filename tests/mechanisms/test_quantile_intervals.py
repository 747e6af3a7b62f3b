"""Ends of intervals of quantiles: sensitivity and laws by enumeration, odd tables, how often they cover."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from dpduck.kernel.accounting.composition import cost_of
from dpduck.kernel.accounting.events import PermuteAndFlip, QuantileInterval
from dpduck.kernel.mechanisms.quantile import Sample, ValueCounts, Values, quantile
from dpduck.kernel.mechanisms.quantile_intervals import PARTS, End, EndScores, IntervalKind
from dpduck.kernel.scores import Member
from tests.mechanisms.checks import rational
from tests.noise.laws import assert_frequencies
from tests.oracles.quantile_intervals import law, scores
from tests.sources import Quiet, Seeded

HALF, TENTH, MOST = Fraction(1, 2), Fraction(1, 10), Fraction(9, 10)
QUANTILES = (HALF, Fraction(1, 4), TENTH, MOST, Fraction(999, 1000))
DOUBT = Fraction(1, 20)


def ends(
    qs: Sequence[Fraction] = QUANTILES,
    epsilons: Sequence[Fraction] = (Fraction(1, 3), Fraction(8)),
    most: int = 1,
) -> Iterator[End]:
    """Lower and upper ends of both kinds, on a grid of 3 points."""
    kinds = itertools.product(qs, (False, True), epsilons, (False, True))
    for q, upper, epsilon, population in kinds:
        yield End(q, upper, epsilon, most, 3, DOUBT, population)


def sample_of(weights: Sequence[int]) -> Sample:
    points = np.flatnonzero(weights)
    return ValueCounts(points, np.array(weights, dtype=np.int64)[points])


def scores_of(end: End, weights: Sequence[int]) -> list[int]:
    """The scores of the points of a grid and of one beyond it, as the code has them."""
    groups = EndScores(sample_of(weights), end).groups(1, 1e300)
    found: dict[int, int] = {}
    for g, size in enumerate(groups.sizes.tolist()):
        for r in range(size):
            [offset] = groups.candidates([Member(g, r)])
            assert offset not in found
            found[offset] = groups.score(Member(g, r))
    points = len(weights)
    beyond = range(points, 2 * points) if end.upper else range(-points, 0)
    assert sorted(found) == sorted([*range(points), *beyond])
    assert len({found[x] for x in beyond}) == 1
    return [*(found[x] for x in range(points)), found[beyond[0]]]


# Privacy


def check_margins() -> None:
    """One unit, of any weight that it may have, raises a margin by D at most and lowers it by D' at most."""
    for most, count in ((1, 1500), (3, 900), (70, 3000)):
        for end in ends(most=most):
            margins = [end.margin(weight) for weight in range(count)]
            for weight in {1, 2, most - 1, most} & set(range(1, most + 1)):
                moved = [after - before for before, after in zip(margins, margins[weight:], strict=False)]
                assert min(moved) >= -end.fall
                assert max(moved) <= end.rise


def check_sensitivity() -> None:
    """All small tables, to which a unit adds a weight of at most 2 in all ways."""
    divided = [parts for parts in itertools.product(range(3), repeat=3) if 0 < sum(parts) <= 2]
    for end in ends(most=2):
        assert end.sensitivity < (max(end.share, end.unit - end.share) + end.unit / 4) * 2
        for weights, parts in itertools.product(itertools.product(range(3), repeat=3), divided):
            both = weights, [one + more for one, more in zip(weights, parts, strict=True)]
            before, after = (scores_of(end, each) for each in both)
            assert max(abs(x - y) for x, y in zip(before, after, strict=True)) <= end.sensitivity


def check_privacy() -> None:
    """No probability of a point changes by more than epsilon, which is 2 S steps of the noise."""
    step = Fraction(19, 20)
    for end in (one for one in ends((HALF, MOST)) if not one.population or one.q == HALF):
        worst = Fraction(1)
        for weights in itertools.product(range(3), repeat=3):
            here = law(scores_of(end, weights), step, upper=end.upper)
            for x in range(3):
                more = [own + (x == y) for y, own in enumerate(weights)]
                there = law(scores_of(end, more), step, upper=end.upper)
                worst = max(worst, *(max(a / b, b / a) for a, b in zip(here, there, strict=True)))
        assert worst <= step ** (-2 * end.sensitivity)


def test_one_unit_moves_a_margin_as_little_as_it_says() -> None:
    check_margins()


def test_one_unit_moves_no_score_by_more_than_the_sensitivity() -> None:
    check_sensitivity()


def test_one_unit_changes_no_probability_by_more_than_epsilon() -> None:
    check_privacy()


def test_a_constant_margin_moves_no_score() -> None:
    """For the table the sensitivity is that of the quantile, but at the end that is far from the others."""
    for q in (HALF, MOST):
        end = End(q, True, Fraction(1), 1, 100, DOUBT, False)
        assert Fraction(end.sensitivity, end.unit) == max(q, 1 - q)
    far = End(MOST, False, Fraction(1), 1, 100, DOUBT, False)
    assert MOST < Fraction(far.sensitivity, far.unit) <= MOST + Fraction(1, 16)


def test_it_costs_as_much_as_three_selections() -> None:
    one = cost_of(PermuteAndFlip(Fraction(1, 3), groups=2))
    assert cost_of(QuantileInterval(Fraction(1), groups=2)) == one * 3
    lower, upper = IntervalKind().ends(HALF, Fraction(1), 1, 3)
    assert lower.epsilon + upper.epsilon == Fraction(2, PARTS)


# The law


def check_scores() -> None:
    """Those of the definition, also where the wanted rank is beyond all values, and of no values."""
    for end in ends():
        for weights in itertools.product(range(3), repeat=3):
            total = sum(weights)
            margin = end.margin(total) if end.upper else -end.margin(total)
            rank = end.share * total + margin
            assert scores_of(end, weights) == scores(weights, end.unit, rank, upper=end.upper)


def test_scores_are_those_of_the_definition() -> None:
    check_scores()


def check_law() -> None:
    """n = 2000, of tables of which the wanted rank is among the values, and beyond them."""
    for weights, upper in itertools.product(((0, 0, 0), (2, 9, 30), (40, 40, 40)), (False, True)):
        for q, population in ((HALF, False), (MOST, True)):
            end = End(q, upper, Fraction(2), 1, 3, DOUBT, population)
            entropy, sample = Seeded("ends", weights, upper, population), sample_of(weights)
            observed = Counter(end.select(sample, entropy) for _ in range(2000))
            step = rational(end.epsilon / (2 * end.sensitivity))
            exact = law(scores_of(end, weights), step, upper=upper)
            assert_frequencies(observed, dict(enumerate(exact)))


@pytest.mark.nightly
def test_ends_follow_the_law() -> None:
    check_law()


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.integers(0, 199), max_size=60),
    st.sampled_from(QUANTILES),
    st.booleans(),
    st.booleans(),
    st.integers(0, 99),
)
def test_ends_are_points_of_the_grid(
    values: list[int], q: Fraction, upper: bool, population: bool, seed: int
) -> None:
    end = End(q, upper, HALF, 1, 200, DOUBT, population)
    sample = Values(np.array(values, dtype=np.int64), 200)
    assert 0 <= end.select(sample, Seeded(seed)) < 200


@settings(deadline=None)
@given(st.integers(0, 5000), st.sampled_from(QUANTILES), st.booleans())
def test_what_is_read_holds_what_is_selected(count: int, q: Fraction, upper: bool) -> None:
    """The ranks that a second pass reads are those that scores within reach need."""
    end = End(q, upper, HALF, 1, 10**6, DOUBT, population=True)
    first, last = end.ranks_near(count)
    assert first * end.unit <= end.rank(count) <= (last + 1) * end.unit


# Odd tables


@pytest.mark.parametrize("q", QUANTILES, ids=str)
@pytest.mark.parametrize("population", [False, True])
def test_of_an_empty_table_both_ends_are_those_of_the_grid(q: Fraction, *, population: bool) -> None:
    """A point of the grid wins against as many beyond it with 1 in 11, or 1 in 21 for a population."""
    points, entropy = 10**6, Seeded("empty", q, population)
    for end in IntervalKind(population).ends(q, Fraction(1), 1, points):
        found = [end.select(sample_of([0] * 3), entropy) for _ in range(200)]
        others = sum(offset != (points - 1 if end.upper else 0) for offset in found)
        assert others < (20 if population else 36)  # of 200: more than four standard deviations above


def test_of_one_value_all_ends_are_that_value() -> None:
    for end in IntervalKind().ends(HALF, Fraction(1), 1, 100):
        assert end.select(Values(np.full(1000, 7), 100), Quiet()) == 7


def test_a_grid_of_one_point_and_a_very_large_one() -> None:
    for points in (1, 2**62 - 2):
        for end in IntervalKind(population=True).ends(MOST, Fraction(1), 1, points):
            assert 0 <= end.select(sample_of([0] * 1), Seeded("odd")) < points


# How often they cover


def lognormal(chance: np.random.Generator, n: int) -> NDArray[np.int64]:
    return np.clip(np.exp(chance.normal(9, 1, n)), 0, 2**20 - 1).astype(np.int64)


def uniform(chance: np.random.Generator, n: int) -> NDArray[np.int64]:
    return chance.integers(0, 2**20, n)


def coarse(chance: np.random.Generator, n: int) -> NDArray[np.int64]:
    """On 1,000 of the points, so that many values are equal."""
    return (np.floor(chance.beta(2, 5, n) * 1000)).astype(np.int64)


Draw = Callable[[np.random.Generator, int], NDArray[np.int64]]
GRIDS: dict[Draw, int] = {lognormal: 2**20, uniform: 2**20, coarse: 1000}


@dataclass(frozen=True)
class Coverage:
    """How often either end alone is on its side of the quantile, and the released interval around it."""

    lower: float
    upper: float
    interval: float


def sides(
    values: NDArray[np.int64], points: Sequence[int], q: Fraction, truth: float | None
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which points are not above the quantile, and which not below. `truth`: None for that of the values."""
    if truth is not None:
        return np.array(points) <= truth, np.array(points) >= truth
    rank = float(q) * len(values)
    return np.searchsorted(values, points, "left") <= rank, np.searchsorted(values, points, "right") >= rank


def covered(draw: Draw, q: Fraction, n: int, epsilon: Fraction, *, population: bool, runs: int) -> Coverage:
    """The truth of a population is that of 10^6 draws."""
    chance, entropy = np.random.default_rng(54), Seeded("cover", draw.__name__, q, n, epsilon, population)
    truth = float(np.quantile(draw(np.random.default_rng(1), 10**6), float(q)))
    lower, upper = IntervalKind(population).ends(q, epsilon, 1, GRIDS[draw])
    held = np.zeros(3)
    for _ in range(runs):
        values = np.sort(draw(chance, n))
        sample = ValueCounts(*np.unique(values, return_counts=True))
        ends = [end.select(sample, entropy) for end in (lower, upper)]
        ends.append(quantile(sample, GRIDS[draw], q, epsilon / PARTS, entropy).offset)
        below, above = sides(values, ends, q, truth if population else None)
        held += below[0], above[1], (below[0] or below[2]) and (above[1] or above[2])
    return Coverage(*(held / runs))


@pytest.mark.nightly
@pytest.mark.parametrize("population", [False, True])
@pytest.mark.parametrize("draw", GRIDS, ids=lambda draw: draw.__name__)
@pytest.mark.parametrize(("q", "n", "epsilon"), [(HALF, 100, 1), (HALF, 1000, 1), (MOST, 2000, 1)], ids=str)
def test_each_end_misses_about_as_often_as_it_says(
    draw: Draw, q: Fraction, n: int, epsilon: int, *, population: bool
) -> None:
    """400 runs, each end 5 %, or 2.5 % for a population, and both 5 %: less five standard deviations."""
    found = covered(draw, q, n, Fraction(epsilon), population=population, runs=400)
    assert min(found.lower, found.upper) > (0.936 if population else 0.895)
    assert found.interval > 0.895


def test_the_test_of_coverage_tells_a_margin_of_half_the_size() -> None:
    """Then each end misses with a chance of 1 in 6."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(End, "margin", lambda end, _: end._noise // 2)
        found = covered(uniform, HALF, 1000, Fraction(1), population=False, runs=400)
    assert min(found.lower, found.upper) < 0.895
    assert found.interval < 0.895


def test_values_far_apart_above_the_quantile_do_not_draw_the_lower_end() -> None:
    """200 units on a grid of 10^9 points: 99.9 % of it is above all values, and the tenth of them above q."""
    chance, entropy = np.random.default_rng(5), Seeded("tail")
    lower, _ = IntervalKind().ends(MOST, Fraction(1), 1, 10**9)
    values = np.sort(chance.integers(0, 10**6, 200))
    sample = ValueCounts(*np.unique(values, return_counts=True))
    found = [lower.select(sample, entropy) for _ in range(200)]
    assert sum(low > values[180] for low in found) < 20
    unguarded = End(MOST, False, lower.epsilon, 1, 1, DOUBT, False)  # as if the grid had one point
    assert unguarded.margin(200) < lower.margin(200)


def test_the_margin_for_a_population_is_above_that_of_noise_with_a_normal_law() -> None:
    """Their sum exceeds it with at most 2.5 %: 200,000 draws, and four standard deviations."""
    chance, draws = np.random.default_rng(3), 200_000
    for n in (100, 1000, 100_000):
        end = End(HALF, True, Fraction(1, 3), 1, 2**20, DOUBT, population=True)
        scale = 2 * end.sensitivity / float(end.epsilon) / end.unit
        sampled = chance.normal(0, (n / 4) ** 0.5, draws) + chance.laplace(0, scale, draws)
        beyond = float(np.mean(sampled > end.margin(n) / end.unit))
        assert 0.01 < beyond < 0.025 + 4 * (0.025 * 0.975 / draws) ** 0.5
    assert NormalDist().inv_cdf(0.975) == pytest.approx(1.96, abs=1e-3)
