"""The options of `dpduck ledger` that copy, restore, upgrade and move a ledger."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from dpduck.errors import ParameterError

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
