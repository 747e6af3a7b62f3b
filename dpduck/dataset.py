"""Many Parquet or CSV files as one table, whose columns no later file and no row can change.

All files must have the same columns of the same types. For DuckDB reads a file of another type by casting,
and a cast that fails on one row fails the query: anybody would see that this row is there. So each file is
checked before the first query that may read it, and one that does not fit is an error before anything is
charged. What is read for that is what a schema says, which is public: names and types, never a row.

Parts of a path such as `year=2024` become columns (hive partitions). Whether they do, and of which type they
are, follows from the names of the folders alone, which are public too.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import date
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote

import duckdb

from dpduck.datapath import DataPath, literal_glob
from dpduck.errors import DpduckError, PolicyError, UnknownNameError
from dpduck.query import emit

_NULL = "__HIVE_DEFAULT_PARTITION__"
_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,17}", re.ASCII)
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
_PARQUET_COLUMNS = """
    SELECT file_name, name, duckdb_type, num_children FROM parquet_schema($files) WHERE column_id > 0
"""

Columns = Sequence[object]


class DataSet:
    """The files of a path. They may become more, and change, as long as they fit.

    `scan`: SQL that reads them.
    """

    def __init__(self, path: DataPath, connection: duckdb.DuckDBPyConnection) -> None:
        """Errors: UnknownNameError if there are none, PolicyError if they do not fit together."""
        self._path = path
        self._whole = f"{literal_glob(path.root)}/{path.pattern}"
        self._checked: dict[str, object] = {}
        with connection.cursor() as cursor:
            files = self._found(cursor)
            self._partitions = _partition_types([partitions_of(file) for file in files])
            self._layout = _layout(cursor, path.kind, files[0])
            if self._layout is None:
                raise self._misfit(files[0])
            self._check(cursor, files)
        self.scan = self._scan()

    def check(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Whether the files that are there now fit. Errors: as when they were opened."""
        with connection.cursor() as cursor:
            self._check(cursor, self._found(cursor))

    def state(self) -> str:
        """Something that differs once a file is added, removed or written. Not for others to see."""
        return _digest((str(file), _stat(file)) for file in self._path.files())

    def written(self) -> str | None:
        """How many files there are, when the last was written, and a digest; of an address None."""
        if self._path.scheme is not None:
            return None
        times = [(str(file), (_stat(file) or (0, 0))[0]) for file in self._path.files()]
        return json.dumps([len(times), max((time for _, time in times), default=0), _digest(times)])

    def _found(self, cursor: duckdb.DuckDBPyConnection) -> list[str]:
        """The files as DuckDB finds them, in its order."""
        files: list[str] | None = None
        with suppress(duckdb.Error):  # it may be an address that cannot be had
            files = [row[0] for row in cursor.execute("SELECT file FROM glob(?)", [self._whole]).fetchall()]
        if files is None:
            raise PolicyError(f"{self._path} cannot be read", hint="Give the path of files that can.")
        if not files:
            raise UnknownNameError(f"no file matches {self._path}", hint="Give the path of existing files.")
        return files

    def _check(self, cursor: duckdb.DuckDBPyConnection, files: Sequence[str]) -> None:
        states: dict[str, object] = {file: None if self._path.scheme else _stat(Path(file)) for file in files}
        fresh = [file for file in files if file not in self._checked or self._checked[file] != states[file]]
        for file in fresh:
            self._check_place(file)
        assert self._layout is not None
        misfit = self._layout.first_misfit(cursor, fresh)
        if misfit is not None:
            raise self._misfit(misfit)
        self._checked = states

    def _check_place(self, file: str) -> None:
        """Errors: PolicyError if a file leads out of the folder, or is in a partition that does not fit."""
        if self._path.scheme is None and not Path(file).resolve().is_relative_to(self._path.root):
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

    def _misfit(self, file: str) -> DpduckError:
        # No column is named: what looks like the header of a CSV file may be a row.
        return PolicyError(
            f"file {file} does not fit",
            detail=f"It cannot be read, or its columns are not those of the other files of {self._path}.",
            hint="All files need the same columns of the same types, in one order.",
        )

    def _scan(self) -> str:
        assert self._layout is not None
        types = ", ".join(
            f"{emit.string(key)}: {emit.string(kind)}" for key, kind in self._partitions.items()
        )
        hive = f"hive_partitioning = true, hive_types = {{{types}}}" if types else "hive_partitioning = false"
        return f"{self._layout.function}({emit.string(self._whole)}{self._layout.options}, {hive})"


