"""Values as text that casts back to their types without loss, and columns serialised as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from decimal import Decimal
from types import NoneType

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from dpduck.kernel.arrow.arrays import array_of, texts_of

Cell = str | None


def text(value: object) -> Cell:
    """A value as text.

    >>> from decimal import Decimal
    >>> text(Decimal("1E-7")), text(0.1), text(None)
    ('0.0000001', '0.1', None)
    """
    if value is None:
        return None
    if isinstance(value, Decimal):
        return f"{value:f}"  # DuckDB rejects an exponent for DECIMAL(n,n)
    return repr(value) if isinstance(value, float) else str(value)


def table_of(rows: Sequence[Sequence[object]], schema: pa.Schema) -> pa.Table:
    """Rows of Python's values as a table, by way of their text.

    >>> schema = pa.schema([("n", pa.int64()), ("d", pa.decimal128(9, 2))])
    >>> table_of([(1, Decimal("0.5")), (None, 2)], schema).to_pylist()
    [{'n': 1, 'd': Decimal('0.50')}, {'n': None, 'd': Decimal('2.00')}]
    """
    columns = zip(*rows, strict=True) if rows else [()] * len(schema)
    arrays = [_column(values, field.type) for values, field in zip(columns, schema, strict=True)]
    return pa.Table.from_arrays(arrays, schema=schema)


def _column(values: Sequence[object], kind: pa.DataType) -> pa.Array:
    kinds = set(map(type, values))  # `pa.array` would import pandas
    if kinds == {int} and pa.types.is_int64(kind):
        return array_of(np.array(values, np.int64))
    texts = values if kinds <= {str, NoneType} else list(map(text, values))
    return texts_of(texts).cast(kind)  # type: ignore[arg-type]


def text_rows(table: pa.Table) -> list[tuple[Cell, ...]]:
    """The rows of a table as text."""
    return list(zip(*map(_texts, table.columns), strict=True))


def write_columns(table: pa.Table) -> str:
    """Serialise the columns of a table as JSON, with each value as a string or null.

    >>> write_columns(pa.table([pa.array([1, None]), pa.array(["a", "b"]), pa.nulls(2)], ["x", "y", "z"]))
    '{"count": 2, "columns": [["1",null], ["a", "b"], null]}'
    """
    columns = ", ".join(map(_written, table.columns))
    return f'{{"count": {table.num_rows}, "columns": [{columns}]}}'


def read_columns(written: str) -> list[list[Cell]]:
    """Read the columns that `write_columns` wrote.

    >>> read_columns('{"count": 2, "columns": [["1", null], null]}')
    [['1', None], [None, None]]
    """
    found = json.loads(written)
    return [[None] * found["count"] if column is None else column for column in found["columns"]]


def _texts(column: pa.ChunkedArray) -> list[Cell]:
    if _is_number(column):
        column = column.cast(pa.string())
    values: list[Cell] = column.to_pylist()
    return values if pa.types.is_string(column.type) else [text(value) for value in values]


def _written(column: pa.ChunkedArray) -> str:
    if column.null_count == len(column):
        return "null"
    if not _is_number(column):
        return json.dumps(_texts(column))
    # A histogram may have a hundred thousand numbers, and only Arrow formats them fast.
    nothing, quote, comma, null = texts_of(["", '"', ",", "null"])  # `pa.array` would import pandas
    cells = pc.binary_join_element_wise(quote, column.cast(pa.string()).combine_chunks(), quote, nothing)
    ends = array_of(np.array([0, len(cells)], dtype=np.int32))
    return f"[{pc.binary_join(pa.ListArray.from_arrays(ends, pc.fill_null(cells, null)), comma)[0]}]"


def _is_number(column: pa.ChunkedArray) -> bool:
    return bool(pa.types.is_integer(column.type) or pa.types.is_floating(column.type))
