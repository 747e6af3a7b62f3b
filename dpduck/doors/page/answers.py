"""Answers, plans and budgets as parts of a page, such as below a cell of a notebook.

Each is one element without script, font or picture. Its colours are those of the page around it, and greys
and tones that are clear on light and on dark ones. All text of users is escaped; what a bar shows is said in
words beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any, Protocol

from dpduck.doors.page.html import Markup, joined, quoted, table, tag
from dpduck.kernel.errors import decimal_text

_LEAST_SEEN = 2.0  # percent of a bar
_MOST_BARS = 4  # below an answer


class ShownPlan(Protocol):
    """What is shown of a plan; see `runtime.explain.Explanation`."""

    @property
    def text(self) -> str: ...
    @property
    def epsilon(self) -> str: ...
    @property
    def delta(self) -> str: ...
    @property
    def expected_error(self) -> dict[str, float]: ...
    @property
    def error_of(self) -> Mapping[str, str]: ...
    @property
    def alternatives(self) -> dict[str, float]: ...
    @property
    def cost_at(self) -> dict[float, str | None]: ...
    @property
    def replayed(self) -> datetime | None: ...
    @property
    def owed(self) -> str: ...
    @property
    def promises(self) -> tuple[str, ...]: ...
    @property
    def queries_left(self) -> int | None: ...
    @property
    def caveats(self) -> tuple[str, ...]: ...
    @property
    def shares(self) -> dict[str, str]: ...


@dataclass(frozen=True)
class AnswerTable:
    """The cells of a table as text; None for NULL.

    `numbers`: the indices of right-aligned columns; `more`: whether there are rows that are not among them.
    """

    names: Sequence[str]
    rows: Sequence[Sequence[str | None]]
    numbers: frozenset[int] = frozenset()
    more: bool = False


def answer_html(
    cells: AnswerTable,
    cost: str,
    budgets: Sequence[Mapping[str, Any]] = (),
    lines: Sequence[str] = (),
    more: Sequence[str] = (),
) -> str:
    """An answer: its table, what it cost, what remains, and what there is to say of it.

    Input: the accounts that it is charged to, as rows of `Connection.budget`; `more`: to be said, folded.
    """
    said = [*(tag("p", one) for one in lines), folded(more)]
    return _part(_rows_html(cells, "Answer"), tag("p", cost), *_bars(budgets[:_MOST_BARS]), *said)


def table_html(cells: AnswerTable, caption: str) -> str:
    """A table of a report."""
    return _part(_rows_html(cells, caption))


def budgets_html(budgets: Sequence[Mapping[str, Any]]) -> str:
    """The status of accounts, each with a bar."""
    headings = ["account", "spent", "left"]
    rows: list[list[str]] = [
        [_name(row), joined(_bar(row), _spent(row)), _left(row, "epsilon")] for row in budgets
    ]
    return _part(table("What is spent, and what is left", headings, rows, frozenset()))


def plan_html(plan: ShownPlan) -> str:
    """A plan: what it costs, how exact it is, what else was considered, and its SQL folded away."""
    title, *_ = plan.text.splitlines()
    parts = [tag("p", tag("strong", quoted(title))), tag("p", _cost_of(plan)), *_split(plan)]
    parts += [tag("p", quoted(note)) for note in plan.caveats]
    errors: list[list[str]] = [
        [quoted(name), f"± {error:,.4g}"]
        for name, error in plan.expected_error.items()
        if name not in plan.error_of
    ]
    if errors:
        parts.append(table("Error with probability 95 %", ["column", "within"], errors, frozenset({1})))
    parts += [tag("p", quoted(promise)) for promise in plan.promises]  # of averages and ranks in words alone
    parts += [*_alternatives(plan), *_costs(plan)]
    sql = tag("details", tag("summary", "The whole plan, with its SQL"), tag("pre", plan.text))
    return _part(*parts, sql)


def folded(said: Sequence[str], title: str = "Why?") -> Markup:
    """What else there is to say of an answer, below its title; empty if there is nothing."""
    return tag("details", tag("summary", title), *(tag("p", one) for one in said)) if said else Markup()


def _part(*children: str) -> str:
    return str(tag("div", tag("style", Markup(_style())), *children, class_="dpduck"))


@cache
def _style() -> str:
    return (files("dpduck.doors.page") / "answer.css").read_text(encoding="utf-8")


def _rows_html(cells: AnswerTable, caption: str) -> Markup:
    if not cells.rows:
        return tag("p", f"{caption}: no rows. Columns: ", ", ".join(cells.names))
    rows: list[list[str]] = [[_cell(text) for text in row] for row in cells.rows]
    shown = f"{caption}: the first {len(rows):,} rows" if cells.more else caption
    return table(shown, [quoted(name) for name in cells.names], rows, cells.numbers)


def _cell(text: str | None) -> Markup:
    return tag("span", "NULL", class_="null") if text is None else quoted(text)


# --- budgets -------------------------------------------------------------------------------------


def _bars(budgets: Sequence[Mapping[str, Any]]) -> list[Markup]:
    return [
        tag("div", _bar(row), tag("p", _name(row), ": ", _spent(row), ", ", _left(row, "epsilon")))
        for row in budgets
    ]


def _name(row: Mapping[str, Any]) -> Markup:
    return joined(str(row["scope"]), " ", quoted(str(row["name"])))


def _bar(row: Mapping[str, Any]) -> Markup:
    """How much is spent: full only if nothing remains, and empty only if nothing is spent."""
    limit, spent = row["epsilon_limit"], row["epsilon_spent"]
    if limit is None:
        return Markup()
    share = 100.0 if spent >= limit else float(100 * spent / limit)
    percent = share if share in (0.0, 100.0) else min(max(share, _LEAST_SEEN), 100.0 - _LEAST_SEEN)
    full = tag("div", class_="full" if share == 100.0 else "spent", style=f"width: {percent:.1f}%")
    return tag("div", full, class_="bar", aria_hidden="true")


def _spent(row: Mapping[str, Any]) -> str:
    limit = "" if row["epsilon_limit"] is None else f" of {_amount(row['epsilon_limit'])}"
    delta = f", delta {_amount(row['delta_spent'])}" if row["delta_spent"] else ""
    return f"epsilon {_amount(row['epsilon_spent'])}{limit} spent{delta}"


def _left(row: Mapping[str, Any], quantity: str) -> str:
    left = row[f"{quantity}_remaining"]
    return "no cap" if left is None else f"{_amount(left)} left"


def _amount(amount: Decimal) -> str:
    return decimal_text(Fraction(amount))


# --- plans ---------------------------------------------------------------------------------------


def _cost_of(plan: ShownPlan) -> str:
    if plan.epsilon == "0":
        return "It costs nothing."
    delta = "" if plan.delta == "0" else f" and delta {plan.delta}"
    left = "" if plan.queries_left is None else f" {plan.queries_left:,} such queries fit into what is left."
    if plan.replayed is not None:
        made = f"{plan.replayed:%Y-%m-%d %H:%M:%S} UTC"
        paid = "which is paid for"
        if plan.owed != "0":
            paid = f"for epsilon {plan.owed} once, of a budget FOR somebody"
        return f"It is replayed from the answer of {made}, {paid}.{left}"
    return f"It costs epsilon {plan.epsilon}{delta}.{left}"


def _split(plan: ShownPlan) -> list[Markup]:
    """What each part of the answer takes of epsilon, as a bar and in words."""
    total = sum(map(Fraction, plan.shares.values()))
    if len(plan.shares) < 2 or not total:
        return []
    parts = [
        tag("div", style=f"width: {float(100 * Fraction(share) / total):.1f}%")
        for share in plan.shares.values()
    ]
    words = ", ".join(f"{share} {what}" for what, share in plan.shares.items())
    return [tag("div", *parts, class_="split", aria_hidden="true"), tag("p", "Of epsilon: ", quoted(words))]


def _alternatives(plan: ShownPlan) -> list[Markup]:
    if len(plan.alternatives) < 2:
        return []
    rows: list[list[str]] = [[quoted(title), f"± {error:,.4g}"] for title, error in plan.alternatives.items()]
    return [table("Plans that were considered", ["plan", "error of counts"], rows, frozenset({1}))]


def _costs(plan: ShownPlan) -> list[Markup]:
    words = {0.5: "Half the error", 2.0: "Twice the error"}
    said = [
        f"{words.get(ratio, f'{ratio:g} times the error')} would cost "
        + ("more than is allowed." if epsilon is None else f"epsilon {epsilon}.")
        for ratio, epsilon in plan.cost_at.items()
    ]
    return [tag("p", " ".join(said))] if said else []
