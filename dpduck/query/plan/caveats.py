"""The caveats of a plan: what its answer means where that differs from plain SQL, from public facts alone.

A number of plain SQL is of all rows. A released number is of units, or of what bounds let a unit contribute;
where constraints do not say that both are the same, the plan has a caveat, which is shown with the answer.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, assert_never

from dpduck.query.plan import aggregates
from dpduck.query.plan.aggregates import Aggregate
from dpduck.query.plan.model import UNITS, Plan

# What the 95 % interval of a released number covers: the number of plain SQL; what it were if each unit had
# one row; it from below only, as bounds can but lower the number; or the noise alone, as bounds can move the
# number either way.
Covers = Literal["both", "units", "below", "noise"]


@dataclass(frozen=True)
class CountsUnits:
    """Numbers that count each unit once, where it may have several rows."""

    columns: tuple[str, ...]
    unit: str


@dataclass(frozen=True)
class WeighsUnits:
    """Averages and quantiles in which each unit has the same weight, however many rows it has."""

    columns: tuple[str, ...]
    unit: str


@dataclass(frozen=True)
class MostUnits:
    """The values that most units have, which need not be those of most rows."""

    columns: tuple[str, ...]
    unit: str


@dataclass(frozen=True)
class CutRows:
    """Numbers of at most `most` rows of each unit and group."""

    columns: tuple[str, ...]
    unit: str
    most: int


@dataclass(frozen=True)
class CutValues:
    """Counts of distinct values, of which each unit contributes at most `most` to a group."""

    columns: tuple[str, ...]
    unit: str
    most: int
    table: str


@dataclass(frozen=True)
class CutTotals:
    """A sum of totals of units, each clamped to [low, high]. `lowers`: clamping can only lower it."""

    columns: tuple[str, ...]
    unit: str
    low: float
    high: float
    lowers: bool


@dataclass(frozen=True)
class CutGroups:
    """Each unit counts in at most `most` groups."""

    unit: str
    most: int


@dataclass(frozen=True)
class ManyGroups:
    """Noise is `groups` times as wide as if each unit had one row, which no constraint says."""

    table: str
    unit: str
    groups: int


Counted = aggregates.Count | aggregates.Distinct | aggregates.Mean | aggregates.Quantile | aggregates.Mode
OfColumns = CountsUnits | WeighsUnits | MostUnits | CutRows | CutValues | CutTotals
Caveat = OfColumns | CutGroups | ManyGroups


def caveats(plan: Plan) -> tuple[Caveat, ...]:
    """Return the caveats of a plan. Columns that differ from plain SQL in the same way share one."""
    columns: dict[OfColumns, tuple[str, ...]] = {}
    for request in _requests(plan):
        caveat = _caveat(request, plan)
        if caveat is not None:
            columns[caveat] = (*columns.get(caveat, ()), *_names(request, plan))
    found = (replace(caveat, columns=tuple(dict.fromkeys(names))) for caveat, names in columns.items())
    return (*found, *_of_groups(plan))


def covers(plan: Plan) -> dict[str, Covers]:
    """Return for each released column that has an interval what this covers."""
    known = {request.column: _covers(request, plan) for request in _requests(plan)}
    return {column: covered for column, covered in known.items() if covered is not None}


def _requests(plan: Plan) -> list[Aggregate]:
    """Return what the query asks for, without the counts that only a selection needs."""
    requests: list[Aggregate] = [measure.request for measure in plan.measures]
    ranked = plan.asked.ranked
    return requests if ranked is None or ranked.column == UNITS else [ranked, *requests]


def _names(request: Aggregate, plan: Plan) -> list[str]:
    """Return the names of an aggregate in the answer; its kind if the answer does not show it as it is."""
    shown = [name for name, column in plan.shown if column == request.column]
    return shown or [_KINDS[type(request)]]


_KINDS: dict[type[Aggregate], str] = {
    aggregates.Count: "count(*)",
    aggregates.Distinct: "count(DISTINCT ...)",
    aggregates.Sum: "the sum",
    aggregates.Mean: "the average",
    aggregates.Quantile: "the quantile",
    aggregates.Mode: "the mode",
}


def _caveat(request: Aggregate, plan: Plan) -> OfColumns | None:
    """Return the caveat of one aggregate, without its columns; None if plain SQL gives the same number."""
    if isinstance(request, aggregates.Sum):
        ends = float(request.low), float(request.high)
        cuts = request.cuts_values or not plan.asked.one_each
        return CutTotals((), plan.unit, *ends, request.nonnegative) if cuts else None
    return None if plan.asked.one_each else _of_rows(request, plan)


def _of_rows(request: Counted, plan: Plan) -> OfColumns | None:
    """Return the caveat of an aggregate of units that may have several rows in a group."""
    unit = plan.unit
    match request:
        case aggregates.Count() | aggregates.Mean() | aggregates.Quantile() if request.rows is not None:
            return CutRows((), unit, request.rows)
        case aggregates.Distinct(values=values):
            cuts = not request.is_of_unit and not _has_few_values(request)
            return CutValues((), unit, values, plan.tables[0].name) if cuts else None
        case aggregates.Count():
            return CountsUnits((), unit) if request.asks_rows else None
        case aggregates.Mode():
            return MostUnits((), unit)
        case aggregates.Mean() | aggregates.Quantile():
            return WeighsUnits((), unit)
    assert_never(request)


def _has_few_values(request: aggregates.Distinct) -> bool:
    """Whether its argument has a domain of no more values than a unit may contribute."""
    domain = request.value.domain
    return domain is not None and domain.size <= request.values


def _covers(request: Aggregate, plan: Plan) -> Covers | None:
    if isinstance(request, aggregates.Quantile | aggregates.Mode):
        return None
    caveat = _caveat(request, plan)
    is_cut = plan.asked.most is not None or isinstance(caveat, CutRows | CutValues | CutTotals)
    if isinstance(request, aggregates.Mean):
        is_cut = is_cut or request.cuts_values
    if is_cut:
        is_lowered = not isinstance(request, aggregates.Mean | aggregates.Sum) or (
            isinstance(request, aggregates.Sum) and request.nonnegative
        )
        return "below" if is_lowered else "noise"
    return "units" if isinstance(caveat, CountsUnits | WeighsUnits) else "both"


def _of_groups(plan: Plan) -> tuple[Caveat, ...]:
    """Return the caveat of the bound on groups: that it cuts, or that there is none where it would help."""
    if plan.asked.most is not None:
        return (CutGroups(plan.unit, plan.asked.most),)
    groups = max((measure.groups for measure in plan.measures), default=1)
    groups = max(groups, plan.selection.groups or 1)
    bounds = [table.contribution for table in plan.tables]
    is_declared = any(bound.groups is not None or bound.rows not in (None, 1) for bound in bounds)
    if groups == 1 or is_declared or plan.asked.one_each:
        return ()
    table = next(table for table in plan.tables if not table.unit_is_unique)
    return (ManyGroups(table.name, plan.unit, groups),)
