"""Errors that only a connection can have, each with Postgres's own code."""

from __future__ import annotations

from dpduck.errors import UNKNOWN, DpduckError, InternalError, SqlSyntaxError, UnknownNameError


class ProtocolError(DpduckError):
    """What a client sent is no message, or none that may be said now."""

    sqlstate = "08P01"


class TransactionError(DpduckError):
    """The transaction failed before, and was not ended."""

    sqlstate = "25P02"


class NoTransactionError(DpduckError):
    """What only lives in a transaction was asked for outside of one."""

    sqlstate = "25P01"


class CanceledError(DpduckError):
    """The statement was stopped: by its client, by its time, or because the server ends."""

    sqlstate = "57014"


class TooManyError(DpduckError):
    """One connection keeps more than it may."""

    sqlstate = "54000"


class NoStatementError(UnknownNameError):
    """There is no prepared statement of that name."""

    sqlstate = "26000"


class NoPortalError(UnknownNameError):
    """There is no portal of that name."""

    sqlstate = "34000"


class StatementExistsError(SqlSyntaxError):
    """There is a prepared statement of that name."""

    sqlstate = "42P05"


class PortalExistsError(SqlSyntaxError):
    """There is a portal of that name."""

    sqlstate = "42P03"


class PortalError(DpduckError):
    """The portal has run, and runs once."""

    sqlstate = "55000"


class ConnectionRefusedError(DpduckError):
    """The server takes no connection now. The connection ends."""

    sqlstate = "53300"


class PlainError(DpduckError):
    """The connection is not encrypted, and must be. It ends."""

    sqlstate = "28000"


class ShutdownError(DpduckError):
    """The server ends, or the analyst may no longer log in. The connection ends."""

    sqlstate = "57P01"


def internal_fault() -> InternalError:
    """What is said of an error that nobody foresaw, whose text may quote a private value."""
    return InternalError(
        "dpduck failed",
        detail="This is a fault of dpduck itself; what was charged stands in the ledger.",
        hint="Please report it, with the query and the version.",
        charged=UNKNOWN,
    )
