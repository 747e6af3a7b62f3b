"""The ends of intervals of quantiles, as the definition has them: scores and exact laws on small grids."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from tests.oracles.selection import permute_and_flip_pmf


def scores(weights: Sequence[int], unit: int, rank: int, *, upper: bool) -> list[int]:
    """Scores of all points, then of one of those beyond the grid; the wanted rank is in `unit`s of weight."""
    found, total = [], sum(weights)
    for x, own in enumerate(weights):
        below = sum(weights[:x])
        found.append(-max(0, unit * below - rank, rank - unit * (below + own)))
    return [*found, -max(0, unit * total - rank if upper else rank)]


def law(found: Sequence[int], step: Fraction, *, upper: bool) -> list[Fraction]:
    """The probability of each point, where those beyond the grid stand for its end.

    Input: scores as above; `step`: e^-x for the rate x of the noise.
    """
    *inside, beyond = found
    points = len(inside)
    chances = permute_and_flip_pmf([*inside, *([beyond] * points)], step)
    own, rest = chances[:points], sum(chances[points:])
    own[-1 if upper else 0] += rest
    return own
