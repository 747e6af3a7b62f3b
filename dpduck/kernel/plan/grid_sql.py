"""Maps values to the points of a public grid, in DuckDB's SQL that cannot fail on any row.

A value is first clamped to [low, high], so that the arithmetic that follows is bounded and cannot overflow.
"""

from __future__ import annotations

import math
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction

from dpduck.kernel.catalog.model import Bound, RangeDomain, ticks
from dpduck.kernel.catalog.types import SqlType, decimal_from_ticks, parse_type
from dpduck.kernel.tree import build
from dpduck.kernel.tree.build import call, compared, literal
from dpduck.kernel.tree.nodes import Call, Choice, Comparison, Expression, Grouped

_BIGINT, _DOUBLE, _HUGEINT = map(parse_type, ("BIGINT", "DOUBLE", "HUGEINT"))
_ZERO = build.digits(0)

_MAX_BINS = 2**14  # counted in one pass: more do not fit into the caches of a processor
_MAX_BINS_PER_GROUP = 2**10
_MAX_PLACES = 18  # decimal places by which a number below 2^62 can be shifted within 38 digits
_DIGITS, _SHORT_DIGITS = 38, 18  # of decimals in 128 bits, and in 64


def candidate_type(sql_type: SqlType) -> SqlType:
    """Return the type of grid points in score SQL: the column's own type, but DOUBLE for FLOAT."""
    return _DOUBLE if sql_type.kind == "float" else sql_type


