"""The caveats of one aggregate: what bounds on a unit and ranges of values make of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from dpduck.kernel.plan import aggregates
from dpduck.kernel.plan.aggregates import Aggregate
from dpduck.kernel.plan.caveat_kinds import (
    AddsUnits,
    CapsWeights,
    ClampsTotals,
    ClampsValues,
    Counted,
    CountsNulls,
    CountsUnits,
    CutRows,
    CutTotals,
    CutValues,
    DropsValues,
    MissesGroups,
    MissesValues,
    MostUnits,
    NearlyCovers,
    OfColumns,
    WeighsUnits,
)
from dpduck.kernel.plan.model import Plan


def of_request(request: Aggregate, plan: Plan) -> Iterator[OfColumns]:
    """Yield the caveats of one aggregate, without its columns."""
    if isinstance(request, aggregates.Quantile) and request.has_ends and request.interval is not None:
        yield NearlyCovers((), request.interval.population)
    yield from of_rows(request, plan)
    if _adds_units(request, plan):
        yield AddsUnits((), plan.unit)
    yield from _of_ranges(request, plan)
    if request.nulls:
        yield CountsNulls((), request.nulls)
    if isinstance(request, aggregates.Mode) and request.partial and request.key.domain is not None:
        yield DropsValues((), request.key.domain.size)


def _of_ranges(request: Aggregate, plan: Plan) -> Iterator[OfColumns]:
    """Yield that values are clamped to their ranges, if only domains or the call say that they are within."""
    match request:
        case aggregates.Sum(clamping=clamping, low=low, high=high) if clamping.by_domain:
            if plan.asked.one_each:
                yield ClampsValues((), low, high)
        case aggregates.ClampedSum(each=(low, high)):
            yield ClampsValues((), low, high)
        case aggregates.Mean(clamping=clamping, low=low, high=high) if clamping.moves:
            yield ClampsValues((), float(low), float(high))
        case aggregates.Moments(axes=axes):
            clamped = (axis for axis in axes if axis.clamping.moves)
            for axis in clamped:
                argument = axis.written if len(axes) > 1 else ""
                yield ClampsValues((), float(axis.low), float(axis.high), argument)
        case aggregates.Quantile(clamping=clamping, grid=grid) if clamping.moves:
            yield ClampsValues((), grid.low, grid.high)


def of_rows(  # noqa: C901 (a case for each kind)
    request: Aggregate, plan: Plan
) -> Iterator[OfColumns]:
    """Yield what bounds on a unit, which may have several rows in a group, make of an aggregate."""
    if isinstance(request, aggregates.Sum):
        if request.clamping.by_call or not plan.asked.one_each:
            ends = float(request.low), float(request.high)
            yield CutTotals((), plan.unit, *ends, request.clamping.lowers)
    elif isinstance(request, aggregates.ClampedSum):
        clamping = request.clamping
        rounds = request.value.type.kind == "float" and not request.has_range
        places = request.scale if rounds else None
        yield ClampsTotals((), plan.unit, clamping.lowers, request.counts, clamping.floors, places)
    elif isinstance(request, aggregates.Distinct):
        if not (plan.asked.one_each or request.is_of_unit or _has_few_values(request)):
            yield CutValues((), plan.unit, request.values, plan.tables[0].name)
    elif isinstance(request, aggregates.ChosenDistinct):
        yield MissesValues((), plan.unit, request.most)
    elif isinstance(request, aggregates.ChosenCount):
        yield MissesGroups((), plan.unit, request.most)
        yield from of_rows(request.of, plan)
    elif not plan.asked.one_each:
        yield from _of_several(request, plan.unit)


def _adds_units(request: Aggregate, plan: Plan) -> bool:
    """Whether a total counts or weighs a unit several times, where a query of its own would do so once."""
    if not plan.asked.adds_units or plan.selection.groups == 1:
        return False
    match request:
        case aggregates.Count(rows=None, asks_units=asks_units):
            return asks_units or not plan.asked.one_each
        case aggregates.Mean(rows=None):
            return not plan.asked.one_each
    return False


def _of_several(request: Counted, unit: str) -> Iterator[OfColumns]:
    """Yield what becomes of several rows of a unit in an aggregate that sees their number or weight."""
    match request:
        case aggregates.Mode():
            yield MostUnits((), unit)
        case aggregates.Count(rows=int(rows)) | aggregates.Mean(rows=int(rows)):
            yield CutRows((), unit, rows)
        case aggregates.Moments(rows=int(rows)):
            yield CutRows((), unit, rows)
        case aggregates.Quantile(rows=int(rows)):
            yield CapsWeights((), unit, rows)
        case aggregates.Count(asks_rows=asks_rows):
            if asks_rows:
                yield CountsUnits((), unit)
        case aggregates.Mean() | aggregates.Moments() | aggregates.Quantile() | aggregates.Quantiles():
            yield WeighsUnits((), unit)
        case _:
            assert_never(request)


def _has_few_values(request: aggregates.Distinct) -> bool:
    """Whether its argument has a domain of no more values than a unit may contribute."""
    domain = request.value.domain
    return domain is not None and domain.size <= request.values
