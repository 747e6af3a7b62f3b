"""Parquet or CSV files as one table, whose columns neither a later file nor any row can change.

All files must have the same columns of the same types, because DuckDB reads a file of another type by
casting, and a cast that fails on one row fails the query, which would reveal that row. So each file is
checked before the first query that may read it, and one that does not fit is an error before anything is
charged. The check reads only the schema, which is public: names and types, never a row.
Parts of a path such as `year=2024` become columns (hive partitions). Whether they do, and their types,
follows from the names of the folders alone, which are public too.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import date
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

import duckdb

from dpduck.engines.duckdb.csv_lines import CsvLines
from dpduck.engines.duckdb.data_version import files_version
from dpduck.engines.duckdb.database import Database
from dpduck.engines.duckdb.parquet_columns import ParquetColumns
from dpduck.engines.duckdb.path import TEXTS, DataPath, literal_glob
from dpduck.engines.duckdb.table_formats import check_no_table
from dpduck.errors import DpduckError, PolicyError, UnknownNameError
from dpduck.query.tree import emit

_NULL = "__HIVE_DEFAULT_PARTITION__"
_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,17}", re.ASCII)
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)


class DataSet:
    """The files of a path. Files may be added or changed, as long as they fit.

    `scan`: SQL that reads them. `left_out`: columns that are not read, and why. `account_name`: the name of
    their privacy units in a ledger.
    """

    def __init__(self, path: DataPath, connection: duckdb.DuckDBPyConnection) -> None:
        """Errors: UnknownNameError if there are none, PolicyError if they do not fit together."""
        self._path = path
        self._whole = _whole(path)
        self._checked: dict[str, object] = {}
        with connection.cursor() as cursor:
            files = _found(cursor, path)
            self._partitions = _partition_types([partitions_of(file) for file in files])
            layout = _layout(cursor, path.kind, files[0])
            if layout is None:
                raise self._misfit(files[0])
            self._layout = layout
            self._check(cursor, files)
        self.left_out = tuple(layout.left_out.items())
        self.account_name = path.account_name
        self.scan = self._scan()

    @property
    def where(self) -> str:
        """Their location."""
        return self._path.where

    def check(self, connection: Database) -> None:
        """Check that the present files fit. Errors: as when they were opened."""
        with connection.cursor() as cursor:
            self._check(cursor, _found(cursor, self._path))

    def state(self) -> str | None:
        """A value that changes when a file is added, removed or written; None for an address.

        Not to be published.
        """
        if self._path.scheme is not None:
            return None
        return _digest((str(file), _stat(file)) for file in self._path.files())

    def written(self) -> str | None:
        """As of `files_version`, as text; None for an address."""
        if self._path.scheme is not None:
            return None
        return json.dumps(files_version([(str(f), *(_stat(f) or (0, 0))) for f in self._path.files()]))

    def _check(self, cursor: duckdb.DuckDBPyConnection, files: Sequence[str]) -> None:
        states: dict[str, object] = {file: None if self._path.scheme else _stat(Path(file)) for file in files}
        fresh = [file for file in files if file not in self._checked or self._checked[file] != states[file]]
        if self._path.scheme is None:
            check_no_table(fresh)
        for file in fresh:
            self._check_place(file)
        misfit = self._layout.first_misfit(cursor, fresh)
        if misfit is not None:
            raise self._misfit(misfit)
        self._checked = states

    def _check_place(self, file: str) -> None:
        """Errors: PolicyError if a file links out of the folder, or is in a partition that does not fit."""
        if self._leads_out(file):
            raise PolicyError(
                f"file {file} leads out of its folder",
                detail=f"It is a link, and nothing outside of {self._path.root} is read.",
                hint="Remove the link, or put the file itself there.",
            )
        values = partitions_of(file)
        if list(values) != list(self._partitions) or not all(
            _fits(value, self._partitions[key]) for key, value in values.items()
        ):
            expected = ", ".join(f"{key} {kind}" for key, kind in self._partitions.items()) or "none"
            raise PolicyError(
                f"the folders of {self._path} do not fit together",
                detail=f"The partitions are {expected}, but there is {file}.",
                hint="All files need the same partitions, as in data/year=2024/month=1/.",
            )

    def _leads_out(self, file: str) -> bool:
        path = self._path
        return path.is_set and path.scheme is None and not Path(file).resolve().is_relative_to(path.root)

    def _misfit(self, file: str) -> DpduckError:
        # No column is named, since what looks like the header of a CSV file may be a row.
        if not self._path.is_set:
            return PolicyError(
                f"file {self._path} cannot be opened",
                detail="It is not such a file, is damaged, or has other columns than before.",
            )
        return PolicyError(
            f"file {file} does not fit",
            detail=f"It cannot be read, or its columns are not those of the other files of {self._path}.",
            hint="All files need the same columns of the same types, in one order.",
        )

    def _scan(self) -> str:
        types = ", ".join(
            f"{emit.string(key)}: {emit.string(kind)}" for key, kind in self._partitions.items()
        )
        hive = f"hive_partitioning = true, hive_types = {{{types}}}" if types else "hive_partitioning = false"
        layout = self._layout
        source = f"system.main.{layout.function}({emit.string(self._whole)}{layout.options}, {hive})"
        return layout.select(source, list(self._partitions))


def columns_of(path: DataPath, connection: duckdb.DuckDBPyConnection) -> list[tuple[str, str]]:
    """Names and types of the columns that are read, from the first file alone; of Parquet no row is read.

    Errors: UnknownNameError if there is no file, PolicyError if it is not such a file.
    """
    with connection.cursor() as cursor:
        files = _found(cursor, path)
        layout = (
            CsvLines.of(cursor, files[0]) if path.kind in TEXTS else ParquetColumns.named(cursor, files[0])
        )
    if layout is None:
        raise PolicyError(f"file {files[0]} cannot be opened", detail="It is not such a file, or is damaged.")
    partitions = _partition_types([partitions_of(file) for file in files])
    taken = {name.lower() for name in partitions}
    own = [(name, kind) for name, kind in layout.columns if name.lower() not in taken]
    return [*own, *partitions.items()]


def _whole(path: DataPath) -> str:
    """The pattern of all files."""
    return f"{literal_glob(path.root)}/{path.pattern}" if path.is_set else literal_glob(path.root)


def _found(cursor: duckdb.DuckDBPyConnection, path: DataPath) -> list[str]:
    """The files that DuckDB finds, in its order. Errors: PolicyError, UnknownNameError."""
    files: list[str] | None = None
    with suppress(duckdb.Error):  # it may be an unreachable address
        files = [row[0] for row in cursor.execute("SELECT file FROM glob(?)", [_whole(path)]).fetchall()]
    if files is None:
        raise PolicyError(f"{path} cannot be read", hint="Give the path of files that can.")
    if not files:
        raise UnknownNameError(f"no file matches {path}", hint="Give the path of existing files.")
    return files


def _layout(
    cursor: duckdb.DuckDBPyConnection, kind: str | None, file: str
) -> ParquetColumns | CsvLines | None:
    return CsvLines.of(cursor, file) if kind in TEXTS else ParquetColumns.of(cursor, file)


def partitions_of(file: str) -> dict[str, str]:
    """The parts of a file's path that are hive partitions, as DuckDB reads them.

    >>> partitions_of("/data/year=2024/city=New%20York/a.parquet")
    {'year': '2024', 'city': 'New York'}
    """
    parts = (part.split("=") for part in PurePosixPath(file).parts[:-1])
    return {part[0]: unquote(part[1]) for part in parts if len(part) == 2 and part[0]}


def _partition_types(values: Sequence[dict[str, str]]) -> dict[str, str]:
    """For each partition of the first file, the narrowest type that all values have."""
    return {
        key: next(
            kind for kind in ("BIGINT", "DATE", "VARCHAR") if all(_fits(v.get(key, ""), kind) for v in values)
        )
        for key in values[0]
    }


def _fits(value: str, kind: str) -> bool:
    if kind == "VARCHAR" or value == _NULL:
        return True
    if kind == "BIGINT":
        return _INTEGER.fullmatch(value) is not None
    with suppress(ValueError):
        return _DAY.fullmatch(value) is not None and date.fromisoformat(value) is not None
    return False


def _stat(file: Path) -> tuple[int, int] | None:
    with suppress(OSError):
        found = file.stat()
        return found.st_mtime_ns, found.st_size
    return None


def _digest(parts: Iterable[object]) -> str:
    return hashlib.sha256(json.dumps(list(parts)).encode("utf-8", "surrogateescape")).hexdigest()
