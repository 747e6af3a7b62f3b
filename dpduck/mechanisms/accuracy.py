"""How exact a release will be: public facts, from the privacy parameters alone.

Each mechanism says it by a function `accuracy_of_...` in its own file. What they share stands here:
the law of the sum of two Laplace noises of different scales.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

CONFIDENCE = 0.95

_EQUAL = 1e-6  # scales closer than this, relatively, are taken as the larger of the two


@dataclass(frozen=True)
class Accuracy:
    """What noise does to one released number, in that number's own unit.

    `deviation`: the standard deviation. `half_width`: the number is this close to the truth, or
    closer, with probability 0.95.
    """

    deviation: float
    half_width: float


def tail(t: float, one: float, other: float) -> float:
    """P(X + Y > t), t >= 0, for independent Laplace noises of these scales, one of which may be 0.

    Ding, Wang, Zhang, Kifer, PVLDB 13(3), 2019, Lemma 5, with scales for their rates. Scales that are
    all but equal are made equal, upwards, which only makes the answer larger.

    >>> round(tail(math.log(10), 1.0, 0.0), 9), round(tail(0.0, 1.0, 3.0), 9)
    (0.05, 0.5)
    """
    large, small = max(one, other), min(one, other)
    if large - small < _EQUAL * large:
        return (2 + t / large) / 4 * math.exp(-t / large)
    rest = small**2 * math.exp(-t / small) if small else 0.0
    return (large**2 * math.exp(-t / large) - rest) / (2 * (large**2 - small**2))


def tail_of_many(d: float, scale: float, common: float) -> float:
    """A bound on P(max X_i + Y > t) for n Laplace noises X_i and one Y, at t = scale ln(n / 2) + d.

    Given Y, the probability is at most min(1, n P(X > t - Y)), which is 1 from Y = d on and e^(-(d -
    Y)/scale) below, since t - Y is positive there; averaged over Y. Input: n >= 2, d >= 0.

    >>> round(tail_of_many(3.0, 1.0, 1e-9), 6), round(tail_of_many(3.0, 1e-9, 1.0), 6)
    (0.049787, 0.024894)
    """
    own, rate = 1 / scale, 1 / common
    close = abs(own - rate) < _EQUAL * own
    between = d * math.exp(-rate * d) if close else (math.exp(-rate * d) - math.exp(-own * d)) / (own - rate)
    return (math.exp(-rate * d) + rate * (between + math.exp(-own * d) / (own + rate))) / 2


def least(decreasing: Callable[[float], float], level: float, scale: float) -> float:
    """Where a decreasing function of t >= 0 comes down to `level`, from above, to 2^-50 of itself."""
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
