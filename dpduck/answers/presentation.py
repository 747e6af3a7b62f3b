"""Released columns as they are shown: ends of intervals that claim what is known, and no more digits.

All of it is post-processing: a function of the plan, which is public, and of released numbers alone.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from dpduck.kernel.arrow.arrays import floats_of, nullable_of
from dpduck.kernel.mechanisms.accuracy import CONFIDENCE
from dpduck.kernel.mechanisms.averages import widened
from dpduck.kernel.plan import aggregates
from dpduck.kernel.plan.aggregates import Aggregate
from dpduck.kernel.plan.cost import doubt_if_chosen, interval_factors, without_interval
from dpduck.kernel.plan.coverage import covers, most_values, uncut_from
from dpduck.kernel.plan.model import Plan
from dpduck.kernel.plan.names import requests_of

Floats = NDArray[np.float64]
_Rounding = Callable[[Floats], Floats]
_ENDS = ("_low", "_high")
_ROUNDINGS: tuple[tuple[str, _Rounding], ...] = (("_low", np.floor), ("_high", np.ceil))
_FAR = 2.0**50  # from which on a double has no digits to spare
_FINENESS = 100  # steps of rounding in a half-width, at least


def presented(plan: Plan, table: pa.Table) -> pa.Table:
    """Return the released rows of a plan, with columns c0, c1, ..., as they are shown.

    Where noise chooses the groups that are shown, the intervals of what it chose by are wider, or there are
    none. Ends of sums and of statistics are rounded outwards, to 1/100 of their half-width or less. Numbers
    that cannot be below 0, above it, or above the number of values that there are, have no end there. Where
    bounds on a unit may have lowered a number, the truth has no known upper end: it is NULL, or that number
    of values.
    """
    columns = dict(zip((column.name for column in plan.columns), table.columns, strict=True))
    _widen(plan, columns)
    _widen_means(plan, columns)
    measured = {name for _, pair in plan.differences for name in pair}  # by how far their ends are from them
    for request in requests_of(plan):
        if f"{request.column}_low" in columns:
            if _is_rounded(request):
                _round(request.column, columns)
            if request.column not in measured:
                _keep_sign(request, columns)
    known = _known_highs(plan, columns)
    for end in _unknown_ends(plan) & columns.keys():
        columns[end] = known.get(end, pa.nulls(table.num_rows))
    return pa.table(list(columns.values()), table.column_names)


def _unknown_ends(plan: Plan) -> set[str]:
    """The ends of intervals that are not known, by their columns."""
    below = {f"{column}_high" for column, covered in covers(plan).items() if covered == "below"}
    return below | _without_both(plan)


def _known_highs(plan: Plan, columns: dict[str, pa.ChunkedArray]) -> dict[str, pa.ChunkedArray]:
    """The upper ends of numbers that bounds may lower, as far as these cannot have lowered them so far."""
    found = {}
    for request in requests_of(plan):
        end, uncut = f"{request.column}_high", uncut_from(request, plan)
        most = most_values(request)
        if most is not None and end in columns:
            is_known = np.isfinite(floats_of(columns[f"{request.column}_low"]))
            found[end] = nullable_of(np.where(is_known, float(most), np.nan))
        elif isinstance(request, aggregates.ChosenCount) and uncut is not None:
            is_whole = floats_of(columns[request.chosen]) >= uncut
            found[end] = nullable_of(np.where(is_whole, floats_of(columns[end]), np.nan))
    return {end: found[end] for end in found if end not in _without_both(plan)}


def _without_both(plan: Plan) -> set[str]:
    return {f"{column}{end}" for column in without_interval(plan) for end in _ENDS}


def _widen(plan: Plan, columns: dict[str, pa.ChunkedArray]) -> None:
    """Widen the intervals of numbers by which noise chooses the groups that are shown."""
    requests = (measure.request for measure in plan.measures)
    sure = {f"{one.column}_high" for one in requests if isinstance(one, aggregates.ChosenDistinct)}
    for column, factor in interval_factors(plan).items():
        if f"{column}_low" in columns:
            value = floats_of(columns[column])
            for end, rounding in _ROUNDINGS:
                if f"{column}{end}" not in sure:  # an upper end that is the size of a domain holds anyway
                    distance = factor * (floats_of(columns[f"{column}{end}"]) - value)
                    wide = _rounded(value + distance, np.abs(distance), rounding)
                    columns[f"{column}{end}"] = nullable_of(wide)


def _widen_means(plan: Plan, columns: dict[str, pa.ChunkedArray]) -> None:
    """Widen the intervals of means by which noise chooses. One that is NULL may be anywhere in its range."""
    doubt = doubt_if_chosen(plan)
    for request in requests_of(plan) if doubt < 1 - CONFIDENCE else ():
        if isinstance(request, aggregates.Mean) and request.column in plan.cut.columns:
            least, most = float(request.low), float(request.high)
            width = (most - least) or 1.0
            value, low, high = (
                (floats_of(columns[f"{request.column}{end}"]) - least) / width for end in ("", *_ENDS)
            )
            wide = (
                np.where(np.isnan(value), edge, end)
                for edge, end in enumerate(widened(low, high, value, doubt))
            )
            for (end, rounding), share in zip(_ROUNDINGS, wide, strict=True):
                rounded = _rounded(least + width * share, width * np.abs(share - value), rounding)
                columns[f"{request.column}{end}"] = nullable_of(np.clip(rounded, least, most))


def _is_rounded(request: Aggregate) -> bool:
    """Whether the ends of its interval have more digits than its noise has meaning for."""
    match request:
        case aggregates.Sum(scale=scale) | aggregates.ClampedSum(scale=scale):
            return scale > 0
        case aggregates.Moments(statistic=statistic):
            return statistic != "avg"  # averages are rounded within their ranges where they are released
    return False


def _round(column: str, columns: dict[str, pa.ChunkedArray]) -> None:
    """Round the ends of intervals outwards."""
    low, high = (floats_of(columns[f"{column}{end}"]) for end, _ in _ROUNDINGS)
    half_width = (high - low) / 2
    for (end, rounding), ends in zip(_ROUNDINGS, (low, high), strict=True):
        columns[f"{column}{end}"] = nullable_of(_rounded(ends, half_width, rounding))


def _rounded(ends: Floats, half_width: Floats, rounding: _Rounding) -> Floats:
    """Return ends rounded to powers of ten of 1/100 of their half-widths or less; as they are if that is 0.

    A power below 1 is divided by, so that the nearest double of so many digits results.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        exponent = np.floor(np.log10(half_width / _FINENESS))
        large, small = np.power(10.0, np.maximum(exponent, 0)), np.power(10.0, np.maximum(-exponent, 0))
        found: Floats = rounding(ends / large * small) * large / small
    farther = np.minimum if rounding is np.floor else np.maximum  # of large numbers each step is rounded
    found = np.where(np.abs(found) >= _FAR, farther(found, ends), found)
    return np.where(np.isfinite(found), found, ends)


