"""Ledgers with a past: charges at any moment, made by the ledger itself."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from unittest.mock import patch

from dpduck.kernel.accounting.events import Event, PartitionSelection
from dpduck.kernel.ledger import Account, Cap, Charge, Ledger
from dpduck.kernel.ledger.session import DEFAULT_CAP

NOW = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
PEOPLE = Account("people", "visits.visitor", DEFAULT_CAP)
TABLE = Account("table", "visits")
COUNT = "SELECT count(*) FROM visits"


@contextmanager
def at(moment: datetime) -> Iterator[None]:
    """The time as the ledger sees it."""
    with patch.object(time, "time_ns", lambda: int(moment.timestamp() * 10**6) * 1000):
        yield


def spend(
    ledger: Ledger,
    days_ago: float,
    epsilon: str = "0.5",
    *accounts: Account,
    delta: str = "0",
    analyst: str | None = None,
    query: str = COUNT,
) -> None:
    """Charge the accounts (default: the visitors and their table), as so many days ago."""
    event: Event = PartitionSelection(Fraction(epsilon), Fraction(delta))
    with at(NOW - timedelta(days=days_ago)):
        ledger.charge(Charge(event, analyst or "cli", query, accounts or (TABLE, PEOPLE), analyst))


def set_cap(ledger: Ledger, account: Account, cap: Cap) -> None:
    """Set a cap before all charges, a year ago."""
    with at(NOW - timedelta(days=365)):
        ledger.set_cap(account, cap)
