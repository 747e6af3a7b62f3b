"""Declared privacy budgets as accounts of the ledger: which accounts a query is charged to, and what remains.

A budget without FOR and WINDOW is the lifetime cap of every set of privacy units in the database; of several
the smallest applies. Any other budget is an account of its own, besides that cap: with FOR it counts the
queries of its analysts together, without FOR those of all; with WINDOW it is a rate limit.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace
from fractions import Fraction

from dpduck.kernel.accounting.amounts import DELTA_PLACES
from dpduck.kernel.accounting.composition import cost_of
from dpduck.kernel.accounting.conversion import share_of_delta
from dpduck.kernel.accounting.events import Event
from dpduck.kernel.accounting.measures import MEASURES
from dpduck.kernel.catalog.model import Catalog, DeclaredBudget, Table, default_account_ids, fold, written
from dpduck.kernel.catalog.statements import CreateBudget
from dpduck.kernel.errors import PolicyError, decimal_text
from dpduck.kernel.ledger import Account, BudgetStatus, Cap, Ledger
from dpduck.kernel.ledger.admission import fits
from dpduck.kernel.ledger.session import BUDGET_SCHEMA, DEFAULT_CAP, Session, unit_account

# Besides the amounts of the active filter, both odometers: the sums of epsilon, and the epsilon of rho.
BUDGET_COLUMNS = (
    *BUDGET_SCHEMA.names,
    "accounting",
    "period",
    "rho_spent",
    "epsilon_by_zcdp",
    "mu_squared_spent",
    "epsilon_by_gdp",
)
USUAL_DELTA = Fraction(1, 10**6)  # at which rho is shown as an epsilon where no delta is declared
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


def check_enforceable(before: Catalog, catalog: Catalog) -> None:
    """Check that the budgets can be enforced together. Input: the catalog before and after a statement.

    Errors: PolicyError.
    """
    lifetime = _lifetime(catalog)
    others = [budget.accounting for budget in lifetime if budget.accounting != "pure"]
    if len(lifetime) > 1 and others:
        known = {fold(budget.name) for budget in before.budgets}
        stored = next((budget for budget in lifetime if fold(budget.name) in known), lifetime[0])
        raise PolicyError(
            f"a lifetime cap under {others[0]} must be the only one",
            detail=f"{' and '.join(budget.name for budget in lifetime)} cap the same people, and add up in "
            "different ways.",
            hint=f"DROP PRIVACY BUDGET {written(stored.name)}.",
        )
    for budget in catalog.budgets:
        _check_keys_delta(budget)
        measure = MEASURES.get(budget.accounting)
        if measure is not None and not budget.delta and budget not in lifetime:
            raise PolicyError(
                f"privacy budget {budget.name} needs a DELTA",
                detail=f"Under {budget.accounting} costs add up in {measure.name}, which implies an epsilon "
                "only at some delta.",
                hint=f"CREATE OR REPLACE PRIVACY BUDGET {written(budget.name)} LIMIT "
                f"{decimal_text(budget.epsilon)} DELTA 1e-6 ACCOUNTING {budget.accounting}.",
            )


def _check_keys_delta(budget: DeclaredBudget) -> None:
    keys, delta = budget.keys_delta, _delta_of(budget)
    if keys is None or (budget.accounting != "pure" and delta and keys < delta):
        return
    if budget.accounting != "pure":
        problem = (
            f"KEYS DELTA {decimal_text(keys)} leaves nothing of the delta of privacy budget {budget.name}"
        )
    else:
        problem = f"privacy budget {budget.name} adds up epsilon, and has no KEYS DELTA"
    raise PolicyError(
        problem,
        detail="Under zcdp and gdp it is the part of DELTA that finding keys in private rows may spend; what "
        "is left of DELTA turns rho or mu squared into an epsilon.",
        hint="Leave KEYS DELTA out, or write ACCOUNTING zcdp and a KEYS DELTA below the DELTA.",
    )


def with_keys_delta(statement: CreateBudget, changes: Container[str]) -> CreateBudget:
    """A budget that is new, or adds up rho or mu^2 from now on, with its KEYS DELTA: a tenth if unsaid.

    It is chosen here, once, since the filter is valid only if its shares do not depend on answers. A stored
    budget without one is of before, and keeps the half that it began with.
    Input: `changes`: the fields that an ALTER says; all, of a new budget.
    """
    if statement.accounting == "pure":
        return statement if "keys_delta" in changes else replace(statement, keys_delta=None)
    if statement.keys_delta is not None or "accounting" not in changes:
        return statement
    for_all = statement.window is None and not statement.analysts
    delta = DEFAULT_CAP.delta if statement.delta is None and for_all else statement.delta
    if delta is None:
        return statement
    return replace(statement, keys_delta=Fraction(delta * 10 ** (DELTA_PLACES - 1) // 1, 10**DELTA_PLACES))


def accounts_of(
    catalog: Catalog, tables: Sequence[Table], root: Table, analyst: str | None
) -> tuple[Account, ...]:
    """The accounts of a query besides its session: analyst, named budgets, tables, and the privacy units.

    Input: the private tables that it reads, and the one whose key is the unit.
    """
    own = () if analyst is None else (Account("analyst", analyst),)
    named = tuple(_named(budget) for budget in _applying(catalog, analyst))
    charged = (*own, *named, *map(table_account, tables), unit_account_of(catalog, root))
    return tuple(_as_told(account, catalog, analyst) for account in charged)


def table_account(table: Table) -> Account:
    """The account of all queries on a table."""
    return Account("table", table.full_name)


def _as_told(account: Account, catalog: Catalog, analyst: str | None) -> Account:
    """An account as an analyst sees it: what others were given back is hidden, since it reveals answers."""
    alone = {fold(budget.name) for budget in catalog.budgets if len(budget.analysts) == 1}
    own = account.scope == "analyst" or (account.scope == "budget" and account.key in alone)
    return account if analyst is None or own else replace(account, shared=True)


def _applying(catalog: Catalog, analyst: str | None) -> list[DeclaredBudget]:
    """The budgets besides the lifetime cap that count the queries of an analyst (None: of the owner)."""
    lifetime = _lifetime(catalog)
    others = [budget for budget in catalog.budgets if budget not in lifetime]
    asking = () if analyst is None else (fold(analyst),)
    return [b for b in others if not b.analysts or set(asking) & set(map(fold, b.analysts))]


def _named(budget: DeclaredBudget) -> Account:
    return Account("budget", budget.name, _cap_of(budget))


def _cap_of(budget: DeclaredBudget) -> Cap:
    terms = (budget.epsilon, budget.delta, budget.per_query, budget.window)
    return Cap(*terms, budget.accounting, budget.keys_delta)


def unit_accounts_of(catalog: Catalog) -> list[Account]:
    """The privacy units' accounts of a database, each with the cap that applies unless the ledger has one."""
    roots = [(table, table.unit) for table in catalog.tables]
    return list(dict.fromkeys(_account(catalog, table, unit) for table, unit in roots if unit is not None))


