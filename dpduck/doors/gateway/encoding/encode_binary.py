"""Binary format: the output of each type's send function."""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import partial

import numpy as np
import pyarrow as pa

from dpduck.doors.gateway.encoding.byte_columns import (
    BYTES,
    TEXT,
    data_of,
    numbers_of,
    of_offsets,
    of_width,
    validity,
)
from dpduck.doors.gateway.encoding.datetimes import days_of, micros_of, time_micros_of
from dpduck.doors.gateway.encoding.encode_text import json_text, plain_text
from dpduck.doors.gateway.encoding.intervals import interval_binary, timetz_binary
from dpduck.doors.gateway.encoding.numerics import numeric_binary

_UUID_TEXT = 36
_NIBBLES = np.zeros(256, np.uint8)
_NIBBLES[np.frombuffer(b"0123456789abcdef", np.uint8)] = np.arange(16)
_NIBBLES[np.frombuffer(b"ABCDEF", np.uint8)] = np.arange(10, 16)
_HYPHENS = (8, 13, 18, 23)


def binary_of(array: pa.Array, name: str) -> pa.Array:
    """Each value as Postgres sends a value of the scalar type of that name."""
    return _ENCODERS.get(name, plain_text)(array)


def _number(arrow_type: pa.DataType, wire_type: str) -> Callable[[pa.Array], pa.Array]:
    def encode(array: pa.Array) -> pa.Array:
        values = numbers_of(array.cast(arrow_type), arrow_type)
        return of_width(values.astype(wire_type), validity(array))

    return encode


def _bool(array: pa.Array) -> pa.Array:
    values = array.cast(pa.bool_()).cast(pa.uint8())
    return of_width(numbers_of(values, pa.uint8()), validity(array))


def _date(array: pa.Array) -> pa.Array:
    return of_width(days_of(array).astype(">i4"), validity(array))


def _timestamp(array: pa.Array) -> pa.Array:
    return of_width(micros_of(array).astype(">i8"), validity(array))


def _time(array: pa.Array) -> pa.Array:
    return of_width(time_micros_of(array).astype(">i8"), validity(array))


def _bytea(array: pa.Array) -> pa.Array:
    return array.cast(BYTES)


def _uuid(array: pa.Array) -> pa.Array:
    """Input: the text form, 36 characters each."""
    letters = data_of(array.drop_null().cast(TEXT).cast(BYTES)).reshape(-1, _UUID_TEXT)
    nibbles = _NIBBLES[np.delete(letters, _HYPHENS, axis=1)]
    packed = nibbles[:, 0::2] << 4 | nibbles[:, 1::2]
    present = array.is_valid().to_numpy(zero_copy_only=False)
    offsets = np.concatenate([[0], np.cumsum(16 * present)])
    return of_offsets(offsets, np.ascontiguousarray(packed), validity(array))


def _each(encode: Callable[[str], bytes]) -> Callable[[pa.Array], pa.Array]:
    def encode_all(array: pa.Array) -> pa.Array:
        texts = array.cast(TEXT).to_pylist()
        return pa.array([None if text is None else encode(text) for text in texts], BYTES)

    return encode_all


def varbit_binary(text: str) -> bytes:
    """The number of bits, and the bits from the left.

    >>> varbit_binary("101").hex(), varbit_binary("").hex()
    ('00000003a0', '00000000')
    """
    size = -(-len(text) // 8)
    bits = int(text.ljust(8 * size, "0") or "0", 2)
    return struct.pack("!i", len(text)) + bits.to_bytes(size, "big")


def vector_binary(text: str, oid: int, size: int) -> bytes:
    """An int2vector or oidvector, from its text. Input: the OID and size in bytes of its elements.

    >>> vector_binary("1 3", 21, 2).hex(" ", 4)
    '00000001 00000000 00000015 00000002 00000000 00000002 00010000 00020003'
    """
    numbers = [int(word) for word in text.split()]
    head = struct.pack("!5i", 1, 0, oid, len(numbers), 0)
    return head + b"".join(struct.pack("!i", size) + number.to_bytes(size, "big") for number in numbers)


_ENCODERS: dict[str, Callable[[pa.Array], pa.Array]] = {
    "bool": _bool,
    "int2": _number(pa.int16(), ">i2"),
    "int4": _number(pa.int32(), ">i4"),
    "int8": _number(pa.int64(), ">i8"),
    "oid": _number(pa.uint32(), ">u4"),
    "float4": _number(pa.float32(), ">f4"),
    "float8": _number(pa.float64(), ">f8"),
    "numeric": numeric_binary,
    "bytea": _bytea,
    "date": _date,
    "time": _time,
    "timetz": _each(timetz_binary),
    "timestamp": _timestamp,
    "timestamptz": _timestamp,
    "interval": _each(interval_binary),
    "uuid": _uuid,
    "varbit": _each(varbit_binary),
    "json": json_text,
    "int2vector": _each(partial(vector_binary, oid=21, size=2)),
    "oidvector": _each(partial(vector_binary, oid=26, size=4)),
}
