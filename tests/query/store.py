"""A shop as people build them: linked customers and orders, public dimensions, views, a bound on rows."""

from __future__ import annotations

import duckdb

from tests.query.tpch import open_tables


def open_store(path: str = ":memory:") -> duckdb.DuckDBPyConnection:
    """The tables and views in memory, or in a file, with rows and policies."""
    return open_tables("store_tables", path)