def unit_account_of(catalog: Catalog, table: Table) -> Account:
    """The account of the units whose rows a private table holds. Errors: PolicyError for other tables."""
    if not table.private:
        raise PolicyError(
            f"table {table.name} holds no private rows" if table.public else f"table {table.name} is closed",
            detail="It has no privacy key or link, and so no budget.",
            hint="SHOW PRIVACY shows which tables have one.",
        )
    root = catalog.root(table)
    return _account(catalog, root, root.unit or "")


def _account(catalog: Catalog, table: Table, unit: str) -> Account:
    ids = table.account_ids or default_account_ids(table.name, table.columns)
    account = unit_account(table.full_name, unit, ids)
    cap = lifetime_cap(catalog)
    return account if cap is None else replace(account, default=cap)


def lifetime_cap(catalog: Catalog) -> Cap | None:
    """The declared lifetime cap of every set of privacy units; None if none is declared."""
    lifetime = _lifetime(catalog)
    if not lifetime:
        return None
    per_query = [budget.per_query for budget in lifetime if budget.per_query is not None]
    return Cap(
        min(budget.epsilon for budget in lifetime),
        min(DEFAULT_CAP.delta or Fraction(0) if b.delta is None else b.delta for b in lifetime),
        min(per_query, default=None),
        accounting=lifetime[0].accounting,
        keys_delta=lifetime[0].keys_delta,
    )