def bin_width(points: int, *, grouped: bool) -> int:
    """Return how many neighbouring points the first pass counts in one bin: 1 if one pass is enough.

    It is about the square root of `points`, so that there are as many bins as points in a bin; but wide
    enough that there are at most `_MAX_BINS`, since Python reads them all.
    """
    limit = _MAX_BINS_PER_GROUP if grouped else _MAX_BINS
    return 1 if points <= limit else max(math.isqrt(points), -(-points // limit))


def clamped(value: Expression, grid: RangeDomain, sql_type: SqlType) -> Choice:
    """Return the value clamped to the ends of the grid.

    Input: a value of the column's type that is neither NULL nor NaN.
    """
    target = candidate_type(sql_type)
    value = build.converted(value, _DOUBLE) if sql_type.name == "FLOAT" else value
    low, high = literal(grid.low, target), literal(grid.high, target)
    below, above = compared(grid.low, target), compared(grid.high, target)
    return build.choice(
        (Comparison("<", value, below), low),
        (Comparison(">", value, above), high),
        otherwise=value,
        of=target,
    )


def numbered(inside: Expression, grid: RangeDomain, sql_type: SqlType, width: int = 1) -> Expression:
    """Return the index of the grid point at or below a clamped value, or of that point's bin, from 0.

    Bin b starts at point b * width. For a float the index is computed in doubles: it depends on the value
    alone, and is at most that of the last point.
    Input: a clamped value; a grid whose ends, in ticks, are below 2^62 in size.
    Output: a BIGINT.
    """
    if sql_type.kind == "float":
        return divided(_float_number(inside, grid), width)
    distance = _distance(inside, grid, sql_type)
    return divided(distance, int(Fraction(grid.step) * 10**sql_type.scale) * width)


def divided(number: Expression, width: int) -> Expression:
    """Return the index of the bin of a point, from the index of the point."""
    return number if width == 1 else call("//", _BIGINT, number, literal(width, _BIGINT))


def around(low: int, high: int, grid: RangeDomain, sql_type: SqlType) -> tuple[str, str]:
    """Return a range, as text, that contains all values whose indexes are `low` to `high`.

    It is one point wider on either side, so that rounding excludes no value. Beyond an end of the grid it
    extends to the smallest or largest value of the type, since values there are clamped to the grid.
    """
    smallest, largest = _extremes(sql_type)
    zone = build.UTC if sql_type.is_zoned else ""
    since = smallest if low < 1 else _text(grid.value(low - 1)) + zone
    until = largest if high + 2 >= grid.size else _text(grid.value(high + 2)) + zone
    return since, until


def _extremes(sql_type: SqlType) -> tuple[str, str]:
    if sql_type.kind not in ("integer", "decimal"):
        return "-infinity", "infinity"
    low, high = (decimal_from_ticks(ticks, sql_type) for ticks in sql_type.ticks)
    return _text(low), _text(high)


def _text(value: Bound) -> str:
    if isinstance(value, datetime):
        return value.isoformat(" ")
    if isinstance(value, date):
        return value.isoformat()
    return format(value, "f") if isinstance(value, Decimal) else repr(value)


def _float_number(inside: Expression, grid: RangeDomain) -> Expression:
    """Return the index in doubles. A domain's step is wide enough that rounding moves no grid point."""
    low, step = literal(grid.low, _DOUBLE), literal(float(grid.step), _DOUBLE)
    last = literal(float(grid.size - 1), _DOUBLE)
    number = call("floor", _DOUBLE, call("/", _DOUBLE, call("-", _DOUBLE, inside, low), step))
    return build.converted(build.choice((Comparison(">", number, last), last), otherwise=number), _BIGINT)


def _distance(inside: Expression, grid: RangeDomain, sql_type: SqlType) -> Expression:
    """Return the distance of a clamped value from the low end, in days, microseconds or last places."""
    if sql_type.kind == "date":
        return call("-", _BIGINT, inside, literal(grid.low, sql_type))
    number: Expression
    if sql_type.kind == "timestamp":
        number = call("epoch_us", _BIGINT, inside)
    elif sql_type.scale:
        number = _decimal_ticks(inside, grid, sql_type)
    else:
        number = build.converted(inside, _BIGINT)
    low = int(ticks(grid.low) * 10**sql_type.scale)
    return call("-", _BIGINT, number, literal(low, _BIGINT)) if low else number


def _decimal_ticks(inside: Expression, grid: RangeDomain, sql_type: SqlType) -> Expression:
    """Return a decimal times 10^scale, as a BIGINT; in decimals of 64 bits where they are wide enough.

    It is multiplied by at most 10^18 at a time, so that 38 digits hold each product. DuckDB computes the
    product of two 64-bit decimals in 64 bits even if it does not fit, hence the conversions before.
    """
    largest = int(max(abs(ticks(grid.low)), abs(ticks(grid.high))) * 10**sql_type.scale)
    places, digits = sql_type.scale, max(len(str(largest)), sql_type.scale)
    if digits + places >= _SHORT_DIGITS:
        inside = build.converted(inside, _decimal(_DIGITS, places))
    elif sql_type.width + places >= _SHORT_DIGITS:
        inside = build.converted(inside, _decimal(digits, places))
    while places:
        move = min(places, _MAX_PLACES)
        places -= move
        power = literal(Decimal(10**move), _decimal(move + 1, 0))
        target = _decimal(_DIGITS, places) if places else _BIGINT
        product = call("*", _product_type(inside.type, power.type), inside, power)
        inside = build.converted(product, target)
    return inside


def _decimal(width: int, places: int) -> SqlType:
    return parse_type(f"DECIMAL({width},{places})")


def _product_type(one: SqlType, two: SqlType) -> SqlType:
    """Return the type of a decimal times a power of ten: of 64 bits if both factors are."""
    width = one.width + two.width
    short = max(one.width, two.width) <= _SHORT_DIGITS and one.scale < _SHORT_DIGITS
    return _decimal(min(width, _SHORT_DIGITS if short else _DIGITS), one.scale)


def number(value: Expression, grid: RangeDomain, sql_type: SqlType) -> Expression:
    """Return the index of a grid point, from 0, as a BIGINT. Input: a grid point; see `has_numbers`."""
    if sql_type.kind != "float":
        return numbered(value, grid, sql_type)
    low, step = literal(grid.low, _DOUBLE), literal(float(grid.step), _DOUBLE)
    share = call("/", _DOUBLE, call("-", _DOUBLE, build.converted(value, _DOUBLE), low), step)
    return build.converted(call("round", _DOUBLE, share), _BIGINT)


def has_numbers(grid: RangeDomain, sql_type: SqlType) -> bool:
    """Whether SQL can compute the indexes of the grid's points exactly, in 64 bits and in doubles."""
    ends = max(abs(ticks(grid.low)), abs(ticks(grid.high))) * 10**sql_type.scale
    return ends < 2**62 and grid.size < 2**50


def on_grid(value: Expression, grid: RangeDomain, sql_type: SqlType) -> Grouped:
    """Return the test that a value is a grid point, never true of NULL. CASE protects the arithmetic."""
    low, high = compared(grid.low, sql_type), compared(grid.high, sql_type)
    inside = build.all_of(Comparison(">=", value, low), Comparison("<=", value, high))
    if _is_every_value(grid, sql_type):
        return Grouped(inside)
    is_point = Comparison("=", _remainder(value, grid, sql_type), _ZERO)
    return Grouped(build.choice((inside, is_point), otherwise=build.FALSE))


def _is_every_value(grid: RangeDomain, sql_type: SqlType) -> bool:
    return bool(Fraction(grid.step) * 10**sql_type.scale == 1)


def _wide_type(sql_type: SqlType) -> SqlType:
    """Return a type that holds the difference of two clamped values."""
    if sql_type.kind == "decimal":
        return _decimal(_DIGITS, sql_type.scale)
    return sql_type if sql_type.name == "UHUGEINT" else _HUGEINT


def _remainder(value: Expression, grid: RangeDomain, sql_type: SqlType) -> Call:
    """Return (value - low) modulo step. Input: a value between the ends."""
    if sql_type.kind == "date":
        distance = call("-", _BIGINT, value, literal(grid.low, sql_type))
        step = literal(int(grid.step), _BIGINT)
    elif sql_type.kind == "timestamp":
        low = literal(int(ticks(grid.low)), _BIGINT)
        distance = call("-", _BIGINT, call("epoch_us", _BIGINT, value), low)
        step = literal(int(grid.step), _BIGINT)
    else:
        wide = _wide_type(sql_type)
        distance = call("-", wide, build.converted(value, wide), literal(grid.low, wide))
        step = literal(grid.step if isinstance(grid.step, Decimal) else int(grid.step), wide)
    return call("%", step.type, distance, step)
