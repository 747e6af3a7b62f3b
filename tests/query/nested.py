"""Members and their baskets, with STRUCTs, lists and JSON in their columns."""

from __future__ import annotations

import duckdb

from tests.query.tpch import open_tables


def open_nested(path: str = ":memory:") -> duckdb.DuckDBPyConnection:
    """The tables in memory, or in a file, with rows and policies."""
    return open_tables("nested_tables", path)
