"""The durable record of every charge: a query is charged here, on disk, before private data is read.

    Charge -> charge() -> admit (every cap holds, or BudgetExceededError) -> one durable transaction

`record` says what is recorded, `admission` decides (pure), `store` is the contract of a store, and
`sqlite` is the store in a file or in memory.
"""

from __future__ import annotations

from pathlib import Path

from dpduck.errors import LedgerError
from dpduck.ledger.record import Account, Budget, Charge, Entry, Scope
from dpduck.ledger.sqlite import SqliteLedger
from dpduck.ledger.store import Ledger

__all__ = ["Account", "Budget", "Charge", "Entry", "Ledger", "Scope", "open_ledger"]


def open_ledger(location: str | Path | None) -> Ledger:
    """Open a ledger, which is created if it does not exist.

    Input: the path of a file, or None for a ledger in memory that ends with the process.
    Errors: LedgerError if it cannot be opened, or is something else.

    >>> with open_ledger(None) as ledger:
    ...     ledger.entries()
    []
    """
    if isinstance(location, str) and "://" in location:
        # Only the scheme is quoted: the rest may hold a password.
        raise LedgerError(
            f"there is no ledger store for {location.partition('://')[0]!r}",
            detail="A ledger is a file on this machine.",
            hint="Give the path of a file with --ledger.",
        )
    return SqliteLedger(None if location is None else Path(location))
