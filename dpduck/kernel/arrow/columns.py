"""Arrow columns as vectors of integers, which is how values leave DuckDB."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from dpduck.kernel.arrow.arrays import vector_of
from dpduck.kernel.errors import ParameterError
from dpduck.kernel.scores import SCORE_LIMIT

Integers = NDArray[np.int64]


def scores_of(column: pa.Array, name: str) -> Integers:
    """Counts as 64-bit integers. Input: an integer column without NULLs, HUGEINT included.

    Errors: ParameterError for another type: rounding a fraction could change it by more than 1.
    """
    column = _as_decimal(column)
    if pa.types.is_integer(column.type):
        values: Integers = vector_of(column)
        return np.clip(values, 1 - SCORE_LIMIT, SCORE_LIMIT - 1).astype(np.int64)
    if pa.types.is_decimal128(column.type) and column.type.scale == 0:
        return decimal_ticks(column)
    raise ParameterError(
        f"{name} is not a column of whole numbers",
        detail=f"Its type is {column.type}; counts of units are integers.",
        hint=f"Write {name}::BIGINT if its values are whole.",
    )


def decimal_ticks(column: pa.Array) -> Integers:
    """Decimals in units of their last place, clamped to 62 bits. Input: no NULLs."""
    wide = column.cast(pa.decimal128(38, column.type.scale))
    halves = np.frombuffer(wide.buffers()[1], dtype=np.int64)
    halves = halves[2 * wide.offset : 2 * (wide.offset + len(wide))]
    low, high = halves[0::2], halves[1::2]  # two's complement, the low half first
    fits = high == (low >> 63)
    edge = np.where(high < 0, 1 - SCORE_LIMIT, SCORE_LIMIT - 1)
    return np.clip(np.where(fits, low, edge), 1 - SCORE_LIMIT, SCORE_LIMIT - 1)


def tick_integers(column: pa.Array) -> list[int]:
    """Integers of any size, or decimals in units of their last place. Input: no NULLs.

    Errors: ParameterError for another type.
    """
    column = _as_decimal(column)
    if pa.types.is_integer(column.type):
        return [int(value) for value in column.to_pylist()]
    if pa.types.is_decimal128(column.type):
        data = column.buffers()[1].to_pybytes()[16 * column.offset : 16 * (column.offset + len(column))]
        return [int.from_bytes(data[i : i + 16], "little", signed=True) for i in range(0, len(data), 16)]
    raise ParameterError("sums are whole numbers or decimals", detail=f"The type is {column.type}.")


def _as_decimal(column: pa.Array) -> pa.Array:
    """HUGEINT as decimal, its default type in Arrow; arrow_lossless_conversion exports it as another one."""
    if not str(column.type).startswith("extension<arrow.opaque") or "type_name=hugeint" not in str(
        column.type
    ):
        return column
    storage = column.storage
    return pa.Array.from_buffers(pa.decimal128(38, 0), len(storage), storage.buffers(), offset=storage.offset)
