"""Distinct values: what one unit moves, the law of the choice and of the counts, and the sure lower end."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

import numpy as np
import pytest

from dpduck.kernel.accounting.composition import cost_of
from dpduck.kernel.accounting.events import DistinctCounts, Histogram
from dpduck.kernel.errors import ParameterError
from dpduck.kernel.mechanisms import claims, distinct_values
from dpduck.kernel.mechanisms.claims import Pairs, claimed_by_level, claimed_in_rounds
from dpduck.kernel.mechanisms.distinct_values import ladder, noisy_distinct, one_sided_width
from dpduck.kernel.noise import SystemEntropy
from tests.noise.laws import assert_frequencies
from tests.oracles import distinct
from tests.oracles.distinct import Units
from tests.oracles.noise import discrete_laplace_cdf
from tests.sources import HALF, Quiet, Seeded

LEVELS = (1, 2, 3, 4)
Function = Callable[[Units, int], int]


def tables(number: int, units: int, values: int) -> Iterator[Units]:
    """Random tables, each unit with its values in an order of its own."""
    source = np.random.default_rng([number, units, values])
    for _ in range(number):
        own = source.integers(0, values + 1, size=int(source.integers(0, units + 1)))
        yield [source.permutation(values)[:size].tolist() for size in own]


def of_code(units: Units, level: int) -> int:
    """The greedy function as the code computes it."""
    pairs = [(unit, value) for unit, values in enumerate(units) for value in values]
    turns, values = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    return int(claimed_in_rounds(turns, values, level).sum())


def worst_moves(function: Function, number: int = 400) -> dict[int, tuple[int, int]]:
    """The least and the largest change that any one unit makes, by level."""
    found: dict[int, tuple[int, int]] = dict.fromkeys(LEVELS, (0, 0))
    for units in tables(number, 6, 7):
        for gone in range(len(units)):
            others = [*units[:gone], *units[gone + 1 :]]
            for level in LEVELS:
                move = function(units, level) - function(others, level)
                least, most = found[level]
                found[level] = min(least, move), max(most, move)
    return found


def check_moves(function: Function) -> None:
    for level, (least, most) in worst_moves(function).items():
        assert least >= 0
        assert most <= level


@pytest.mark.parametrize("function", [distinct.ranked, distinct.greedy, of_code], ids=lambda f: f.__name__)
def test_one_unit_moves_a_count_by_no_more_than_the_level(function: Function) -> None:
    check_moves(function)
    assert all(most == level for level, (_, most) in worst_moves(function).items())


@pytest.mark.parametrize("function", [distinct.owned, distinct.rarest_first], ids=lambda f: f.__name__)
def test_what_looks_like_it_but_depends_on_others_is_caught(function: Function) -> None:
    with pytest.raises(AssertionError):
        check_moves(function)


@pytest.mark.parametrize("few", [0, 2, 64])
def test_claims_are_those_of_turns_taken_one_by_one(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims, "_FEW", few)
    for units in (*tables(300, 8, 8), *tables(4, 300, 200)):
        assert [of_code(units, level) for level in (1, 3)] == [
            distinct.greedy(units, level) for level in (1, 3)
        ]


def test_claims_of_nothing() -> None:
    nothing = np.zeros(0, dtype=np.int64)
    assert claimed_in_rounds(nothing, nothing, 4).tolist() == [0, 0, 0, 0]


def grouped(source: np.random.Generator, groups: int, units: int) -> list[Units]:
    """The values of each unit in each group, by an order of the unit's own; it may have none."""
    return [
        [source.permutation(6)[: int(source.integers(0, 7))].tolist() for _ in range(units)]
        for _ in range(groups)
    ]


def by_level(tables: list[Units], keep: Sequence[int], source: np.random.Generator) -> list[list[int]]:
    """F(l) of each group by the code, of the units that are kept: rows, names and places in any order."""
    rows = [
        (group, 3 * unit + 7, place, 2**60 - 5 * value)
        for group, units in enumerate(tables)
        for unit, values in enumerate(units)
        if unit in keep
        for place, value in enumerate(values)
    ]
    shuffled = [rows[place] for place in source.permutation(len(rows))]
    pairs = Pairs(*np.array(shuffled, dtype=np.int64).reshape(-1, 4).T)
    return claimed_by_level(pairs, len(tables), LEVELS).tolist()


