"""The statements of the ledger in SQLite: functions of a connection that is inside a transaction."""

from __future__ import annotations

import sqlite3
import time
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Any

from dpduck.ledger.admission import admit
from dpduck.ledger.record import (
    Account,
    Budget,
    Charge,
    Entry,
    delta_amount,
    delta_units,
    epsilon_amount,
    epsilon_units,
)

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

_BUDGET_COLUMNS = "scope, name, epsilon_limit, epsilon_spent, delta_limit, delta_spent, has_cap"
_ENTRY_COLUMNS = "seq, at, session, analyst, epsilon, delta, mechanism, query, evaluations"

_SPEND = """
    INSERT INTO account (scope, name, epsilon_limit, epsilon_spent, delta_limit, delta_spent, has_cap)
    VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (scope, name) DO UPDATE SET
        epsilon_limit = excluded.epsilon_limit,
        epsilon_spent = epsilon_spent + excluded.epsilon_spent,
        delta_limit = excluded.delta_limit,
        delta_spent = delta_spent + excluded.delta_spent,
        has_cap = max(has_cap, excluded.has_cap)
"""
_SET_CAP = """
    INSERT INTO account (scope, name, epsilon_limit, delta_limit, has_cap) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (scope, name) DO UPDATE SET
        epsilon_limit = excluded.epsilon_limit,
        delta_limit = excluded.delta_limit,
        has_cap = excluded.has_cap
"""
_ADD_ENTRY = """
    INSERT INTO entry (at, session, analyst, epsilon, delta, mechanism, query, evaluations)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
"""
_ADD_ENTRY_ACCOUNT = """
    INSERT INTO entry_account (seq, account) SELECT ?, id FROM account WHERE scope = ? AND name = ?
"""
_DIFFERENT_ACCOUNT = """
    SELECT scope, name
    FROM account LEFT JOIN (
        SELECT account AS id, sum(epsilon) AS epsilon, sum(delta) AS delta
        FROM entry_account JOIN entry USING (seq) GROUP BY account
    ) AS charged USING (id)
    WHERE epsilon_spent <> coalesce(epsilon, 0) OR delta_spent <> coalesce(delta, 0)
    ORDER BY id LIMIT 1
"""


def add_charge(db: sqlite3.Connection, charge: Charge) -> int:
    """Admit and record a charge; see `Ledger.charge`."""
    budgets = [read_budget(db, account) for account in charge.accounts]
    admit(charge, budgets)
    seq = _add_entry(db, charge)
    for budget in budgets:
        _spend(db, budget, charge)
        db.execute(_ADD_ENTRY_ACCOUNT, (seq, budget.scope, budget.name))
    return seq


def _add_entry(db: sqlite3.Connection, charge: Charge) -> int:
    row = (
        time.time_ns() // 1000,
        charge.session,
        charge.analyst,
        epsilon_units(charge.epsilon),
        delta_units(charge.delta),
        charge.event.mechanism,
        charge.query,
        charge.evaluations,
    )
    seq = db.execute(_ADD_ENTRY, row).lastrowid
    assert seq is not None
    return seq


def _spend(db: sqlite3.Connection, budget: Budget, charge: Charge) -> None:
    limits = epsilon_units(budget.epsilon_limit), delta_units(budget.delta_limit)
    costs = epsilon_units(charge.epsilon), delta_units(charge.delta)
    # A default that was applied is a cap from now on, whoever asks next.
    capped = limits != (None, None)
    db.execute(_SPEND, (budget.scope, budget.name, limits[0], costs[0], limits[1], costs[1], capped))


def set_cap(
    db: sqlite3.Connection, account: Account, epsilon: Fraction | None, delta: Fraction | None
) -> None:
    """Set the cap of an account; see `Ledger.set_cap`."""
    db.execute(_SET_CAP, (account.scope, account.name, epsilon_units(epsilon), delta_units(delta), 1))


def drop_cap(db: sqlite3.Connection, account: Account) -> None:
    """Forget the cap of an account; see `Ledger.drop_cap`."""
    db.execute(_SET_CAP, (account.scope, account.name, None, None, 0))


def read_budget(db: sqlite3.Connection, account: Account) -> Budget:
    """Read the budget of one account, which may be new."""
    found = db.execute(
        f"SELECT {_BUDGET_COLUMNS} FROM account WHERE scope = ? AND name = ?", (account.scope, account.name)
    ).fetchone()
    if found is None:
        found = (account.scope, account.name, None, 0, None, 0, 0)
    return _as_budget(found, account)


def read_budgets(db: sqlite3.Connection) -> list[Budget]:
    """Read the budgets of all accounts, by scope and name."""
    rows = db.execute(f"SELECT {_BUDGET_COLUMNS} FROM account ORDER BY scope, name")
    return [_as_budget(row, None) for row in rows]


def _as_budget(row: tuple[Any, ...], account: Account | None) -> Budget:
    scope, name, epsilon_limit, epsilon_spent, delta_limit, delta_spent, has_cap = row
    limits = (
        None if epsilon_limit is None else epsilon_amount(epsilon_limit),
        None if delta_limit is None else delta_amount(delta_limit),
    )
    if not has_cap and account is not None:
        limits = (account.default_epsilon, account.default_delta)
    return Budget(scope, name, limits[0], epsilon_amount(epsilon_spent), limits[1], delta_amount(delta_spent))


def read_entries(db: sqlite3.Connection, session: str | None) -> list[Entry]:
    """Read the charges of one session or of all, in order."""
    chosen, parameters = ("", ()) if session is None else ("WHERE session = ?", (session,))
    rows = db.execute(f"SELECT {_ENTRY_COLUMNS} FROM entry {chosen} ORDER BY seq", parameters)
    return [_as_entry(row) for row in rows]


def _as_entry(row: tuple[Any, ...]) -> Entry:
    seq, at, session, analyst, epsilon, delta, mechanism, query, evaluations = row
    return Entry(
        seq,
        _EPOCH + timedelta(microseconds=at),
        session,
        analyst,
        epsilon_amount(epsilon),
        delta_amount(delta),
        mechanism,
        query,
        evaluations,
    )


def find_difference(db: sqlite3.Connection) -> str | None:
    """Find an account that has not spent the sum of its entries. Output: what to call it, or None."""
    found = db.execute(_DIFFERENT_ACCOUNT).fetchone()
    return None if found is None else f"{found[0]} '{found[1]}'"
