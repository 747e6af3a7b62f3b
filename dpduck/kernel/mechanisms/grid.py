"""Public grids over a column type: the candidates of a median or quantile.

Integers, decimals, dates and timestamps are measured in ticks (units, last decimal places, days,
microseconds), so that every point is exact. On a grid of floats, point i is low + i * step, rounded once.
That rounding may change which point a value is assigned to, but in the same way for every data set, so
privacy does not depend on it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from dpduck.kernel.arrow.arrays import vector_of
from dpduck.kernel.arrow.columns import decimal_ticks
from dpduck.kernel.catalog.types import (
    ConversionError,
    SqlType,
    Value,
    convert,
    decimal_from_ticks,
    parse_number,
)
from dpduck.kernel.errors import ParameterError
from dpduck.kernel.scores import SCORE_LIMIT

Integers = NDArray[np.int64]
Bound = Value | Fraction | None

FINE_POINTS = 2**32  # the default number of steps for floats and timestamps

_LEAST_STEP = Fraction(1, 2**1000)  # its inverse is still a finite float
_EPOCH = datetime(1970, 1, 1)
_BLOCK = 1 << 16


@dataclass(frozen=True)
class Grid:
    """The points low, low + step, ..., in ticks of the type (for floats, in its own unit)."""

    type: SqlType
    low: Fraction
    step: Fraction
    points: int

    @classmethod
    def of(cls, sql_type: SqlType, low: Bound, high: Bound, step: Bound = None) -> Grid:
        """The grid from `low` to at most `high`.

        Input: ends as values or literals of the type; a step in units of the type, days for dates
            and microseconds for timestamps. Without a step: 1, the last place of a decimal, a day,
            or a 2^32nd of the range for floats and timestamps.
        Errors: ParameterError for a type without a grid, missing ends, low >= high, step <= 0.
        """
        if low is None or high is None:
            raise ParameterError(
                "a quantile needs public bounds",
                detail="The answer is chosen from a grid that must not depend on the data.",
                hint="Write lo := 0, hi := 100.",
            )
        first, last = _ticks(low, sql_type), _ticks(high, sql_type)
        if first >= last:
            raise ParameterError(
                f"lo {low} is not below hi {high}",
                detail="The grid runs from lo to hi.",
                hint="Exchange them, or choose a wider range.",
            )
        stride = _default_step(sql_type, last - first) if step is None else _step(step, sql_type)
        points = int((last - first) // stride) + 1
        if max(abs(first), abs(last), Fraction(points)) >= SCORE_LIMIT:
            raise ParameterError("the grid is too large", hint="Choose a narrower range or a larger step.")
        if sql_type.kind == "float" and stride < _LEAST_STEP:
            raise ParameterError("the grid is too fine for floats", hint="Choose other units.")
        return cls(sql_type, first, stride, points)

    def offsets(self, column: pa.Array) -> Integers:
        """The index of the grid point of each value: clamped to the ends, then rounded down to the grid.

        NULL and NaN are dropped.
        """
        present = column.drop_null()
        if self.type.kind == "float":
            return self._float_offsets(vector_of(present))
        return self._tick_offsets(present)

    def nearest(self, column: pa.Array) -> Integers:
        """The indices of values that are themselves grid points, up to the rounding of floats."""
        if self.type.kind != "float":
            return self.offsets(column)
        values = vector_of(column).astype(np.float64)
        offsets: Integers = np.rint((values - float(self.low)) / float(self.step)).astype(np.int64)
        return offsets

    def _tick_offsets(self, present: pa.Array) -> Integers:
        """As `offsets`, in blocks that fit the processor's caches."""
        low, step = int(self.low), int(self.step)
        last = low + (self.points - 1) * step
        offsets = np.empty(len(present), dtype=np.int64)
        for start in range(0, len(present), _BLOCK):
            block = offsets[start : start + _BLOCK]
            np.clip(_column_ticks(present.slice(start, _BLOCK)), low, last, out=block)
            block -= low
            if step > 1:
                block //= step
        return offsets

    def _float_offsets(self, values: NDArray[np.float64]) -> Integers:
        """As `_tick_offsets`, for floats; NaN is dropped."""
        low, inverse, last = float(self.low), float(1 / self.step), self.points - 1
        offsets = np.empty(len(values), dtype=np.int64)
        kept = 0
        for start in range(0, len(values), _BLOCK):
            block = values[start : start + _BLOCK].astype(np.float64)
            if np.isnan(block).any():
                block = block[~np.isnan(block)]
            block -= low
            with np.errstate(over="ignore"):  # a warning would reveal that a value is far out
                block *= inverse
            np.clip(block, 0, last, out=block)
            offsets[kept : kept + len(block)] = block
            kept += len(block)
        return offsets[:kept]

    def value(self, offset: int) -> Value:
        """The grid point of that index, as a value of the type."""
        ticks = self.low + offset * self.step
        match self.type.kind:
            case "float":
                return float(ticks)
            case "decimal":
                return decimal_from_ticks(int(ticks), self.type)
            case "date":
                return _EPOCH.date() + timedelta(days=int(ticks))
            case "timestamp":
                return _EPOCH + timedelta(microseconds=int(ticks))
        return int(ticks)


