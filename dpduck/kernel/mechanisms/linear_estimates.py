"""Best linear unbiased estimates of the k selected counts, from measurements and free gaps.

The selection has already released how far apart the winners are; a separate measurement says how large they
are. With lambda = Var(selection noise) / Var(measurement noise), the estimate of winner i is

    beta_i = (mean(alpha) + lambda alpha_i + v_i - mean(v)) / (1 + lambda)

where alpha are the measurements and v any levels whose differences are the gaps. This is Theorem 3
of Ding et al. 2019, with its prefix sums written as means. Its error is

    (mean(xi) + lambda xi_i + eta_i - mean(eta)) / (1 + lambda)

for measurement noise xi and selection noise eta: (1 + lambda k) / (k + lambda k) of the variance of
alpha (Corollary 1), which is 50 % less with Laplace selection and 66 % less with exponential
selection for large k at an even split. The gaps are differences of real-valued noise, released on a
fine grid: rounded to whole numbers, k of them would add up to an error of their own. The gap to the best
loser is not used: it brings one equation, and one unknown, the loser's score.

Instead of each winner, the sum of their counts can be measured. One unit moves the sum of the k counts by as
much as all of them together, s = min(k, groups) at most, so a single noise of scale s / e2 measures the
sum, where k noises of that scale would measure its parts. The gaps then place the counts around their
mean, with no weight to choose: lambda = 0 above. The variance is (1 - 1/k) Var(eta) + Var(xi) / k^2. When a
unit may touch all the winners, this is less by a factor of up to 1.8; when it touches one, it is more.
Which of the two is better depends on public parameters only, and `best_split` takes the better one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpduck.kernel.accounting.events import NoisyCount

FINE = Fraction(1, 1024)  # the grid on which gaps are released, in score units

_SHARES = 100


@dataclass(frozen=True)
class Split:
    """How epsilon is divided between selecting k winners and measuring them, and the resulting error.

    `places`: the number of winners to be selected, which sets the selection noise; `variance`: of one
    estimate, in squared score units.
    """

    k: int
    places: int
    sensitivity: int
    selection: Fraction
    measurement: Fraction
    together: bool  # the sum of the winners' counts is measured, not each of them
    weight: float  # lambda; 0 if together
    variance: float

    @property
    def selection_rate(self) -> Fraction:
        """The rate of the exponential noise of the selection."""
        return self.selection / self.places

    @property
    def measurement_rate(self) -> Fraction:
        """The rate of the discrete Laplace noise on each winner's count, or on their sum."""
        return self.measurement / self.sensitivity

    @property
    def measured(self) -> NoisyCount:
        """The event of measuring all k winners: their sum, or each, of which a unit moves `sensitivity`.

        Not if there may be fewer winners (see `among`), which are measured with less noise.
        """
        return NoisyCount(self.measurement, groups=1 if self.together else self.sensitivity)

    def error(self) -> tuple[float, float]:
        """The 2.5 % and 97.5 % points of an estimate's error."""
        return self._spread[:2]

    def half_width(self) -> float:
        """The distance that an estimate's error stays within with probability 0.95."""
        return self._spread[2]

    def error_of_another(self) -> float:
        """The 2.5 % point of the error of a count placed by its gap to k winners whose sum was measured."""
        laplace, exponential = 1 / float(self.measurement_rate), 1 / float(self.selection_rate)
        k = self.k
        return error_spread(((laplace / k, 1),), ((exponential, 1), (-exponential / k, k)))[0]

    @property
    def _spread(self) -> tuple[float, float, float]:
        k, weight = self.k, self.weight
        laplace, exponential = 1 / float(self.measurement_rate), 1 / float(self.selection_rate)
        own, other = (1 / k + weight) / (1 + weight), 1 / (k * (1 + weight))
        others = 0 if self.together else k - 1  # the sum's noise has the factor 1 / k, like one's own
        return error_spread(
            ((own * laplace, 1), (other * laplace, others)),
            ((exponential * (k - 1) * other, 1), (-exponential * other, k - 1)),
        )

    def of(self, winners: int) -> Split:
        """The same noise, with estimates made from the first winners only."""
        return replace(self, k=winners)

    def among(self, winners: int) -> Split:
        """The same epsilons with fewer winners measured, of which one unit moves fewer."""
        if winners in (0, self.k):
            return self
        sensitivity = min(self.sensitivity, winners)
        rates = self.selection_rate, self.measurement / sensitivity
        variance, weight = _variance(*rates, winners, together=self.together)
        return replace(self, k=winners, sensitivity=sensitivity, weight=weight, variance=variance)


def count_variance(rate: Fraction | float) -> float:
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
    """Find the split that minimises the variance of an estimate plus that of the selection noise.

    The selection noise counts a second time because an exact count of the wrong item is of little use: the
    count shown at rank i is off by its estimate's error and by how far the selected item is below the true
    item of that rank, which is about the selection noise.
    Input: k winners; a unit touches at most `sensitivity` of their counts.
    """

    def loss(choice: tuple[bool, int]) -> float:  # in floats: there are many choices, and one is taken
        together, share = choice
        spent = float(epsilon) * share / _SHARES
        rates = spent / k, (float(epsilon) - spent) / sensitivity
        return _variance(*rates, k, together=together)[0] + (k / spent) ** 2

    together, share = min(product((False, True), range(1, _SHARES)), key=loss)
    selection = epsilon * share / _SHARES
    measurement = epsilon - selection
    variance, weight = _variance(selection / k, measurement / sensitivity, k, together=together)
    return Split(k, k, sensitivity, selection, measurement, together, weight, variance)


