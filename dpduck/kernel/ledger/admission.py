"""Whether a charge may be made: the filters over every account, and the texts of their refusals.

`composition` says why the filters are valid. They decide on amounts that the store has read in the
transaction that will record the charge.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import itemgetter
from typing import Literal

from dpduck.kernel.accounting.amounts import DELTA_PLACES, EPSILON_MIN, EPSILON_PLACES
from dpduck.kernel.accounting.composition import Cost
from dpduck.kernel.accounting.measures import MEASURES, LossMeasure
from dpduck.kernel.errors import BudgetExceededError, decimal_text
from dpduck.kernel.errors.advice import Hint, MoreBudget
from dpduck.kernel.ledger.fixed_point import (
    DELTA_LARGEST,
    EPSILON_LARGEST,
    MU_SQUARED_LARGEST,
    RHO_LARGEST,
)
from dpduck.kernel.ledger.records import BudgetStatus


@dataclass(frozen=True)
class _Quantity:
    """Epsilon or delta: its name, decimal places and range."""

    name: str
    places: int
    smallest: Fraction
    largest: Fraction


_EPSILON = _Quantity("epsilon", EPSILON_PLACES, EPSILON_MIN, EPSILON_LARGEST)
_DELTA = _Quantity("delta", DELTA_PLACES, Fraction(1, 10**DELTA_PLACES), DELTA_LARGEST)


@dataclass(frozen=True)
class _Side:
    """One account and quantity: the cost, the limit, what is spent, and `told`, the spent amount that may be
    shown."""

    budget: BudgetStatus
    cost: Fraction
    limit: Fraction | None
    spent: Fraction
    told: Fraction


def admit(cost: Cost, evaluations: int, budgets: Sequence[BudgetStatus]) -> None:
    """Check that every budget can pay the cost of all evaluations together.

    Input: the budgets of the charge's accounts before the charge.
    Errors: BudgetExceededError, which names the budget with the least remaining.
    """
    for budget in budgets:
        _admit_query(cost, evaluations, budget)
    _admit(_EPSILON, evaluations, [_side(cost, budget, "epsilon", _pure_limit(budget)) for budget in budgets])
    deltas = [_side(cost, b, _delta_of(b), b.cap.delta_of_events) for b in budgets]
    uncapped = [_side(cost, b, "delta", None) for b in budgets if b.cap.measure is not None]
    _admit(_DELTA, evaluations, [*deltas, *uncapped])
    for budget in budgets:
        for measure in MEASURES.values():
            _admit_measure(cost, evaluations, budget, measure)


def fits(cost: Cost, budget: BudgetStatus) -> int | None:
    """How many more charges of that cost a budget can pay; None if it limits none of them."""
    cap = budget.cap
    if cap.per_query is not None and cost.epsilon > cap.per_query:
        return 0
    if cap.measure is not None and cap.delta is not None and cost.delta > cap.delta:
        return 0
    parts = [(getattr(cost, name), limit - used) for name, limit, used in limits_of(budget)]
    return min((max(left, Fraction(0)) // each for each, left in parts if each), default=None)


def limits_of(budget: BudgetStatus) -> list[tuple[str, Fraction, Fraction]]:
    """The quantities that a budget limits: the field of a cost, the limit and the amount spent."""
    delta, measure = _delta_of(budget), budget.cap.measure
    limits = {"epsilon": _pure_limit(budget), delta: budget.cap.delta_of_events}
    if measure is not None:
        limits[measure.part] = _limit_of(budget, measure)
    return [(part, limit, getattr(budget.spent, part)) for part, limit in limits.items() if limit is not None]


def _pure_limit(budget: BudgetStatus) -> Fraction | None:
    return budget.cap.epsilon if budget.cap.measure is None else None


def _delta_of(budget: BudgetStatus) -> Literal["delta", "keys_delta"]:
    """The field of a cost that its delta limits."""
    return "delta" if budget.cap.measure is None else "keys_delta"


def _side(cost: Cost, budget: BudgetStatus, part: str, limit: Fraction | None) -> _Side:
    told: Fraction = getattr(budget.spent, part)
    return _Side(budget, getattr(cost, part), limit, told - getattr(budget.withheld, part), told)


def _admit_query(cost: Cost, evaluations: int, budget: BudgetStatus) -> None:
    _admit_delta_of_query(cost, budget)
    most = budget.cap.per_query
    if most is None or cost.epsilon <= most:
        return
    each = _each(cost.epsilon, evaluations)
    raise BudgetExceededError(
        f"query needs epsilon {decimal_text(cost.epsilon)}{each} but one query may use {decimal_text(most)}",
        detail=f"PER QUERY of {_whose(budget)} says so. No data was read.",
        hint=_hint(_EPSILON, most / evaluations, evaluations, budget),
    )


def _admit_delta_of_query(cost: Cost, budget: BudgetStatus) -> None:
    """Check that an epsilon means something: with a large delta, Gaussian noise of any epsilon is little.

    Where rho or mu^2 adds up, what noise has of delta is not charged, but PER QUERY, and budgets that add up
    epsilon beside it, count on the epsilon that each query has at a delta that is small.
    """
    cap = budget.cap
    if cap.measure is None or cap.delta is None or cost.delta <= cap.delta:
        return
    most = decimal_text(cap.delta)
    raise BudgetExceededError(
        f"query needs delta {decimal_text(cost.delta)} but one query may use {most}",
        detail=f"That is the delta of all queries together for {_whose(budget)}. No data was read.",
        hint=_hint(_DELTA, cap.delta, 1, budget),
    )


def _admit_measure(cost: Cost, evaluations: int, budget: BudgetStatus, measure: LossMeasure) -> None:
    """The filters of zCDP and GDP: the sum stays within what implies the cap's (epsilon, delta)."""
    left = _limit_of(budget, measure) - measure.of(budget.spent)  # it is never given back
    if measure.of(cost) <= left:
        return
    raise BudgetExceededError(
        f"query needs {measure.name} {_short(measure.of(cost))} but "
        + (f"only {_short(left)} remains" if left > 0 else "none remains"),
        detail=f"{_state_of(budget, measure)} No data was read.",
        hint=_hint_of_measure(measure, left, cost.delta, evaluations, budget),
    )


