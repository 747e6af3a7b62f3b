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
    """How many units have a total beyond the clamp, in the group with most of them."""
    groups = zip(*units, strict=True)
    return max((sum(abs(total) > clamp for total in totals) for totals in groups), default=0)


def level_of(total: int) -> int:
    """The least j with |total| <= 2^j."""
    return next(level for level in range(200) if abs(total) <= 2**level)


def stops(tails: Sequence[int], above: int, p: Fraction, reach: int = 60) -> list[Fraction]:
    """The probability that the walk stops at each level of the ladder, the last of which ends it.

    Input: for each level but the last its tail count; c; p = e^-(epsilon / 3), epsilon of the walk; how large
        the threshold's noise may be.
    """
    found = [Fraction(0)] * (len(tails) + 1)
    for z in range(-reach, reach + 1):
        left = discrete_laplace_pmf(z, p * p)
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

    Input: as of `stops`, but p = e^-(epsilon / 24), epsilon of all; the sum for each level.
    """
    return {
        (level, number): stop * discrete_laplace_pmf(number - sums[level], p ** (12 >> level))
        for level, stop in enumerate(stops(tails, above, p**4, reach))
        for number in range(sums[level] - 40, sums[level] + 41)
    }


def worst_of_groups(here: Units, there: Units, above: int, p: Fraction, groups: int) -> Fraction:
    """The worst ratio of probabilities of a level below 2 and all noisy sums, exactly, for two tables.

    The ratio of sums is that of the noise far out, where it is p to the power of the rate times the shift.
    Input: p = e^-(epsilon / 24); `groups`: in how many a unit may be, as the noise has it.
    """
    found = Fraction(1)
    laws = [stops([tail(units, 1)], above, p**4, 12) for units in (here, there)]
    for level in range(2):
        one, other = (law[level] for law in laws)
        size = max(len(here[0]) if here else 0, len(there[0]) if there else 0)
        shifts = (abs(sum_of(here, g, 1 << level) - sum_of(there, g, 1 << level)) for g in range(size))
        steps = sum(12 * shift for shift in shifts) / Fraction(groups << level)
        assert steps.denominator == 1
        found = max(found, max(one / other, other / one) * p**-steps.numerator)
    return found
