"""Opening the data: a DuckDB file, or Parquet and CSV files as a one-view database, hardened."""

from __future__ import annotations

import shutil
import weakref
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

import duckdb

from dpduck.engines.duckdb.csv_proposal import (
    ProposedFormat,
    complete_format,
    likely_encoding,
    propose_format,
    read_as_text,
)
from dpduck.engines.duckdb.data_version import DataFile, FileState
from dpduck.engines.duckdb.database import AttachedDatabase, Database
from dpduck.engines.duckdb.engine import DuckEngine
from dpduck.engines.duckdb.files import DataSet, columns_of, first_file
from dpduck.engines.duckdb.hardening import Config, harden
from dpduck.engines.duckdb.lake import Lake, open_lake
from dpduck.engines.duckdb.path import DataPath, literal_glob
from dpduck.engines.duckdb.temp_directory import spill_folder
from dpduck.engines.duckdb.transcoded import TranscodedFiles
from dpduck.kernel.accounting.amounts import parse_memory
from dpduck.kernel.catalog.csv_format import UTF8, CsvFormat, CsvWords, SetCsv
from dpduck.kernel.catalog.statements import PolicyStatement
from dpduck.kernel.engine import Engine
from dpduck.kernel.errors import PolicyError
from dpduck.kernel.tree import emit

Opened = TypeVar("Opened")

# The schemes that DuckDB's extension httpfs reads, and the type of secret for each.
_ADDRESSES = {"s3": "s3", "gs": "gcs", "gcs": "gcs", "r2": "r2", "https": "http", "http": "http"}


@dataclass(frozen=True)
class Source:
    """The data: a connection, policies in addition to its own, and the files it reads.

    `files`: the files behind the one view, if the data are files. `memory`: the requested limit. `elsewhere`:
    the remote engine that has the rows, if the connection has only the policies. `fixed`: the state of the
    database file, if it is read as it was when it was opened. `lake`: the lake, if the database is one.
    """

    connection: Database
    policies: Sequence[PolicyStatement] = ()
    files: DataSet | None = None
    memory: str | None = None
    elsewhere: Engine | None = None
    fixed: FileState | None = None
    lake: Lake | None = None

    @property
    def left_out(self) -> Sequence[tuple[str, str]]:
        """Columns of the files that are not read, and why."""
        return () if self.files is None else self.files.left_out

    @property
    def remarks(self) -> tuple[str, ...]:
        """What the owner should know of how files are read."""
        return tuple(remark for one in self.policies if isinstance(one, SetCsv) for remark in one.remarks)

    @property
    def engine(self) -> Engine:
        """The engine that has the rows."""
        return self.elsewhere or DuckEngine(self.connection)

    @property
    def is_replaced(self) -> bool:
        """Whether the path of the database file names another file by now, or the lake has another snapshot.

        Files of other kinds are looked at for each query. Errors: PolicyError if it was written in place, or
        cannot be read.
        """
        if self.lake is not None:
            return self.lake.has_newer()
        if self.fixed is None or (place := self.file.path) is None:
            return False
        now = FileState.of(place)
        if now.identity == self.fixed.identity and now != self.fixed:
            raise PolicyError(
                f"file {place.name} was written while it is served",
                detail="What is read of it may be of before and after.",
                hint="Write another file, and rename it to this one; then restart the server.",
            )
        return now.identity is not None and now.identity != self.fixed.identity

    def told_from(self, earlier: Iterable[FileState]) -> Source:
        """The same, with a version of its own if its file only looks like one that was read earlier."""
        return self if self.fixed is None else replace(self, fixed=self.fixed.told_from(earlier))

    @property
    def file(self) -> DataFile:
        """The file that holds the rows, whose state shows writes."""
        tells_writes = self.engine.tells_writes
        files = self.files if self.lake is None else self.lake
        return DataFile.of(self.connection, files, tells_writes=tells_writes, fixed=self.fixed)


def check_kind(source: Source) -> None:
    """Check that the rows are where DuckDB itself keeps them, or were opened by `open_source`.

    What other catalogs say of their values, and how they cast them, is not known: one unit could decide
    whether the rows of others count, or make a query fail. Errors: PolicyError.
    """
    if source.lake is not None or source.files is not None or source.elsewhere is not None:
        return
    with source.connection.cursor() as cursor:
        rows = cursor.execute(
            "SELECT type FROM duckdb_databases() WHERE database_name = current_database()"
        ).fetchall()
    if rows != [("duckdb",)]:
        raise PolicyError(
            f"the database is of type {rows[0][0] if rows else 'none'}",
            detail="Rows that DuckDB does not keep itself are not read on a connection of others.",
            hint="Open a DuckLake by the path of its catalog, or copy the tables to a DuckDB file.",
        )


