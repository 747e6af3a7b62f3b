"""Propagates public domains through expressions: the image of the operands' declared domains.

A domain only lists candidate keys, and rows with another value are left out, so an image may be larger than
necessary, but it never depends on rows. For a list of values Python computes the image of each exactly as
DuckDB does (tests compare them); where it might differ, the domain is None, which means unknown.

This module has lists, branches and strings; see also `number_domains`, `datetime_domains`, `cast_domains`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal

from dpduck.compiler.private.operands import Constant, Operand
from dpduck.kernel.catalog.model import Domain, RangeDomain, ValuesDomain
from dpduck.kernel.catalog.types import ConversionError, SqlType, Value, convert
from dpduck.kernel.plan.expression import Typed

MAX_MAPPED = 100_000  # values of a domain whose image is computed value by value

BOOLEANS = ValuesDomain((False, True))


def members(domain: Domain | None, limit: int = MAX_MAPPED) -> list[Value] | None:
    """Return all values of a domain, or None if it is unknown or has more than `limit`."""
    if domain is None or domain.size > limit:
        return None
    if isinstance(domain, ValuesDomain):
        return list(domain.values)
    if type(domain.low) is int and type(domain.high) is int:
        return list(range(domain.low, domain.high + 1, int(domain.step)))
    return [domain.value(offset) for offset in range(domain.size)]


def listed(values: Iterable[Value | None]) -> Domain | None:
    """Return the domain of the distinct values other than NULL, in order of appearance; None if empty."""
    found = tuple(dict.fromkeys(value for value in values if value is not None))
    return ValuesDomain(found) if found else None


def mapped(domain: Domain | None, function: Callable[[Value], Value | None]) -> Domain | None:
    """Return the image of a domain of at most `MAX_MAPPED` values; the function gives None for NULL."""
    values = members(domain)
    return None if values is None else listed(function(value) for value in values)


# --- branches ------------------------------------------------------------------------------------


def of_branches(branches: Sequence[Operand], result: SqlType) -> Domain | None:
    """Return the domain of CASE, coalesce and the like: the union over branches. NULL is in no domain.

    A grid of which constants are points stays a grid; other unions are listed.
    """
    constants = [branch for branch in branches if isinstance(branch, Constant) and branch.value is not None]
    values = [branch for branch in branches if isinstance(branch, Typed) and branch.type.kind != "null"]
    try:
        fixed = [convert(constant.value, result) for constant in constants]
        if len(values) == 1 and isinstance(values[0].domain, RangeDomain):
            grid = _grid_in(values[0].domain, values[0].type, result)
            if grid is not None and all(_is_point(value, grid) for value in fixed):
                return grid
        lists = [_members_in(value, result) for value in values]
    except ConversionError:
        return None
    if any(known is None for known in lists):
        return None
    return listed([*fixed, *(value for known in lists for value in known or ())])


def _members_in(value: Typed, result: SqlType) -> list[Value] | None:
    """Return the values of a domain in the result type; None if they are not known, or too many."""
    known = members(value.domain)
    if known is None or _is_same(value.type, result):
        return known
    return [one if isinstance(one, float) else convert(one, result) for one in known]


def _is_same(own: SqlType, result: SqlType) -> bool:
    """Whether values of a type are written in the result type, which holds them, as in their own."""
    return (own.kind, own.scale) == (result.kind, result.scale) and (own.kind != "float" or own == result)


def _grid_in(grid: RangeDomain, own: SqlType, result: SqlType) -> RangeDomain | None:
    """Return a grid in the result type; None if it may be none there. Errors: ConversionError."""
    if _is_same(own, result):
        return grid
    if result.kind != "decimal" or own.kind not in ("integer", "decimal"):
        return None
    low, high, step = (convert(number, result) for number in (grid.low, grid.high, Decimal(grid.step)))  # type: ignore[arg-type]
    return RangeDomain(low, high, step)  # type: ignore[arg-type]


def _is_point(value: Value, grid: RangeDomain) -> bool:
    if isinstance(value, str) or type(value) is not type(grid.low):
        return False
    place = grid.offset(value)
    return 0 <= place < grid.size and grid.value(place) == value


# --- strings -------------------------------------------------------------------------------------


def of_text(domain: Domain | None, function: Callable[[str], Value | None]) -> Domain | None:
    """Return the image of a list of ASCII strings; None for others, where Python and DuckDB may differ."""
    values = members(domain)
    if values is None or not all(isinstance(value, str) and value.isascii() for value in values):
        return None
    return listed(function(str(value)) for value in values)


def substring(text: str, start: int, length: int | None) -> str:
    """Compute substr(text, start, length) of ASCII: positions count from 1, or from the end if negative.

    >>> substring("hello", 2, 2), substring("hello", -2, None), substring("hello", 0, 2)
    ('el', 'lo', 'h')
    """
    first = start - 1 if start >= 0 else len(text) + start
    last = len(text) if length is None else first + length
    first, last = min(first, last), max(first, last)
    return text[max(0, first) : max(0, last)]


def part_of_text(text: str, separator: str, number: int) -> str:
    """Compute split_part(text, separator, number), '' where there is no such part."""
    parts = text.split(separator) if text else [""]
    index = number - 1 if number > 0 else len(parts) + number
    return parts[index] if number and 0 <= index < len(parts) else ""
