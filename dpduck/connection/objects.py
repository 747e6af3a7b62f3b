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


def array_of(values: Iterable[Any]) -> Any:
    """An Arrow array of the type that all values have. Input: None for what is missing.

    Errors: TypeError for several kinds; of pyarrow.
    """
    values = list(values)
    kinds = {_kind(value) for value in values if value is not None}
    if kinds <= {str}:
        return texts_of(values)
    if len(kinds) > 1 and kinds not in _TOGETHER:
        raise TypeError("several kinds")
    return pa.array(values)


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
