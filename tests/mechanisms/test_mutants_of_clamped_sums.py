"""Mistakes in sums with a private clamp that their tests catch: one for each step of the proof."""

from __future__ import annotations

from dpduck.mechanisms import clamped_sums
from tests.mechanisms import test_clamped_sums as tests
from tests.mechanisms.mutation import Mutant, pair_of_tests

MUTANTS = [
    Mutant(
        "the clamp is read off the data", clamped_sums._walk,
        "_units_above(epsilon), epsilon, entropy",
        "_units_above(epsilon), epsilon * 1000, entropy",
        tests.check_law,
    ),
    Mutant(
        "all of epsilon is spent twice", clamped_sums.noisy_clamped_sums, "epsilon / 2, entropy",
        "epsilon, entropy", tests.check_law,
    ),
    Mutant(
        "the sums spend all of epsilon", clamped_sums.sum_rate, "epsilon / 2 /", "epsilon /", tests.check_law
    ),
    Mutant(
        "noise of one tick", clamped_sums.sum_rate, "(groups << level)", "groups", tests.check_law
    ),
    Mutant(
        "noise of one group", clamped_sums.sum_rate, "(groups << level)", "(1 << level)", tests.check_groups
    ),
    Mutant(
        "a tail count is asked twice for the price of once", clamped_sums._walk,
        "return len(tails) if first is None else first",
        "again = first_above(-tails, -_units_above(epsilon), epsilon, entropy)\n"
        "    return min(len(tails) if one is None else one for one in (first, again))", tests.check_law,
    ),
    Mutant(
        "totals above the clamp count in full", clamped_sums.Totals.clamped, "total if level <= most else",
        "total if level < 99 else", tests.check_moves,
    ),
    Mutant(
        "negative totals are not clamped", clamped_sums.Totals.clamped, "sign << most", "abs(sign) << most",
        tests.check_moves,
    ),
]  # fmt: skip


test_each_mistake_is_caught, test_each_check_passes = pair_of_tests(MUTANTS)
