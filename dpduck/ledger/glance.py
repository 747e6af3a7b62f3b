"""A look at a ledger that changes nothing: opening one creates what is missing, and upgrades what is old."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from dpduck.ledger.errors import ledger_fault
from dpduck.ledger.places import shown

_VERSION = "SELECT version FROM {schema}ledger_schema"


def version_of(location: str | Path) -> int | None:
    """The version of the tables of a ledger; None if there is none yet. Errors: LedgerError."""
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
