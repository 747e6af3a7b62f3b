"""DataFrames, Arrow tables and DuckDB relations as Arrow tables of types that do not depend on their rows.

Errors are about names and types of columns, which are public; none quotes a value. Where a library fails
while it converts values, its own text, which may quote them, is left behind.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from os import PathLike
from typing import Any

import duckdb
import pyarrow as pa

from dpduck.engines.duckdb.tables import read_relation
from dpduck.errors import ParameterError
from dpduck.runtime.arguments import wrong_kind

_WANTED = "a pandas or polars DataFrame, an Arrow table or a DuckDB relation"


def arrow_of(data: object) -> tuple[pa.Table, tuple[str, ...]]:
    """The rows as an Arrow table, and the DuckDB type of each column, empty where it follows from Arrow's.

    Input: a pandas or polars DataFrame, an Arrow table, anything else that has an Arrow stream, or a DuckDB
        relation. Named levels of an index of pandas are columns; categories are text, as which of them there
        are may depend on the rows.
    Errors: ParameterError.
    """
    if isinstance(data, duckdb.DuckDBPyRelation):
        return _of_relation(data)
    names, columns = _columns(data)
    _check_names(names)
    table = pa.table([_plain(name, column) for name, column in zip(names, columns, strict=True)], names)
    return table, ("",) * len(names)


def _columns(data: object) -> tuple[list[str], Iterable[Callable[[], Any]]]:
    """Names of the columns, and what makes each of them an Arrow array."""
    pandas, polars = sys.modules.get("pandas"), sys.modules.get("polars")
    if pandas is not None and isinstance(data, pandas.DataFrame):
        return _of_pandas(data)
    if polars is not None and isinstance(data, polars.LazyFrame):
        raise ParameterError(
            "a LazyFrame has no rows yet", detail="Nothing of it was looked at.", hint="Write data.collect()."
        )
    if polars is not None and isinstance(data, polars.DataFrame):
        return list(data.columns), [_polars_array(one, polars.Object) for one in data.get_columns()]
    if isinstance(data, pa.RecordBatchReader):
        data = _converted("the data", data.read_all)
    if isinstance(data, pa.RecordBatch) or (
        not isinstance(data, pa.Table) and hasattr(data, "__arrow_c_stream__") and not isinstance(data, type)
    ):
        data = _converted("the data", lambda: pa.table(data))
    if not isinstance(data, pa.Table):
        hint = "Write dpduck.connect('FILE', unit='id') for a file, whose rows are not copied."
        raise wrong_kind(data, "data", _WANTED, hint=hint if isinstance(data, str | PathLike) else None)
    return list(data.column_names), [lambda one=one: one for one in data.columns]


def _of_pandas(frame: Any) -> tuple[list[str], list[Callable[[], Any]]]:
    index = frame.index
    levels = [
        (name, index.get_level_values(place)) for place, name in enumerate(index.names) if name is not None
    ]
    columns = [(name, frame.iloc[:, place]) for place, name in enumerate(frame.columns)]
    both = [*levels, *columns]
    return [name for name, _ in both], [_pandas_array(name, column) for name, column in both]


def _pandas_array(name: object, column: Any) -> Callable[[], Any]:
    """What makes a column of pandas an Arrow array. Objects must all be text, or all be dates."""

    def array() -> Any:
        if column.dtype != object:
            return pa.array(column, from_pandas=True)
        with suppress(pa.ArrowInvalid, pa.ArrowTypeError):
            return pa.array(column, pa.string(), from_pandas=True)
        return pa.array(column, pa.date32(), from_pandas=True)

    if getattr(column, "ndim", 1) != 1:
        raise ParameterError(f"column {str(name)[:60]} has several columns in it")
    return array


def _polars_array(column: Any, objects: object) -> Callable[[], Any]:
    def array() -> Any:
        if column.dtype == objects:
            raise TypeError  # Arrow would have their addresses
        return column.to_arrow()

    return array


def _of_relation(relation: duckdb.DuckDBPyRelation) -> tuple[pa.Table, tuple[str, ...]]:
    names, types = list(relation.columns), tuple(str(one) for one in relation.types)
    _check_names(names)
    return _converted("the relation", lambda: read_relation(relation)), types


def _check_names(names: list[str]) -> None:
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


def _plain(name: str, make: Callable[[], Any]) -> Any:
    """A column in a type that DuckDB reads as one that queries know. Errors: ParameterError."""
    array = _converted(f"column {name[:60]}", make)
    kind = array.type
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    if isinstance(kind, pa.BaseExtensionType):
        raise ParameterError(
            f"column {name[:60]} is of type {str(kind)[:60]}, which no table has",
            detail="Its values were not looked at.",
            hint="Convert it first, as with astype('string') or dt.to_timestamp() in pandas.",
        )
    if pa.types.is_null(kind):
        raise ParameterError(
            f"column {name[:60]} has no type",
            detail="All of its values are missing.",
            hint="Give it one, or drop it.",
        )
    wanted = _type_for(kind)
    if array.type == wanted:
        return array
    truncates = pa.types.is_timestamp(kind) and kind.unit == "ns"
    return _converted(f"column {name[:60]}", lambda: array.cast(wanted, safe=not truncates))


def _type_for(kind: pa.DataType) -> pa.DataType:
    """Timestamps in microseconds, as DuckDB's TIMESTAMP; no half floats; days for dates."""
    if pa.types.is_timestamp(kind):
        return pa.timestamp("us", kind.tz)
    if pa.types.is_float16(kind):
        return pa.float32()
    return pa.date32() if pa.types.is_date64(kind) else kind


def _converted(what: str, make: Callable[[], Any]) -> Any:
    """Convert values. Errors: ParameterError, with constant text."""
    try:
        return make()
    except Exception:  # of any library; its text may quote a value, so it is not kept
        failed = True
    assert failed
    raise ParameterError(
        f"{what} cannot be read",
        detail="Its values are not all of one type that a table can have. They are not shown here.",
        hint="Convert it first, as with astype('string'), astype('Int64') or to_datetime in pandas.",
    )
