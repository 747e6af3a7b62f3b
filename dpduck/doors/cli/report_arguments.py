"""The command lines of `dpduck budget` and `dpduck ledger`."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from dpduck.doors.cli.file_arguments import add_file, add_policies
from dpduck.doors.cli.shared_arguments import add_asker, add_config, add_format, add_ledger
from dpduck.doors.cli.usage import ArgumentParser, argument
from dpduck.kernel.errors import ParameterError
from dpduck.kernel.ledger import parse_place

EXPORT_SUFFIXES = (".parquet", ".csv")

_BUDGET = """\
Show what may be spent and what is spent: from the command line, on each table,
and on the people in it. With --format csv, json or markdown: one row for each
account. With --html: a page that also shows what was spent when and by whom,
and when each account runs out at this pace."""
_LEDGER = """\
Show the charges made, one row each, in the order in which they were made.

Each entry of the ledger seals all before it, so that none can be changed or
taken out: --verify computes all of them again, and fails at the first that is
not what it was. With --policies: who changed which policy, budget or analyst,
when and in which words, with the digest of the whole policy after it.

Whoever keeps the head that --verify prints, or an --anchor, also notices a
ledger that was cut or exchanged.

--backup copies the ledger while it is charged, and --restore puts such a copy
in its place: not one that its anchor is ahead of, unless with --force, which is
on record. --move takes it to another place or store, and closes it here."""


def add_budget(commands: argparse._SubParsersAction[ArgumentParser]) -> None:
    """Add the command `budget`."""
    budget = commands.add_parser(
        "budget",
        help="what may be spent, and what is spent",
        description=_BUDGET,
        usage="dpduck budget FILE [options]",
    )
    add_file(budget)
    add_policies(budget, has_format=True)
    _add_whose(budget)
    page = budget.add_mutually_exclusive_group()
    add_format(page, of_columns=True)
    page.add_argument(
        "--html", metavar="OUT", type=Path, help="write one HTML page instead (needs 'dpduck[plot]')"
    )


def add_charges(commands: argparse._SubParsersAction[ArgumentParser]) -> None:
    """Add the command `ledger`."""
    ledger = commands.add_parser(
        "ledger", help="the charges made", description=_LEDGER, usage="dpduck ledger FILE [options]"
    )
    add_file(ledger)
    _add_whose(ledger)
    charges = ledger.add_mutually_exclusive_group()
    add_format(charges)
    charges.add_argument(
        "--verify", action="store_true", default=None, help="check that no entry was changed or taken out"
    )
    charges.add_argument(
        "--export",
        metavar="OUT",
        type=argument(_export_path),
        help="write all that is known of each charge to a .parquet or .csv file",
    )
    add_selection(ledger, argument)
    add_ledger_care(ledger, charges, argument(parse_place))
    ledger.add_argument(
        "--policies",
        dest="show_policies",
        action="store_true",
        default=None,
        help="show, or export, what was decided about the data instead of the charges",
    )


def _add_whose(command: argparse.ArgumentParser) -> None:
    add_asker(command)
    add_ledger(command)
    add_config(command)


def _export_path(text: str) -> Path:
    path = Path(text)
    if path.suffix.lower() not in EXPORT_SUFFIXES:
        raise ParameterError(
            f"{text[:60]!r} is neither Parquet nor CSV",
            detail="The suffix of the file says which of them to write.",
            hint="Write --export charges.parquet or --export charges.csv.",
        )
    return path


# The options of `dpduck ledger` that copy, restore, upgrade and move a ledger.


_AGO = re.compile(r"([0-9]{1,5})(h|d|w)", re.ASCII)
_UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}


def add_ledger_care(
    command: argparse.ArgumentParser, deeds: argparse._ActionsContainer, place: Callable[[str], str]
) -> None:
    """Add the options. Input: the group of options that exclude each other; reads a place."""
    deeds.add_argument(
        "--backup", metavar="OUT", type=Path, help="copy the ledger to a new file, also while it is charged"
    )
    deeds.add_argument(
        "--restore",
        metavar="IN",
        type=Path,
        help="put a backup in the place of the ledger; the one before it is kept beside it",
    )
    deeds.add_argument(
        "--upgrade",
        action="store_true",
        default=None,
        help="bring a ledger of an older version to this one, with a copy beside it, as opening it does",
    )
    deeds.add_argument(
        "--move",
        metavar="PLACE",
        type=place,
        help="move the ledger to another file or postgresql:// URL; here it is closed from then on",
    )
    command.add_argument(
        "--force",
        action="store_true",
        default=None,
        help="restore a backup that its anchor does not agree with: what was charged after it is forgotten",
    )


def add_selection(command: argparse.ArgumentParser, argument: Callable[..., Callable[[str], object]]) -> None:
    """Add the options that say which entries are shown. Input: turns parsers into those of argparse."""
    command.add_argument(
        "--since",
        metavar="WHEN",
        type=argument(parse_since),
        help="only what was recorded since then: 2026-11-01, 2026-11-01T12:00 (UTC), or 12h, 7d, 2w ago",
    )
    command.add_argument("--limit", metavar="N", type=argument(_parse_limit), help="only the last N of them")


def parse_since(text: str, now: datetime | None = None) -> datetime:
    """A moment in UTC, as it was typed. Errors: ParameterError.

    >>> str(parse_since("2026-11-01T12:00")), str(parse_since("2d", datetime(2026, 11, 3, tzinfo=UTC)))
    ('2026-11-01 12:00:00+00:00', '2026-11-01 00:00:00+00:00')
    """
    ago = _AGO.fullmatch(text)
    try:
        if ago is not None:
            return (now or datetime.now(UTC)) - int(ago[1]) * _UNITS[ago[2]]
        moment = datetime.fromisoformat(text)
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    raise ParameterError(
        f"{text[:40]!r} is not a time", hint="Write 2026-11-01, 2026-11-01T12:00, 12h or 7d."
    )


def _parse_limit(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) < 10 and int(text):
        return int(text)
    raise ParameterError(f"{text[:40]!r} is not a number of entries", hint="Write --limit 20.")
