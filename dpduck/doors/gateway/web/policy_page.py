"""Policies and budgets as they are, how they came to be so, and a form for the owner at this machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dpduck.doors.gateway.web.layout import cells_table, form, hidden
from dpduck.doors.gateway.web.policy_changes import PolicyLine
from dpduck.doors.gateway.web.visitors import Visitor
from dpduck.doors.page.captions import shortened
from dpduck.doors.page.html import Markup, joined, quoted, tag
from dpduck.kernel.catalog.model import Catalog
from dpduck.kernel.ledger import PolicyEntry
from dpduck.policies import Fact
from dpduck.policies.show import PRIVACY_COLUMNS, privacy_rows

_MOST_ROWS = 500
_MOST_ENTRIES = 100
_EXAMPLES = (
    "ALTER TABLE visits ADD PRIVACY_KEY (visitor)",
    "ALTER TABLE visits ALTER COLUMN page SET PRIVACY DOMAIN IN ('home', 'news')",
    "CREATE OR REPLACE PRIVACY BUDGET weekly LIMIT 2 WINDOW 'week' FOR ana",
)


@dataclass(frozen=True)
class ChangeShown:
    """A change that was typed, and the difference that it would make; None: it was not looked at yet."""

    sql: str = ""
    lines: Sequence[PolicyLine] | None = None


def policy_parts(
    visitor: Visitor, catalog: Catalog, entries: Sequence[PolicyEntry], change: ChangeShown, note: str
) -> list[Markup]:
    """The page."""
    rows = [tuple(cell or "" for cell in row) for row in privacy_rows(catalog)]
    return [
        tag("h1", "Policies"),
        joined(note),
        *(_change(visitor, change) if visitor.is_here else []),
        tag("h2", "As they are"),
        cells_table(f"Tables, units and domains ({len(rows):,})", PRIVACY_COLUMNS, rows[:_MOST_ROWS]),
        tag("h2", "How they came to be so"),
        _record(entries),
    ]


def _change(visitor: Visitor, change: ChangeShown) -> list[Markup]:
    text = tag(
        "textarea",
        f"\n{change.sql}",
        name="statement",
        id="statement",
        rows="3",
        spellcheck="false",
        placeholder=_EXAMPLES[0],
        required="",
    )
    examples = tag("details", tag("summary", "Examples"), *(tag("pre", one) for one in _EXAMPLES))
    typed = form(
        visitor,
        "/policies/preview",
        tag("div", tag("label", "Change", for_="statement"), text, class_="field"),
        tag("button", "Show what it would change", type="submit", class_="main"),
    )
    return [typed, examples, _difference(visitor, change)]


def _difference(visitor: Visitor, change: ChangeShown) -> Markup:
    if change.lines is None:
        return Markup()
    if not change.lines:
        lines = tag("p", "It would change nothing that is shown below.")
    else:
        marked = {"+": ("ins", "added: "), "-": ("del", "removed: ")}
        drawn = [
            tag(name, tag("span", said, class_="hidden"), f"{line.sign} ", quoted(line.text), class_="line")
            for line in change.lines
            for name, said in [marked[line.sign]]
        ]
        lines = tag("pre", *drawn, class_="diff", aria_label="Difference", role="group")
    apply = form(
        visitor,
        "/policies/apply",
        hidden("statement", change.sql),
        tag("button", "Make this change", class_="main"),
    )
    said = tag(
        "p", "The file is copied, changed and exchanged; queries that run end as they began.", class_="quiet"
    )
    return tag(
        "section", tag("h2", "What it would change"), lines, said, apply, class_="box", id="difference"
    )


def _record(entries: Sequence[PolicyEntry]) -> Markup:
    if not entries:
        return tag("p", "Nothing is on record yet.")
    rows = [
        (
            f"{one.at:%Y-%m-%d %H:%M}",
            one.who,
            tag("code", quoted(shortened(one.statement))),
            tag(
                "a",
                "Difference",
                href=f"/policies/{one.number}",
                aria_label=f"Difference of entry {one.number}",
            ),
        )
        for one in entries[::-1][:_MOST_ENTRIES]
    ]
    every = len(entries) <= _MOST_ENTRIES
    caption = "All changes of policies, budgets and logins" if every else f"The last {_MOST_ENTRIES}"
    return cells_table(caption, ("at (UTC)", "who", "statement", "what changed"), rows, cards=True)


def entry_parts(entry: PolicyEntry, before: Mapping[str, str], after: Mapping[str, str]) -> list[Markup]:
    """One entry, with the facts that it added, changed and removed. Input: the digests of all facts."""
    changed = [(name, _sign(name, before, after)) for name in sorted({*before, *after})]
    lines = [
        tag("li", f"{sign}: ", quoted(_named(name)), class_=sign)
        for name, sign in changed
        if sign is not None
    ]
    return [
        tag("h1", f"Entry {entry.number:,}"),
        tag("p", f"{entry.at:%Y-%m-%d %H:%M:%S} UTC, by ", quoted(entry.who)),
        tag("pre", entry.statement),
        tag("h2", "What changed"),
        tag("ul", *lines) if lines else tag("p", "Nothing that is stored."),
        tag("p", joined("Policy after it: ", tag("code", entry.digest[:16])), class_="quiet"),
        tag("p", tag("a", "All policies", href="/policies")),
    ]


def _sign(name: str, before: Mapping[str, str], after: Mapping[str, str]) -> str | None:
    if name not in before:
        return "added"
    if name not in after:
        return "removed"
    return "changed" if before[name] != after[name] else None


def _named(about: str) -> str:
    fact = Fact.named(about)
    if fact is None:
        return about
    names = ".".join(part for part in (fact.schema, fact.table, fact.column) if part)
    return f"{fact.kind.replace('_', ' ')} {names}".strip()
