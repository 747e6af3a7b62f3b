"""Who may log in: names with salted verifiers of their passwords; each change is recorded in the ledger.

The table is created with the first analyst, so a ledger without logins has none. It holds no password:
a verifier can check one, and can be inverted only by guessing. The row with the empty name holds a secret
from which the salts of all names are derived, also of names that do not exist.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from dpduck.errors import ParameterError, UnknownNameError
from dpduck.ledger.chain import digest
from dpduck.ledger.policies import Facts, add_to_ledger
from dpduck.ledger.transactions import EPOCH, Transaction

TABLE = "analyst"
SCRIPT = """CREATE TABLE IF NOT EXISTS analyst (
    name     TEXT   PRIMARY KEY,
    verifier TEXT   NOT NULL,
    added    BIGINT NOT NULL
)"""

_ALL = "SELECT name, verifier, added FROM analyst WHERE name <> '' ORDER BY name"
_PUT = """
    INSERT INTO analyst (name, verifier, added) VALUES (:name, :verifier, :added)
    ON CONFLICT (name) DO UPDATE SET verifier = excluded.verifier
"""

_SECRET_ROW = ""
_KEEP = """
    INSERT INTO analyst (name, verifier, added) VALUES (:name, :verifier, :added)
    ON CONFLICT (name) DO NOTHING
"""


@dataclass(frozen=True)
class Analyst:
    """An analyst who may log in. `added`: UTC."""

    name: str
    verifier: str
    added: datetime


def put_analyst(db: Transaction, name: str, verifier: str) -> None:
    """Add an analyst, or change the password. Errors: ParameterError."""
    if name == _SECRET_ROW:
        raise ParameterError("an analyst needs a name", hint="dpduck analyst add FILE NAME")
    db.run(SCRIPT)
    db.run(_PUT, {"name": name, "verifier": verifier, "added": db.now})
    add_to_ledger(db, f"analyst add {name}", facts_of(_read(db)), concerns=name)


def drop_analyst(db: Transaction, name: str) -> None:
    """Remove an analyst. Errors: UnknownNameError."""
    db.run(SCRIPT)
    if name == _SECRET_ROW or not db.run("SELECT 1 FROM analyst WHERE name = :name", {"name": name}):
        raise UnknownNameError(f"there is no analyst {name[:60]!r}", hint="dpduck analyst list FILE")
    db.run("DELETE FROM analyst WHERE name = :name", {"name": name})
    add_to_ledger(db, f"analyst remove {name}", facts_of(_read(db)), concerns=name)


def read_analysts(db: Transaction, *, exists: Callable[[Transaction, str], bool]) -> list[Analyst]:
    """All analysts, by name. Input: `exists` tells whether the store has a table."""
    return _read(db) if exists(db, TABLE) else []


def facts_of(analysts: Iterable[Analyst]) -> Facts:
    """The analysts as facts for the ledger: a digest of each verifier, which reveals nothing of it."""
    return {f"analyst {one.name}": digest(one.verifier) for one in analysts}


def _read(db: Transaction) -> list[Analyst]:
    return [
        Analyst(name, verifier, EPOCH + timedelta(microseconds=added))
        for name, verifier, added in db.run(_ALL)
    ]


def keep_secret(db: Transaction, fresh: bytes) -> bytes:
    """The secret from which salts are derived; `fresh` becomes the secret if there is none yet."""
    db.run(SCRIPT)
    db.run(_KEEP, {"name": _SECRET_ROW, "verifier": fresh.hex(), "added": db.now})
    [(secret,)] = db.run("SELECT verifier FROM analyst WHERE name = :name", {"name": _SECRET_ROW})
    return bytes.fromhex(str(secret))
