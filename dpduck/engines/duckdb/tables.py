"""Rows that come from outside of a database: read from a relation, and copied into a new table.

A table of its own, rather than a view of what another library holds, is what queries are planned for: its
types are known, and its rows stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import duckdb
import pyarrow as pa

from dpduck.engines.duckdb.database import Database
from dpduck.engines.duckdb.value_limits import limits
from dpduck.kernel.errors import PolicyError
from dpduck.kernel.tree import emit

_ROWS = "dpduck_rows"  # the name of the Arrow table while it is copied
# DuckDB's types that Arrow has in another form, or not for all of their values: they travel as text.
_TRAVEL_AS_TEXT = ("HUGEINT", "UHUGEINT", "BIT", "TIME WITH TIME ZONE", "INTERVAL")
_WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")
_WHOLE_TYPES = {*_WHOLE, *(f"U{name}" for name in _WHOLE)}
_INEXACT = re.compile(r"FLOAT|DOUBLE|DECIMAL.*")


@dataclass(frozen=True)
class ColumnType:
    """What a column becomes. `name`: DuckDB's type, empty where it follows from Arrow's. `is_stated`: whether
    the owner says so, whatever the values are: one that does not fit is NULL then."""

    name: str = ""
    is_stated: bool = False


def read_relation(relation: duckdb.DuckDBPyRelation) -> pa.Table:
    """The rows of a relation in Arrow, which `create_table` gives its types back. Errors: duckdb.Error."""
    types = (str(one) for one in relation.types)
    return relation.project(", ".join(map(_travelling, relation.columns, types))).to_arrow_table()


def _travelling(name: str, kind: str) -> str:
    column = emit.identifier(name)
    is_text = kind.startswith("ENUM") or kind in _TRAVEL_AS_TEXT
    return f"CAST({column} AS VARCHAR) AS {column}" if is_text else column


def create_table(database: Database, name: str, rows: pa.Table, types: Sequence[ColumnType]) -> None:
    """Copy rows into a new table. Values that DuckDB's functions would fail on are NULL.

    Input: what each column becomes.
    Errors: PolicyError, whose text does not depend on the rows.
    """
    reason = "A column is of a type that DuckDB does not have, or there is too little memory"
    with database.cursor() as cursor, suppress(duckdb.Error):
        cursor.register(_ROWS, rows)
        try:
            source = f"FROM {emit.identifier(_ROWS)}"
            found = [row[1] for row in cursor.execute(f"DESCRIBE {source}").fetchall()]
            items = ", ".join(map(_typed, rows.column_names, found, types))
            cursor.execute(f"CREATE TABLE {emit.identifier(name)} AS SELECT {items} {source}")
        except duckdb.CatalogException:
            reason = "The database has a table or view of that name"
        else:
            return
    raise PolicyError(f"table {name[:60]} cannot be made", detail=f"{reason}.")


def _typed(name: str, found: str, wanted: ColumnType) -> str:
    column = emit.identifier(name)
    if wanted.is_stated:
        return f"{_fitting(column, found, wanted.name)} AS {column}"
    value, kind = (f"CAST({column} AS {wanted.name})", wanted.name) if wanted.name else (column, found)
    within = limits(kind, value)
    return f"{value if within is None else f'CASE WHEN {within} THEN {value} END'} AS {column}"


def _fitting(column: str, found: str, wanted: str) -> str:
    """SQL of a value in another type, NULL where it does not fit: DuckDB would round to whole numbers."""
    value = f"TRY_CAST({column} AS {wanted})"
    if wanted in _WHOLE_TYPES and _INEXACT.fullmatch(found):
        return f"CASE WHEN {column} = trunc({column}) THEN {value} END"
    if wanted in _WHOLE_TYPES and found == "VARCHAR":
        return f"CASE WHEN regexp_full_match(trim({column}), '[-+]?[0-9]+([.]0*)?') THEN {value} END"
    within = limits(wanted, value)
    return value if within is None else f"CASE WHEN {within} THEN {value} END"


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
