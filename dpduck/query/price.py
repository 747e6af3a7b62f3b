"""What a plan costs and how exact its answer will be: public facts, from the plan alone."""

from __future__ import annotations

import math

from dpduck.errors import InternalError
from dpduck.events import (
    Composed,
    Count,
    Event,
    Histogram,
    NoisyTopK,
    PartitionSelection,
    PermuteAndFlip,
    PrivateTopK,
)
from dpduck.mechanisms import blue
from dpduck.mechanisms.additive import half_width
from dpduck.query.plan import CountPlan, HistogramPlan, ModePlan, Plan, QuantilePlan, TopKPlan

_DOUBT = 0.05


def event_of(plan: Plan) -> Event:
    """The event that the plan's release will be. Errors: InternalError for an unknown plan."""
    match plan:
        case TopKPlan(key=key, k=k):
            split = split_of(plan)
            share = plan.epsilon if split is None else split.selection
            selected = (
                NoisyTopK(share, k=k) if key.domain is not None else PrivateTopK(share, plan.delta, k=k)
            )
            return selected if split is None else Composed.of(selected, Count(split.measurement))
        case HistogramPlan(key=key):
            public = key.domain is not None
            return Histogram(plan.epsilon) if public else PartitionSelection(plan.epsilon, plan.delta)
        case ModePlan(key=key):
            public = key.domain is not None
            return PermuteAndFlip(plan.epsilon) if public else PrivateTopK(plan.epsilon, plan.delta, k=1)
        case QuantilePlan():
            return PermuteAndFlip(plan.epsilon)
        case CountPlan():
            return Count(plan.epsilon)
    raise InternalError("a plan of this kind has no price")


def mechanism_of(plan: Plan) -> str:
    """The name of the mechanism that answers the plan."""
    event = event_of(plan)
    return event.parts[0].mechanism if isinstance(event, Composed) else event.mechanism


def split_of(plan: TopKPlan) -> blue.Split | None:
    """How epsilon is divided if counts are asked, else None: selection then takes all of it."""
    if not any(output.source == "count" for output in plan.outputs):
        return None
    return blue.best_split(plan.epsilon, plan.k, min(plan.k, groups_of(plan) or plan.k))


def groups_of(plan: Plan) -> int | None:
    """The most groups that one unit may touch, None when unbounded."""
    return 1 if plan.table.unit_is_unique else None


def expected_error(plan: Plan) -> dict[str, float]:
    """For each released count, the half-width that noise stays within with probability 0.95.

    A mode or a quantile is a value of the data's own; how far it is off depends on the data, and
    only its rank error is public: see `rank_error`.
    """
    match plan:
        case TopKPlan():
            split = split_of(plan)
            width = 0.0 if split is None else max(abs(end) for end in split.error(plan.k))
        case HistogramPlan(groups=groups):
            width = float(half_width(plan.epsilon / groups))
        case CountPlan():
            width = float(half_width(plan.epsilon))
        case _:
            return {}
    return {output.name: width for output in plan.outputs if output.source == "count"}


def rank_error(plan: Plan) -> float | None:
    """Of a mode: how far its count may be below the largest; of a quantile: by how many units its rank
    may be off; each with probability at least 0.95.

    The winner of n candidates with noise of rate a loses at most (ln n + ln 20) / a (union bound over
    exponential noise; McKenna and Sheldon 2020, Section 4).
    """
    match plan:
        case ModePlan(key=key) if key.domain is not None:
            return math.log(key.domain.size / _DOUBT) / float(plan.epsilon)
        case QuantilePlan(grid=grid):
            return 2 * math.log(grid.size / _DOUBT) / float(plan.epsilon)
    return None
