"""The options that several commands share: costs, memory, who asks, the ledger, the format."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from dpduck.doors.cli.csv_arguments import parse_pair
from dpduck.doors.cli.usage import argument, parse_name
from dpduck.doors.console.tables import FORMATS
from dpduck.kernel.accounting.amounts import parse_budget, parse_delta, parse_epsilon, parse_memory
from dpduck.kernel.ledger import Room, parse_place


def add_memory(command: argparse.ArgumentParser) -> None:
    """Add the option that limits DuckDB's memory."""
    command.add_argument(
        "--memory",
        metavar="SIZE",
        type=argument(parse_memory),
        help="the most memory of DuckDB, such as 4GB; what does not fit is kept on disk meanwhile "
        "(default: 80 %% of the machine's)",
    )


def add_room(command: argparse.ArgumentParser) -> None:
    """Add the option that limits what is kept in the ledger."""
    command.add_argument(
        "--ledger-room",
        metavar="SIZE",
        type=argument(Room.parse),
        help="the most that answers and summaries may take in the ledger, such as 4GB, of which each analyst "
        "has a quarter (default: 1GB)",
    )


def add_costs(command: argparse.ArgumentParser) -> None:
    """Add the options that say what a query may cost, and all of them."""
    costs = command.add_argument_group("what it costs")
    add_losses(costs)
    costs.add_argument(
        "--budget",
        metavar="B",
        type=argument(parse_budget),
        help="the cap on all that you spend from the command line; a later call sets it anew, never adds",
    )


def add_losses(costs: argparse._ActionsContainer) -> None:
    """Add the options that say what one query may cost."""
    costs.add_argument(
        "--epsilon",
        metavar="E",
        type=argument(parse_epsilon),
        help="the privacy loss that the query may cause, such as 0.5: smaller is safer and noisier",
    )
    costs.add_argument(
        "--delta",
        metavar="D",
        type=argument(parse_delta),
        help="the probability that epsilon may fail, such as 1e-6: only keys without a domain need it",
    )


def add_asker(command: argparse.ArgumentParser) -> None:
    """Add the option that says who asks."""
    command.add_argument(
        "--analyst", metavar="A", type=argument(parse_name), help="who asks (default: the data owner)"
    )


def add_ledger(command: argparse.ArgumentParser) -> None:
    """Add the options that say where the ledger is, and its head."""
    command.add_argument(
        "--ledger",
        metavar="L",
        type=argument(parse_place),
        help="the file, or postgresql:// URL, that records the charges (default: FILE.ledger)",
    )
    command.add_argument(
        "--anchor",
        metavar="PATH",
        help="a file or http address that holds the head of the ledger, best on another machine, and shows "
        "whether it was cut or exchanged (default: LEDGER.anchor)",
    )


def add_format(command: argparse._ActionsContainer, *, of_columns: bool = False) -> None:
    """Add the option that says how to print; or also how a column of a CSV file is written."""
    if not of_columns:
        command.add_argument("--format", choices=FORMATS, help="how to print (default: box)")
        return
    command.add_argument(
        "--format",
        action=_EitherFormat,
        choices=_Formats(FORMATS),
        help="how to print (default: box); or, as COL=FORMAT, how a column of a CSV file is written: "
        "day=%%d/%%m/%%Y, ok=yes/no, month=padded",
    )


class _Formats(tuple[str, ...]):
    """The formats of output, beside which that of a column is one."""

    def __contains__(self, text: object) -> bool:
        return "=" in str(text) or super().__contains__(text)


class _EitherFormat(argparse.Action):
    """Takes how to print, and how columns are written, apart."""

    def __call__(self, _: Any, namespace: argparse.Namespace, value: Any, __: str | None = None) -> None:
        if "=" not in value:
            namespace.format = value
            return
        said = getattr(namespace, "csv_formats", None) or []
        namespace.csv_formats = [*said, parse_pair(value)]


def add_intervals(command: argparse.ArgumentParser) -> None:
    """Add the option that says whether numbers are shown with how far off they may be."""
    command.add_argument(
        "--intervals",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="how far off each number may be: ± in a box, where it is shown by default, and columns n_low "
        "and n_high in the other formats",
    )


def add_config(command: argparse.ArgumentParser) -> None:
    """Add the option that names a file of settings."""
    command.add_argument(
        "--config",
        metavar="F",
        type=Path,
        help="a file of settings in TOML for what is not said here (default: that of DPDUCK_CONFIG, or none)",
    )
