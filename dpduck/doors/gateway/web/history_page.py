"""What was asked: in this session, with what was free and what was refused; and the charges on record."""

from __future__ import annotations

from collections.abc import Sequence

from dpduck.doors.gateway.web.answers import cost_of
from dpduck.doors.gateway.web.layout import cells_table
from dpduck.doors.gateway.web.runs import Run
from dpduck.doors.gateway.web.visitors import Visitor
from dpduck.doors.page.captions import epsilon_text, shortened
from dpduck.doors.page.html import Markup, joined, quoted, tag
from dpduck.kernel.ledger import Entry
from dpduck.kernel.ledger.glance import LastCharges

ROWS = 50  # of the charges on record


def history_parts(visitor: Visitor, runs: Sequence[Run], charges: LastCharges) -> list[Markup]:
    """The page."""
    return [tag("h1", "History"), *_of_session(runs), *_on_record(visitor, charges)]


def _of_session(runs: Sequence[Run]) -> list[Markup]:
    if not runs:
        return [tag("p", "Nothing was asked in this session yet.")]
    rows = [(f"{run.at:%H:%M:%S}", _statement(run.sql), _result(run)) for run in runs]
    return [cells_table("Asked in this session (UTC)", ("at", "statement", "cost"), rows, cards=True)]


def _result(run: Run) -> Markup:
    outcome = run.outcome
    if outcome is None:
        said: Markup | str = "It is running."
    elif outcome.error is not None:
        said = joined(quoted(outcome.error.message), ". ", cost_of(outcome))
    else:
        said = cost_of(outcome)
    return joined(said, " ", tag("a", "Open", href=f"/answers/{run.id}", aria_label=f"Open {run.sql[:60]}"))


def _on_record(visitor: Visitor, charges: LastCharges) -> list[Markup]:
    """Charges of the ledger: the visitor's own, or all."""
    all_of = visitor.oversees
    rows = [_entry(entry, names=all_of) for entry in charges.entries]
    headings = ["at (UTC)", *(["analyst"] if all_of else []), "epsilon", "delta", "query"]
    whose = "of everybody" if all_of else "of yours"
    numbers = frozenset({headings.index("epsilon"), headings.index("delta")})
    table = (
        cells_table(f"Charges {whose} on record, newest first", headings, rows, numbers, cards=True)
        if rows
        else tag("p", "Among the charges that were looked through none is yours." if charges.before else "")
    )
    if not rows and charges.before is None:
        return [tag("p", "There are no charges on record.")]
    older = tag("a", "Older charges", href=f"/history?below={charges.before}")
    return [table, tag("p", older) if charges.before is not None else Markup()]


def _entry(entry: Entry, *, names: bool) -> list[str]:
    who = tag("i", "the data owner") if entry.analyst is None else quoted(entry.analyst)
    free = entry.replayed and not entry.epsilon
    return [
        f"{entry.at:%Y-%m-%d %H:%M}",
        *([who] if names else []),
        "free: answered before" if free else epsilon_text(entry.epsilon),
        "" if free or not entry.delta else f"{float(entry.delta):.3g}",
        _statement(entry.query),
    ]


def _statement(sql: str) -> Markup:
    return tag("code", quoted(shortened(sql)))
