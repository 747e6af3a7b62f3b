"""The caveats of a plan: what its answer means where that differs from plain SQL, from public facts alone.

A number of plain SQL is of all rows. A released number is of units, or of what bounds let a unit contribute;
where constraints do not say that both are the same, the plan has a caveat, which is shown with the answer.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain

from dpduck.kernel.mechanisms.populations import STATISTICS
from dpduck.kernel.plan import aggregates
from dpduck.kernel.plan.aggregates import Aggregate
from dpduck.kernel.plan.caveat_kinds import (
    Caveat,
    ClampsTotals,
    CountsEmpty,
    CountsUnits,
    CutGroups,
    CutRows,
    CutTotals,
    CutValues,
    DividesBounded,
    DropsLines,
    DropsNullUnits,
    DropsRows,
    HidesRare,
    IgnoresNulls,
    LacksChoice,
    LacksGaps,
    ManyGroups,
    MissesValues,
    NearExtreme,
    NearRank,
    NeedsValues,
    NoiseAlone,
    NoisierSets,
    NoisyFilter,
    OfColumns,
    OfGroups,
    OfTableAlone,
)
from dpduck.kernel.plan.cost import errors_of_ranks, loss_of_sets, measure_error, width_per_clamp
from dpduck.kernel.plan.coverage import covers
from dpduck.kernel.plan.model import EveryKey, KeysAbove, LargestKeys, Measure, Plan, Quotient
from dpduck.kernel.plan.names import names_of, requests_of, spoken
from dpduck.kernel.plan.private_groups import why_not, would_be_chosen
from dpduck.kernel.plan.request_caveats import of_request, of_rows

_FEW_VALUES = 1_000  # points of a grid
_MANY_VALUES, _MANY_IN_GROUP = 1_000, 100  # that a quantile needs, from which on it is said
_NOTED_LOSS = 1.5  # times the noise of one grouping set, from which it is said


def caveats(plan: Plan) -> tuple[Caveat, ...]:
    """Return the caveats of a plan. Columns that differ from plain SQL in the same way share one."""
    columns: dict[OfColumns, tuple[str, ...]] = {}
    for request in requests_of(plan):
        for caveat in of_request(request, plan):
            columns[caveat] = (*columns.get(caveat, ()), *names_of(request, plan))
    for measure in plan.measures:
        for request, near in _of_ranks(measure, plan):
            columns[near] = (*columns.get(near, ()), *names_of(request, plan))
    others: Iterator[tuple[Aggregate, OfColumns]] = chain(
        _of_sets(plan), _of_ends(plan), _of_choices(plan), _of_gaps(plan)
    )
    for request, other in others:
        columns[other] = (*columns.get(other, ()), *names_of(request, plan))
    for quotient in plan.quotients:
        for caveat in _of_quotient(quotient, plan):
            columns[caveat] = (*columns.get(caveat, ()), spoken(quotient.name))
    found = (replace(caveat, columns=tuple(dict.fromkeys(names))) for caveat, names in columns.items())
    return (*found, *_of_table(plan), *of_groups(plan))


def _of_ends(plan: Plan) -> Iterator[tuple[Aggregate, NoiseAlone]]:
    """Yield the sums of which ends are shown that are of noise alone."""
    shown, known = {column for _, column in plan.shown}, covers(plan)
    for request in requests_of(plan):
        ends = f"{request.column}_low", f"{request.column}_high"
        is_sum = isinstance(request, aggregates.Sum | aggregates.ClampedSum)
        if is_sum and known.get(request.column) == "noise" and not shown.isdisjoint(ends):
            yield request, NoiseAlone()


def _of_table(plan: Plan) -> Iterator[OfTableAlone]:
    """Yield the ends and p-values of differences that could hold for a population, and are of the table."""
    requests = {request.column: request for request in requests_of(plan)}
    columns = tuple(
        name
        for name, pair in plan.differences
        if all(column in requests and _could_be_of_population(requests[column]) for column in pair)
    )
    if columns:
        yield OfTableAlone(columns)


def _could_be_of_population(request: Aggregate) -> bool:
    match request:
        case aggregates.Mean(population=population):
            return not population
        case aggregates.Moments(population=population, statistic=statistic):
            return not population and statistic in STATISTICS
    return False


def _of_ranks(measure: Measure, plan: Plan) -> Iterator[tuple[Aggregate, OfColumns]]:
    """Yield how many values are beyond extremes, of how many values quantiles near an end are one, and how
    near those are that plain SQL takes between two of few whole numbers or dates."""
    by_column = errors_of_ranks(measure)
    errors = by_column.values()
    for request in measure.requests:
        if isinstance(request, aggregates.Quantile):
            yield from _of_end(request, by_column[request.column].sure, plan)
        match request:
            case aggregates.Quantile(extreme=False, value=value, grid=grid, type=answer):
                between = value.type.kind in ("integer", "date") and answer != value.type.name
                if between and grid.size <= _FEW_VALUES:
                    yield request, NearRank((), round(max(error.sure for error in errors)))


def _of_end(
    request: aggregates.Quantile, rank: float, plan: Plan
) -> Iterator[tuple[Aggregate, NearExtreme | NeedsValues]]:
    """Yield what a rank error says of a quantile near an end of the values: how many are needed.

    The number of values is private. Below that which is said, noise may move the rank beyond all of them.
    """
    of = "rows" if request.rows is not None or request.parts is None else plan.unit
    q = request.quantile
    if request.extreme:
        yield request, NearExtreme((), q == 1, math.ceil(rank), of)
    elif request.interval is None:
        least = rank / float(min(q, 1 - q))
        if least >= (_MANY_IN_GROUP if plan.keys else _MANY_VALUES):
            upper = None if 2 * q == 1 else 2 * q > 1
            yield request, NeedsValues((), upper, int(float(f"{least:.1g}")), of)


def _of_sets(plan: Plan) -> Iterator[tuple[Aggregate, NoisierSets]]:
    """Yield by how much the totals of other sets make those of each noisier."""
    losses = loss_of_sets(plan)
    for request in requests_of(plan):
        times = round(losses.get(request.column, 1.0), 1)
        if times >= _NOTED_LOSS:
            yield request, NoisierSets((), times)


def _of_choices(plan: Plan) -> Iterator[tuple[Aggregate, LacksChoice]]:
    """Yield the numbers that a query asks to have a private choice of groups, and that have none."""
    for request in requests_of(plan) if plan.asked.private_groups else ():
        why = None if isinstance(request, aggregates.ChosenCount) else why_not(request, plan)
        if why is not None:
            yield request, LacksChoice((), plan.unit, why, plan.asked.most)


def _of_gaps(plan: Plan) -> Iterator[tuple[Aggregate, LacksGaps]]:
    """Yield the numbers whose gap or p-value is shown and is NULL, as no ranking has released it."""
    if isinstance(plan.selection, (LargestKeys, KeysAbove)):
        return
    shown = {column for _, column in plan.shown}
    for request in requests_of(plan):
        gaps = f"{request.column}_gap", f"{request.column}_p_value"
        if not isinstance(request, aggregates.Mode) and not shown.isdisjoint(gaps):
            yield request, LacksGaps(())


def _of_quotient(quotient: Quotient, plan: Plan) -> Iterator[DividesBounded]:
    """Yield that a quotient is of bounded numbers, which differ from those of plain SQL by no one factor."""
    requests = {request.column: request for request in requests_of(plan)}
    parts = [requests[column] for column in quotient.dividend | quotient.divisor]
    bounds = CountsUnits | CutRows | CutValues | MissesValues | CutTotals | ClampsTotals
    if any(isinstance(caveat, bounds) for part in parts for caveat in of_rows(part, plan)):
        average = "" if quotient.factor is None else _average(quotient, requests)
        factor = quotient.factor if average else ""
        yield DividesBounded((), plan.unit, f"{factor}{average}", quotient.is_all)


def _average(quotient: Quotient, requests: Mapping[str, Aggregate]) -> str:
    """Return the average that plain SQL computes by a quotient; empty if it is none."""
    if len(quotient.dividend) != 1 or len(quotient.divisor) != 1:
        return ""
    [dividend], [divisor] = (
        [requests[column] for column in columns] for columns in (quotient.dividend, quotient.divisor)
    )
    if not isinstance(divisor, aggregates.Count) or not divisor.asks_rows:
        return ""
    if isinstance(dividend, aggregates.ClampedSum) and not dividend.has_range:
        return dividend.written.bounded if dividend.conditions == divisor.conditions else ""
    of_all = isinstance(dividend, aggregates.Count) and dividend.asks_rows and not divisor.conditions
    same = (
        isinstance(dividend, aggregates.Sum | aggregates.ClampedSum)
        and dividend.conditions == divisor.conditions
    )
    return dividend.written.average if of_all or same else ""


# The caveats of the rows and groups of a plan, and of what groups cost in noise.


def of_groups(plan: Plan) -> Iterator[OfGroups]:
    yield from plan.asked.beside
    if plan.asked.partial_keys:
        yield DropsRows(plan.asked.partial_keys, totals=bool(plan.sets))
    if plan.counting and plan.keys and isinstance(plan.selection, EveryKey) and not plan.asked.noisy_filter:
        yield CountsEmpty(plan.counting)
    if any(request.column in plan.asked.of_null_units for request in requests_of(plan)):
        yield DropsNullUnits(plan.asked.null_units)
    yield from (DropsLines(one.name, len(one.line_columns)) for one in plan.tables if one.line_columns)
    if plan.asked.not_in:
        yield IgnoresNulls(plan.asked.not_in)
    if plan.asked.noisy_filter:
        yield NoisyFilter()
    if plan.keys and not plan.space.is_known:
        yield HidesRare()
    if plan.asked.most is not None:
        bounded = (one.name for one in plan.asked.named if one.contribution.groups == plan.asked.most)
        yield CutGroups(plan.unit, plan.asked.most, next(bounded, ""))
    else:
        yield from _of_unbounded_groups(plan)


def _times_as_wide(measure: Measure) -> int:
    """Return how many times as wide the noise of a measure is as if each unit were in one group.

    It is 1 where a unit counts in a number of groups that is chosen privately.
    """
    if isinstance(measure.request, aggregates.ChosenCount):
        return 1
    if measure.gaussian is None:
        return measure.groups
    alone = replace(measure, gaussian=None, groups=1)
    if isinstance(measure.request, aggregates.ClampedSum):
        return max(round(width_per_clamp(measure) / width_per_clamp(alone)), 1)
    width, least = measure_error(measure), measure_error(alone)
    return measure.groups if width is None or not least else max(round(width / least), 1)


def _of_unbounded_groups(plan: Plan) -> Iterator[ManyGroups]:
    """Yield that no bound on groups is declared, where one would make the noise smaller."""
    own = plan.selection.groups or 1
    groups = max([own, *(measure.groups for measure in plan.measures)])
    times = max([own if plan.selection.epsilon else 1, *map(_times_as_wide, plan.measures)])
    bounds = [table.contribution for table in plan.asked.named]
    is_declared = any(bound.groups is not None or bound.rows not in (None, 1) for bound in bounds)
    if min(times, groups) > 1 and not is_declared and not plan.asked.one_each:
        table = next((table.name for table in plan.asked.named if not table.unit_is_unique), None)
        yield ManyGroups(table, plan.unit, groups, times, would_be_chosen(plan))
