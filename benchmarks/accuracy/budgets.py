"""How many queries of one kind a budget admits: by the sum of epsilons, of rho, and of mu^2."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from benchmarks.accuracy import Table
from benchmarks.accuracy.conversions import classical_limit
from dpduck.kernel.accounting.composition import cost_of
from dpduck.kernel.accounting.conversion import rho_limit
from dpduck.kernel.accounting.events import Event, GumbelTopK, Histogram, NoisyCount
from dpduck.kernel.accounting.gdp import mu_squared_limit

GROUPS = 16
CASES = tuple(
    (Fraction(epsilon), Fraction(1, 10**places), Fraction(each))
    for epsilon, places, each in (
        ("1", 6, "0.1"),
        ("1", 6, "0.02"),
        ("2", 6, "0.1"),
        ("10", 6, "0.5"),
        ("10", 5, "0.1"),
    )
)


def admitted(event: Event, epsilon: Fraction, delta: Fraction) -> int:
    """The number of such events whose rho fits, if all of delta converts rho."""
    return rho_limit(epsilon, delta) // cost_of(event).rho


def admitted_in_mu_squared(each: Fraction, epsilon: Fraction, delta: Fraction) -> int:
    """The number of counts that fit, each with Gaussian noise of the variance that Laplace noise has."""
    odds = math.exp(-each)
    mu_squared = Fraction((1 - odds) ** 2 / (2 * odds))
    return mu_squared_limit(epsilon, delta) // mu_squared


def tables() -> Sequence[Table]:
    """All tables of the section."""
    header = (
        "budget",
        "epsilon",
        "pure",
        "classical",
        "one count",
        f"histogram m={GROUPS}",
        "selection",
        "Gaussian, gdp",
    )
    rows = [header]
    for epsilon, delta, each in CASES:
        one, many = NoisyCount(each), Histogram(each, groups=GROUPS)
        before = classical_limit(epsilon, delta) / float(cost_of(one).rho)
        cells = (admitted(event, epsilon, delta) for event in (one, many, GumbelTopK(each)))
        rows.append(
            (
                f"{float(epsilon):g}, {float(delta):g}",
                f"{float(each):g}",
                str(epsilon // each),
                str(int(before)),
                *map(str, cells),
                str(admitted_in_mu_squared(each, epsilon, delta)),
            )
        )
    return [Table("queries of a budget", "how many fit, with KEYS DELTA 0", tuple(rows))]
