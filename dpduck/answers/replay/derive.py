"""The released columns of a plan, computed from those of an earlier release where possible.

Four steps, each of which may fail: select the groups of the release that meet the plan's conditions; merge
them where the plan has fewer keys; compute the requested numbers; keep the groups of the plan's selection.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext
from fractions import Fraction

from dpduck.answers.replay.describe import Description, describe, request_id
from dpduck.compiler.parse.key_names import key_name
from dpduck.kernel.arrow.outward import outward
from dpduck.kernel.arrow.strings import Cell, text
from dpduck.kernel.plan.aggregates import Aggregate, ClampedSum, Count, Sum
from dpduck.kernel.plan.keys import key_column
from dpduck.kernel.plan.model import RANK, RELEASE, KeysAbove, LargestKeys, Plan
from dpduck.kernel.tree.duckdb import sql
from dpduck.kernel.tree.nodes import ColumnRef, Comparison, Expression, Literal, Membership, Negation
from dpduck.kernel.tree.walk import columns_in, rewritten, ungrouped

Columns = dict[str, list[Cell]]
Group = tuple[Cell, ...]
Members = dict[Group, list[int]]  # for each group of the plan, the rows of the release that it consists of

# Whether each row of key values meets a condition; None if that cannot be told. Input: the condition's SQL;
# names and types of the columns it reads; the rows.
Evaluate = Callable[[str, Sequence[tuple[str, str]], Sequence[Group]], list[bool] | None]

_BESIDE = (
    "",
    "_low",
    "_high",
    "_gap",
    "_p_value",
    "_most",
    "_values_low",
    "_values",
    "_total",
)  # suffixes of a number's own and further columns
_DIGITS = 100  # of precision: more than any sum of released numbers has


@dataclass(frozen=True)
class Fit:
    """How a stored release can answer a plan.

    `extra`: conditions of the plan that only keys can check, as SQL; `places`: for each key of the plan its
    index in the release; `left_out`: the indices of the other keys.
    """

    extra: frozenset[str]
    places: tuple[int, ...]
    left_out: tuple[int, ...]


@dataclass(frozen=True)
class Derived:
    """The released columns of the plan.

    `note`: how they differ from those of a fresh answer; `complete`: whether all rows are included.
    """

    columns: Columns
    note: str = ""
    complete: bool = True

    def shown(self) -> Derived:
        """Without intervals if rows may be missing, since the intervals do not cover these."""
        if self.complete:
            return self
        ends = {f"{name}{end}" for name in self.columns for end in ("_low", "_high")}
        unknown: Columns = {name: [None] * len(cells) for name, cells in self.columns.items() if name in ends}
        return replace(self, columns={**self.columns, **unknown})


def fit(wanted: Description, kept: Description) -> Fit | None:
    """Whether the release may answer the plan, judging by the descriptions alone."""
    places = {key: place for place, key in enumerate(kept.keys)}
    if not kept.conditions <= wanted.conditions or any(key not in places for key in wanted.keys):
        return None
    if any(kept.column_of(request) is None for request, _ in wanted.requests):
        return None
    own = tuple(places[key] for key in wanted.keys)
    others = tuple(place for place in range(len(kept.keys)) if place not in own)
    found = Fit(wanted.conditions - kept.conditions, own, others)
    if kept.most != wanted.most or (kept.most is not None and (others or found.extra)):
        return None  # other rows count in it than a fresh answer would count and say
    if kept.kind == "every key":
        return found if _can_choose(wanted, kept) else None
    return found if not others and _same_selection(wanted, kept, filtered=bool(found.extra)) else None


def _can_choose(wanted: Description, kept: Description) -> bool:
    """Whether the plan's groups can be selected from a release of all groups with their numbers."""
    if wanted.kind == "found keys":
        return False
    return wanted.ranked is None or kept.column_of(wanted.ranked) is not None


def _same_selection(wanted: Description, kept: Description, *, filtered: bool) -> bool:
    if filtered and kept.kind != "found keys":
        return False
    same = (wanted.kind, wanted.ranked, wanted.threshold) == (kept.kind, kept.ranked, kept.threshold)
    return same and wanted.k <= kept.k


def derive(
    plan: Plan, kept: Description, how: Fit, released: Sequence[list[Cell]], evaluate: Evaluate
) -> Derived | None:
    """The plan's released columns as text, or None if the release does not contain them after all.

    Input: the columns of the release, in its order.
    """
    columns = dict(zip(kept.columns, released, strict=True))
    keys = [columns[key_column(place)] for place in range(len(kept.keys))]
    groups: list[Group] = list(zip(*keys, strict=True)) if keys else [()] * len(released[0])
    extra = [test for test in sorted(plan.asked.conditions, key=sql) if sql(test) in how.extra]
    meets = _meets(plan, kept, extra, groups, evaluate)
    if meets is None:
        return None
    members = _candidates(plan, _members(kept, how, groups, meets))
    pinned = _is_pinned(kept, how, extra, groups, meets)
    if not _has_numbers(plan, members, pinned=pinned):
        return None
    if kept.shares_noise and (plan.sets or max(map(len, members.values()), default=0) > 1):
        return None  # the noise of a sum of groups is more than their own noises tell
    if not _is_measured_alike(plan, kept, members):
        return None
    made = _Made(plan, kept, columns, members).columns()
    return Derived(made) if pinned else Derived(made, _left_out(kept, how), complete=False)


