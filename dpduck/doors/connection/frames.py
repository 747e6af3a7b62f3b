"""DataFrames, Arrow tables and DuckDB relations as Arrow tables of types that do not depend on their rows.

The types of a DataFrame are its owner's, and public. Where there are none, as for columns of Python objects,
or where DuckDB has found them in a file, they come from the rows: the owner states them, or is told that they
count as public. Errors are about names and types of columns; none quotes a value. Where a library fails while
it converts values, its own text, which may quote them, is left behind.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from numbers import Integral, Real
from os import PathLike
from typing import Any

import duckdb
import pyarrow as pa

from dpduck.answers.arguments import wrong_kind
from dpduck.doors.connection.arrow_columns import NoCounterpartError, plain
from dpduck.engines.duckdb.tables import ColumnType, read_relation
from dpduck.kernel.catalog.model import fold
from dpduck.kernel.errors import ParameterError, UnknownNameError
from dpduck.kernel.errors.names import did_you_mean

_WANTED = "a pandas or polars DataFrame, an Arrow table or a DuckDB relation"
_MEMBERS = re.compile(r"ENUM\('(?:[^']|'')*'(?:, '(?:[^']|'')*')*\)")
# What finds columns and types in the rows of files, in the SQL of a relation.
_FOUND_IN_FILES = re.compile(
    r"\b(?:read_csv|read_json|read_ndjson|read_xlsx|st_read|sniff_csv)|\.(?:csv|tsv|json|jsonl|ndjson|xlsx)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Rows:
    """Rows as an Arrow table. `types`: what its columns become; `found`: what the rows decided, for their
    owner to know: one line, which follows from names and types alone."""

    table: pa.Table
    types: Sequence[ColumnType]
    found: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Column:
    """`array`: makes it an Arrow array; `type`: as of `ColumnType`. `is_found`: whether its type is that of
    its values."""

    name: str
    array: Callable[[], Any]
    type: str = ""
    is_found: bool = False


def arrow_of(data: object, types: Mapping[str, str] | None = None) -> Rows:
    """The rows as an Arrow table, with the type of each column.

    Input: a pandas or polars DataFrame, an Arrow table, anything else that has an Arrow stream, or a DuckDB
        relation. Named levels of an index of pandas are columns; categories, and the values of an ENUM, are
        text, as which of them there are may depend on the rows. `types`: DuckDB's types of columns that the
        owner states: a value that does not fit is NULL.
    Errors: ParameterError, UnknownNameError.
    """
    stated = _stated(types or {})
    if isinstance(data, duckdb.DuckDBPyRelation):
        return _of_relation(data, stated)
    columns = _columns(data, stated)
    names = [column.name for column in columns]
    _check_names(names)
    _check_known(stated, names)
    made = [_made(column) for column in columns]
    each = [ColumnType(stated.get(fold(one.name), one.type), fold(one.name) in stated) for one in columns]
    guessed = {
        one.name: array.type
        for one, array in zip(columns, made, strict=True)
        if one.is_found and array.type != pa.string()
    }
    return Rows(pa.table(made, names), each, _said_of_objects(guessed))


def _stated(types: Mapping[str, str]) -> dict[str, str]:
    """DuckDB's names of the types that are stated, by column. Errors: ParameterError."""
    if not isinstance(types, Mapping):
        raise wrong_kind(types, "types", "a dict of columns")
    found = {}
    for name, kind in types.items():
        if not isinstance(name, str) or not isinstance(kind, str):
            raise wrong_kind(kind if isinstance(name, str) else name, "each of types", "text")
        with suppress(duckdb.Error):
            found[fold(name)] = str(duckdb.sqltype(kind))
            continue
        raise ParameterError(
            f"DuckDB has no type {kind[:60]}", hint="Write types={'day': 'DATE'}, by DuckDB's names."
        )
    return found


def _check_known(stated: Mapping[str, str], names: Sequence[str]) -> None:
    """Errors: UnknownNameError."""
    known = {fold(name) for name in names}
    for name in stated:
        if name not in known:
            raise UnknownNameError(
                f"the data have no column {name[:60]}",
                detail=f"The columns are {', '.join(names[:20])}.",
                hint=did_you_mean(name, names) or "Leave it out of types.",
            )


