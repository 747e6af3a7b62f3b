"""Numeric: decimals of any size as Postgres's text and as its groups of four digits."""

from __future__ import annotations

import struct
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from dpduck.doors.gateway.encoding.byte_columns import (
    BYTES,
    Numbers,
    of_offsets,
    of_width,
    patched,
    text_bytes,
    validity,
)

_NEGATIVE = 0x4000
_WORD_DIGITS = 19  # decimal digits that always fit 64 bits
_HEADER = 4  # 16-bit words: number of groups, weight of the first, sign, digits after the point


def numeric_text(array: pa.Array) -> pa.Array:
    """Digits without an exponent. Input: decimals, integers or strings of digits."""
    text = text_bytes(array)
    if not pa.types.is_decimal(array.type):
        return text
    where = pc.fill_null(pc.match_substring(text, "E"), False).to_numpy(zero_copy_only=False)
    if not where.any():
        return text
    odd = text.filter(pa.array(where)).to_pylist()
    return patched(text, where, [format(Decimal(value.decode()), "f").encode() for value in odd])


def numeric_binary(array: pa.Array) -> pa.Array:
    """As numeric_send writes it. Input: decimals, integers or strings of digits."""
    if pa.types.is_integer(array.type):
        array = array.cast(pa.decimal128(20, 0))
    if not pa.types.is_decimal(array.type):
        return pa.array([_binary(value) for value in text_bytes(array).to_pylist()], BYTES)
    # 128 bits as two words: if the upper one only repeats the sign, the lower one is the number.
    words = _words(array)
    low, high = words[:, 0], words[:, 1]
    wide = (high != low >> 63) & array.is_valid().to_numpy(zero_copy_only=False)
    packed = _groups(np.where(wide, 0, low), array.type.scale, validity(array))
    if not wide.any():
        return packed
    texts = numeric_text(array.filter(pa.array(wide))).to_pylist()
    return patched(packed, wide, [packed_number(text.decode()) for text in texts])


def _binary(value: bytes | None) -> bytes | None:
    return None if value is None else packed_number(value.decode())


def packed_number(text: str) -> bytes:
    """Plain digits, with or without sign and point, as numeric_send writes them.

    >>> packed_number("-10000.5").hex(" ", 2)
    '0003 0001 4000 0001 0001 0000 1388'
    """
    whole, _, fraction = text.lstrip("-").partition(".")
    digits = whole.rjust(-(-len(whole) // 4) * 4, "0") + fraction.ljust(-(-len(fraction) // 4) * 4, "0")
    groups = [int(digits[i : i + 4]) for i in range(0, len(digits), 4)]
    weight = -(-len(whole) // 4) - 1
    while groups and groups[0] == 0:
        del groups[0]
        weight -= 1
    while groups and groups[-1] == 0:
        del groups[-1]
    sign = _NEGATIVE if text.startswith("-") and groups else 0
    header = (len(groups), weight if groups else 0, sign, len(fraction))
    return struct.pack(f"!HhHH{len(groups)}H", *header, *groups)


def _words(array: pa.Array) -> Numbers:
    wide = array if pa.types.is_decimal128(array.type) else array.cast(pa.decimal128(38, array.type.scale))
    end = wide.offset + len(wide)
    return np.frombuffer(wide.buffers()[1], np.int64, count=2 * end).reshape(-1, 2)[wide.offset :]


def _groups(numbers: Numbers, scale: int, valid: pa.Buffer | None) -> pa.Array:
    """64-bit integers, divided by ten to the scale, as numeric_send writes them."""
    if not len(numbers):
        return of_width(np.zeros((0, 1), np.uint8))
    magnitude = np.abs(numbers).view(np.uint64)
    whole, rest = _divided(magnitude, scale)
    front = [_digits(whole, 4 * k) for k in reversed(range(_count(whole)))]
    back = [_digits(rest, scale - 4 * (k + 1)) for k in range(-(-scale // 4))]
    groups = np.stack([*front, *back], axis=1)
    filled = groups != 0
    some = filled.any(axis=1)
    first = filled.argmax(axis=1)
    last = groups.shape[1] - 1 - filled[:, ::-1].argmax(axis=1)
    count = np.where(some, last - first + 1, 0)
    weight = np.where(some, len(front) - 1 - first, 0)
    sign = np.where(numbers < 0, _NEGATIVE, 0)
    header = np.stack([count, weight, sign, np.full(len(numbers), scale)], axis=1)
    place = np.arange(groups.shape[1])
    kept = (place >= first[:, None]) & (place <= last[:, None]) & some[:, None]
    cells = np.hstack([header, groups.astype(np.int64)]).astype(">i2")
    data = cells[np.hstack([np.ones(header.shape, bool), kept])]
    offsets = np.concatenate([[0], np.cumsum(2 * (_HEADER + count))])
    return of_offsets(offsets, data, valid)


def _count(whole: Numbers) -> int:
    """How many groups of four digits the largest number needs."""
    return -(-len(str(int(whole.max()))) // 4)


def _divided(magnitude: Numbers, scale: int) -> tuple[Numbers, Numbers]:
    if scale > _WORD_DIGITS:
        return np.zeros_like(magnitude), magnitude
    unit = np.uint64(10**scale)
    return magnitude // unit, magnitude % unit


def _digits(magnitude: Numbers, places: int) -> Numbers:
    """The four digits that begin `places` from the right; after the point they are padded with zeros."""
    if places > _WORD_DIGITS:
        return np.zeros_like(magnitude)
    if places < 0:
        return magnitude % np.uint64(10 ** (4 + places)) * np.uint64(10**-places)
    return magnitude // np.uint64(10**places) % np.uint64(10**4)
