"""A DuckLake: tables whose rows are in Parquet files, and a catalog of its snapshots, which is FILE.

Whoever reads gets a copy of the catalog, made in one transaction, and reads the newest snapshot of that copy:
nothing that is written to the lake afterwards is in it, and no lock keeps writers waiting. The version of the
data is the number of the snapshot and when it was made; both are public, and exact. The owner's policy
statements go to the lake itself, and are part of a snapshot like any other table: so rows and policies change
together.

Files of a snapshot never change, but they can go away, when the lake's owner expires snapshots. So they are
looked for before each charge. Who wrote them and their types are checked too, once: DuckLake casts what other
programs have put into a file, and a cast that fails on one row would reveal that row.

What files and catalog say of the least and greatest values is not used: of a long text, or one with NUL, it
is wrong, so that one unit would decide whether the rows of others in its file count.
"""

from __future__ import annotations

import shutil
import weakref
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import duckdb

from dpduck.engines.duckdb import lake_catalog
from dpduck.engines.duckdb.database import AttachedDatabase
from dpduck.engines.duckdb.hardening import Config, harden
from dpduck.engines.duckdb.temp_directory import spill_folder
from dpduck.kernel.errors import PolicyError
from dpduck.kernel.tree import emit

_EXTENSION = {
    False: ("ducklake",),
    True: ("ducklake", "sqlite_scanner"),
}  # by whether its catalog is SQLite's
_METADATA = "__ducklake_metadata_{}"  # the name that DuckLake gives to its catalog of a database

# All that use what is said of values: to skip files and rows, or to decide a condition without them.
_PRUNING = (
    *(
        "filter_pushdown",
        "filter_pullup",
        "cte_filter_pusher",
        "join_filter_pushdown",
        "statistics_propagation",
    ),
    *("row_group_pruner", "top_n", "late_materialization", "compressed_materialization", "extension"),
)

_TABLES = """
SELECT schema_name, table_name FROM system.main.duckdb_tables()
WHERE database_name = system.main.current_database()
"""
_COLUMNS = """
SELECT c.column_id, c.column_type FROM {metadata}.ducklake_column AS c
WHERE c.end_snapshot IS NULL
    AND c.table_id IN (
        SELECT t.table_id FROM {metadata}.ducklake_table AS t
        JOIN {metadata}.ducklake_schema AS s ON s.schema_id = t.schema_id
        WHERE t.table_name = $table AND s.schema_name = $schema AND t.end_snapshot IS NULL
            AND s.end_snapshot IS NULL)
"""
_WRITERS = "SELECT created_by FROM system.main.parquet_file_metadata($files)"
_WRITER = "DuckDB version "  # whose files hold only values that DuckDB can read
_LEAVES = """
SELECT file_name, field_id, duckdb_type FROM system.main.parquet_schema($files)
WHERE num_children IS NULL OR num_children = 0
"""


@dataclass(frozen=True)
class LakeFile:
    """A file of a snapshot. `size`: in bytes, as the catalog says; None where it does not."""

    path: Path
    size: int | None

    @property
    def is_there(self) -> bool:
        """Whether it is there as it was written."""
        with suppress(OSError):
            return self.path.stat().st_size == self.size if self.size is not None else self.path.is_file()
        return False


