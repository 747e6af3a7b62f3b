"""The columns of Parquet files, read so that no value can make a query fail.

DuckDB converts what it reads: milliseconds to microseconds, bytes to numbers, strings to JSON. If a value
has no counterpart, the whole query fails, which would reveal that a row has such a value. So a
column is read only if DuckDB can read every value that its physical type can hold; any other is left out, by
name. Some values can be read but make a later function fail, such as a date before the first one: those
become NULL. The statistics that a file stores about floats and strings are not trusted (see `emit.unpruned`).
These decisions follow from the schema of a file, which is public. Its rows decide one thing, whether the file
is opened at all: types that DuckDB may fail on but that are too common to be left out are read once
before the file is used (see `Element.is_read_once`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

import duckdb

from dpduck.engines.duckdb.path import literal_glob
from dpduck.engines.duckdb.value_limits import DECIMAL, limits
from dpduck.kernel.tree import emit

_COLUMNS = """
    SELECT file_name, name, num_children, type, type_length, converted_type, logical_type, duckdb_type
    FROM parquet_schema($files) ORDER BY file_name, column_id
"""
_READABLE = {
    *("BOOLEAN", "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT"),
    *("FLOAT", "DOUBLE", "DATE", "TIMESTAMP", "TIMESTAMP WITH TIME ZONE", "TIMESTAMPTZ_NS", "TIMESTAMP_NS"),
    *("VARCHAR", "BLOB", "UUID", "INTERVAL", '"NULL"'),
}
_UNREADABLE = re.compile(r"Geometry|Geography|Variant|MILLIS=MilliSeconds")  # within a logical type
_DIGITS_OF_BYTES = {2: 4, 4: 9, 8: 18, 16: 38}  # as DuckDB stores decimals
_NEWER = int(duckdb.__version__.split(".")[0]) >= 2
# There is no such option before 2.0: see `Element.is_read_once`.
OPTIONS = ", utf8_validation = 'replace'" if _NEWER else ""
# A string with replaced characters may sort differently from the file's statistics.
_UNBELIEVED = {"FLOAT", "DOUBLE", *(("VARCHAR",) if _NEWER else ())}


@dataclass(frozen=True)
class Element:
    """A column of a file, or a part of one. `parts`: those of a nested type."""

    name: str
    children: int | None
    physical: str | None
    length: str | None
    converted: str | None
    logical: str | None
    type: str | None
    parts: tuple[Element, ...] = ()

    @property
    def is_readable(self) -> bool:
        """Whether DuckDB can read all values of its physical type."""
        if _UNREADABLE.search(self.logical or "") or self.converted == "TIMESTAMP_MILLIS":
            return False
        if self.parts:
            return all(part.is_readable for part in self.parts)
        decimal = DECIMAL.fullmatch(self.type or "")
        return self.type in _READABLE if decimal is None else self._holds(int(decimal[1]))

    def _holds(self, digits: int) -> bool:
        """Whether the stored form of a decimal is no wider than DuckDB's."""
        if self.physical == "FIXED_LEN_BYTE_ARRAY":
            room = next(size for size, most in _DIGITS_OF_BYTES.items() if digits <= most)
            return int(self.length or 99) <= room
        least = {"INT32": 5, "INT64": 10}.get(self.physical or "", 99)
        return digits >= least or (_NEWER and least < 99)

    @property
    def is_read_once(self) -> bool:
        """Whether all its values are read when a file is opened, and the file refused if that fails.

        DuckDB before 2.0 cannot replace bytes that are not UTF-8; since 2.0.1 it fails on distant timestamps
        of 96 bits, which Spark writes. Refusing the file reveals that once; each query would reveal
        whether it met the row.
        """
        own = self.physical == "INT96" if _NEWER else self.type == "VARCHAR"
        return own or any(part.is_read_once for part in self.parts)

    @property
    def sql(self) -> str:
        """SQL of its values, with NULL for values that functions may fail on."""
        name = emit.identifier(self.name)
        value = self._checked(name)
        return name if value == name else f"{value} AS {name}"

    def _checked(self, value: str) -> str:
        """SQL of a value of this element, and of its fields if it is a STRUCT."""
        if self.parts and (self.type or "").startswith("STRUCT("):
            return self._fields_of(value)
        if self.type in _UNBELIEVED:
            return emit.unpruned(value)
        within = limits(self.type or "", value)
        return value if within is None else f"CASE WHEN {within} THEN {value} END"

    def _fields_of(self, value: str) -> str:
        """SQL of a STRUCT whose fields are checked like columns."""
        read = {part.name: emit.call("struct_extract", value, emit.string(part.name)) for part in self.parts}
        checked = {part.name: part._checked(read[part.name]) for part in self.parts}
        if checked == read or len(set(map(str.lower, read))) < len(self.parts):
            return value
        fields = ", ".join(f"{emit.identifier(name)} := {text}" for name, text in checked.items())
        return f"CASE WHEN {value} IS NOT NULL THEN system.main.struct_pack({fields}) END"

    @property
    def why(self) -> str:
        """The reason why it is left out."""
        kind = self.converted or (self.logical or "").partition("(")[0] or self.physical or "nested"
        return f"DuckDB cannot read every value of Parquet's {kind}, and one would make a whole query fail."


