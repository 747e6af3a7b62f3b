"""Rows that come from outside of a database: read from a relation, and copied into a new table.

A table of its own, rather than a view of what another library holds, is what queries are planned for: its
types are known, and its rows stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import duckdb
import pyarrow as pa

from dpduck.engines.duckdb.database import Database
from dpduck.errors import PolicyError
from dpduck.query.tree import emit

_ROWS = "dpduck_rows"  # the name of the Arrow table while it is copied
# DuckDB's types that Arrow has in another form, or not at all: how they travel.
_TRAVEL = {"HUGEINT": "DECIMAL(38,0)", "UHUGEINT": "VARCHAR"}


def read_relation(relation: duckdb.DuckDBPyRelation) -> pa.Table:
    """The rows of a relation in Arrow, which `create_table` gives its types back. Errors: duckdb.Error."""
    types = (str(one) for one in relation.types)
    return relation.project(", ".join(map(_travelling, relation.columns, types))).to_arrow_table()


def _travelling(name: str, kind: str) -> str:
    column = emit.identifier(name)
    travels = "VARCHAR" if kind.startswith("ENUM") else _TRAVEL.get(kind)
    return column if travels is None else f"CAST({column} AS {travels}) AS {column}"


def create_table(database: Database, name: str, rows: pa.Table, types: Sequence[str]) -> None:
    """Copy rows into a new table.

    Input: the DuckDB type of each column; empty where it follows from Arrow's.
    Errors: PolicyError, whose text does not depend on the rows.
    """
    reason = "A column is of a type that DuckDB does not have, or there is too little memory"
    items = ", ".join(map(_typed, rows.column_names, types))
    with database.cursor() as cursor, suppress(duckdb.Error):
        cursor.register(_ROWS, rows)
        try:
            cursor.execute(
                f"CREATE TABLE {emit.identifier(name)} AS SELECT {items} FROM {emit.identifier(_ROWS)}"
            )
        except duckdb.CatalogException:
            reason = "The database has a table or view of that name"
        else:
            return
    raise PolicyError(f"table {name[:60]} cannot be made", detail=f"{reason}.")


def _typed(name: str, kind: str) -> str:
    column = emit.identifier(name)
    return f"CAST({column} AS {kind}) AS {column}" if kind else column


def add_primary_key(database: Database, name: str, column: str) -> bool:
    """Let DuckDB enforce that each row of a table has a value of its own. Output: whether each has."""
    statement = f"ALTER TABLE {emit.identifier(name)} ADD PRIMARY KEY ({emit.identifier(column)})"
    with database.cursor() as cursor, suppress(duckdb.Error):
        cursor.execute(statement)
        return True
    return False


def drop_table(database: Database, name: str) -> None:
    """Drop a table."""
    with database.cursor() as cursor:
        cursor.execute(f"DROP TABLE {emit.identifier(name)}")
