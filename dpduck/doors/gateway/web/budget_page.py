"""The accounts that queries are charged to, as bars with a forecast; and which are about to run out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction

from dpduck.doors.gateway.budget_watch import LEVELS, level_of
from dpduck.doors.gateway.web.layout import cells_table
from dpduck.doors.page.captions import delta_text, epsilon_text, of_limit, refills, taken_from, terms, when
from dpduck.doors.page.forecast import Forecast, forecast
from dpduck.doors.page.html import Markup, joined, quoted, tag
from dpduck.kernel.ledger import Account, BudgetStatus
from dpduck.kernel.ledger.glance import LastCharges, last_charges, lasting_accounts
from dpduck.kernel.ledger.session import Session

MOST_SHOWN = 200  # accounts
_MOST_READ = 1_000
_MOST_CHARGES = 2_000  # the last ones, from which the pace is taken
_WIDTH = 1_000.0
_LEAST = 8.0  # of a bar that is not empty
_AHEAD_DAYS = Fraction(30)


@dataclass(frozen=True)
class BudgetsShown:
    """The accounts that a session may see, the fullest first. `more`: how many are left out at least."""

    budgets: Sequence[BudgetStatus]
    charges: LastCharges
    more: int
    sees_all: bool
    now: datetime

    def forecast(self, budget: BudgetStatus) -> Forecast:
        """When a budget runs out at the pace of the last charges."""
        own = [entry for entry in self.charges.entries[::-1] if (budget.scope, budget.name) in entry.accounts]
        since = None if self.charges.before is None else self.charges.entries[-1].at
        return forecast(budget, own, self.now, sees_all=self.sees_all, since=since)


def read_budgets(session: Session, accounts: Sequence[Account]) -> BudgetsShown:
    """The budgets of a session, and for who oversees the ledger those of all but sessions.

    Input: the accounts of the present data. What is read does not grow with the ledger. Errors: LedgerError.
    """
    shown = dict.fromkeys((session.account, *accounts))
    if session.reader is None:
        mine = {(account.scope, key) for account in shown for key in account.keys}
        others = lasting_accounts(session.ledger, _MOST_READ + len(mine))
        shown |= dict.fromkeys(one for one in others if (one.scope, one.key) not in mine)
    budgets = session.ledger.budgets(list(shown)[: _MOST_READ + 1])
    budgets.sort(key=lambda budget: (-_share(budget), budget.scope != "people", budget.name))
    charges = last_charges(session.ledger, _MOST_CHARGES, analyst=session.reader)
    more = max(len(shown) - MOST_SHOWN, 0)
    now = max([datetime.now(UTC), *(entry.at for entry in charges.entries[:1])])
    return BudgetsShown(budgets[:MOST_SHOWN], charges, more, session.reader is None, now)


def budget_parts(shown: BudgetsShown) -> list[Markup]:
    """The page."""
    capped = [one for one in shown.budgets if one.epsilon_limit is not None or one.delta_limit is not None]
    others = [one for one in shown.budgets if one not in capped]
    rows = [_row(one, shown.forecast(one)) for one in capped]
    headings = ("account", "spent", "left", "runs out")
    parts = [
        tag("h1", "Budgets"),
        *(_alerts(capped) if shown.sees_all else []),
        cells_table(
            "Accounts with a cap, and how long they last at the present pace", headings, rows, cards=True
        )
        if rows
        else tag("p", "Nothing is capped."),
    ]
    if shown.more:
        parts.append(tag("p", f"At least {shown.more:,} more accounts are not shown: the fullest are."))
    spent = [(_name(one), epsilon_text(one.epsilon_spent)) for one in others if one.epsilon_spent]
    if spent:
        listed = cells_table("Accounts without a cap", ("account", "epsilon spent"), spent, frozenset({1}))
        parts.append(tag("details", tag("summary", f"{len(spent):,} without a cap"), listed))
    note = (
        "Epsilon bounds what all answers together may tell of one person: the smaller, the safer. What is "
        "spent never comes back; only a budget per day, week or month refills. The lighter part of a bar is "
        "what the present pace would spend in 30 days: a plain rate, not a promise."
    )
    return [*parts, tag("p", note, class_="quiet")]


def _alerts(capped: Sequence[BudgetStatus]) -> list[Markup]:
    """The budgets that have reached a level of which the owner is told."""
    reached = sorted(((level_of(one), one) for one in capped), key=lambda pair: -pair[0])
    lines = [
        tag("li", _name(one), f" has reached {level} %", class_="wrong" if level == LEVELS[-1] else "dear")
        for level, one in reached
        if level
    ]
    return [tag("section", tag("h2", "Alerts"), tag("ul", *lines), class_="box")] if lines else []


def _row(budget: BudgetStatus, ahead: Forecast) -> list[str]:
    epsilon, delta = budget.epsilon_remaining, budget.delta_remaining
    left = [
        "epsilon not capped" if epsilon is None else f"epsilon {epsilon_text(epsilon)}",
        f"delta {delta_text(delta)}" if budget.delta_spent and delta is not None else "",
    ]
    return [
        joined(_name(budget), _small(terms(budget.cap))),
        joined(_bar(budget, ahead), _spent(budget)),
        joined(*(tag("div", line) for line in left if line)),
        joined(tag("div", when(ahead)), _small(refills(ahead)), _small(taken_from(ahead))),
    ]


def _name(budget: BudgetStatus) -> Markup:
    return joined(tag("span", budget.scope, class_="quiet"), " ", quoted(budget.name))


def _small(text: str) -> Markup:
    return tag("div", tag("small", text), class_="quiet") if text else Markup()


def _spent(budget: BudgetStatus) -> Markup:
    epsilon, delta = budget.epsilon_limit, budget.delta_limit
    said = of_limit(epsilon_text(budget.epsilon_spent), None if epsilon is None else epsilon_text(epsilon))
    also = of_limit(delta_text(budget.delta_spent), None if delta is None else delta_text(delta))
    return joined(
        tag("div", f"epsilon {said}"), tag("div", f"delta {also}") if budget.delta_spent else Markup()
    )


def _share(budget: BudgetStatus) -> Fraction:
    """How much of its epsilon is spent, from 0 to 1."""
    limit = budget.epsilon_limit
    if limit is None:
        return Fraction(-1)
    return min(budget.epsilon_spent / limit, Fraction(1)) if limit else Fraction(1)


def _bar(budget: BudgetStatus, ahead: Forecast) -> Markup:
    """Full only if nothing remains, and empty only if nothing is spent; beside it 30 days at this pace."""
    share = _share(budget)
    if share < 0:
        return Markup()
    width = float(share) * _WIDTH
    if 0 < share < 1:
        width = min(max(width, _LEAST), _WIDTH - _LEAST)
    shapes = [_rect(0.0, _WIDTH, "empty"), _rect(0.0, width, "full" if share == 1 else "spent")]
    if ahead.days and ahead.part == "epsilon" and share < 1:
        more = float(min(_AHEAD_DAYS / ahead.days, Fraction(1))) * (_WIDTH - width)
        shapes.insert(1, _rect(width, more, "ahead"))
    return tag(
        "svg", *shapes, class_="meter", viewBox="0 0 1000 10", preserveAspectRatio="none", aria_hidden="true"
    )


def _rect(left: float, width: float, kind: str) -> Markup:
    return tag("rect", x=f"{left:.1f}", y="0", width=f"{width:.1f}", height="10", class_=kind)
