"""Amounts as the integers that are stored: exact, or refused."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from numbers import Rational

from dpduck.kernel.accounting.amounts import DELTA_PLACES, EPSILON_PLACES, MU_SQUARED_PLACES, RHO_PLACES
from dpduck.kernel.accounting.composition import Cost
from dpduck.kernel.accounting.gdp import mu_squared_of
from dpduck.kernel.errors import InternalError

_ZERO = Fraction(0)
LARGEST_INTEGER = 2**63 - 1
EPSILON_LARGEST = Fraction(LARGEST_INTEGER, 10**EPSILON_PLACES)
DELTA_LARGEST = Fraction(LARGEST_INTEGER, 10**DELTA_PLACES)
RHO_LARGEST = Fraction(LARGEST_INTEGER, 10**RHO_PLACES)
MU_SQUARED_LARGEST = Fraction(LARGEST_INTEGER, 10**MU_SQUARED_PLACES)


def epsilon_units(epsilon: Fraction | None) -> int | None:
    """Convert epsilon to the integer that is stored. Errors: InternalError if that would round.

    >>> epsilon_units(Fraction(1, 10))
    100000000
    """
    return None if epsilon is None else _units(epsilon, EPSILON_PLACES, "epsilon")


def delta_units(delta: Fraction | None) -> int | None:
    """Convert delta to the integer that is stored. Errors: InternalError if that would round."""
    return None if delta is None else _units(delta, DELTA_PLACES, "delta")


def epsilon_amount(units: int | None) -> Fraction | None:
    """Convert a stored epsilon back."""
    return None if units is None else Fraction(units, 10**EPSILON_PLACES)


def delta_amount(units: int | None) -> Fraction | None:
    """Convert a stored delta back."""
    return None if units is None else Fraction(units, 10**DELTA_PLACES)


def cost_units(cost: Cost) -> dict[str, int]:
    """Convert a cost to the integers that are stored. Errors: InternalError if that would round."""
    return {
        "epsilon": _units(cost.epsilon, EPSILON_PLACES, "epsilon"),
        "delta": _units(cost.delta, DELTA_PLACES, "delta"),
        "rho": _units(cost.rho, RHO_PLACES, "rho"),
        "mu_squared": _units(cost.mu_squared, MU_SQUARED_PLACES, "mu squared"),
        "keys_delta": _units(cost.keys_delta, DELTA_PLACES, "delta"),
    }


def cost_amount(epsilon: int, delta: int, rho: int, mu_squared: int, keys_delta: int) -> Cost:
    """Convert a stored cost back."""
    return Cost(
        _amount(epsilon, EPSILON_PLACES),
        _amount(delta, DELTA_PLACES),
        _amount(rho, RHO_PLACES),
        _amount(mu_squared, MU_SQUARED_PLACES),
        _amount(keys_delta, DELTA_PLACES),
    )


def charge_amount(epsilon: int, delta: int, rho: int, mu_squared: int | None, keys_delta: int | None) -> Cost:
    """Convert the stored cost of a charge back.

    Charges of versions before 5 have no mu^2. It is that of their epsilon, since all of them were pure but
    for delta, and an epsilon that adds up pure events is that of one; all of their delta was of keys.
    """
    if mu_squared is not None and keys_delta is not None:
        return cost_amount(epsilon, delta, rho, mu_squared, keys_delta)
    pure = cost_amount(epsilon, delta, rho, 0, delta)
    return replace(pure, mu_squared=mu_squared_of(pure.epsilon))


def _amount(units: int, places: int) -> Fraction:
    return Fraction(units, 10**places) if units else _ZERO


def _units(amount: Fraction, places: int, name: str) -> int:
    # In integers, since each charge does this some ten times, and arithmetic of fractions is slow.
    if isinstance(amount, (Fraction, Rational)):  # Rational alone is slow to tell
        units, rest = divmod(amount.numerator * 10**places, amount.denominator)
        if not rest and 0 <= units <= LARGEST_INTEGER:
            return int(units)
    raise InternalError(f"{name} {amount} cannot be recorded exactly")
