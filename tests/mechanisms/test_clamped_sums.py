"""Sums with a private clamp: what one unit moves, the law of the walk and of the sums, and the lower end."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest

from dpduck.kernel.accounting.composition import cost_of
from dpduck.kernel.accounting.events import ClampChoice, ClampedSums, GaussianNoise, Histogram
from dpduck.kernel.accounting.gaussian import most_mu_squared
from dpduck.kernel.errors import ParameterError
from dpduck.kernel.mechanisms import clamped_sums
from dpduck.kernel.mechanisms.additive import half_width
from dpduck.kernel.mechanisms.clamp_noise import ClampNoise, GaussianOfClamp, LaplaceOfClamp
from dpduck.kernel.mechanisms.clamped_sums import (
    NoisyClampedSums,
    Totals,
    can_clamp,
    noisy_clamped_sums,
    steps_to,
    units_above,
)
from dpduck.kernel.noise import Entropy, SystemEntropy
from tests.depth import depth
from tests.noise.laws import assert_frequencies
from tests.oracles import clamped
from tests.oracles.clamped import Units
from tests.oracles.privacy import ratio
from tests.sources import HALF, Quiet, Scripted, Seeded

STEPS = 4
WALKS = depth(20_000, 8_000)
P = Fraction(3, 4)
EPSILON = 24 * Fraction(-math.log(P)).limit_denominator(10**9)


def tables(number: int) -> Iterator[Units]:
    """Random tables of up to 5 units in up to 3 groups, with totals of both signs."""
    source = np.random.default_rng(number)
    for _ in range(number):
        units, groups = source.integers(0, 6), source.integers(1, 4)
        yield source.integers(-(2**STEPS), 2**STEPS + 1, size=(units, groups)).tolist()


def released(
    totals: Totals, steps: int, epsilon: Fraction, entropy: Entropy, *, groups: int
) -> NoisyClampedSums:
    """With Laplace noise, of half of epsilon."""
    return noisy_clamped_sums(totals, steps, epsilon / 2, LaplaceOfClamp(epsilon / 2, groups), entropy)


def of_code(units: Units, size: int) -> Totals:
    """The totals of units, a row for each: rows of one group and level need not be one."""
    rows = [
        (group, clamped.level_of(total), total, (total > 0) - (total < 0), 1)
        for totals in units
        for group, total in enumerate(totals)
    ]
    return Totals(size, *map(list, zip(*rows, strict=True))) if rows else Totals(size, [], [], [], [], [])


def tail_of_code(units: Units, level: int) -> int:
    found = of_code(units, len(units[0]) if units else 1).tails(STEPS + 1).tolist()
    return int(found[level])


def check_moves() -> None:
    """One unit moves each tail count by 0 or 1, and the sums of its m groups by m tau in all."""
    for units, level in itertools.product(tables(200), range(STEPS + 1)):
        size = len(units[0]) if units else 1
        sums = of_code(units, size).clamped(level)
        assert sums == [clamped.sum_of(units, group, 2**level) for group in range(size)]
        assert tail_of_code(units, level) == clamped.tail(units, 2**level)
        for gone, own in enumerate(units):
            others = [*units[:gone], *units[gone + 1 :]]
            assert 0 <= tail_of_code(units, level) - tail_of_code(others, level) <= 1
            pairs = zip(sums, of_code(others, size).clamped(level), strict=True)
            moved = sum(abs(one - other) for one, other in pairs)
            assert moved <= sum(total != 0 for total in own) << level


def test_one_unit_moves_tails_by_one_and_sums_by_the_clamp() -> None:
    check_moves()


def laws(units: Units, above: int) -> dict[tuple[int, int], Fraction]:
    tails = [clamped.tail(units, 2**level) for level in range(2)]
    sums = [clamped.sum_of(units, 0, 2**level) for level in range(3)]
    return clamped.law(tails, sums, above, Fraction(1, 2), reach=12)


def worst_ratio(units: Units, above: int) -> Fraction | float:
    found: Fraction | float = Fraction(1)
    here = laws(units, above)
    for total in (-4, -3, -1, 0, 1, 2, 4):
        there = laws([*units, [total]], above)
        found = max(found, *(ratio(here[output], there[output]) for output in here.keys() & there.keys()))
    return found


@pytest.mark.parametrize("above", [0, 1, 3])
def test_the_law_is_private(above: int) -> None:
    """All tables of up to 3 totals, every total that a further unit may have: at most 24 steps of epsilon."""
    found = max(
        worst_ratio([[total] for total in totals], above)
        for size in range(4)
        for totals in itertools.combinations_with_replacement((-4, 0, 1, 2, 4), size)
    )
    assert found <= 2**24 * (1 + Fraction(1, 10**6))
    assert found > 2**17


def worst_of_two(groups: int) -> Fraction:
    """Of tables of up to 2 units in two groups, and every further unit."""
    rows = [list(row) for row in itertools.product((-2, 0, 1, 2), repeat=2)]
    tables = [list(some) for size in range(3) for some in itertools.combinations_with_replacement(rows, size)]
    return max(
        clamped.worst_of_groups(units, [*units, row], 1, Fraction(1, 2), groups)
        for units in tables
        for row in rows
    )


def test_the_law_is_private_for_all_groups_of_a_unit() -> None:
    """And would not be with the noise of one group, for a unit that is in two."""
    bound = 2**24 * (1 + Fraction(1, 10**6))
    assert 2**15 < worst_of_two(2) <= bound
    assert worst_of_two(1) > bound


def test_a_count_of_pairs_moves_by_more_than_one() -> None:
    """What looks like it, and is not 1-sensitive: pairs of a unit and a group whose total is above."""
    units = [[4, 4, 0], [1, 0, 0]]
    assert clamped.tail(units, 2) - clamped.tail(units[1:], 2) == 1
    assert sum(abs(total) > 2 for totals in units for total in totals) == 2


def check_law() -> None:
    """6,000 draws of the level and the noise, against the exact law."""
    units, real = [[1], [1], [2], [3], [4], [-4]], clamped_sums.units_above
    tails = [clamped.tail(units, 2**level) for level in range(2)]
    sums = [clamped.sum_of(units, 0, 2**level) for level in range(3)]
    totals = of_code(units, 1)
    clamped_sums.units_above = lambda *_: 2
    try:
        entropy = Seeded("clamped")
        made = [released(totals, 2, EPSILON, entropy, groups=1) for _ in range(6_000)]
    finally:
        clamped_sums.units_above = real
    assert all(one.event == ClampedSums(EPSILON) for one in made)
    law = Counter[tuple[int, int]]()
    for (level, number), chance in clamped.law(tails, sums, 2, P).items():
        law[_near(level, number, sums)] += chance  # type: ignore[assignment]
    found = Counter(_near(one.clamp.bit_length() - 1, one.sums[0], sums) for one in made)
    assert_frequencies(found, {key: float(chance) for key, chance in law.items()})


def _near(level: int, number: int, sums: list[int]) -> tuple[int, int]:
    return level, max(-4, min(number - sums[level], 4))


def test_the_release_has_its_law() -> None:
    check_law()


def one_group(sums: list[int], numbers: list[int]) -> Totals:
    """Of one group, sums and numbers of totals that are not negative at each level."""
    return Totals(1, [0] * len(sums), range(len(sums)), sums, numbers, numbers)


def check_groups() -> None:
    """Noise is that of the clamp and of all groups of a unit."""
    totals = Totals(3, [0, 1, 2], [1, 1, 1], [40, 40, 40], [20, 20, 20], [20, 20, 20])
    made = released(totals, 1, Fraction(1), Quiet(HALF), groups=3)
    assert made.sums == (40, 40, 40)
    assert made.clamp == 2
    assert made.half_width == half_width(Fraction(1, 12))
    assert made.event == ClampedSums(Fraction(1), groups=3)


def test_noise_is_that_of_all_groups_of_a_unit() -> None:
    check_groups()


def check_gaussian() -> None:
    """The variance of 4,000 groups' noise is that of the clamp and of 4 groups of a unit, within 6 errors."""
    size, noise = 4_000, GaussianOfClamp(Fraction(1, 4), 4)
    rows = range(size)
    totals = Totals(size, rows, [3] * size, [1600] * size, [200] * size, [200] * size)
    made = noisy_clamped_sums(totals, 9, Fraction(1, 2), noise, Seeded("gaussian"))
    assert made.clamp == 8
    assert made.event == ClampChoice(Fraction(1, 2))
    spread = np.var(np.array(made.sums, dtype=float) - 1600) / (4 * 8**2 / 0.25)
    assert abs(spread - 1) < 6 * math.sqrt(2 / size)
    assert made.half_width == math.ceil(1.959964 * math.sqrt(4 * 8**2 / 0.25) - 0.5)


