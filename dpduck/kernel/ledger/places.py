"""Where a ledger can be: a file or the URL of a database, but nothing that loses what is written to it."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from dpduck.kernel.errors import ParameterError
from dpduck.kernel.ledger.errors import fault_of


def check_place(location: str | Path) -> None:
    """Check a location before anything is opened.

    Errors: ParameterError for a text that is not a path; LedgerError for a folder or a device.
    """
    parse_place(str(location))
    if "://" not in str(location) and _is_no_file(Path(location)):
        raise fault_of(sqlite3.SQLITE_CANTOPEN, shown(location))


def parse_place(text: str) -> str:
    """Check a path or URL as it was typed. Errors: ParameterError for a text that is neither."""
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
    except (OSError, ValueError):  # opening it will report the error
        return False


def shown(path: str | Path) -> str:
    """A path that can be printed, even if it is not UTF-8."""
    return "'" + str(path).encode("utf-8", "backslashreplace").decode() + "'"
