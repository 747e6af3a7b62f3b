"""Text format: as psql prints with DateStyle ISO, IntervalStyle postgres, hex bytea, UTC, shortest floats.

Two values do not exist in Postgres: a NUL in text is sent as U+FFFD, and a non-finite number in json
as a string, as in Postgres's own to_json().
"""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from dpduck.doors.gateway.encoding.byte_columns import (
    BYTES,
    TEXT,
    data_of,
    joined,
    numbers_of,
    of_offsets,
    offsets_of,
    patched,
    text_bytes,
    validity,
)
from dpduck.doors.gateway.encoding.datetimes import date_text, time_text, timestamp_text
from dpduck.doors.gateway.encoding.intervals import interval_text
from dpduck.doors.gateway.encoding.numerics import numeric_text

_NUL, _REPLACEMENT = b"\0", "\ufffd".encode()
_HEX = np.array([ord(c) for byte in range(256) for c in f"{byte:02x}"], np.uint8).reshape(256, 2)
_JSON_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|-?Infinity|-?NaN', re.DOTALL)
_JSON_ODD = rb"Infinity|NaN"
_NOT_JSON = {b"Infinity", b"-Infinity", b"NaN", b"-NaN"}


def text_of(array: pa.Array, name: str) -> pa.Array:
    """Each value in Postgres's text for the scalar type of that name."""
    return _ENCODERS.get(name, plain_text)(array)


def plain_text(array: pa.Array) -> pa.Array:
    """UTF-8, without NUL."""
    column = text_bytes(array)
    if not (data_of(column) == 0).any():
        return column
    return pc.replace_substring(column, _NUL, _REPLACEMENT)


def json_text(array: pa.Array) -> pa.Array:
    """JSON, with non-finite numbers as strings."""
    column = plain_text(array)
    found = pc.fill_null(pc.match_substring_regex(column, _JSON_ODD), False)
    where = found.to_numpy(zero_copy_only=False)
    if not where.any():
        return column
    return patched(
        column, where, [_JSON_TOKEN.sub(_quoted, text) for text in column.filter(found).to_pylist()]
    )


def _quoted(match: re.Match[bytes]) -> bytes:
    token = match[0]
    return b'"' + token.lstrip(b"-" if token == b"-NaN" else b"") + b'"' if token in _NOT_JSON else token


def _bool_text(array: pa.Array) -> pa.Array:
    return pc.if_else(array.cast(pa.bool_()), pa.scalar(b"t", BYTES), pa.scalar(b"f", BYTES))


def _double_text(array: pa.Array) -> pa.Array:
    """Arrow writes the same digits, but Postgres uses an exponent only from 1e15 on and below 1e-4.

    Postgres writes one more digit if the shortest form lies halfway to the next double, as for 1e23.
    """
    values = numbers_of(array, pa.float64())
    size = np.abs(values)
    text = text_bytes(array)
    exponent = pc.fill_null(pc.match_substring(text, "e"), False).to_numpy(zero_copy_only=False)
    odd = exponent & (size < 1e15) | (size < 1e-4) & (size > 0) | ~np.isfinite(values)
    return patched(text, odd, [_double(value) for value in values[odd].tolist()])


def _double(value: float) -> bytes:
    return (_odd_float(value) or repr(value).removesuffix(".0")).encode()


def _float_text(array: pa.Array) -> pa.Array:
    """As a double, but with an exponent from 1e6 on."""
    values = numbers_of(array, pa.float32())
    size = np.abs(values)
    odd = (size >= 1e6) | (size < 1e-4) & (size > 0) | ~np.isfinite(values)
    return patched(text_bytes(array), odd, [_float(value) for value in values[odd]])


def _float(value: np.float32) -> bytes:
    # At least two digits of the exponent, and no point without digits after it.
    digits = np.format_float_scientific(value, unique=True, trim="-", exp_digits=2)
    return (_odd_float(float(value)) or digits).encode()


def _odd_float(value: float) -> str | None:
    if np.isnan(value):
        return "NaN"
    return None if np.isfinite(value) else "Infinity" if value > 0 else "-Infinity"


def _bytea_text(array: pa.Array) -> pa.Array:
    column = array.cast(BYTES)
    cuts = offsets_of(column)
    return joined(rb"\x", of_offsets((cuts - cuts[0]) * 2, _HEX[data_of(column)], validity(column)))


def _interval_text(array: pa.Array) -> pa.Array:
    spans = array.cast(TEXT).to_pylist()
    return pa.array([None if span is None else interval_text(span) for span in spans], BYTES)


def _timestamptz_text(array: pa.Array) -> pa.Array:
    return timestamp_text(array, b"+00")


_ENCODERS: dict[str, Callable[[pa.Array], pa.Array]] = {
    "bool": _bool_text,
    **dict.fromkeys(("int2", "int4", "int8", "oid", "uuid", "varbit", "timetz"), text_bytes),
    "float4": _float_text,
    "float8": _double_text,
    "numeric": numeric_text,
    "bytea": _bytea_text,
    "date": date_text,
    "time": time_text,
    "timestamp": timestamp_text,
    "timestamptz": _timestamptz_text,
    "interval": _interval_text,
    "json": json_text,
}
