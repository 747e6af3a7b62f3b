"""Arrow arrays in types that DuckDB reads without a value that fails.

What a column is read as follows from its Arrow type alone. A value that has no counterpart there, as a time
of seconds that is too far off for microseconds, is NULL, for that row alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

Array = Any  # pa.Array or pa.ChunkedArray, which share what is used here

_MICROSECONDS = {"s": 10**6, "ms": 10**3}
_DAY = 86_400
_MOST, _DIGITS = 2**63 - 1, 38
_CONVERTED = (pa.types.is_date64, pa.types.is_float16, pa.types.is_decimal256)  # before DuckDB reads them
_READ = ("arrow.uuid", "arrow.bool8")  # extension types that DuckDB reads as its own


class NoCounterpartError(Exception):
    """DuckDB has no type that holds each value of an Arrow type."""


def plain(array: Array) -> Array:
    """An array in a type that DuckDB reads of queries. Errors: NoCounterpartError; of pyarrow."""
    for is_of, convert in _CONVERSIONS:
        if is_of(array.type):
            return convert(array)
    return array


def _of_values(array: Array) -> Array:
    return plain(array.cast(array.type.value_type))


def _of_extension(array: Array) -> Array:
    name = getattr(array.type, "extension_name", "")
    if name in _READ:
        return array
    if name != "arrow.json":
        raise NoCounterpartError
    # As text, which need not be JSON.
    chunks = array.chunks if isinstance(array, pa.ChunkedArray) else [array]
    return plain(pa.chunked_array([chunk.storage for chunk in chunks], array.type.storage_type))


def _of_parts(array: Array) -> Array:
    _check_parts(array.type)
    return array


def _check_parts(kind: pa.DataType) -> None:
    """Errors: NoCounterpartError for a part that would have to be converted like a column."""
    for part in (kind.field(place).type for place in range(kind.num_fields)):
        if pa.types.is_nested(part):
            _check_parts(part)
        elif any(is_of(part) for is_of in _CONVERTED) or getattr(part, "unit", "us") in _MICROSECONDS:
            raise NoCounterpartError


def _of_time_stamps(array: Array) -> Array:
    return _in_microseconds(array, pa.timestamp("us", array.type.tz))


def _of_durations(array: Array) -> Array:
    return _in_microseconds(array, pa.duration("us"))


def _in_microseconds(array: Array, wanted: pa.DataType) -> Array:
    factor = _MICROSECONDS.get(array.type.unit)
    if factor is None:
        return array.cast(wanted, safe=False)  # nanoseconds are cut off
    most = _MOST // factor
    return pc.multiply(_within(array.cast(pa.int64()), -most, most), factor).cast(wanted)


def _of_times(array: Array) -> Array:
    whole = pa.int32() if pa.types.is_time32(array.type) else pa.int64()
    in_a_day = _DAY * {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[array.type.unit]
    return _within(array.cast(whole), 0, in_a_day - 1).cast(array.type)


def _of_days(array: Array) -> Array:
    days = pc.divide(array.cast(pa.int64()), _DAY * 1000)
    return _within(days, -(2**31), 2**31 - 1).cast(pa.int32()).cast(pa.date32())


def _of_decimals(array: Array) -> Array:
    if array.type.precision > _DIGITS:
        raise NoCounterpartError
    return array.cast(pa.decimal128(array.type.precision, array.type.scale))


def _within(numbers: Array, low: int, high: int) -> Array:
    is_within = pc.and_(pc.greater_equal(numbers, low), pc.less_equal(numbers, high))
    return pc.if_else(is_within, numbers, pa.scalar(None, numbers.type))


def _in_utf8(array: Array) -> Array:
    """Texts, with what is not UTF-8 replaced."""
    try:
        array.validate(full=True)
    except pa.ArrowInvalid:
        values = array.cast(pa.large_binary()).to_pylist()
        return pa.array([None if one is None else one.decode("utf-8", "replace") for one in values])
    return array


_CONVERSIONS: tuple[tuple[Callable[[pa.DataType], bool], Callable[[Array], Array]], ...] = (
    (pa.types.is_dictionary, _of_values),
    (lambda kind: isinstance(kind, pa.BaseExtensionType), _of_extension),
    (pa.types.is_nested, _of_parts),
    (pa.types.is_timestamp, _of_time_stamps),
    (pa.types.is_duration, _of_durations),
    (pa.types.is_time, _of_times),
    (pa.types.is_date64, _of_days),
    (pa.types.is_decimal, _of_decimals),
    (pa.types.is_float16, lambda array: array.cast(pa.float32())),
    (pa.types.is_string, _in_utf8),
    (pa.types.is_large_string, _in_utf8),
)
