"""The differences from plain DuckDB that are wanted, each with its reason."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.semantics.rows import FAR


@dataclass(frozen=True)
class Difference:
    """One expression that differs at a place. `kind`: of what: type, value, failed or answered.

    `rows`: those that differ; `found`, `expected`: the cells of the first. `plain`: the values of the
    expression in these rows; `is_raised`: DuckDB raises an error on each of them.
    """

    place: str
    door: str
    kind: str
    text: str
    found: str
    expected: str
    rows: tuple[int, ...] = ()
    plain: tuple[str, ...] = ()
    is_raised: bool = False


@dataclass(frozen=True)
class Known:
    """A kind of difference that is wanted, and why."""

    name: str
    reason: str
    holds: Callable[[Difference], bool]


_PRIVATE = ("WHERE", "key", "aggregate", "FILTER")
# Infinite ones are Python's first and last.
_FAR_DATE = re.compile(
    r"^'-?(\d{5,}-|infinity|.*\(BC\))|date\((9999, 12, 31|1, 1, 1)\)"
    r"|datetime\((9999, 12, 31, 23, 59, 59, 999999|1, 1, 1, 0, 0)"
)
_DIGITS = re.compile(r"\d{27,}|e\+(2[7-9]|3\d)")
_POSITIONED = re.compile(r"\b(left|right|substr|substring|split_part)\(")


def _is_lost(one: Difference) -> bool:
    """Whether a value of a private row is NULL here, and is one in DuckDB."""
    return one.kind == "value" and one.place in _PRIVATE and one.found.strip("'") in ("None", "0", "")


def _is_far(one: Difference) -> bool:
    if one.kind == "value" and one.place in (*_PRIVATE, "HAVING") and min(one.rows) >= FAR:
        return True
    return _is_lost(one) and all(map(_is_far_value, one.plain))


def _is_far_value(value: str) -> bool:
    return bool(_FAR_DATE.search(value) or _DIGITS.search(value))


def _has_far_digits(one: Difference) -> bool:
    return _is_lost(one) and bool(_DIGITS.search(one.text))


def _has_far_position(one: Difference) -> bool:
    return _is_lost(one) and bool(_POSITIONED.search(one.text))


KNOWN: tuple[Known, ...] = (
    Known(
        "far ends",
        "a private date beyond the years 1 to 9999, or number of 27 digits, may be NULL: no row fails",
        _is_far,
    ),
    Known(
        "far constants",
        "the same of a constant of 27 digits",
        _has_far_digits,
    ),
    Known(
        "far positions",
        "a place in a private text beyond 2^32 characters is NULL",
        _has_far_position,
    ),
    Known(
        "no value",
        "the part of a private row's expression that fails in DuckDB is NULL, and the rest decides",
        lambda one: one.is_raised and one.place in _PRIVATE,
    ),
    Known(
        "ENUM",
        "an expression of ENUM values is VARCHAR over private rows",
        lambda one: one.kind == "type" and one.expected.startswith("ENUM"),
    ),
    Known(
        "constant queries",
        "a query of one constant is that constant also where DuckDB wants one that is no query",
        lambda one: one.kind == "answered" and "(SELECT " in one.text,
    ),
    Known(
        "wrapped signs",
        "DuckDB 1.5 makes 1 of -x of the largest UINTEGER, where 2.0 fails: it is NULL on both",
        lambda one: _is_lost(one) and re.match(r"\(-.*U(TINY|SMALL|BIG)?INT", one.text) is not None,
    ),
    Known(
        "type of NULL",
        "a column of NULL alone has a type, where DuckDB says NULL",
        lambda one: one.kind == "type" and one.expected.strip('"') == "NULL",
    ),
)


def known(difference: Difference) -> Known | None:
    """The entry of the table that a difference is of."""
    return next((one for one in KNOWN if one.holds(difference)), None)
