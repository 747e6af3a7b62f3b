"""Decides how a sum is bounded: by a declared bound on a unit's rows, or by a clamp that is chosen privately.

It depends on public facts alone. A declared bound is taken as it is: choosing takes half of epsilon, and how
near the bound is to the totals of units only the data say. Where none is declared, the range of one row is no
bound of a total of several rows, and a sum of totals clamped to it would be too low by an unknown amount.
"""

from __future__ import annotations

from fractions import Fraction

from dpduck.catalog.model import RangeDomain
from dpduck.mechanisms.clamped_sums import can_clamp
from dpduck.query.block.question import AggregateQuery
from dpduck.query.plan.aggregates import Aggregate, ClampedSum, Sum
from dpduck.query.write.keys import Key, unique_name

_MOST_GROUPS = 100_000  # whose totals at all levels are held in memory


def with_clamp(request: Aggregate, question: AggregateQuery, epsilon: Fraction, groups: int) -> Aggregate:
    """Return the request as it is answered. Input: its share of epsilon; the most groups of a unit."""
    if not isinstance(request, Sum) or request.steps is None:
        return request
    if question.owned.shows_every_row(question.keys) or not can_clamp(epsilon, groups):
        return request
    if (question.space.size or 0) > _MOST_GROUPS:
        return request
    name = unique_name("level", [key.name for key, _ in question.keys])
    return ClampedSum(
        request.column,
        request.conditions,
        request.value,
        request.steps,
        Key(name, "BIGINT", RangeDomain(0, request.steps, 1)),
        request.ticks,
        request.scale,
        request.type,
        request.each,
        request.clamping,
        epsilon=request.epsilon,
        written=request.written,
    )