def open_source(
    path: str | Path | DataPath,
    *,
    read_only: bool,
    policies: Iterable[PolicyStatement] = (),
    memory: str | None = None,
) -> Source:
    """Open the data at a path, hardened: no query can reach other files, the network or Python variables.

    Input: a DuckDB database, or the catalog of a DuckLake; a .parquet or .csv file, a folder or a glob of
        such files, or an address of them, which become one view, named as `DataPath.table`; DuckDB's memory
        limit.
    Errors: UnknownNameError if there is no such file, PolicyError if it cannot be opened.
    """
    place = path if isinstance(path, DataPath) else DataPath(str(path))
    place.check()
    config: Config = {} if memory is None else {"memory_limit": parse_memory(memory)}
    if place.is_lake:
        lake_connection, lake = _opening(place, lambda: open_lake(place.place, config, live=not read_only))
        return Source(lake_connection, tuple(policies), memory=memory, lake=lake)
    if place.is_database:
        opened = _opening(place, lambda: _open_file(Path(place.text), config, read_only=read_only))
        return Source(opened, tuple(policies), memory=memory)
    form = format_in(policies := tuple(policies))
    transcoded = _opening(place, lambda: _transcoded(place, form))
    connection = _opening(place, lambda: _open_empty(config, place, transcoded))
    files = DataSet(place, connection, form, transcoded)
    view = f"CREATE VIEW {emit.identifier(place.table)} AS FROM {files.scan}"
    _opening(place, lambda: connection.execute(view))
    return Source(connection, policies, files, memory)


def open_columns(place: DataPath, policies: Iterable[PolicyStatement] = ()) -> duckdb.DuckDBPyConnection:
    """Open a database in memory with the one table of files, which is empty: their columns, and no row.

    The columns of Parquet files are read from what they say of themselves; those of CSV files are as policies
    say. Errors: as of `open_source`.
    """
    place.check()
    form = format_in(policies)
    connection = _opening(place, lambda: _open_empty({}, place))
    named = columns_of(place, connection, form)
    columns = ", ".join(f"{emit.identifier(name)} {kind}" for name, kind in named)
    table = f"CREATE TABLE {emit.identifier(place.table)} ({columns})"
    _opening(place, lambda: connection.execute(table))
    return connection


def format_in(policies: Iterable[PolicyStatement]) -> CsvFormat | None:
    """How the lines of CSV files are read: what the last statement about it says."""
    said = [one.format for one in policies if isinstance(one, SetCsv)]
    return said[-1] if said else None


def propose_for(place: DataPath, words: CsvWords) -> ProposedFormat | None:
    """Propose how CSV files are read, from the lines of the first one. None: there are no lines.

    For their owner. Errors: as of `open_source`; ParameterError if words do not fit the file.
    """
    place.check()
    if place.scheme is None and "encoding" not in words.facts:
        words = replace(words, facts={**words.facts, **likely_encoding(place.files())})
    return _looking_at(place, words, propose_format)


def complete_for(place: DataPath, form: CsvFormat, words: CsvWords) -> ProposedFormat:
    """Find how columns are written whose types words have changed. For the owner.

    Errors: as of `propose_for`.
    """
    facts = {"encoding": form.encoding}
    found = _looking_at(
        place, CsvWords({}, {}, facts), lambda cursor, file, _: complete_format(cursor, file, form, words)
    )
    return found or ProposedFormat(form)


def text_format(place: DataPath, words: CsvWords) -> CsvFormat | None:
    """How CSV files are read where nothing is on record and nobody may look at lines: as `read_as_text`."""
    return _looking_at(place, words, read_as_text)


def _looking_at(
    place: DataPath,
    words: CsvWords,
    look: Callable[[duckdb.DuckDBPyConnection, str, CsvWords], Opened | None],
) -> Opened | None:
    """What the first file shows, opened as it will be read."""
    place.check()
    words.check()
    given = CsvFormat(**words.facts)  # type: ignore[arg-type]
    transcoded = _opening(place, lambda: _transcoded(place, given))
    with _opening(place, lambda: _open_empty({}, place, transcoded)) as connection:
        file = first_file(place, connection)
        if transcoded is not None:
            file = str(_opening(place, lambda: transcoded.copy(Path(file))))
        with connection.cursor() as cursor:
            return look(cursor, file, words)


def _transcoded(place: DataPath, form: CsvFormat | None) -> TranscodedFiles | None:
    """Where copies of files are that are not UTF-8. Errors: PolicyError for an address, OSError."""
    if form is None or form.encoding == UTF8:
        return None
    if place.scheme is not None:
        raise PolicyError(
            f"{place} is not UTF-8",
            hint="Copy the files to this machine; what is at an address is read as UTF-8.",
        )
    folder = spill_folder()
    folder.mkdir(mode=0o700)
    root = Path(place.root)
    transcoded = TranscodedFiles(folder, root if place.is_set else root.parent, form.encoding)
    weakref.finalize(transcoded, shutil.rmtree, folder, ignore_errors=True)
    return transcoded


def open_in_memory(memory: str | None = None) -> Source:
    """Open a new database in memory, hardened, for rows of this process. Input: DuckDB's memory limit."""
    config: Config = {} if memory is None else {"memory_limit": parse_memory(memory)}
    connection = duckdb.connect(":memory:", config=config)
    _harden(connection)
    return Source(connection, memory=memory)


