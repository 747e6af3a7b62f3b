"""Public ranges: ends and steps that make a grid which score SQL can compute exactly. Pure."""

from __future__ import annotations

import sys
from datetime import datetime
from decimal import Decimal
from fractions import Fraction

from flint import fmpz

from dpduck.kernel.catalog.model import Bound, RangeDomain, ticks
from dpduck.kernel.catalog.types import SqlType

FLOAT_STEPS = 2**32
MAX_RANGE_TICKS = 2**64  # so that differences within a range fit the types that score SQL uses
RANGE_KINDS = ("integer", "decimal", "float", "date", "timestamp")

Step = int | Decimal | Fraction


class RangeError(ValueError):
    """The reason why a range is invalid, as the rest of a sentence."""


def make_range(sql_type: SqlType, low: Bound, high: Bound, step: Step | None = None) -> RangeDomain:
    """The grid from low to high, values of the type.

    Input: the step in the type's unit (days, microseconds), or None for the default.
    Errors: RangeError.
    """
    width = ticks(high) - ticks(low)
    if width <= 0:
        raise RangeError("the lower bound must be below the upper one")
    step = _usual_step(sql_type, low, high) if step is None else step
    if width % Fraction(step):
        raise RangeError("the step must divide the range, so that both ends are on the grid")
    if sql_type.kind != "float" and width * 10**sql_type.scale >= MAX_RANGE_TICKS:
        raise RangeError("the range is too wide")
    if sql_type.kind == "float" and not _is_resolved(low, high, step):
        raise RangeError("the step is too fine for the precision of the type")
    return RangeDomain(low, high, step)


def _usual_step(sql_type: SqlType, low: Bound, high: Bound) -> Step:
    if sql_type.kind == "decimal":
        return Decimal((0, (1,), -sql_type.scale))
    if sql_type.kind == "float":
        return (ticks(high) - ticks(low)) / FLOAT_STEPS
    return 1


def coarse(grid: RangeDomain) -> RangeDomain:
    """The grid for a quantile: of timestamps, not finer than its noise could ever show.

    Its step is about 2^-32 of the width, rounded up to a divisor of the width when one is near; a grid with
    fewer points stays as it is.
    """
    if not isinstance(grid.low, datetime) or grid.size <= FLOAT_STEPS:
        return grid
    return RangeDomain(grid.low, grid.high, _timestamp_step(int(ticks(grid.high) - ticks(grid.low))))


def _timestamp_step(width: int) -> int:
    """About width / 2^32 microseconds, rounded up to a divisor of the width when one is near."""
    step = max(1, -(-width // FLOAT_STEPS))
    divisors = [1]
    for prime, power in fmpz(width).factor():
        divisors = [divisor * int(prime) ** e for divisor in divisors for e in range(power + 1)]
    return min((divisor for divisor in divisors if step <= divisor <= 64 * step), default=1)


def _is_resolved(low: Bound, high: Bound, step: Step) -> bool:
    """Whether doubles near the ends distinguish grid points, with room for rounding."""
    largest = max(abs(ticks(low)), abs(ticks(high)))
    width = ticks(high) - ticks(low)
    normal = Fraction(sys.float_info.min) <= Fraction(step) and width <= Fraction(sys.float_info.max)
    return normal and Fraction(step) >= largest / 2**49 and width / Fraction(step) <= 2**49
