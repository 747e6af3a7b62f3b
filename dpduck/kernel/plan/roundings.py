"""To what the values of a type are usually rounded, as multiples on a public grid."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

from dpduck.kernel.catalog.model import RangeDomain, ticks
from dpduck.kernel.catalog.types import SqlType
from dpduck.kernel.mechanisms.quantile_intervals import Roundings
from dpduck.kernel.mechanisms.roundings import Rounding

# Public, and calibrated by coverage and widths (decision 68).
_LEAST_CELLS, _MOST_CELLS = 2**4, 2**20  # fewer say too little, and finer ones are as good as the grid
_MOST_POINTS = 2**61  # all candidates together, and the numbers by which they are found
_GROWTH = Fraction(6, 5)  # of the weight of all multiples, from each number to the next coarser one
_LEAST_WIDTH = 16  # times what arithmetic may move a multiple by
_SECOND, _DAY, _WEEK = 10**6, 86_400 * 10**6, 7
_TIMES = (1, 5, 10, 30, 60, 300, 900, 1800, 3600, 6 * 3600, 12 * 3600)  # in seconds
_MONDAY = 4  # days after the first day of 1970
_FLOAT_DIGITS = 24  # in binary, of a FLOAT


@lru_cache(maxsize=256)
def roundings_of(grid: RangeDomain, sql_type: SqlType) -> Roundings:
    """Return the multiples of usual numbers that lie on a grid, for the lower and upper end of an interval.

    Numbers are rounded to 1 or 5 times a power of ten; times besides to minutes, hours and days; dates to
    weeks, which begin on a Monday.
    """
    span = ticks(grid.high) - ticks(grid.low)
    slack = _slack(grid, sql_type)
    kept = [
        (every, first)
        for every, first in _usual(sql_type.kind, span)
        if span / _MOST_CELLS <= every <= span / _LEAST_CELLS
        and every / Fraction(grid.step) >= max(2, _LEAST_WIDTH * slack)
    ]
    places = [_on(grid, every, first) for every, first in kept]
    if any((grid.size + slack + 1) * parts >= _MOST_POINTS for _, _, parts in places):
        return (), ()
    lower, upper = (
        tuple(
            Rounding(phase, width, parts, grid.size, slack, _copies(width, parts, level), is_upper)
            for level, (phase, width, parts) in enumerate(places, 1)
        )
        for is_upper in (False, True)
    )
    total = sum(one.count * one.copies for one in upper) + grid.size
    return (lower, upper) if total < _MOST_POINTS else ((), ())


def _usual(kind: str, span: Fraction) -> Iterator[tuple[Fraction, Fraction]]:
    """Return the numbers to which values are rounded, ascending, and a multiple of each."""
    if kind == "date":
        yield Fraction(_WEEK), Fraction(_MONDAY)
        return
    power = Fraction(10) ** (math.floor(math.log10(span / _MOST_CELLS)) - 1)
    while power <= span and (kind != "timestamp" or power < _SECOND):
        yield from ((power * digit, Fraction(0)) for digit in (1, 5))
        power *= 10
    if kind == "timestamp":
        yield from ((Fraction(seconds * _SECOND), Fraction(0)) for seconds in _TIMES)
        yield Fraction(_DAY), Fraction(0)
        yield Fraction(_WEEK * _DAY), Fraction(_MONDAY * _DAY)


def _on(grid: RangeDomain, every: Fraction, first: Fraction) -> tuple[int, int, int]:
    """Return where the last multiple at or below the grid lies, and how far they are apart, in equal parts of
    points: phase, width, parts.
    """
    low, step = ticks(grid.low), Fraction(grid.step)
    phase, width = (math.floor((low - first) / every) * every + first - low) / step, every / step
    parts = math.lcm(phase.denominator, width.denominator)
    return int(phase * parts), int(width * parts), parts


def _copies(width: int, parts: int, level: int) -> int:
    """Return how many candidates a multiple is, such that it weighs about as much as the gap beside it."""
    return max(round(Fraction(width, parts) * _GROWTH**level), 1)


def _slack(grid: RangeDomain, sql_type: SqlType) -> int:
    """Return by how many points a multiple may be moved by the arithmetic of floats, and their own digits."""
    if sql_type.kind != "float":
        return 0
    largest = max(abs(ticks(grid.low)), abs(ticks(grid.high)))
    own = largest / 2**_FLOAT_DIGITS / Fraction(grid.step) if sql_type.name == "FLOAT" else 0
    return math.ceil(own) + 1
