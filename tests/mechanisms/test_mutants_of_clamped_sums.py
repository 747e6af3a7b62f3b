"""Mistakes in sums with a private clamp that their tests catch: one for each step of the proof."""

from __future__ import annotations

from dpduck.kernel.mechanisms import clamp_noise, clamped_sums
from tests.mechanisms import test_clamped_sums as tests
from tests.mechanisms.mutation import Mutant, pair_of_tests

MUTANTS = [
    Mutant(
        "the clamp is read off the data", clamped_sums.walk, "_split(epsilon), entropy",
        "_split(epsilon * 1000), entropy", tests.check_law,
    ),
    Mutant(
        "the walk spends epsilon twice", clamped_sums._split, "(1 - _PART) * epsilon", "epsilon",
        tests.check_law,
    ),
    Mutant(
        "the sums spend twice their epsilon", clamp_noise.LaplaceOfClamp.rate, "self.epsilon /",
        "2 * self.epsilon /", tests.check_law,
    ),
    Mutant(
        "noise of one tick", clamp_noise.LaplaceOfClamp.rate, "(self.groups * clamp)", "self.groups",
        tests.check_law,
    ),
    Mutant(
        "noise of one group", clamp_noise.LaplaceOfClamp.rate, "(self.groups * clamp)", "clamp",
        tests.check_groups,
    ),
    Mutant(
        "Gaussian noise of one group", clamp_noise.GaussianOfClamp.variances, "groups=self.groups",
        "groups=1", tests.check_gaussian,
    ),
    Mutant(
        "Gaussian noise of one tick", clamp_noise.GaussianOfClamp.variances, "bound=clamp", "bound=1",
        tests.check_gaussian,
    ),
    Mutant(
        "a tail count is asked twice for the price of once", clamped_sums.walk,
        "return steps if first is None else first",
        "again = first_above([Runs.of(-totals.tails(steps), None)], -above, _split(epsilon), entropy)\n"
        "    return min(steps if one is None else one for one in (first, again))", tests.check_law,
    ),
    Mutant(
        "the tails of all groups are added up", clamped_sums.Totals.tails, "above.max(initial=0)",
        "above.sum()", tests.check_moves,
    ),
    Mutant(
        "a tail is that of one level", clamped_sums.Totals.tails, "rows = order",
        "above[:] = 0; rows = order", tests.check_moves,
    ),
    Mutant(
        "the walk knows nothing of groups", clamped_sums.units_above, "noise.square", "2",
        tests.check_units_above,
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


test_each_mistake_is_caught, test_each_check_passes = pair_of_tests(MUTANTS, 2)
