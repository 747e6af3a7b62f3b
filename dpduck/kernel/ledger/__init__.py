"""The durable record of every charge: a query is charged on disk before private data is read.

    Charge -> Ledger.charge -> transactions.add_charge -> admit (every cap holds, or BudgetExceededError)
           -> chain -> commit (durable) -> anchor

`records` defines what is recorded, `fixed_point` how amounts are stored, `windows` when a period ends;
`admission` decides on charges (pure); `chain` seals the entries, `verify` checks them, `repricing`
recomputes their costs, `anchor` keeps the head outside the ledger. `room` counts what is kept besides:
answers and summaries. `places` checks where a ledger can be; `store` is what every store does, with the
statements in `transactions`; `sqlite` is the store in a file or in memory, `sqlite_readers` its connections
that only read, `batches` how threads share a commit, `turns` how many run at once; `errors` translates its
errors, and `forks` protects it when the process forks; `policies` records decisions about the data, and
`analysts` who may log in to a gateway; `upgrades` and `sqlite_upgrade` bring a ledger of an older version
to this one; `postgres` and `postgres_errors` are the store that several hosts share.
"""

from __future__ import annotations

from pathlib import Path

from dpduck.kernel.errors import LedgerError
from dpduck.kernel.ledger.analysts import Analyst, LoginChange, Role
from dpduck.kernel.ledger.anchor import Anchor, open_anchor
from dpduck.kernel.ledger.places import check_place, parse_place
from dpduck.kernel.ledger.policies import Facts, PolicyChange, PolicyEntry, Subject
from dpduck.kernel.ledger.records import (
    Account,
    BudgetStatus,
    Cap,
    Charge,
    Entry,
    KeptAnswer,
    Scope,
    StoredRelease,
)
from dpduck.kernel.ledger.room import Room
from dpduck.kernel.ledger.sqlite import SqliteLedger
from dpduck.kernel.ledger.store import Ledger

__all__ = [
    "Account",
    "Analyst",
    "BudgetStatus",
    "Cap",
    "Charge",
    "Entry",
    "Facts",
    "KeptAnswer",
    "Ledger",
    "LoginChange",
    "PolicyChange",
    "PolicyEntry",
    "Role",
    "Room",
    "Scope",
    "StoredRelease",
    "Subject",
    "check_place",
    "open_ledger",
    "parse_place",
]


_POSTGRES = ("postgresql", "postgres", "postgresql+psycopg")


def open_ledger(
    location: str | Path | None, anchor: str | Path | None = None, room: Room | None = None
) -> Ledger:
    """Open a ledger, and create it if it does not exist.

    Input: the path of a file, the URL of a PostgreSQL database, or None for a ledger in memory that ends
        with the process. `anchor`: the path or address where its head is also kept; the default is the path
        of the file with `.anchor` added, and no anchor for a database. `room`: for kept numbers (default: 1
        GB).
    Errors: ParameterError if the location is not a path; LedgerError if it cannot be opened, is something
        else, or is behind its anchor.

    >>> with open_ledger(None) as ledger:
    ...     ledger.entries()
    []
    """
    if location is not None:
        check_place(location)
    shared = isinstance(location, str) and "://" in location
    place = f"{location}.anchor" if anchor is None and location is not None and not shared else anchor
    mark = None if place is None else open_anchor(place)
    if shared:
        ledger = _open_url(str(location), mark)
    else:
        ledger = SqliteLedger(None if location is None else Path(location), anchor=mark)
    ledger.room = room or ledger.room
    return ledger


def _open_url(url: str, anchor: Anchor | None) -> Ledger:
    scheme = url.partition("://")[0]
    if scheme not in _POSTGRES:
        # Only the scheme is quoted: the rest may hold a password.
        raise LedgerError(
            f"there is no ledger store for {scheme!r}",
            detail="A ledger is a file on this machine, or a database of PostgreSQL.",
            hint="Give the path of a file, or postgresql://user@host/database, with --ledger.",
        )
    try:
        from dpduck.kernel.ledger.postgres import PostgresLedger  # an optional dependency
    except ImportError:
        pass
    else:
        return PostgresLedger(url, anchor=anchor)
    raise LedgerError(
        "ledger cannot be opened",
        detail="What dpduck needs to speak to PostgreSQL is not installed.",
        hint="pip install 'dpduck[postgres]', or give the path of a file with --ledger.",
    )
