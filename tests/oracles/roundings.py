"""Multiples of numbers as candidates for ends of intervals, as the definition has them, on small grids."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from dpduck.kernel.mechanisms.roundings import Penalty, Rounding


def cells(rounding: Rounding) -> list[list[int]]:
    """The points of each cell: those from a multiple to the next, or after the one before; but for slack."""
    first, found = 0, []
    bounds = [
        Fraction(rounding.phase + i * rounding.width, rounding.parts) for i in range(rounding.points + 2)
    ]
    for i, at in enumerate(bounds):
        last = (
            int(at // 1) + rounding.slack if rounding.upper else int(bounds[i + 1] // 1) - rounding.slack - 1
        )
        found.append(list(range(first, min(last, rounding.points - 1) + 1)))
        first = max(last + 1, 0)
        if last >= rounding.points - 1:
            return found
    raise AssertionError("the multiples end before the grid")


def is_multiple(x: int, rounding: Rounding) -> bool:
    """Whether a value at that point may be a multiple; ends of the grid are what values are clamped to."""
    near = (Fraction(rounding.phase + i * rounding.width, rounding.parts) for i in range(rounding.points + 2))
    return x in (0, rounding.points - 1) or any(abs(x - at // 1) <= rounding.slack for at in near)


def penalty(weights: Sequence[int], rounding: Rounding, rule: Penalty) -> int:
    """The rate times the mean of the parts that are no multiples in windows of all sizes."""
    area, rank = Fraction(0), 0
    for x, own in enumerate(weights):
        for _ in range(own):
            ends = [rule.unit * (rank + more) - rule.rank for more in (0, 1)]
            rank += 1
            if not is_multiple(x, rounding):
                area += _tent(ends[1], rule.within) - _tent(ends[0], rule.within)
    return max(int(rule.rate * area / rule.within / rule.unit // 1), rule.least)


def _tent(x: int, within: int) -> Fraction:
    """The integral of max(0, within - |t|) up to x, by trapezoids."""
    at = Fraction(min(max(x, -within), within))
    left = (within + min(at, Fraction(0))) ** 2 / 2
    return left if at <= 0 else left + at * (within + within - at) / 2


def scores(weights: Sequence[int], rounding: Rounding, rule: Penalty) -> list[int]:
    """The scores of all cells, each of which is a candidate several times over."""
    cost, found = penalty(weights, rounding, rule), []
    for cell in cells(rounding):
        below = sum(weights[: cell[0]]) if cell else sum(weights[: _start(cell, rounding, len(found))])
        own = sum(weights[x] for x in cell)
        by_rank = -max(0, rule.unit * below - rule.rank, rule.rank - rule.unit * (below + own))
        found.append(min(by_rank, -cost))
    return found


def _start(cell: Sequence[int], rounding: Rounding, place: int) -> int:
    """Where an empty cell is: after those before it."""
    return sum(len(one) for one in cells(rounding)[:place]) if not cell else cell[0]
