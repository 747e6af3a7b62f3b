"""Domains as the command line and magics write them: COL=LO..HI, or COL=a,b,c."""

from __future__ import annotations

import csv
import re

from dpduck.kernel.catalog.statements import DomainRange, DomainValues
from dpduck.kernel.catalog.types import parse_moment, parse_number
from dpduck.kernel.errors import ParameterError
from dpduck.kernel.errors.advice import GAP

DomainOfColumn = tuple[str, DomainRange | DomainValues, bool]  # and whether NULL is a key as well

_OR_NULL = re.compile(r"\s+or\s+null\s*\Z", re.IGNORECASE)


def parse_domain(text: str) -> DomainOfColumn:
    """Parse COL=LO..HI or COL=a,b,c, either of them with OR NULL. A value with a comma is quoted as in CSV.

    Output: the column, its domain, and whether NULL is a key as well. Errors: ParameterError.

    >>> parse_domain("day=2024-01-01..2024-12-31 OR NULL")
    ('day', DomainRange(low='2024-01-01', high='2024-12-31', step=None), True)
    >>> parse_domain('city=Rome,"Paris, Texas"')[1:]
    (DomainValues(values=('Rome', 'Paris, Texas')), False)
    """
    column, _, given = text.partition("=")
    values = _OR_NULL.sub("", given)
    if not column or not values:
        raise _bad_domain(text, "It is a column, an equals sign and the values of the column.")
    domain = _range(text, values) if ".." in values and "," not in values else None
    return column, domain or DomainValues(_list(text, values)), values != given


def _range(text: str, values: str) -> DomainRange:
    low, _, high = values.partition("..")
    numbers = [number for number in map(parse_number, (low, high)) if number is not None]
    moments = [moment for moment in map(parse_moment, (low, high)) if moment is not None]
    ordered = any(len(ends) == 2 and ends[0] < ends[1] for ends in (numbers, moments))  # type: ignore[operator]
    if not ordered:
        raise _bad_domain(text, "A range goes from a number or a date to a larger one.")
    return DomainRange(low, high)


def _list(text: str, values: str) -> tuple[str, ...]:
    try:
        listed = next(csv.reader([values], strict=True))
    except csv.Error:
        listed = [""]
    if GAP in listed:
        raise _bad_domain(text, f"Write values that are known without looking at the data in place of {GAP}")
    if "" in listed:
        raise _bad_domain(text, "One of its values is empty, or a quotation mark is left open.")
    return tuple(listed)


def _bad_domain(text: str, detail: str) -> ParameterError:
    return ParameterError(
        f"{text[:60]!r} is not a domain",
        detail=detail,
        hint="Write item=0..99, sex=f,m or day=2024-01-01..2024-12-31.",
    )
