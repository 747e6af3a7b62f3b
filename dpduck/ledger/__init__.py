"""The durable record of every charge: a query is charged here, on disk, before private data is read.

    Charge -> Ledger.charge -> tables.add_charge -> admit (every cap holds, or BudgetExceededError) -> chain
           -> commit (durable) -> anchor

`record` says what is recorded, `units` how amounts are stored, `windows` when a period ends; `admission`
decides (pure); `chain` seals the entries, `audit` checks them, `anchor` writes the head down elsewhere.
`store` is what every store does, by the statements in `tables`; `sqlite` is the store in a file or in
memory, `faults` its errors in our words, and `forks` what keeps it whole when the process forks.
"""

from __future__ import annotations

from pathlib import Path

from dpduck.errors import LedgerError
from dpduck.ledger.anchor import open_anchor
from dpduck.ledger.record import Account, Answer, Budget, Cap, Charge, Entry, KeptAnswer, Scope
from dpduck.ledger.sqlite import SqliteLedger
from dpduck.ledger.store import Ledger

__all__ = [
    "Account",
    "Answer",
    "Budget",
    "Cap",
    "Charge",
    "Entry",
    "KeptAnswer",
    "Ledger",
    "Scope",
    "open_ledger",
]


def open_ledger(location: str | Path | None, anchor: str | Path | None = None) -> Ledger:
    """Open a ledger, which is created if it does not exist.

    Input: the path of a file, or None for a ledger in memory that ends with the process. `anchor`: the path
        or address where its head is written down; by default that of the ledger with `.anchor` added.
    Errors: LedgerError if it cannot be opened, is something else, or is behind its anchor.

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
    place = f"{location}.anchor" if anchor is None and location is not None else anchor
    return SqliteLedger(
        None if location is None else Path(location), anchor=None if place is None else open_anchor(place)
    )
