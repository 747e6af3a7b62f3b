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
from typing import cast
from urllib.parse import unquote

import duckdb

from dpduck.engines.duckdb.csv_lines import CsvLines
from dpduck.engines.duckdb.csv_proposal import read_as_text
from dpduck.engines.duckdb.data_version import files_version
from dpduck.engines.duckdb.database import Database
from dpduck.engines.duckdb.parquet_columns import ParquetColumns
from dpduck.engines.duckdb.path import TEXTS, DataPath, literal_glob
from dpduck.engines.duckdb.transcoded import TranscodedFiles
from dpduck.kernel.catalog.csv_format import CsvFormat, CsvWords
from dpduck.kernel.errors import DpduckError, PolicyError, UnknownNameError
from dpduck.kernel.tree import emit

_NULL = "__HIVE_DEFAULT_PARTITION__"
_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,17}", re.ASCII)
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)


class DataSet:
    """The files of a path. Files may be added or changed, as long as they fit.

    `scan`: SQL that reads them. `left_out`: columns that are not read, and why. `account_name`: the name of
    their privacy units in a ledger.
    """

    def __init__(
        self,
        path: DataPath,
        connection: duckdb.DuckDBPyConnection,
        form: CsvFormat | None = None,
        transcoded: TranscodedFiles | None = None,
    ) -> None:
        """Input: how the lines of CSV files are read (default: as texts, named by the first line); copies of
            those that are not UTF-8.
        Errors: UnknownNameError if there are none, PolicyError if they do not fit together.
        """
        self._path = path
        self._transcoded = transcoded
        self._whole = _whole(path, transcoded)
        self._checked: dict[str, object] = {}
        with connection.cursor() as cursor:
            files = _found(cursor, path)
            self._partitions = _partition_types([partitions_of(file) for file in files])
            layout = self._layout_of(cursor, files[0], form)
            if layout is None:
                raise self._misfit(files[0])
            self._layout = layout
            self._check(cursor, files)
        self.left_out = tuple(layout.left_out.items())
        self.account_name = path.account_name
        self.scan = layout.select(self._source(), list(self._partitions))

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
        files = [(str(file), *(_stat(file) or (0, 0))) for file in self._path.files()]
        # The same lines read by other facts are other rows.
        how = [] if self.format is None else [(_digest([repr(self.format)]), 0, 0)]
        count, last, digest = files_version([*files, *how])
        return json.dumps([cast(int, count) - len(how), last, digest])

    @property
    def format(self) -> CsvFormat | None:
        """How the lines of CSV files are read; None for Parquet."""
        return self._layout.format if isinstance(self._layout, CsvLines) else None

    def texts(self) -> str:
        """SQL of the rows of CSV files as texts, a column for each part, named by `csv_lines.part`."""
        assert isinstance(self._layout, CsvLines)
        return self._layout.texts(self._source())

    def readable(self) -> list[Path]:
        """The present files as they are read: those that are not UTF-8 as copies."""
        files = self._path.files() if self._path.is_set else [Path(self._path.root)]
        return [Path(self._readable(str(file))) for file in files]

    def _layout_of(
        self, cursor: duckdb.DuckDBPyConnection, file: str, form: CsvFormat | None
    ) -> ParquetColumns | CsvLines | None:
        if self._path.kind not in TEXTS:
            return ParquetColumns.of(cursor, file)
        file = self._readable(file)
        form = form or read_as_text(cursor, file, CsvWords())
        return None if form is None else CsvLines.of(form, file)

    def _readable(self, file: str) -> str:
        """The file that DuckDB reads in place of one. Errors: PolicyError."""
        if self._transcoded is None:
            return file
        with suppress(OSError, EOFError, UnicodeError):  # such as UTF-16 without its mark
            return str(self._transcoded.copy(Path(file)))
        raise self._misfit(file)

    def _check(self, cursor: duckdb.DuckDBPyConnection, files: Sequence[str]) -> None:
        states: dict[str, object] = {file: None if self._path.scheme else _stat(Path(file)) for file in files}
        fresh = [file for file in files if file not in self._checked or self._checked[file] != states[file]]
        if self._path.scheme is None:
            check_no_table(fresh)
        for file in fresh:
            self._check_place(file)
        readable = {self._readable(file): file for file in fresh}
        misfit = self._layout.first_misfit(cursor, list(readable))
        if misfit is not None:
            raise self._misfit(readable[misfit], has_layout=True)
        if self._transcoded is not None:
            self._transcoded.keep_only(map(Path, files))
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

    def _misfit(self, file: str, *, has_layout: bool = False) -> DpduckError:
        # What is in the first line of a CSV file is not quoted, since it may be a row.
        if has_layout and isinstance(self._layout, CsvLines):
            named = ", ".join(name for name, _ in self._layout.columns[:20])
            return PolicyError(
                f"file {file} does not fit",
                detail=f"It does not begin with the columns on record, which hold for all versions: {named}.",
                hint="If it is to have others, write them into SET CSV, in the script beside it.",
            )
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

    def _source(self) -> str:
        types = ", ".join(
            f"{emit.string(key)}: {emit.string(kind)}" for key, kind in self._partitions.items()
        )
        hive = f"hive_partitioning = true, hive_types = {{{types}}}" if types else "hive_partitioning = false"
        layout = self._layout
        return f"system.main.{layout.function}({emit.string(self._whole)}{layout.options}, {hive})"


