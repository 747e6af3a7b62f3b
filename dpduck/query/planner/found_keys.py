"""Partition selection: plans for keys without a public domain, found in private rows."""

from __future__ import annotations

import math
from dataclasses import replace

from dpduck.query.plan import cost
from dpduck.query.plan.aggregates import Count
from dpduck.query.plan.choosing import choosing_error_of_all, units_to_be_found
from dpduck.query.plan.model import (
    UNITS,
    FoundKeys,
)
from dpduck.query.planner.plan_parts import Draft, PlanParts


def found_keys(parts: PlanParts) -> list[Draft]:
    """Draft partition selection, for keys without a public domain; none if it does not apply.

    Where the largest groups are asked for, these are taken of the counts that it releases.
    """
    groups, most = parts.bound(None)
    if parts.size is not None or not parts.budget.delta or not groups or parts.reads_gaps():
        return []
    counted = _count_of(parts)
    others = [request for request in parts.requests if request is not counted]
    selecting = counted or Count(UNITS, ())
    weights = [cost.weight(request, groups) for request in (selecting, *others)]
    shares = parts.shares([selecting, *others], weights)
    selection = FoundKeys(
        parts.scores(selecting, most),
        shares[0],
        parts.budget.delta,
        None if counted is None else counted.column,
        groups,
    )
    measures = [
        parts.measure(request, share, groups=groups, most=most)
        for request, share in zip(others, shares[1:], strict=True)
    ]
    title = "partition selection: the groups found in enough private rows"
    return [
        Draft(
            f"{title}, Gaussian noise" if one.gaussian else title,
            _cost_of(parts, one),
            parts.plan(one, measures, most, selecting),
        )
        for one in _noises_of(parts, selection)
    ]


def _count_of(parts: PlanParts) -> Count | None:
    """Return the count that partition selection releases: the one that ranks, or any other of units."""
    top = parts.question.top
    counts = [r for r in parts.requests if isinstance(r, Count) and _counts_units(r)]
    ranking = (count for count in counts if top is None or count.column == top[0])
    return next(ranking, None)


def _cost_of(parts: PlanParts, selection: FoundKeys) -> float:
    """Return the cost of counting all groups that are found and choosing among them afterwards."""
    if parts.question.top is None:
        return cost.selection_error(selection)
    width = cost.selection_error(selection)
    lead = choosing_error_of_all(width, parts.others, fixed=False, gaussian=selection.gaussian)
    return math.hypot(lead, units_to_be_found(selection), width if parts.shows_ranks else 0.0)


def _noises_of(parts: PlanParts, selection: FoundKeys) -> list[FoundKeys]:
    """Return a selection with each noise that its counts may have, if it releases any."""
    gaussian = replace(selection, gaussian=True)
    if selection.counted is None or parts.budget.noise == "laplace":
        return [selection]
    return [gaussian] if parts.budget.noise == "gaussian" else [selection, gaussian]


def _counts_units(request: Count) -> bool:
    return not request.conditions and request.rows is None
