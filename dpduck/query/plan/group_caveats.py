"""The caveats of the rows and groups of a plan, and of what groups cost in noise."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from dpduck.query.plan import aggregates
from dpduck.query.plan.caveat_kinds import (
    CountsEmpty,
    CutGroups,
    DropsLines,
    DropsNullUnits,
    DropsRows,
    HidesRare,
    IgnoresNulls,
    ManyGroups,
    NoisyFilter,
    OfGroups,
)
from dpduck.query.plan.cost import measure_error, width_per_clamp
from dpduck.query.plan.model import EveryKey, Measure, Plan
from dpduck.query.plan.names import requests_of
from dpduck.query.plan.private_groups import would_be_chosen


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
