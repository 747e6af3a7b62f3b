"""The differences from plain DuckDB that are wanted, each with its reason."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.semantics.places import columns_of
from benchmarks.semantics.rows import FAR


@dataclass(frozen=True)
class Difference:
    """One expression that differs at a place. `kind`: of what: type, value, failed or answered.

    `rows`: those that differ; `found`, `expected`: the cells of the first. `plain`: the values of the
    expression in these rows; `is_raised`: DuckDB raises an error on each of them.
    `is_of_constant`: it answers the same where each query of a constant is that constant. `is_tied`: all the
    values that differ are as frequent as those of DuckDB.
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
    is_of_constant: bool = False
    is_tied: bool = False


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
_WIDE = frozenset({"c", "u", "ui", "h", "uh"})  # columns of numbers beyond 2^31
_COMPARES = re.compile(r"[<>=]")
_DECIDES = re.compile(
    r"\b(CASE|if|coalesce|nullif|greatest|least|concat\w*|IN|BETWEEN|AND|OR|IS|ANY|list_\w+)\b"
)


def _is_lost(one: Difference, *places: str) -> bool:
    """Whether a value of a private row is NULL here, and is one in DuckDB."""
    is_there = one.kind == "value" and one.place in (*_PRIVATE, *places)
    lost = ("0",) if one.place in ("aggregate", "FILTER") else ("0", "None", "")  # the row itself is there
    return is_there and one.found.strip("'") in lost


def _is_far(one: Difference) -> bool:
    if one.place.endswith(" of private rows") and one.kind == "value":
        return bool(_DIGITS.search(one.text))
    if _is_lost(one, "HAVING") and min(one.rows) >= FAR:
        return True
    values = zip(one.rows, one.plain, strict=True)  # from a far row ordinary values may be computed
    return _is_lost(one) and all(row >= FAR or _is_far_value(value) for row, value in values)


def _is_far_value(value: str) -> bool:
    return bool(_FAR_DATE.search(value) or _DIGITS.search(value))


def _is_decided(one: Difference) -> bool:
    """Whether DuckDB fails on private rows for a part of an expression that others may decide without."""
    is_there = one.kind == "value" and one.is_raised and one.place in _PRIVATE
    return is_there and (_is_lost(one) or _DECIDES.search(one.text) is not None)


def _is_compared(one: Difference) -> bool:
    """Whether a comparison fails in DuckDB, which cannot convert a far value to the type of the other."""
    is_far = bool(_DIGITS.search(one.text)) or (bool(one.rows) and min(one.rows) >= FAR)
    return one.is_raised and one.place in _PRIVATE and is_far and _COMPARES.search(one.text) is not None


def _has_far_position(one: Difference) -> bool:
    return _is_lost(one) and bool(_POSITIONED.search(one.text)) and not _WIDE.isdisjoint(columns_of(one.text))


KNOWN: tuple[Known, ...] = (
    Known(
        "far ends",
        "a private date beyond the years 1 to 9999, or number of 27 digits, may be NULL: no row fails",
        _is_far,
    ),
    Known(
        "far comparisons",
        "a far value, or a constant of 27 digits, is compared where DuckDB fails to convert it",
        _is_compared,
    ),
    Known(
        "far positions",
        "a position that a private number gives is NULL beyond 2^31; one that is constant is refused",
        _has_far_position,
    ),
    Known(
        "no value",
        "the part of a private row's expression that fails in DuckDB is NULL, and the rest decides",
        _is_decided,
    ),
    Known(
        "ties of mode",
        "of values that are as frequent DuckDB takes any: it differs between databases with the same rows",
        lambda one: one.is_tied,
    ),
    Known(
        "negated ends",
        "-x of a constant that is the least of its type is of a wider one, as in DuckDB 2.0; 1.5 fails",
        lambda one: (
            one.text.lstrip("(").startswith("-")
            and not columns_of(one.text)
            and (one.is_raised or one.kind in ("type", "answered"))
        ),
    ),
    Known(
        "ENUM",
        "an expression of ENUM values is VARCHAR over private rows",
        lambda one: one.kind == "type" and one.expected.startswith("ENUM"),
    ),
    Known(
        "constant queries",
        "a query of one constant is that constant also where DuckDB wants one that is no query",
        lambda one: one.kind == "answered" and one.is_of_constant,
    ),
    Known(
        "signs of intervals",
        "INTERVAL -3 DAY is INTERVAL (-3) DAY, where DuckDB wants the parentheses",
        lambda one: one.kind == "answered" and re.search(r"INTERVAL -\d", one.text) is not None,
    ),
    Known(
        "logarithms of 0",
        "a logarithm of 0 is -inf over private rows, as in DuckDB 2.0; 1.5 fails",
        lambda one: (
            one.is_raised and one.place in _PRIVATE and re.search(r"\b(ln|log\w*)\(", one.text) is not None
        ),
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
