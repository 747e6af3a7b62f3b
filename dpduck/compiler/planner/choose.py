"""Chooses the mechanism of an aggregate query: of all possible plans, the one of the smallest error.

The choice depends on public facts only: the policy, the query, the sizes of domains, epsilon and delta.
The error of a plan combines two half-widths at 95 %, by the root of the sum of squares: that of the counts
it shows, and the lead with which a group comes before all other candidates. Epsilon is divided among
several requests by the weights of `cost.weight`: with noise w_i / epsilon_i, the sum of all errors is
smallest if epsilon_i is proportional to sqrt(w_i).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from sqlglot import exp

from dpduck.compiler.block.asks_beside import near_words
from dpduck.compiler.block.left_out import partial_keys
from dpduck.compiler.block.question import AggregateQuery
from dpduck.compiler.parse.nodes import refusal
from dpduck.compiler.planner.answer_sql import no_rows
from dpduck.compiler.planner.largest_groups import largest_groups
from dpduck.compiler.planner.plan_parts import MAX_CANDIDATES, MAX_LIMIT, Draft, PlanParts, QueryBudget
from dpduck.compiler.planner.undeclared_keys import groups_of_one, no_domains, no_totals
from dpduck.compiler.planner.whole_domain import all_groups, every_key, keys_alone, most_groups, one_group
from dpduck.kernel.catalog.statements import Accounting
from dpduck.kernel.errors import DpduckError
from dpduck.kernel.errors.notices import Notice, Rank
from dpduck.kernel.plan import cost
from dpduck.kernel.plan.aggregates import Count
from dpduck.kernel.plan.choosing import choosing_error_of_all, units_to_be_found
from dpduck.kernel.plan.model import UNITS, Alternative, FoundKeys, Plan, PublicPlan

_MOST_ERROR = 1.5  # times the least error, for a lower price in rho or mu^2
_NO_CANDIDATE = "no candidate meets the conditions, whatever the rows are; that costs nothing"


def choose(
    question: AggregateQuery, budget: QueryBudget, groups: int | None, salt: int, node: exp.Expr
) -> Plan | PublicPlan:
    """Return the best plan for an aggregate query; a public plan if it asks only for public keys.

    Input: `groups`: the declared bound on groups per unit; None if there is none.
    Errors: PolicyError or UnsupportedSqlError if no mechanism can answer it.
    """
    parts = PlanParts(question, budget, groups, salt, node)
    if not question.grouped:
        return _best(one_group(parts), budget.accounting)
    if question.space.size == 0:
        sql = no_rows(question, shows_ends=budget.shows_ends)
        return PublicPlan(sql, _NO_CANDIDATE, notice=_of_no_candidate(question))
    if not question.space.is_known and question.owned.determine_unit(
        value.node for _, value in question.keys
    ):
        raise groups_of_one(question, node)
    if question.sets and not question.space.is_known:
        raise no_totals(question, budget.delta, node)
    if not question.requests and question.space.is_known:
        return keys_alone(parts)
    return _best(_drafts(parts), budget.accounting)


def _drafts(parts: PlanParts) -> list[Draft]:
    """Return all plans for a query with GROUP BY. Errors: PolicyError or UnsupportedSqlError if none."""
    if parts.budget.whole:
        drafts = every_key(parts)
        if not drafts:
            raise no_plan(parts)
        return drafts
    ranked, found = largest_groups(parts), found_keys(parts)
    if found and parts.budget.noise == "gaussian" and parts.shows_ranks:
        ranked = []  # the top-k of found keys has no such counts
    drafts = [*every_key(parts), *ranked, *found]
    if not drafts:
        raise no_plan(parts)
    return drafts


def _best(drafts: Sequence[Draft], accounting: Accounting) -> Plan:
    """Return the plan of the least error, with all as alternatives.

    In rho or mu^2 plans of the same epsilon have different prices. There the plan is taken that would have
    the least error at an equal price, of those whose error is at most 1.5 times the least at this epsilon:
    errors are in proportion to 1 / epsilon and prices to its square, so that error times the root of the
    price compares.
    """
    best = min(drafts, key=lambda draft: draft.cost)
    prices: dict[str, Fraction] = {}
    if accounting != "pure" and len(drafts) > 1:
        prices = {draft.title: draft.price(accounting) for draft in drafts}
        near = [draft for draft in drafts if draft.cost <= best.cost * _MOST_ERROR]
        best = min(near, key=lambda draft: draft.cost * math.sqrt(prices[draft.title]))
    found = tuple(
        Alternative(draft.title, draft.cost, is_taken=draft is best, price=prices.get(draft.title))
        for draft in drafts
        if draft.title
    )
    return replace(best.plan, alternatives=found)


def _of_no_candidate(question: AggregateQuery) -> Notice | None:
    """Return what to say of rows that domains leave out; None if plain SQL has no group either."""
    names = ", ".join(partial.name for partial in partial_keys(question.keys, question.owned))
    if not names:
        return None
    none, near = f"No value in the domain of {names} meets the conditions", near_words(question.beside)
    whole = f"{none}; rows with NULL or other values are left out.{near}"
    return Notice(Rank.MEANING, f"{none}.{near_words(question.beside[:1])}", whole)


# Why no plan can answer a query: too many keys, rows or selected groups.


def no_plan(parts: PlanParts) -> DpduckError:
    """The error of a question that no plan answers."""
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


# Partition selection: plans for keys without a public domain, found in private rows.


def found_keys(parts: PlanParts) -> list[Draft]:
    """Draft partition selection, for keys without a public domain; none if it does not apply.

    Where the largest groups are asked for, these are taken of the counts that it releases.
    """
    groups, most = parts.bound(None)
    if parts.size is not None or not parts.budget.delta or not groups or parts.reads_gaps():
        return []
    counted = _count_of(parts)
    others = [request for request in parts.requests if request is not counted]
    selecting = counted or Count(UNITS, ())
    weights = [cost.weight(request, groups) for request in (selecting, *others)]
    shares = parts.shares([selecting, *others], weights)
    selection = FoundKeys(
        parts.scores(selecting, most),
        shares[0],
        parts.budget.delta,
        None if counted is None else counted.column,
        groups,
    )
    measures = [
        parts.measure(request, share, groups=groups, most=most)
        for request, share in zip(others, shares[1:], strict=True)
    ]
    title = "partition selection: the groups found in enough private rows"
    return [
        Draft(
            f"{title}, Gaussian noise" if one.gaussian else title,
            _cost_of(parts, one),
            parts.plan(one, measures, most, selecting),
        )
        for one in _noises_of(parts, selection)
    ]


def _count_of(parts: PlanParts) -> Count | None:
    """Return the count that partition selection releases: the one that ranks, or any other of units."""
    top = parts.question.top
    counts = [r for r in parts.requests if isinstance(r, Count) and _counts_units(r)]
    ranking = (count for count in counts if top is None or count.column == top[0])
    return next(ranking, None)


def _cost_of(parts: PlanParts, selection: FoundKeys) -> float:
    """Return the cost of counting all groups that are found and choosing among them afterwards."""
    if parts.question.top is None:
        return cost.selection_error(selection)
    width = cost.selection_error(selection)
    lead = choosing_error_of_all(width, parts.others, fixed=False, gaussian=selection.gaussian)
    return math.hypot(lead, units_to_be_found(selection), width if parts.shows_ranks else 0.0)


def _noises_of(parts: PlanParts, selection: FoundKeys) -> list[FoundKeys]:
    """Return a selection with each noise that its counts may have, if it releases any."""
    gaussian = replace(selection, gaussian=True)
    if selection.counted is None or parts.budget.noise == "laplace":
        return [selection]
    return [gaussian] if parts.budget.noise == "gaussian" else [selection, gaussian]


def _counts_units(request: Count) -> bool:
    return not request.conditions and request.rows is None
