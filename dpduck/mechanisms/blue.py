"""Best linear unbiased estimates of the k selected counts, from measurements and free gaps.

The selection has already said how far apart the winners are; a separate measurement says where they
are. With lambda = Var(selection noise) / Var(measurement noise), the estimate of winner i is

    beta_i = (mean(alpha) + lambda alpha_i + v_i - mean(v)) / (1 + lambda)

where alpha are the measurements and v any levels whose differences are the gaps. This is Theorem 3
of Ding et al. 2019, with its prefix sums written as means. Its error is

    (mean(xi) + lambda xi_i + eta_i - mean(eta)) / (1 + lambda)

for measurement noise xi and selection noise eta: (1 + lambda k) / (k + lambda k) of the variance of
alpha (Corollary 1), which is 50 % less with Laplace selection and 66 % less with exponential
selection for large k at an even split. The gaps are those of the noise's ideal real numbers, read on a
fine grid: rounded to whole numbers, k of them would add up to an error of their own.

The measurement need not be of each winner. One unit moves the sum of the k counts by as much as it
moves all of them together, s = min(k, groups) at most, so a single noise of scale s / e2 measures the
sum, where k noises of that scale would measure its parts; the gaps then place the counts around their
mean, with no choice left: lambda = 0 above. The variance is (1 - 1/k) Var(eta) + Var(xi) / k^2. When a
unit may touch all the winners, this is less by a factor of up to 1.8; when it touches one, it is more.
The better of the two is known beforehand, and taken.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np

FINE = Fraction(1, 1024)  # the grid on which gaps are read, in score units

_SHARES = 100
# Selection always gets half or more: an exact count of the wrong item is worth little. Where more
# helps the counts as well (k above 2, if their sum is measured), it gets more.
_LEAST_SHARE = 50


@dataclass(frozen=True)
class Split:
    """How epsilon is divided between selecting k winners and measuring them, and what that gives.

    `variance` is that of one estimate, in squared score units.
    """

    k: int
    sensitivity: int
    selection: Fraction
    measurement: Fraction
    together: bool  # the sum of the winners' counts is measured, not each of them
    weight: float  # lambda; 0 if together
    variance: float

    @property
    def selection_rate(self) -> Fraction:
        """The rate of the exponential noise that selects."""
        return self.selection / self.k

    @property
    def measurement_rate(self) -> Fraction:
        """The rate of the discrete Laplace noise on each winner's count, or on their sum."""
        return self.measurement / self.sensitivity

    def error(self, winners: int) -> tuple[float, float]:
        """The 2.5 % and 97.5 % points of an estimate's error, with that many winners."""
        return self._spread(winners)[:2]

    def half_width(self, winners: int) -> float:
        """What an estimate's error stays within, on either side, with probability 0.95."""
        return self._spread(winners)[2]

    def _spread(self, winners: int) -> tuple[float, float, float]:
        return _error_spread(
            self.selection_rate, self.measurement_rate, winners, self.weight, together=self.together
        )


def count_variance(rate: Fraction) -> float:
    """The variance 2p/(1-p)^2 of discrete Laplace noise with p = e^(-rate)."""
    return 2 * math.exp(-rate) / math.expm1(-float(rate)) ** 2


def estimate(measured: Sequence[float], gaps: tuple[float, ...], weight: float) -> list[float]:
    """Combine k measurements with the k - 1 gaps between them; `weight` is lambda.

    A measured sum is given as k equal parts, with weight 0.

    >>> estimate([10, 4], (2.0,), 1.0)
    [9.0, 5.0]
    """
    k = len(measured)
    if k == 0:
        return []
    levels = np.concatenate(([0.0], -np.cumsum(gaps[: k - 1])))
    alpha = np.array(measured, dtype=np.float64)
    beta = (alpha.mean() + weight * alpha + levels - levels.mean()) / (1 + weight)
    return [float(b) for b in beta]


@lru_cache(maxsize=256)
def best_split(epsilon: Fraction, k: int, sensitivity: int) -> Split:
    """The split with the smallest variance of an estimate, selection getting half or more.

    Input: k winners; a unit touches at most `sensitivity` of their counts.
    """

    def split(share: int, *, together: bool) -> Split:
        selection = epsilon * share / _SHARES
        weight, variance = _variance(selection, epsilon - selection, k, sensitivity, together=together)
        return Split(k, sensitivity, selection, epsilon - selection, together, weight, variance)

    shares = range(_LEAST_SHARE, _SHARES)
    splits = [split(share, together=together) for together in (False, True) for share in shares]
    return min(splits, key=lambda found: found.variance)


def _variance(
    selection: Fraction, measurement: Fraction, k: int, sensitivity: int, *, together: bool
) -> tuple[float, float]:
    """lambda, and the variance of an estimate."""
    gap, measured = float(k / selection) ** 2, count_variance(measurement / sensitivity)
    if together:
        return 0.0, gap * (1 - 1 / k) + measured / k**2
    weight = min(gap / measured, 1e12) if measured else 1e12
    return weight, measured * (1 + weight * k) / (k + weight * k)


@lru_cache(maxsize=256)
def _error_spread(
    selection_rate: Fraction, measurement_rate: Fraction, k: int, weight: float, *, together: bool
) -> tuple[float, float, float]:
    """The 2.5 % and 97.5 % points of an estimate's error, and the 95 % point of its size.

    The error is a fixed combination of k Laplace variables (one for a sum) and k exponential ones; its
    distribution is found by inverting the characteristic function (Gil-Pelaez 1951, on a grid). It is
    not symmetric. Each is widened by one half for what whole numbers add.
    """
    own, other = (1 / k + weight) / (1 + weight), 1 / (k * (1 + weight))
    others = 0 if together else k - 1  # the sum's noise comes with the factor 1 / k, like one's own
    laplace, exponential = 1 / float(measurement_rate), 1 / float(selection_rate)
    deviation = math.sqrt(2 * laplace**2 * (own**2 + others * other**2) + exponential**2 * (k - 1) * other)
    t = (np.arange(1 << 14) + 0.5) * (math.pi / (40 * deviation))
    log_phi = (
        -np.log1p((own * laplace * t) ** 2)
        - others * np.log1p((other * laplace * t) ** 2)
        - np.log(1 - 1j * exponential * (k - 1) * other * t)
        - (k - 1) * np.log(1 + 1j * exponential * other * t)
    )
    phi = np.exp(log_phi) / t
    weights = phi * (t[1] - t[0]) / math.pi

    def below(x: float) -> float:  # a sum, not a product: the threads of BLAS cost more than they save
        return 0.5 - float(np.sum(np.exp(-1j * x * t) * weights).imag)

    span = 20 * deviation

    def within(x: float) -> float:
        return below(x) - below(-x)

    return (
        _solve(below, 0.025, -span, span) - 0.5,
        _solve(below, 0.975, -span, span) + 0.5,
        _solve(within, 0.95, 0.0, span) + 0.5,
    )


def _solve(increasing: Callable[[float], float], level: float, low: float, high: float) -> float:
    """Where an increasing function reaches `level`, by bisection."""
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if increasing(middle) < level else (low, middle)
    return (low + high) / 2
