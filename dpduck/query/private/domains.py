"""Propagates public domains through expressions: the image of the operands' declared domains.

A domain only lists candidate keys, and rows with another value are left out, so an image may be larger than
necessary, but it never depends on rows. For a list of values Python computes the image of each exactly as
DuckDB does (tests compare them); where it might differ, the domain is None, which means unknown.

This module has lists, branches and strings; see also `number_domains`, `datetime_domains`, `cast_domains`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from dpduck.catalog.model import Domain, RangeDomain, ValuesDomain
from dpduck.catalog.types import ConversionError, SqlType, Value, convert
from dpduck.query.private.operands import Constant, Operand
from dpduck.query.write.expression import Typed

MAX_MAPPED = 100_000  # values of a domain whose image is computed value by value

BOOLEANS = ValuesDomain((False, True))


def members(domain: Domain | None, limit: int = MAX_MAPPED) -> list[Value] | None:
    """Return all values of a domain, or None if it is unknown or has more than `limit`."""
    if domain is None or domain.size > limit:
        return None
    if isinstance(domain, ValuesDomain):
        return list(domain.values)
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
    """Return the domain of CASE, coalesce and the like: the union over branches. NULL is in no domain."""
    constants = [branch for branch in branches if isinstance(branch, Constant) and branch.value is not None]
    domains = [
        branch.domain for branch in branches if isinstance(branch, Typed) and branch.type.kind != "null"
    ]
    try:
        fixed = [convert(constant.value, result) for constant in constants]
        if len(domains) == 1 and isinstance(domains[0], RangeDomain) and _on_grid(fixed, domains[0]):
            return domains[0] if _same_kind(domains[0].low, fixed, result) else None
        lists = [members(domain) for domain in domains]
        if any(values is None for values in lists):
            return None
        known = [_as(value, result) for values in lists for value in values or ()]
    except ConversionError:
        return None
    return listed([*fixed, *known])


def _as(value: Value, result: SqlType) -> Value:
    return value if isinstance(value, float) else convert(value, result)


def _on_grid(values: Sequence[Value], grid: RangeDomain) -> bool:
    if not isinstance(grid.low, int) or not isinstance(grid.high, int):
        return not values
    return all(
        type(value) is int and grid.low <= value <= grid.high and (value - grid.low) % int(grid.step) == 0
        for value in values
    )


def _same_kind(low: Value, fixed: Sequence[Value], result: SqlType) -> bool:
    """Whether the grid's points need no conversion to the result type."""
    return bool(fixed) or isinstance(low, float) or type(_as(low, result)) is type(low)


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
