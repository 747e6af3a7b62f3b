"""Mistakes in the counts of distinct values that their tests catch: one for each step of the proofs."""

from __future__ import annotations

from dpduck.kernel.mechanisms import claims, distinct_values
from tests.mechanisms import test_distinct_values as tests
from tests.mechanisms.mutation import Mutant, pair_of_tests


def moves() -> None:
    tests.check_moves(tests.of_code)


def greedy() -> None:
    for units in tests.tables(300, 8, 8):
        assert [tests.of_code(units, level) for level in (1, 3)] == [
            tests.distinct.greedy(units, level) for level in (1, 3)
        ]


MUTANTS = [
    Mutant(
        "the score is divided by the smaller level",
        distinct_values._scores,
        "max(i, j)",
        "min(i, j)",
        tests.check_scores,
    ),
    Mutant(
        "the score is the best lead, not the least",
        distinct_values._scores,
        "            min(",
        "            max(",
        tests.check_scores,
    ),
    Mutant("the price is left out", distinct_values._scores, " - kappa * level", "", tests.check_scores),
    Mutant(
        "the coin of monotonic scores", distinct_values.noisy_distinct, "monotonic=False", "monotonic=True",
        tests.check_law,
    ),
    Mutant(
        "noise of one value per unit", distinct_values.noisy_distinct, "(most * groups)", "groups",
        tests.check_law,
    ),
    Mutant(
        "noise of one group", distinct_values.noisy_distinct, "(most * groups)", "most",
        tests.check_law_of_groups,
    ),
    Mutant(
        "groups do not count in the choice", distinct_values.noisy_distinct, "groups * _PARTS", "_PARTS",
        tests.check_law_of_groups,
    ),
    Mutant(
        "all of epsilon is spent twice", distinct_values.noisy_distinct, "epsilon / 2, epsilon / 2",
        "epsilon, epsilon", tests.check_law,
    ),
    Mutant("units ask in no order", claims._run, "turns, kind", "-values, kind", greedy),
    Mutant(
        "a value stays with who asked first", claims._Run._one_by_one,
        "self._holders[self._wanted[place]] < unit",
        "self._holders[self._wanted[place]] != self._nobody", greedy,
    ),
    Mutant(
        "a taken value is claimed again", claims._Run.round, "self._taken[claimed] = True", "pass", greedy
    ),
    Mutant(
        "values are claimed by whom many have them", claims.claimed_by_level, "pairs.places, turns",
        "np.bincount(values)[values], turns", tests.check_groups,
    ),
    Mutant(
        "groups share the values", claims.claimed_by_level, "_ranks(pairs.groups, pairs.values)",
        "_ranks(pairs.groups * 0, pairs.values)", tests.check_groups,
    ),
    Mutant(
        "a unit has turns in one group only", claims.claimed_by_level, "_ranks(pairs.groups, pairs.turns)",
        "_ranks(pairs.groups * 0, pairs.turns)", tests.check_groups,
    ),
    Mutant(
        "a round counts one level too late", claims.claimed_by_level, "searchsorted(levels, number)",
        "searchsorted(levels, number, side='right').clip(0, len(levels) - 1)", tests.check_groups,
    ),
    Mutant("who is ousted asks no more", claims._Run._one_by_one, "asking.append(ousted)", "pass", greedy),
]  # fmt: skip


test_each_mistake_is_caught, test_each_check_passes = pair_of_tests(MUTANTS, 2)
