"""Errors of SQLite translated into those of dpduck: a table of SQLite's error codes."""

from __future__ import annotations

import sqlite3
from datetime import datetime

from dpduck.kernel.errors import UNKNOWN, LedgerError

ANOTHER_PLACE = "Give another place for the ledger with --ledger."
_SAME_PLACE = "Check the disk that holds the file given by --ledger, then try again."

# By primary error code: message, detail, hint.
_FAULTS = {
    sqlite3.SQLITE_BUSY: (
        "ledger is locked",
        "Another process kept {where} locked for too long.",
        "Try again, or give another place for the ledger with --ledger.",
    ),
    sqlite3.SQLITE_CANTOPEN: (
        "ledger cannot be opened",
        "{where} is not a file that can be opened.",
        ANOTHER_PLACE,
    ),
    sqlite3.SQLITE_READONLY: (
        "ledger cannot be written",
        "{where} or its folder is read-only.",
        ANOTHER_PLACE,
    ),
    sqlite3.SQLITE_PERM: ("ledger cannot be written", "Access to {where} was denied.", ANOTHER_PLACE),
    sqlite3.SQLITE_FULL: ("ledger cannot be written", "The disk of {where} is full.", _SAME_PLACE),
    sqlite3.SQLITE_IOERR: (
        "ledger cannot be written",
        "The disk of {where} failed or ran full.",
        _SAME_PLACE,
    ),
    sqlite3.SQLITE_NOTADB: ("file is not a ledger", "{where} is a file of another kind.", ANOTHER_PLACE),
    sqlite3.SQLITE_CORRUPT: (
        "ledger is damaged",
        "{where} contradicts itself, so what was spent is not known.",
        "Restore the file given by --ledger from a backup.",
    ),
}
_FAULTS[sqlite3.SQLITE_LOCKED] = _FAULTS[sqlite3.SQLITE_BUSY]


def is_busy(error: Exception) -> bool:
    """Whether another connection held the lock. The low byte of a code is its primary code."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY


def ledger_fault(where: str, error: sqlite3.Error | UnicodeDecodeError) -> LedgerError:
    """Translate an error of SQLite. The caller raises it after its except block has ended.

    Input: the ledger's location for display, and the error. A stored text that is not UTF-8 counts as damage.
    """
    damaged = isinstance(error, UnicodeDecodeError)
    code = sqlite3.SQLITE_CORRUPT if damaged else getattr(error, "sqlite_errorcode", None)
    return fault_of(code, where, str(error))


def fault_of(code: int | None, where: str, said: str = "") -> LedgerError:
    """The error for a code of SQLite. Input: the ledger's location for display; SQLite's message."""
    known = None if code is None else _FAULTS.get(code & 0xFF)
    if known is None:
        known = ("ledger failed", "SQLite says of {where}: {said}.", "Check the file given by --ledger.")
    message, detail, hint = known
    return LedgerError(message, detail=detail.format(where=where, said=said.rstrip(".")), hint=hint)


def interrupted_fault() -> LedgerError:
    """The error for writes whose transaction was made by a thread that was interrupted, perhaps after it."""
    return LedgerError(
        "ledger was interrupted",
        detail="The thread that recorded it beside its own was stopped, so it may or may not be on record.",
        hint="Run it again; the ledger given by --ledger says what was charged.",
        charged=UNKNOWN,
    )


def creation_fault(where: str, error: OSError | ValueError) -> LedgerError:
    """Translate an error of the file system; raised as above."""
    said = (getattr(error, "strerror", None) or str(error)).lower()
    return LedgerError(
        "ledger cannot be created", detail=f"The system says of {where}: {said}.", hint=ANOTHER_PLACE
    )


def names_fault(where: str, names: int) -> LedgerError:
    """The error for a file with hard links: SQLite would keep a separate log under each name."""
    return LedgerError(
        f"ledger {where} has {names} names",
        detail="What is charged under one of them would be lost under another.",
        hint="Remove the other hard link, and give the one that stays with --ledger.",
    )


def closed_fault(which: str = "is closed") -> LedgerError:
    """The error for using a ledger that was closed, or belongs to another process."""
    return LedgerError(
        f"ledger {which}",
        detail="It cannot be used here any more.",
        hint="Open the ledger again; one that processes share is a file, or a database, given by --ledger.",
    )


def foreign_fault(where: str) -> LedgerError:
    """The error for a database that is not a ledger."""
    return LedgerError("file is not a ledger", detail=f"{where} is another database.", hint=ANOTHER_PLACE)


def version_fault(where: str, version: object) -> LedgerError:
    """The error for a ledger whose tables this version of dpduck does not know."""
    return LedgerError(
        "ledger has an unknown version",
        detail=f"{where} has the version {version}.",
        hint="Use the release of dpduck that wrote it, or give another place for the ledger with --ledger.",
    )


def moved_fault(where: str, place: str) -> LedgerError:
    """The error for the tombstone of a ledger."""
    return LedgerError(
        "ledger has moved",
        detail=f"{where} was closed then. What is charged is charged to {place}.",
        hint="Give that place with --ledger.",
    )


def damage_fault(why: str) -> LedgerError:
    """The error for a ledger whose entries contradict each other."""
    return LedgerError(
        "ledger does not add up", detail=why, hint="Restore the ledger given by --ledger from a backup."
    )


def older_fault(where: str, why: str, hint: str) -> LedgerError:
    """The error for a ledger of an older version that cannot be upgraded now. It was not changed."""
    return LedgerError(
        "ledger of an older version cannot be upgraded", detail=f"{why} {where} is as it was.", hint=hint
    )


def clock_fault(now: datetime, last: datetime) -> LedgerError:
    """The error for a clock that is behind the last entry."""
    return LedgerError(
        "clock is behind the ledger",
        detail=f"It says {now:%Y-%m-%d %H:%M:%S} UTC, and the last entry of the ledger is of "
        f"{last:%Y-%m-%d %H:%M:%S} UTC. A budget's day, week or month would begin again.",
        hint="Set the clock of this machine, or give another place for the ledger with --ledger.",
    )


def unlike_anchor(where: str, number: int, anchored: int, *, same: bool) -> LedgerError:
    """The error for a ledger that is behind its anchor, or not the anchor's ledger."""
    if not same:
        why = f"{where} knows another ledger"
    elif number < anchored:
        why = f"It has {number} entries, and {where} knows {anchored}"
    else:
        why = f"Its entry {anchored} is not the one that {where} knows"
    return LedgerError(
        "ledger is behind its anchor"
        if same and number < anchored
        else "ledger is not the one of its anchor",
        detail=f"{why}: it was cut, exchanged or restored from an old copy.",
        hint="Restore the newest copy of the ledger. If it was begun anew on purpose, remove the anchor, "
        "or give another with --anchor: what was spent before is then forgotten.",
    )
