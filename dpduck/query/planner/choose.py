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

from dpduck.catalog.statements import Accounting
from dpduck.errors.notices import Notice, Rank
from dpduck.query.block.asks_beside import near_words
from dpduck.query.block.left_out import partial_keys
from dpduck.query.block.question import AggregateQuery
from dpduck.query.plan.model import (
    Alternative,
    Plan,
    PublicPlan,
)
from dpduck.query.planner.answer_sql import (
    no_rows,
)
from dpduck.query.planner.found_keys import found_keys
from dpduck.query.planner.largest_groups import largest_groups
from dpduck.query.planner.no_plan import no_plan
from dpduck.query.planner.plan_parts import Draft, PlanParts, QueryBudget
from dpduck.query.planner.undeclared_keys import no_totals
from dpduck.query.planner.whole_domain import every_key, keys_alone, one_group

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
