"""Whether a charge may be made: a filter over every account, and the words of its refusal.

The sum of the costs against a cap is a valid filter even when the analyst picks each epsilon after
seeing the answers so far (Rogers et al. 2016). It decides on facts that the store has read within
the transaction that will record the charge.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpduck.errors import BudgetExceededError, decimal_text
from dpduck.ledger.record import DELTA_LARGEST, EPSILON_LARGEST, Budget, Charge
from dpduck.quantities import DELTA_PLACES, EPSILON_MIN, EPSILON_PLACES


@dataclass(frozen=True)
class _Quantity:
    """Epsilon or delta: what its numbers are called and where they end."""

    name: str
    places: int
    smallest: Fraction
    largest: Fraction


_EPSILON = _Quantity("epsilon", EPSILON_PLACES, EPSILON_MIN, EPSILON_LARGEST)
_DELTA = _Quantity("delta", DELTA_PLACES, Fraction(1, 10**DELTA_PLACES), DELTA_LARGEST)


@dataclass(frozen=True)
class _Side:
    """What one account may spend of one quantity, and has spent."""

    budget: Budget
    limit: Fraction | None
    spent: Fraction


def admit(charge: Charge, budgets: Sequence[Budget]) -> None:
    """Check that every budget can bear the charge: spent + cost <= limit, for epsilon and delta.

    Input: the budgets of the charge's accounts as they are before the charge.
    Errors: BudgetExceededError, which names the budget that allows the least.
    """
    epsilons = [_Side(b, b.epsilon_limit, b.epsilon_spent) for b in budgets]
    _admit(_EPSILON, charge.epsilon, charge.evaluations, epsilons)
    deltas = [_Side(b, b.delta_limit, b.delta_spent) for b in budgets]
    _admit(_DELTA, charge.delta, charge.evaluations, deltas)


def _admit(quantity: _Quantity, cost: Fraction, evaluations: int, sides: list[_Side]) -> None:
    # What is not capped still ends where the ledger's integers do.
    lefts = [(quantity.largest if s.limit is None else s.limit) - s.spent for s in sides]
    left = min(lefts)
    if cost > left:
        tightest = sides[lefts.index(left)]
        raise _refusal(quantity, cost, evaluations, max(left, Fraction(0)), tightest)


def _refusal(
    quantity: _Quantity, cost: Fraction, evaluations: int, left: Fraction, side: _Side
) -> BudgetExceededError:
    name = quantity.name
    each = f" ({evaluations} evaluations of {decimal_text(cost / evaluations)})" if evaluations > 1 else ""
    remains = f"only {decimal_text(left)} remains" if left else "none remains"
    return BudgetExceededError(
        f"query needs {name} {decimal_text(cost)}{each} but {remains}",
        detail=f"{_state(quantity, side)} No data was read.",
        hint=_hint(quantity, left / evaluations, evaluations),
    )


def _state(quantity: _Quantity, side: _Side) -> str:
    whose = f"{side.budget.scope} '{side.budget.name}'"
    spent = decimal_text(side.spent)
    if side.limit is None:
        return f"The ledger cannot count the {quantity.name} of {whose} further; {spent} is spent."
    return f"The cap of {whose} is {quantity.name} {decimal_text(side.limit)}, of which {spent} is spent."


def _hint(quantity: _Quantity, share: Fraction, evaluations: int) -> str:
    """Say what would be admitted, rounded down to what can be written."""
    affordable = Fraction(share * 10**quantity.places // 1, 10**quantity.places)
    if affordable < quantity.smallest:
        fewer = "Evaluate it fewer times, or ask" if evaluations > 1 else "Ask"
        return f"{fewer} the data owner for more."
    return f"Lower {quantity.name} to {decimal_text(affordable)} or less, or ask the data owner for more."