def _lifetime(catalog: Catalog) -> list[DeclaredBudget]:
    return [budget for budget in catalog.budgets if is_lifetime(budget)]


def is_lifetime(budget: DeclaredBudget) -> bool:
    """Whether it caps the lifetime loss of the privacy units, over all analysts."""
    return budget.window is None and not budget.analysts


def is_wider(old: Cap, new: Cap) -> bool:
    """Whether a cap may allow something that the old one does not; with other accounting it always may."""
    if (old.window, old.accounting) != (new.window, new.accounting):
        return True
    amounts = ("epsilon", "delta", "per_query", "delta_of_events", "delta_of_measure")
    return any(_is_more(getattr(new, name), getattr(old, name)) for name in amounts)


def _is_more(new: Fraction | None, old: Fraction | None) -> bool:
    return old is not None and (new is None or new > old)


def widened(old: DeclaredBudget, new: DeclaredBudget) -> str | None:
    """What a changed budget newly allows, in a sentence; None if nothing."""
    if old.window != new.window:
        return "Under another WINDOW it counts from zero again."
    if old.accounting != new.accounting:
        return "It adds up in another way then, so that more may fit."
    freed = not old.analysts if new.analysts else False
    if freed or not set(map(fold, old.analysts)) <= set(map(fold, new.analysts or old.analysts)):
        return "It no longer holds for all whom it held for."
    caps = (replace(_cap_of(b), delta=_delta_of(b)) for b in (old, new))
    return "It allows more than it did." if is_wider(*caps) else None


def _delta_of(budget: DeclaredBudget) -> Fraction | None:
    """Its delta; for a lifetime budget without one, the default of privacy units."""
    return DEFAULT_CAP.delta if budget.delta is None and is_lifetime(budget) else budget.delta


def enforce(ledger: Ledger, before: Catalog, after: Catalog, *, lowering: bool = False) -> None:
    """Set the caps of the declared budgets in the ledger. Errors: LedgerError.

    Input: `lowering`: set only caps that are lower than those in the ledger.
    """
    for account, cap in _caps(before, after):
        if lowering:
            default = (lifetime_cap(before) or DEFAULT_CAP) if account.scope == "people" else None
            [now] = ledger.budgets([replace(account, default=default)])
            if cap is None or is_wider(now.cap, cap):
                continue
        if cap is None:
            ledger.drop_cap(account)
        else:
            ledger.set_cap(account, cap)


def lower_caps(ledger: Ledger, catalog: Catalog) -> list[str]:
    """Lower the caps that the ledger has to those that are declared. Output: accounts that keep a lower one.

    What the ledger has no cap of gets the declared one with its first charge. Errors: LedgerError.
    """
    kept = []
    for account, cap in _caps(replace(catalog, budgets=()), catalog):
        [now] = ledger.budgets([replace(account, default=None)])
        if cap is None or now.cap in (Cap(), cap):
            continue
        if is_wider(now.cap, cap):
            kept.append(f"{account.scope} {account.name}")
        else:
            ledger.set_cap(account, cap)
    return kept


def _caps(before: Catalog, after: Catalog) -> list[tuple[Account, Cap | None]]:
    """The new cap of each account; None: no cap any more."""
    cap = lifetime_cap(after)
    declared = cap is not None or lifetime_cap(before) is not None
    of_units = [(account, cap) for account in unit_accounts_of(after)] if declared else []
    old, new = _named_caps(before), _named_caps(after)
    return of_units + [(Account("budget", name), new.get(name)) for name in dict.fromkeys([*old, *new])]


def _named_caps(catalog: Catalog) -> dict[str, Cap]:
    lifetime = _lifetime(catalog)
    return {fold(budget.name): _cap_of(budget) for budget in catalog.budgets if budget not in lifetime}


def accounts_shown(catalog: Catalog, session: Session) -> list[Account]:
    """The accounts that queries on this database are charged to: an analyst's own, or for the owner all."""
    reader = session.reader
    private = [table for table in catalog.tables if table.private]
    pairs = ((table_account(table), unit_account_of(catalog, table)) for table in private)
    budgets = _named_caps(catalog) if reader is None else {fold(b.name) for b in _applying(catalog, reader)}
    named = [_named(budget) for budget in catalog.budgets if fold(budget.name) in budgets]
    own = [] if session.analyst is None else [Account("analyst", session.analyst)]
    shown = dict.fromkeys([*own, *named, *(account for pair in pairs for account in pair)])
    return [_as_told(account, catalog, reader) for account in shown]


