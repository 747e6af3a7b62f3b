"""An empty DuckDB, in which constants are computed and texts are parsed while a query is planned."""

from __future__ import annotations

from functools import cache

import duckdb


def cursor_of_nothing() -> duckdb.DuckDBPyConnection:
    """Return a cursor of a database without tables, whose zone and calendar are those of all plans."""
    cursor = _database().cursor()
    cursor.execute("SET TimeZone = 'UTC'; SET Calendar = 'gregorian'")
    return cursor


@cache
def _database() -> duckdb.DuckDBPyConnection:
    return duckdb.connect(":memory:", config={"threads": 1})
