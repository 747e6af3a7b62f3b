"""FILE, and the options that say what is private in it if it stores no policies itself."""

from __future__ import annotations

import argparse
from functools import partial

from dpduck.doors.cli.csv_arguments import add_csv_words
from dpduck.doors.cli.usage import argument
from dpduck.engines.duckdb.path import DataPath
from dpduck.kernel.catalog.domain_options import parse_domain
from dpduck.kernel.catalog.statements import parse_bound
from dpduck.kernel.errors import ParameterError


def add_file(command: argparse.ArgumentParser) -> None:
    """Add FILE."""
    command.add_argument(
        "file",
        metavar="FILE",
        type=DataPath,
        help="a .duckdb, .parquet, .csv, .tsv or .csv.gz file, or a folder or a quoted pattern of such files",
    )


def add_policies(command: argparse.ArgumentParser, *, has_format: bool = False) -> None:
    """Add the options that declare the policies of a file. Input: whether the command has --format."""
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

    add_csv_words(command, has_format=has_format)


def _bound(name: str, text: str) -> int:
    try:
        return parse_bound(text, name)
    except ParameterError as error:
        fault = error
    raise ParameterError(fault.message, detail=fault.reason, hint=f"Write --{name} 5.")
