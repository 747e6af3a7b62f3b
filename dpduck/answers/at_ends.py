"""Released numbers that lie at an end of the range to which values are clamped.

A guess of a range that is far from the data gives answers as exact as a good one: all values count as one of
its ends, and the interval is of noise alone. How many values are beyond is private, and is not told. But what
is released shows where a number is pressed against an end.

Privacy: post-processing, as in `beside_noise`: all is a function of released numbers, the ends of their
intervals, and ranges, which are public.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from dpduck.kernel.errors.notices import Notice, Rank
from dpduck.kernel.plan.aggregates import Aggregate, Mean, Quantile
from dpduck.kernel.plan.model import Plan
from dpduck.kernel.plan.names import names_of, requests_of
from dpduck.kernel.tree.nodes import Call

Floats = NDArray[np.float64]
_NARROW = 4  # times that the interval of an average fits into its range, for it to be clear of noise
_CLAMPS = ("greatest", "least")  # as a query writes a clamp


def of_ends_of_ranges(
    plan: Plan, numbers: Callable[[str], Floats], short_where: Callable[[NDArray[np.bool_]], str]
) -> tuple[Notice, ...]:
    """Return a notice of each end of a range at which numbers are.

    Input: `numbers`: a released column by its name, as doubles; `short_where`: in which groups, in short.
    """
    columns = {column.name for column in plan.columns}
    found = []
    for request in requests_of(plan):
        for end, rows in _at_ends(request, columns, numbers):
            where = f" in {int(rows.sum()):,} of {len(rows):,} groups" if plan.keys else ""
            where += ", shown or not" if plan.keys and (plan.cut.columns or not plan.shows_all) else ""
            if rows.any():
                found.append(_said(names_of(request, plan)[0], end, where, short_where(rows)))
    return tuple(dict.fromkeys(found))


def _said(name: str, end: float, where: str, some: str) -> Notice:
    at = f"{name} is within its noise of {end:,.12g}, an end of its range"
    whole = f"{at}{where}: values beyond count as that end, so the truth may be far from it."
    return Notice(Rank.UNCERTAIN, f"{at}{some}.", whole)


def _at_ends(
    request: Aggregate, columns: set[str], numbers: Callable[[str], Floats]
) -> list[tuple[float, NDArray[np.bool_]]]:
    """Return the ends of the range of a number, and in which rows it is there."""
    match request:
        case Mean() if _may_clamp(request) and f"{request.column}_low" in columns:
            low, high = float(request.low), float(request.high)
            lows, highs = numbers(f"{request.column}_low"), numbers(f"{request.column}_high")
            values = numbers(request.column)
            wide = 2 * np.maximum(highs - values, values - lows)  # intervals are cut at the range
            clear = wide * _NARROW <= high - low
            return [(low, clear & (lows <= low)), (high, clear & (highs >= high))]
        case Quantile(extreme=False) if _is_guess(request) and _is_number(request.grid.low):
            values = numbers(request.column)
            ends = (request.grid.low, request.grid.high)
            return [(float(str(end)), values == float(str(end))) for end in ends]
    return []


def _may_clamp(request: Mean) -> bool:
    """Whether values may be beyond the range."""
    return request.clamping.moves or _is_guess(request)


def _is_guess(request: Mean | Quantile) -> bool:
    """Whether the query itself has the range, in a call or as an expression.

    The median of a declared domain may well be one of its ends, such as of the stars of reviews.
    """
    node = request.value.node
    return request.clamping.by_call or (isinstance(node, Call) and node.name in _CLAMPS)


def _is_number(end: object) -> bool:
    return isinstance(end, (int, float, Decimal)) and not isinstance(end, bool)
