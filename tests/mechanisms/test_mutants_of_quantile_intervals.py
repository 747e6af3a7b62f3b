"""Mistakes in the ends of intervals of quantiles that their tests catch: one for each step of the proofs."""

from __future__ import annotations

from dpduck.mechanisms.quantile_intervals import End, EndScores
from tests.mechanisms import test_quantile_intervals as tests
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
]  # fmt: skip


test_a_mutant_is_caught, test_the_check_passes_without_the_mutant = pair_of_tests(MUTANTS)
