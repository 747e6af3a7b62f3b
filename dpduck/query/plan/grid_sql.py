"""Values brought onto a public grid, by total functions of DuckDB itself.

A value is first clamped to [low, high], so that the arithmetic after it is bounded: nothing overflows,
whatever a row holds.
"""

from __future__ import annotations

import math
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction

from dpduck.catalog.model import Bound, RangeDomain, ticks
from dpduck.catalog.types import SqlType, decimal_from_ticks, parse_type
from dpduck.query.tree import build
from dpduck.query.tree.build import call, compared, literal
from dpduck.query.tree.nodes import Call, Choice, Comparison, Expression, Grouped

_BIGINT, _DOUBLE, _HUGEINT = map(parse_type, ("BIGINT", "DOUBLE", "HUGEINT"))
_ZERO = build.digits(0)

_MOST_BINS = 2**14  # that are counted in one pass: more leave the caches of a processor
_MOST_BINS_OF_GROUPS = 2**10  # the same, for each group
_MOST_PLACES = 18  # by which a decimal below 2^62 moves within 38 digits
_DIGITS, _SHORT_DIGITS = 38, 18  # of decimals in 128 bits, and in 64


def candidate_type(sql_type: SqlType) -> SqlType:
    """The type of grid points in the score SQL: the column's own, and DOUBLE for FLOAT."""
    return _DOUBLE if sql_type.kind == "float" else sql_type


def bin_width(points: int, *, grouped: bool) -> int:
    """How many neighbouring points a first pass counts together: 1 where one pass is enough.

    About the root of the size, so that a bin has as many points as there are bins; but no more than so
    many bins, which Python reads.
    """
    most = _MOST_BINS_OF_GROUPS if grouped else _MOST_BINS
    return 1 if points <= most else max(math.isqrt(points), -(-points // most))


def clamped(value: Expression, grid: RangeDomain, sql_type: SqlType) -> Choice:
    """The value, or the end of the grid that it lies beyond.

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
    """The number of the grid point at or below a clamped value, or of the bin of that point, from 0.

    Bin number b holds the points from b * width. For a float the number is computed in doubles: a function
    of the value alone, and at most the last point's.
    Input: a clamped value; a grid whose ends, in ticks, are below 2^62 in size.
    Output: a BIGINT.
    """
    if sql_type.kind == "float":
        return divided(_float_number(inside, grid), width)
    distance = _distance(inside, grid, sql_type)
    return divided(distance, int(Fraction(grid.step) * 10**sql_type.scale) * width)


def divided(number: Expression, width: int) -> Expression:
    """The number of the bin that holds a point, by the point's number."""
    return number if width == 1 else call("//", _BIGINT, number, literal(width, _BIGINT))


def around(low: int, high: int, grid: RangeDomain, sql_type: SqlType) -> tuple[str, str]:
    """Ends, as text, between which all values lie whose numbers are `low` to `high`.

    With a point more on either side, so that no rounding leaves one out; and where that is beyond an end of
    the grid, all that the type holds.
    """
    least, most = _extremes(sql_type)
    since = least if low < 1 else _text(grid.value(low - 1))
    until = most if high + 2 >= grid.size else _text(grid.value(high + 2))
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
    """The domain's own rules make the step so wide that rounding moves no grid point."""
    low, step = literal(grid.low, _DOUBLE), literal(float(grid.step), _DOUBLE)
    last = literal(float(grid.size - 1), _DOUBLE)
    number = call("floor", _DOUBLE, call("/", _DOUBLE, call("-", _DOUBLE, inside, low), step))
    return build.converted(build.choice((Comparison(">", number, last), last), otherwise=number), _BIGINT)


def _distance(inside: Expression, grid: RangeDomain, sql_type: SqlType) -> Expression:
    """From the low end to a clamped value, in units of its last place, in days or in microseconds."""
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
    """Moved by at most 18 places at a time, so that 38 digits hold it; in 64 bits where these hold it.

    DuckDB keeps a product of two decimals of 64 bits in 64 bits, even if it does not fit.
    """
    largest = int(max(abs(ticks(grid.low)), abs(ticks(grid.high))) * 10**sql_type.scale)
    places, digits = sql_type.scale, max(len(str(largest)), sql_type.scale)
    if digits + places >= _SHORT_DIGITS:
        inside = build.converted(inside, _decimal(_DIGITS, places))
    elif sql_type.width + places >= _SHORT_DIGITS:
        inside = build.converted(inside, _decimal(digits, places))
    while places:
        move = min(places, _MOST_PLACES)
        places -= move
        power = literal(Decimal(10**move), _decimal(move + 1, 0))
        target = _decimal(_DIGITS, places) if places else _BIGINT
        product = call("*", _product_type(inside.type, power.type), inside, power)
        inside = build.converted(product, target)
    return inside


def _decimal(width: int, places: int) -> SqlType:
    return parse_type(f"DECIMAL({width},{places})")


def _product_type(one: SqlType, two: SqlType) -> SqlType:
    """Of a decimal and a power of ten: where both have 64 bits, so has the product."""
    width = one.width + two.width
    short = max(one.width, two.width) <= _SHORT_DIGITS and one.scale < _SHORT_DIGITS
    return _decimal(min(width, _SHORT_DIGITS if short else _DIGITS), one.scale)


def number(value: Expression, grid: RangeDomain, sql_type: SqlType) -> Expression:
    """The number of a grid point, from 0, as a BIGINT. Input: a grid point; see `has_numbers`."""
    if sql_type.kind != "float":
        return numbered(value, grid, sql_type)
    low, step = literal(grid.low, _DOUBLE), literal(float(grid.step), _DOUBLE)
    share = call("/", _DOUBLE, call("-", _DOUBLE, build.converted(value, _DOUBLE), low), step)
    return build.converted(call("round", _DOUBLE, share), _BIGINT)


def has_numbers(grid: RangeDomain, sql_type: SqlType) -> bool:
    """Whether SQL can number the grid's points: exactly, without leaving 64 bits or what doubles can tell."""
    ends = max(abs(ticks(grid.low)), abs(ticks(grid.high))) * 10**sql_type.scale
    return ends < 2**62 and grid.size < 2**50


def on_grid(value: Expression, grid: RangeDomain, sql_type: SqlType) -> Grouped:
    """Whether a value is a grid point; NULL is none. CASE keeps the arithmetic within the ends."""
    low, high = compared(grid.low, sql_type), compared(grid.high, sql_type)
    inside = build.all_of(Comparison(">=", value, low), Comparison("<=", value, high))
    if _is_every_value(grid, sql_type):
        return Grouped(inside)
    is_point = Comparison("=", _remainder(value, grid, sql_type), _ZERO)
    return Grouped(build.choice((inside, is_point), otherwise=build.FALSE))


def _is_every_value(grid: RangeDomain, sql_type: SqlType) -> bool:
    return bool(Fraction(grid.step) * 10**sql_type.scale == 1)


def _wide_type(sql_type: SqlType) -> SqlType:
    """A type where differences of clamped values fit."""
    if sql_type.kind == "decimal":
        return _decimal(_DIGITS, sql_type.scale)
    return sql_type if sql_type.name == "UHUGEINT" else _HUGEINT


def _remainder(value: Expression, grid: RangeDomain, sql_type: SqlType) -> Call:
    """(value - low) modulo step, for a value between the ends."""
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
