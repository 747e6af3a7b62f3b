"""Top-k by sums with a private clamp: the law of the walk and of the ranking, and what one unit moves."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from dpduck.kernel.accounting.composition import cost_of
from dpduck.kernel.accounting.events import ClampChoice, Composed, GumbelTopK, NoisyTopK
from dpduck.kernel.errors import ParameterError
from dpduck.kernel.mechanisms import clamped_sums, clamped_topk
from dpduck.kernel.mechanisms.clamped_sums import Totals
from dpduck.kernel.mechanisms.clamped_topk import WALK, ClampedTopK, clamped_top_k, units_above
from dpduck.kernel.noise import Entropy
from tests.mechanisms.mutation import Mutant, pair_of_tests
from tests.mechanisms.test_clamped_sums import of_code, tables
from tests.noise.laws import assert_frequencies
from tests.oracles import clamped
from tests.sources import Seeded

ONE = Fraction(1)
UNITS = [[4, 1], [4, 0], [3, 1], [1, 4], [0, 4], [0, 2], [2, 2]]
STEPS = 2
P = Fraction(3, 4)
EPSILON = 12 * Fraction(-math.log(P)).limit_denominator(10**9)  # 3 for the walk, 9 for the ranking
DRAWS = 4_000


def made(epsilon: Fraction, entropy: Entropy, spread: int = 1, *, gumbel: bool = False) -> ClampedTopK:
    totals = of_code(UNITS, 2)
    return clamped_top_k(totals, STEPS, 1, epsilon, entropy, spread=spread, gumbel=gumbel)


def law(spread: int) -> dict[tuple[int, int], Fraction]:
    """The probability of each level and winner of two groups.

    With noise of rate r the group that is t behind wins with probability e^(-r t) / 2.
    """
    tails = [clamped.tail(UNITS, 1 << level) for level in range(STEPS)]
    found = {}
    for level, stop in enumerate(clamped.stops(tails, 2, P)):
        first, second = (clamped.sum_of(UNITS, group, 1 << level) for group in range(2))
        behind = math.exp(-float(9 * EPSILON / 12) * abs(first - second) / (spread << level)) / 2
        share = Fraction(1 - behind if first >= second else behind)
        found[level, 0], found[level, 1] = stop * share, stop * (1 - share)
    return found


def check_law(spread: int = 1) -> None:
    """4,000 draws of the level and the winner, against the exact law."""
    real = clamped_topk.units_above
    clamped_topk.units_above = lambda *_: 2
    try:
        entropy = Seeded("ranked", str(spread))
        drawn = [made(EPSILON, entropy, spread) for _ in range(DRAWS)]
    finally:
        clamped_topk.units_above = real
    event = Composed.of(NoisyTopK(EPSILON * 3 / 4, k=1), ClampChoice(EPSILON / 4))
    assert all(one.event == event for one in drawn)
    seen = Counter((one.clamp.bit_length() - 1, one.candidates[0]) for one in drawn)
    assert_frequencies(seen, {key: float(chance) for key, chance in law(spread).items()})


@pytest.mark.parametrize("spread", [1, 2])
def test_the_release_has_its_law(spread: int) -> None:
    check_law(spread)


def test_totals_of_one_sign_move_sums_apart_by_one_clamp_and_others_by_two() -> None:
    apart: dict[bool, Fraction] = {True: Fraction(0), False: Fraction(0)}
    for units in tables(200):
        for signed in (True, False):
            kept = units if signed else [[max(total, 0) for total in totals] for totals in units]
            size = len(kept[0]) if kept else 1
            for level in range(4):
                sums = of_code(kept, size).clamped(level)
                for number in range(len(kept)):
                    fewer = of_code([*kept[:number], *kept[number + 1 :]], size).clamped(level)
                    moves = [0, *(one - other for one, other in zip(sums, fewer, strict=True))]
                    apart[signed] = max(apart[signed], Fraction(max(moves) - min(moves), 1 << level))
    assert apart == {True: 2, False: 1}


def test_the_event_is_the_same_whatever_the_data_is() -> None:
    for totals in (of_code(UNITS, 3), of_code([], 3), of_code([[2**40, -(2**40), 0]], 3)):
        found = clamped_top_k(totals, 66, 2, ONE, Seeded("event"), spread=2)
        assert found.event == Composed.of(NoisyTopK(ONE * 3 / 4, k=2), ClampChoice(ONE / 4))
        assert cost_of(found.event).epsilon == 1
    assert made(ONE, Seeded("rho"), gumbel=True).event == Composed.of(
        GumbelTopK(ONE * 3 / 4, k=1), ClampChoice(ONE / 4)
    )


@pytest.mark.parametrize(("k", "steps", "spread"), [(0, 2, 1), (2, 2, 1), (1, 67, 1), (1, -1, 1), (1, 2, 3)])
def test_bad_input_is_refused_before_a_draw(k: int, steps: int, spread: int) -> None:
    with pytest.raises(ParameterError):
        clamped_top_k(of_code(UNITS, 2), steps, k, ONE, None, spread=spread)  # type: ignore[arg-type]


def right(largest: int, epsilon: Fraction, runs: int = 15) -> float:
    """How many of the ten largest of 1,000 groups are found, of totals that are at most `largest`."""
    source = np.random.default_rng(5)
    sizes = np.array([20_000 * 0.7**rank for rank in range(1_000)]).astype(int)
    rows = [
        (group, clamped.level_of(int(total)), int(total), 1, 1)
        for group, size in enumerate(sizes)
        for total in np.ceil(largest * source.random(size) ** 3)
    ]
    totals = Totals(1_000, *map(list, zip(*rows, strict=True)))
    best = set(np.argsort(-np.array(totals.clamped(40)))[:10].tolist())
    found = 0
    for run in range(runs):
        top = clamped_top_k(totals, 40, 10, epsilon, Seeded("right", str(run)), spread=1)
        found += len(best & set(top.candidates))
    return found / (10 * runs)


def test_how_large_totals_are_makes_no_difference() -> None:
    """The clamp follows them: a declared bound of 10^6 where totals are of 100 would find next to none."""
    assert right(100, ONE) > 0.85
    assert right(10**6, ONE) > 0.85


def test_c_is_the_noise_of_the_ranking() -> None:
    assert units_above(ONE, 100, 2) == math.floor(200 / (1 - WALK))


MUTANTS = [
    Mutant(
        "the walk is free", clamped_topk.clamped_top_k, "epsilon - choice", "epsilon", check_law
    ),
    Mutant(
        "the clamp is read off the data", clamped_sums.walk, "_split(epsilon), entropy",
        "_split(epsilon * 1000), entropy", check_law,
    ),
    Mutant(
        "noise of one tick", clamped_topk.clamped_top_k, "spread=spread << level", "spread=spread", check_law
    ),
    Mutant(
        "the sums that rank are not clamped", clamped_topk.clamped_top_k, "totals.clamped(level)",
        "totals.clamped(steps)", check_law,
    ),
]  # fmt: skip
test_each_mistake_is_caught, test_each_check_passes = pair_of_tests(MUTANTS, 2)
