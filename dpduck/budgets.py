"""Declared privacy budgets and the ledger: which it can enforce, what it then caps, and what is left.

The ledger caps what a set of people loses in all. So a budget without FOR, WINDOW and PER QUERY is the
lifetime cap of every set of people in the database; of several the smallest holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

from dpduck.catalog import Catalog, DeclaredBudget, Table, written
from dpduck.errors import PolicyError, decimal_text
from dpduck.ledger import Account, Budget, Ledger
from dpduck.session import BUDGET_SCHEMA, PEOPLE_DELTA, Session, people
from dpduck.statements import CreateBudget

BUDGET_COLUMNS = tuple(BUDGET_SCHEMA.names)
# The first four are Snowflake's.
REMAINING_COLUMNS = (
    "number_of_remaining_dp_aggregates",
    "budget_limit",
    "budget_window",
    "budget_spent",
    "budget_remaining",
    "budget",
)

Row = tuple[str | None, ...]


def check_enforceable(statement: CreateBudget) -> None:
    """Refuse a budget that the ledger would not hold to. Errors: PolicyError."""
    clauses = {
        "PER QUERY": statement.per_query is not None,
        "WINDOW": statement.window is not None,
        "FOR": bool(statement.analysts),
    }
    refused = " or ".join(name for name, given in clauses.items() if given)
    if refused:
        raise PolicyError(
            f"the ledger cannot enforce {refused}",
            detail="It caps what a set of people loses in its lifetime, whoever asks.",
            hint=f"CREATE PRIVACY BUDGET {written(statement.name)} LIMIT {decimal_text(statement.epsilon)}.",
        )


def people_of(catalog: Catalog) -> list[Account]:
    """The sets of people in a database, each with the cap that holds unless the ledger knows another."""
    return [_account(catalog, table, table.unit) for table in catalog.tables if table.unit is not None]


def people_behind(catalog: Catalog, table: Table) -> Account:
    """The set of people whose rows a private table holds. Errors: PolicyError for other tables."""
    if not table.private:
        raise PolicyError(
            f"table {table.name} holds no private rows" if table.public else f"table {table.name} is closed",
            detail="It has no privacy key or link, and so no budget.",
            hint="SHOW PRIVACY shows which tables have one.",
        )
    root = catalog.root(table)
    return _account(catalog, root, root.unit or "")


def _account(catalog: Catalog, table: Table, unit: str) -> Account:
    account = people(table.name, unit)
    cap = people_cap(catalog)
    return account if cap is None else replace(account, default_epsilon=cap[0], default_delta=cap[1])


def people_cap(catalog: Catalog) -> tuple[Fraction, Fraction] | None:
    """What a set of people may lose in its lifetime by the declared budgets; None if they do not say."""
    lifetime = [budget for budget in catalog.budgets if budget.window is None and not budget.analysts]
    if not lifetime:
        return None
    deltas = (PEOPLE_DELTA if budget.delta is None else budget.delta for budget in lifetime)
    return min(budget.epsilon for budget in lifetime), min(deltas)


def enforce(ledger: Ledger, catalog: Catalog) -> None:
    """Set the caps that the declared budgets mean, in the ledger. Errors: LedgerError."""
    cap = people_cap(catalog)
    for account in people_of(catalog):
        if cap is None:
            ledger.drop_cap(account)
        else:
            ledger.set_cap(account, *cap)


def budget_rows(session: Session, catalog: Catalog, accounts: Sequence[Account]) -> list[Row]:
    """SHOW PRIVACY BUDGETS: the declared budgets, and what the accounts may spend and have spent."""
    declared = [_declared_row(budget) for budget in catalog.budgets]
    known = [tuple(map(_text, row.values())) for row in session.budgets(accounts).to_pylist()]
    return [*(row for row in declared if row[:2] not in {other[:2] for other in known}), *known]


def _declared_row(budget: DeclaredBudget) -> Row:
    delta = None if budget.delta is None else decimal_text(budget.delta)
    return ("budget", budget.name, decimal_text(budget.epsilon), None, None, delta, None, None)


def _text(value: str | Decimal | None) -> str | None:
    return decimal_text(Fraction(value)) if isinstance(value, Decimal) else value


def remaining_rows(
    ledger: Ledger, accounts: Sequence[Account], epsilon: Fraction | None, delta: Fraction
) -> list[Row]:
    """How many queries at that price each capped account allows, the fewest first.

    Input: the price of a query; without an epsilon, numbers of queries are not known.
    """
    capped = [budget for budget in ledger.budgets(accounts) if budget.epsilon_limit is not None]
    rows = [(_queries(budget, epsilon, delta), budget) for budget in capped]
    return [_remaining_row(queries, budget) for queries, budget in sorted(rows, key=lambda row: row[0] or 0)]


def _remaining_row(queries: int | None, budget: Budget) -> Row:
    limit, left = (amount or Fraction(0) for amount in (budget.epsilon_limit, budget.epsilon_remaining))
    amounts = (decimal_text(limit), "never", decimal_text(budget.epsilon_spent), decimal_text(left))
    return (None if queries is None else str(queries), *amounts, f"{budget.scope} {budget.name}")


def _queries(budget: Budget, epsilon: Fraction | None, delta: Fraction) -> int | None:
    if epsilon is None:
        return None
    numbers = [(budget.epsilon_remaining or Fraction(0)) // epsilon]
    if delta and budget.delta_remaining is not None:
        numbers.append(budget.delta_remaining // delta)
    return int(min(numbers))
