"""Ends of intervals as doubles: where these are further apart than numbers, the next one outwards.

The nearest double to an end keeps the order of all numbers that are doubles themselves. Beyond 2^53 ticks it
may lie within the interval, and leave out numbers near the end.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_EXACT = 2**53  # up to which all whole numbers are doubles


def outward(ticks: Fraction | int, side: float, unit: Fraction = Fraction(1)) -> float:
    """Return an end as a double that is not within the interval. Input: `side`: -inf or inf, where it opens.

    >>> outward(2**63 - 1, -math.inf) == 2.0**63 - 1024, outward(78, math.inf, Fraction(1, 10))
    (True, 7.8)
    """
    exact = ticks * unit
    near = float(exact)
    is_within = Fraction(near) > exact if side < 0 else Fraction(near) < exact
    return near if -_EXACT < ticks < _EXACT or not is_within else math.nextafter(near, side)


def ends_around(counts: NDArray[np.int64], half_width: float) -> tuple[Floats, Floats]:
    """Return the ends of intervals around whole numbers."""
    if not counts.size or max(int(counts.max()), -int(counts.min())) < _EXACT - half_width:
        small = counts.astype(np.float64)
        return small - half_width, small + half_width
    width, whole = Fraction(half_width), counts.tolist()
    lows = [outward(count - width, -math.inf) for count in whole]
    highs = [outward(count + width, math.inf) for count in whole]
    return np.array(lows, np.float64), np.array(highs, np.float64)