def budget_rows(session: Session, catalog: Catalog) -> list[Row]:
    """SHOW PRIVACY BUDGETS: the declared budgets, and the status of the accounts.

    The lifetime cap is also shown at each set of privacy units.
    """
    declared = [_declared_row(budget) for budget in _lifetime(catalog)]
    return [*declared, *map(_row, session.all_budgets(accounts_shown(catalog, session)))]


def _declared_row(budget: DeclaredBudget) -> Row:
    limits = (decimal_text(budget.epsilon), None, None, _text(budget.delta), None, None)
    return ("budget", budget.name, *limits, budget.accounting, *[None] * 5)


def _row(budget: BudgetStatus) -> Row:
    epsilons = (budget.epsilon_limit, budget.epsilon_spent, budget.epsilon_remaining)
    deltas = (budget.delta_limit, budget.delta_spent, budget.delta_remaining)
    of_cap = share_of_delta(budget.cap.delta or Fraction(0))
    delta = (of_cap if budget.cap.measure is None else budget.delta_to_convert) or USUAL_DELTA
    amounts = [(m.of(budget.spent), m.epsilon_at(m.of(budget.spent), delta)) for m in MEASURES.values()]
    return (
        budget.scope,
        budget.name,
        *map(_text, (*epsilons, *deltas)),
        budget.cap.accounting,
        budget.period or None,
        *(_text(amount) for pair in amounts for amount in pair),
    )


def _text(amount: Fraction | None) -> str | None:
    return None if amount is None else decimal_text(amount)


def remaining_rows(
    ledger: Ledger, accounts: Sequence[Account], epsilon: Fraction | None, delta: Fraction
) -> list[Row]:
    """How many queries at that cost each capped account allows, in ascending order.

    Input: the cost of a query; without an epsilon, the numbers are unknown.
    """
    cost = None if epsilon is None else cost_of(Event(epsilon, delta))
    capped = [budget for budget in ledger.budgets(accounts) if budget.epsilon_limit is not None]
    rows = [(None if cost is None else fits(cost, budget), budget) for budget in capped]
    return [_remaining_row(queries, budget) for queries, budget in sorted(rows, key=lambda row: row[0] or 0)]


def above_delta(ledger: Ledger, catalog: Catalog, delta: Fraction) -> str | None:
    """A warning if the delta for each query is above the privacy units' lifetime cap."""
    if not delta:
        return None
    budgets = ledger.budgets(unit_accounts_of(catalog))
    for which, limits in (
        ("that take a delta", [(budget.cap.delta, budget.name) for budget in budgets]),
        ("that find keys in private rows", [(budget.cap.delta_of_events, budget.name) for budget in budgets]),
    ):
        less = [(limit, name) for limit, name in limits if limit is not None and limit < delta]
        if less:
            least, name = min(less)
            return (
                f"dp_delta is {decimal_text(delta)}, and the people behind {name} may lose delta "
                f"{decimal_text(least)} in all: queries {which} are refused."
            )
    return None


def most_queries(budgets: Sequence[BudgetStatus], event: Event) -> tuple[int, BudgetStatus] | None:
    """How many more such queries fit, and the budget that allows the fewest; None if nothing is capped."""
    numbers = [(fits(cost_of(event), budget), budget) for budget in budgets]
    known = [(number, budget) for number, budget in numbers if number is not None]
    return min(known, key=lambda pair: pair[0], default=None)


def _remaining_row(queries: int | None, budget: BudgetStatus) -> Row:
    limit, left = (amount or Fraction(0) for amount in (budget.epsilon_limit, budget.epsilon_remaining))
    window = "never" if budget.cap.window is None else _WINDOWS[budget.cap.window]
    amounts = (decimal_text(limit), window, decimal_text(budget.epsilon_spent), decimal_text(left))
    return (None if queries is None else str(queries), *amounts, f"{budget.scope} {budget.name}")


_WINDOWS = {"day": "daily", "week": "weekly", "month": "monthly"}  # Snowflake's words
