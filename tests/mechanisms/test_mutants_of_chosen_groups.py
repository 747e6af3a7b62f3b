"""Mistakes in counts with a private number of groups that tests catch: one for each step of the proof."""

from __future__ import annotations

from dpduck.kernel.mechanisms import chosen_groups
from tests.mechanisms import test_chosen_groups as tests
from tests.mechanisms.mutation import Mutant, pair_of_tests

MUTANTS = [
    Mutant(
        "the number is read off the data", chosen_groups._walk, "CHOOSING * epsilon, entropy",
        "1000 * epsilon, entropy", tests.check_law,
    ),
    Mutant(
        "the walk spends all of epsilon", chosen_groups._walk, "CHOOSING * epsilon, entropy",
        "epsilon, entropy", tests.check_law,
    ),
    Mutant(
        "a tail count is asked twice for the price of once", chosen_groups._walk,
        "return len(above) if first is None else first",
        "again = _first(enough - above, CHOOSING * epsilon, entropy)\n"
        "    return min(len(above) if one is None else one for one in (first, again))", tests.check_law,
    ),
    Mutant(
        "the counts spend all of epsilon", chosen_groups.count_rate, "(1 - CHOOSING) * epsilon", "epsilon",
        tests.check_price,
    ),
    Mutant(
        "noise of one group", chosen_groups.count_rate, "(most * rows)", "rows", tests.check_law,
    ),
    Mutant(
        "noise of one row", chosen_groups.count_rate, "(most * rows)", "most", tests.check_law_of_rows,
    ),
    Mutant(
        "groups above the number count", chosen_groups.LeveledCounts.counts, "self.levels <= level",
        "self.levels <= level + 1", tests.check_moves,
    ),
    Mutant(
        "groups are in the tail, not units", chosen_groups.LeveledCounts.units_above, "self.firsts",
        "self.numbers", tests.check_moves,
    ),
    Mutant(
        "what may be missed has no noise", chosen_groups._units_missed, "floor(deviation)", "floor(0)",
        tests.check_price,
    ),
]  # fmt: skip


test_each_mistake_is_caught, test_each_check_passes = pair_of_tests(MUTANTS, 2)
