"""A look at a ledger that changes nothing, and is quick however many sessions there were."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from dpduck.ledger.errors import ledger_fault
from dpduck.ledger.places import shown
from dpduck.ledger.records import Account, without_id
from dpduck.ledger.store import Ledger

_LASTING = """
    SELECT scope, lower(name) AS name FROM account WHERE scope IN ('analyst', 'budget', 'table', 'people')
    UNION SELECT scope, lower(name) FROM cap WHERE scope IN ('analyst', 'budget', 'table', 'people')
    ORDER BY scope, name
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


def lasting_accounts(ledger: Ledger) -> list[Account]:
    """All accounts of a ledger but those of sessions, of which each connection leaves one."""
    rows = ledger._read(lambda db: db.run(_LASTING, {}))
    return [Account(scope, without_id(key) if scope == "people" else key, id=key) for scope, key in rows]


def _version_at(url: str) -> int | None:
    from sqlalchemy import create_engine, make_url, text  # an optional dependency
    from sqlalchemy.exc import SQLAlchemyError

    from dpduck.ledger.postgres_errors import postgres_fault

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
