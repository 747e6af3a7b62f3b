"""Plans that release something about each key of a public domain, or about all rows."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from dpduck.compiler.parse.nodes import refusal
from dpduck.compiler.planner.answer_sql import answer_sql
from dpduck.compiler.planner.noises import Noised, width_of
from dpduck.compiler.planner.plan_parts import Draft, PlanParts, width_of_column
from dpduck.compiler.planner.undeclared_keys import no_domain
from dpduck.kernel.catalog.model import RangeDomain
from dpduck.kernel.errors.advice import Hint
from dpduck.kernel.errors.notices import Notice, Rank
from dpduck.kernel.plan import cost
from dpduck.kernel.plan.aggregates import Aggregate, Count, Distinct, Mode, Sum
from dpduck.kernel.plan.choosing import choosing_error_of_all
from dpduck.kernel.plan.keys import KeySpace, Places, key_column
from dpduck.kernel.plan.model import RELEASE, EveryKey, Levels, Measure, OneGroup, PublicPlan
from dpduck.kernel.tree import emit
from dpduck.kernel.tree.walk import columns_in, has_subquery

MAX_HISTOGRAM = 1_000_000
MAX_COUNTED = 10_000_000  # groups that are all counted and shown, as whole columns without Python values
MAX_LISTED = 1_000
_DECLARED = (
    "the keys that the owner declared, whether or not a row has them, whatever conditions say of other "
    "columns; that costs nothing"
)


def one_group(parts: PlanParts) -> list[Draft]:
    """Draft the plans of a query without GROUP BY."""
    question = parts.question
    needs_delta = any(isinstance(r, Mode) and r.key.domain is None for r in question.requests)
    if needs_delta and parts.budget.delta == 0:
        unknown = next(r for r in question.requests if isinstance(r, Mode) and r.key.domain is None)
        raise no_domain(unknown.value, parts.node)
    shares = parts.shares(parts.requests, [cost.weight(r, 1) for r in parts.requests])
    pairs = zip(parts.requests, shares, strict=True)
    measures = [parts.measure(r, share, groups=1, most=None) for r, share in pairs]
    noises = parts.noised(measures, 1)
    title = "aggregates of all rows" if len(noises) > 1 else ""
    return [Draft(one.titled(title), one.width, parts.plan(OneGroup(), one.measures)) for one in noises]


def keys_alone(parts: PlanParts) -> PublicPlan:
    """Return the public plan that lists all keys of public domains, for example for a dashboard's filter.

    It reads no private row, so conditions of the query that read more than keys have no effect on it.
    """
    if parts.size is None or parts.size > MAX_LISTED:
        raise refusal(
            f"the answer would list {parts.size:,} public keys",
            f"Without an aggregate all keys of the domain are listed, at most {MAX_LISTED:,}.",
            "Add count(*), and ORDER BY count(*) DESC LIMIT 10.",
            parts.node,
        )
    types = [key.type for key, _ in parts.question.keys]
    groups = (
        [f"CAST({_constant(value)} AS {name})" for value, name in zip(group, types, strict=True)]
        for group in parts.question.space.groups()
    )
    rows = ", ".join(f"({', '.join(values)})" for values in groups)
    columns = ", ".join(emit.identifier(key_column(number)) for number, _ in enumerate(types))
    source = f"(VALUES {rows}) AS {emit.identifier(RELEASE)}({columns})"
    notice = _of_all_keys(parts) if _has_conditions(parts) else None
    return PublicPlan(answer_sql(parts.question, EveryKey(), source), _DECLARED, notice=notice)


def _has_conditions(parts: PlanParts) -> bool:
    """Whether rows are chosen by more than the keys: by other columns, or by a join."""
    rows, keys = parts.question.owned.rows, [value.node for _, value in parts.question.keys]
    read = {column for condition in rows.conditions for column in columns_in(condition)}
    others = read - {column for key in keys for column in columns_in(key)}
    return bool(others) or len(rows.instances) > 1 or any(map(has_subquery, rows.conditions))


def _of_all_keys(parts: PlanParts) -> Notice:
    names = ", ".join(key.name for key, _ in parts.question.keys)
    listed = f"All declared values of {names} are listed, whatever conditions say of other columns."
    hint = Hint.of("HAVING count(*) > 0 asks for those that rows have.")
    return Notice(
        Rank.MEANING, "All declared keys are listed; conditions on other columns are ignored.", listed, hint
    )


def every_key(parts: PlanParts) -> list[Draft]:
    """Draft the full-domain plans: a noisy number for each key; none if there are too many keys."""
    requests = parts.requests
    if parts.size is None or all_groups(parts) > most_groups(parts) or not requests:
        return []
    groups, most = parts.bound(parts.size)
    shares = parts.shares(requests, [cost.weight(request, groups) for request in requests])
    measures = [
        parts.measure(request, share, groups=groups, most=most, chosen=parts.budget.private_groups)
        for request, share in zip(requests, shares, strict=True)
    ]
    title = f"histogram of all {parts.size:,} groups"
    noises = parts.noised(measures, parts.size)
    if parts.question.sets and parts.budget.noise != "gaussian" and not parts.budget.whole:
        noises += leveled(measures, parts.question.sets, parts.question.space)
    plans = [parts.plan(EveryKey(groups=groups), one.measures, most) for one in noises]
    costs = (
        cost.costs_of_sets(plans)
        if parts.question.sets
        else [_cost_of_all(parts, one.measures) for one in noises]
    )
    return [
        Draft(one.titled(title), error, plan) for one, error, plan in zip(noises, costs, plans, strict=True)
    ]


def all_groups(parts: PlanParts) -> int:
    """The number of groups that are released, or that the answer has, if that is larger."""
    return max(parts.size or 0, parts.question.most_groups or 0)


def most_groups(parts: PlanParts) -> int:
    """The maximum number of groups of a full-domain plan."""
    question = parts.question
    counted = all(isinstance(request, (Count, Distinct)) for request in question.requests)
    domains = [key.domain for key, _ in question.keys]
    whole = all(isinstance(domain, RangeDomain) and isinstance(domain.low, int) for domain in domains)
    plain = counted and whole and not (question.top or question.above or question.sets)
    return MAX_COUNTED if plain else MAX_HISTOGRAM


def _cost_of_all(parts: PlanParts, measures: Sequence[Measure]) -> float:
    """Return the cost of measuring all groups and choosing among them afterwards."""
    question = parts.question
    asked = question.top or question.above or question.top_sum
    if asked is None:
        return width_of(measures)
    column, _ = asked
    width = width_of_column(column, measures)
    fixed = asked == question.above
    gaussian = any(one.gaussian is not None for one in measures if one.request.column == column)
    lead = choosing_error_of_all(width, parts.others, fixed=fixed, gaussian=gaussian)
    return math.hypot(lead, width if column in question.shown else 0.0)


def _constant(value: object) -> str:
    return "NULL" if value is None else emit.string(str(value))


# The levels on which totals of grouping sets may be measured: those of ROLLUP, CUBE and lists of sets.
#
# Without levels, groups of all keys alone are measured, and a total adds up their noise: that is best where a
# total has few groups. Otherwise the sets get noise of their own, all of them, or the finest and the coarsest
# alone. Groups of all keys are measured only if they are asked for.


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