def _hint_of_measure(
    measure: LossMeasure, left: Fraction, delta: Fraction, evaluations: int, budget: BudgetStatus
) -> Hint:
    """The hint with an epsilon that is admitted whichever plan it gets, as they cost different amounts."""
    within = measure.epsilon_within(left, delta) if left > 0 else Fraction(0)
    affordable = _written(_EPSILON, within / evaluations)
    if affordable < EPSILON_MIN:
        return Hint.of(_more(budget, begins=True), ".")
    fits_any = f"Lower epsilon to {decimal_text(affordable)} or less, which fits with any noise, or "
    return Hint.of(fits_any, _more(budget), ". EXPLAIN shows what a plan costs.")


def _written(quantity: _Quantity, amount: Fraction) -> Fraction:
    """An amount, rounded down to what can be written."""
    return Fraction(amount * 10**quantity.places // 1, 10**quantity.places)


def _limit_of(budget: BudgetStatus, measure: LossMeasure) -> Fraction:
    largest = RHO_LARGEST if measure.part == "rho" else MU_SQUARED_LARGEST
    if budget.cap.measure is not measure or budget.cap.epsilon is None:
        return largest
    return min(measure.limit(budget.cap.epsilon, budget.delta_to_convert), largest)


def _state_of(budget: BudgetStatus, measure: LossMeasure) -> str:
    epsilon, delta = budget.cap.epsilon, budget.cap.delta
    if budget.cap.measure is not measure or epsilon is None or delta is None:
        return f"The ledger cannot count the {measure.name} of {_whose(budget)} further."
    limits = f"epsilon {decimal_text(epsilon)} at delta {decimal_text(delta)}"
    return f"The cap of {_whose(budget)} is {limits} under {measure.notion}."


def _short(amount: Fraction) -> str:
    """An amount rounded for display; decisions use exact numbers."""
    return f"{float(amount):.6g}"


def _admit(quantity: _Quantity, evaluations: int, sides: list[_Side]) -> None:
    # An amount without a cap is still limited by the ledger's integers.
    limits = [quantity.largest if side.limit is None else side.limit for side in sides]
    if all(side.cost <= limit - side.spent for limit, side in zip(limits, sides, strict=True)):
        return
    # The account that is named, and its numbers, depend only on what may be shown. What is left of the one
    # that refused is never more than what is shown of it.
    lefts = [max(limit - side.told, Fraction(0)) for limit, side in zip(limits, sides, strict=True)]
    short = [(left, side) for left, side in zip(lefts, sides, strict=True) if side.cost > left]
    raise _refusal(quantity, evaluations, *min(short, key=itemgetter(0)))


def _refusal(quantity: _Quantity, evaluations: int, left: Fraction, side: _Side) -> BudgetExceededError:
    name, cost = quantity.name, side.cost
    remains = f"only {decimal_text(left)} remains" if left else "none remains"
    return BudgetExceededError(
        f"query needs {name} {decimal_text(cost)}{_each(cost, evaluations)} but {remains}",
        detail=f"{_state(quantity, side)} No data was read.",
        hint=_hint(quantity, left / evaluations, evaluations, side.budget),
    )


def _each(cost: Fraction, evaluations: int) -> str:
    return f" ({evaluations} evaluations of {decimal_text(cost / evaluations)})" if evaluations > 1 else ""


def _whose(budget: BudgetStatus) -> str:
    when = f" in {budget.period}" if budget.period else ""
    return f"{budget.scope} '{budget.name}'{when}"


def _state(quantity: _Quantity, side: _Side) -> str:
    whose, spent = _whose(side.budget), decimal_text(side.told)
    if side.limit is None:
        return f"The ledger cannot count the {quantity.name} of {whose} further; {spent} is spent."
    return f"The cap of {whose} is {quantity.name} {decimal_text(side.limit)}, of which {spent} is spent."


def _hint(quantity: _Quantity, share: Fraction, evaluations: int, budget: BudgetStatus) -> Hint:
    """The hint with the largest amount that would be admitted, rounded down to what can be written."""
    affordable = _written(quantity, share)
    if affordable >= quantity.smallest:
        lower = f"Lower {quantity.name} to {decimal_text(affordable)} or less, or "
        return Hint.of(lower, _more(budget), ".")
    if evaluations > 1:
        return Hint.of("Evaluate it fewer times, or ", _more(budget), ".")
    return Hint.of(_more(budget, begins=True), ".")


def _more(budget: BudgetStatus, *, begins: bool = False) -> MoreBudget:
    return MoreBudget(budget.scope, budget.name, begins)
