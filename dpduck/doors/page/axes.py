"""What has a place on an axis: finite numbers, and times that are neither infinite nor NULL."""

from __future__ import annotations

import math

import pyarrow as pa

_SECONDS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}
_DAY = 86_400.0
_INFINITE = {32: 2**31 - 1, 64: 2**63 - 1}  # days, or units of time, by their bits


def finite(text: object) -> float | None:
    """A number that is written as text, if it is finite; None for any other text, and for NULL.

    >>> finite("1e3"), finite("inf"), finite("2024-01-01"), finite(None)
    (1000.0, None, None, None)
    """
    try:
        number = float(str(text))
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def moments_of(column: pa.ChunkedArray) -> list[float] | None:
    """Dates or timestamps as seconds since 1970; None if one is NULL or infinite, or for any other type.

    >>> moments_of(pa.chunked_array([pa.array([1, -1], pa.date32())]))
    [86400.0, -86400.0]
    """
    kind = column.type
    if pa.types.is_date32(kind):
        bits, step = 32, _DAY
    elif pa.types.is_timestamp(kind):
        bits, step = 64, _SECONDS[kind.unit]
    else:
        return None
    numbers = column.cast(pa.int32() if bits == 32 else pa.int64()).to_pylist()
    if any(number is None or abs(number) >= _INFINITE[bits] for number in numbers):
        return None
    return [number * step for number in numbers]
