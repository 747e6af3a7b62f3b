"""Values brought onto a public grid, as total SQL over DuckDB's own functions.

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
from dpduck.query.write.emit import call, compared, literal

_BIGINT, _DOUBLE = parse_type("BIGINT"), parse_type("DOUBLE")

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


def clamped(value: str, grid: RangeDomain, sql_type: SqlType) -> str:
    """The value, or the end of the grid that it lies beyond.

    Input: SQL of a value of the column's type that is neither NULL nor NaN.
    """
    target = candidate_type(sql_type)
    value = f"CAST({value} AS DOUBLE)" if sql_type.name == "FLOAT" else value
    low, high = literal(grid.low, target), literal(grid.high, target)
    below, above = compared(grid.low, target), compared(grid.high, target)
    return f"CASE WHEN {value} < {below} THEN {low} WHEN {value} > {above} THEN {high} ELSE {value} END"


def numbered(inside: str, grid: RangeDomain, sql_type: SqlType, width: int = 1) -> str:
    """The number of the grid point at or below a clamped value, or of the bin of that point, from 0.

    Bin number b holds the points from b * width. For a float the number is computed in doubles: a function
    of the value alone, and at most the last point's.
    Input: SQL of a clamped value; a grid whose ends, in ticks, are below 2^62 in size.
    Output: SQL of a BIGINT.
    """
    if sql_type.kind == "float":
        return divided(_float_number(inside, grid), width)
    distance = _distance(inside, grid, sql_type)
    return divided(distance, int(Fraction(grid.step) * 10**sql_type.scale) * width)


def divided(number: str, width: int) -> str:
    """The number of the bin that holds a point, by the point's number."""
    return number if width == 1 else call("//", number, literal(width, _BIGINT))


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


def _float_number(inside: str, grid: RangeDomain) -> str:
    """The domain's own rules make the step so wide that rounding moves no grid point."""
    low, step = literal(grid.low, _DOUBLE), literal(float(grid.step), _DOUBLE)
    last = literal(float(grid.size - 1), _DOUBLE)
    number = call("floor", call("/", call("-", inside, low), step))
    return f"CAST(CASE WHEN {number} > {last} THEN {last} ELSE {number} END AS BIGINT)"


def _distance(inside: str, grid: RangeDomain, sql_type: SqlType) -> str:
    """From the low end to a clamped value, in units of its last place, in days or in microseconds."""
    if sql_type.kind == "date":
        return call("-", inside, literal(grid.low, sql_type))
    if sql_type.kind == "timestamp":
        number = call("epoch_us", inside)
    elif sql_type.scale:
        number = _decimal_ticks(inside, grid, sql_type)
    else:
        number = f"CAST({inside} AS BIGINT)"
    low = int(ticks(grid.low) * 10**sql_type.scale)
    return call("-", number, literal(low, _BIGINT)) if low else number


def _decimal_ticks(inside: str, grid: RangeDomain, sql_type: SqlType) -> str:
    """Moved by at most 18 places at a time, so that 38 digits hold it; in 64 bits where these hold it.

    DuckDB keeps a product of two decimals of 64 bits in 64 bits, even if it does not fit.
    """
    largest = int(max(abs(ticks(grid.low)), abs(ticks(grid.high))) * 10**sql_type.scale)
    places, digits = sql_type.scale, max(len(str(largest)), sql_type.scale)
    if digits + places >= _SHORT_DIGITS:
        inside = f"CAST({inside} AS DECIMAL({_DIGITS},{places}))"
    elif sql_type.width + places >= _SHORT_DIGITS:
        inside = f"CAST({inside} AS DECIMAL({digits},{places}))"
    while places:
        move = min(places, _MOST_PLACES)
        places -= move
        power = literal(Decimal(10**move), parse_type(f"DECIMAL({move + 1},0)"))
        target = f"DECIMAL({_DIGITS},{places})" if places else "BIGINT"
        inside = f"CAST({call('*', inside, power)} AS {target})"
    return inside


def number(value: str, grid: RangeDomain, sql_type: SqlType) -> str:
    """The number of a grid point, from 0, as a BIGINT. Input: SQL of a grid point; see `has_numbers`."""
    if sql_type.kind != "float":
        return numbered(value, grid, sql_type)
    low, step = literal(grid.low, _DOUBLE), literal(float(grid.step), _DOUBLE)
    share = call("/", call("-", f"CAST({value} AS DOUBLE)", low), step)
    return f"CAST({call('round', share)} AS BIGINT)"


def has_numbers(grid: RangeDomain, sql_type: SqlType) -> bool:
    """Whether SQL can number the grid's points: exactly, without leaving 64 bits or what doubles can tell."""
    ends = max(abs(ticks(grid.low)), abs(ticks(grid.high))) * 10**sql_type.scale
    return ends < 2**62 and grid.size < 2**50


def on_grid(value: str, grid: RangeDomain, sql_type: SqlType) -> str:
    """Whether a value is a grid point; NULL is none. CASE keeps the arithmetic within the ends."""
    low, high = compared(grid.low, sql_type), compared(grid.high, sql_type)
    inside = f"{value} >= {low} AND {value} <= {high}"
    if _is_every_value(grid, sql_type):
        return f"({inside})"
    rest = _remainder(value, grid, sql_type)
    return f"(CASE WHEN {inside} THEN {rest} = 0 ELSE FALSE END)"


def _is_every_value(grid: RangeDomain, sql_type: SqlType) -> bool:
    return bool(Fraction(grid.step) * 10**sql_type.scale == 1)


def _wide(value: str, sql_type: SqlType) -> str:
    """The value in a type where differences of clamped values fit."""
    return f"CAST({value} AS {_wide_type(sql_type).name})"


def _wide_type(sql_type: SqlType) -> SqlType:
    if sql_type.kind == "decimal":
        return parse_type(f"DECIMAL(38,{sql_type.scale})")
    return sql_type if sql_type.name == "UHUGEINT" else parse_type("HUGEINT")


def _remainder(value: str, grid: RangeDomain, sql_type: SqlType) -> str:
    """(value - low) modulo step, for a value between the ends."""
    if sql_type.kind == "date":
        distance, step = call("-", value, literal(grid.low, sql_type)), literal(int(grid.step), _BIGINT)
    elif sql_type.kind == "timestamp":
        low = literal(int(ticks(grid.low)), _BIGINT)
        distance, step = call("-", call("epoch_us", value), low), literal(int(grid.step), _BIGINT)
    else:
        wide = _wide_type(sql_type)
        distance = call("-", _wide(value, sql_type), literal(grid.low, wide))
        step = literal(grid.step if isinstance(grid.step, Decimal) else int(grid.step), wide)
    return call("%", distance, step)
