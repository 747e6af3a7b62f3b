"""The state of a table's rows, which decides whether an earlier answer is still up to date.

The version of a table is what its owner declared (ALTER TABLE t SET PRIVACY VERSION 'text'). Without that
it is the time of the last write to the file that holds it: of the database or its write-ahead log, of the
Parquet or CSV file, or of the files that its view names. Of a folder or glob it is that of each file, and how
many there are. A database in memory has no such time, so its answers stay valid until a version says
otherwise. Rows in a remote engine show nothing: without a declared version no answer is replayed.
A server reads one file until it goes over to the next (see `FileState`), whatever its path names meanwhile.
Versions are public. The time of a write is visible to anyone who sees the file, and says nothing of what was
written. An owner whose individual writes must stay secret declares versions instead. A version
never depends on rows: a replayed answer is at worst old, and says how old it is.
"""

from __future__ import annotations

import json
import os
import re
import secrets
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from glob import glob
from pathlib import Path
from typing import Protocol

import duckdb

from dpduck.catalog.model import Table
from dpduck.engines.duckdb.database import Database

_NAME = re.compile(r"""'((?:[^']|'')+)'|"((?:[^"]|"")+)\"""")  # quoted in a view's definition


@dataclass(frozen=True)
class FileState:
    """Which file a path of a database names, and when it and its write-ahead log were last written.

    `identity`: device and number; `times` in nanoseconds and `sizes` in bytes: of the file and of its log.
    """

    identity: tuple[int, int] | None
    times: tuple[int | None, int | None]
    sizes: tuple[int, int]

    @classmethod
    def of(cls, path: Path) -> FileState:
        """The present state."""
        file, log = _stat(path), _stat(_log_of(path))
        return cls(
            None if file is None else (file.st_dev, file.st_ino),
            (None if file is None else file.st_mtime_ns, None if log is None else log.st_mtime_ns),
            (0 if file is None else file.st_size, 0 if log is None else log.st_size),
        )


class Files(Protocol):
    """What holds rows in files of its own, and knows their version."""

    def written(self) -> str | None:
        """The version, as text."""
        ...

    def state(self) -> object:
        """A value that changes with each version. Errors: PolicyError if its files are gone."""
        ...


@dataclass(frozen=True)
class DataFile:
    """The file that holds the rows; None for a database in memory, which is identified by its `name`.

    `files`: the set of files that hold them, instead of one, or a lake; `fixed`: the state of the file that
    is read, if it stays the same as long as it is open, whatever its path names.
    """

    path: Path | None
    name: str = ""
    files: Files | None = None
    tells_writes: bool = True
    fixed: FileState | None = None

    @classmethod
    def of(
        cls,
        connection: Database,
        files: Files | None = None,
        *,
        tells_writes: bool = True,
        fixed: FileState | None = None,
    ) -> DataFile:
        """The file of a connection's database.

        Input: the files behind its view, if any; `tells_writes`: whether the rows are in it; `fixed`: see
            `DataFile`.
        """
        if not tells_writes:
            return cls(None, tells_writes=False)
        if files is not None:
            return cls(None, files=files)
        with connection.cursor() as cursor:  # other threads may use the connection
            rows = cursor.execute(
                "SELECT path FROM duckdb_databases() WHERE database_name = current_database()"
            ).fetchall()
        if rows and rows[0][0]:
            return cls(Path(rows[0][0]).absolute(), fixed=fixed)
        return cls(None, _name_of(connection))

    def written(self) -> str | None:
        """The time of the last write as text; of a database in memory its name; None if neither is known.

        For rows in a remote engine another text each time, since nothing shows whether they have changed.
        """
        if not self.tells_writes:
            return secrets.token_hex(16)
        if self.files is not None:
            return self.files.written()
        if self.path is None:
            return self.name
        state = self.fixed or FileState.of(self.path)
        known = [time for time in state.times if time is not None]
        return str(max(known)) if known else None

    def state(self) -> object:
        """A value that changes with each commit, None if there is none. Not to be published."""
        if self.files is not None:
            return self.files.state()
        if self.path is None:
            return None
        return self.fixed or FileState.of(self.path)

    def settle(self, connection: Database) -> None:
        """Merge the write-ahead log into the database now, as closing it would.

        Otherwise the file would be written when it is closed, and every stored answer would seem out of date.
        """
        if self.path is None or self.fixed is not None or not FileState.of(self.path).sizes[1]:
            return
        with suppress(duckdb.Error), connection.cursor() as cursor:  # another transaction may be writing
            cursor.execute("CHECKPOINT")


def version_of(tables: Sequence[Table], file: DataFile, *, joins_public: bool = False) -> str:
    """The state of the rows of several tables together, as text.

    Input: private tables; `joins_public`: whether public tables, which have no versions, decide which rows
        count.
    """
    written = file.written() if joins_public or any(table.version is None for table in tables) else None
    states: list[list[object]] = [
        ["written", written, *_files_behind(t)] if t.version is None else ["declared", t.version, written]
        for t in tables
    ]
    return json.dumps([[t.schema, t.name, state] for t, state in zip(tables, states, strict=True)])


def _name_of(connection: Database) -> str:
    """The name of a database in memory: that of its ledger, or a random one."""
    with suppress(duckdb.Error):
        return str(connection.execute("SELECT dpduck.ledger_name()").fetchall()[0][0])
    return secrets.token_hex(16)


def _files_behind(table: Table) -> list[int]:
    """How many files the definition of a view names, and when the last of them was written."""
    quoted = [one.replace("''", "'") or two for one, two in _NAME.findall(table.definition or "")]
    times = [_time(Path(path)) for name in quoted for path in glob(name, recursive=True)]  # noqa: PTH207
    known = [time for time in times if time is not None]
    return [len(known), max(known)] if known else []


def _time(path: Path) -> int | None:
    found = _stat(path)
    return None if found is None else found.st_mtime_ns


def _log_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.wal")


def _stat(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except OSError:
        return None
