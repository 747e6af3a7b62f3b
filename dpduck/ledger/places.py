"""Where a ledger can be: a file, or the URL of a database; nothing that forgets what is written to it."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from dpduck.errors import ParameterError
from dpduck.ledger.errors import fault_of


def check_place(location: str | Path) -> None:
    """Refuse what can be no ledger, before anything is opened.

    Errors: ParameterError for words that are no path; LedgerError for a folder or a device.
    """
    parse_place(str(location))
    if "://" not in str(location) and _is_no_file(Path(location)):
        raise fault_of(sqlite3.SQLITE_CANTOPEN, shown(location))


def parse_place(text: str) -> str:
    """A path or URL as it was typed. Errors: ParameterError for words that are neither."""
    if text not in ("", ":memory:"):
        return text
    raise ParameterError(
        f"'{text}' is no place for a ledger",
        detail="What is charged must outlast the process, and be found again.",
        hint="Give the path of a file with --ledger, or leave it out: then it is beside the data.",
    )


def _is_no_file(path: Path) -> bool:
    try:
        return path.exists() and not path.is_file()
    except (OSError, ValueError):  # whoever makes it is told
        return False


def shown(path: str | Path) -> str:
    """Write a path so that it can be printed, even one that is not UTF-8."""
    return "'" + str(path).encode("utf-8", "backslashreplace").decode() + "'"
