"""Bound parameters of the extended protocol: from the client's bytes to the Python values for bind_tree.

Text is in UTF-8. An array of one dimension becomes a list. Anything but an exact value of the type is
refused before anything is charged.
"""

from __future__ import annotations

import re
import struct

from dpduck.compiler.parse.bind import Parameter, Single
from dpduck.doors.gateway.encoding.parameter_values import BLANKS, InvalidError, scalar, text_of
from dpduck.doors.gateway.encoding.pgtypes import BY_OID, ELEMENTS, pg_type
from dpduck.kernel.errors import ParameterError

_ARRAY_ITEM = re.compile(
    r'[ \t-\r]*(?:"((?:[^"\\]|\\.)*)"|((?:[^"{},\\ \t-\r]|\\.)(?:[^"{},\\]|\\.)*?))[ \t-\r]*([,}])', re.DOTALL
)


def oid_of_duckdb(duckdb_type: str) -> int:
    """The OID that describes a parameter of a DuckDB type."""
    return pg_type(duckdb_type).oid


def decode(oid: int, binary: bool, payload: bytes | None) -> Parameter:
    """Decode a parameter. Input: its type's OID, whether it is in binary format, its bytes (None is NULL).

    Errors: ParameterError, which quotes at most 40 characters of the value.

    >>> decode(23, True, bytes([0, 0, 0, 7])), decode(1009, False, b'{a,NULL,"b c"}')
    (7, ['a', None, 'b c'])
    """
    if payload is None:
        return None
    try:
        if oid in ELEMENTS:
            read = _binary_array if binary else _text_array
            return read(payload, ELEMENTS[oid].oid)
        return scalar(oid, binary, payload)
    except InvalidError as invalid:
        reason, sqlstate = str(invalid), invalid.sqlstate
    error = ParameterError(
        f"a parameter of type {_name(oid)} is not valid", detail=f"It {reason}.", hint="Pass a valid value."
    )
    error.sqlstate = sqlstate or error.sqlstate
    raise error


def _name(oid: int) -> str:
    if oid in ELEMENTS:
        return f"{ELEMENTS[oid].name}[]"
    return BY_OID[oid].name if oid in BY_OID else f"with OID {oid}"


def _text_array(payload: bytes, element: int) -> list[Single]:
    text = text_of(payload).strip(BLANKS)
    if text[:1] == "{" and text[1:].lstrip(BLANKS) == "}":
        return []
    if not text.startswith("{"):
        raise InvalidError("must be an array such as {1,2}")
    values: list[Single] = []
    place, end = 1, ","
    while end == ",":
        item = _ARRAY_ITEM.match(text, place)
        if item is None:
            raise InvalidError("must be an array of one dimension such as {1,2}")
        values.append(_array_item(item, element))
        place, end = item.end(), item[3]
    if place != len(text):
        raise InvalidError("must be an array such as {1,2} and nothing after it")
    return values


def _array_item(item: re.Match[str], element: int) -> Single:
    if item[1] is None and item[2].upper() == "NULL":
        return None
    written = item[2] if item[1] is None else item[1]
    return scalar(element, False, re.sub(r"\\(.)", r"\1", written, flags=re.DOTALL).encode())


def _binary_array(payload: bytes, element: int) -> list[Single]:
    if len(payload) < 12:
        raise InvalidError("must be of 12 bytes or more in binary format")
    dimensions, flags, oid = struct.unpack("!iiI", payload[:12])
    if oid != element or flags not in (0, 1):
        raise InvalidError(f"must be an array of {BY_OID[element].name} in binary format")
    if dimensions == 0 and len(payload) == 12:
        return []
    if dimensions != 1 or len(payload) < 20:
        raise InvalidError("must be an array of one dimension")
    return _binary_items(payload, int.from_bytes(payload[12:16], "big", signed=True), element)


def _binary_items(payload: bytes, count: int, element: int) -> list[Single]:
    values: list[Single] = []
    place = 20
    # The count comes from the client and may be false: each element takes at least four bytes.
    if not 0 <= count <= (len(payload) - place) // 4:
        raise InvalidError("is cut short")
    for _ in range(count):
        size = int.from_bytes(payload[place : place + 4], "big", signed=True)
        place += 4
        if size < -1 or place + max(size, 0) > len(payload):
            raise InvalidError("is cut short")
        values.append(None if size == -1 else scalar(element, True, payload[place : place + size]))
        place += max(size, 0)
    if place != len(payload):
        raise InvalidError("has bytes after its last element")
    return values
