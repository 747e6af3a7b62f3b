"""Intervals of proportions for a population, from noisy numbers of successes and failures.

All of it is post-processing of the pairs of `averages`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from dpduck.kernel.mechanisms.accuracy import CONFIDENCE

Floats = NDArray[np.float64]

# |a X + b Y| <= REACH |(a, b)| with probability 0.95 at least, X and Y Laplace noise of scale 1.
REACH = math.log(20)


def score_intervals(
    successes: Sequence[float] | Floats,
    failures: Sequence[float] | Floats,
    scale: float,
    rows: int = 1,
    doubt: float = 1 - CONFIDENCE,
) -> tuple[Floats, Floats]:
    """Return the ends of the intervals of proportions, which hold for the population at 95 %, or 1 - doubt.

    Input: noisy numbers, with Laplace noise of a scale on each; at most `rows` values are of one unit.
    Method: p is accepted if, with n = A + B, ((1 - p) A - p B)^2 <= z^2 r n p (1 - p) + reach^2 s^2 (p^2 + (1
        - p)^2): the score interval (Wilson 1927), in which noise has the part that it has in that of Fieller
        1954. The left side is A - p n, of which sampling has at p the variance of r n p (1 - p) at most, also
        if the values are averages in [0, 1]. It is a quadratic inequality in p. Where noise is as large as n,
        it accepts everything, or all but a middle: then the interval is [0, 1]. Numbers that noise made
        negative count as 0, so that no interval is empty.
    """
    a, b = (np.maximum(np.asarray(each, dtype=np.float64), 0.0) for each in (successes, failures))
    n = a + b
    z, reach = NormalDist().inv_cdf(1 - doubt / 2), REACH * math.log(doubt) / math.log(1 - CONFIDENCE)
    chance, noise = z**2 * rows * np.maximum(n, 1.0), (reach * scale) ** 2
    square = n * n - 2 * noise + chance
    mixed = a * n - noise + chance / 2  # minus one half of the factor of p
    rest = a * a - noise
    known = (square > 0) & (n > 0)
    divisor = np.where(known, square, 1.0)
    root = np.sqrt(np.maximum(mixed * mixed - square * rest, 0.0))
    low = np.where(known, np.clip((mixed - root) / divisor, 0.0, 1.0), 0.0)
    high = np.where(known, np.clip((mixed + root) / divisor, 0.0, 1.0), 1.0)
    return low, high


def half_width_of_half(count: int, scale: float, rows: int = 1) -> float:
    """Return how far a proportion of 1/2 of so many values may be off at 95 %, at most 1.

    >>> round(half_width_of_half(1000, 1.0), 4)
    0.031
    """
    [low], [high] = score_intervals([count / 2], [count / 2], scale, rows)
    return float(high - low) / 2 if high - low < 1 else 1.0
