"""Conversion between numpy vectors and Arrow arrays, without pandas.

pyarrow's own functions (`pa.array`, `to_numpy`) import pandas if it is installed: a third of a second and
50 MB for the first answer, for nothing. Long lists of strings use them anyway; there the cost is relatively
small.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

_MANY = 10_000  # strings
_TYPES = {"i8": pa.int64(), "i4": pa.int32(), "f8": pa.float64()}


def array_of(vector: NDArray[Any]) -> pa.Array:
    """A vector of numbers, or of truth values, as an array, sharing memory if possible."""
    if vector.dtype == bool:
        bits = pa.py_buffer(np.packbits(vector, bitorder="little"))
        return pa.Array.from_buffers(pa.bool_(), len(vector), [None, bits])
    sql_type = _TYPES.get(vector.dtype.str[1:])
    if sql_type is None or not vector.dtype.isnative:
        return pa.array(vector)
    return pa.Array.from_buffers(sql_type, len(vector), [None, pa.py_buffer(np.ascontiguousarray(vector))])


def vector_of(column: pa.Array) -> NDArray[Any]:
    """An array of numbers as a vector, sharing memory if possible. Input: no NULLs.

    >>> vector_of(pa.array([1, 2, 3]).slice(1))
    array([2, 3])
    """
    if column.null_count or not (pa.types.is_integer(column.type) or pa.types.is_floating(column.type)):
        usual: NDArray[Any] = column.to_numpy(zero_copy_only=False)
        return usual
    dtype = np.dtype(column.type.to_pandas_dtype())
    if not len(column):
        return np.empty(0, dtype=dtype)
    return np.frombuffer(column.buffers()[1], dtype, len(column), column.offset * dtype.itemsize)


def floats_of(column: pa.ChunkedArray | pa.Array) -> NDArray[np.float64]:
    """Numbers, or their texts, as floats; NULL as NaN.

    >>> floats_of(pa.chunked_array([["1.5", None], ["2"]]))
    array([1.5, nan, 2. ])
    """
    found = [np.empty(0)]
    numbers = column.cast(pa.float64())
    for chunk in numbers.chunks if isinstance(numbers, pa.ChunkedArray) else [numbers]:
        if len(chunk):
            floats = np.frombuffer(chunk.buffers()[1], np.float64, len(chunk), 8 * chunk.offset)
            is_there = np.array(chunk.is_valid().to_pylist()) if chunk.null_count else True
            found.append(np.where(is_there, floats, np.nan))
    return np.concatenate(found)


def nullable_of(floats: NDArray[np.float64]) -> pa.Array:
    """Floats as an array; NaN as NULL.

    >>> nullable_of(np.array([1.5, np.nan])).to_pylist()
    [1.5, None]
    """
    there = np.packbits(~np.isnan(floats), bitorder="little")
    buffers = [pa.py_buffer(there), pa.py_buffer(np.ascontiguousarray(floats, np.float64))]
    return pa.Array.from_buffers(pa.float64(), len(floats), buffers)


def texts_of(values: Sequence[str | None]) -> pa.Array:
    """Python strings as an array.

    >>> texts_of(["a", None]).to_pylist()
    ['a', None]
    """
    if len(values) > _MANY:
        return pa.array(values, pa.string())
    parts = [b"" if value is None else value.encode() for value in values]
    ends = np.fromiter(accumulate(map(len, parts), initial=0), dtype=np.int64, count=len(parts) + 1)
    if ends[-1] >= 2**31:
        return pa.array(values, pa.string())
    there = np.packbits(np.array([value is not None for value in values], dtype=bool), bitorder="little")
    buffers = [there, ends.astype(np.int32), b"".join(parts)]
    return pa.Array.from_buffers(pa.string(), len(values), list(map(pa.py_buffer, buffers)))