def _ticks(value: Bound, sql_type: SqlType) -> Fraction:
    literal = Decimal(repr(value)) if isinstance(value, float) and sql_type.kind != "float" else value
    reason = f"{sql_type.name} holds numbers such as 0.5"
    try:
        if sql_type.kind != "float":
            return _exact_ticks(convert(literal, sql_type), sql_type)  # type: ignore[arg-type]
        number = Fraction(literal) if isinstance(literal, (float, Fraction)) else parse_number(literal)
        if number is not None:
            return number
    except (ConversionError, OverflowError, ValueError) as error:
        reason = str(error)
    raise ParameterError(f"{value!s:.40} is no bound for {sql_type.name}", detail=f"{reason}.")


def _exact_ticks(value: Value, sql_type: SqlType) -> Fraction:
    match sql_type.kind:
        case "integer":
            return Fraction(value)  # type: ignore[arg-type]
        case "decimal":
            return Fraction(10**sql_type.scale) * Fraction(value)  # type: ignore[arg-type]
        case "date" if isinstance(value, date):
            return Fraction((value - _EPOCH.date()).days)
        case "timestamp" if isinstance(value, datetime):
            return Fraction((value - _EPOCH) // timedelta(microseconds=1))
    raise ConversionError("it has no order that a grid could follow")


def _default_step(sql_type: SqlType, span: Fraction) -> Fraction:
    if sql_type.kind == "float":
        return span / FINE_POINTS
    return max(Fraction(span // FINE_POINTS), Fraction(1)) if sql_type.kind == "timestamp" else Fraction(1)


def _step(step: Bound, sql_type: SqlType) -> Fraction:
    try:
        number = Fraction(step) if isinstance(step, (float, Fraction)) else parse_number(step)
    except (OverflowError, ValueError):  # infinite, or no number
        number = None
    ticks: Fraction | None = None if number is None else number * Fraction(10**sql_type.scale)
    if ticks is None or ticks <= 0 or (sql_type.kind != "float" and ticks.denominator != 1):
        raise ParameterError(
            f"step {step!s:.40} is no step for {sql_type.name}",
            detail="A step is positive, and whole in the type's own units.",
            hint="Leave it out for the finest grid.",
        )
    return ticks


def _column_ticks(column: pa.Array) -> Integers:
    """Integers, decimals, dates (days) and timestamps (microseconds) as 64-bit integers."""
    if pa.types.is_decimal128(column.type):
        return decimal_ticks(column)
    if pa.types.is_date32(column.type):
        column = column.view(pa.int32())
    elif pa.types.is_timestamp(column.type):
        column = column.view(pa.int64())
    values: Integers = vector_of(column)
    if pa.types.is_uint64(column.type):
        values = np.minimum(values, SCORE_LIMIT)
    return values.astype(np.int64, copy=False)
