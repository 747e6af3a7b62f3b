"""Gaussian noise beside discrete Laplace noise: deviations and half-widths of one count, and thresholds."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

from benchmarks.accuracy import Table
from dpduck.kernel.accounting.gaussian import most_mu_squared
from dpduck.kernel.mechanisms.additive import half_width, threshold
from dpduck.kernel.mechanisms.gaussian import Variances, correlated, independent
from dpduck.kernel.mechanisms.gaussian_keys import gaussian_threshold
from dpduck.kernel.mechanisms.linear_estimates import count_variance

EPSILONS = (Fraction(1, 10), Fraction(1, 2), Fraction(1), Fraction(2))
DELTAS = (Fraction(1, 10**6), Fraction(1, 10**9))
GROUPS = (1, 2, 4, 8, 16, 32, 64, 128, 1024)
SIZES = (
    *((size, size) for size in (2, 3, 5, 8, 12, 16, 24, 64, 256)),
    *((10, 5), (16, 8), (24, 6), (64, 16), (64, 32), (365, 30)),
)


def deviation(epsilon: Fraction, delta: Fraction, groups: int) -> float:
    """The standard deviation of the noise of one count: Laplace if delta is 0, else Gaussian."""
    if not delta:
        return math.sqrt(count_variance(epsilon / groups))
    return math.sqrt(_alone(epsilon, delta, groups).total)


def shared_ratio(size: int, groups: int) -> float:
    """The variance of noise that `size` groups share in part, over that of independent noise."""
    found = correlated(Fraction(1), bound=1, groups=groups, size=size)
    return 1.0 if found is None else float(found.total / groups)


def first_better(epsilon: Fraction, delta: Fraction, *, shared: bool, by_width: bool) -> int:
    """The least number of groups of one unit from which Gaussian noise is less than Laplace noise."""

    def gaussian(groups: int) -> Variances:
        mu_squared = most_mu_squared(epsilon, delta)
        together = correlated(mu_squared, bound=1, groups=groups, size=groups) if shared else None
        return together or independent(mu_squared, bound=1, groups=groups)

    def is_better(groups: int) -> bool:
        if by_width:
            return gaussian(groups).half_width() < half_width(epsilon / groups)
        return math.sqrt(gaussian(groups).total) < deviation(epsilon, Fraction(0), groups)

    return next(groups for groups in range(1, 10_000) if is_better(groups))


def tables() -> Sequence[Table]:
    """All tables of the section."""
    return [_deviations(), _ratios(), _firsts(), _thresholds()]


def _alone(epsilon: Fraction, delta: Fraction, groups: int) -> Variances:
    return independent(most_mu_squared(epsilon, delta), bound=1, groups=groups)


def _deviations() -> Table:
    rows = [("epsilon", "noise", *(f"m={groups}" for groups in GROUPS))]
    for epsilon in EPSILONS:
        for delta in (Fraction(0), *DELTAS):
            name = f"Gauss, {float(delta):g}" if delta else "pure"
            cells = (f"{deviation(epsilon, delta, groups):.3g}" for groups in GROUPS)
            rows.append((f"{float(epsilon):g}", name, *cells))
    return Table("deviations", "standard deviation of one count, units in m groups", tuple(rows))


def _ratios() -> Table:
    rows = [("groups d", "of one unit m", "variance / independent")]
    rows += [(str(d), str(m), f"{shared_ratio(d, m):.3f}") for d, m in SIZES]
    return Table("correlated", "variance of correlated noise, numbers that all move one way", tuple(rows))


def _firsts() -> Table:
    rows = [("epsilon", "delta", "by deviation", "by half-width", "correlated, m = d", "by half-width")]
    for epsilon in EPSILONS:
        for delta in DELTAS:
            cells = (
                str(first_better(epsilon, delta, shared=shared, by_width=by_width))
                for shared in (False, True)
                for by_width in (False, True)
            )
            rows.append((f"{float(epsilon):g}", f"{float(delta):g}", *cells))
    return Table("first m", "groups of one unit from which Gaussian noise is less", tuple(rows))


def _thresholds() -> Table:
    epsilon, delta, many = Fraction(1), DELTAS[0], (1, 4, 16, 64, 256)
    by_noise: tuple[tuple[str, Callable[[int], int]], ...] = (
        ("discrete Laplace", lambda groups: threshold(epsilon, delta, groups)),
        ("Gaussian", lambda groups: gaussian_threshold(epsilon, delta, groups).least),
    )
    rows = [("noise", *(f"m={groups}" for groups in many))]
    rows += [(name, *(str(least(groups)) for groups in many)) for name, least in by_noise]
    return Table("thresholds", "least noisy count of a key of private rows that is shown", tuple(rows))