def _variance(
    selection: Fraction | float, measurement: Fraction | float, k: int, *, together: bool
) -> tuple[float, float]:
    """The variance of an estimate, and lambda, from the rates of the two noises."""
    gap, measured = float(1 / selection) ** 2, count_variance(measurement)
    if together:
        return gap * (1 - 1 / k) + measured / k**2, 0.0
    weight = min(gap / measured, 1e12) if measured else 1e12
    return measured * (1 + weight * k) / (k + weight * k), weight


# How far a sum of Laplace and exponential noises may be from its mean.
#
# The distribution is computed by inverting the characteristic function (Gil-Pelaez 1951, on a grid), at all
# points of a grid by one Fourier transform. With t_j = (j + 1/2) h and x_m = 2 pi m / (M h),
#
#     P(X < x_m) = 1/2 - Im sum_j phi(t_j) e^(-i x_m t_j) h / (pi t_j)
#
# is, but for a factor e^(-i pi m / M), the transform of phi(t_j) h / (pi t_j).


Terms = tuple[tuple[float, int], ...]  # scales of independent noises, and how many there are of each
Floats = NDArray[np.floating[Any]]

_HALF_SPAN = 40  # standard deviations on each side that the transform covers
_SHOWN = 10  # standard deviations on each side in which points are looked for
_LEAST, _MOST = 8, 14  # the logarithms of how many frequencies are used
_COARSEST = 1 << 14  # points of the grid at least: one noise among many is hardly smoothed by them
_NEGLIGIBLE = 22.0  # beyond e^-22 of the characteristic function, the rest is left out


@lru_cache(maxsize=256)
def error_spread(laplace: Terms, exponential: Terms) -> tuple[float, float, float]:
    """The 2.5 % and 97.5 % points of the error, and the 95 % point of its size.

    The error is a fixed combination of Laplace and exponential variables, centred at 0, and is not symmetric.
    Each point is widened by one half because counts are whole numbers.

    >>> [round(point, 2) for point in error_spread(((1.0, 1),), ())]  # 0.5 + ln 20
    [-3.5, 3.5, 3.5]
    """
    x, below = _distribution(laplace, exponential)
    middle = len(x) // 2
    within = below[middle:] - below[middle::-1]
    return (
        _where(x, below, 0.025) - 0.5,
        _where(x, below, 0.975) + 0.5,
        _where(x[middle:], within, 0.95) + 0.5,
    )


def _distribution(laplace: Terms, exponential: Terms) -> tuple[Floats, Floats]:
    """Points from -10 to 10 standard deviations, 0 in the middle, and P(error < point)."""
    variance = sum(2 * n * scale**2 for scale, n in laplace) + sum(n * scale**2 for scale, n in exponential)
    deviation = math.sqrt(variance)
    step = math.pi / (_HALF_SPAN * deviation)
    count = _frequencies(laplace, exponential, step)
    size = max(count, _COARSEST)
    t = (np.arange(count) + 0.5) * step
    turned = np.zeros(count) + sum(n * np.arctan(scale * t) for scale, n in exponential)
    weights = np.exp(1j * turned - _decay(laplace, exponential, t)) * (step / math.pi) / t
    reach = size * _SHOWN // (2 * _HALF_SPAN)
    m = np.arange(-reach, reach + 1)
    sums = np.fft.fft(weights, size)[m] * np.exp(-1j * math.pi * m / size)
    x = m * np.float64(2 * math.pi / (size * step))
    below: Floats = 0.5 - sums.imag
    return x, below


def _frequencies(laplace: Terms, exponential: Terms, step: float) -> int:
    """How many frequencies count: few for many noises, whose sum is smooth."""
    counts = (1 << power for power in range(_LEAST, _MOST))
    decayed = (n for n in counts if _decay(laplace, exponential, np.array([n * step]))[0] > _NEGLIGIBLE)
    return next(decayed, 1 << _MOST)


def _decay(laplace: Terms, exponential: Terms, t: Floats) -> Floats:
    """-ln |phi(t)|."""
    decay: Floats = np.zeros(len(t))
    for scale, n in (*laplace, *((scale, n / 2) for scale, n in exponential)):
        decay += n * np.log1p((scale * t) ** 2)
    return decay


def _where(x: Floats, increasing: Floats, level: float) -> float:
    """Where a smooth function reaches a level, by the cubic through four of its points."""
    place = int(np.searchsorted(increasing, level))
    near = slice(place - 2, place + 2)
    points = list(zip(x[near], increasing[near], strict=True))
    return math.fsum(
        at * math.prod((level - other) / (value - other) for _, other in points if other != value)
        for at, value in points
    )
