"""Which state of its rows a table is in: whether an answer that was given is still that of today.

The version of a table is what its owner declared (ALTER TABLE t SET PRIVACY VERSION 'text'). Without that
it is the time of the last write to the file that holds it: of the database or its write-ahead log, of the
Parquet or CSV file, or of the files that its view names. Of a folder or glob it is that of each file, and how
many there are. A database in memory has no such time, so its answers stay until a version says otherwise.
Rows in another engine tell nothing: without a declared version no answer is given again.

Versions are public. When the file was written can be seen by anyone who sees the file, and tells nothing
of what was written. An owner whose single writes must stay unknown declares versions instead. A version
never depends on rows: an answer given again is at worst old, and says how old it is.
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

_NAME = re.compile(r"""'((?:[^']|'')+)'|"((?:[^"]|"")+)\"""")  # what a view's definition has in quotes


@dataclass(frozen=True)
class DataFile:
    """The file that holds the rows, None for a database in memory, which is told apart by its `name`.

    `files`: the set of files that do, instead of one.
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

        Input: the files that it stands for, if any; `tells_writes`: whether rows are in it.
        """
        if not tells_writes:
            return cls(None, tells_writes=False)
        if files is not None:
            return cls(None, files=files)
        # All rows are fetched: a result that is left open would own the connection.
        rows = connection.execute(
            "SELECT path FROM duckdb_databases() WHERE database_name = current_database()"
        ).fetchall()
        if rows and rows[0][0]:
            return cls(Path(rows[0][0]).absolute())
        return cls(None, _name_of(connection))

    def written(self) -> str | None:
        """When it was last written, as text; of a database in memory its name; None if neither is known.

        Of rows that are elsewhere another text each time: nobody can tell whether they are still the same.
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
        """Something that differs after each commit, None if there is no such thing. Not for others to see."""
        if self.files is not None:
            return self.files.state()
        if self.path is None:
            return None
        return tuple((_time(path), _size(path)) for path in (self.path, self._log))

    def settle(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Bring the write-ahead log into the database now, as closing it would.

        Else the file would be written again when it is closed, and every kept answer seem out of date.
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

    Input: private tables; `joins_public`: whether public ones, which have no versions of their own, say which
        rows count.
    """
    written = file.written() if joins_public or any(table.version is None for table in tables) else None
    states: list[list[object]] = [
        ["written", written, *_files_behind(t)] if t.version is None else ["declared", t.version, written]
        for t in tables
    ]
    return json.dumps([[t.schema, t.name, state] for t, state in zip(tables, states, strict=True)])


def _name_of(connection: duckdb.DuckDBPyConnection) -> str:
    """The name of a database in memory: that of its ledger, or one that nobody else has."""
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