def test_gaussian_noise_is_that_of_the_root_of_groups() -> None:
    check_gaussian()


def check_units_above() -> None:
    """c is what noise takes away from a group for each tick of the clamp, and enough to end the walk."""
    half = Fraction(1, 2)
    for groups in (1, 4, 30, 300):
        laplace, gaussian = LaplaceOfClamp(half, groups), GaussianOfClamp(Fraction(1, 100), groups)
        for noise, deviation in ((laplace, math.sqrt(2) * groups / 0.5), (gaussian, 10 * math.sqrt(groups))):
            assert units_above(half, noise) == max(16, math.floor(deviation))


def test_more_units_are_above_where_noise_is_more() -> None:
    check_units_above()


@pytest.mark.parametrize(("epsilon", "clamp"), [("1", 2**8), ("10", 2**10), ("0.05", 1)])
def test_without_noise_the_walk_stops_where_few_units_are_above(epsilon: str, clamp: int) -> None:
    """100 units, of which level j has ever fewer: 16 are left above the clamp at epsilon 1, 1 at 10."""
    units = [0, 10, 10, 10, 10, 10, 10, 10, 14, 11, 4, 1]
    made = released(one_group([0] * 12, units), 11, Fraction(epsilon), Quiet(HALF), groups=1)
    assert made.clamp == clamp
    half = Fraction(epsilon) / 2
    assert sum(units[clamp.bit_length() :]) <= units_above(half, LaplaceOfClamp(half, 1))


