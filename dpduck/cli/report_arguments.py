"""The command lines of `dpduck budget` and `dpduck ledger`."""

from __future__ import annotations

import argparse
from pathlib import Path

from dpduck.cli.file_arguments import add_file, add_policies
from dpduck.cli.ledger_arguments import add_ledger_care, add_selection
from dpduck.cli.shared_arguments import add_asker, add_config, add_format, add_ledger
from dpduck.cli.usage import ArgumentParser, argument
from dpduck.errors import ParameterError
from dpduck.ledger import parse_place

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
