"""TPC-H's eight tables with a few rows each: `customer` is the privacy unit, the rest linked or public."""

from __future__ import annotations

from pathlib import Path

import duckdb

from dpduck import policies
from tests.query.shop import statement


def open_tpch(path: str = ":memory:") -> duckdb.DuckDBPyConnection:
    """The tables in memory, or in a file, with rows and policies."""
    return open_tables("tpch_tables", path)


def open_tables(folder: str, path: str = ":memory:") -> duckdb.DuckDBPyConnection:
    """A database in memory, or in a file, made of the SQL files in a folder."""

    def text(name: str) -> str:
        return (Path(__file__).parent / folder / f"{name}.sql").read_text(encoding="utf-8")

    connection = duckdb.connect(path)
    connection.execute(text("schema"))
    connection.execute(text("rows"))
    for policy in text("policies").strip().removesuffix(";").split(";\n"):
        policies.execute(connection, statement(policy))
    return connection