class _Parquet:
    function, options = "read_parquet", ""

    def __init__(self, columns: Columns) -> None:
        self._columns = columns

    @classmethod
    def of(cls, cursor: duckdb.DuckDBPyConnection, file: str) -> _Parquet | None:
        found = cls._columns_of(cursor, [file])
        return None if found is None else cls(found[file])

    def first_misfit(self, cursor: duckdb.DuckDBPyConnection, files: Sequence[str]) -> str | None:
        """The first file that cannot be read or has other columns."""
        together = self._columns_of(cursor, files) if files else {}
        if together is not None:
            return next((file for file in files if together.get(file) != self._columns), None)
        return next((file for file in files if self._columns_of(cursor, [file]) is None), files[0])

    @staticmethod
    def _columns_of(cursor: duckdb.DuckDBPyConnection, files: Sequence[str]) -> dict[str, Columns] | None:
        found: dict[str, list[object]] = {}
        given = [literal_glob(file) for file in files]
        with suppress(duckdb.Error):
            for file, *column in cursor.execute(_PARQUET_COLUMNS, {"files": given}).fetchall():
                found.setdefault(file, []).append(tuple(column))
            return dict(found)
        return None


class _Csv:
    """What DuckDB finds of the first file holds for all: else a row could change how the others are read.

    Of the others only the line with the names is looked at, if there is one.
    """

    function = "read_csv"

    def __init__(self, dialect: dict[str, object], columns: Sequence[tuple[str, str]]) -> None:
        said = "".join(f", {name} = {_literal(value)}" for name, value in dialect.items())
        # As of one CSV file, a row that does not fit the types is left out.
        fixed = "auto_detect = false, ignore_errors = true"
        self.options = f"{said}, columns = {{{_types(columns)}}}, {fixed}"
        text = _types((name, "VARCHAR") for name, _ in columns)
        names = {**dialect, "header": False}
        said = "".join(f", {name} = {_literal(value)}" for name, value in names.items())
        self._names_sql = f"FROM read_csv($file{said}, columns = {{{text}}}, {fixed}) LIMIT 1"
        self._has_names = bool(dialect["header"])
        self._names: object = None

    @classmethod
    def of(cls, cursor: duckdb.DuckDBPyConnection, file: str) -> _Csv | None:
        with suppress(duckdb.Error):
            row = cursor.execute("SELECT * FROM sniff_csv(?)", [literal_glob(file)]).fetchone()
            assert row is not None
            found = dict(zip([column[0] for column in cursor.description], row, strict=True))
            made = cls(_dialect(found), [(column["name"], column["type"]) for column in found["Columns"]])
            made._names = made._first_line(cursor, file)
            return made
        return None

    def first_misfit(self, cursor: duckdb.DuckDBPyConnection, files: Sequence[str]) -> str | None:
        """The first file that cannot be read or has other columns."""
        return next((file for file in files if not self._fits(cursor, file)), None)

    def _fits(self, cursor: duckdb.DuckDBPyConnection, file: str) -> bool:
        with suppress(duckdb.Error):
            return self._first_line(cursor, file) == self._names or not self._has_names
        return False

    def _first_line(self, cursor: duckdb.DuckDBPyConnection, file: str) -> object:
        return cursor.execute(self._names_sql, {"file": literal_glob(file)}).fetchone()


def _dialect(found: dict[str, Any]) -> dict[str, object]:
    """The options of read_csv that say what sniff_csv has found."""
    signs = {"delim": "Delimiter", "quote": "Quote", "escape": "Escape"}
    # Where no sign was seen, later rows may still have the usual one.
    dialect = {name: '"' if found[sign] in ("(empty)", None) else found[sign] for name, sign in signs.items()}
    formats = {"dateformat": found["DateFormat"], "timestampformat": found["TimestampFormat"]}
    return {
        **dialect,
        "skip": found["SkipRows"],
        "header": found["HasHeader"],
        **{name: str(value) for name, value in formats.items() if value},
    }


def _types(columns: Iterable[tuple[str, str]]) -> str:
    return ", ".join(f"{emit.string(name)}: {emit.string(kind)}" for name, kind in columns)


def _literal(value: object) -> str:
    return emit.string(value) if isinstance(value, str) else str(value).lower()


def _layout(cursor: duckdb.DuckDBPyConnection, kind: str | None, file: str) -> _Parquet | _Csv | None:
    return _Csv.of(cursor, file) if kind == ".csv" else _Parquet.of(cursor, file)


def partitions_of(file: str) -> dict[str, str]:
    """The parts of a file's path that name a value, as DuckDB reads them.

    >>> partitions_of("/data/year=2024/city=New%20York/a.parquet")
    {'year': '2024', 'city': 'New York'}
    """
    parts = (part.split("=") for part in PurePosixPath(file).parts[:-1])
    return {part[0]: unquote(part[1]) for part in parts if len(part) == 2 and part[0]}


def _partition_types(values: Sequence[dict[str, str]]) -> dict[str, str]:
    """The narrowest type of each partition of the first file that all values are of."""
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
