"""Moments on which every function and conversion of time has a result; beyond them it sees NULL.

DuckDB's dates reach the year 5,877,641 and its timestamps the year 294,247; what would leave them is an
error. A column may hold more: a number from Arrow or Parquet is taken as it is, also where it is no moment at
all, or none that another type of timestamps holds. There even TRY_CAST fails, and DuckDB 2.0 gives up the
whole database. Comparisons within one type never fail.
"""

from __future__ import annotations

from dpduck.catalog.types import SqlType, parse_type
from dpduck.query.tree import build
from dpduck.query.tree.nodes import BOOLEAN, Comparison, Expression, Grouped, Literal

_FIRST, _LAST = "140000-01-01 (BC)", "140000-12-31"
_TIMESTAMP = parse_type("TIMESTAMP")
_EARLIEST = Literal("290309-12-22 (BC)", _TIMESTAMP)
_ENDS = {
    **dict.fromkeys(("DATE", "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS"), (_FIRST, _LAST)),
    "TIMESTAMP_NS": ("1677-09-22", "2262-04-11"),
    "TIME": ("00:00:00", "24:00:00"),
}


def ordinary(value: Expression, sql_type: SqlType) -> Grouped:
    """The value where it is infinite or in the years up to 140,000 before and after Christ; else NULL."""
    first, last = (Literal(end, sql_type) for end in _ENDS[sql_type.name])
    tests = [build.between(value, first, last), *_infinite(value, sql_type)]
    return build.only_where(build.any_of(*tests), value)


def _infinite(value: Expression, sql_type: SqlType) -> list[Expression]:
    if sql_type.name == "TIME":
        return []
    if sql_type.kind != "other":
        return [is_infinite(value)]
    return [Comparison("=", value, Literal(f"{sign}infinity", sql_type)) for sign in ("", "-")]


def is_infinite(value: Expression) -> Expression:
    return build.call("isinf", BOOLEAN, value)


def actual(value: Expression) -> Grouped:
    """A TIMESTAMP where it is one, which has a text; else NULL."""
    return build.only_where(build.any_of(Comparison(">=", value, _EARLIEST), is_infinite(value)), value)


def is_other_time(sql_type: SqlType) -> bool:
    """Whether it is TIME, or a type of timestamps of another precision than TIMESTAMP, without a zone."""
    return sql_type.kind == "other" and sql_type.name in _ENDS