def check_groups() -> None:
    """Each group is claimed apart, and one unit moves none by more than the level."""
    source = np.random.default_rng(5)
    for _ in range(150):
        made = grouped(source, 3, 5)
        everyone = by_level(made, range(5), source)
        assert everyone == [[distinct.greedy(units, level) for level in LEVELS] for units in made]
        for gone in range(5):
            others = by_level(made, [unit for unit in range(5) if unit != gone], source)
            for before, after in zip(everyone, others, strict=True):
                falls = [a - b for a, b in zip(before, after, strict=True)]
                assert all(0 <= fall <= level for fall, level in zip(falls, LEVELS, strict=True))


def test_groups_are_claimed_apart() -> None:
    check_groups()


def test_claims_in_no_group() -> None:
    nothing = np.zeros(0, dtype=np.int64)
    assert claimed_by_level(Pairs(*[nothing] * 4), 2, (1, 2)).tolist() == [[0, 0], [0, 0]]
    assert claimed_by_level(Pairs(*[nothing] * 4), 0, (1, 2)).shape == (0, 2)


def check_scores() -> None:
    """Each is the definition's, in parts; and one unit moves none by more than 1."""
    levels = (1, 2, 4, 5)
    unit, kappa = 16 * 8, 24
    for units in tables(60, 5, 9):
        for function in (distinct.ranked, distinct.greedy):
            scores = _scores(units, levels, function, kappa)
            for level, score in zip(levels, scores, strict=True):
                whole = distinct.score_moves(units, level, Fraction(kappa, 16), levels, function)
                assert score == whole * unit
            for gone in range(len(units)):
                others = _scores([*units[:gone], *units[gone + 1 :]], levels, function, kappa)
                assert max(abs(a - b) for a, b in zip(scores, others, strict=True)) <= unit


def _scores(units: Units, levels: tuple[int, ...], function: Function, kappa: int) -> list[int]:
    totals = np.array([function(units, level) for level in levels])
    return distinct_values._scores(totals, levels, kappa).tolist()


def test_scores_are_exact_and_one_unit_moves_them_by_one() -> None:
    check_scores()


