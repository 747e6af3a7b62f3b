"""Distinct values of which each unit contributes a few: the functions by definition, and the exact law.

A table is a list of units, each the values that it has, in its own order.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from tests.oracles.noise import discrete_laplace_pmf
from tests.oracles.selection import permute_and_flip_pmf

Units = Sequence[Sequence[int]]


def ranked(units: Units, level: int) -> int:
    """How many values some unit has among its first `level`."""
    return len({value for values in units for value in values[:level]})


def greedy(units: Units, level: int) -> int:
    """How many values are claimed in `level` rounds, turn by turn."""
    claimed: set[int] = set()
    for _ in range(level):
        for values in units:
            free = next((value for value in values if value not in claimed), None)
            if free is not None:
                claimed.add(free)
    return len(claimed)


def owned(units: Units, level: int) -> int:
    """A wrong one: each value belongs to its first unit, of whose values at most `level` count."""
    first: dict[int, int] = {}
    for unit, values in enumerate(units):
        for value in values:
            first.setdefault(value, unit)
    return sum(min(level, list(first.values()).count(unit)) for unit in range(len(units)))


def rarest_first(units: Units, level: int) -> int:
    """Another wrong one: each unit's values in an order of how many units have them."""
    every = [value for values in units for value in values]
    return ranked([sorted(values, key=lambda value: (every.count(value), value)) for values in units], level)


def score_moves(units: Units, level: int, kappa: Fraction, levels: Sequence[int], count: object) -> Fraction:
    """The score of a level by its definition. Input: `count`, one of the functions above."""
    assert callable(count)
    place = levels.index(level)
    worth = [count(units, one) - kappa * one for one in levels]
    others = (
        (worth[place] - worth[other]) / Fraction(2 ** max(place, other))
        for other in range(len(levels))
        if other != place
    )
    return min(others, default=Fraction(0))


def law(totals: Sequence[int], kappa: int, p: Fraction) -> dict[tuple[int, int], Fraction]:
    """The probability of each level, 1 or 2, and noisy number within 40 of the true one, of one group.

    p: e^-(epsilon / 8), so that both halves of epsilon have rates that are powers of it.
    """
    lead = totals[0] - totals[1] + kappa
    chosen = permute_and_flip_pmf((lead, -lead), p)  # scores in halves, each with the coin e^(epsilon / 4)
    found = {}
    for place, level in enumerate((1, 2)):
        for number in range(totals[place] - 40, totals[place] + 41):
            noise = discrete_laplace_pmf(number - totals[place], p ** (4 // level))
            found[level, number] = chosen[place] * noise
    return found
