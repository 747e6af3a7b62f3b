"""Several quantiles by recursion, as the definition has it: the exact law over all points of a small grid."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from fractions import Fraction

from tests.oracles.selection import permute_and_flip_pmf

Law = Mapping[tuple[int, ...], Fraction]


def scores(weights: Sequence[int], low: int, end: int, points: range, q: Fraction) -> list[int]:
    """-max(0, (b - a) L - a (E + G), a G - (b - a) (E + L)) of the weights from `low` to below `end`."""
    a, b, found = q.numerator, q.denominator, []
    for x in points:
        below, upto = sum(weights[low : min(x, end)]), sum(weights[low : min(x + 1, end)])
        whole = sum(weights[low:end])
        found.append(-max(0, (b - a) * below - a * (whole - below), a * (whole - upto) - (b - a) * upto))
    return found


def chance(
    weights: Sequence[int], shares: Sequence[Fraction], step: Fraction, release: Sequence[int]
) -> Fraction:
    """The probability of a release: an ascending point for each share.

    Input: `weights` at each point; `step`: e^-x, where x is half of a level's epsilon, for a move of 1 of the
    scores over their sensitivity. Sensitivities of parts must be 1, as of medians of medians.
    """

    def of(low: int, end: int, last: int, places: range, since: Fraction, until: Fraction) -> Fraction:
        if not places:
            return Fraction(1)
        at = len(places) // 2
        x, share = release[places[at]], shares[places[at]]
        q = (share - since) / (until - since)
        assert max(q.numerator, q.denominator - q.numerator) == 1
        points = range(low, last + 1)
        if x not in points:
            return Fraction(0)
        own = permute_and_flip_pmf(scores(weights, low, end, points, q), step)[points.index(x)]
        left = of(low, x, x, places[:at], since, share)
        return own * left * of(x, end, last, places[at + 1 :], share, until)

    return of(0, len(weights), len(weights) - 1, range(len(shares)), Fraction(0), Fraction(1))


def law(weights: Sequence[int], shares: Sequence[Fraction], step: Fraction) -> Law:
    """The probability of each release that has one."""
    points = range(len(weights))
    releases = itertools.combinations_with_replacement(points, len(shares))
    return {release: chance(weights, shares, step, release) for release in releases}
