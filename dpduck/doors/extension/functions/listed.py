"""The candidates that a call lists. Which rows are candidates is public by contract; their scores are not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from dpduck.doors.extension.functions.calls import Scalar, check_type
from dpduck.kernel.arrow.columns import decimal_ticks, scores_of
from dpduck.kernel.errors import ParameterError

Integers = NDArray[np.int64]

FLOAT_STEPS = 2**20  # scores of type DOUBLE are rounded to this fraction of the sensitivity
_FLOATS = Fraction(1, 10**280), Fraction(10**280)  # sensitivities whose steps are floats of full precision


@dataclass(frozen=True, repr=False)
class ListedCandidates:
    """Candidates: each row whose score is not NULL. `scores` reads them, below the data line.

    `places`: the indices of the candidates among the aggregate's rows; None if each row is one.
    """

    size: int
    places: Integers | None
    scores: Callable[[], Integers]

    @classmethod
    def counts(cls, rows: pa.Array, type_name: Scalar) -> ListedCandidates:
        """Candidates with counts. Input: rows that are counts, or structs of key and score; the counts' type.

        Errors: ParameterError unless the counts are integers.
        """
        check_type(type_name)
        column, places = _candidates(rows)
        scores_of(column.slice(0, 0), "count_col")  # checks the type only
        return cls(len(column), places, partial(scores_of, column, "count_col"))

    def present(self) -> ListedCandidates:
        """The candidates with a count of at least 1, which some unit has. For use below the data line."""
        counts = self.scores()
        there = np.flatnonzero(counts > 0)
        places = there if self.places is None else self.places[there]
        return ListedCandidates(len(there), places, lambda: counts[there])

    def index(self, candidate: int) -> int:
        """The candidate's row number, from 1."""
        return (candidate if self.places is None else int(self.places[candidate])) + 1


@dataclass(frozen=True, repr=False)
class Scaled:
    """Candidates with integer scores: the size of the score unit, and the sensitivity in units."""

    listed: ListedCandidates
    unit: Fraction
    sensitivity: Fraction

    @classmethod
    def of(cls, rows: pa.Array, type_name: Scalar, sensitivity: Fraction) -> Scaled:
        """Errors: ParameterError unless the scores are numbers and the sensitivity is in range for floats.

        Floats are rounded to a grid of sensitivity / 2^20 and clamped to 2^50 of its steps: rounding and
        division move a difference of two scores by at most two steps. NaN counts as the smallest score.
        """
        check_type(type_name)
        column, places = _candidates(rows)
        if pa.types.is_floating(column.type):
            if not _FLOATS[0] <= sensitivity <= _FLOATS[1]:
                raise ParameterError(
                    "sensitivity is out of range",
                    detail="For scores of type DOUBLE it is from 1e-280 to 1e280.",
                    hint="Multiply the scores and the sensitivity by one number.",
                )
            unit = sensitivity / FLOAT_STEPS
            listed = ListedCandidates(len(column), places, partial(_steps, column, float(unit)))
            return cls(listed, unit, Fraction(FLOAT_STEPS + 2))
        if pa.types.is_decimal128(column.type):
            unit = Fraction(1, 10**column.type.scale)
            return cls(
                ListedCandidates(len(column), places, partial(decimal_ticks, column)),
                unit,
                sensitivity / unit,
            )
        scores_of(column.slice(0, 0), "score")  # checks the type only
        listed = ListedCandidates(len(column), places, partial(scores_of, column, "score"))
        return cls(listed, Fraction(1), sensitivity)


def _candidates(rows: pa.Array) -> tuple[pa.Array, Integers | None]:
    """The scores that are not NULL, and their indices if there are NULLs."""
    column = rows.flatten()[rows.type.get_field_index("score")] if pa.types.is_struct(rows.type) else rows
    if column.null_count == 0:
        return column, None
    return column.drop_null(), np.flatnonzero(column.is_valid().to_numpy(zero_copy_only=False))


def _steps(column: pa.Array, unit: float) -> Integers:
    """Floats in integer steps. Values that overflow are clamped like any others."""
    values = column.to_numpy(zero_copy_only=False).astype(np.float64)
    values[np.isnan(values)] = -np.inf
    with np.errstate(over="ignore"):
        steps: Integers = np.rint(np.clip(values / unit, -(2.0**50), 2.0**50)).astype(np.int64)
    return steps
