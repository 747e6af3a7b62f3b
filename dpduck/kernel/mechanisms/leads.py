"""By how much a group must lead so that noise does not hide it, in scales of the noise.

Of n groups that are equal, the largest noise grows with ln n. So what a selection needs to be right depends
on the number of its candidates as well, and not in the same way for each noise: of Laplace noise only one
half raises a count, but its other half lowers the winner's; Gaussian noise grows with the root of ln n alone.
"""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dpduck.kernel.mechanisms.accuracy import CONFIDENCE, least

Noise = Literal["exponential", "laplace", "gumbel", "gaussian"]
Floats = NDArray[np.float64]

_POINTS = 4096  # of the winner's noise, of equal probability


@lru_cache(maxsize=256)
def lead(noise: Noise, others: int) -> float:
    """The lead over `others` equal groups with which a group comes before all of them at 95 %.

    >>> [round(lead("exponential", n), 1) for n in (1, 1_000)], round(lead("laplace", 1_000), 1)
    ([2.3, 9.2], 10.1)
    >>> round(lead("gaussian", 1_000), 1)  # standard deviations
    5.0
    """
    own = _quantiles(noise, (np.arange(_POINTS) + 0.5) / _POINTS)
    return least(lambda t: float(np.mean(_passed(noise, own + t, others))), 1 - CONFIDENCE, 1.0)


@lru_cache(maxsize=256)
def reach_of_all(noise: Noise, others: int) -> float:
    """What none of the noises of `others` groups exceeds at 95 %: the lead over them of a fixed threshold.

    >>> round(reach_of_all("laplace", 1), 2), round(reach_of_all("laplace", 1_000), 1)
    (2.3, 9.2)
    """
    return least(lambda t: float(_passed(noise, np.array([t]), others)[0]), 1 - CONFIDENCE, 1.0)


def _passed(noise: Noise, x: Floats, others: int) -> Floats:
    """P(the largest of the noises > x)."""
    passed: Floats = -np.expm1(others * np.log1p(-np.minimum(_tail(noise, x), 1 - 1e-16)))
    return passed


def _tail(noise: Noise, x: Floats) -> Floats:
    """P(one noise > x)."""
    far: Floats = np.exp(-np.abs(x))
    match noise:
        case "exponential":
            return far
        case "laplace":
            return np.where(x > 0, far / 2, 1 - far / 2)
        case "gumbel":
            return -np.expm1(-np.exp(-x))
        case "gaussian":
            return np.array([math.erfc(each / math.sqrt(2)) / 2 for each in x.tolist()])


def _quantiles(noise: Noise, p: Floats) -> Floats:
    match noise:
        case "exponential":
            return -np.log1p(-p)
        case "laplace":
            return np.where(p < 0.5, np.log(2 * p), -np.log(2 * (1 - p)))
        case "gumbel":
            return -np.log(-np.log(p))
        case "gaussian":
            return np.array([NormalDist().inv_cdf(each) for each in p.tolist()])