def columns_of(
    path: DataPath, connection: duckdb.DuckDBPyConnection, form: CsvFormat | None = None
) -> list[tuple[str, str]]:
    """Names and types of the columns that are read, from the first file alone, of which no row is read.

    Input: how lines of CSV are read. Errors: UnknownNameError if there is no file, PolicyError if it is not
    such a file.
    """
    with connection.cursor() as cursor:
        files = _found(cursor, path)
        layout: ParquetColumns | CsvLines | None
        if path.kind in TEXTS:
            form = form or read_as_text(cursor, files[0], CsvWords())
            layout = None if form is None else CsvLines(form)
        else:
            layout = ParquetColumns.named(cursor, files[0])
    if layout is None:
        raise PolicyError(f"file {files[0]} cannot be opened", detail="It is not such a file, or is damaged.")
    partitions = _partition_types([partitions_of(file) for file in files])
    taken = {name.lower() for name in partitions}
    own = [(name, kind) for name, kind in layout.columns if name.lower() not in taken]
    return [*own, *partitions.items()]


def first_file(path: DataPath, connection: duckdb.DuckDBPyConnection) -> str:
    """The first file of a path. Errors: PolicyError, UnknownNameError."""
    with connection.cursor() as cursor:
        return _found(cursor, path)[0]


def _whole(path: DataPath, transcoded: TranscodedFiles | None = None) -> str:
    """The pattern of all files, or of their copies."""
    if transcoded is None:
        return f"{literal_glob(path.root)}/{path.pattern}" if path.is_set else literal_glob(path.root)
    pattern = path.pattern if path.is_set else literal_glob(Path(path.root).name)
    return f"{literal_glob(str(transcoded.folder))}/{pattern}"


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


# Folders whose Parquet files are parts of a table of another format, which alone says which of them count.
#
# A Delta or Iceberg table keeps files of earlier versions, and rows that were deleted, beside those of today.
# To read all files of its folder would count people who are gone.


def check_no_table(files: Iterable[str]) -> None:
    """Check the folders that files are in, by names alone: a table has its log beside or above them.

    Errors: PolicyError if one is of a Delta or Iceberg table.
    """
    folders = {folder for file in files for folder in Path(file).resolve().parents}
    for folder in sorted(folders):
        kind = _kind(folder)
        if kind is not None:
            raise PolicyError(
                f"the files in {folder} are of a table of {kind}",
                detail="Which of them count, and which of their rows are deleted, only its log says.",
                hint="Copy the table to a DuckLake, or to Parquet files in a folder of their own.",
            )


def _kind(folder: Path) -> str | None:
    if (folder / "_delta_log").is_dir():
        return "Delta"
    if next((folder / "metadata").glob("*.metadata.json"), None) is not None:
        return "Iceberg"
    return None
