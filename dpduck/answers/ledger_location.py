"""The location of a database's ledger: beside its file, or in memory for a database in memory."""

from __future__ import annotations

import secrets
from pathlib import Path

from dpduck.engines.duckdb.database import Database
from dpduck.engines.duckdb.path import ledger_beside
from dpduck.kernel.ledger import Ledger, Room, open_ledger

# The ledgers of databases in memory, by a name stored in each of these databases. They are never
# dropped: a second connection to the same database must find what the first one spent.
_in_memory: dict[str, Ledger] = {}


def open_beside(
    connection: Database,
    location: str | Path | None,
    anchor: str | Path | None = None,
    room: Room | None = None,
) -> Ledger:
    """Open the ledger at a location, or by default the one that belongs to the database.

    Input: `anchor` and `room`: as in `open_ledger`; a ledger in memory has no anchor.
    Errors: LedgerError.
    """
    if location is None:
        # All rows are fetched, here and below, since an open result would keep the connection busy.
        rows = connection.execute(
            "SELECT path FROM duckdb_databases() WHERE database_name = current_database()"
        ).fetchall()
        location = ledger_beside(rows[0][0]) if rows[0][0] else None
    if location is not None:
        return open_ledger(location, anchor, room)
    ledger = _of_memory(connection)
    ledger.room = room or ledger.room
    return ledger


def close_beside(ledger: Ledger) -> None:
    """Close what `open_beside` opened, so that its file can be moved; one in memory stays."""
    if ledger not in _in_memory.values():
        ledger.close()


def _of_memory(connection: Database) -> Ledger:
    """The one ledger of a database in memory, for all of its connections."""
    connection.execute("CREATE SCHEMA IF NOT EXISTS dpduck")
    connection.execute(f"CREATE MACRO IF NOT EXISTS dpduck.ledger_name() AS '{secrets.token_hex(16)}'")
    (name,) = connection.execute("SELECT dpduck.ledger_name()").fetchall()[0]
    return _in_memory.setdefault(str(name), open_ledger(None)) if name not in _in_memory else _in_memory[name]
