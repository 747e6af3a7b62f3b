"""The levels on which totals of grouping sets may be measured: those of ROLLUP, CUBE and lists of sets.

Without levels, groups of all keys alone are measured, and a total adds up their noise: that is best where a
total has few groups. Otherwise the sets get noise of their own, all of them, or the finest and the coarsest
alone. Groups of all keys are measured only if they are asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from dpduck.query.plan.aggregates import Aggregate, Count, Distinct, Sum
from dpduck.query.plan.model import Levels, Measure
from dpduck.query.planner.noises import Noised
from dpduck.query.write.keys import KeySpace, Places

MOST_LEAVES = 10_000  # groups: fractions of so many are solved for in less than a second
_MOST_SETS = 64  # of sets that are not nested: all sets of six keys

Choices = Mapping[str, Levels]  # by what the title of a plan says of them


def leveled(measures: Sequence[Measure], sets: Sequence[Places], space: KeySpace) -> list[Noised]:
    """Return the measures with totals on all levels, and on fewer of them; none if they have none.

    Sets that are not nested have levels if all combinations of their keys are groups.
    """
    size = space.size
    if size is None or not 1 < size <= MOST_LEAVES or not any(_adds_up(m.request) for m in measures):
        return []
    choices = _nested(sets, space)
    if choices is None:
        choices = {} if space.joint else _crossed(sets, space)
    return [
        Noised(name, tuple(_with_levels(measure, levels) for measure in measures))
        for name, levels in choices.items()
    ]


def _nested(sets: Sequence[Places], space: KeySpace) -> Choices | None:
    """Return levels from the coarsest set to that of all keys, one of those with the same cells.

    Output: None if the sets are not nested.
    """
    distinct = {frozenset(places) for places in sets} | {frozenset(range(len(space.keys)))}
    ordered = sorted(distinct, key=len)
    if not all(one < other for one, other in pairwise(ordered)):
        return None
    by_size = {space.size_of(places): tuple(sorted(places)) for places in ordered}  # of equal ones the finest
    return _with_all_keys([_level(places, space) for places in by_size.values()])


def _crossed(sets: Sequence[Places], space: KeySpace) -> Choices:
    """Return the levels of sets that are not nested. Keys with one value make no difference.

    Output: the set of all keys that have several values is written as that of all keys.
    """
    shape = tuple(key.size or 0 for key in space.keys)
    varying = frozenset(place for place, size in enumerate(shape) if size > 1)
    every = tuple(range(len(shape)))
    known = {varying.intersection(places) for places in sets}
    distinct = {every if places == varying else tuple(sorted(places)) for places in known}
    if len(distinct) > _MOST_SETS:
        return {}
    ordered = sorted((_level(places, space) for places in distinct), key=lambda one: (one[1], one[0]))
    if every in distinct:
        return _with_all_keys(ordered, shape)
    finest = [one for one in ordered if not any(set(one[0]) < set(other) for other in distinct)]
    choices = {"only totals measured": _levels(ordered, shape)}
    return (
        choices
        if finest == ordered
        else {**choices, "only the finest totals measured": _levels(finest, shape)}
    )


def _with_all_keys(levels: Sequence[tuple[Places, int]], shape: tuple[int, ...] = ()) -> Choices:
    """Return all levels, and the first and last alone, which is that of all keys."""
    if len(levels) < 2:
        return {}
    choices = {"totals of all levels measured too": _levels(levels, shape)}
    ends = [levels[0], levels[-1]]
    return (
        choices if len(levels) == 2 else {**choices, "the largest totals measured too": _levels(ends, shape)}
    )


def _level(places: Places, space: KeySpace) -> tuple[Places, int]:
    """Return a set with its number of cells."""
    return places, space.size_of(places) or 0


def _levels(levels: Sequence[tuple[Places, int]], shape: tuple[int, ...]) -> Levels:
    places, sizes = zip(*levels, strict=True)
    return Levels(places, sizes, shape)


def _with_levels(measure: Measure, levels: Levels) -> Measure:
    return replace(measure, levels=levels) if _adds_up(measure.request) else measure


def _adds_up(request: Aggregate) -> bool:
    return isinstance(request, (Count, Distinct, Sum))
