"""The options that say how the lines of a CSV file are read."""

from __future__ import annotations

import argparse
from typing import Any

from dpduck.doors.cli.usage import argument
from dpduck.kernel.catalog.csv_format import CsvWords
from dpduck.kernel.errors import ParameterError

CSV_WORDS = (
    "types",
    "formats",
    "no_header",
    "delimiter",
    "quote",
    "decimal",
    "thousands",
    "null",
    "encoding",
    "skip",
)
_NAMED = {"tab": "\t", "\\t": "\t", "space": " ", "none": ""}


def add_csv_words(command: argparse.ArgumentParser, *, has_format: bool) -> None:
    """Add the options. Input: whether the command has --format, which then takes COL=FORMAT too."""
    group = command.add_argument_group(
        "how a CSV file is read (default: as recorded in the script beside it)"
    )
    group.add_argument(
        "--type",
        dest="csv_types",
        metavar="COL=TYPE",
        type=argument(parse_pair),
        action="append",
        help="the type of a column: DATE, TIMESTAMP, BIGINT, DOUBLE, DECIMAL(10,2), BOOLEAN or VARCHAR; what "
        "is not of it is NULL",
    )
    if not has_format:
        group.add_argument(
            "--format",
            dest="csv_formats",
            metavar="COL=FORMAT",
            type=argument(parse_pair),
            action="append",
            help="how its values are written: day=%%d/%%m/%%Y, ok=yes/no, month=padded (numbers such as 01)",
        )
    for name, what in (
        ("delimiter", "what separates values: one character, or tab"),
        ("quote", "what stands around a value with a delimiter, or none"),
        ("decimal", "the decimal sign of numbers"),
        ("thousands", "what separates thousands: one character, or space"),
    ):
        group.add_argument(f"--{name}", dest=f"csv_{name}", metavar="C", type=argument(_sign), help=what)
    group.add_argument(
        "--null",
        dest="csv_null",
        metavar="TEXT",
        action="append",
        help="a text that is NULL besides the empty one",
    )
    group.add_argument(
        "--encoding",
        dest="csv_encoding",
        metavar="NAME",
        help="of the text: utf-8, latin-1, windows-1252, utf-16",
    )
    group.add_argument(
        "--skip",
        dest="csv_skip",
        metavar="N",
        type=int,
        help="how many lines stand before the names, such as a title",
    )
    group.add_argument(
        "--no-header",
        dest="csv_no_header",
        action="store_true",
        default=None,
        help="the first line is a row, and columns are called column0, column1, ...",
    )


def take_csv_words(fields: dict[str, Any]) -> CsvWords:
    """Take what the options say out of the parsed fields."""
    taken = {name.removeprefix("csv_"): fields.pop(name) for name in [*fields] if name.startswith("csv_")}
    said = {name: value for name, value in taken.items() if value is not None}
    types, formats = (dict(said.pop(name, ())) for name in ("types", "formats"))
    if said.pop("no_header", False):
        said["header"] = False
    if "null" in said:
        said["null"] = tuple(said["null"])
    return CsvWords(types, formats, said)


def parse_pair(text: str) -> tuple[str, str]:
    """Parse COL=TYPE or COL=FORMAT. Errors: ParameterError."""
    column, _, said = text.partition("=")
    if column and said:
        return column, said
    raise ParameterError(
        f"{text[:60]!r} says nothing of a column",
        detail="It is a column, an equals sign, and its type or format.",
        hint="Write day=DATE or day=%d/%m/%Y.",
    )


def _sign(text: str) -> str:
    return _NAMED.get(text.lower(), text)
