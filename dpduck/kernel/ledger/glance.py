"""A look at a ledger that changes nothing, and is quick however many sessions there were."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from dpduck.kernel.ledger.errors import ledger_fault
from dpduck.kernel.ledger.places import shown
from dpduck.kernel.ledger.records import Account, Entry, without_id
from dpduck.kernel.ledger.store import Ledger
from dpduck.kernel.ledger.transactions import Transaction, read_between, read_last_seq

_LASTING = """
    SELECT scope, lower(name) AS name FROM account WHERE scope IN ('analyst', 'budget', 'table', 'people')
    UNION SELECT scope, lower(name) FROM cap WHERE scope IN ('analyst', 'budget', 'table', 'people')
    ORDER BY scope DESC, name
"""
_VERSION = "SELECT version FROM {schema}ledger_schema"


def version_of(location: str | Path) -> int | None:
    """The version of the tables of a ledger; None if there is none yet. Errors: LedgerError.

    Opening it would create what is missing, and upgrade what is old.
    """
    if "://" in str(location):
        return _version_at(str(location))
    path = Path(location)
    if not path.exists() or not path.stat().st_size:
        return None
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as db:
            [(version,)] = db.execute(_VERSION.format(schema="")).fetchall()
    except sqlite3.Error as error:
        fault = ledger_fault(shown(path), error)
    else:
        return int(version)
    raise fault


def lasting_accounts(ledger: Ledger, most: int | None = None) -> list[Account]:
    """All accounts of a ledger but those of sessions, of which each connection leaves one.

    Input: at most how many (None: all); those of tables and people come first, those of analysts last.
    """
    limited = _LASTING if most is None else f"{_LASTING} LIMIT :most"
    rows = ledger._read(lambda db: db.run(limited, {} if most is None else {"most": most}))
    return [Account(scope, without_id(key) if scope == "people" else key, id=key) for scope, key in rows]


@dataclass(frozen=True)
class LastCharges:
    """Charges, newest first. `before`: the number below which to look on; None: these are the first ones."""

    entries: tuple[Entry, ...]
    before: int | None


def last_charges(
    ledger: Ledger, most: int, *, below: int | None = None, analyst: str | None = None, within: int = 20_000
) -> LastCharges:
    """The last charges, of one analyst or of all, at a cost that the length of the ledger does not decide.

    Input: at most how many; only those with a number below that; among how many entries to look for them.
    """

    def work(db: Transaction) -> LastCharges:
        start = read_last_seq(db) + 1 if below is None else below
        end = max(start - within - 1, 0)
        found = read_between(db, end, start, analyst, most)
        reached = found[-1].seq if len(found) == most else end + 1
        return LastCharges(tuple(found), reached if reached > 1 else None)

    return ledger._read(work)


def _version_at(url: str) -> int | None:
    from sqlalchemy import create_engine, make_url, text  # an optional dependency
    from sqlalchemy.exc import SQLAlchemyError

    from dpduck.kernel.ledger.postgres_errors import postgres_fault

    try:
        address = make_url(url).set(drivername="postgresql+psycopg")
        engine = create_engine(address, connect_args={"connect_timeout": "10"}, hide_parameters=True)
        try:
            with engine.connect() as db:
                if db.execute(text("SELECT to_regclass('dpduck.ledger_schema')")).scalar() is None:
                    return None
                return int(db.execute(text(_VERSION.format(schema="dpduck."))).scalar_one())
        finally:
            engine.dispose()
    except SQLAlchemyError as error:
        fault = postgres_fault(error)
    raise fault
