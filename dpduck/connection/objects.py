"""Columns of Python objects, which have no type of their own.

A type that the owner states is given to each value by itself: what does not fit is NULL, for that row alone.
Without one the type is found in the values, so each of them decides about all: it then counts as public, and
whoever protects the data is told so. Values of one kind have its type; nothing is converted to another kind
because some values are of that.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from contextlib import suppress
from datetime import date, datetime
from decimal import Decimal
from numbers import Integral, Real
from typing import Any

import pyarrow as pa

# The first that fits is the kind of a value: a bool is an int to Python, and a datetime is a date.
_KINDS = (str, datetime, date, bytes, Decimal, Integral, Real)
_TOGETHER: tuple[set[object], ...] = ({Integral, Real}, {Integral, Decimal})  # read as the second of them


class NoTypeError(Exception):
    """Values have no type that a column can have. Its text is one of three, and quotes none of them."""


def array_of(values: Iterable[Any]) -> Any:
    """An Arrow array of the type that all values have; None is missing. Errors: NoTypeError."""
    values = list(values)
    kinds = {_kind(value) for value in values if value is not None}
    if kinds <= {str}:
        return texts_of(values)
    if len(kinds) > 1 and kinds not in _TOGETHER:
        raise NoTypeError("Its values are of several types, and a column has one.")
    with suppress(Exception):  # whose text may quote a value
        return pa.array(values)
    if kinds & {Integral, Real, Decimal}:
        raise NoTypeError("One of its numbers is beyond the 64 bits or the digits that are tried.")
    raise NoTypeError("Its values are Python objects that no column holds.")


def texts_of(values: Iterable[Any]) -> pa.Array:
    """Each value as text that DuckDB converts to any type, whatever the others are."""
    return pa.array(map(_text, values), pa.string())


def _kind(value: object) -> object:
    if type(value).__name__ in ("bool", "bool_"):  # numpy's is none of Python's
        return bool
    if isinstance(value, datetime):
        return datetime, value.tzinfo is None
    return next((kind for kind in _KINDS if isinstance(value, kind)), type(value))


def _text(value: object) -> str | None:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    if isinstance(value, bytes):  # as DuckDB writes a BLOB
        return "".join(f"\\x{byte:02X}" for byte in value)
    with suppress(Exception):  # whatever an object makes of itself
        return str(value).encode("utf-8", "replace").decode()
    return None