def test_scores_do_not_overflow() -> None:
    levels = ladder(1024)
    for totals in (np.full(11, 2**62), np.linspace(0, 2**62, 11).astype(np.int64), np.zeros(11, np.int64)):
        for kappa in (1, distinct_values._CEILING >> 6):
            scores = distinct_values._scores(totals, levels, kappa)
            assert np.abs(scores).max() < 2**62
            assert (
                not noisy_distinct(totals[None, :] // 4, levels, Fraction(1), Quiet(HALF), groups=1).below < 0
            )


def test_what_it_costs_to_choose_is_public_and_grows_with_groups() -> None:
    one = distinct_values._kappa(LEVELS, Fraction(1), 1, 1)
    assert one == math.ceil(16 * 2 * (math.log(10) + 2 * math.log(8)))
    assert distinct_values._kappa(LEVELS, Fraction(1), 1, 3) == pytest.approx(3 * one, rel=0.01)
    assert distinct_values._kappa(LEVELS, Fraction(1, 10**9), 10**7, 10**7) == distinct_values._CEILING >> 6


def check_law(groups: int = 1) -> None:
    """n = 6,000 draws of the level and the number, of two levels, against the exact law."""
    totals, p, levels = (6, 9), Fraction(3, 4), (1, 2)
    epsilon = 8 * groups * Fraction(-math.log(p)).limit_denominator(10**9)
    kappa = 2
    real, distinct_values._kappa = distinct_values._kappa, lambda *_: 16 * kappa
    try:
        counts, entropy = np.array([totals]), Seeded("distinct", groups)
        made = [noisy_distinct(counts, levels, epsilon, entropy, groups=groups) for _ in range(6_000)]
    finally:
        distinct_values._kappa = real
    assert all(one.event == DistinctCounts(epsilon) for one in made)
    assert_frequencies(
        Counter(_near(one.most, int(one.counts[0]), totals) for one in made),
        _merged(distinct.law(totals, kappa, p), totals),
    )


def _near(level: int, number: int, totals: tuple[int, int]) -> tuple[int, int]:
    """The level and the noise, at most 4 in size: few outcomes, of which the draws can tell much."""
    return level, max(-4, min(number - totals[level - 1], 4))


def _merged(law: dict[tuple[int, int], Fraction], totals: tuple[int, int]) -> dict[tuple[int, int], float]:
    found: Counter[tuple[int, int]] = Counter()
    for (level, number), chance in law.items():
        found[_near(level, number, totals)] += chance  # type: ignore[assignment]
    return {key: float(chance) for key, chance in found.items()}


def check_law_of_groups() -> None:
    check_law(3)


@pytest.mark.parametrize("check", [check_law, check_law_of_groups], ids=lambda check: check.__name__)
def test_the_release_has_its_law(check: Callable[[], None]) -> None:
    check()


def test_without_noise_it_is_the_count_of_the_best_level() -> None:
    """Kappa is about 17 at epsilon 1: more is gained up to 4 values of a unit, and less after that."""
    counts = np.array([[1000, 1100, 1300, 1310, 1312]])
    made = noisy_distinct(counts, ladder(16), Fraction(1), Quiet(HALF), groups=1)
    assert (made.counts.tolist(), made.most) == ([1300], 4)
    assert made.below == one_sided_width(Fraction(1, 8))


def test_one_level_is_for_all_groups() -> None:
    counts = np.array([[1000, 2000], [50, 50], [0, 0]])
    made = noisy_distinct(counts, ladder(2), Fraction(1), Quiet(HALF), groups=2)
    assert (made.counts.tolist(), made.most) == ([2000, 50, 0], 2)


@pytest.mark.parametrize("rate", [Fraction(1, 40), Fraction(1, 3), Fraction(2), Fraction(9)])
def test_the_lower_end_is_the_nearest_sure_one(rate: Fraction) -> None:
    p, width = Fraction(math.exp(-rate)).limit_denominator(10**9), one_sided_width(rate)
    assert 1 - discrete_laplace_cdf(width, p) <= Fraction(5, 100) + Fraction(1, 10**6)
    assert width == 0 or 1 - discrete_laplace_cdf(width - 1, p) > Fraction(5, 100) - Fraction(1, 10**6)


@pytest.mark.parametrize("epsilon", ["0.1", "1"])
@pytest.mark.parametrize("shape", ["few", "many", "one unit"])
def test_the_lower_end_holds_whatever_the_data(shape: str, epsilon: str) -> None:
    """In 2000 runs: at least 95 % of them, less six standard deviations of such a share."""
    totals = {
        "few": [3] * 11,
        "many": [15_748, 26_414, 39_492, 51_779, 61_401, 67_357, 70_477, 71_881, 72_300, 72_390, 72_400],
        "one unit": [2**step for step in range(11)],
    }[shape]
    entropy, counts = SystemEntropy(), np.array([totals])
    made = (noisy_distinct(counts, ladder(1024), Fraction(epsilon), entropy, groups=1) for _ in range(2000))
    held = sum(int(one.counts[0]) - one.below <= totals[-1] for one in made)
    assert held >= 2000 * 0.95 - 6 * math.sqrt(2000 * 0.05 * 0.95)


def test_a_ladder_is_public_powers_of_two() -> None:
    for most in range(1, 70):
        levels = ladder(most)
        assert levels == tuple(sorted(set(levels)))
        assert levels[0] == 1
        assert levels[-1] == most
        assert all(level <= 2**place for place, level in enumerate(levels))
    for most in (0, 1025):
        with pytest.raises(ParameterError):
            ladder(most)


def test_it_costs_two_halves_in_rho() -> None:
    one = Fraction(1)
    assert cost_of(DistinctCounts(one)).epsilon == one
    assert cost_of(DistinctCounts(one)).rho == 2 * cost_of(Histogram(one / 2)).rho
