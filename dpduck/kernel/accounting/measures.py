"""What may add up in place of epsilon: rho (zCDP), or mu^2 (GDP), which imply an epsilon at a delta.

A cap has one of them, chosen when it is made: the filter of each is valid alone, and to take the better of
both afterwards is not (docs/LEDGER.md).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Literal

from dpduck.kernel.accounting.composition import Cost, rho_of
from dpduck.kernel.accounting.conversion import epsilon_at, rho_limit
from dpduck.kernel.accounting.gaussian import most_mu_squared
from dpduck.kernel.accounting.gdp import epsilon_at_mu_squared, mu_squared_limit, mu_squared_of

_STEPS = 30  # of bisection: more than three digits
_LARGEST = 1000.0  # of which no budget has so much


@dataclass(frozen=True)
class LossMeasure:
    """One such amount.

    `part`: its field in a cost; `name`: for people; `notion`: of which privacy; `limit(epsilon, delta)`: the
    largest amount that surely implies them, rounded down; `epsilon_at(amount, delta)`: rounded up; `of_pure`:
    the amount of what is epsilon-DP.
    """

    part: Literal["rho", "mu_squared"]
    name: str
    notion: str
    limit: Callable[[Fraction, Fraction], Fraction]
    epsilon_at: Callable[[Fraction, Fraction], Fraction]
    of_pure: Callable[[Fraction], Fraction]

    def of(self, cost: Cost) -> Fraction:
        """The amount of a cost."""
        return cost.rho if self.part == "rho" else cost.mu_squared

    def epsilon_within(self, amount: Fraction, delta: Fraction) -> Fraction:
        """An epsilon, of three digits, at which a query surely costs at most an amount; 0 if there is none.

        What pure parts cost together is at most what one part of all their epsilon costs, as the amount for
        each epsilon grows with it. Gaussian noise of a usual delta costs less, and is looked at if there is
        one: of a tiny epsilon its delta is most of its cost. So another plan may fit with a larger epsilon.

        >>> MEASURES["zcdp"].epsilon_within(Fraction(1, 50), Fraction(0))
        Fraction(1, 5)
        """
        low, high = 0.0, 1.0
        while self.of_pure(Fraction(high)) <= amount and high < _LARGEST:
            low, high = high, 2 * high
        for _ in range(_STEPS):
            middle = (low + high) / 2
            low, high = (middle, high) if self.of_pure(Fraction(middle)) <= amount else (low, middle)
        found = _three_digits(low)
        return found if found and self._of_gaussian(found, delta) <= amount else Fraction(0)

    def _of_gaussian(self, epsilon: Fraction, delta: Fraction) -> Fraction:
        if not 0 < delta < 1:
            return Fraction(0)
        mu_squared = most_mu_squared(epsilon, delta)
        return mu_squared / 2 if self.part == "rho" else mu_squared


def _three_digits(number: float) -> Fraction:
    """The largest number of three digits that is not above a positive one."""
    if number <= 0:
        return Fraction(0)
    step = Fraction(10) ** (math.floor(math.log10(number)) - 2)
    return Fraction(number) // step * step


MEASURES: Mapping[str, LossMeasure] = MappingProxyType(
    {
        "zcdp": LossMeasure("rho", "rho", "zCDP", rho_limit, epsilon_at, rho_of),
        "gdp": LossMeasure(
            "mu_squared", "mu squared", "GDP", mu_squared_limit, epsilon_at_mu_squared, mu_squared_of
        ),
    }
)
