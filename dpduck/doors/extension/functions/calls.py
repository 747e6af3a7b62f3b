"""One call of a function: its cost, and how its arguments are parsed. Errors come before any charge."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pyarrow as pa

from dpduck.kernel.accounting.amounts import parse_delta
from dpduck.kernel.accounting.events import Event
from dpduck.kernel.errors import ParameterError, decimal_text
from dpduck.kernel.noise import Entropy

Scalar = Any  # a Python value converted from Arrow


@dataclass(frozen=True)
class CallOutcome:
    """The value of a call that itself shows how much of its charge was used."""

    value: object
    used: Event


@dataclass(frozen=True)
class Evaluation:
    """One call that is ready to be charged: its event, its text in the ledger, and the function to run.

    `run` is the first to read private values, and is called below the data line.
    """

    event: Event
    text: str
    run: Callable[[Entropy], object]


@dataclass(frozen=True)
class Function:
    """One scalar function: its name, the DuckDB type of its value, and how a call is prepared."""

    name: str
    value_type: str
    arrow_type: pa.DataType
    prepare: Callable[..., Evaluation]


def check_type(name: Scalar) -> None:
    """Refuse a type that Arrow converts with a wrong sign. Errors: ParameterError."""
    if name == "UHUGEINT":
        raise ParameterError("numbers of type UHUGEINT are not taken", hint="Cast the column to HUGEINT.")


def whole(value: Scalar, name: str) -> int:
    """Check an integer argument. Errors: ParameterError."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise ParameterError(
        f"{name} is not a whole number", hint=f"Write a positive integer for {name}, such as 10."
    )


def chance(delta: Scalar) -> Fraction | None:
    """The delta of a call whose keys come from private rows; None if it has none. Errors: ParameterError."""
    if delta is None:
        return None
    parsed = parse_delta(delta)
    if parsed == 0:
        raise ParameterError("delta is 0", hint="Write delta := 1e-6, or give a public list or domain.")
    return parsed


def said(delta: Fraction | None) -> str:
    """A delta as part of the text in the ledger."""
    return "" if delta is None else f", delta = {decimal_text(delta)}"


def too_few(message: str, detail: str) -> ParameterError:
    """The error for a list of candidates that is too short. It never reveals how long the list is."""
    hint = "Ask for fewer. A list of keys that comes from private rows takes delta := 1e-6."
    return ParameterError(message, detail=detail, hint=hint)
