"""The catalog of a DuckLake as a file: in DuckDB's format, or in SQLite's, which many write to at once."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

import duckdb

from dpduck.kernel.errors import PolicyError
from dpduck.kernel.tree import emit

_HEADER = b"SQLite format 3\0"
_NEWEST = "SELECT max(snapshot_id) FROM {}ducklake_snapshot"
_SECONDS = 10  # to wait for a writer of SQLite


def is_sqlite(catalog: Path) -> bool:
    """Whether a catalog is in SQLite's format. Errors: OSError."""
    with catalog.open("rb") as file:
        return file.read(len(_HEADER)) == _HEADER


def copy(catalog: Path, place: Path) -> None:
    """Copy a catalog as of one moment, while others may read and write it.

    Errors: PolicyError, OSError; of DuckDB's format also while another process has it open for writing.
    """
    if is_sqlite(catalog):
        with _sqlite(catalog) as source, closing(sqlite3.connect(place)) as target:
            source.backup(target)
        return
    with _duckdb(catalog) as instance:
        instance.execute(f"ATTACH {emit.string(str(place))} AS copied")
        instance.execute("COPY FROM DATABASE original TO copied")


def newest(catalog: Path) -> int | None:
    """The number of the newest snapshot; None if there is none. Errors: as `copy`."""
    if is_sqlite(catalog):
        with _sqlite(catalog) as source:
            return _number(source.execute(_NEWEST.format("")).fetchone())
    with _duckdb(catalog) as instance:
        return _number(instance.execute(_NEWEST.format("original.")).fetchone())


def _number(row: tuple[object, ...] | None) -> int | None:
    return int(row[0]) if row is not None and isinstance(row[0], int) else None


@contextmanager
def _sqlite(catalog: Path) -> Iterator[sqlite3.Connection]:
    try:
        address = f"file:{quote(str(catalog))}?mode=ro"
        with closing(sqlite3.connect(address, uri=True, timeout=_SECONDS)) as connection:
            yield connection
    except sqlite3.Error as error:
        fault = _unreadable(catalog, "SQLite", error)
    else:
        return
    raise fault


@contextmanager
def _duckdb(catalog: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """An instance that has the catalog attached as `original`, for no longer than the block runs."""
    try:
        with duckdb.connect() as instance:
            instance.execute(f"ATTACH {emit.string(str(catalog))} AS original (READ_ONLY)")
            yield instance
    except duckdb.Error as error:
        fault = _unreadable(catalog, "DuckDB", error)
    else:
        return
    raise fault


def _unreadable(catalog: Path, who: str, error: Exception) -> PolicyError:
    said = (str(error).splitlines() or [""])[0].rstrip(".!")
    return PolicyError(
        f"the catalog of lake {catalog.name} cannot be read",
        detail=f"{who} says: {said}.",
        hint="In DuckDB's format it is locked while another process writes to it; in SQLite's it is not.",
    )