def _keep_sign(request: Aggregate, columns: dict[str, pa.ChunkedArray]) -> None:
    """Move ends to 0 that are on the side of it where the number cannot be; noise may have put them there.

    So are those beyond the number of values that there are. An interval that holds the truth still does,
    since the truth is not on that side either.
    """
    most = most_values(request)
    for end, _ in _ROUNDINGS if most is not None else ():
        ends = floats_of(columns[f"{request.column}{end}"])
        columns[f"{request.column}{end}"] = nullable_of(np.minimum(ends, float(most or 0)))
    side = _side(request)
    for end, _ in _ROUNDINGS if side is not None else ():
        ends = floats_of(columns[f"{request.column}{end}"])
        columns[f"{request.column}{end}"] = nullable_of(np.maximum(ends, 0) if side else np.minimum(ends, 0))


def _side(request: Aggregate) -> bool | None:
    """Return True for a number that is never below 0, False for one that is never above; None for others."""
    match request:
        case aggregates.Count() | aggregates.ChosenCount():
            return True
        case aggregates.Distinct() | aggregates.ChosenDistinct():
            return True
        case aggregates.Sum(low=low, high=high):
            return True if low >= 0 else False if high <= 0 else None
        case aggregates.ClampedSum(counts=counts, clamping=clamping):
            return True if counts or clamping.lowers else None
    return None
