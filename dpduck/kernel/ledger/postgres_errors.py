"""Errors of PostgreSQL translated into those of dpduck: a table of sqlstates.

No text quotes the URL, nor the driver's message about it, since any part may contain a mistyped password.
"""

from __future__ import annotations

from psycopg import Error
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from dpduck.kernel.errors import UNKNOWN, LedgerError

WHERE = "The PostgreSQL database of the ledger"

_ANOTHER_PLACE = "Give another place for the ledger with --ledger."
_URL = "Check the URL given by --ledger, which is postgresql://user@host/database."
_SERVER = "Check the server of the URL given by --ledger, then try again."

# By sqlstate, or by its first two characters (its class): message, detail, hint.
_FAULTS = {
    "55P03": (
        "ledger is locked",
        "Another session kept it locked for too long.",
        "Try again, or give another place for the ledger with --ledger.",
    ),
    "40": ("ledger is locked", "Another session was in the way.", _SERVER),
    "42501": (
        "ledger cannot be used",
        "The user of the URL may not do this: {said}.",
        "Ask the owner of the ledger for the right, or give another user in the URL of --ledger.",
    ),
    "25006": (
        "ledger cannot be written",
        "Its server is a standby, or the user of the URL may only read.",
        "Give the server that can be written, or another user, in the URL of --ledger.",
    ),
    "53100": ("ledger cannot be written", "The disk of its server is full.", _SERVER),
    "53": ("ledger cannot be written", "Its server is short of memory or connections.", _SERVER),
    "54": (
        "ledger cannot be written",
        "A text is too long for PostgreSQL: {said}.",
        "Shorten it, or give a file with --ledger.",
    ),
    "42P01": (
        "ledger is damaged",
        "A table of its schema dpduck is missing, or hidden from the user of the URL.",
        "Restore the ledger given by --ledger from a backup, or ask its owner for the right.",
    ),
    "XX": (
        "ledger is damaged",
        f"{WHERE} contradicts itself, so what was spent is not known.",
        "Restore the ledger given by --ledger from a backup.",
    ),
}


class UnknownOutcomeError(LedgerError):
    """The connection was lost during a commit, so its charge may or may not be on record."""

    def __init__(self) -> None:
        super().__init__(
            "ledger did not confirm what was written",
            detail="The connection to its server was lost during the commit, so what it wrote may or may not "
            "be on record. No answer was given.",
            hint="Look whether it is on record in the ledger given by --ledger, before you ask again.",
            charged=UNKNOWN,
        )


def postgres_fault(error: SQLAlchemyError) -> LedgerError:
    """Translate an error of PostgreSQL. The caller raises it after its except block has ended."""
    original = error.orig if isinstance(error, DBAPIError) else None
    if is_lost(error):
        return LedgerError(
            "ledger cannot be reached", detail="The connection to its server was lost.", hint=_SERVER
        )
    if not isinstance(original, Error) or original.sqlstate is None:
        return LedgerError("ledger cannot be opened", detail=_why_not_connected(original), hint=_URL)
    state, said = original.sqlstate, original.diag.message_primary or "nothing"
    known = _FAULTS.get(state) or _FAULTS.get(state[:2])
    if known is None:
        known = (
            "ledger failed",
            f"PostgreSQL says {state}: {{said}}.",
            "Check the database given by --ledger.",
        )
    message, detail, hint = known
    return LedgerError(message, detail=detail.format(said=said.rstrip(".")), hint=hint)


def is_lost(error: SQLAlchemyError) -> bool:
    """Whether the connection was lost, and with it the outcome."""
    return isinstance(error, DBAPIError) and error.connection_invalidated


def _why_not_connected(error: BaseException | None) -> str:
    """Why connecting failed, without quoting: libpq has no error codes for it."""
    attempt = getattr(error, "pgconn", None)
    if getattr(attempt, "needs_password", False):
        return "The server asks for a password, and neither the URL nor PGPASSWORD has one."
    if getattr(attempt, "used_password", False):
        return "The server refused the user, the password or the database of the URL, or was lost meanwhile."
    return "Its server cannot be reached, or refused the user or the database of the URL."


def address_fault() -> LedgerError:
    """The error for a malformed URL."""
    return LedgerError("ledger cannot be opened", detail="Its URL cannot be read.", hint=_URL)


def foreign_fault() -> LedgerError:
    """The error for a schema `dpduck` with other tables."""
    return LedgerError(
        "database is not a ledger",
        detail=f"{WHERE} has a schema dpduck with other tables.",
        hint=_ANOTHER_PLACE,
    )


def encoding_fault(encoding: str) -> LedgerError:
    """The error for a database whose encoding cannot hold every text."""
    return LedgerError(
        "ledger cannot be created",
        detail=f"{WHERE} has the encoding {encoding}, and not every text can be written in it.",
        hint="Give a database with the encoding UTF8 with --ledger: createdb -E UTF8 -T template0 ledger",
    )
