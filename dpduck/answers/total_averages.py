"""How far off the averages of grouping sets are, from the sums and numbers of values that are released.

What noise does to an average depends on how many values it is of, and so EXPLAIN can say it for a number of
units alone. An answer can say it for the totals that it has.

Privacy: post-processing. All is a function of the plan, and of released columns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from dpduck.kernel.arrow.arrays import floats_of, vector_of
from dpduck.kernel.mechanisms.accuracy import doubt_of_shown
from dpduck.kernel.mechanisms.averages import ends_of_totals
from dpduck.kernel.plan.aggregates import Mean
from dpduck.kernel.plan.cost import doubt_of_totals, scale_of
from dpduck.kernel.plan.keys import Places, key_column
from dpduck.kernel.plan.model import Measure, Plan

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
_HALF_STEPS = 200  # by which an answer rounds an average: of these the error has as many, or more


def errors_of_averages(plan: Plan, columns: Mapping[str, pa.ChunkedArray]) -> dict[tuple[Places, str], float]:
    """What the averages of each grouping set stay within at 95 %, by its keys and the released column.

    That is the largest distance from one to an end of its interval. Sets have none where noise hides all of
    their averages.
    Input: the plan with the noise that the numbers have; its released columns by name.
    """
    found: dict[tuple[Places, str], float] = {}
    for measure in plan.measures if plan.sets else ():
        request = measure.request
        if isinstance(request, Mean) and request.adds_up and not request.population:
            found |= {(places, request.column): width for places, width in _widths(plan, measure, columns)}
    return found


def _widths(
    plan: Plan, measure: Measure, columns: Mapping[str, pa.ChunkedArray]
) -> list[tuple[Places, float]]:
    request = measure.request
    assert isinstance(request, Mean)
    values, total, least = (
        floats_of(columns[name]) for name in (request.values, request.total, request.values_low)
    )
    own = np.isfinite(values)  # the rows of the block that has them
    keys = [columns[key_column(place)].filter(pa.array(own)) for place, _ in enumerate(plan.keys)]
    low, span = float(request.low), float(request.high - request.low) or 1.0
    sums = (total - low * values) / span
    parts = np.stack([sums, values - sums, np.square(values - least), np.ones(len(values))])[:, own]
    totals = {places: _together(parts, _cells(keys, places)) for places in dict.fromkeys(plan.sets)}
    known = {places: ones[:, _is_shown(ones)] for places, ones in totals.items()}
    shown, released = (sum(ones.shape[1] for ones in each.values()) for each in (known, totals))
    doubt = min(doubt_of_shown(shown, released), doubt_of_totals(plan, request.column))
    scale = float(scale_of(measure)) * (request.rows or 1)
    found = []
    for places, (high, other, squares, sizes) in known.items():
        if sizes.size:
            lows, highs = ends_of_totals(high, other, sizes, scale, 1 / request.ticks, doubt)
            shares = np.clip(high / (high + other), 0, 1)
            rounding = np.sqrt(squares) / (high + other) / _HALF_STEPS
            widths = np.maximum(highs - shares, shares - lows) + rounding
            found.append((places, span * float(widths.max())))
    return found


def _cells(keys: Sequence[pa.ChunkedArray], places: Places) -> Integers:
    """The number of the total that each group is in: equal for those with the same values of some keys."""
    cells = np.zeros(len(keys[0]), np.int64)
    for place in places:
        each = keys[place].combine_chunks().dictionary_encode(null_encoding="encode")
        own = vector_of(each.indices).astype(np.int64)
        _, cells = np.unique(cells * len(each.dictionary) + own, return_inverse=True)
    return cells


def _together(parts: Floats, cells: Integers) -> Floats:
    """The sums of each row of some numbers over the groups of each total."""
    return np.stack([np.bincount(cells, weights) for weights in parts])


def _is_shown(totals: Floats) -> NDArray[np.bool_]:
    """Whether an average is shown, as its number of values is more than the noise of that."""
    high, low, squares, _ = totals
    shown: NDArray[np.bool_] = high + low > np.sqrt(squares)
    return shown