class Lake:
    """The lake that a connection reads. `where`: the place of its catalog, without links."""

    def __init__(self, catalog: Path, connection: AttachedDatabase, *, live: bool) -> None:
        """Input: `live`: whether the catalog itself is read, and not a copy that stays as it is.

        Errors: PolicyError if a file is gone, in another folder, or of other types than the catalog says.
        """
        self.where = str(catalog)
        self._catalog = catalog
        self._connection = connection
        self._live = live
        self._checked: dict[Path, LakeFile] = {}
        self._files: tuple[LakeFile, ...] = ()
        self._root = Path(_data_path(connection))
        self._snapshot = -1
        self.check()

    @property
    def snapshot(self) -> int:
        """The number of the snapshot that queries read from now on."""
        if not self._live:
            return self._snapshot
        with self._connection.cursor() as cursor:
            return self.snapshot_of(cursor)

    def snapshot_of(self, cursor: duckdb.DuckDBPyConnection) -> int:
        """The number of the snapshot that a cursor's transaction reads."""
        return _snapshot_of(cursor, self._connection.name)

    def written(self) -> str:
        """The snapshot and the time at which it was made, in microseconds: the version of the data."""
        with self._connection.cursor() as cursor:
            [(number, time)] = cursor.execute(
                "SELECT snapshot_id, system.main.epoch_us(snapshot_time) FROM "
                f"ducklake_snapshots({emit.string(self._connection.name)}) ORDER BY snapshot_id DESC LIMIT 1"
            ).fetchall()
        return f"snapshot {number} {time}"

    def state(self) -> object:
        """The snapshot that is read. Errors: PolicyError if one of its files is gone."""
        number = self.snapshot
        if number != self._snapshot:
            self.check()
        for file in self._files:
            if not file.is_there:
                raise self._gone()
        return number

    def check(self) -> None:
        """Check the files of the snapshot that is read. Errors: as when it was opened."""
        with self._connection.cursor() as cursor:
            self._snapshot = self.snapshot_of(cursor)
            found: list[LakeFile] = []
            for schema, table in cursor.execute(_TABLES).fetchall():
                rows, deletions = self._files_of(cursor, schema, table)
                self._check_files(cursor, schema, table, rows)
                found += [*rows, *deletions]
        self._files = tuple(found)
        self._checked = {file.path: file for file in found}

    def has_newer(self) -> bool:
        """Whether the catalog has another newest snapshot. Errors: PolicyError if it cannot be read."""
        return lake_catalog.newest(self._catalog) != self._snapshot

    def _files_of(
        self, cursor: duckdb.DuckDBPyConnection, schema: str, table: str
    ) -> tuple[list[LakeFile], list[LakeFile]]:
        """The files of a table's rows, and those that say which of them are deleted."""
        call = (
            f"ducklake_list_files({emit.string(self._connection.name)}, {emit.string(table)}, "
            f"schema => {emit.string(schema)})"
        )
        found = cursor.execute(
            f"SELECT data_file, data_file_size_bytes, delete_file, delete_file_size_bytes FROM {call}"
        ).fetchall()
        rows = [LakeFile(Path(file), size) for file, size, _, _ in found]
        return rows, [LakeFile(Path(file), size) for _, _, file, size in found if file]

    def _check_files(
        self, cursor: duckdb.DuckDBPyConnection, schema: str, table: str, files: Sequence[LakeFile]
    ) -> None:
        fresh = [file for file in files if self._checked.get(file.path) != file]
        if any(not file.is_there for file in fresh):
            raise self._gone()
        for file in fresh:
            if not file.path.resolve().is_relative_to(self._root.resolve()):
                raise PolicyError(
                    f"a file of table {table} is not in the folder of the lake",
                    detail=f"Nothing outside of {self._root} is read.",
                    hint="Write the table anew, so that its files are there.",
                )
        if fresh and not self._fit(cursor, schema, table, fresh):
            raise PolicyError(
                f"a file of table {table} is not as DuckLake writes it",
                detail="It was made by another program, or holds other types than the lake says. A cast that "
                "fails on one row would reveal that row.",
                hint="Write the table anew by DuckDB, in types that Parquet has.",
            )

    def _fit(
        self, cursor: duckdb.DuckDBPyConnection, schema: str, table: str, files: Iterable[LakeFile]
    ) -> bool:
        metadata = emit.identifier(_METADATA.format(self._connection.name))
        columns = dict(
            cursor.execute(_COLUMNS.format(metadata=metadata), {"table": table, "schema": schema}).fetchall()
        )
        with suppress(duckdb.Error):  # its text may quote the file
            paths = {"files": [str(file.path) for file in files]}
            if not all(str(who).startswith(_WRITER) for (who,) in cursor.execute(_WRITERS, paths).fetchall()):
                return False
            leaves = cursor.execute(_LEAVES, paths).fetchall()
            return all(
                field is not None and (field not in columns or is_read_without_loss(kind, columns[field]))
                for _, field, kind in leaves
            )
        return False

    def _gone(self) -> PolicyError:
        return PolicyError(
            f"files of snapshot {self._snapshot} of the lake are gone",
            detail="Its owner has expired the snapshot, or moved them.",
            hint="Open the lake again, or tell the server to reload: that reads the newest snapshot.",
        )


