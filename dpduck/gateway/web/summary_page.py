"""Which summaries would have answered what was asked, for less: for who owns the data."""

from __future__ import annotations

from collections.abc import Sequence

from dpduck.gateway.web.layout import cells_table
from dpduck.page.html import Markup, quoted, tag
from dpduck.runtime.summary_advice import SummaryAdvice


def summary_parts(found: Sequence[SummaryAdvice]) -> list[Markup]:
    """The page."""
    parts = [tag("h1", "What a summary would have cost")]
    if not found:
        parts.append(tag("p", "Nothing was charged that can be planned now."))
    parts += [tag("section", *_of_table(one), class_="box") for one in found]
    note = (
        "A private summary is paid for once, and then answers counts on its columns at no cost. This is "
        "computed from the queries on record and from public facts; no private row was read for it. Whoever "
        "sees the summary sees its columns and bands."
    )
    return [*parts, tag("p", note, class_="quiet")]


def _of_table(advice: SummaryAdvice) -> list[Markup]:
    parts = [tag("h2", quoted(advice.table)), tag("p", quoted(advice.words))]
    if advice.statement:
        parts.append(tag("pre", tag("code", quoted(f"{advice.statement};"))))
    if advice.reasons:
        rows = [(quoted(why), f"{times:,}") for why, times in advice.reasons]
        parts.append(
            cells_table("What it would not have answered", ("why", "questions"), rows, frozenset({1}))
        )
    return parts
