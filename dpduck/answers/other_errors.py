"""What epsilon a query would cost if its errors were half as large, or twice, or as large as is wanted.

The plan is chosen anew at each epsilon that is tried: another mechanism may be the best one there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from dpduck.kernel.accounting.amounts import EPSILON_MAX, EPSILON_MIN
from dpduck.kernel.errors import (
    DpduckError,
    ParameterError,
    UnknownNameError,
    UnsupportedSqlError,
    decimal_text,
)
from dpduck.kernel.errors.names import did_you_mean
from dpduck.kernel.plan import aggregates
from dpduck.kernel.plan.compound import CompoundPlan
from dpduck.kernel.plan.cost import column_error, expected_error, rank_error
from dpduck.kernel.plan.model import EveryKey, KeysAbove, LargestKeys, OneGroup, Plan, PublicPlan
from dpduck.kernel.plan.prices import event_of

OtherCosts = Mapping[float, str | None]  # by the error beside the present one; None if none suffices
Replan = Callable[[Fraction], Plan | CompoundPlan | PublicPlan]
_SCALABLE = (OneGroup, EveryKey, LargestKeys)
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


@dataclass(frozen=True)
class WantedError:
    """What the error of a released number is to stay within at 95 %. `column`: None for that of each."""

    within: float
    column: str | None = None

    def __str__(self) -> str:
        of = "of each number" if self.column is None else f"of {self.column}"
        return f"an error {of} within {self.within:,.10g} with probability 95 %"


def epsilon_for(wanted: WantedError, replan: Replan) -> Fraction:
    """The least epsilon, about, at which errors stay within what is wanted.

    Input: `replan` makes the plan of the query at an epsilon.
    Errors: ParameterError for a query that costs nothing, UnknownNameError for a column that is not released,
        UnsupportedSqlError if no epsilon suffices, or if the rows decide how large the error is.
    """
    at_most = _named_error(replan(EPSILON_MAX), wanted.column)
    if at_most > wanted.within:
        raise UnsupportedSqlError(
            f"no epsilon keeps the error within {wanted.within:,.10g}",
            detail=f"At the largest, {decimal_text(EPSILON_MAX)}, it stays within {at_most:,.4g}.",
            hint="Ask for a larger error, or for fewer groups.",
        )

    def beyond(epsilon: Fraction) -> float:
        return math.log(max(_named_error(replan(epsilon), wanted.column) / wanted.within, _TINY))

    at_least = beyond(EPSILON_MIN)
    if at_least <= 0:
        return EPSILON_MIN
    ends = (EPSILON_MIN, at_least), (EPSILON_MAX, math.log(max(at_most / wanted.within, _TINY)))
    return _searched(beyond, *ends)[1]


def _named_error(plan: Plan | CompoundPlan | PublicPlan, column: str | None) -> float:
    """What the error of a column stays within, or of all. Errors: as of `epsilon_for`."""
    if isinstance(plan, PublicPlan):
        raise ParameterError(
            "this query costs no epsilon",
            detail="It reads nothing private, so its answer is exact.",
            hint="Leave --error out.",
        )
    found: dict[str, float] = {}
    for block in plan.blocks:
        for name, error in expected_error(block).items():
            found[name] = max(error, found.get(name, 0.0))
    if not found:
        raise UnsupportedSqlError(
            "how far off this answer is cannot be said before it is asked",
            detail="Its error depends on the rows, as that of a median or an average does.",
            hint="Ask for a count or a sum beside it, or choose an epsilon: EXPLAIN says what it promises.",
        )
    if column is None:
        return max(found.values())
    named = next((name for name in found if name.lower() == column.lower()), None)
    if named is None:
        raise UnknownNameError(
            f"the answer has no number {column[:60]} whose error is known beforehand",
            hint=did_you_mean(column, found) or f"There are: {', '.join(found)}.",
        )
    return found[named]


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

    def alike(epsilon_then: Fraction) -> float:
        """The same, if the plan stays as it is but for the noise, which is far cheaper to say."""
        return math.log(max(_size_of_errors(_scaled(plan, epsilon_then / epsilon)) / present, _TINY) / ratio)

    try:
        if _is_scalable(plan):
            low, high = _sought(alike, ratio, epsilon)
            if beyond(high) <= 0 < beyond(low):
                return decimal_text(high)
        return decimal_text(_sought(beyond, ratio, epsilon)[1])
    except DpduckError:
        return None  # the query has no plan at some of these


def _sought(
    beyond: Callable[[Fraction], float], ratio: float, epsilon: Fraction
) -> tuple[Fraction, Fraction]:
    """Two epsilons that say the same, of which the second suffices. Errors: ParameterError if none does."""
    at_present = -math.log(ratio)
    if ratio > 1:
        about = at_present + math.log(epsilon / EPSILON_MIN)  # what so little buys does not matter
        return _searched(beyond, (EPSILON_MIN, about), (epsilon, at_present))
    at_most = beyond(EPSILON_MAX)
    if at_most > 0:
        raise ParameterError("no epsilon suffices")
    return _searched(beyond, (epsilon, at_present), (EPSILON_MAX, at_most))


def _is_scalable(plan: Plan | CompoundPlan) -> bool:
    """Whether all noise is in proportion to 1 / epsilon, whatever else the plan is."""
    measures = [measure for block in plan.blocks for measure in block.measures]
    pure = all(one.gaussian is None and one.levels is None and not one.delta for one in measures)
    selections = [block.selection for block in plan.blocks]
    return pure and all(isinstance(one, _SCALABLE) and not one.delta for one in selections)


def _scaled(plan: Plan | CompoundPlan, factor: Fraction) -> Plan | CompoundPlan:
    """The plan with that many times its epsilon."""
    if isinstance(plan, CompoundPlan):
        return replace(plan, blocks=tuple(_scaled_block(block, factor) for block in plan.blocks))
    return _scaled_block(plan, factor)


def _scaled_block(plan: Plan, factor: Fraction) -> Plan:
    measures = tuple(replace(one, epsilon=one.epsilon * factor) for one in plan.measures)
    selection = plan.selection
    if isinstance(selection, LargestKeys):
        selection = replace(selection, epsilon=selection.epsilon * factor)
    return replace(plan, measures=measures, selection=selection)


def _searched(beyond: Callable[[Fraction], float], low: _Point, high: _Point) -> tuple[Fraction, Fraction]:
    """Epsilons close together, at the first of which errors exceed what is wanted, and at the second not.

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
    return low_end, high_end


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
