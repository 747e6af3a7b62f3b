"""The state of a table's rows, which decides whether an earlier answer is still up to date.

The version of a table is what its owner declared (ALTER TABLE t SET PRIVACY VERSION 'text'). Without that
it is the time of the last write to the file that holds it: of the database or its write-ahead log, of the
Parquet or CSV file, or of the files that its view names. Of a folder or glob it is that of each file, and how
many there are. A database in memory has no such time, so its answers stay valid until a version says
otherwise. Rows in a remote engine show nothing: without a declared version no answer is replayed.
Versions are public. The time of a write is visible to anyone who sees the file, and says nothing of what was
written. An owner whose individual writes must stay secret declares versions instead. A version
never depends on rows: a replayed answer is at worst old, and says how old it is.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from glob import glob
from pathlib import Path

import duckdb

from dpduck.catalog.model import Table
from dpduck.engines.duckdb.files import DataSet

_NAME = re.compile(r"""'((?:[^']|'')+)'|"((?:[^"]|"")+)\"""")  # quoted in a view's definition


@dataclass(frozen=True)
class DataFile:
    """The file that holds the rows; None for a database in memory, which is identified by its `name`.

    `files`: the set of files that hold them, instead of one.
    """

    path: Path | None
    name: str = ""
    files: DataSet | None = None
    tells_writes: bool = True

    @classmethod
    def of(
        cls,
        connection: duckdb.DuckDBPyConnection,
        files: DataSet | None = None,
        *,
        tells_writes: bool = True,
    ) -> DataFile:
        """The file of a connection's database.

        Input: the files behind its view, if any; `tells_writes`: whether the rows are in it.
        """
        if not tells_writes:
            return cls(None, tells_writes=False)
        if files is not None:
            return cls(None, files=files)
        # All rows are fetched, since an open result would keep the connection busy.
        rows = connection.execute(
            "SELECT path FROM duckdb_databases() WHERE database_name = current_database()"
        ).fetchall()
        if rows and rows[0][0]:
            return cls(Path(rows[0][0]).absolute())
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
        times = [_time(self.path), _time(self._log)]
        known = [time for time in times if time is not None]
        return str(max(known)) if known else None

    def state(self) -> object:
        """A value that changes with each commit, None if there is none. Not to be published."""
        if self.files is not None:
            return self.files.state()
        if self.path is None:
            return None
        return tuple((_time(path), _size(path)) for path in (self.path, self._log))

    def settle(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Merge the write-ahead log into the database now, as closing it would.

        Otherwise the file would be written when it is closed, and every stored answer would seem out of date.
        """
        if self.path is None or not _size(self._log):
            return
        with suppress(duckdb.Error), connection.cursor() as cursor:  # another transaction may be writing
            cursor.execute("CHECKPOINT")

    @property
    def _log(self) -> Path:
        assert self.path is not None
        return self.path.with_name(f"{self.path.name}.wal")


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


def _name_of(connection: duckdb.DuckDBPyConnection) -> str:
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
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return None


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
