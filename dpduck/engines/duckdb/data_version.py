"""The state of a table's rows, which decides whether an earlier answer is still up to date.

The version of a table is what its owner declared (ALTER TABLE t SET PRIVACY VERSION 'text'). Without that
it is the time of the last write to the file that holds it, and the file's size: of the database and its
write-ahead log, of the Parquet or CSV file, or of the files that its view names. Of a folder or glob it is
that of each file, and how many there are. A database in memory has neither, so its answers stay valid until a
version says otherwise. Rows in a remote engine show nothing: without a declared version none is replayed.
A server reads one file until it goes over to the next (see `FileState`), whatever its path names meanwhile.
It knows one file from another of the same time and size. Elsewhere the number of a file decides nothing, so
that copies of a file on several machines, with its time, share their answers.
Versions are public. Time and size are visible to anyone who sees the file, and say nothing else of what was
written. An owner whose individual writes must stay secret declares versions instead. A replayed answer is at
worst old, and says how old it is.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from glob import glob
from pathlib import Path
from typing import Protocol

import duckdb

from dpduck.engines.duckdb.database import Database
from dpduck.kernel.catalog.model import Table

_NAME = re.compile(r"""'((?:[^']|'')+)'|"((?:[^"]|"")+)\"""")  # quoted in a view's definition


@dataclass(frozen=True)
class FileState:
    """Which file a path of a database names, and when it and its write-ahead log were last written.

    `identity`: device and number; `times` in nanoseconds and `sizes` in bytes: of the file and of its log;
    `mark`: what tells it from another file of the same times and sizes, if one was read before it.
    """

    identity: tuple[int, int] | None
    times: tuple[int | None, int | None]
    sizes: tuple[int, int]
    mark: str = field(default="", compare=False)

    @classmethod
    def of(cls, path: Path) -> FileState:
        """The present state."""
        file, log = _stat(path), _stat(_log_of(path))
        return cls(
            None if file is None else (file.st_dev, file.st_ino),
            (None if file is None else file.st_mtime_ns, None if log is None else log.st_mtime_ns),
            (0 if file is None else file.st_size, 0 if log is None else log.st_size),
        )

    @property
    def version(self) -> str | None:
        """The time of the last write, the sizes, and the mark, as text; None if there is no file."""
        known = [time for time in self.times if time is not None]
        return " ".join(map(str, (max(known), *self.sizes, self.mark))).rstrip() if known else None

    def told_from(self, earlier: Iterable[FileState]) -> FileState:
        """The same, marked if an earlier state is that of another file and nothing but its number says so.

        The mark is random, so that no answer from another file is ever taken for one from this.
        """
        alike = [one for one in earlier if (one.times, one.sizes) == (self.times, self.sizes)]
        same = next((one for one in alike if one.identity == self.identity), None)
        if same is not None:
            return replace(self, mark=same.mark)
        return replace(self, mark=secrets.token_hex(16)) if alike else self


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
        """Time of the last write and size as text; of a database in memory its name; None if not known.

        For rows in a remote engine another text each time, since nothing shows whether they have changed.
        """
        if not self.tells_writes:
            return secrets.token_hex(16)
        if self.files is not None:
            return self.files.written()
        if self.path is None:
            return self.name
        return (self.fixed or FileState.of(self.path)).version

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


def _files_behind(table: Table) -> list[object]:
    """How many files a view's definition names, when the last was written, and a digest; empty if none."""
    quoted = [one.replace("''", "'") or two for one, two in _NAME.findall(table.definition or "")]
    paths = sorted({path for name in quoted for path in glob(name, recursive=True)})  # noqa: PTH207
    found = [(path, state) for path in paths if (state := _stat(Path(path))) is not None]
    if not found:
        return []
    return files_version([(path, state.st_mtime_ns, state.st_size) for path, state in found])


def files_version(files: Sequence[tuple[str, int, int]]) -> list[object]:
    """The version of a set of files: how many there are, when the last was written, and a digest.

    Input: for each its path, the time of its last write in nanoseconds, and its size in bytes.
    """
    digest = hashlib.sha256(json.dumps(files).encode("utf-8", "surrogateescape")).hexdigest()
    return [len(files), max((time for _, time, _ in files), default=0), digest]


def _log_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.wal")


def _stat(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except OSError:
        return None
