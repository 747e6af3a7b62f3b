"""Check the types of arguments of public functions.

A value of another type may be the data itself, such as a DataFrame in place of a path. So an error names
its type and never shows the value.
"""

from __future__ import annotations

import os

from dpduck.kernel.errors import ParameterError


def text_of(value: object, name: str) -> str:
    """A string. Errors: ParameterError.

    >>> text_of("ana", "analyst")
    'ana'
    """
    if isinstance(value, str):
        return value
    raise wrong_kind(value, name, "text")


def optional_text(value: object, name: str) -> str | None:
    """A string or None. Errors: ParameterError."""
    return None if value is None else text_of(value, name)


def path_of(value: object, name: str) -> str:
    """A path as a string. Errors: ParameterError.

    >>> path_of("shop.duckdb", "database")
    'shop.duckdb'
    """
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if isinstance(value, str):
        return value
    raise wrong_kind(value, name, "a path")


def optional_path(value: object, name: str) -> str | None:
    """A path as a string, or None. Errors: ParameterError."""
    return None if value is None else path_of(value, name)


def wrong_kind(value: object, name: str, wanted: str, hint: str | None = None) -> ParameterError:
    """The error for a value of another type."""
    return ParameterError(
        f"{name} must be {wanted}, not a {type(value).__name__[:60]}",
        detail="Nothing of the value was looked at.",
        hint=hint,
    )
