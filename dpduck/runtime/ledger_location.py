"""Where a database's ledger is: beside its file, or in memory for as long as the database."""

from __future__ import annotations

import secrets
from pathlib import Path

import duckdb

from dpduck.engines.duckdb.path import ledger_beside
from dpduck.ledger import Ledger, open_ledger

# The ledgers of databases in memory, by the name that each of these databases carries. They are never
# dropped: a second connection to the same database must find what the first one spent.
_in_memory: dict[str, Ledger] = {}


def open_beside(
    connection: duckdb.DuckDBPyConnection, location: str | Path | None, anchor: str | Path | None = None
) -> Ledger:
    """Open the ledger at a location, or by default the one that belongs to the database.

    Input: `anchor`: as of `open_ledger`; a ledger in memory has none.
    Errors: LedgerError.
    """
    if location is None:
        # All rows are fetched, here and below: a result that is left open would own the connection.
        rows = connection.execute(
            "SELECT path FROM duckdb_databases() WHERE database_name = current_database()"
        ).fetchall()
        location = ledger_beside(rows[0][0]) if rows[0][0] else None
    return _of_memory(connection) if location is None else open_ledger(location, anchor)


def _of_memory(connection: duckdb.DuckDBPyConnection) -> Ledger:
    """The one ledger of a database in memory, whichever connection asks for it."""
    connection.execute("CREATE SCHEMA IF NOT EXISTS dpduck")
    connection.execute(f"CREATE MACRO IF NOT EXISTS dpduck.ledger_name() AS '{secrets.token_hex(16)}'")
    (name,) = connection.execute("SELECT dpduck.ledger_name()").fetchall()[0]
    return _in_memory.setdefault(str(name), open_ledger(None)) if name not in _in_memory else _in_memory[name]
