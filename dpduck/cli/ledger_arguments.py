"""The options of `dpduck ledger` that copy, restore, upgrade and move a ledger."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path


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
