"""Functions of dates and timestamps in Spark SQL.

Dates and timestamps of tables are of the years 1 to 9999, the only ones that Spark knows, and none is
infinite. Its functions of time see timestamps with a zone, which is UTC.
"""

from __future__ import annotations

import re

from sqlglot import exp

from dpduck.engines.spark.sql.casts import converted, from_micros, instant
from dpduck.engines.spark.sql.nodes import (
    EngineCall,
    Function,
    Unavailable,
    Value,
    call,
    either,
    infix,
    number,
    present,
    text,
)
from dpduck.engines.spark.sql.numbers import arithmetic, in_result_type, negated

_INTERVAL = re.compile(r"(-?[0-9]+) months (-?[0-9]+) days (-?[0-9]+) microseconds")
_MOMENTS = ("date", "timestamp")
_UNITS = ("microsecond", "millisecond", "second", "minute", "hour", "day", "week", "month", "quarter", "year")
_DAY = 86_400_000_000
_MONDAY = 10_959 * _DAY  # 2000-01-03, from which DuckDB counts buckets
_FORMATS = {"%Y": "yyyy", "%m": "MM", "%d": "dd", "%H": "HH", "%M": "mm", "%S": "ss"}


# --- sums and differences ------------------------------------------------------------------------


def minus(called: EngineCall) -> exp.Expr:
    """-x, x - y, date - days, date - date, x - INTERVAL."""
    first, *rest = called.arguments
    if not rest:
        return in_result_type(negated(first), called.type)
    if first.type.kind not in _MOMENTS:
        return arithmetic(exp.Sub)(called)
    [second] = rest
    if first.type.kind == second.type.kind == "date":
        days = [converted(call("unix_date", value.sql), "bigint") for value in called.arguments]
        return infix(exp.Sub, *days)
    return _moved(first, second, -1)


def plus(called: EngineCall) -> exp.Expr:
    first, second = called.arguments
    return _moved(first, second, 1) if first.type.kind in _MOMENTS else arithmetic(exp.Add)(called)


def _moved(moment: Value, by: Value, sign: int) -> exp.Expr:
    if moment.type.kind == "date" and by.type.name in ("INTEGER", "SMALLINT", "TINYINT"):
        return call("date_add" if sign == 1 else "date_sub", moment.sql, converted(by.sql, "int"))
    if by.type.name != "INTERVAL":
        raise Unavailable("this sum of a date is not available")
    months, days, micros = (sign * part for part in parts_of(by))
    made = converted(moment.sql, "timestamp_ntz")
    if months:
        made = infix(exp.Add, made, call("make_ym_interval", number(0), number(months)))
    seconds, rest = divmod(abs(micros), 1_000_000)
    if days or micros:
        parts = [number(days), number(0), number(0), _seconds(seconds, rest, micros < 0)]
        made = infix(exp.Add, made, call("make_dt_interval", *parts))
    return made


def _seconds(seconds: int, micros: int, negative: bool) -> exp.Expr:
    return converted(text(f"{'-' if negative else ''}{seconds}.{micros:06}"), "decimal(18, 6)")


def parts_of(interval: Value) -> tuple[int, int, int]:
    """Months, days and microseconds. Errors: Unavailable."""
    found = _INTERVAL.fullmatch(interval.constant or "")
    if found is None:
        raise Unavailable("this interval is not available")
    return int(found[1]), int(found[2]), int(found[3])


# --- parts and buckets ---------------------------------------------------------------------------


def _moment(called: EngineCall, place: int = 0) -> Value:
    value = called.arguments[place]
    if value.type.kind not in _MOMENTS:
        raise Unavailable(f"{called.name} of {value.type.name} is not available")
    return value


def instants(called: EngineCall) -> list[exp.Expr]:
    """A date or timestamp, as Spark's functions of time see it."""
    return [instant(_moment(called))]


def _isoyear(called: EngineCall) -> exp.Expr:
    return in_result_type(call("date_part", text("YEAROFWEEK"), instant(_moment(called))), called.type)


def _micros(called: EngineCall) -> exp.Expr:
    return call("unix_micros", instant(_moment(called)))


def _epoch(called: EngineCall) -> exp.Expr:
    return infix(exp.Div, converted(_micros(called), "double"), converted(text("1000000"), "double"))


def _date_trunc(called: EngineCall) -> exp.Expr:
    unit = called.arguments[0].constant
    if unit not in _UNITS:
        raise Unavailable(f"date_trunc to {unit} is not available")
    cut = converted(call("date_trunc", text(unit), instant(_moment(called, 1))), "timestamp_ntz")
    return converted(cut, "date") if called.type.kind == "date" else cut


def _time_bucket(called: EngineCall) -> exp.Expr:
    """Buckets of a fixed length, from 2000-01-03 on."""
    months, days, micros = parts_of(called.arguments[0])
    width = days * _DAY + micros
    if months or len(called.arguments) > 2:
        raise Unavailable("buckets of months, or with an origin, are not available")
    at = call("unix_micros", instant(_moment(called, 1)))
    rest = call("pmod", infix(exp.Sub, at, number(_MONDAY)), converted(text(str(width)), "bigint"))
    made = from_micros(infix(exp.Sub, at, rest))
    return converted(made, "date") if called.type.kind == "date" else made


def _last_day(called: EngineCall) -> exp.Expr:
    return call("last_day", converted(_moment(called).sql, "date"))


def _strftime(called: EngineCall) -> exp.Expr:
    """Of a column, whose years have four digits, and the plainest of formats."""
    value, pattern = _bare(called.arguments[0]), called.arguments[1].constant or ""
    parts = re.findall(r"%.|[-/: .]|.", pattern)
    if not all(part in _FORMATS or part in "-/: ." for part in parts):
        raise Unavailable(f"strftime with the format {pattern} is not available")
    written = "".join(_FORMATS.get(part, part) for part in parts)
    return call("date_format", converted(value, "timestamp"), text(written))


def _bare(value: Value) -> exp.Expr:
    """A column of a table, alone or where it is not too far away."""
    columns = list(value.sql.find_all(exp.Column))
    computed = value.sql.find(exp.Anonymous, exp.Add, exp.Sub)
    known = ("date_from_unix_date", "timestamp_micros")
    plain = computed is None or all(part.name in known for part in value.sql.find_all(exp.Anonymous))
    if not columns or not plain or value.sql.find(exp.Add, exp.Sub):
        raise Unavailable("the text of a computed date is not available")
    return value.sql


# --- what no date of Spark is --------------------------------------------------------------------


def isinf(called: EngineCall) -> exp.Expr:
    [value] = called.arguments
    if value.type.kind in _MOMENTS:
        return either((present(value.sql), exp.false()))
    return _beside_infinity(value, exp.EQ)


def isfinite(called: EngineCall) -> exp.Expr:
    [value] = called.arguments
    if value.type.kind in _MOMENTS:
        return either((present(value.sql), exp.true()))
    return _beside_infinity(value, exp.LT)


def _beside_infinity(value: Value, kind: type[exp.Expr]) -> exp.Expr:
    if value.type.kind != "float":
        raise Unavailable("infinity of anything but a float is not available")
    return infix(kind, call("abs", converted(value.sql, "double")), converted(text("Infinity"), "double"))


FUNCTIONS: dict[str, Function] = {
    "isoyear": _isoyear,
    "epoch": _epoch,
    "epoch_us": _micros,
    "make_timestamp": lambda called: from_micros(called.sqls[0]),
    "date_trunc": _date_trunc,
    "time_bucket": _time_bucket,
    "last_day": _last_day,
    "strftime": _strftime,
}
