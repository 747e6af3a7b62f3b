"""Copies of a ledger: its rows from any store to any other, and its file, as of one moment."""

from __future__ import annotations

import glob
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from dpduck.kernel.errors import LedgerError
from dpduck.kernel.ledger import open_ledger
from dpduck.kernel.ledger.analysts import SCRIPT as ANALYST_SCRIPT
from dpduck.kernel.ledger.analysts import TABLE as ANALYST_TABLE
from dpduck.kernel.ledger.analysts import facts_of, read_analysts
from dpduck.kernel.ledger.anchor import Anchor, Mark, open_anchor
from dpduck.kernel.ledger.chain import FIELDS, Head
from dpduck.kernel.ledger.errors import creation_fault, ledger_fault
from dpduck.kernel.ledger.glance import version_of
from dpduck.kernel.ledger.places import shown
from dpduck.kernel.ledger.policies import add_to_ledger
from dpduck.kernel.ledger.sqlite_upgrade import sync
from dpduck.kernel.ledger.store import Ledger
from dpduck.kernel.ledger.summaries import COLUMNS as SUMMARY_COLUMNS
from dpduck.kernel.ledger.summaries import SCRIPT as SUMMARY_SCRIPT
from dpduck.kernel.ledger.summaries import TABLE as SUMMARY_TABLE
from dpduck.kernel.ledger.transactions import Transaction, read_head

_BATCH = 500  # rows; an answer may have a megabyte
_SPENT = ("epsilon", "delta", "rho", "mu_squared", "keys_delta")
_RETURNED = ("epsilon", "delta", "rho")
_ACCOUNT = ("scope", "name", "period", *(f"{n}_spent" for n in _SPENT), *(f"{n}_returned" for n in _RETURNED))

# The tables of a ledger with their columns, the first of which is the key where rows are many.
_TABLES: dict[str, tuple[str, ...]] = {
    "entry": (*FIELDS, "hash"),
    "answer": ("seq", "subject", "version", "description", "contents"),
    "account": _ACCOUNT,
    "cap": ("scope", "name", "terms"),
}
_MANY = ("entry", "answer", SUMMARY_TABLE)
_CREATED_LATER: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (ANALYST_TABLE, ANALYST_SCRIPT, ("name", "verifier", "added")),
    (SUMMARY_TABLE, SUMMARY_SCRIPT, SUMMARY_COLUMNS),
)

_SAME = "UPDATE ledger_schema SET id = :id"


def fill(source: Ledger, target: Ledger) -> None:
    """Copy a ledger, as of one moment, into an empty one, which must be opened again then."""
    target._write(lambda new: source._read(lambda old: copy_rows(source, old, new)))


def copy_rows(source: Ledger, old: Transaction, new: Transaction) -> None:
    """Copy all rows of a ledger in a transaction of each."""
    new.ledger_id = old.ledger_id
    new.run(_SAME, {"id": old.ledger_id})
    tables = dict(_TABLES)
    for table, script, columns in _CREATED_LATER:
        if source._has_table(old, table):
            new.run(script)
            tables[table] = columns
    for table, columns in tables.items():
        names = ", ".join(columns)
        insert = f"INSERT INTO {table} ({names}) VALUES ({', '.join(f':{column}' for column in columns)})"
        for row in _rows(old, table, columns):
            new.run(insert, dict(zip(columns, row, strict=True)))


def _rows(db: Transaction, table: str, columns: Sequence[str]) -> Iterator[tuple[object, ...]]:
    """The rows of a table, of a large one some at a time."""
    names, key = ", ".join(columns), columns[0]
    if table not in _MANY:
        yield from db.run(f"SELECT {names} FROM {table}", {})
        return
    page = f"SELECT {names} FROM {table} WHERE {key} > :last ORDER BY {key} LIMIT {_BATCH}"
    last: object = 0
    while rows := db.run(page, {"last": last}):
        yield from rows
        last = rows[-1][0]


def noted(ledger: Ledger, db: Transaction, statement: str) -> Mark:
    """Record what happened to a ledger. Output: its end."""
    add_to_ledger(db, statement, facts_of(read_analysts(db, exists=ledger._has_table)))
    head = read_head(db)
    return Mark(db.ledger_id, head.number, head.hash)


def anchor_of(location: str, anchor: str | None) -> Anchor | None:
    """The anchor of a ledger, by default beside its file."""
    place = f"{location}.anchor" if anchor is None and "://" not in location else anchor
    return None if place is None else open_anchor(place)


def anchored(location: str, anchor: str | None, mark: Mark, *, replaces: bool = False) -> Head:
    """Bring the anchor to the end of a ledger that was put in its place."""
    known = anchor_of(location, anchor)
    if known is not None and replaces:
        known.replace(mark)
    with open_ledger(location, anchor) as ledger:
        ledger._advance(mark)
        ledger.verify()
        return ledger.head()


def check_free(location: str) -> None:
    """Errors: LedgerError if there is something at a place."""
    if "://" not in location:
        taken = Path(location).exists()
    elif taken := version_of(location) is not None:
        with open_ledger(location) as ledger:  # one without an entry was begun by a copy that failed
            taken = bool(ledger.head().number)
    if taken:
        raise LedgerError(
            f"there is something at {named(location)} already",
            detail="It is not overwritten.",
            hint="Give another place.",
        )


@contextmanager
def new_file(out: Path) -> Iterator[Path]:
    """A scratch file that becomes a new file of that name, on disk, if the block ends well."""
    check_free(str(out))
    with scratch(out) as part:
        yield part
        with closing(sqlite3.connect(part)) as db:
            db.execute(
                "PRAGMA journal_mode = DELETE"
            )  # a single file, which can be read where none is written
        sync(part)
        part.rename(out)
        sync(out.absolute().parent)


@contextmanager
def scratch(beside: Path) -> Iterator[Path]:
    """An empty file of mode 0600 beside another one, gone at the end unless it was renamed."""
    part = beside.absolute().with_name(f"{beside.name}.part")
    try:
        for old in part.parent.glob(f"{glob.escape(part.name)}*"):  # of a process that was killed
            old.unlink()
        os.close(os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except OSError as error:
        fault = creation_fault(shown(beside), error)
    else:
        try:
            yield part
        finally:
            for rest in part.parent.glob(f"{glob.escape(part.name)}*"):
                rest.unlink()
        return
    raise fault


def copy_file(path: Path, part: Path) -> None:
    """Copy a file of SQLite in one step, hence as of one moment. Errors: LedgerError."""
    try:
        with (
            closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as source,
            closing(sqlite3.connect(part, isolation_level=None)) as target,
        ):
            source.backup(target)  # all pages within one read transaction, which keeps no writer waiting
    except sqlite3.Error as error:
        fault = ledger_fault(shown(path), error)
    else:
        return
    raise fault


def named(location: str) -> str:
    """A place as it may be told: an absolute path, or an address without user and password.

    >>> named("postgresql://me:secret@host:5432/db")
    'postgresql://host:5432/db'
    """
    if "://" not in location:
        return str(Path(location).absolute())
    parts = urlsplit(location)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