def _left_out(kept: Description, how: Fit) -> str:
    """What is not in totals over keys that the plan does not have."""
    names = [key_name(kept.keys[place][0]) for place in how.left_out]
    listed = " or ".join(filter(None, [", ".join(names[:-1]), *names[-1:]])) or "a condition's column"
    return f"Rows whose {listed} is not among its public values are not in it, nor in its error."


def _is_measured_alike(plan: Plan, kept: Description, members: Mapping[Group, Sequence[int]]) -> bool:
    """Whether totals have the noise that is stated: that of the levels on which they were measured.

    The noises of such groups are not independent, so that only all of them, or each alone, are answers.
    """
    wanted = describe(plan)
    if plan.sets:
        same = (wanted.keys, wanted.conditions) == (kept.keys, kept.conditions) or not kept.levels
        return wanted.levels == kept.levels and same
    if not kept.levels:
        return True
    has_groups = len(kept.levels[-1]) == len(kept.keys)  # else only totals were measured
    return has_groups and max(map(len, members.values()), default=0) <= 1


# --- which groups --------------------------------------------------------------------------------


def _meets(
    plan: Plan, kept: Description, extra: Sequence[Expression], groups: Sequence[Group], evaluate: Evaluate
) -> list[bool] | None:
    """Whether each group meets the conditions that the release did not apply."""
    if not extra:
        return [True] * len(groups)
    names = [key_column(place) for place in range(len(kept.keys))]
    tests = [_over_keys(test, kept) for test in extra]
    if any(column.table in plan.asked.aliases for test in tests for column in columns_in(test)):
        return None  # it reads more than released keys
    types = [(name, sql_type) for name, (_, sql_type, _) in zip(names, kept.keys, strict=True)]
    return evaluate(" AND ".join(f"({sql(test)})" for test in tests), types, groups)


def _over_keys(test: Expression, kept: Description) -> Expression:
    """A condition on rows, with released keys in place of their expressions."""
    places = {key: place for place, (key, _, _) in enumerate(kept.keys)}

    def released(node: Expression) -> Expression | None:
        place = places.get(sql(node))
        return None if place is None else ColumnRef(RELEASE, key_column(place), node.type)

    return rewritten(test, released)


def _members(kept: Description, how: Fit, groups: Sequence[Group], meets: Sequence[bool]) -> Members:
    members: Members = {}
    for row, group in enumerate(groups):
        own = members.setdefault(tuple(group[place] for place in how.places), [])
        if meets[row]:
            own.append(row)
    # A group from partition selection that meets no condition is dropped; one of a public domain is empty.
    return members if kept.kind == "every key" else {group: own for group, own in members.items() if own}


def _candidates(plan: Plan, members: Members) -> Members:
    """The groups that are candidates of the plan, whose conditions may have left fewer."""
    if not plan.joint and not any(key.is_narrowed for key in plan.keys):
        return members
    known = {tuple(map(text, group)) for group in plan.space.groups()}
    return {group: own for group, own in members.items() if group in known}


def _is_pinned(
    kept: Description,
    how: Fit,
    extra: Sequence[Expression],
    groups: Sequence[Group],
    meets: Sequence[bool],
) -> bool:
    """Whether the plan restricts every left-out key to listed values, all of which the release contains.

    Then no row can be missing: rows with other values of the key do not meet the condition.
    """
    for place in how.left_out:
        key = kept.keys[place][0]
        listed = max((_listed(test, key) for test in extra), default=0)
        if (
            not listed
            or len({group[place] for group, met in zip(groups, meets, strict=True) if met}) != listed
        ):
            return False
    return True


def _listed(test: Expression, key: str) -> int:
    """How many values of a key a condition lists; 0 if it is not a list.

    A list is `key = value`, `key IN (values)`, and of a BOOLEAN `key` and `NOT key`.
    """
    match test if sql(test) == key else ungrouped(test):
        case Negation(value) if sql(value) == key:
            return 1
        case Comparison("=", value, constant) if sql(value) == key and _is_constant(constant):
            return 1
        case Membership(value, members) if sql(value) == key and all(map(_is_constant, members)):
            return len(members)
        case node:
            return int(sql(node) == key)


def _is_constant(node: Expression) -> bool:
    return isinstance(node, Literal) and node.value is not None