def test_the_group_with_most_units_above_decides() -> None:
    """Not how many units are above in some group: 100 are, 10 in each of 10 groups."""
    rows = [(group, level) for group in range(10) for level in (2, 6)]
    numbers = [{2: 50, 6: 10}[level] for _, level in rows]
    totals = Totals(10, *map(list, zip(*rows, strict=True)), [0] * 20, [0] * 20, numbers)  # type: ignore[misc]
    assert released(totals, 9, Fraction(1), Quiet(HALF), groups=1).clamp == 4
    one = Totals(10, [3] * 20, totals.levels, totals.sums, totals.signs, numbers)
    assert released(one, 9, Fraction(1), Quiet(HALF), groups=1).clamp == 64


def test_the_walk_ends_at_the_ceiling() -> None:
    """Also if it is below the data, whose totals the score SQL clamps, and if it is one tick."""
    for steps in (0, 5, 66):
        totals = one_group([0] * steps + [1000 << steps], [0] * steps + [1000])
        made = released(totals, steps, Fraction(1), Quiet(HALF), groups=1)
        assert made.clamp == 1 << steps
        assert made.sums[0] == pytest.approx(1000 << steps, rel=0.05)


def test_of_nothing_it_is_noise_of_one_tick() -> None:
    """No unit, no group, and groups without a unit."""
    for size in (0, 1, 4):
        made = released(of_code([], size), 66, Fraction(1), Quiet(HALF), groups=2)
        assert (made.clamp, made.sums) == (1, (0,) * size)


def test_it_fails_before_any_draw() -> None:
    half = Fraction(1, 2)
    cases = [(2, LaplaceOfClamp(half, 0)), (-1, LaplaceOfClamp(half, 1)), (67, LaplaceOfClamp(half, 1))]
    cases += [(2, LaplaceOfClamp(Fraction(1), 1))]
    for steps, noise in cases:
        with pytest.raises(ParameterError):
            noisy_clamped_sums(of_code([], 1), steps, half, noise, Scripted())


