"""Which state of its rows a table is in: whether an answer that was given is still that of today.

The version of a table is what its owner declared (ALTER TABLE t SET PRIVACY VERSION 'text'). Without that
it is the time of the last write to the file that holds it: of the database or its write-ahead log, or of
the Parquet or CSV file. A database in memory has no such time, so its answers stay until a version says
otherwise.

Versions are public. When the file was written can be seen by anyone who sees the file, and tells nothing
of what was written. An owner whose single writes must stay unknown declares versions instead. A version
never depends on rows: an answer given again is at worst old, and says how old it is.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import duckdb

from dpduck.catalog import Table


@dataclass(frozen=True)
class DataFile:
    """The file that holds the rows, None for a database in memory."""

    path: Path | None

    @classmethod
    def of(cls, connection: duckdb.DuckDBPyConnection, scanned: Path | None = None) -> DataFile:
        """The file of a connection's database. Input: the Parquet or CSV file that it stands for, if any."""
        if scanned is not None:
            return cls(scanned)
        # All rows are fetched: a result that is left open would own the connection.
        rows = connection.execute(
            "SELECT path FROM duckdb_databases() WHERE database_name = current_database()"
        ).fetchall()
        return cls(Path(rows[0][0]) if rows and rows[0][0] else None)

    def written(self) -> str | None:
        """When it was last written, as text; None if that cannot be told."""
        if self.path is None:
            return None
        times = [_time(self.path), _time(self._log)]
        known = [time for time in times if time is not None]
        return str(max(known)) if known else None

    def state(self) -> object:
        """Something that differs after each commit, None if there is no such thing. Not for others to see."""
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


def version_of(tables: Sequence[Table], file: DataFile) -> str:
    """The state of the rows of several tables together, as text."""
    written = None if all(table.version is not None for table in tables) else file.written()
    return json.dumps(
        [
            [t.schema, t.name, ["written", written] if t.version is None else ["declared", t.version]]
            for t in tables
        ]
    )


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
