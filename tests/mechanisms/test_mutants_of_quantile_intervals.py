"""Mistakes in the ends of intervals of quantiles that their tests catch: one for each step of the proofs."""

from __future__ import annotations

from dpduck.kernel.mechanisms.quantile_intervals import End, EndScores
from dpduck.kernel.mechanisms.roundings import Penalty, RoundedGroups, Rounding
from tests.mechanisms import test_quantile_intervals as tests
from tests.mechanisms import test_roundings as roundings
from tests.mechanisms.mutation import Mutant, pair_of_tests

MUTANTS = [
    Mutant("the rise is left out", End.sensitivity, "above + self.rise", "above", tests.check_sensitivity),
    Mutant("the fall is left out", End.sensitivity, "below + self.fall", "below", tests.check_sensitivity),
    Mutant("ends exchanged", End.sensitivity, "if self.upper", "if not self.upper", tests.check_sensitivity),
    Mutant(
        "the noise of a unit with one part",
        End.sensitivity,
        "self.share * self.most, ",
        "self.share, ",
        tests.check_sensitivity,
    ),
    Mutant(
        "a root without its tangent", End.margin, "max(count, self._straight_until)", "count",
        tests.check_margins,
    ),
    Mutant(
        "a tangent for the weight of one part", End.margin, "(start - count) * self.rise // self.most",
        "(start - count) * self.rise", tests.check_margins,
    ),
    Mutant(
        "a tail that each part of a unit lowers", End.margin, "self.fall * count // self.most",
        "self.fall * count", tests.check_margins,
    ),
    Mutant("ends on the wrong sides", End.rank, "if self.upper", "if not self.upper", tests.check_scores),
    Mutant("the coin of monotonic scores", End.select, "monotonic=False", "monotonic=True", tests.check_law),
    Mutant("the epsilon of all three", End.select, "self.epsilon", "3 * self.epsilon", tests.check_law),
    Mutant(
        "beyond the grid the rank is met", EndScores._score_beyond, "max(above if self._end.upper else "
        "self._rank, 0)", "0", tests.check_scores,
    ),
    Mutant(
        "the upper end looks below the grid", EndScores._score_beyond,
        "above if self._end.upper else self._rank", "self._rank", tests.check_scores,
    ),
    Mutant(
        "a penalty for each part as for one unit", End._rate, "self.most + ", "1 + ",
        roundings.check_sensitivity,
    ),
    Mutant(
        "a penalty of twice the sensitivity", End._rate, "self.sensitivity - 1",
        "2 * self.sensitivity", roundings.check_sensitivity,
    ),
    Mutant(
        "few values cost twice what they lack", End.penalty, "max(lacking, 0)", "max(2 * lacking, 0)",
        roundings.check_sensitivity,
    ),
    Mutant(
        "windows of one size", Penalty._until, "(at + most) ** 2", "(at + most) * most",
        roundings.check_scores,
    ),
    Mutant("no score is capped", RoundedGroups.of, "-cost", "0", roundings.check_scores),
    Mutant(
        "each multiple once", RoundedGroups.of, "one.sizes * many.copies", "one.sizes",
        roundings.check_scores,
    ),
    Mutant(
        "an upper end stands for values above it", Rounding.point, "if self.upper", "if not self.upper",
        roundings.check_cells,
    ),
]  # fmt: skip


test_a_mutant_is_caught, test_the_check_passes_without_the_mutant = pair_of_tests(MUTANTS, 2)
