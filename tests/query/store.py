"""A shop as people build them: linked customers and orders, public dimensions, views, a bound on rows."""

from __future__ import annotations

import duckdb

from tests.query.tpch import open_tables


def open_store() -> duckdb.DuckDBPyConnection:
    """The tables and views in memory, with rows and policies."""
    return open_tables("store_tables")
