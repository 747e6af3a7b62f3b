"""What another error would cost: the epsilon of half or twice the error, by plans of the same query."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from dpduck.accounting.amounts import EPSILON_MAX, EPSILON_MIN
from dpduck.errors import DpduckError, decimal_text
from dpduck.query.plan import aggregates
from dpduck.query.plan.compound import CompoundPlan
from dpduck.query.plan.cost import (
    column_error,
    rank_error,
)
from dpduck.query.plan.model import (
    KeysAbove,
    LargestKeys,
    Plan,
    Planned,
    PublicPlan,
)

# Aggregates of which the error depends on the data as well.
_OF_DATA = (
    aggregates.ChosenCount,
    aggregates.ChosenDistinct,
    aggregates.ClampedSum,
    aggregates.Mean,
    aggregates.Moments,
)

Replan = Callable[[Fraction], Plan | CompoundPlan | PublicPlan]


def cost_lines(costs: dict[float, str | None]) -> list[str]:
    """Return what half and twice the error would cost as lines of EXPLAIN, if it can be had."""
    words = {0.5: "half", 2.0: "twice"}
    return [
        f"  {words[ratio]:<9} the error would cost epsilon {cost}"
        for ratio, cost in costs.items()
        if cost is not None
    ]


def cost_at(ratio: float, epsilon: Fraction, plan: Planned, replan: Replan) -> str | None:
    """The epsilon at which the largest error is `ratio` times the present one, by bisection over plans."""
    wanted = ratio * _badness(plan)
    low, high = (EPSILON_MIN, epsilon) if ratio > 1 else (epsilon, EPSILON_MAX)
    try:
        if _badness(replan(high)) > wanted:
            return None
        for _ in range(12):
            middle = Fraction(round(1000 * math.sqrt(low * high)), 1000) or low
            if not low < middle < high:
                break
            low, high = (low, middle) if _badness(replan(middle)) <= wanted else (middle, high)
    except DpduckError:
        return None
    return decimal_text(high)


def _badness(plan: Plan | CompoundPlan | PublicPlan | Planned) -> float:
    """The errors of a plan as one number: each is roughly proportional to 1 / epsilon."""
    return 0.0 if isinstance(plan, PublicPlan) else math.fsum(map(_errors_of, plan.blocks))


def _errors_of(plan: Plan) -> float:
    errors = list(column_error(plan).values())
    for measure in plan.measures:
        rank = rank_error(measure)
        if rank is not None:
            errors.append(rank)
        elif isinstance(measure.request, _OF_DATA):
            errors.append(float(measure.groups / measure.epsilon))
    if isinstance(plan.selection, (LargestKeys, KeysAbove)) and plan.selection.counted is None:
        errors.append(float(plan.selection.k / plan.selection.epsilon))
    return math.fsum(errors)
