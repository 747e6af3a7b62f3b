"""Columns of bytes, as Arrow's large_binary: built from numpy, patched and joined without a Python loop."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from dpduck.kernel.arrow.arrays import texts_of

BYTES = pa.large_binary()
TEXT = pa.large_string()
_NOTHING = texts_of([""]).cast(BYTES)[0]  # `pa.scalar` would import pandas

Numbers = npt.NDArray[Any]


def numbers_of(array: pa.Array, arrow_type: pa.DataType) -> Numbers:
    """The values of a column of fixed width, reinterpreted as a type of the same width; NULL becomes 0."""
    viewed = array.view(arrow_type)
    numbers: Numbers = (pc.fill_null(viewed, 0) if viewed.null_count else viewed).to_numpy()
    return numbers


def validity(array: pa.Array) -> pa.Buffer | None:
    """The bitmap of values that are not NULL; None if all are."""
    return array.is_valid().buffers()[1] if array.null_count else None


def of_width(matrix: Numbers, valid: pa.Buffer | None = None) -> pa.Array:
    """Bytes of equal length. Input: a row of numbers, in the byte order of the wire, for each value."""
    rows = np.ascontiguousarray(matrix)
    count = len(rows)
    width = rows.nbytes // count if count else 0
    return of_offsets(np.arange(count + 1, dtype=np.int64) * width, rows, valid)


def of_offsets(offsets: Numbers, data: Any, valid: pa.Buffer | None = None) -> pa.Array:
    """Bytes sliced from a buffer: value i lies between offsets i and i + 1."""
    cuts = pa.py_buffer(np.ascontiguousarray(offsets, dtype=np.int64))
    return pa.Array.from_buffers(BYTES, len(offsets) - 1, [valid, cuts, pa.py_buffer(data)])


def offsets_of(column: pa.Array) -> Numbers:
    """The offsets of its values in its buffer."""
    cuts = np.frombuffer(column.buffers()[1], np.int64)
    return cuts[column.offset : column.offset + len(column) + 1]


def data_of(column: pa.Array) -> Numbers:
    """The bytes of all its values, concatenated."""
    cuts, data = offsets_of(column), column.buffers()[2]
    if data is None:
        return np.zeros(0, np.uint8)
    return np.frombuffer(data, np.uint8)[cuts[0] : cuts[-1]]


def lengths_of(column: pa.Array) -> Numbers:
    """The length of each value, 0 for NULL."""
    lengths = np.diff(offsets_of(column))
    return np.where(column.is_valid().to_numpy(zero_copy_only=False), lengths, 0)


def patched(column: pa.Array, where: Numbers, values: list[bytes]) -> pa.Array:
    """The column with other values where a mask is set."""
    return pc.replace_with_mask(column, pa.array(where), pa.array(values, BYTES)) if values else column


def joined(*columns: pa.Array | bytes) -> pa.Array:
    """The bytes of the columns concatenated row by row; NULL if any of them is NULL."""
    return pc.binary_join_element_wise(*map(_operand, columns), _NOTHING)


def packed(*columns: pa.Array | bytes) -> pa.Array:
    """The bytes of the columns concatenated row by row, with NULL as no bytes."""
    return pc.binary_join_element_wise(
        *map(_operand, columns), _NOTHING, null_handling="replace", null_replacement=b""
    )


def text_bytes(array: pa.Array) -> pa.Array:
    """Arrow's text of each value, as UTF-8."""
    return array.cast(TEXT).cast(BYTES)


def _operand(column: pa.Array | bytes) -> Any:
    return pa.scalar(column, BYTES) if isinstance(column, bytes) else column
