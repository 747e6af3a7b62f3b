"""Released columns as text: each value as it is kept, and the same from the ledger."""

from __future__ import annotations

from decimal import Decimal

import pyarrow as pa
import pytest

from dpduck.kernel.arrow.strings import read_columns, text_rows, write_columns

NUMBERS = [0, -1, 2**63 - 1, -(2**63), None]
FLOATS = [0.1, -0.0, 1e300, 5e-324, float("inf"), 123456789.0, None]
TEXTS = ['a"b\\', "\x00\n", "été 😀", "", "null", None]
DECIMALS = [Decimal("1E-30"), Decimal("-7.5"), None]


@pytest.mark.parametrize(
    "column",
    [
        pa.array(NUMBERS),
        pa.array(FLOATS),
        pa.array(TEXTS),
        pa.array(DECIMALS, pa.decimal128(38, 30)),
        pa.nulls(3),
        pa.array([], pa.int64()),
        pa.array([], pa.string()),
        pa.array([1.5, 2.5]).slice(1),
        pa.chunked_array([[1, 2], [], [None, 3]]),
    ],
    ids=str,
)
def test_what_is_written_is_read(column: pa.Array) -> None:
    beside = pa.array(["x"] * len(column), pa.string())
    table = pa.table([column, beside], ["c0", "c1"])
    found, others = read_columns(write_columns(table))
    values = column.to_pylist()
    cast = [None if cell is None else type(v)(cell) for cell, v in zip(found, values, strict=True)]
    assert list(map(repr, cast)) == list(map(repr, values))
    assert others == beside.to_pylist()
    assert list(zip(found, others, strict=True)) == text_rows(table)