def open_version(
    place: DataPath, *, policies: Iterable[PolicyStatement] = (), memory: str | None = None
) -> Source:
    """Open the present version of the data for reading, beside earlier ones that the process still reads.

    A database file that is replaced by another one, by renaming, is a new version; written in place it is
    not. Of a lake each snapshot is one.
    Input and errors: as `open_source`; PolicyError also if the file is replaced meanwhile.
    """
    if not place.is_database or place.is_lake:
        return open_source(place, read_only=True, policies=policies, memory=memory)
    place.check()
    before = FileState.of(place.place)
    config: Config = {} if memory is None else {"memory_limit": parse_memory(memory)}
    opened = _opening(place, lambda: _attach(place, config))
    if FileState.of(place.place) != before:
        opened.close()
        raise PolicyError(
            f"file {place} was replaced while it was opened", hint="Try again when it stays as it is."
        )
    return Source(opened, tuple(policies), memory=memory, fixed=before)


def _attach(place: DataPath, config: Config) -> AttachedDatabase:
    instance = duckdb.connect(":memory:", config=config)
    try:
        opened = AttachedDatabase(instance, str(place.place), place.place.stem)
        _harden(opened)
    except BaseException:
        instance.close()
        raise
    return opened


def _opening(place: DataPath, work: Callable[[], Opened]) -> Opened:
    """Open a connection. Errors: PolicyError for those of DuckDB and the system."""
    reason = "It is not such a file, is damaged, or is of another encoding"
    try:
        return work()
    except duckdb.Error as error:
        # DuckDB's error about a Parquet or CSV file may quote a row.
        if place.is_database:
            reason = f"DuckDB says: {_first_line(error)}"
    except UnicodeError:
        pass
    except OSError as error:
        reason = (
            f"The system says of the folder for temporary files: {(error.strerror or str(error)).lower()}"
        )
    raise PolicyError(f"file {place} cannot be opened", detail=f"{reason}.")


def _harden(connection: Database) -> None:
    """Harden what is open. Errors: PolicyError, which does not blame the file; no row was read yet."""
    try:
        harden(connection)
    except duckdb.Error as error:
        reason = _first_line(error)
    else:
        return
    raise PolicyError(
        "DuckDB cannot be set up to read private rows",
        detail=f"The file is not the cause. DuckDB says: {reason}.",
        hint="Compare the version of DuckDB with the one that dpduck needs.",
    )


def _first_line(error: duckdb.Error) -> str:
    return str(error).splitlines()[0].rstrip(".!")


def _open_file(file: Path, config: Config, *, read_only: bool) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(str(file), read_only=read_only, config=config)
    _harden(connection)
    return connection


def _open_empty(
    config: Config, place: DataPath, transcoded: TranscodedFiles | None = None
) -> duckdb.DuckDBPyConnection:
    """A database in memory that can read the files of a path, or their copies, and nothing else."""
    connection = duckdb.connect(config=config)
    if place.scheme is not None:
        _load_network(connection, place)
    setting, own = "allowed_paths", str(Path(place.text).resolve())
    if place.is_set:
        setting, own = "allowed_directories", f"{place.root}/"
    allowed = {"allowed_directories": [] if transcoded is None else [f"{transcoded.folder}/"]}
    allowed.setdefault(setting, []).append(own)
    for name, places in allowed.items():
        # DuckDB compares the pattern too, in which characters such as [ are escaped.
        both = ", ".join(map(emit.string, dict.fromkeys([*places, *map(literal_glob, places)])))
        connection.execute(f"SET {name} = [{both}]")
    _harden(connection)
    return connection


def _load_network(connection: duckdb.DuckDBPyConnection, place: DataPath) -> None:
    """Make an address readable with the secrets that its owner has set up. Errors: PolicyError."""
    scheme = place.scheme or ""
    if scheme not in _ADDRESSES:
        raise PolicyError(
            f"{place} cannot be read",
            detail=f"Addresses begin with {', '.join(_ADDRESSES)}.",
            hint="Copy the files to this machine, or give such an address.",
        )
    missing = True
    with suppress(duckdb.Error):
        connection.execute("LOAD httpfs")  # it is never downloaded here
        missing = False
    if missing:
        raise PolicyError(
            f"reading {place} needs DuckDB's extension httpfs",
            detail="It is not installed, and nothing is downloaded unasked.",
            hint="Run INSTALL httpfs in DuckDB once, or copy the files to this machine.",
        )
    kind = _ADDRESSES[scheme]
    if not _has_secret(connection, place, kind) and kind != "http":  # public web servers need no secret
        raise PolicyError(
            f"there are no credentials for {place}",
            detail="DuckDB knows no persistent secret for this address.",
            hint=f"Run CREATE PERSISTENT SECRET (TYPE {kind}, ...) in DuckDB once.",
        )


def _has_secret(connection: duckdb.DuckDBPyConnection, place: DataPath, kind: str) -> bool:
    """Whether there is a secret for an address. The lookup reads all, which hardening forbids."""
    with suppress(duckdb.Error):
        return bool(connection.execute("SELECT name FROM which_secret(?, ?)", [place.text, kind]).fetchall())
    return False
