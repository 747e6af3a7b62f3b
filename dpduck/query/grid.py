"""Values brought onto a public grid, as total SQL over DuckDB's own functions.

A value is first clamped to [low, high], so that the arithmetic after it is bounded: nothing overflows,
whatever a row holds.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from dpduck.catalog import RangeDomain, ticks
from dpduck.query.emit import call, literal
from dpduck.sqltypes import SqlType, parse_type

_BIGINT, _DOUBLE = parse_type("BIGINT"), parse_type("DOUBLE")


def candidate_type(sql_type: SqlType) -> SqlType:
    """The type of grid points in the score SQL: the column's own, and DOUBLE for FLOAT."""
    return _DOUBLE if sql_type.kind == "float" else sql_type


def clamped(value: str, grid: RangeDomain, sql_type: SqlType) -> str:
    """The value, or the end of the grid that it lies beyond.

    Input: SQL of a value of the column's type that is neither NULL nor NaN.
    Output: SQL of the candidate's type.
    """
    target = candidate_type(sql_type)
    value = f"CAST({value} AS DOUBLE)" if sql_type.kind == "float" else value
    low, high = _ends(grid, target)
    inside = f"CASE WHEN {value} < {low} THEN {low} WHEN {value} > {high} THEN {high} ELSE {value} END"
    return f"CAST({inside} AS {target.name})" if target.kind == "integer" else inside


def snapped(value: str, grid: RangeDomain, sql_type: SqlType) -> str:
    """A clamped value moved down to its grid point.

    For a float the point is computed in doubles, low + n * step with n from 0 to size - 1; the engine
    recovers n as `grid.offset`, which rounds. The domain's own rules make step so wide that this is n.
    """
    if sql_type.kind == "float":
        return _snapped_float(value, grid)
    if _is_every_value(grid, sql_type):
        return value
    rest = _remainder(value, grid, sql_type)
    if sql_type.kind == "date":
        return call("-", value, f"CAST({rest} AS INTEGER)")
    if sql_type.kind == "timestamp":
        return call("make_timestamp", call("-", call("epoch_us", value), rest))
    return f"CAST({call('-', _wide(value, sql_type), rest)} AS {sql_type.name})"


def number(value: str, grid: RangeDomain, sql_type: SqlType) -> str:
    """The number of a grid point, from 0, as a BIGINT. Input: SQL of a grid point; see `has_numbers`."""
    low, step = literal(int(ticks(grid.low) * 10**sql_type.scale), _BIGINT), grid.step
    if sql_type.kind == "float":
        share = call(
            "/",
            call("-", f"CAST({value} AS DOUBLE)", literal(grid.low, _DOUBLE)),
            literal(float(step), _DOUBLE),
        )
        return f"CAST({call('round', share)} AS BIGINT)"
    if sql_type.kind == "decimal":
        distance = call("-", _wide(value, sql_type), literal(grid.low, _wide_type(sql_type)))
        share = call("/", f"CAST({distance} AS DOUBLE)", literal(float(step), _DOUBLE))
        return f"CAST({call('round', share)} AS BIGINT)"
    if sql_type.kind == "timestamp":
        distance = call("-", call("epoch_us", value), low)
    elif sql_type.kind == "date":
        distance = call("-", value, literal(grid.low, sql_type))
    else:
        distance = call("-", f"CAST({value} AS BIGINT)", low)
    return distance if step == 1 else call("//", distance, literal(int(step), _BIGINT))


def has_numbers(grid: RangeDomain, sql_type: SqlType) -> bool:
    """Whether SQL can number the grid's points: exactly, without leaving 64 bits or what doubles can tell."""
    ends = max(abs(ticks(grid.low)), abs(ticks(grid.high))) * 10**sql_type.scale
    return ends < 2**62 and grid.size < 2**50


def on_grid(value: str, grid: RangeDomain, sql_type: SqlType) -> str:
    """Whether a value is a grid point; NULL is none. CASE keeps the arithmetic within the ends."""
    low, high = _ends(grid, sql_type)
    inside = f"{value} >= {low} AND {value} <= {high}"
    if _is_every_value(grid, sql_type):
        return f"({inside})"
    rest = _remainder(value, grid, sql_type)
    return f"(CASE WHEN {inside} THEN {rest} = 0 ELSE FALSE END)"


def _ends(grid: RangeDomain, sql_type: SqlType) -> tuple[str, str]:
    return literal(grid.low, sql_type), literal(grid.high, sql_type)


def _is_every_value(grid: RangeDomain, sql_type: SqlType) -> bool:
    return bool(Fraction(grid.step) * 10**sql_type.scale == 1)


def _wide(value: str, sql_type: SqlType) -> str:
    """The value in a type where differences of clamped values fit."""
    return f"CAST({value} AS {_wide_type(sql_type).name})"


def _wide_type(sql_type: SqlType) -> SqlType:
    return parse_type("HUGEINT" if sql_type.kind == "integer" else f"DECIMAL(38,{sql_type.scale})")


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


def _snapped_float(value: str, grid: RangeDomain) -> str:
    low, step = literal(grid.low, _DOUBLE), literal(float(grid.step), _DOUBLE)
    last = literal(float(grid.size - 1), _DOUBLE)
    number = call("floor", call("/", call("-", value, low), step))
    return call("+", low, call("*", f"CASE WHEN {number} > {last} THEN {last} ELSE {number} END", step))
