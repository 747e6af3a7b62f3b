"""The cost of a query relative to what remains, in one line, and whether it must be confirmed."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from dpduck.answers.explain import Explanation
from dpduck.answers.service import Service
from dpduck.compiler.parse.statements import Statement
from dpduck.doors.shell.scanning import scan
from dpduck.kernel.catalog.model import Catalog, fold
from dpduck.kernel.catalog.statements import CreateSummary, RefreshSummary
from dpduck.kernel.errors import decimal_text
from dpduck.kernel.ledger import BudgetStatus
from dpduck.policies.accounts import accounts_of

USUAL_SHARE = Fraction(1, 5)  # of what remains: a query that spends more must be confirmed
_MOST_ERRORS = 3


def budgets_of(service: Service, sql: str = "") -> list[BudgetStatus]:
    """The status of the accounts that a query is charged to; without a query, of all accounts."""
    catalog, session = service.catalog(), service.session
    names = _mentioned(sql, catalog)
    tables = [table for table in catalog.tables if table.private]
    tables = [table for table in tables if fold(table.name) in names] or tables
    accounts = [session.account]
    for table in tables:
        accounts += accounts_of(catalog, [table], catalog.root(table), session.analyst)
    return session.ledger.budgets(dict.fromkeys(accounts))


def _mentioned(sql: str, catalog: Catalog) -> set[str]:
    """The names in a query; none if it names a view, which may stand for any table."""
    names = {fold(piece.name) for piece in scan(sql)}
    return set() if any(fold(view.name) in names for view in catalog.views) else names


def least_left(budgets: Sequence[BudgetStatus]) -> Fraction | None:
    """The smallest remaining epsilon; None if nothing is capped."""
    return min((b.epsilon_remaining for b in budgets if b.epsilon_remaining is not None), default=None)


def payers(explanation: Explanation, budgets: Sequence[BudgetStatus]) -> list[BudgetStatus]:
    """The accounts that may have to pay: for a replay, only named budgets."""
    if explanation.mechanism == "public":
        return []
    is_paid = explanation.replayed is not None or explanation.mechanism == "summary"
    return [b for b in budgets if not is_paid or b.scope == "budget"]


def cost_line(explanation: Explanation, budgets: Sequence[BudgetStatus]) -> str:
    """What to expect of a query: its cost, what remains to pay it from, and its noise.

    Input: the accounts that it is charged to.
    """
    if explanation.mechanism == "public":
        return "free: nothing private is read"
    if explanation.mechanism == "summary" and explanation.epsilon == "0":
        return "free: from a summary that is paid for"
    if explanation.replayed is not None and explanation.owed == "0":
        return "free: answered before"
    left = least_left(payers(explanation, budgets))
    of = "" if left is None else f" of {decimal_text(left)} left"
    delta = "" if explanation.delta == "0" else f", delta {explanation.delta}"
    if explanation.replayed is not None:
        return f"answered before: epsilon {explanation.owed}{of} for a named budget, once"
    return f"costs epsilon {explanation.epsilon}{of}{delta}{_noise(explanation)}"


def cost_of_making(statement: Statement) -> str:
    """What a statement costs that makes a summary; '' for others, which cost nothing, or are queries."""
    match statement:
        case CreateSummary(epsilon=epsilon, delta=delta):
            and_delta = f", delta {decimal_text(delta)}" if delta else ""
            return f"costs epsilon {decimal_text(epsilon)}{and_delta}, once"
        case RefreshSummary():
            return "costs what the summary has cost, again"
    return ""


def _noise(explanation: Explanation) -> str:
    """The expected errors of released numbers, as far as they are known beforehand."""
    known = explanation.expected_error
    errors = {name: error for name, error in known.items() if name not in explanation.error_of}
    if not errors:
        return ""
    if len(errors) == 1 and isinstance(explanation.mechanism, str):
        return f"; noise within ±{next(iter(errors.values())):,.4g} at 95 %"
    shown = [f"{name} ±{error:,.4g}" for name, error in list(errors.items())[:_MOST_ERRORS]]
    more = ", ..." if len(errors) > _MOST_ERRORS else ""
    return f"; noise at 95 %: {', '.join(shown)}{more}"


def exceeds(explanation: Explanation, budgets: Sequence[BudgetStatus], share: Fraction | None) -> bool:
    """Whether a query takes more than a share of what remains. A query that will be refused takes nothing."""
    left = least_left(payers(explanation, budgets))
    if share is None or left is None or explanation.queries_left == 0:
        return False
    cost = explanation.epsilon if explanation.replayed is None else explanation.owed
    return Fraction(cost) > share * left
