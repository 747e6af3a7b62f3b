"""One HTML page on budgets and spending: accounts, forecasts, spending over time, the last charges.

The page is one file without external resources: no script, font or picture, and its content security policy
forbids them. It is also made for print, and for readers who skip charts: each has its numbers beside it.

    budgets and entries -> history, forecast (pure) -> sections -> one page
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from functools import cached_property
from importlib.resources import files

from dpduck.doors.page.captions import (
    counted,
    delta_text,
    epsilon_text,
    of_limit,
    refills,
    shortened,
    taken_from,
    terms,
    when,
)
from dpduck.doors.page.charts import MOST_LINES, Line, Point, draw_lines, swatch
from dpduck.doors.page.forecast import PACE_DAYS, Forecast, forecast
from dpduck.doors.page.history import (
    as_counted,
    by_period,
    curve,
    curve_ahead,
    grouped,
    start_of,
    sum_of_epsilon,
)
from dpduck.doors.page.html import HEAD, Markup, joined, quoted, table, tag
from dpduck.kernel.ledger import BudgetStatus, Entry, PolicyEntry

MOST_CHARGES = 20  # charges whose query the page shows
MOST_DECISIONS = 50


@dataclass(frozen=True)
class PageContents:
    """The contents of the page.

    Input: `file`: the name of the data file; `analyst`: whose accounts and charges they are (None: all);
        entries in order, and those about policies; `seal`: number and hash of the ledger's last entry.
    """

    file: str
    analyst: str | None
    budgets: Sequence[BudgetStatus]
    entries: Sequence[Entry]
    seal: tuple[int, str]
    now: datetime
    policies: Sequence[PolicyEntry] = ()

    @cached_property
    def start(self) -> datetime:
        """Where the charts begin. Input: there is at least one charge."""
        return start_of(self.entries, self.now)

    def charges(self, budget: BudgetStatus) -> list[Entry]:
        """The charges to an account, in order."""
        return self._by_account.get((budget.scope, budget.name), [])

    @cached_property
    def _by_account(self) -> dict[tuple[str, str], list[Entry]]:
        return grouped((account, entry) for entry in self.entries for account in entry.accounts)

    def forecast(self, budget: BudgetStatus) -> Forecast:
        """The forecast of an account."""
        return forecast(budget, self.charges(budget), self.now, sees_all=self.analyst is None)


def make_page(facts: PageContents) -> str:
    """Write the page. Output: HTML, in which all names and queries are escaped."""
    style = (files("dpduck.doors.page") / "page.css").read_text(encoding="utf-8")
    sections = [_title(facts), _accounts(facts)]
    if facts.entries:
        sections += [_people(facts), _analysts(facts), _tables(facts), _last_charges(facts)]
    else:
        sections.append(tag("p", "No charges yet.", class_="empty"))
    if facts.policies:
        sections.append(_decisions(facts))
    head = tag("head", HEAD, tag("title", f"Privacy budget of {facts.file}"), tag("style", Markup(style)))
    page = tag("html", head, tag("body", tag("main", *sections, _notes())), lang="en")
    return f"<!DOCTYPE html>\n{page}\n"


# --- sections ------------------------------------------------------------------------------------


def _title(facts: PageContents) -> Markup:
    number, hashed = facts.seal
    state = [f"{facts.now:%Y-%m-%d %H:%M} UTC", counted(len(facts.entries), "charge")]
    if number:
        state.append(f"ledger entry {number}, sealed {hashed[:16]}")
    whose = joined() if facts.analyst is None else tag("p", "As analyst ", quoted(facts.analyst), " sees it.")
    heading = tag("h1", "Privacy budget of ", quoted(facts.file))
    return tag("header", heading, whose, tag("p", " · ".join(state), class_="quiet"))


def _accounts(facts: PageContents) -> Markup:
    capped = [budget for budget in facts.budgets if _is_capped(budget)]
    capped.sort(key=lambda budget: budget.scope != "people")
    rows = [_account_row(budget, facts.forecast(budget)) for budget in capped]
    headings = ["account", "spent", "left", "runs out"]
    return tag(
        "section",
        tag("h2", "What is left"),
        table("Accounts with a cap, and how long they last at the present pace", headings, rows, frozenset())
        if rows
        else tag("p", "Nothing is capped."),
        _uncapped([budget for budget in facts.budgets if not _is_capped(budget)]),
        class_="accounts",
    )


def _account_row(budget: BudgetStatus, ahead: Forecast) -> list[str]:
    return [
        joined(_account_name(budget), _quiet(terms(budget.cap))),
        joined(_bar(budget), _spent(budget)),
        _left(budget),
        joined(_lines(when(ahead), refills(ahead)), _quiet(taken_from(ahead))),
    ]


def _uncapped(budgets: Sequence[BudgetStatus]) -> Markup:
    spent = [budget for budget in budgets if budget.spent.epsilon or budget.spent.delta]
    if not spent:
        return Markup()
    rows: list[list[str]] = [[_account_name(b), epsilon_text(b.epsilon_spent)] for b in spent]
    listed = table("Accounts without a cap", ["account", "epsilon spent"], rows, frozenset({1}))
    return tag("details", tag("summary", counted(len(spent), "account"), " without a cap"), listed)


def _people(facts: PageContents) -> Markup:
    sets = [b for b in facts.budgets if b.scope == "people" and facts.charges(b)]
    parts = [_people_part(facts, budget, f"people{i}") for i, budget in enumerate(sets)]
    lead = (
        "Epsilon on each set of people in all, against its cap. The dotted line goes on at the present pace."
    )
    if facts.analyst is not None:
        lead = "Epsilon of your own charges; what others spent is not shown."
    return (
        tag("section", tag("h2", "Spent on each set of people"), tag("p", lead), *parts)
        if parts
        else Markup()
    )


def _people_part(facts: PageContents, budget: BudgetStatus, name: str) -> Markup:
    charges, amount = facts.charges(budget), as_counted(budget)
    cap = budget.epsilon_limit if facts.analyst is None else None
    line = Line(curve(charges, facts.start, facts.now, amount), _ahead(facts, budget))
    window, periods = by_period(charges, amount)
    rows: list[list[str]] = [[period, str(number), epsilon_text(spent)] for period, number, spent in periods]
    title = f"Epsilon spent on {budget.name} over time"
    spent = of_limit(epsilon_text(periods[0][2]), None if cap is None else epsilon_text(cap))
    description = f"A line from 0 at {facts.start:%Y-%m-%d} to {spent} at {facts.now:%Y-%m-%d}."
    return tag(
        "div",
        tag("h3", quoted(budget.name)),
        tag("figure", draw_lines(name, title, description, [line], None if cap is None else float(cap))),
        table(f"By the end of each {window} (UTC)", [window, "charges", "epsilon"], rows, frozenset({1, 2})),
        class_="part",
    )


def _analysts(facts: PageContents) -> Markup:
    if facts.analyst is not None:
        return Markup()
    groups = grouped((_analyst_name(entry.analyst), entry) for entry in facts.entries)
    return _groups(facts, "analyst", groups, "Epsilon of all charges of each, whatever was asked.")


def _tables(facts: PageContents) -> Markup:
    groups = grouped(
        (quoted(name), entry) for entry in facts.entries for scope, name in entry.accounts if scope == "table"
    )
    return _groups(facts, "table", groups, "A charge for two tables counts for each of them.")


def _groups(facts: PageContents, what: str, groups: dict[Markup, list[Entry]], lead: str) -> Markup:
    """A chart with a line for each group, the largest first, and a table of their sums."""
    if not groups:
        return Markup()
    ranked = sorted(groups.items(), key=lambda group: -_sum(group[1]))
    lines = [
        Line(curve(charges, facts.start, facts.now, sum_of_epsilon))
        for charges in _drawn([charges for _, charges in ranked])
    ]
    rows: list[list[str]] = [
        [
            tag("div", swatch(min(i, len(lines) - 1)), name, class_="keyed"),
            str(len(charges)),
            epsilon_text(_sum(charges)),
        ]
        for i, (name, charges) in enumerate(ranked)
    ]
    others = len(ranked) - len(lines) + 1
    shared = f" The last line is the other {others} together." if others > 1 else ""
    title = f"Epsilon by {what} over time"
    description = f"{counted(len(lines), 'line')}, the largest first, as in the table beside it.{shared}"
    part = tag(
        "div",
        tag("figure", draw_lines(what, title, description, lines, None)),
        table(f"By {what}, in all", [what, "charges", "epsilon"], rows, frozenset({1, 2})),
        class_="part",
    )
    return tag("section", tag("h2", f"By {what}"), tag("p", f"{lead}{shared}"), part)


def _drawn(ranked: list[list[Entry]]) -> list[list[Entry]]:
    """The charges of each line; if there are too many groups, the smallest ones share the last line."""
    if len(ranked) <= MOST_LINES:
        return ranked
    others = (entry for charges in ranked[MOST_LINES - 1 :] for entry in charges)
    return [*ranked[: MOST_LINES - 1], sorted(others, key=lambda entry: entry.seq)]


def _last_charges(facts: PageContents) -> Markup:
    last = facts.entries[-MOST_CHARGES:][::-1]
    rows: list[list[str]] = [
        [
            f"{entry.at:%Y-%m-%d %H:%M}",
            _analyst_name(entry.analyst),
            "replayed" if entry.replayed and not entry.epsilon else epsilon_text(entry.epsilon),
            tag("code", quoted(shortened(entry.query))),
        ]
        for entry in last
    ]
    caption = "All charges" if len(last) == len(facts.entries) else f"The last {len(last)}"
    headings = ["at (UTC)", "analyst", "epsilon", "query"]
    return tag(
        "section",
        tag("h2", "The last charges"),
        table(caption, headings, rows, frozenset({2})),
        class_="charges",
    )


def _decisions(facts: PageContents) -> Markup:
    last = facts.policies[-MOST_DECISIONS:][::-1]
    rows: list[list[str]] = [
        [
            f"{entry.at:%Y-%m-%d %H:%M}",
            quoted(entry.who),
            tag("code", quoted(shortened(entry.statement))),
            tag("code", entry.digest[:16]),
        ]
        for entry in last
    ]
    every = len(last) == len(facts.policies)
    caption = "All changes of policies, budgets and analysts" if every else f"The last {len(last)}"
    return tag(
        "section",
        tag("h2", "What was decided"),
        table(caption, ["at (UTC)", "who", "statement", "policy after it"], rows, frozenset()),
        class_="charges",
    )


def _notes() -> Markup:
    notes = (
        "Epsilon bounds what all answers together may tell of one person: the smaller, the safer. What is "
        "spent never comes back; only a budget per day, week or month refills.",
        f"The pace is what was charged in the last {PACE_DAYS} days, or since the first charge if that is "
        "more recent, over one day at least. It is a plain rate, not a promise.",
        "Epsilon is shown with four decimals; the ledger holds exact amounts.",
    )
    return tag("footer", *(tag("p", note) for note in notes))


# --- parts ---------------------------------------------------------------------------------------


def _is_capped(budget: BudgetStatus) -> bool:
    return budget.epsilon_limit is not None or budget.delta_limit is not None


def _account_name(budget: BudgetStatus) -> Markup:
    return joined(tag("span", budget.scope, class_="quiet"), " ", quoted(budget.name))


def _bar(budget: BudgetStatus) -> Markup:
    limit, spent = budget.epsilon_limit, budget.epsilon_spent
    share = min(spent / limit, Fraction(1)) if limit else Fraction(1)
    # The bar is full only if nothing remains, and empty only if nothing is spent.
    percent = 100.0 if share == 1 else min(max(100 * float(share), 2.0 if spent else 0.0), 98.0)
    full = tag("div", style=f"width: {percent:.1f}%", class_="full" if share == 1 else "spent")
    return tag("div", full, class_="bar", aria_hidden="true")


def _spent(budget: BudgetStatus) -> Markup:
    epsilon, delta = budget.epsilon_limit, budget.delta_limit
    said = of_limit(epsilon_text(budget.epsilon_spent), None if epsilon is None else epsilon_text(epsilon))
    also = of_limit(delta_text(budget.delta_spent), None if delta is None else delta_text(delta))
    return _lines(f"epsilon {said}", f"delta {also}" if budget.delta_spent else "")


def _left(budget: BudgetStatus) -> Markup:
    epsilon, delta = budget.epsilon_remaining, budget.delta_remaining
    return _lines(
        "epsilon not capped" if epsilon is None else f"epsilon {epsilon_text(epsilon)}",
        f"delta {delta_text(delta)}" if budget.delta_spent and delta is not None else "",
    )


def _lines(*lines: str) -> Markup:
    return joined(*(tag("div", line) for line in lines if line))


def _quiet(text: str) -> Markup:
    return tag("div", text, class_="quiet") if text else Markup()


def _analyst_name(analyst: str | None) -> Markup:
    return tag("i", "the data owner") if analyst is None else quoted(analyst)


def _ahead(facts: PageContents, budget: BudgetStatus) -> Sequence[Point]:
    """The continuation of an account's line, for at most half of the time that the chart shows."""
    ahead = facts.forecast(budget)
    if ahead.pace is None or ahead.days is None or facts.analyst is not None:
        return ()
    room = Fraction((facts.now - facts.start) / timedelta(days=2))
    return curve_ahead(budget, ahead.pace, min(ahead.days, room), facts.now)


def _sum(charges: Sequence[Entry]) -> Fraction:
    return sum((charge.epsilon for charge in charges), Fraction(0))
