"""What a plan does, in one line of EXPLAIN."""

from __future__ import annotations

from fractions import Fraction
from typing import assert_never

from dpduck.kernel.mechanisms.many_quantiles import levels_of
from dpduck.kernel.plan import aggregates
from dpduck.kernel.plan.model import (
    EveryKey,
    FoundKeys,
    KeysAbove,
    LargestKeys,
    Measure,
    OneGroup,
    Plan,
)


def title_of(plan: Plan) -> str:
    """Return the mechanism of a plan, and of what it is."""
    match plan.selection:
        case LargestKeys(k=k, gaussian=True, counted=str()):
            return f"Gumbel top-k: the {k:,} largest of {_candidates(plan)}, counted anew with Gaussian noise"
        case LargestKeys(k=k, gumbel=gumbel, spread=spread, gaussian=gaussian) if spread:
            name = "Gumbel" if gumbel or gaussian else "noisy"
            return f"{name} top-k by sums: the {k:,} largest of {_candidates(plan)}, measured anew"
        case LargestKeys(k=k, gumbel=gumbel, gaussian=gaussian):
            name = "Gumbel" if gumbel or gaussian else "noisy"
            return f"{name} top-k: the {k:,} largest of {_candidates(plan)}"
        case KeysAbove(k=k, threshold=threshold):
            largest = f"the {k:,} largest of {_candidates(plan)}"
            return f"top-k above a threshold: {largest}, down to {threshold:,}"
        case EveryKey():
            return _histogram_title(plan)
        case FoundKeys():
            return f"partition selection: {_candidates(plan)}"
        case OneGroup() if len(plan.measures) == 1:
            return _measure_title(plan.measures[0])
    return f"{len(plan.measures)} aggregates, each with a share of epsilon"


def _histogram_title(plan: Plan) -> str:
    if all(measure.levels is not None and not measure.levels.has_groups for measure in plan.measures):
        return f"histogram: noisy totals of {_candidates(plan)}"
    totals = ", and their totals" if plan.sets else ""
    return f"histogram: noisy numbers for each of {_candidates(plan)}{totals}"


def _candidates(plan: Plan) -> str:
    names = ", ".join(key.name for key in plan.keys)
    size = plan.space.size
    if size is None:
        return f"the values of {names} found in private rows"
    return f"the {size:,} public values of {names}"


def _measure_title(measure: Measure) -> str:  # noqa: C901 (a case for each kind)
    match measure.request:
        case aggregates.Count(rows=rows):
            what = "units" if rows is None else f"rows, at most {rows:,} of each unit"
            return f"count: {what}, with {_noise_name(measure)} noise"
        case aggregates.ChosenCount(of=of, most=most):
            what = "units" if of.rows is None else f"rows, at most {of.rows:,} of each unit"
            of_each = f"each unit in at most m of its groups, m up to {most:,} chosen privately"
            return f"count: {what}, {of_each}, with discrete Laplace noise"
        case aggregates.Distinct(value=value, values=values):
            return f"count: distinct values of {value.name or 'x'}, at most {values:,} of each unit"
        case aggregates.ChosenDistinct(value=value, most=most, claims=claims):
            how = " claimed in turns" if claims else ""
            of_each = f"l of each unit{how}, l up to {most:,} chosen privately"
            return f"distinct values of {value.name or 'x'}: {of_each}, with discrete Laplace noise"
        case aggregates.Sum(low=low, high=high):
            ends = f"[{float(low):g}, {float(high):g}]"
            return f"sum: the total of each unit clamped to {ends}, with {_noise_name(measure)} noise"
        case aggregates.ClampedSum() as request:
            if request.counts:
                of_each = f"l of each unit, l up to {float(request.ceiling):,.7g} chosen with half of epsilon"
                return f"count: rows, {of_each}, with {_noise_name(measure)} noise"
            clamp = f"a clamp up to {float(request.ceiling):,.6g} that half of epsilon chooses"
            return f"sum: the total of each unit clamped to {clamp}, with {_noise_name(measure)} noise"
        case aggregates.Mean(low=low, high=high, rows=rows):
            what = "the mean of each unit" if rows is None else _bounded(rows)
            return f"mean: of {what}, clamped to [{float(low):g}, {float(high):g}]"
        case aggregates.Moments() as request:
            return _moments_title(request)
        case aggregates.Quantile() as request:
            return _quantile_title(request)
        case aggregates.Quantiles() as request:
            return _quantiles_title(request)
        case aggregates.Mode(key=key):
            among = "found in private rows" if key.domain is None else f"of {key.domain.size:,} public ones"
            return f"permute-and-flip: the most frequent value of {key.name}, {among}"
    assert_never(measure.request)


def _noise_name(measure: Measure) -> str:
    return "discrete Laplace" if measure.gaussian is None else "Gaussian"


def _quantile_title(request: aggregates.Quantile) -> str:
    if request.extreme:
        which = "largest" if request.quantile == 1 else "least"
        grid = f"on a grid of {request.grid.size:,} points"
        return f"sparse vector from the end of the range: the {which} of {_values(request)}, {grid}"
    name = "the median" if request.quantile == Fraction(1, 2) else f"the {float(request.quantile):g} quantile"
    title = f"permute-and-flip: {name} of {_values(request)}, on a grid of {request.grid.size:,} points"
    return title if request.interval is None else f"{title}, and its interval, with 2/3 of epsilon"


def _quantiles_title(request: aggregates.Quantiles) -> str:
    one, number = request.of, len(request.shares)
    what = f"{number:,} quantiles of {_values(one)}, on a grid of {one.grid.size:,} points"
    levels = levels_of(number)
    return f"permute-and-flip by recursion: {what}, with 1/{levels} of epsilon on each of {levels} levels"


def _moments_title(request: aggregates.Moments) -> str:
    what = "all rows, of which those of a unit weigh 1" if request.rows is None else _bounded(request.rows)
    ends = " and ".join(f"[{float(axis.low):g}, {float(axis.high):g}]" for axis in request.axes)
    return f"{request.statistic}: of {what}, clamped to {ends}"


def _bounded(rows: int) -> str:
    return f"at most {rows:,} rows of each unit"


def _values(request: aggregates.Quantile) -> str:
    if request.rows is not None:
        return f"all rows, of which those of a unit weigh at most {request.rows:,}"
    return "one value per unit" if request.parts is None else "all rows, of which those of a unit weigh 1"
