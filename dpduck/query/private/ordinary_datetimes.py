"""Moments on which every function and conversion of time has a result; beyond them it sees NULL.

DuckDB's dates reach the year 5,877,641 and its timestamps the year 294,247; what would leave them is an
error. A column may hold more: a number from Arrow or Parquet is taken as it is, also where it is no moment at
all, or none that another type of timestamps holds. There even TRY_CAST fails, and DuckDB 2.0 gives up the
whole database. Comparisons within one type never fail.
"""

from __future__ import annotations

from dpduck.catalog.types import SqlType
from dpduck.query.write import emit

_FIRST, _LAST = "140000-01-01 (BC)", "140000-12-31"
_EARLIEST = "290309-12-22 (BC)"
_ENDS = {
    **dict.fromkeys(("DATE", "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS"), (_FIRST, _LAST)),
    "TIMESTAMP_NS": ("1677-09-22", "2262-04-11"),
    "TIME": ("00:00:00", "24:00:00"),
}


def ordinary(sql: str, sql_type: SqlType) -> str:
    """The value where it is infinite or in the years up to 140,000 before and after Christ; else NULL."""
    first, last = (f"{sql_type.name} '{end}'" for end in _ENDS[sql_type.name])
    tests = [f"{sql} BETWEEN {first} AND {last}", *_infinite(sql, sql_type)]
    return f"(CASE WHEN {' OR '.join(tests)} THEN {sql} END)"


def _infinite(sql: str, sql_type: SqlType) -> list[str]:
    if sql_type.name == "TIME":
        return []
    if sql_type.kind != "other":
        return [emit.call("isinf", sql)]
    return [f"{sql} = {sql_type.name} '{sign}infinity'" for sign in ("", "-")]


def actual(sql: str) -> str:
    """A TIMESTAMP where it is one, which has a text; else NULL."""
    return f"(CASE WHEN {sql} >= TIMESTAMP '{_EARLIEST}' OR {emit.call('isinf', sql)} THEN {sql} END)"


def is_other_time(sql_type: SqlType) -> bool:
    """Whether it is TIME, or a type of timestamps of another precision than TIMESTAMP, without a zone."""
    return sql_type.kind == "other" and sql_type.name in _ENDS
