"""How far a sum of Laplace and exponential noises may be from its mean.

The distribution is computed by inverting the characteristic function (Gil-Pelaez 1951, on a grid), at all
points of a grid by one Fourier transform. With t_j = (j + 1/2) h and x_m = 2 pi m / (M h),

    P(X < x_m) = 1/2 - Im sum_j phi(t_j) e^(-i x_m t_j) h / (pi t_j)

is, but for a factor e^(-i pi m / M), the transform of phi(t_j) h / (pi t_j).
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

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