def _columns(data: object, stated: Mapping[str, str]) -> list[_Column]:
    pandas, polars = sys.modules.get("pandas"), sys.modules.get("polars")
    if pandas is not None and isinstance(data, pandas.DataFrame):
        return _of_pandas(data, pandas, stated)
    if polars is not None and isinstance(data, polars.LazyFrame):
        raise ParameterError(
            "a LazyFrame has no rows yet", detail="Nothing of it was looked at.", hint="Write data.collect()."
        )
    if polars is not None and isinstance(data, polars.DataFrame):
        return [_of_polars(one, polars, stated) for one in data.get_columns()]
    if isinstance(data, pa.RecordBatchReader):
        data = _converted("the data", data.read_all)
    if isinstance(data, pa.RecordBatch) or (
        not isinstance(data, pa.Table) and hasattr(data, "__arrow_c_stream__") and not isinstance(data, type)
    ):
        data = _converted("the data", lambda: pa.table(data))
    if not isinstance(data, pa.Table):
        hint = "Write dpduck.connect('FILE', unit='id') for a file, whose rows are not copied."
        raise wrong_kind(data, "data", _WANTED, hint=hint if isinstance(data, str | PathLike) else None)
    return [
        _Column(name, lambda one=one: one)  # type: ignore[misc]
        for name, one in zip(data.column_names, data.columns, strict=True)
    ]


def _of_pandas(frame: Any, pandas: Any, stated: Mapping[str, str]) -> list[_Column]:
    index = frame.index
    levels = [
        (name, index.get_level_values(place)) for place, name in enumerate(index.names) if name is not None
    ]
    columns = [(name, frame.iloc[:, place]) for place, name in enumerate(frame.columns)]
    return [_pandas_column(name, column, pandas, stated) for name, column in [*levels, *columns]]


def _pandas_column(name: Any, column: Any, pandas: Any, stated: Mapping[str, str]) -> _Column:
    def present() -> list[Any]:
        return [None if gone else value for value, gone in zip(column, column.isna(), strict=True)]

    def array() -> Any:
        with suppress(UnicodeEncodeError):  # of half a character, which Python's text may hold
            return pa.array(column, from_pandas=True)
        return texts_of(present())

    if getattr(column, "ndim", 1) != 1:
        raise ParameterError(f"column {str(name)[:60]} has several columns in it")
    if isinstance(column.dtype, pandas.SparseDtype):
        column = column.astype(column.dtype.subtype)
    if column.dtype != object:
        return _Column(name, array)
    if isinstance(name, str) and fold(name) in stated:
        return _Column(name, lambda: texts_of(present()))
    return _Column(name, lambda: array_of(present()), is_found=True)


def _of_polars(column: Any, polars: Any, stated: Mapping[str, str]) -> _Column:
    wide = {"Int128": "HUGEINT", "UInt128": "UHUGEINT"}.get(str(column.dtype))
    if wide is not None:
        return _Column(column.name, lambda: column.cast(polars.String).to_arrow(), wide)
    if column.dtype != polars.Object:
        return _Column(column.name, column.to_arrow)
    if fold(column.name) in stated:
        return _Column(column.name, lambda: texts_of(column.to_list()))
    return _Column(column.name, lambda: array_of(column.to_list()), is_found=True)


def _of_relation(relation: duckdb.DuckDBPyRelation, stated: Mapping[str, str]) -> Rows:
    names = list(relation.columns)
    _check_names(names)
    _check_known(stated, names)
    own = [_MEMBERS.sub("VARCHAR", str(one)) for one in relation.types]
    types = [
        ColumnType(stated.get(fold(n), kind), fold(n) in stated) for n, kind in zip(names, own, strict=True)
    ]
    try:
        table = read_relation(relation)
    except duckdb.Error:  # its text may quote a value
        table = None
    if table is None:
        raise ParameterError(
            "the relation cannot be read",
            detail="DuckDB failed while it computed its rows. What it says may quote one, and is not shown.",
            hint="Look at it with relation.fetchall(), and fetch what else the connection has open.",
        )
    return Rows(table, types, _said_of_files(relation))


def _said_of_objects(types: Mapping[str, pa.DataType]) -> tuple[str, ...]:
    if not types:
        return ()
    names = ", ".join(f"{name[:60]} ({kind})" for name, kind in list(types.items())[:20])
    return (
        f"Found in the rows, and taken for public: the type of {names}. types={{...}} states it instead.",
    )


