"""Optimal selection of keys found in private rows: the recursion as it is printed, and its exact deltas.

Desfontaines, Voss, Gipson, Mandayam, PoPETs 2022(1), Theorem 1. With x = e^epsilon rational, so is all else.
"""

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction

from tests.oracles.privacy import hockey_stick


def curve(x: Fraction, delta: Fraction, most: int) -> list[Fraction]:
    """pi_0, ..., pi_most.

    >>> [float(p) for p in curve(Fraction(2), Fraction(1, 8), 5)]
    [0.0, 0.125, 0.375, 0.75, 0.9375, 1.0]
    """
    values = [Fraction(0)]
    for _ in range(most):
        last = values[-1]
        values.append(min(x * last + delta, 1 - (1 - last - delta) / x, Fraction(1)))
    return values


def pairs(counts: Sequence[int], values: Sequence[Fraction]) -> list[tuple[Fraction, Fraction]]:
    """All pairs (P(w | D), P(w | D')) for a unit that adds 1 to each of keys with these counts."""
    single = [
        [(values[n], values[n + 1]), (1 - values[n], 1 - values[n + 1])]  # shown, hidden
        for n in counts
    ]
    return [
        (
            math.prod((a for a, _ in joint), start=Fraction(1)),
            math.prod((b for _, b in joint), start=Fraction(1)),
        )
        for joint in itertools.product(*single)
    ]


def exact_delta(counts: Sequence[int], values: Sequence[Fraction], factor: Fraction) -> Fraction:
    """The smallest delta for e^epsilon = factor, in both directions."""
    found = pairs(counts, values)
    return max(hockey_stick(found, factor), hockey_stick([(b, a) for a, b in found], factor))
