"""Errors of connections, each with Postgres's own code."""

from __future__ import annotations

from dpduck.kernel.errors import (
    UNKNOWN,
    AuthenticationError,
    DpduckError,
    InternalError,
    SqlSyntaxError,
    UnknownNameError,
)


class ProtocolError(DpduckError):
    """The client sent an invalid message, or one that is not allowed in this state."""

    sqlstate = "08P01"


class TransactionError(DpduckError):
    """The transaction has failed and was not ended yet."""

    sqlstate = "25P02"


class NoTransactionError(DpduckError):
    """Something that exists only in a transaction was used outside of one."""

    sqlstate = "25P01"


class NoSavepointError(DpduckError):
    """The transaction has no savepoint of that name."""

    sqlstate = "3B001"


class CanceledError(DpduckError):
    """The statement was stopped: by its client, by a timeout, or because the server shuts down."""

    sqlstate = "57014"


class TooManyError(DpduckError):
    """One connection keeps more objects than allowed."""

    sqlstate = "54000"


class NoStatementError(UnknownNameError):
    """There is no prepared statement of that name."""

    sqlstate = "26000"


class NoPortalError(UnknownNameError):
    """There is no portal of that name."""

    sqlstate = "34000"


class StatementExistsError(SqlSyntaxError):
    """A prepared statement of that name exists already."""

    sqlstate = "42P05"


class PortalExistsError(SqlSyntaxError):
    """A portal of that name exists already."""

    sqlstate = "42P03"


class RelationExistsError(SqlSyntaxError):
    """A table or view of that name exists already."""

    sqlstate = "42P07"


class PortalError(DpduckError):
    """The portal has run already."""

    sqlstate = "55000"


class ConnectionRefusedError(DpduckError):
    """The server accepts no more connections now. The connection ends."""

    sqlstate = "53300"


class BusyError(DpduckError):
    """A name has its share of what the server does at once, and as much waiting as it may."""

    sqlstate = "53400"


class NoRoomError(ProtocolError):
    """What a client sends or keeps is beyond its name's share of the server's memory."""

    sqlstate = "53200"


class SilentError(DpduckError):
    """The client left a message unfinished, or was idle, for too long. The connection ends."""

    sqlstate = "57P05"


class PlainError(DpduckError):
    """The connection is not encrypted, but must be. The connection ends."""

    sqlstate = "28000"


class BindingError(AuthenticationError):
    """A login is not bound to its connection as it should be. The connection ends."""

    sqlstate = "28000"


class LockedOutError(AuthenticationError):
    """Too many wrong passwords were tried for a name. The connection ends."""

    sqlstate = "28000"


class TokenError(Exception):
    """A token is refused; the text says why, and quotes nothing of it."""


class ShutdownError(DpduckError):
    """The server shuts down, or the analyst may no longer log in. The connection ends."""

    sqlstate = "57P01"


def busy() -> BusyError:
    """The constant error for what may not wait, since too much of its name does."""
    return BusyError(
        "too much is waiting under this name",
        detail="Each name has a share of what the server does at once.",
        hint="Wait for what was sent before, and send it again.",
    )


def no_room() -> NoRoomError:
    """The constant error for what is beyond a name's share of the memory."""
    return NoRoomError(
        "there is no room for what this name sends and keeps",
        detail="Each name has a share of the memory for long messages, values and prepared statements.",
        hint="Send less at once, close what is not needed, or ask the data owner for --message-memory.",
    )


def internal_fault() -> InternalError:
    """The constant error for an unexpected exception, whose text may quote a private value."""
    return InternalError(
        "dpduck failed",
        detail="This is a fault of dpduck itself; what was charged stands in the ledger.",
        hint="Please report it, with the query and the version.",
        charged=UNKNOWN,
    )
