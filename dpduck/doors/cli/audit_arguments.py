"""The command line of `dpduck audit`."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dpduck.kernel.errors import ParameterError

AUDIT = """\
Try to tell one person's presence from the answers. Each query is asked of a
copy of the data and of the same without one person, or with one more who has
extreme values; everything that can be observed is compared. Then releases
are drawn again and again, for a lower bound on the epsilon of each query.

It takes about a minute and disk space for two copies, charges nothing, and ends
in one page. That nothing was found is no proof. Exit code 1 if something was."""
AUDIT_EXAMPLES = """\
examples:
  dpduck audit shop.duckdb
  dpduck audit shop.duckdb --queries dashboard.sql --html audit.html
  dpduck audit visits.parquet --unit visitor --domain age=0..120"""

_MOST = 7 * 24 * 3600


def add_audit(command: argparse.ArgumentParser, argument: Callable[[Callable[[str], Any]], Any]) -> None:
    """Add the options of `audit`. Input: a function that turns parsers of values into those of argparse."""
    command.add_argument(
        "--queries",
        metavar="F.sql",
        type=Path,
        help="a file of SELECT statements (default: those in the ledger, else some for each policy)",
    )
    command.add_argument(
        "--seconds",
        metavar="S",
        type=argument(_seconds),
        help="about how long it takes (default: 60); more tries more people and draws more answers",
    )
    command.add_argument("--html", metavar="OUT", type=Path, help="also write one HTML page")
    command.add_argument(
        "--details",
        metavar="OUT",
        type=Path,
        help="also write what was seen on both sides of each difference: it shows private values",
    )


def _seconds(text: str) -> int:
    """Parse a number of seconds. Errors: ParameterError."""
    if text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= _MOST:
        return int(text)
    raise ParameterError(f"{text[:40]!r} is no number of seconds", hint="Write --seconds 60.")