def _has_numbers(plan: Plan, members: Members, *, pinned: bool) -> bool:
    """Whether the numbers of all groups follow from those of the released rows that they consist of.

    Without rows the number is 0; with one row it is that row's; with several it is the sum, if no unit is
    in two of them.
    """
    requests = plan.requests
    requests += [] if plan.asked.ranked is None else [plan.asked.ranked]
    additive = all(_is_additive(request) for request in requests)
    sizes = {len(own) for own in members.values()}
    if not pinned or max(sizes, default=1) > 1:
        return additive and plan.asked.one_row and sizes != {0}
    return additive or 0 not in sizes


def _is_additive(request: Aggregate) -> bool:
    """Whether its numbers of disjoint groups add up; those without a sign were clamped to be at least 0."""
    return isinstance(request, Sum) or (isinstance(request, Count) and not request.is_unsigned)


# --- their numbers -------------------------------------------------------------------------------


class _Made:
    """The columns of the plan, group by group."""

    def __init__(self, plan: Plan, kept: Description, columns: Columns, members: Members) -> None:
        self._plan = plan
        self._kept = kept
        self._columns = columns
        self._members = members
        self._types = {column.name: column.type for column in plan.columns}

    def _requests(self) -> dict[Aggregate, str]:
        """The aggregates of the plan, and the column of each."""
        asked = {one: one.column for one in self._plan.requests}
        ranked, counted = self._plan.asked.ranked, self._plan.selection.counted
        return asked if ranked is None or counted is None else {**asked, ranked: counted}

    def columns(self) -> Columns:
        """The released columns, for the groups that the plan's selection keeps."""
        groups = self._chosen()
        made: Columns = {key_column(i): [group[i] for group in groups] for i, _ in enumerate(self._plan.keys)}
        made[RANK] = [str(rank) for rank in range(1, len(groups) + 1)]
        for request, name in self._requests().items():
            made |= self._numbers(request, name, groups)
        return {column.name: made[column.name] for column in self._plan.columns}

    def _chosen(self) -> list[Group]:
        groups = list(self._members)
        selection, ranked = self._plan.selection, self._plan.asked.ranked
        if self._kept.kind == "every key" and ranked is not None:
            counts = [Decimal(cell or 0) for cell in self._numbers(ranked, "n", groups)["n"]]
            order: Sequence[int] = range(len(groups))
            if isinstance(selection, KeysAbove):
                order = [i for i in order if counts[i] >= selection.threshold]
            if isinstance(selection, (LargestKeys, KeysAbove)):
                order = sorted(order, key=lambda i: -counts[i])
            groups = [groups[i] for i in order]
        return groups[: selection.k] if isinstance(selection, (LargestKeys, KeysAbove)) else groups

    def _numbers(self, request: Aggregate, name: str, groups: Sequence[Group]) -> Columns:
        """The column of an aggregate, with its bounds if it has any."""
        source = self._kept.column_of(request_id(request))
        assert source is not None
        beside = [end for end in _BESIDE if f"{source}{end}" in self._columns]
        tick = 10.0**-request.scale if isinstance(request, (Sum, ClampedSum)) else 1.0
        cells = []
        for rows in (self._members[group] for group in groups):
            if "_low" in beside and len(rows) != 1:
                cells.append(self._total(source, rows, name, tick))
            else:
                cells.append(tuple(self._columns[f"{source}{end}"][rows[0]] for end in beside))
        return {f"{name}{end}": [cell[i] for cell in cells] for i, end in enumerate(beside)}

    def _total(self, source: str, rows: Sequence[int], name: str, tick: float) -> tuple[Cell, ...]:
        """The sum of some rows with its further columns. Input: `tick`: the step of its noise.

        For the sum, half-width plus tick are added in quadrature: n > 1 discrete Laplace noises, or rounded
        normal ones, that are independent are together within sqrt n times one tick more than the 95 %
        half-width of one, with probability at least 95 %.
        Without the tick that is false: a noise that is 0 with 95 % has half-width 0, and a sum of many is
        rarely 0.
        """
        value, low, high = (self._columns[f"{source}{end}"] for end in ("", "_low", "_high"))
        with localcontext(prec=_DIGITS):
            total = sum((Decimal(value[row] or 0) for row in rows), Decimal(0))
        below = math.hypot(*(float(value[row] or 0) - float(low[row] or 0) + tick for row in rows))
        above = math.hypot(*(float(high[row] or 0) - float(value[row] or 0) + tick for row in rows))
        text = repr(float(total)) if self._types.get(name) in ("DOUBLE", "FLOAT") else f"{total:f}"
        unit = Fraction(1, round(1 / tick))
        ends = ((-below, -math.inf), (above, math.inf))
        both = (outward((Fraction(total) + Fraction(by)) / unit, side, unit) for by, side in ends)
        return text, *map(repr, both), None, None
