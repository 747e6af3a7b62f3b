"""The ledger in an SQLite file, or in memory.

One connection and one lock serve all threads of a process that write: SQLite has one writer at a time anyway.
Reads have a few connections of their own, so that none waits for another thread's disk; the threads in which
DuckDB calls dpduck are short-lived, so a connection for each would only leak. Between processes the file
serialises writes: BEGIN IMMEDIATE takes the write lock before the budgets are read. synchronous=FULL makes a
commit durable before it returns.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from dpduck.kernel.errors import LedgerError
from dpduck.kernel.ledger import forks
from dpduck.kernel.ledger.analysts import SCRIPT as ANALYST_SCRIPT
from dpduck.kernel.ledger.analysts import TABLE as ANALYST_TABLE
from dpduck.kernel.ledger.anchor import Anchor
from dpduck.kernel.ledger.errors import (
    ANOTHER_PLACE,
    closed_fault,
    creation_fault,
    foreign_fault,
    is_busy,
    ledger_fault,
    moved_fault,
    names_fault,
    version_fault,
)
from dpduck.kernel.ledger.places import shown
from dpduck.kernel.ledger.sqlite_readers import Readers
from dpduck.kernel.ledger.sqlite_upgrade import OBJECTS, upgrade_file
from dpduck.kernel.ledger.store import Ledger
from dpduck.kernel.ledger.summaries import SCRIPT as SUMMARY_SCRIPT
from dpduck.kernel.ledger.summaries import TABLE as SUMMARY_TABLE
from dpduck.kernel.ledger.transactions import Transaction
from dpduck.kernel.ledger.versions import MOVED, OLDER, VERSION
from dpduck.kernel.system.fork_lock import ForkLock
from dpduck.kernel.system.python_turns import waiting
from dpduck.kernel.system.sql_files import read_sql

BUSY_SECONDS = 5.0
_TURN_SECONDS = 0.02  # SQLite's own busy timeout; see `_run`

# Tables that are created when they are first needed.
_CREATED_LATER = ((ANALYST_SCRIPT, ANALYST_TABLE), (SUMMARY_SCRIPT, SUMMARY_TABLE))

_T = TypeVar("_T")
_Connect = Callable[[], AbstractContextManager[sqlite3.Connection | None]]


class _SqliteTransaction:
    """One transaction, as `transactions` uses it."""

    def __init__(self, connection: sqlite3.Connection, ledger_id: str) -> None:
        self._connection = connection
        self.ledger_id = ledger_id
        self.now = time.time_ns() // 1000

    def run(self, sql: str, values: Mapping[str, object] | None = None) -> list[tuple[Any, ...]]:
        return self._connection.execute(sql, values or {}).fetchall()


class SqliteLedger(Ledger):
    """A ledger in one file of mode 0600, or in memory.

    Input: the path, or None; `busy_seconds`: the timeout while another process writes.
    Errors: LedgerError if the file cannot be created, opened or used as a ledger.
    """

    # The former reads no text for it.
    _octets = "octet_length({})" if sqlite3.sqlite_version_info >= (3, 43) else "length(CAST({} AS BLOB))"

    def __init__(
        self, path: Path | None, *, anchor: Anchor | None = None, busy_seconds: float = BUSY_SECONDS
    ) -> None:
        super().__init__(anchor)
        self._busy_seconds = busy_seconds
        self._readers = Readers(self._reader)
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._id = ""
        self._closed = False
        self._owner = self._process = os.getpid()
        self._path = path
        self._where = "':memory:'" if path is None else shown(path)
        forks.watch(self)
        if path is not None:
            with self._lock:
                self._path = _create_private(path)
        try:
            self._check_anchor()
            self._read(lambda _: None)
        except BaseException:
            self.close()  # the error's traceback would keep the file open
            raise

    def close(self) -> None:
        self._closed = True
        self._readers.pause()
        with self._lock:
            self._disconnect()
        self._readers.resume()

    def __del__(self) -> None:
        # For a ledger that was dropped without closing; nothing is lost, since every charge is durable.
        if hasattr(self, "_lock"):
            self.close()

    def pause(self) -> None:
        """Disconnect from the file and wait for a fork."""
        self._readers.pause()
        self._lock.acquire()
        if self._path is not None:
            self._disconnect()

    def resume(self) -> None:
        """Continue after a fork, in the parent and the child. A ledger in memory stays with the parent."""
        if self._process != os.getpid():
            self._process = os.getpid()
            self._readers = Readers(self._reader)
            self._renew_batches()
        else:
            self._readers.resume()
        if self._path is not None:
            self._owner = os.getpid()
        self._lock.release()

    def _read(self, work: Callable[[Transaction], _T]) -> _T:
        return self._run(self._for_reading, "BEGIN", work)

    def _read_now(self, work: Callable[[Transaction], _T]) -> _T | None:
        try:
            with self._for_reading(waits=False) as connection:
                return None if connection is None else self._transact(connection, "BEGIN", work)
        except (sqlite3.Error, UnicodeDecodeError):  # the ordinary read will report it
            return None

    def _write(self, work: Callable[[Transaction], _T]) -> _T:
        with waiting():
            return self._run(self._for_writing, "BEGIN IMMEDIATE", work)

    def _run(self, connect: _Connect, begin: str, work: Callable[[Transaction], _T]) -> _T:
        deadline = time.monotonic() + self._busy_seconds
        while True:
            try:
                with connect() as connection:
                    assert connection is not None  # it was waited for
                    return self._transact(connection, begin, work)
            except (sqlite3.Error, UnicodeDecodeError) as error:
                fault = ledger_fault(self._where, error)
                # SQLite's own wait polls ever more rarely, and among many writers may never succeed.
                if not is_busy(error) or time.monotonic() > deadline:
                    break
            time.sleep(0.001)  # SQLite does not wait at all if it detects a deadlock
        # Raised outside the except block so that SQLite's error is not attached as its context.
        raise fault

    def _transact(self, connection: sqlite3.Connection, begin: str, work: Callable[[Transaction], _T]) -> _T:
        try:
            connection.execute(begin)
            result = work(_SqliteTransaction(connection, self._id))
            connection.execute("COMMIT")
        except BaseException:
            # If even the rollback fails, the next BEGIN is refused, hence every later charge.
            if connection.in_transaction:
                with suppress(sqlite3.Error):
                    connection.execute("ROLLBACK")
            raise
        return result

    @contextmanager
    def _for_writing(self, *, waits: bool = True) -> Iterator[sqlite3.Connection | None]:
        """The connection that writes; None if that needs waiting, and `waits` is not set."""
        if not self._lock.acquire(blocking=waits):
            yield None
            return
        try:
            yield self._connected()
        finally:
            self._lock.release()

    def _for_reading(self, *, waits: bool = True) -> AbstractContextManager[sqlite3.Connection | None]:
        """As `_for_writing`. A ledger in memory has one connection: another would be another ledger."""
        return self._for_writing(waits=waits) if self._path is None else self._readers.one(waits=waits)

    def _check_open(self) -> None:
        if self._closed or self._owner != os.getpid():
            # Two processes with copies of one ledger in memory would spend its budgets twice.
            raise closed_fault("is closed" if self._closed else "belongs to the process that opened it")

    def _reader(self) -> sqlite3.Connection:
        """A further connection to the file, which only reads."""
        with self._lock:  # one thread at a time creates the tables, or upgrades them
            self._check_open()
            connection = self._connect()
        connection.execute("PRAGMA query_only = ON")
        return connection

    def _connected(self) -> sqlite3.Connection:
        self._check_open()
        if self._connection is None:
            self._connection = self._connect()
        return self._connection

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _connect(self) -> sqlite3.Connection:
        connection = self._open()
        try:
            version = self._version(connection)
            if version not in OLDER:
                self._prepare(connection, version)
                return connection
        except BaseException:
            connection.close()
            raise
        connection.close()
        assert self._path is not None
        upgrade_file(
            self._path, _script(), self._busy_seconds, _SqliteTransaction, self._has_table, self._check_mark
        )
        return self._connect()

    def _open(self) -> sqlite3.Connection:
        # mode=rw: SQLite itself would create a missing file with the mode given by the umask.
        target = ":memory:" if self._path is None else f"{self._path.as_uri()}?mode=rw"
        return sqlite3.connect(
            target, uri=True, timeout=_TURN_SECONDS, isolation_level=None, check_same_thread=False
        )

    def _prepare(self, db: sqlite3.Connection, version: int | None) -> None:
        """Set up the connection, and create the tables if there are none."""
        self._write_ahead(db)
        for setting in ("synchronous = FULL", "foreign_keys = ON", "trusted_schema = OFF"):
            db.execute(f"PRAGMA {setting}")
        if version is None:
            db.executescript(f"BEGIN IMMEDIATE;\n{_script()}\nCOMMIT;")
            self._version(db)
        [(self._id,)] = db.execute("SELECT id FROM ledger_schema").fetchall()

    def _version(self, db: sqlite3.Connection) -> int | None:
        """The version of the tables, None in an empty file. Errors: LedgerError unless it is a ledger."""
        names = {name for (name,) in db.execute("SELECT name FROM sqlite_schema")}
        if not names:
            return None
        if "ledger_schema" not in names:
            raise foreign_fault(self._where)
        versions = [version for (version,) in db.execute("SELECT version FROM ledger_schema")]
        if versions == [MOVED]:
            [(place,)] = db.execute("SELECT place FROM moved").fetchall()
            raise moved_fault(self._where, place)
        if len(versions) != 1 or versions[0] not in (VERSION, *OLDER):
            raise version_fault(self._where, ", ".join(map(str, versions)) or "none")
        return int(versions[0])

    def _write_ahead(self, db: sqlite3.Connection) -> None:
        deadline = time.monotonic() + self._busy_seconds
        while True:
            try:
                (mode,) = db.execute("PRAGMA journal_mode = WAL").fetchone()
                break
            except sqlite3.OperationalError as error:
                # SQLite's busy timeout does not apply while two processes switch a new file to WAL.
                if not is_busy(error) or time.monotonic() > deadline:
                    raise
            time.sleep(0.01)
        if mode != ("memory" if self._path is None else "wal"):
            raise LedgerError(
                "ledger cannot be opened",
                detail=f"The file system of {self._where} has no write-ahead log.",
                hint=ANOTHER_PLACE,
            )

    def _has_table(self, db: Transaction, name: str) -> bool:
        found = db.run("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = :name", {"name": name})
        return bool(found)

    def _find_fault(self, db: Transaction) -> str | None:
        [(state,)] = db.run("PRAGMA integrity_check(1)")
        if state != "ok":
            return f"{self._where} contradicts itself."
        created = [script for script, table in _CREATED_LATER if self._has_table(db, table)]
        if set(db.run(OBJECTS)) != _objects(";".join(created)):
            return f"The tables and triggers of {self._where} are not those that were made."
        return None


def _script() -> str:
    return read_sql("ledger_sqlite.sql")


@cache
def _objects(more: str = "") -> set[tuple[str, ...]]:
    """The tables, indexes and triggers of a new ledger, with the text that creates them.

    Input: a further script that was run.
    """
    db = sqlite3.connect(":memory:")
    db.executescript(f"{_script()};{more}")
    found = set(db.execute(OBJECTS).fetchall())
    db.close()
    return found


# Held until the new file is closed: closing any handle of a file drops the locks that another
# thread's connection may have on it.
_creating = ForkLock()


def _create_private(path: Path) -> Path:
    """Create an empty file that only its owner may use; an existing one is left unchanged.

    Output: its absolute path.
    Errors: LedgerError, also for a file with several hard links.
    """
    try:
        place = path.absolute()
        with _creating:
            _create_file(place)
        names = place.stat().st_nlink if place.is_file() else 1  # anything but a file fails below
    except (OSError, ValueError) as error:
        fault = creation_fault(shown(path), error)
    else:
        if names <= 1:
            return place
        fault = names_fault(shown(path), names)
    raise fault


def _create_file(place: Path) -> None:
    try:
        os.close(os.open(place, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        return
    if os.name == "posix":
        # The file's name must survive a power failure too, not only its contents.
        folder = os.open(place.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
