"""Opening the data: a DuckDB file, or a Parquet or CSV file as a one-view database, hardened."""

from __future__ import annotations

from pathlib import Path

import duckdb

from dpduck.errors import DpduckError, PolicyError, UnknownNameError

FILE_READERS = {".parquet": "read_parquet", ".csv": "read_csv"}


def open_database(path: str | Path, *, read_only: bool) -> duckdb.DuckDBPyConnection:
    """Open an existing file.

    Input: a DuckDB database, or a .parquet or .csv file, which becomes a view named after its stem.
    Output: a connection on which no query can reach other files, the network or Python variables.
    Errors: UnknownNameError if there is no such file, PolicyError if it cannot be opened.
    """
    file = Path(path)
    if not file.is_file():
        raise UnknownNameError(f"file {path} does not exist", hint="Give the path of an existing file.")
    reader = FILE_READERS.get(file.suffix.lower())
    failure: DpduckError | None = None
    try:
        connection = _open_view(file, reader) if reader else _open_file(file, read_only=read_only)
    except duckdb.Error as error:
        reason = str(error).splitlines()[0].rstrip(".")
        failure = PolicyError(f"file {path} cannot be opened", detail=f"DuckDB says: {reason}.")
    if failure is not None:
        raise failure
    return connection


def _open_file(file: Path, *, read_only: bool) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(str(file), read_only=read_only)
    _harden(connection)
    return connection


def _open_view(file: Path, reader: str) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    name = file.stem.replace('"', '""')
    location = str(file.resolve()).replace("'", "''")
    connection.execute(f"SET allowed_paths = ['{location}']")
    connection.execute(f"CREATE VIEW \"{name}\" AS FROM {reader}('{location}')")
    _harden(connection)
    return connection


def _harden(connection: duckdb.DuckDBPyConnection) -> None:
    for setting in (
        "enable_external_access = false",
        "python_enable_replacements = false",
        "autoinstall_known_extensions = false",
        "autoload_known_extensions = false",
        "enable_progress_bar = false",
        "lock_configuration = true",
    ):
        connection.execute(f"SET {setting}")
