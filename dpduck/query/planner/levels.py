"""The levels on which totals of grouping sets may be measured: those of ROLLUP, which are nested.

Without levels, groups alone are measured, and a total adds up their noise: that is best where a total has few
groups. Otherwise the totals get noise of their own, all of them, or the coarsest alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from dpduck.query.plan.aggregates import Aggregate, Count, Distinct, Sum
from dpduck.query.plan.model import Levels, Measure
from dpduck.query.planner.noises import Noised
from dpduck.query.write.keys import KeySpace, Places

MOST_LEAVES = 10_000  # groups: fractions of so many are solved for in less than a second


def leveled(measures: Sequence[Measure], sets: Sequence[Places], space: KeySpace) -> list[Noised]:
    """Return the measures with totals on all levels, and on the coarsest; none if sets are not nested."""
    size = space.size
    if size is None or not 1 < size <= MOST_LEAVES:
        return []
    found = _nested(sets, space)
    if len(found) < 2:
        return []
    choices = {"totals of all levels measured too": found}
    if len(found) > 2:
        choices["the largest totals measured too"] = [found[0], found[-1]]
    return [
        Noised(name, tuple(_with_levels(measure, _levels(places, space)) for measure in measures))
        for name, places in choices.items()
        if any(_adds_up(measure.request) for measure in measures)
    ]


def _nested(sets: Sequence[Places], space: KeySpace) -> list[Places]:
    """Return the sets from the coarsest to that of all keys, one of those with the same cells.

    Output: none if they are not nested.
    """
    distinct = {frozenset(places) for places in sets} | {frozenset(range(len(space.keys)))}
    ordered = sorted(distinct, key=len)
    if not all(one < other for one, other in pairwise(ordered)):
        return []
    by_size = {space.size_of(places): tuple(sorted(places)) for places in ordered}  # of equal ones the finest
    return list(by_size.values())


def _levels(places: Sequence[Places], space: KeySpace) -> Levels:
    return Levels(tuple(places), tuple(space.size_of(one) or 0 for one in places))


def _with_levels(measure: Measure, levels: Levels) -> Measure:
    return replace(measure, levels=levels) if _adds_up(measure.request) else measure


def _adds_up(request: Aggregate) -> bool:
    return isinstance(request, (Count, Distinct, Sum))
