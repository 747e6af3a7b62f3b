"""Hints that name a delta, with one that the budgets of the session still allow.

The planner knows no budget, and its hints name a usual delta. Who follows one is not to be refused for it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpduck.kernel.errors import DpduckError, PolicyError
from dpduck.kernel.errors.advice import Action, Hint, SetTo
from dpduck.kernel.ledger import BudgetStatus

_SETTING = "dp_delta"


@dataclass(frozen=True)
class NoDelta(Action):
    """In place of a delta that no query may have. `whose`: the budget that allows none."""

    whose: str

    def sql(self) -> str:
        return f"a delta, of which {self.whose} has none left: its owner can raise it"


def names_delta(error: DpduckError) -> bool:
    """Whether the hint of an error is to set a delta."""
    return isinstance(error.advice, Hint) and any(map(_is_delta, error.advice.parts))


def allowed(error: DpduckError, budgets: Sequence[BudgetStatus]) -> Hint | None:
    """Return the hint of an error with a delta that budgets allow; None if it names none.

    Input: the budgets of the accounts that the query may be charged to. What keys spend of delta adds up;
    that of noise has to be below the cap of each, where rho or mu squared adds up.
    """
    if not isinstance(error.advice, Hint):
        return None
    limits = [_left(budget, for_keys=isinstance(error, PolicyError)) for budget in budgets]
    known = [(left, budget) for left, budget in zip(limits, budgets, strict=True) if left is not None]
    if not known:
        return error.advice
    left, budget = min(known, key=lambda pair: pair[0])
    parts = (_within(part, left, budget) if _is_delta(part) else part for part in error.advice.parts)
    return Hint(tuple(parts))


def _is_delta(part: str | Action) -> bool:
    return isinstance(part, SetTo) and part.name == _SETTING


def _left(budget: BudgetStatus, *, for_keys: bool) -> Fraction | None:
    """Return what one query may still have of delta, as it may be shown; None if it is not limited."""
    cap = budget.cap
    if cap.measure is None:
        return None if cap.delta is None else cap.delta - budget.spent.delta
    if not for_keys or cap.delta_of_events is None:
        return cap.delta
    return cap.delta_of_events - budget.spent.keys_delta


def _within(part: str | Action, left: Fraction, budget: BudgetStatus) -> str | Action:
    """Return a setting of delta, or the largest power of ten below it that is left."""
    assert isinstance(part, SetTo)
    if Fraction(part.value) <= left:
        return part
    power = math.floor(math.log10(left)) if left > 0 else 0
    if power < -18 or not left > 0:
        return NoDelta(f"{budget.scope} '{budget.name}'")
    exact = power if Fraction(10) ** power <= left else power - 1
    return SetTo(_SETTING, f"1e{exact}")