def _said_of_files(relation: duckdb.DuckDBPyRelation) -> tuple[str, ...]:
    text = ""
    with suppress(duckdb.Error):
        text = relation.sql_query()
    if not _FOUND_IN_FILES.search(text):
        return ()
    return (
        "Found in the rows by DuckDB, and taken for public: columns, types and formats of the file. "
        "dpduck.connect('FILE', unit=...) reads each line by itself.",
    )


def _check_names(names: Sequence[object]) -> None:
    """Errors: ParameterError."""
    if not names:
        raise ParameterError("the data have no columns")
    taken: set[str] = set()
    for place, name in enumerate(names, 1):
        if not isinstance(name, str) or not name:
            raise ParameterError(
                f"the name of column {place} is not text",
                detail="SQL knows columns by names.",
                hint="Write data.columns = ['id', ...] with a name for each.",
            )
        if name.lower() in taken:
            raise ParameterError(
                f"column {name[:60]} occurs twice",
                detail="SQL does not tell capital letters from small ones; a named index is a column, too.",
                hint="Rename or drop one of them.",
            )
        taken.add(name.lower())


def _made(column: _Column) -> Any:
    """A column in a type that DuckDB reads as one that queries know. Errors: ParameterError."""
    what = f"column {column.name[:60]}"
    array = _converted(what, column.array)
    if pa.types.is_null(array.type):
        raise ParameterError(
            f"{what} has no type",
            detail="All of its values are missing.",
            hint="Give it one, or drop it.",
        )
    try:
        return _converted(what, lambda: plain(array))
    except NoCounterpartError:
        kind = str(array.type)
    raise ParameterError(
        f"{what} is of type {kind[:60]}, which no table has",
        detail="Its values were not looked at.",
        hint="Convert it first, as with astype('string') or dt.to_timestamp() in pandas.",
    )


def _converted(what: str, make: Callable[[], Any]) -> Any:
    """Convert values. Errors: ParameterError, with constant text; NoCounterpartError."""
    try:
        return make()
    except NoCounterpartError:
        raise
    except NoTypeError as error:
        reason = str(error)
    except Exception:  # of any library; its text may quote a value, so it is not kept
        reason = "A library fails while it converts its values."
    raise ParameterError(
        f"{what} cannot be read",
        detail=f"{reason} They are not shown here.",
        hint="Say what it is: types={'column': 'VARCHAR'}; what does not fit is NULL then.",
    )


# Columns of Python objects, which have no type of their own.
#
# A type that the owner states is given to each value by itself: what does not fit is NULL, for that row
# alone. Without one the type is found in the values, so each of them decides about all: it then counts as
# public, and whoever protects the data is told so. Values of one kind have its type; nothing is converted
# to another kind because some values are of that.


# The first that fits is the kind of a value: a bool is an int to Python, and a datetime is a date.
_KINDS = (str, datetime, date, bytes, Decimal, Integral, Real)
_TOGETHER: tuple[set[object], ...] = ({Integral, Real}, {Integral, Decimal})  # read as the second of them


class NoTypeError(Exception):
    """Values have no type that a column can have. Its text is one of three, and quotes none of them."""


def array_of(values: Iterable[Any]) -> Any:
    """An Arrow array of the type that all values have; None is missing. Errors: NoTypeError."""
    values = list(values)
    kinds = {_kind(value) for value in values if value is not None}
    if kinds <= {str}:
        return texts_of(values)
    if len(kinds) > 1 and kinds not in _TOGETHER:
        raise NoTypeError("Its values are of several types, and a column has one.")
    with suppress(Exception):  # whose text may quote a value
        return pa.array(values)
    if kinds & {Integral, Real, Decimal}:
        raise NoTypeError("One of its numbers is beyond the 64 bits or the digits that are tried.")
    raise NoTypeError("Its values are Python objects that no column holds.")


def texts_of(values: Iterable[Any]) -> pa.Array:
    """Each value as text that DuckDB converts to any type, whatever the others are."""
    return pa.array(map(_text, values), pa.string())


def _kind(value: object) -> object:
    if type(value).__name__ in ("bool", "bool_"):  # numpy's is none of Python's
        return bool
    if isinstance(value, datetime):
        return datetime, value.tzinfo is None
    return next((kind for kind in _KINDS if isinstance(value, kind)), type(value))


def _text(value: object) -> str | None:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    if isinstance(value, bytes):  # as DuckDB writes a BLOB
        return "".join(f"\\x{byte:02X}" for byte in value)
    with suppress(Exception):  # whatever an object makes of itself
        return str(value).encode("utf-8", "replace").decode()
    return None
