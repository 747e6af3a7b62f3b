"""How often an interval of a summary may miss, where released numbers choose which groups are shown.

All numbers of a summary come from one release: they add up the same noisy cells. So what is chosen by one of
them is chosen by the noise of the others, too, be they of the same groups, of parts of them, or of another
block of the query.

Lemma. Let the interval of each of n groups miss with probability d p / n at most, whatever the joint law of
their noises is, and let any rule show p of the groups. Then at most a part d of those shown is missed, in
expectation. Proof. Those that are shown and missed are among all that are missed, which are d p at most, in
expectation. Where p is 1, this bounds by d the probability that any of the n is missed, so that more or
fewer of them may be shown.
So it need not be known what chooses: of a choice by one column, the intervals of all columns allow for it; of
a choice in one block, those of all other blocks, of which one group may be all that is shown.
"""

from __future__ import annotations

from dataclasses import replace

from dpduck.kernel.plan.compound import CompoundPlan
from dpduck.kernel.plan.model import Cut, Plan
from dpduck.summaries.measures import DOUBT

_ALL_PLACES = 1 << 62


def chosen_together(plan: Plan | CompoundPlan) -> Plan | CompoundPlan:
    """Return a plan that one release answers, in which what chooses among any numbers chooses among all."""
    if isinstance(plan, Plan):
        return _chosen(plan, is_alone=True)
    blocks = plan.blocks
    alone = [not any(other.cut.columns for other in blocks if other is not block) for block in blocks]
    return replace(
        plan, blocks=tuple(_chosen(block, is_alone=one) for block, one in zip(blocks, alone, strict=True))
    )


def _chosen(plan: Plan, *, is_alone: bool) -> Plan:
    """Return a block of which any number is chosen by. Input: whether no other block chooses."""
    if is_alone and not plan.cut.columns:
        return plan
    columns = frozenset(request.column for request in plan.requests)
    return replace(plan, cut=Cut(columns, plan.cut.places if is_alone else 1, plan.cut.again))


def allowed_for(plan: Plan) -> Plan:
    """Return a plan whose released intervals allow for its choice already: as if all groups were shown."""
    return replace(plan, cut=replace(plan.cut, places=_ALL_PLACES))


def doubt_of(plan: Plan, column: str) -> float:
    """Return how often the interval of each group may miss: 5 % together, of as many as are shown."""
    cut, groups = plan.cut, plan.space.size
    if column not in cut.columns or not groups:
        return DOUBT
    return DOUBT * min(cut.places / groups, 1)
