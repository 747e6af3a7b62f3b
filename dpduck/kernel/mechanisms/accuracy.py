"""The expected error of a release, computed from public privacy parameters alone.

Each mechanism computes its own in a function `accuracy_of_...` in its file. This file holds what they share:
the distribution of the sum of two Laplace noises of different scales.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

CONFIDENCE = 0.95

_EQUAL = 1e-6  # scales that differ by less than this, relatively, are replaced by the larger one


@dataclass(frozen=True)
class Accuracy:
    """The error that noise adds to one released number, in that number's unit.

    `deviation`: the standard deviation. `half_width`: the largest distance to the true value that is not
    exceeded with probability 0.95.
    """

    deviation: float
    half_width: float


def doubt_of_shown(shown: int, released: int) -> float:
    """How often the interval of a number may miss, where noise decides which of those released are shown.

    Of independent numbers, each of which is shown or not whatever the others are, intervals that miss with
    probability 0.05 shown / released are such that 5 % of those shown miss at most, on average over answers
    (the false coverage rate: Benjamini, Yekutieli, JASA 2005, Theorem 1).

    >>> doubt_of_shown(10, 10) == 1 - CONFIDENCE, round(doubt_of_shown(2, 10), 9)
    (True, 0.01)
    """
    return (1 - CONFIDENCE) * (max(shown, 1) / max(released, 1))


def tail(t: float, one: float, other: float) -> float:
    """P(X + Y > t), t >= 0, for independent Laplace noises of these scales, one of which may be 0.

    Ding, Wang, Zhang, Kifer, PVLDB 13(3), 2019, Lemma 5, with scales in place of rates. Nearly equal scales
    are both rounded up to the larger one, which can only increase the result.

    >>> round(tail(math.log(10), 1.0, 0.0), 9), round(tail(0.0, 1.0, 3.0), 9)
    (0.05, 0.5)
    """
    large, small = max(one, other), min(one, other)
    if large - small < _EQUAL * large:
        return (2 + t / large) / 4 * math.exp(-t / large)
    rest = small**2 * math.exp(-t / small) if small else 0.0
    return (large**2 * math.exp(-t / large) - rest) / (2 * (large**2 - small**2))


def log_tail_of_difference(x: int, one: float, other: float) -> float:
    """ln P(X - Y >= x) for independent discrete Laplace noises X and Y of these rates, exactly.

    With p and r their bases, p the larger: P(X - Y = d) = c (p p^|d| / (1 - p^2) - r r^|d| / (1 - r^2)) by
    partial fractions of the generating functions, c = (1 - p)^2 (1 - r)^2 / ((p - r) (1 - p r)); summed up.
    Rates that are all but equal are made equal to 1e-6.

    >>> round(math.exp(log_tail_of_difference(1, 1.0, 2.0)), 9), log_tail_of_difference(0, 1.0, 2.0) < 0
    (0.305586695, True)
    """
    if x <= 0:
        return math.log1p(-math.exp(log_tail_of_difference(1 - x, one, other)))
    slow, fast = min(one, other), max(one, other)
    if fast - slow < _EQUAL * fast:
        fast = slow * (1 + _EQUAL)
    p, to_one_p, to_one_r = math.exp(-slow), -math.expm1(-slow), -math.expm1(-fast)
    r = math.exp(-fast)
    between = p * -math.expm1(slow - fast) * -math.expm1(-slow - fast)  # (p - r) (1 - p r)
    factor = (to_one_p * to_one_r) ** 2 / between
    first = p / (to_one_p**2 * (1 + p))
    second = r / (to_one_r**2 * (1 + r)) * math.exp((slow - fast) * x)
    return math.log(factor * (first - second)) - slow * x


def least(decreasing: Callable[[float], float], level: float, scale: float) -> float:
    """The smallest t >= 0 where a decreasing function is at most `level`, rounded up, to 2^-50 of t."""
    low, high = 0.0, scale
    while decreasing(high) > level:
        low, high = high, 2 * high
    while high - low > high * 2.0**-50:
        middle = (low + high) / 2
        if decreasing(middle) > level:
            low = middle
        else:
            high = middle
    return high
