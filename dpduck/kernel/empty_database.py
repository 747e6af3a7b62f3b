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
    nothing_else = {"enable_external_access": False, "python_enable_replacements": False}
    return duckdb.connect(":memory:", config={"threads": 1, **nothing_else})


def has_meaning(rows: str) -> bool:
    """Whether SQL of rows can be read with no table, and nothing beside it."""
    with cursor_of_nothing() as cursor:
        try:
            cursor.execute(f"DESCRIBE SELECT * FROM {rows}")
        except duckdb.Error:
            return False
    return True


@cache
def functions_of_values() -> frozenset[str]:
    """DuckDB's functions that read no table: one that does is a table function there, or volatile."""
    with cursor_of_nothing() as cursor:
        found = cursor.execute(
            "SELECT function_name FROM duckdb_functions() GROUP BY function_name HAVING bool_and("
            "function_type IN ('scalar', 'aggregate', 'window') AND stability <> 'VOLATILE')"
        ).fetchall()
    return frozenset(name for (name,) in found)


@cache
def views_of_nothing() -> frozenset[str]:
    """The views, in lower case, by which a database without tables tells of itself."""
    with cursor_of_nothing() as cursor:
        found = cursor.execute("SELECT lower(view_name) FROM duckdb_views()").fetchall()
    return frozenset(name for (name,) in found)