def test_what_noise_can_be_drawn() -> None:
    half, least = Fraction(1, 2), Fraction(1, 2**60)
    for noise in (LaplaceOfClamp(half, 1), GaussianOfClamp(half, 1)):
        assert can_clamp(half, noise)
        assert not can_clamp(least, noise)
    assert not can_clamp(half, GaussianOfClamp(Fraction(1, 2**900), 1))
    assert not can_clamp(half, LaplaceOfClamp(half, 2**1000))


def runs(values: np.ndarray, epsilon: str, noise: ClampNoise, number: int) -> tuple[list[float], float]:
    """The answers of some runs over non-negative totals, and the share of lower ends that hold."""
    steps = steps_to(2**30)
    level = np.ceil(np.log2(np.maximum(values, 1))).astype(int)
    units = np.bincount(level, minlength=steps + 1).tolist()
    sums = np.bincount(level, weights=values, minlength=steps + 1).astype(int).tolist()
    entropy, totals = SystemEntropy(), one_group(sums, units)
    made = [noisy_clamped_sums(totals, steps, Fraction(epsilon) / 2, noise, entropy) for _ in range(number)]
    truth = int(values.sum())
    held = sum(one.sums[0] - one.half_width <= truth for one in made) / number
    return [one.sums[0] / truth for one in made], held


NOISES = (
    LaplaceOfClamp(Fraction(1, 2), 1),
    GaussianOfClamp(most_mu_squared(Fraction(1, 2), Fraction(1, 10**6)), 1),
)


@pytest.mark.nightly
@pytest.mark.parametrize("noise", NOISES, ids=["Laplace", "Gaussian"])
@pytest.mark.parametrize("shape", ["lognormal", "one each", "one unit has all", "few"])
def test_lower_ends_hold_and_no_answer_is_far_above(shape: str, noise: ClampNoise) -> None:
    """2000 runs: beyond 1.5 times the truth in fewer than 0.5 % of them, where there are units enough."""
    values = {
        "lognormal": np.ceil(np.exp(np.random.default_rng(21).normal(5, 1.5, 10_000))),
        "one each": np.ones(1000),
        "one unit has all": np.array([2.0**29] + [0.0] * 999),
        "few": np.full(5, 1000.0),
    }[shape].astype(np.int64)
    answers, held = runs(values, "1", noise, 2000)
    assert held >= 0.975 - 6 * math.sqrt(0.025 * 0.975 / 2000)
    if shape in ("lognormal", "one each"):
        assert sum(answer > 1.5 for answer in answers) < 10
        assert abs(float(np.median(answers)) - 1) < 0.05


def test_the_walk_hardly_ever_passes_the_data() -> None:
    """Thousands of runs over totals that are all 1: at 2^5 or more in 0.3 % at most (even parts: 0.5 %)."""
    half, totals = Fraction(1, 2), one_group([1000], [1000])
    entropy, noise = Seeded("past"), LaplaceOfClamp(half, 1)
    made = [noisy_clamped_sums(totals, 20, half, noise, entropy).clamp for _ in range(WALKS)]
    assert sum(clamp >= 2**5 for clamp in made) < 0.003 * WALKS


def test_it_costs_two_halves_in_rho_wherever_it_stops() -> None:
    """And of many groups the half for noise costs less, as independent parts do."""
    one = Fraction(1)
    for groups in (1, 16):
        cost = cost_of(ClampedSums(one, groups=groups))
        assert cost.epsilon == one
        parts = [cost_of(Histogram(one / 2)), cost_of(Histogram(one / 2, groups=groups))]
        assert cost.rho == sum(part.rho for part in parts)
        assert cost.mu_squared == sum(part.mu_squared for part in parts)
    assert cost_of(ClampChoice(one / 2)).rho == cost_of(Histogram(one / 2)).rho
    normal = GaussianNoise(one / 2, Fraction(1, 10**6), most_mu_squared(one / 2, Fraction(1, 10**6)))
    assert cost_of(normal).rho < cost_of(Histogram(one / 2)).rho
