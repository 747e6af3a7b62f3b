"""Sums of totals with a clamp that is chosen privately: by definition, and the exact law.

A table is a list of units, each with its total in each group; 0 is no total.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from tests.oracles.noise import discrete_laplace_cdf, discrete_laplace_pmf

Units = Sequence[Sequence[int]]


def sum_of(units: Units, group: int, clamp: int) -> int:
    """The sum of a group, of totals clamped to [-clamp, clamp]."""
    return sum(min(max(totals[group], -clamp), clamp) for totals in units)


def tail(units: Units, clamp: int) -> int:
    """How many units have a total beyond the clamp."""
    return sum(max(map(abs, totals), default=0) > clamp for totals in units)


def level_of(total: int) -> int:
    """The least j with |total| <= 2^j."""
    return next(level for level in range(200) if abs(total) <= 2**level)


def largest_by_level(units: Units, steps: int) -> list[int]:
    """How many units have their largest total at each level."""
    levels = [max(map(level_of, totals)) for totals in units]
    return [levels.count(level) for level in range(steps + 1)]


def stops(tails: Sequence[int], above: int, p: Fraction, reach: int = 60) -> list[Fraction]:
    """The probability that the walk stops at each level of the ladder, the last of which ends it.

    Input: for each level but the last how many units are above it; c; p = e^-(epsilon / 4); how large the
        threshold's noise may be.
    """
    found = [Fraction(0)] * (len(tails) + 1)
    for z in range(-reach, reach + 1):
        left = discrete_laplace_pmf(z, p)
        for level, tail_count in enumerate(tails):
            stop = discrete_laplace_cdf(above + z - tail_count, p)
            found[level] += left * stop
            left *= 1 - stop
        found[-1] += left
    return found


def law(
    tails: Sequence[int], sums: Sequence[int], above: int, p: Fraction, reach: int = 60
) -> dict[tuple[int, int], Fraction]:
    """The probability of each level and noisy sum within 40 of the true one, of one group.

    Input: as of `stops`, but p = e^-(epsilon / 16); the sum for each level.
    """
    return {
        (level, number): stop * discrete_laplace_pmf(number - sums[level], p ** (8 >> level))
        for level, stop in enumerate(stops(tails, above, p**4, reach))
        for number in range(sums[level] - 40, sums[level] + 41)
    }
