"""The range of dates and timestamps on which all functions and casts are total; outside it they see NULL.

DuckDB's dates end in the year 5,877,641 and its timestamps in the year 294,247; overflow is an error. A
column may hold values beyond: DuckDB does not check the integers of Arrow and Parquet, which may be no valid
timestamp, or overflow another type of timestamps. On these even TRY_CAST fails, and DuckDB 2.0 invalidates
the whole database. Comparisons within one type never fail.
"""

from __future__ import annotations

from dpduck.kernel.catalog.types import SqlType, parse_type
from dpduck.kernel.tree import build
from dpduck.kernel.tree.nodes import BOOLEAN, Comparison, Expression, Grouped, Literal

_FIRST, _LAST = "140000-01-01 (BC)", "140000-12-31"
_TIMESTAMP = parse_type("TIMESTAMP")
_EARLIEST = Literal("290309-12-22 (BC)", _TIMESTAMP)
_LIMITS = {
    **dict.fromkeys(("DATE", "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS"), (_FIRST, _LAST)),
    "TIMESTAMP WITH TIME ZONE": (f"{_FIRST} 00:00:00{build.UTC}", f"{_LAST} 00:00:00{build.UTC}"),
    "TIMESTAMP_NS": ("1677-09-22", "2262-04-11"),
    "TIME": ("00:00:00", "24:00:00"),
}


def ordinary(value: Expression, sql_type: SqlType) -> Grouped:
    """Replace the value by NULL unless it is infinite or in the years 140,000 BC to 140,000."""
    first, last = (Literal(end, sql_type) for end in _LIMITS[sql_type.name])
    tests = [build.between(value, first, last), *_infinite(value, sql_type)]
    return build.only_where(build.any_of(*tests), value)


def _infinite(value: Expression, sql_type: SqlType) -> list[Expression]:
    if sql_type.name == "TIME":
        return []
    if sql_type.kind != "other":
        return [is_infinite(value)]
    return [Comparison("=", value, Literal(f"{sign}infinity", sql_type)) for sign in ("", "-")]


def is_infinite(value: Expression) -> Expression:
    """Return the test that a date or timestamp is infinite."""
    return build.call("isinf", BOOLEAN, value)


def printable(value: Expression) -> Grouped:
    """Replace an invalid TIMESTAMP by NULL, since casting it to VARCHAR fails."""
    return build.only_where(build.any_of(Comparison(">=", value, _EARLIEST), is_infinite(value)), value)


def is_other_time(sql_type: SqlType) -> bool:
    """Whether the type is TIME, or a timestamp without time zone of another precision than TIMESTAMP."""
    return sql_type.kind == "other" and sql_type.name in _LIMITS
