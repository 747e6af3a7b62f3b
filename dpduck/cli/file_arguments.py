"""FILE, and the options that say what is private in it if it stores no policies itself."""

from __future__ import annotations

import argparse
import csv
import re
from functools import partial

from dpduck.catalog.statements import DomainRange, DomainValues, parse_bound
from dpduck.catalog.types import parse_moment, parse_number
from dpduck.cli.usage import argument
from dpduck.engines.duckdb.path import DataPath
from dpduck.errors import ParameterError

DomainOfColumn = tuple[str, DomainRange | DomainValues, bool]  # and whether NULL is a key as well

_OR_NULL = re.compile(r"\s+or\s+null\s*\Z", re.IGNORECASE)


def add_file(command: argparse.ArgumentParser) -> None:
    """Add FILE."""
    command.add_argument(
        "file",
        metavar="FILE",
        type=DataPath,
        help="a .duckdb, .parquet, .csv, .tsv or .csv.gz file, or a folder or a quoted pattern of such files",
    )


def add_policies(command: argparse.ArgumentParser) -> None:
    """Add the options that declare the policies of a file."""
    policies = command.add_argument_group(
        "what is private in a Parquet or CSV file (a database stores its own policies)"
    )
    policies.add_argument("--unit", metavar="COL", help="the column that says whose row it is")
    policies.add_argument(
        "--domain",
        dest="domains",
        metavar="COL=LO..HI|COL=a,b,c [OR NULL]",
        type=argument(parse_domain),
        action="append",
        help="the values that a column may take, as everybody may know; once for each column",
    )
    policies.add_argument(
        "--groups",
        metavar="N",
        type=argument(partial(_bound, "groups")),
        help="in how many groups of an answer one unit counts at most; fewer groups, less noise",
    )
    policies.add_argument(
        "--rows",
        metavar="N",
        type=argument(partial(_bound, "rows")),
        help="count rows, at most so many of one unit in a group (default: units are counted)",
    )


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
    if "" in listed:
        raise _bad_domain(text, "One of its values is empty, or a quotation mark is left open.")
    return tuple(listed)


def _bound(name: str, text: str) -> int:
    try:
        return parse_bound(text, name)
    except ParameterError as error:
        fault = error
    raise ParameterError(fault.message, detail=fault.reason, hint=f"Write --{name} 5.")


def _bad_domain(text: str, detail: str) -> ParameterError:
    return ParameterError(
        f"{text[:60]!r} is not a domain",
        detail=detail,
        hint="Write item=0..99, sex=f,m or day=2024-01-01..2024-12-31.",
    )
