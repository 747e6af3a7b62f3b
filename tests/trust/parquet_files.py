"""Parquet files made by hand: any physical type, any annotation, and values that no writer lets pass."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

BOOLEAN, INT32, INT64, INT96, FLOAT, DOUBLE, BYTE_ARRAY, FIXED = range(8)

# Thrift's compact form: of a struct the fields by number, each a pair of its kind and its bytes.
_TRUE, _FALSE, _BYTE, _I32, _I64, _BINARY, _LIST, _STRUCT = 1, 2, 3, 5, 6, 8, 9, 12
Field = tuple[int, bytes]


def varint(number: int) -> bytes:
    """
    >>> varint(300).hex()
    'ac02'
    """
    made = bytearray()
    while number > 127:
        made.append(number & 127 | 128)
        number >>= 7
    return bytes([*made, number])


def i32(number: int) -> Field:
    return _I32, varint(number << 1 ^ number >> 63)


def i64(number: int) -> Field:
    return _I64, varint(number << 1 ^ number >> 63)


def flag(value: bool) -> Field:
    return (_TRUE if value else _FALSE), b""


def binary(value: bytes | str) -> Field:
    value = value.encode() if isinstance(value, str) else value
    return _BINARY, varint(len(value)) + value


def fields(**numbered: Field | None) -> Field:
    """A struct. Input: `_3=i32(7)` is field 3."""
    made, last = b"", 0
    for name, field in numbered.items():
        if field is not None:
            number = int(name[1:])
            step = number - last
            start = bytes([step << 4 | field[0]]) if step < 16 else bytes([field[0]]) + varint(number << 1)
            made, last = made + start + field[1], number
    return _STRUCT, made + b"\0"


def several(items: Sequence[Field]) -> Field:
    kind = items[0][0]
    size = bytes([len(items) << 4 | kind]) if len(items) < 15 else bytes([0xF0 | kind]) + varint(len(items))
    return _LIST, size + b"".join(item[1] for item in items)


# --- annotations -------------------------------------------------------------------------------------


def union(number: int, **members: Field) -> Field:
    """A logical type: the member with that number of the union."""
    return fields(**{f"_{number}": fields(**members)})


def timed(number: int, unit: int, *, utc: bool) -> Field:
    """TIME (7) or TIMESTAMP (8). Input: the unit: 1 of milliseconds, 2 micro, 3 nano."""
    return union(number, _1=flag(utc), _2=union(unit))


def integer(bits: int, *, signed: bool) -> Field:
    return union(10, _1=(_BYTE, bytes([bits])), _2=flag(signed))


# --- files -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Column:
    """Input: `values`: numbers, or bytes as they are stored; `converted` and `logical`: what they mean."""

    name: str
    physical: int
    values: Sequence[Any]
    converted: int | None = None
    logical: Field | None = None
    length: int | None = None
    scale: int | None = None
    precision: int | None = None

    @property
    def schema(self) -> Field:
        return fields(
            _1=i32(self.physical),
            _2=_number(self.length),
            _3=i32(1),  # optional
            _4=binary(self.name),
            _6=_number(self.converted),
            _7=_number(self.scale),
            _8=_number(self.precision),
            _10=self.logical,
        )

    @property
    def plain(self) -> bytes:
        if self.physical == BOOLEAN:
            bits = sum(bool(value) << place for place, value in enumerate(self.values))
            return bits.to_bytes((len(self.values) + 7) // 8, "little")
        return b"".join(map(_PLAIN[self.physical], self.values))

    @property
    def page(self) -> bytes:
        levels = varint(len(self.values) << 1) + b"\1"  # nothing is NULL
        body = struct.pack("<I", len(levels)) + levels + self.plain
        about = fields(_1=i32(len(self.values)), _2=i32(0), _3=i32(3), _4=i32(3))
        return fields(_1=i32(0), _2=i32(len(body)), _3=i32(len(body)), _5=about)[1] + body

    def chunk(self, start: int, size: int) -> Field:
        values = sorted(self.values) if self.physical != BYTE_ARRAY else []
        ends = [] if not values else [_PLAIN.get(self.physical, bytes)(v) for v in (values[0], values[-1])]
        known = fields(_3=i64(0), _5=binary(ends[1]), _6=binary(ends[0])) if self.ordered else None
        about = fields(
            _1=i32(self.physical),
            _2=several([i32(0), i32(3)]),
            _3=several([binary(self.name)]),
            _4=i32(0),
            _5=i64(len(self.values)),
            _6=i64(size),
            _7=i64(size),
            _9=i64(start),
            _12=known,
        )
        return fields(_2=i64(start), _3=about)

    @property
    def ordered(self) -> bool:
        """Whether it has statistics, by which a reader may look at the extremes before any row."""
        return self.physical in (INT32, INT64, FLOAT, DOUBLE)


def _number(value: int | None) -> Field | None:
    return None if value is None else i32(value)


_PLAIN: dict[int, Callable[[Any], bytes]] = {
    INT32: lambda value: struct.pack("<I", value & 0xFFFFFFFF),
    INT64: lambda value: struct.pack("<Q", value & 0xFFFFFFFFFFFFFFFF),
    FLOAT: lambda value: struct.pack("<f", value),
    DOUBLE: lambda value: struct.pack("<d", value),
    BYTE_ARRAY: lambda value: struct.pack("<I", len(value)) + value,
    INT96: bytes,
    FIXED: bytes,
}


def write(path: Path, columns: Sequence[Column]) -> None:
    """Write columns of one length."""
    content, chunks, rows = b"PAR1", [], len(columns[0].values)
    for column in columns:
        chunks.append(column.chunk(len(content), len(column.page)))
        content += column.page
    root = fields(_4=binary("schema"), _5=i32(len(columns)))
    group = fields(_1=several(chunks), _2=i64(len(content)), _3=i64(rows))
    footer = fields(
        _1=i32(2),
        _2=several([root, *(column.schema for column in columns)]),
        _3=i64(rows),
        _4=several([group]),
        _6=binary("by hand"),
    )[1]
    path.write_bytes(content + footer + struct.pack("<I", len(footer)) + b"PAR1")