class ParquetColumns:
    """The columns of the first file, which all others must have too."""

    function, options = "read_parquet", OPTIONS

    def __init__(self, elements: Sequence[Element]) -> None:
        self._elements = elements
        self.left_out = {element.name: element.why for element in elements if not element.is_readable}

    @classmethod
    def of(cls, cursor: duckdb.DuckDBPyConnection, file: str) -> ParquetColumns | None:
        """Read the columns of a file. None if it cannot be read."""
        found = _elements_of(cursor, [file])
        made = None if found is None else cls(found[file])
        return None if made is None or made.first_misfit(cursor, [file]) else made

    @classmethod
    def named(cls, cursor: duckdb.DuckDBPyConnection, file: str) -> ParquetColumns | None:
        """Read what a file says of its columns, and no value. None if it cannot be read."""
        found = _elements_of(cursor, [file])
        return None if found is None else cls(found[file])

    @property
    def columns(self) -> Sequence[tuple[str, str]]:
        """Names and types of the columns that are read."""
        return [(one.name, one.type or "VARCHAR") for one in self._elements if one.is_readable]

    def first_misfit(self, cursor: duckdb.DuckDBPyConnection, files: Sequence[str]) -> str | None:
        """The first file that cannot be read or has other columns."""
        together = _elements_of(cursor, files) if files else {}
        if together is None:
            return next((file for file in files if _elements_of(cursor, [file]) is None), files[0])
        own = _layout(self._elements)
        return next(
            (f for f in files if _layout(together.get(f, ())) != own or not self._holds_readable(cursor, f)),
            None,
        )

    def select(self, source: str, partitions: Sequence[str]) -> str:
        """SQL of the rows. Input: SQL of the table function that reads the files."""
        taken = {name.lower() for name in partitions}
        names = [e.sql for e in self._elements if e.is_readable and e.name.lower() not in taken]
        if not self.left_out and names == [emit.identifier(e.name) for e in self._elements]:
            return source
        return f"(SELECT {', '.join([*names, *map(emit.identifier, partitions)])} FROM {source})"

    def _holds_readable(self, cursor: duckdb.DuckDBPyConnection, file: str) -> bool:
        """Whether DuckDB can read all values of the columns that are read once."""
        names = [emit.identifier(e.name) for e in self._elements if e.is_readable and e.is_read_once]
        if not names:
            return True
        with suppress(duckdb.Error):
            each = ", ".join(f"bit_xor(hash({name}))" for name in names)
            cursor.execute(f"SELECT {each} FROM read_parquet($file)", {"file": literal_glob(file)})
            return cursor.fetchone() is not None
        return False


def _layout(elements: Sequence[Element]) -> list[object]:
    """What must be the same in all files."""
    return [(e.name, e.type, e.children, e.is_readable, _layout(e.parts)) for e in elements]


def _elements_of(
    cursor: duckdb.DuckDBPyConnection, files: Sequence[str]
) -> dict[str, tuple[Element, ...]] | None:
    given = [literal_glob(file) for file in files]
    with suppress(duckdb.Error):
        found: dict[str, list[Element]] = {}
        for file, *row in cursor.execute(_COLUMNS, {"files": given}).fetchall():
            found.setdefault(file, []).append(Element(*row))
        return {file: _nested(iter(rows)).parts for file, rows in found.items()}
    return None


def _nested(rows: Iterator[Element]) -> Element:
    """The next element with its parts, which follow it."""
    own = next(rows)
    parts = tuple(_nested(rows) for _ in range(own.children or 0))
    return Element(**{**vars(own), "parts": parts})
