"""What may add up in place of epsilon: rho (zCDP), or mu^2 (GDP), which imply an epsilon at a delta.

A cap has one of them, chosen when it is made: the filter of each is valid alone, and to take the better of
both afterwards is not (docs/LEDGER.md).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Literal

from dpduck.accounting.composition import Cost
from dpduck.accounting.conversion import epsilon_at, rho_limit
from dpduck.accounting.gdp import epsilon_at_mu_squared, mu_squared_limit


@dataclass(frozen=True)
class LossMeasure:
    """One such amount.

    `part`: its field in a cost; `name`: for people; `notion`: of which privacy; `limit(epsilon, delta)`: the
    largest amount that surely implies them, rounded down; `epsilon_at(amount, delta)`: rounded up.
    """

    part: Literal["rho", "mu_squared"]
    name: str
    notion: str
    limit: Callable[[Fraction, Fraction], Fraction]
    epsilon_at: Callable[[Fraction, Fraction], Fraction]

    def of(self, cost: Cost) -> Fraction:
        """The amount of a cost."""
        return cost.rho if self.part == "rho" else cost.mu_squared


MEASURES: Mapping[str, LossMeasure] = MappingProxyType(
    {
        "zcdp": LossMeasure("rho", "rho", "zCDP", rho_limit, epsilon_at),
        "gdp": LossMeasure("mu_squared", "mu squared", "GDP", mu_squared_limit, epsilon_at_mu_squared),
    }
)
