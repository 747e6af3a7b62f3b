"""The candidates that a call lists. Which rows are candidates is public by contract; their scores are not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from dpduck.arrow.columns import decimal_ticks, scores_of
from dpduck.errors import ParameterError
from dpduck.extension.functions.calls import Scalar, check_type

Integers = NDArray[np.int64]

FLOAT_STEPS = 2**20  # scores given as DOUBLE are rounded to this fraction of the sensitivity
_FLOATS = Fraction(1, 10**280), Fraction(10**280)  # sensitivities whose steps are floats of full precision


@dataclass(frozen=True, repr=False)
class ListedCandidates:
    """Candidates: each row whose score is not NULL. `scores` looks at them, below the data line.

    `places`: those of the candidates among the aggregate's rows, None if each row is one.
    """

    size: int
    places: Integers | None
    scores: Callable[[], Integers]

    @classmethod
    def counts(cls, rows: pa.Array, type_name: Scalar) -> ListedCandidates:
        """Candidates with counts. Input: rows that are counts, or structs of key and score; the counts' type.

        Errors: ParameterError for another type than whole numbers.
        """
        check_type(type_name)
        column, places = _candidates(rows)
        scores_of(column.slice(0, 0), "count_col")  # of the type alone
        return cls(len(column), places, partial(scores_of, column, "count_col"))

    def present(self) -> ListedCandidates:
        """Those whose count is at least 1: keys that somebody has. For below the data line."""
        counts = self.scores()
        there = np.flatnonzero(counts > 0)
        places = there if self.places is None else self.places[there]
        return ListedCandidates(len(there), places, lambda: counts[there])

    def index(self, candidate: int) -> int:
        """The candidate's row, from 1."""
        return (candidate if self.places is None else int(self.places[candidate])) + 1


@dataclass(frozen=True, repr=False)
class Scaled:
    """Candidates with scores in whole units: the unit, and the sensitivity in units."""

    listed: ListedCandidates
    unit: Fraction
    sensitivity: Fraction

    @classmethod
    def of(cls, rows: pa.Array, type_name: Scalar, sensitivity: Fraction) -> Scaled:
        """Errors: ParameterError for another type than numbers, or a sensitivity that no float has.

        Floats are rounded to a grid of sensitivity / 2^20 and clamped to 2^50 of its steps: rounding, with
        the error of the division, moves a difference of two scores by at most two steps. NaN is the least.
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
        scores_of(column.slice(0, 0), "score")  # of the type alone
        listed = ListedCandidates(len(column), places, partial(scores_of, column, "score"))
        return cls(listed, Fraction(1), sensitivity)


def _candidates(rows: pa.Array) -> tuple[pa.Array, Integers | None]:
    """The scores that are not NULL, and their places if there are others."""
    column = rows.flatten()[rows.type.get_field_index("score")] if pa.types.is_struct(rows.type) else rows
    if column.null_count == 0:
        return column, None
    return column.drop_null(), np.flatnonzero(column.is_valid().to_numpy(zero_copy_only=False))


def _steps(column: pa.Array, unit: float) -> Integers:
    """Floats in whole steps. Those that overflow are clamped as any others."""
    values = column.to_numpy(zero_copy_only=False).astype(np.float64)
    values[np.isnan(values)] = -np.inf
    with np.errstate(over="ignore"):
        steps: Integers = np.rint(np.clip(values / unit, -(2.0**50), 2.0**50)).astype(np.int64)
    return steps
