"""Counts of units that count in at most m of their groups: by definition, and the exact law.

A table is a list of units, each with its groups in an order of its own, and what it has in each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from tests.oracles.noise import discrete_laplace_cdf, discrete_laplace_pmf

Units = Sequence[Mapping[int, int]]


def count(units: Units, group: int, most: int) -> int:
    """What units have in a group that is among their first."""
    return sum(own[group] for own in units if group in list(own)[:most])


def tail(units: Units, most: int) -> int:
    """How many units are in more groups."""
    return sum(len(own) > most for own in units)


def stops(tails: Sequence[int], enough: Sequence[int], p: Fraction, reach: int = 60) -> list[Fraction]:
    """The probability that the walk stops at each level of the ladder, the last of which ends it.

    Input: for each level but the last how many units are above it, and how many may be; p =
        e^-(epsilon / 20); how large the threshold's noise may be.
    """
    found = [Fraction(0)] * (len(tails) + 1)
    for z in range(-reach, reach + 1):
        left = discrete_laplace_pmf(z, p)
        for level, (above, missed) in enumerate(zip(tails, enough, strict=True)):
            stop = discrete_laplace_cdf(missed + z - above, p)
            found[level] += left * stop
            left *= 1 - stop
        found[-1] += left
    return found


def law(
    tails: Sequence[int],
    counts: Sequence[int],
    enough: Sequence[int],
    p: Fraction,
    rows: int = 1,
    *,
    reach: int = 60,
    width: int = 40,
) -> dict[tuple[int, int], Fraction]:
    """The probability of each level and noisy count within `width` of the true one, of one group.

    Input: as of `stops`, but p = e^-(epsilon / 160); the count at each level, of the ladder 1, 2, 4; how many
        rows a unit has in a group, 1 or 3.
    """
    return {
        (level, number): stop * discrete_laplace_pmf(number - counts[level], p ** ((144 >> level) // rows))
        for level, stop in enumerate(stops(tails, enough, p**8, reach))
        for number in range(counts[level] - width, counts[level] + width + 1)
    }
