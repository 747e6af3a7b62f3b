"""What epsilon a query would cost if its errors were half as large, or twice.

The plan is chosen anew at each epsilon that is tried: another mechanism may be the best one there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction

from dpduck.accounting.amounts import EPSILON_MAX, EPSILON_MIN
from dpduck.errors import DpduckError, decimal_text
from dpduck.query.plan import aggregates
from dpduck.query.plan.compound import CompoundPlan
from dpduck.query.plan.cost import column_error, rank_error
from dpduck.query.plan.model import KeysAbove, LargestKeys, Plan, PublicPlan
from dpduck.query.plan.prices import event_of

OtherCosts = Mapping[float, str | None]  # by the error beside the present one; None if none suffices
Replan = Callable[[Fraction], Plan | CompoundPlan | PublicPlan]
_Point = tuple[Fraction, float]  # an epsilon, and how far its errors are beyond what is wanted

_RATIOS = (0.5, 2.0)
_CLOSE = Fraction(1001, 1000)  # how much one epsilon may exceed another and still say the same
_TINY = 1e-6  # an error beside the present one, if noise is all but gone
_STRAIGHT_STEPS, _MOST_STEPS = 5, 20  # of the search for an epsilon
# Aggregates of which the error depends on the data as well.
_OF_DATA = (
    aggregates.ChosenCount,
    aggregates.ChosenDistinct,
    aggregates.ClampedSum,
    aggregates.Mean,
    aggregates.Moments,
)


def costs_of_other_errors(plan: Plan | CompoundPlan, replan: Replan) -> OtherCosts:
    """The epsilon for half of the present error, and for twice of it.

    Input: `replan` makes the plan of the same query at another epsilon.
    """
    epsilon = event_of(plan).epsilon
    return {ratio: _cost_at(ratio, epsilon, plan, replan) for ratio in _RATIOS}


def _cost_at(ratio: float, epsilon: Fraction, plan: Plan | CompoundPlan, replan: Replan) -> str | None:
    """The epsilon at which the errors are `ratio` times the present ones, or up to a thousandth more."""
    present = _size_of_errors(plan)
    if not present:
        return None

    def beyond(epsilon: Fraction) -> float:
        """The logarithm of by which factor the errors at an epsilon exceed what is wanted."""
        return math.log(max(_size_of_errors(replan(epsilon)) / present, _TINY) / ratio)

    at_present = -math.log(ratio)
    try:
        if ratio > 1:
            about = at_present + math.log(epsilon / EPSILON_MIN)  # what so little buys does not matter
            return decimal_text(_searched(beyond, (EPSILON_MIN, about), (epsilon, at_present)))
        at_most = beyond(EPSILON_MAX)
        if at_most <= 0:
            return decimal_text(_searched(beyond, (epsilon, at_present), (EPSILON_MAX, at_most)))
    except DpduckError:
        pass  # the query has no plan at some of these
    return None


def _searched(beyond: Callable[[Fraction], float], low: _Point, high: _Point) -> Fraction:
    """An epsilon at which the errors are as wanted, between one at which they exceed it and one at which not.

    By false position (Illinois), between logarithms, where errors are nearly a straight line; if they are
    not, since they are whole numbers or another plan becomes the best, by bisection from then on.
    """
    (low_end, above), (high_end, below) = low, high
    side = 0  # the end that was moved last; if it is moved twice, the other one weighs half
    for step in range(_MOST_STEPS):
        share = above / (above - below) if step < _STRAIGHT_STEPS else 0.5
        middle = _between(low_end, high_end, float(low_end) ** (1 - share) * float(high_end) ** share)
        if middle is None:
            break
        found = beyond(middle)
        if found > 0:
            low_end, above, below, side = middle, found, below / 2 if side > 0 else below, 1
        else:
            high_end, below, above, side = middle, found, above / 2 if side < 0 else above, -1
    return high_end


def _between(low: Fraction, high: Fraction, wanted: float) -> Fraction | None:
    """The thousandth nearest to a number and strictly between two others; None if they are close together."""
    if high <= low * _CLOSE:
        return None
    lowest, highest = math.floor(1000 * low) + 1, math.ceil(1000 * high) - 1
    if lowest > highest:
        return None
    return Fraction(min(max(round(1000 * wanted), lowest), highest), 1000)


def _size_of_errors(plan: Plan | CompoundPlan | PublicPlan) -> float:
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
