"""Why no plan can answer a query: too many keys, rows or selected groups."""

from __future__ import annotations

from dpduck.errors import DpduckError
from dpduck.query.parse.nodes import refusal
from dpduck.query.planner.plan_parts import MAX_CANDIDATES, MAX_LIMIT, PlanParts
from dpduck.query.planner.undeclared_keys import no_domains
from dpduck.query.planner.whole_domain import all_groups, most_groups


def no_plan(parts: PlanParts) -> DpduckError:
    question = parts.question
    if question.top is not None and question.top[1] > MAX_LIMIT:
        return _too_many_selected(parts)
    if parts.size is None:
        needs_bound = parts.bound(None)[0] == 0
        return no_domains(question, parts.budget.delta, parts.node, needs_bound=needs_bound)
    if parts.size > MAX_CANDIDATES:
        return refusal(
            "the keys have too many combinations",
            f"There are {parts.size:,} of them, and the most is {MAX_CANDIDATES:,}.",
            "Group by fewer keys, or by coarser ones such as x // 10.",
            parts.node,
        )
    return _too_many_rows(parts)


def _too_many_selected(parts: PlanParts) -> DpduckError:
    offset = parts.question.offset
    return refusal(
        f"LIMIT and OFFSET together are larger than {MAX_LIMIT}"
        if offset
        else f"LIMIT is larger than {MAX_LIMIT}",
        f"Each selected row costs a share of epsilon{', also one that OFFSET skips' if offset else ''}.",
        f"Write a LIMIT of at most {MAX_LIMIT}{', and no OFFSET' if offset else ''}.",
        parts.node,
    )


def _too_many_rows(parts: PlanParts) -> DpduckError:
    shown, hint = "shown", "Add ORDER BY count(*) DESC LIMIT 10."
    if parts.question.order and parts.question.limit is not None:
        shown = "measured, unless a count of units selects the largest"
        hint = "Narrow the keys with WHERE, group by fewer or coarser ones, or sort by count(*) DESC."
    rows = "rows"
    if parts.question.sets:
        rows, shown = "groups and totals", "added up"
        hint = "Narrow the keys with WHERE, or group by fewer or coarser ones."
    return refusal(
        f"the answer would have {all_groups(parts):,} {rows}",
        f"All groups of a public domain are {shown}, at most {most_groups(parts):,}.",
        hint,
        parts.node,
    )