def open_lake(catalog: Path, config: Config, *, live: bool) -> tuple[AttachedDatabase, Lake]:
    """Open a lake by the place of its catalog, hardened.

    Input: `live`: for the lake as it is at each moment, and to write policies; else for its newest snapshot.
    Errors: PolicyError, duckdb.Error, OSError.
    """
    in_sqlite = lake_catalog.is_sqlite(catalog)
    instance = duckdb.connect(config=config)
    folder = None if live else spill_folder()  # a catalog holds private rows too
    try:
        _load_extensions(instance, catalog, _EXTENSION[in_sqlite])
        read = catalog
        if folder is not None:
            folder.mkdir()
            read = folder / "catalog"
            lake_catalog.copy(catalog, read)
        opened = _attach(instance, read, catalog.stem, in_sqlite=in_sqlite, live=live)
        lake = Lake(catalog, opened, live=live)
    except BaseException:
        instance.close()
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)
        raise
    if folder is not None:
        weakref.finalize(opened, shutil.rmtree, folder, ignore_errors=True)
    return opened, lake


def _attach(
    instance: duckdb.DuckDBPyConnection, catalog: Path, name: str, *, in_sqlite: bool, live: bool
) -> AttachedDatabase:
    place = f"ducklake:{'sqlite:' if in_sqlite else ''}{catalog}"
    opened = AttachedDatabase(instance, place, name, read_only=not live)
    root = str(Path(_data_path(opened)).resolve())
    with opened.cursor() as cursor:
        cursor.execute(f"SET GLOBAL allowed_directories = [{emit.string(f'{root}/')}]")
        cursor.execute(f"SET GLOBAL disabled_optimizers = {emit.string(','.join(_PRUNING))}")
    harden(opened)
    return opened


def _load_extensions(instance: duckdb.DuckDBPyConnection, catalog: Path, names: Iterable[str]) -> None:
    for name in names:
        missing = True
        with suppress(duckdb.Error):
            instance.execute(f"LOAD {name}")  # it is never downloaded here
            missing = False
        if missing:
            raise PolicyError(
                f"reading {catalog.name} needs DuckDB's extension {name}",
                detail="It is not installed, and nothing is downloaded unasked.",
                hint=f"Run INSTALL {name} in DuckDB once, of a version that has it.",
            )


def _data_path(connection: AttachedDatabase) -> str:
    """Where the lake says that its files are."""
    metadata = emit.identifier(_METADATA.format(connection.name))
    with connection.cursor() as cursor:
        [(path,)] = cursor.execute(
            f"SELECT value FROM {metadata}.ducklake_metadata WHERE key = 'data_path' AND scope IS NULL"
        ).fetchall()
    return str(path)


def _snapshot_of(cursor: duckdb.DuckDBPyConnection, name: str) -> int:
    [(number,)] = cursor.execute(f"FROM ducklake_current_snapshot({emit.string(name)})").fetchall()
    return int(number)


# Which types of a Parquet file are read as which types of a DuckLake without a cast that can fail.


_NAMES = {
    "boolean": "BOOLEAN",
    "int8": "TINYINT",
    "int16": "SMALLINT",
    "int32": "INTEGER",
    "int64": "BIGINT",
    "uint8": "UTINYINT",
    "uint16": "USMALLINT",
    "uint32": "UINTEGER",
    "uint64": "UBIGINT",
    "float32": "FLOAT",
    "float64": "DOUBLE",
    "varchar": "VARCHAR",
    "blob": "BLOB",
    "uuid": "UUID",
    "date": "DATE",
    "time": "TIME",
    "timestamp": "TIMESTAMP",
    "timestamptz": "TIMESTAMP WITH TIME ZONE",
}  # by DuckLake's names
_WIDER = {
    "TINYINT": ("SMALLINT", "INTEGER", "BIGINT"),
    "SMALLINT": ("INTEGER", "BIGINT"),
    "INTEGER": ("BIGINT",),
    "UTINYINT": ("USMALLINT", "UINTEGER", "UBIGINT"),
    "USMALLINT": ("UINTEGER", "UBIGINT"),
    "UINTEGER": ("UBIGINT",),
    "FLOAT": ("DOUBLE",),
}


def is_read_without_loss(in_file: str | None, in_lake: str) -> bool:
    """Whether each value of a file's type has its like in a type of the lake.

    Input: DuckDB's name of the first, DuckLake's of the second. Types that are not known are not.

    >>> is_read_without_loss("INTEGER", "int64"), is_read_without_loss("DOUBLE", "int128")
    (True, False)
    >>> [is_read_without_loss("DECIMAL(10,2)", kind) for kind in ("decimal(10,2)", "decimal(4,2)")]
    [True, False]
    """
    if in_file is None:
        return False
    if in_lake.startswith("decimal("):
        return in_file == in_lake.upper().replace(" ", "")
    wanted = _NAMES.get(in_lake)
    return wanted is not None and (in_file == wanted or wanted in _WIDER.get(in_file, ()))
