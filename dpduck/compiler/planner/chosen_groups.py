"""Decides in how many groups a unit counts: in all that it may be in, or in as many as are chosen privately.

A query asks for the choice, and it depends on public facts alone whether it is made: no bound is declared or
given, all groups of a public domain are counted, and there are several that a unit may be in.
"""

from __future__ import annotations

from fractions import Fraction

from dpduck.compiler.block.question import AggregateQuery
from dpduck.kernel.catalog.model import RangeDomain
from dpduck.kernel.mechanisms.chosen_groups import group_ladder
from dpduck.kernel.plan.aggregates import Aggregate, ChosenCount, Count
from dpduck.kernel.plan.keys import Key, unique_name
from dpduck.kernel.plan.private_groups import can_be_chosen


def with_chosen_groups(
    request: Aggregate, question: AggregateQuery, epsilon: Fraction, groups: int
) -> Aggregate:
    """Return the request as it is answered where a query asks for the choice.

    Input: its share of epsilon; the most groups that a unit may be in.
    """
    ranks = question.top or question.above or question.top_sum or question.sets
    if not isinstance(request, Count) or ranks or not can_be_chosen(request, epsilon, groups):
        return request
    name = unique_name("level", [key.name for key, _ in question.keys])
    return ChosenCount(
        request.column,
        request.conditions,
        request,
        groups,
        Key(name, "BIGINT", RangeDomain(0, len(group_ladder(groups)) - 1, 1)),
        epsilon=request.epsilon,
        written=request.written,
        nulls=request.nulls,
    )
