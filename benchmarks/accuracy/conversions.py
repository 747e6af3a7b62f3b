"""The rho that a cap in epsilon and delta admits: by the best order, and by the classical formula."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from benchmarks.accuracy import Table
from dpduck.kernel.accounting.conversion import epsilon_at, rho_limit

CAPS = tuple(
    (Fraction(epsilon), Fraction(1, 10**places))
    for epsilon, places in (
        *(("1/2", places) for places in (5, 6, 9)),
        *(("1", places) for places in (5, 6, 9)),
        *(("2", places) for places in (6, 9)),
        ("4", 6),
        *(("10", places) for places in (5, 6)),
    )
)


def classical_limit(epsilon: Fraction, delta: Fraction) -> float:
    """The rho with rho + 2 sqrt(rho ln(1 / delta)) = epsilon (Bun and Steinke 2016)."""
    log = -math.log(delta)
    return (math.sqrt(log + float(epsilon)) - math.sqrt(log)) ** 2


def classical_epsilon(rho: float, delta: Fraction) -> float:
    """The epsilon of the same formula."""
    return rho + 2 * math.sqrt(-rho * math.log(delta))


def tables() -> Sequence[Table]:
    """All tables of the section."""
    return [_limits(), _epsilons()]


def _limits() -> Table:
    rows = [("epsilon", "delta", "classical", "best order", "ratio")]
    for epsilon, delta in CAPS:
        before, now = classical_limit(epsilon, delta), float(rho_limit(epsilon, delta))
        rows.append(
            (f"{float(epsilon):g}", f"{float(delta):g}", f"{before:.6f}", f"{now:.6f}", f"{now / before:.2f}")
        )
    return Table("rho of a cap", "the largest rho that implies epsilon and delta", tuple(rows))


def _epsilons() -> Table:
    rows, delta = [("rho", "classical", "best order")], Fraction(1, 10**6)
    for rho in (Fraction(1, 1000), Fraction(1, 50), Fraction(1, 10), Fraction(1)):
        before, now = classical_epsilon(float(rho), delta), float(epsilon_at(rho, delta))
        rows.append((f"{float(rho):g}", f"{before:.6f}", f"{now:.6f}"))
    return Table("epsilon of rho", "what rho implies at delta 1e-6", tuple(rows))
