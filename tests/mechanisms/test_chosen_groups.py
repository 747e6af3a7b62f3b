"""Counts with a private number of groups per unit: what one unit moves, the law, and lower ends."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np
import pytest

from dpduck.kernel.accounting.composition import cost_of
from dpduck.kernel.accounting.events import ChosenGroupCounts, Histogram
from dpduck.kernel.errors import ParameterError
from dpduck.kernel.mechanisms import chosen_groups
from dpduck.kernel.mechanisms.additive import half_width
from dpduck.kernel.mechanisms.chosen_groups import LeveledCounts, group_ladder, noisy_bounded_counts
from dpduck.kernel.noise import SystemEntropy
from tests.noise.laws import assert_frequencies
from tests.oracles import in_few_groups
from tests.oracles.in_few_groups import Units
from tests.oracles.privacy import ratio
from tests.sources import HALF, Quiet, Seeded

GROUPS = 5
LADDER = group_ladder(GROUPS)
P = Fraction(19, 20)
EPSILON = 160 * Fraction(-math.log(P)).limit_denominator(10**9)


def tables(number: int, rows: int = 3) -> Iterator[Units]:
    """Random tables of up to 6 units in up to 5 groups, each with its groups in an order of its own."""
    source = np.random.default_rng(number)
    for _ in range(number):
        sizes = source.integers(0, GROUPS + 1, size=source.integers(0, 7))
        yield [
            {int(group): int(source.integers(1, rows + 1)) for group in source.permutation(GROUPS)[:size]}
            for size in sizes
        ]


def of_code(units: Units, ladder: tuple[int, ...] = LADDER) -> LeveledCounts:
    """The scores as the SQL adds them up, a row for each unit and group."""
    rows = [
        (group, int(np.searchsorted(ladder, place)), number, place - 1 in ladder)
        for own in units
        for place, (group, number) in enumerate(own.items(), start=1)
    ]
    return LeveledCounts(GROUPS, *np.array(rows, dtype=np.int64).reshape(-1, 4).T)


def check_moves() -> None:
    """One unit moves each tail count by 0 or 1, and m counts by r, all in one direction."""
    for units in tables(300):
        scores = of_code(units)
        above = scores.units_above(len(LADDER) - 1).tolist()
        assert above == [in_few_groups.tail(units, most) for most in LADDER[:-1]]
        for level, most in enumerate(LADDER):
            counts = scores.counts(level).tolist()
            assert counts == [in_few_groups.count(units, group, most) for group in range(GROUPS)]
            for gone in range(len(units)):
                others = of_code([*units[:gone], *units[gone + 1 :]])
                falls = [a - b for a, b in zip(counts, others.counts(level).tolist(), strict=True)]
                assert all(0 <= fall <= 3 for fall in falls)
                assert sum(fall > 0 for fall in falls) <= most
                tails = others.units_above(len(LADDER) - 1).tolist()
                assert all(0 <= a - b <= 1 for a, b in zip(above, tails, strict=True))


def test_one_unit_moves_tails_by_one_and_as_many_counts_as_are_chosen() -> None:
    check_moves()


def test_an_order_by_how_large_groups_are_moves_more() -> None:
    """What looks like it and is not: units that keep their largest groups, which other units decide."""

    def counts(units: list[set[int]], most: int) -> list[int]:
        sizes = Counter(group for own in units for group in own)
        kept = [sorted(own, key=lambda group: (-sizes[group], group))[:most] for own in units]
        return [sum(group in own for own in kept) for group in range(3)]

    units = [{0, 1}, {0, 1}, {1}]
    before, after = counts(units[:2], 1), counts(units, 1)
    assert sum(abs(a - b) for a, b in zip(before, after, strict=True)) > 1


@pytest.mark.parametrize("enough", [(0, 0), (1, 2), (3, 3)])
def test_the_law_is_private(enough: tuple[int, int]) -> None:
    """All tables of up to 2 units that are in 1 to 4 groups, and each that a further unit may be in."""

    def law(units: Units) -> dict[tuple[int, int], Fraction]:
        tails = [in_few_groups.tail(units, most) for most in (1, 2)]
        counts = [in_few_groups.count(units, 0, most) for most in (1, 2, 4)]
        return in_few_groups.law(tails, counts, enough, Fraction(1, 2), reach=6, width=3)

    own = [dict.fromkeys(range(first, last), 1) for first, last in ((0, 1), (0, 2), (0, 4), (1, 3), (1, 4))]
    found: Fraction | float = Fraction(1)
    for size in range(3):
        for units in itertools.combinations_with_replacement(own, size):
            here = law(units)
            for further in own:
                there = law([*units, further])
                found = max(found, *(ratio(here[key], there[key]) for key in here.keys() & there.keys()))
    assert found <= 2**160 * (1 + Fraction(1, 10**6))
    assert found > 2**140


def check_law(rows: int = 1) -> None:
    """6,000 draws of the level and the noise, against the exact law."""
    units = [dict.fromkeys(range(size), rows) for size in (1, 1, 2, 3, 4, 4)]
    tails = [in_few_groups.tail(units, most) for most in (1, 2)]
    counts = [in_few_groups.count(units, 0, most) for most in (1, 2, 4)]
    scores, real = of_code(units, (1, 2, 4)), chosen_groups._units_missed
    chosen_groups._units_missed = lambda _, most: most
    try:
        entropy = Seeded("chosen groups", rows)
        made = [noisy_bounded_counts(scores, (1, 2, 4), EPSILON, entropy, rows=rows) for _ in range(6_000)]
    finally:
        chosen_groups._units_missed = real
    assert all(one.event == ChosenGroupCounts(EPSILON) for one in made)
    law = Counter[tuple[int, int]]()
    exact = in_few_groups.law(tails, counts, (1, 2), float(P), rows)  # type: ignore[arg-type]
    for (level, number), chance in exact.items():
        law[_near(level, number, counts)] += chance  # type: ignore[assignment]
    found = Counter(_near(one.most.bit_length() - 1, int(one.counts[0]), counts) for one in made)
    assert_frequencies(found, {key: float(chance) for key, chance in law.items()})


def check_law_of_rows() -> None:
    check_law(3)


def _near(level: int, number: int, counts: list[int]) -> tuple[int, int]:
    return level, max(-4, min(number - counts[level], 4))


@pytest.mark.slow
@pytest.mark.parametrize("check", [check_law, check_law_of_rows], ids=lambda check: check.__name__)
def test_the_release_has_its_law(check: Callable[[], None]) -> None:
    check()


def check_price() -> None:
    """What may be missed: 8 / epsilon_1 units, or what noise has at that m, if that is more."""
    one = Fraction(1)
    assert chosen_groups._units_missed(one, 1) == 80
    assert chosen_groups._units_missed(one, 64) == 100  # sqrt(2) 64 / 0.9
    assert chosen_groups._units_missed(one / 10, 64) == 1005
    assert chosen_groups.count_rate(one, 8, 5) == Fraction(9, 400)


def test_what_may_be_missed_is_public() -> None:
    check_price()


def test_without_noise_it_stops_where_few_units_are_above() -> None:
    """Of 300 units in 1 group, 200 in 2, 90 in 4 and 60 in 5: 80 may be missed at epsilon 1."""
    units: list[dict[int, int]] = []
    for size, number in ((1, 300), (2, 200), (4, 90), (5, 60)):
        units += [dict.fromkeys(range(size), 1)] * number
    made = noisy_bounded_counts(of_code(units), LADDER, Fraction(1), Quiet(HALF))
    assert made.most == 4
    assert made.counts.tolist() == [650, 350, 150, 150, 0]
    assert made.half_width == half_width(Fraction(9, 40))


def test_where_units_are_in_all_groups_all_count() -> None:
    units = [dict.fromkeys(range(GROUPS), 1)] * 1_000
    made = noisy_bounded_counts(of_code(units), LADDER, Fraction(1), Quiet(HALF))
    assert (made.most, made.counts.tolist()) == (GROUPS, [1_000] * GROUPS)


@pytest.mark.parametrize("number", [0, 3, 500])
def test_the_lower_end_holds_whatever_the_data(number: int) -> None:
    """In 2000 runs: at least 95 % of them, less six standard deviations of such a share."""
    units = [dict.fromkeys(range(1 + place % GROUPS), 1) for place in range(number)]
    scores, entropy = of_code(units), SystemEntropy()
    made = (noisy_bounded_counts(scores, LADDER, Fraction(1, 2), entropy) for _ in range(2000))
    held = sum(int(one.counts[0]) - one.half_width <= number for one in made)
    assert held >= 2000 * 0.95 - 6 * math.sqrt(2000 * 0.05 * 0.95)


def test_a_ladder_is_public_powers_of_two() -> None:
    for most in range(1, 70):
        ladder = group_ladder(most)
        assert ladder == tuple(sorted(set(ladder)))
        assert (ladder[0], ladder[-1]) == (1, most)
    for ladder, rows in (((), 1), ((1, 3), 1), ((2,), 1), ((1, 2), 0)):
        with pytest.raises(ParameterError):
            noisy_bounded_counts(of_code([], (1,)), ladder, Fraction(1), Quiet(HALF), rows=rows)


def test_it_costs_a_tenth_and_the_rest_in_rho() -> None:
    one = Fraction(1)
    cost = cost_of(ChosenGroupCounts(one))
    assert cost.epsilon == one
    parts = [cost_of(Histogram(share)) for share in (one / 10, 9 * one / 10)]
    assert cost.rho == parts[0].rho + parts[1].rho
    assert cost.mu_squared == parts[0].mu_squared + parts[1].mu_squared
