"""Upgrade the file of an older ledger in place, and keep a copy beside it.

During the upgrade no other process may have the file open, since one that knows only the older version would
go on by its rules. The tables are created anew and filled from the old ones in one transaction, so a crash
leaves one or the other; the copy is complete and on disk before that begins.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from pathlib import Path

from dpduck.kernel.ledger.analysts import TABLE as ANALYSTS
from dpduck.kernel.ledger.chain import digest
from dpduck.kernel.ledger.errors import damage_fault, is_busy, older_fault
from dpduck.kernel.ledger.transactions import Transaction
from dpduck.kernel.ledger.upgrades import find_before, upgrade
from dpduck.kernel.ledger.versions import VERSION

OBJECTS = "SELECT type, name, tbl_name, sql FROM sqlite_schema"

# Digests of the schema that each older version created, without and with the table of analysts.
_MADE = {
    2: (
        "ae993347d58ee82b60aba2e4faa2857a4ed03aaf1704cbc7c59735de5fb8aad0",
        "2cce8944fe7e18b900ed07791293e004d98273d109307ebbfa7e395c3e87e174",
    ),
    3: (
        "58ddcee6bb84a48cfbd9840fc8a52f76cbd30f8a035775a39396b98e94a66131",
        "199de9d3bf0a4f0d4f02516ec5ceb30af2d6f4aa7b19274b634adca8ecc8bdf7",
    ),
    4: (
        "6048d8e269c7b90f91ac9552d2b6c439748e9ad5474e6278436e54469e181b37",
        "37517a588fac4d03764eb0e9d85574544a08d48bb7cea6a46e72c129070952df",
    ),
}
_ROOM = "Make room beside the file given by --ledger, then try again."
_SCHEMA_TABLE = "ledger_schema"
_OLD = "old_"

# Creates a transaction from a connection and the ledger's random name.
Opened = Callable[[sqlite3.Connection, str], Transaction]
Exists = Callable[[Transaction, str], bool]


def upgrade_file(
    path: Path,
    script: str,
    busy_seconds: float,
    opened: Opened,
    exists: Exists,
    check: Callable[[Transaction], None],
) -> None:
    """Upgrade a ledger, unless another process has done so in the meantime.

    Input: `script`: creates the tables of this version; `busy_seconds`: the timeout for others to close the
        file; `opened`, `exists`: create a transaction, look for a table; `check`: raises an error if the
        ledger is not the one of its anchor.
    Errors: LedgerError, with the file unchanged; sqlite3.Error.
    """
    where = f"'{path}'"
    opened_alone = alone(path, busy_seconds)
    if opened_alone is None:
        raise older_fault(
            where,
            "Another process has it open.",
            "End the processes that use the ledger given by --ledger, then try again.",
        )
    with closing(opened_alone) as db:
        version, name = db.execute("SELECT version, id FROM ledger_schema").fetchone()
        if version == VERSION:
            return
        transaction = opened(db, name)
        fault = _fault(db, version) or find_before(transaction, version, exists)
        if fault is not None:
            raise damage_fault(fault)
        check(transaction)
        _keep_copy(db, path, version, where)
        db.execute("BEGIN IMMEDIATE")
        try:
            _remake(db, script, name)
            upgrade(transaction, version, exists)
            db.execute("COMMIT")
        except BaseException:
            if db.in_transaction:
                with suppress(sqlite3.Error):
                    db.execute("ROLLBACK")
            raise


def made(rows: Iterable[tuple[object, ...]]) -> str:
    """A digest of a schema. Input: the rows of `OBJECTS`."""
    return digest(repr(sorted(map(repr, rows))))


def _fault(db: sqlite3.Connection, version: int) -> str | None:
    [(state,)] = db.execute("PRAGMA integrity_check(1)").fetchall()
    if state != "ok":
        return "Its file contradicts itself."
    if made(db.execute(OBJECTS).fetchall()) not in _MADE[version]:
        return "Its tables and triggers are not those that were made."
    return None


def alone(path: Path, busy_seconds: float) -> sqlite3.Connection | None:
    """Open the file with an exclusive lock until it is closed; None if others have it open for too long.

    Errors: sqlite3.Error.
    """
    deadline = time.monotonic() + busy_seconds
    while True:
        db = sqlite3.connect(f"{path.as_uri()}?mode=rw", uri=True, timeout=0, isolation_level=None)
        try:
            # Set before the first read: then SQLite keeps all other processes out until the file is closed.
            for setting in ("locking_mode = EXCLUSIVE", "synchronous = FULL", "trusted_schema = OFF"):
                db.execute(f"PRAGMA {setting}")
            db.execute("BEGIN EXCLUSIVE")
            db.execute("COMMIT")
        except sqlite3.Error as error:
            db.close()
            if not is_busy(error):
                raise
        else:
            return db
        if time.monotonic() > deadline:
            return None
        time.sleep(0.01)


def _keep_copy(db: sqlite3.Connection, path: Path, version: int, where: str) -> None:
    """Copy the ledger to a file of mode 0600 that is on disk on return. Errors: LedgerError."""
    copy = _free_name(path, version)
    part = copy.with_name(f"{copy.name}.part")
    try:
        part.unlink(missing_ok=True)
        os.close(os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        with closing(sqlite3.connect(part, isolation_level=None)) as target:
            db.backup(target)
            target.execute("PRAGMA journal_mode = DELETE")  # so that the copy is a single file
        sync(part)
        part.rename(copy)
        sync(copy.parent)
    except (OSError, sqlite3.Error) as error:
        with suppress(OSError):
            part.unlink()
        said = (getattr(error, "strerror", None) or str(error)).lower().rstrip(".")
        fault = older_fault(where, f"No copy of it could be made first: {said}.", _ROOM)
    else:
        return
    raise fault


def _free_name(path: Path, version: int) -> Path:
    name, number = path.with_name(f"{path.name}.v{version}.bak"), 1
    while name.exists():
        number += 1
        name = path.with_name(f"{path.name}.v{version}.{number}.bak")
    return name


def sync(path: Path) -> None:
    """Flush a file, or the entries of a folder, to disk."""
    if os.name != "posix":
        return
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def _remake(db: sqlite3.Connection, script: str, name: str) -> None:
    """Create all tables anew by the script and copy their rows. Input: the ledger's random name."""
    before = db.execute(OBJECTS).fetchall()
    for kind, thing, _, sql in before:
        if kind in ("trigger", "index") and sql is not None:
            db.execute(f"DROP {kind} {thing}")
    old = [thing for kind, thing, _, _ in before if kind == "table" and thing != ANALYSTS]
    for table in old:
        db.execute(f"ALTER TABLE {table} RENAME TO {_OLD}{table}")
    for statement in _statements(script):
        db.execute(statement)
    for table in old:
        if table != _SCHEMA_TABLE:
            columns = ", ".join(row[1] for row in db.execute(f"PRAGMA table_info({_OLD}{table})").fetchall())
            db.execute(f"INSERT INTO {table} ({columns}) SELECT {columns} FROM {_OLD}{table}")
    db.execute(f"UPDATE {_SCHEMA_TABLE} SET id = ?", (name,))
    for table in old:
        db.execute(f"DROP TABLE {_OLD}{table}")


def _statements(script: str) -> Iterable[str]:
    """Split a script into statements; a trigger contains several semicolons."""
    text = ""
    for line in script.splitlines(keepends=True):
        text += line
        if sqlite3.complete_statement(text):
            yield text
            text = ""
