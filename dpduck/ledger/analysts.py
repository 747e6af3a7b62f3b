"""Who may log in: names with salted verifiers of their passwords, beside the ledger's record.

The table is made with the first analyst, so that a ledger nobody logs in to has none. It holds no password:
a verifier can check one, and cannot be turned into one but by trying.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from dpduck.errors import UnknownNameError
from dpduck.ledger.tables import EPOCH, Transaction

TABLE = "analyst"
SCRIPT = """CREATE TABLE IF NOT EXISTS analyst (
    name     TEXT   PRIMARY KEY,
    verifier TEXT   NOT NULL,
    added    BIGINT NOT NULL
)"""

_PUT = """
    INSERT INTO analyst (name, verifier, added) VALUES (:name, :verifier, :added)
    ON CONFLICT (name) DO UPDATE SET verifier = excluded.verifier
"""


@dataclass(frozen=True)
class Analyst:
    """Somebody who may log in. `added`: UTC."""

    name: str
    verifier: str
    added: datetime


def put_analyst(db: Transaction, name: str, verifier: str) -> None:
    """Let somebody log in, or change the password."""
    db.run(SCRIPT)
    db.run(_PUT, {"name": name, "verifier": verifier, "added": db.now})


def drop_analyst(db: Transaction, name: str) -> None:
    """Let somebody log in no more. Errors: UnknownNameError."""
    db.run(SCRIPT)
    if not db.run("SELECT 1 FROM analyst WHERE name = :name", {"name": name}):
        raise UnknownNameError(f"there is no analyst {name[:60]!r}", hint="dpduck analyst list FILE")
    db.run("DELETE FROM analyst WHERE name = :name", {"name": name})


def read_analysts(db: Transaction, *, exists: Callable[[Transaction, str], bool]) -> list[Analyst]:
    """Who may log in, by name. Input: whether the store has a table."""
    if not exists(db, TABLE):
        return []
    rows = db.run("SELECT name, verifier, added FROM analyst ORDER BY name")
    return [Analyst(name, verifier, EPOCH + timedelta(microseconds=added)) for name, verifier, added in rows]
