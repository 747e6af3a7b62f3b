"""Decides how distinct values are counted: with a fixed number of values per unit, or a privately chosen one.

It depends on public facts alone. Choosing takes half of epsilon. So a fixed number is better where a unit
has one value anyway, where the policy allows for few, and where the domain is so small that one value more of
each unit cannot find as many new values as it costs.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Literal

from dpduck.compiler.block.left_out import may_differ
from dpduck.compiler.block.privacy_units import Owned
from dpduck.compiler.block.question import AggregateQuery
from dpduck.kernel.catalog.model import RangeDomain
from dpduck.kernel.mechanisms.distinct_values import MOST, can_choose, ladder, least_gain
from dpduck.kernel.plan.aggregates import Aggregate, ChosenDistinct, Distinct
from dpduck.kernel.plan.keys import Key, unique_name

Function = Literal["ranked", "claims"]  # which a query asks for: see `mechanisms.distinct_values`

_MOST_GROUPS = 1_000_000  # whose counts at all levels are held in memory
_FEW = 4  # declared values per unit, for which noise is hardly more than for 1 with half of epsilon


def decided(
    request: Aggregate, question: AggregateQuery, epsilon: Fraction, groups: int, asked: Function = "ranked"
) -> Aggregate:
    """Return the request as it is answered.

    Input: its share of epsilon; the most groups of a unit; which function of values the query asks for.
    """
    owned, keys = question.owned, question.keys
    if not isinstance(request, Distinct):
        return request
    size = _size_of(request, owned)
    request = replace(request, size=size)
    if request.is_of_unit or owned.shows_every_row(keys):
        return request
    if (question.space.size or 0) > _MOST_GROUPS:
        return request
    domain = request.value.domain
    if domain is not None and domain.size < request.values:  # of others too, no more count of a unit
        by_domain = may_differ(request.value, owned)
        most_there = domain.size if by_domain else size  # an interval is then of values in the domain
        request = replace(request, values=max(domain.size, 1), by_domain=by_domain, size=most_there)
    most = min(request.values if request.declared else MOST, MOST, MOST if domain is None else domain.size)
    if most <= _FEW or not can_choose(epsilon, groups):
        return request
    if domain is not None and domain.size <= least_gain(ladder(most), epsilon, groups):
        return request
    name = unique_name("level", [key.name for key, _ in keys])
    level = Key(name, "BIGINT", RangeDomain(0, len(ladder(most)) - 1, 1))
    return ChosenDistinct(
        request.column,
        request.conditions,
        request.value,
        most,
        level,
        size,
        asked == "claims",
        epsilon=request.epsilon,
        written=request.written,
        nulls=request.nulls,
    )


def _size_of(request: Distinct, owned: Owned) -> int | None:
    """How many values there are; None if a domain may lack some, or nothing says it."""
    domain = request.value.domain
    if domain is not None and not may_differ(request.value, owned):
        return domain.size
    return len(request.value.type.members) or None  # of an ENUM, which has no other values
