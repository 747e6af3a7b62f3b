"""Opening the data: a DuckDB file, or a Parquet or CSV file as a one-view database, hardened."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from dpduck.engines import Engine
from dpduck.engines.duck import DuckEngine
from dpduck.engines.mirror import Mirror
from dpduck.engines.spark import SparkEngine, session_of
from dpduck.errors import DpduckError, PolicyError, UnknownNameError
from dpduck.statements import PolicyStatement

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_HARDENED = """
    SELECT current_setting('lock_configuration') AND NOT current_setting('enable_external_access')
        AND NOT current_setting('autoinstall_known_extensions')
        AND NOT current_setting('autoload_known_extensions')
"""

# A CSV row that does not fit the column types is left out, since one row must not make a query fail;
# the types themselves, which DuckDB takes from the first rows, are public like any schema.
_SCANS = {".parquet": "read_parquet({})", ".csv": "read_csv({}, ignore_errors = true)"}


Config = dict[str, str | bool | int | float | list[str]]


@dataclass(frozen=True)
class Source:
    """The data: a connection to it, policies that hold for it besides its own, and the file it is in.

    `scan`: where the data is a file with one view, the SQL that reads it; `elsewhere`: the engine that has
    the rows, where the connection has only the policies.
    """

    connection: duckdb.DuckDBPyConnection
    policies: Sequence[PolicyStatement] = ()
    scan: str | None = None
    scanned: Path | None = None
    elsewhere: Engine | None = None

    @property
    def engine(self) -> Engine:
        """Where the rows are."""
        return self.elsewhere or DuckEngine(self.connection)


def open_source(
    path: str | Path,
    *,
    read_only: bool,
    policies: Iterable[PolicyStatement] = (),
    memory: str | None = None,
) -> Source:
    """Open an existing file as a source. Input and errors: as of `open_database`."""
    connection, scan = open_database(path, read_only=read_only, memory=memory), scan_of(path)
    return Source(connection, tuple(policies), scan, None if scan is None else Path(path))


def open_spark(
    spark: SparkSession | str,
    *,
    policies_in: str | Path | None = None,
    read_only: bool = False,
    policies: Iterable[PolicyStatement] = (),
) -> Source:
    """The current database of a Spark session as a source.

    Input: a session, or an address such as spark://host:7077 or spark://local[2]; `policies_in`: a DuckDB
        file that holds the policies and is for this database only; the data owner's is made if there is none
        (default: they are kept in memory).
    Errors: PolicyError, UnknownNameError.
    """
    session, stops = session_of(spark) if isinstance(spark, str) else (spark, False)
    path = ":memory:" if policies_in is None else str(policies_in)
    if read_only and policies_in is not None and not Path(path).is_file():
        raise UnknownNameError(f"file {path} does not exist", hint="The data owner makes it by connecting.")
    read_only = read_only and policies_in is not None
    connection = duckdb.connect(path, read_only=read_only)
    _harden(connection)
    mirror = Mirror(connection)
    engine = SparkEngine(session, mirror, stops=stops)
    if not mirror.claim(engine.name):
        connection.close()
        raise PolicyError(
            f"file {path} does not hold policies of {engine.name}",
            detail="The tables in it are those of another database.",
            hint="Name another file in policies_in, or USE the other database first.",
        )
    if not read_only:
        mirror.renew(engine.schema())
    return Source(connection, tuple(policies), elsewhere=engine)


def open_database(
    path: str | Path, *, read_only: bool, memory: str | None = None
) -> duckdb.DuckDBPyConnection:
    """Open an existing file.

    Input: a DuckDB database, or a .parquet or .csv file, which becomes a view named after its stem; the most
        memory that DuckDB may take, such as 4GB.
    Output: a connection on which no query can reach other files, the network or Python variables.
    Errors: UnknownNameError if there is no such file, PolicyError if it cannot be opened.
    """
    file = Path(path)
    if not file.is_file():
        raise UnknownNameError(f"file {path} does not exist", hint="Give the path of an existing file.")
    scan = scan_of(file)
    failure: DpduckError | None = None
    try:
        config: Config = {} if memory is None else {"memory_limit": memory}
        connection = _open_view(file, scan, config) if scan else _open_file(file, config, read_only=read_only)
    except duckdb.Error as error:
        # What DuckDB says of a Parquet or CSV file may quote a row.
        reason = "It is not such a file, or is damaged" if scan else f"DuckDB says: {_first_line(error)}"
        failure = PolicyError(f"file {path} cannot be opened", detail=f"{reason}.")
    if failure is not None:
        raise failure
    return connection


def scan_of(path: str | Path) -> str | None:
    """SQL that reads a Parquet or CSV file, wherever it runs; None for a database.

    >>> scan_of("/data/it's.parquet")
    "read_parquet('/data/it''s.parquet')"
    """
    file = Path(path)
    scan = _SCANS.get(file.suffix.lower())
    return None if scan is None else scan.format(_literal(file))


def _literal(file: Path) -> str:
    return "'" + str(file.resolve()).replace("'", "''") + "'"


def _first_line(error: duckdb.Error) -> str:
    return str(error).splitlines()[0].rstrip(".!")


def _open_file(file: Path, config: Config, *, read_only: bool) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(str(file), read_only=read_only, config=config)
    _harden(connection)
    return connection


def _open_view(file: Path, scan: str, config: Config) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(config=config)
    name = file.stem.replace('"', '""')
    connection.execute(f"SET allowed_paths = [{_literal(file)}]")
    connection.execute(f'CREATE VIEW "{name}" AS FROM {scan}')
    _harden(connection)
    return connection


def _harden(connection: duckdb.DuckDBPyConnection) -> None:
    """No files, no network, no Python variables; and nobody can change that any more.

    Connections of one process to one file share these settings, so a later one finds them as they must be,
    but for Python variables, which are a matter of each cursor: no SQL of ours names what could be one.
    """
    if connection.execute(_HARDENED).fetchall() == [(True,)]:
        return
    for setting in (
        "enable_external_access = false",
        "python_enable_replacements = false",
        "autoinstall_known_extensions = false",
        "autoload_known_extensions = false",
        "enable_progress_bar = false",
        "lock_configuration = true",
    ):
        connection.execute(f"SET {setting}")
