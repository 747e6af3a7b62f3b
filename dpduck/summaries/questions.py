"""Turns the plan of a query into weights of a summary's cells, or says why the summary cannot serve it.

What is counted must be what the same SQL counts without a summary. So each condition and key must be the same
for all values in a cell: nothing is interpolated. A condition on a column that the summary lacks is refused,
also if all rows would meet it today: nothing here looks at rows.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpduck.compiler.block.narrowing import split
from dpduck.compiler.block.value_bounds import in_ticks
from dpduck.compiler.compile.summary import SummaryRows, as_cell, cells_of, values_of
from dpduck.compiler.planner.clamped_values import is_number
from dpduck.compiler.planner.score_sql import total_of_row
from dpduck.kernel.catalog.types import Value
from dpduck.kernel.plan.aggregates import Aggregate, ClampedSum, Count, Mean, Moments, Sum
from dpduck.kernel.plan.model import EveryKey, OneGroup, Plan
from dpduck.kernel.plan.public_facts import PublicValues
from dpduck.kernel.tree.nodes import VARCHAR, ColumnRef, Expression
from dpduck.kernel.tree.walk import columns_in, has_subquery, rewritten
from dpduck.summaries.linear_queries import CellQuery, Grouping, LinearQuery, ProductQuery
from dpduck.summaries.residuals import Columns, Floats

MOST_TENSOR = 1_000_000  # cells whose weights are listed one by one
_MOST_TICKS = 2.0**31  # of a value: sums of 2^20 such are exact
_MOST_TRIES = 64  # choices of columns that have the same source

_UNBOUNDED = "no SET PRIVACY CONTRIBUTION (rows = ...) says that rows count"
_NOTHING = ColumnRef("", "", VARCHAR)  # no part of any expression

Integers = NDArray[np.int64]


class Unserved(Exception):  # noqa: N818 (a finding, not an error)
    """The summary cannot serve the query. Its text says why, without a full stop."""


@dataclass(frozen=True, eq=False)
class AskedOfCells:
    """What one aggregate asks. `order`: the places of the plan's keys among the columns of a product.

    None: the groups are in the plan's order. `measure`: the number of the measure whose sums it asks; None:
    it asks for counts. `number`: of a mean of values of cells, of which the sum is asked, how many they are.
    """

    query: LinearQuery
    order: tuple[int, ...] | None = None
    measure: int | None = None
    number: LinearQuery | None = None

    @property
    def queries(self) -> tuple[LinearQuery, ...]:
        """All that is asked of the cells."""
        return (self.query,) if self.number is None else (self.query, self.number)

    def arranged(self, groups: Floats) -> Floats:
        """A number for each group, in the order of the plan."""
        if self.order is None or not isinstance(self.query, ProductQuery):
            return groups
        shape = [one.groups for one in self.query.of_column]
        rest = [place for place in range(len(shape)) if place not in self.order]
        return groups.reshape(shape).transpose([*self.order, *rest]).reshape(-1)


def questions_of(
    plan: Plan,
    rows: SummaryRows,
    most: int | None,
    measured: Callable[[LinearQuery], bool],
    facts: PublicValues,
) -> dict[str, AskedOfCells]:
    """The questions of a plan of all groups, by its released columns.

    Input: `most`: how many rows of each unit the summary counts, None if there is one at most; `measured`:
        whether the summary has all that a query depends on.
    Errors: Unserved.
    """
    if plan.sets or not isinstance(plan.selection, (EveryKey, OneGroup)):
        raise Unserved("it has groups of several kinds")
    found = {}
    for request in plan.requests:
        measure = _measure_of(request, rows)
        if measure is None:
            _check_meaning(request, plan, rows, most)
        else:
            _check_measure(request, plan, rows, measure, most)
        question = _Reader(plan, request, rows, facts, is_measure=measure is not None).question(measured)
        found[request.column] = replace(question, measure=measure)
    return found


def _measure_of(request: Aggregate, rows: SummaryRows) -> int | None:
    """The number of the measure whose sum or mean is asked; None if it is none of them."""
    if not isinstance(request, (Sum, Mean)):
        return None
    same = (place for place, one in enumerate(rows.measures) if one.value.node == request.value.node)
    return next(same, None)


def _check_measure(request: Aggregate, plan: Plan, rows: SummaryRows, number: int, most: int | None) -> None:
    """Refuse sums and means of other rows, or of values that are clamped to another range."""
    measure, bound = rows.measures[number], rows.owned.rows_bound
    has_one_row = most is None and plan.asked.one_row
    if isinstance(request, Mean):
        if request.rows is None and not has_one_row:
            raise Unserved(f"it has means over rows, and the query asks for one over people: {_UNBOUNDED}")
        if request.population:
            raise Unserved("the query asks for the interval of a population")
        same = (request.low, request.high) == (measure.low, measure.high)
    else:
        assert isinstance(request, Sum)
        if bound is None and not has_one_row:
            raise Unserved(f"it adds up rows, and the query totals of people: {_UNBOUNDED}")
        times, scale = bound or 1, request.scale
        low, high = measure.low, measure.high
        same = (request.low, request.high) == (
            in_ticks(min(low * times, low), scale),
            in_ticks(max(high * times, high), scale),
        ) and request.each in (None, (in_ticks(low, scale), in_ticks(high, scale)))
    if not same:
        raise Unserved(f"it has {measure.name} within another range")


def _check_meaning(request: Aggregate, plan: Plan, rows: SummaryRows, most: int | None) -> None:
    """Refuse what a sum of cells does not count; sums and means are of values that are the same in a cell."""
    has_one_row = most is None and plan.asked.one_row
    if isinstance(request, Mean) and request.population:
        raise Unserved("the query asks for the interval of a population")
    if isinstance(request, (Count, Mean)) and not has_one_row:
        if request.rows is None:
            raise Unserved(f"it counts rows, and the query counts people: {_UNBOUNDED}")
        if request.rows != rows.owned.rows_bound:
            raise Unserved("the query has a bound of its own on the rows of a unit")
    if isinstance(request, ClampedSum) or (isinstance(request, Sum) and not has_one_row):
        raise Unserved(f"it has no MEASURE of what the query adds up, or {_UNBOUNDED}")
    if isinstance(request, Moments):
        raise Unserved("it has no deviations and slopes, and no intervals of a population")
    if not isinstance(request, (Count, Sum, Mean)):
        raise Unserved("it has counts, sums and averages, and the query asks for another number")


@dataclass(frozen=True)
class _CellsOfPart:
    """Something that a query reads, in a column of the summary: its values as text, and the cell of each."""

    node: Expression
    column: int
    listed: Sequence[str | None]
    cells: Sequence[int]


@dataclass(frozen=True)
class _OverCells:
    """An expression as a function of cells. `columns`: of the summary; `values`: an axis for each."""

    columns: Columns
    values: NDArray[np.object_]


@dataclass
class _Reader:
    """Reads one aggregate of a plan."""

    plan: Plan
    request: Aggregate
    rows: SummaryRows
    facts: PublicValues
    is_measure: bool = False
    _known: dict[tuple[Expression, tuple[int, ...]], _OverCells | None] = field(default_factory=dict)

    def question(self, measured: Callable[[LinearQuery], bool]) -> AskedOfCells:
        """The first choice of columns that serves. Errors: Unserved."""
        keys, conditions, total = list(self.plan.asked.keys), self._conditions(), self._total()
        choices: dict[Expression, list[_CellsOfPart]] = {}
        for node in (*keys, *conditions, *total):
            for part in _parts_of(node, self.rows):
                choices.setdefault(part, self._choices(part))
        reason = ""
        for chosen in itertools.islice(itertools.product(*choices.values()), _MOST_TRIES):
            by_part = {part.node: part for part in chosen}
            try:
                question = self._with(keys, conditions, total, by_part)
                if total and isinstance(self.request, Mean):
                    question = replace(question, number=self._with(keys, conditions, [], by_part).query)
            except Unserved as why:
                reason = reason or str(why)
                continue
            if all(map(measured, question.queries)):
                return question
            names = [self.rows.columns[column].name for column in question.query.columns]
            reason = reason or f"it has no table of {', '.join(names)} together"
        raise Unserved(reason or "it reads too many columns")

    def _conditions(self) -> list[Expression]:
        own = set(self.rows.owned.rows.conditions)  # of a view, which the summary has counted under
        if not own <= self.plan.asked.conditions:
            raise Unserved("it is of a part of the rows")
        total = self._asked_total
        present = () if total is None else _value_of(total)[1]
        whole = (*(self.plan.asked.conditions - own), *self.request.conditions, *present)
        if any(has_subquery(node) for node in whole):
            raise Unserved("a condition has a subquery")
        conditions = sorted(dict.fromkeys(split(whole)), key=repr)
        constant = [node for node in conditions if not _parts_of(node, self.rows)]
        if any(self._constant(node) is not True for node in constant):
            raise Unserved("no row meets its conditions")
        return [node for node in conditions if node not in constant]

    def _total(self) -> list[Expression]:
        """What a row adds, in ticks, if that is neither 1 nor a measure."""
        total = self._asked_total
        return [] if total is None else [_value_of(total)[0]]

    @property
    def _asked_total(self) -> Sum | Mean | None:
        """A sum or mean of values of cells."""
        return self.request if isinstance(self.request, (Sum, Mean)) and not self.is_measure else None

    def _constant(self, node: Expression) -> Value | None:
        """The value of a condition that reads nothing, such as 1 = 1. Errors: Unserved if it has none."""
        made = values_of(node, [(_NOTHING, [None])], self.facts)
        if made is None:
            raise Unserved("a part of it cannot be computed from public values")
        return made[0][1]

    def _choices(self, node: Expression) -> list[_CellsOfPart]:
        """The columns of the summary that may tell what an expression is."""
        found = []
        for number, column in enumerate(self.rows.columns):
            made = column.made_of
            if column.asked == node:
                found.append(_CellsOfPart(node, number, column.texts, range(column.size)))
            elif made is not None and made.column == node:
                found.append(_CellsOfPart(node, number, made.listed, made.cells))
        if not found:
            name = _named(node)
            if name in {measure.name for measure in self.rows.measures}:
                raise Unserved(f"it has sums and averages of {name}, and no cells of it")
            raise Unserved(f"it has no column {name}")
        return sorted(found, key=lambda part: self.rows.columns[part.column].size)

    def _with(
        self,
        keys: Sequence[Expression],
        conditions: Sequence[Expression],
        total: Sequence[Expression],
        by_part: Mapping[Expression, _CellsOfPart],
    ) -> AskedOfCells:
        tests, groups, weights = (
            [self._over_cells(node, by_part) for node in nodes] for nodes in (conditions, keys, total)
        )
        plain = all(len(one.columns) == 1 for one in (*tests, *groups, *weights))
        own = [one.columns for one in groups]
        if plain and not self.plan.joint and len(set(own)) == len(own):
            return self._product(tests, groups, weights)
        return self._tensor(tests, groups, weights)

    # --- functions of cells ----------------------------------------------------------------------

    def _over_cells(self, node: Expression, by_part: Mapping[Expression, _CellsOfPart]) -> _OverCells:
        """An expression as a function of cells. Errors: Unserved if a cell holds several of its values."""
        parts = [by_part[part] for part in _parts_of(node, self.rows)]
        if not parts:
            raise Unserved("it groups by a constant")
        at = (node, tuple(part.column for part in parts))
        if at not in self._known:
            self._known[at] = self._computed(node, parts)
        found = self._known[at]
        if found is None:
            names = " and ".join(self.rows.columns[part.column].name for part in parts)
            raise Unserved(f"it has bands or groups of {names}, which the query divides")
        return found

    def _computed(self, node: Expression, parts: Sequence[_CellsOfPart]) -> _OverCells | None:
        if len({part.column for part in parts}) < len(parts):
            return None
        parts = sorted(parts, key=lambda part: part.column)
        if math.prod(len(part.listed) for part in parts) > MOST_TENSOR:
            raise Unserved("it reads columns of too many values at once")
        made = values_of(node, [(part.node, part.listed) for part in parts], self.facts)
        if made is None:
            raise Unserved("a part of it cannot be computed from public values")
        shape = [self.rows.columns[part.column].size for part in parts]
        values = np.full(shape, None, dtype=object)
        known = np.zeros(shape, dtype=bool)
        for (_, value), place in zip(made, itertools.product(*(part.cells for part in parts)), strict=True):
            if -1 in place:
                continue
            own = as_cell(value, node.type.name)
            if known[place] and not _is_same(values[place], own):
                return None
            values[place], known[place] = own, True
        return _OverCells(tuple(part.column for part in parts), values)

    # --- weights ---------------------------------------------------------------------------------

    def _product(
        self, tests: Sequence[_OverCells], keys: Sequence[_OverCells], weights: Sequence[_OverCells]
    ) -> AskedOfCells:
        used = sorted({column for one in (*tests, *keys, *weights) for column in one.columns})
        groupings = []
        for column in used:
            size = self.rows.columns[column].size
            kept = np.ones(size, dtype=bool)
            for test in tests:
                if test.columns == (column,):
                    kept &= _is_true(test.values)
            group, groups = np.zeros(size, dtype=np.int64), 1
            for place, key in enumerate(keys):
                if key.columns == (column,):
                    group, groups = self._numbers(place, key)
            own = next((self._ticks(one) for one in weights if one.columns == (column,)), None)
            counted = np.where(kept, group, -1)
            _check_counts(counted)
            groupings.append(Grouping(counted, groups, own))
        order = tuple(used.index(key.columns[0]) for key in keys)
        return AskedOfCells(ProductQuery(tuple(used), tuple(groupings)), order)

    def _numbers(self, place: int, key: _OverCells) -> tuple[Integers, int]:
        """The number of each cell's value among those of a key, and how many it has; -1 for none of them."""
        values = cells_of(self.plan.keys[place])
        known = {_hashed(value): number for number, value in enumerate(values)}
        numbers = [known.get(_hashed(value), -1) for value in key.values.reshape(-1)]
        return np.array(numbers, dtype=np.int64).reshape(key.values.shape), len(values)

    def _ticks(self, weight: _OverCells) -> Floats:
        """What a row of each cell adds to a sum, in ticks; 0 of cells that do not count. Errors: Unserved.

        To a mean it adds its value, within the range.
        """
        scale = 10**self.request.scale if isinstance(self.request, Sum) else 1
        ticks = [0.0 if one is None else float(Fraction(one) * scale) for one in weight.values.reshape(-1)]
        if isinstance(self.request, Mean):
            ticks = np.clip(ticks, float(self.request.low), float(self.request.high)).tolist()
        if max(map(abs, ticks), default=0.0) > _MOST_TICKS:
            raise Unserved("it adds up values that are too large for its arithmetic")
        return np.array(ticks).reshape(weight.values.shape)

    def _tensor(
        self, tests: Sequence[_OverCells], keys: Sequence[_OverCells], weights: Sequence[_OverCells]
    ) -> AskedOfCells:
        used = tuple(sorted({column for one in (*tests, *keys, *weights) for column in one.columns}))
        shape = [self.rows.columns[column].size for column in used]
        if math.prod(shape) > MOST_TENSOR:
            raise Unserved("conditions or keys on several columns have too many cells together")
        kept = np.ones(shape, dtype=bool)
        for test in tests:
            kept &= _spread(_is_true(test.values), test.columns, used, shape)
        place, groups = np.zeros(shape, dtype=np.int64), 1
        for number, key in enumerate(keys):
            numbers, size = self._numbers(number, key)
            own = _spread(numbers, key.columns, used, shape).astype(np.int64)
            place, groups = np.where((own < 0) | (place < 0), -1, place * size + own), groups * size
        if self.plan.joint:
            place, groups = self._joint(place)
        group = np.where(kept, place, -1)
        _check_counts(group)
        weight = np.ones(shape)
        for one in weights:
            weight = weight * _spread(self._ticks(one), one.columns, used, shape).astype(np.float64)
        return AskedOfCells(CellQuery(used, group, weight, groups))

    def _joint(self, place: Integers) -> tuple[Integers, int]:
        """Places among all combinations of keys as those among the combinations that there are."""
        keys = self.plan.keys
        numbers = [{_hashed(value): at for at, value in enumerate(cells_of(key))} for key in keys]
        known = {}
        for group, values in enumerate(self.plan.space.groups()):
            at = 0
            for own, value in zip(numbers, values, strict=True):
                at = at * len(own) + own[_hashed(value)]
            known[at] = group
        flat = [known.get(at, -1) for at in place.reshape(-1).tolist()]
        return np.array(flat, dtype=np.int64).reshape(place.shape), len(known)


def _value_of(request: Sum | Mean) -> tuple[Expression, tuple[Expression, ...]]:
    """What a row adds, and the conditions that it has a value."""
    if isinstance(request, Sum):
        return total_of_row(request)
    return request.value.node, tuple(is_number(request.value))


def _parts_of(node: Expression, rows: SummaryRows) -> list[Expression]:
    """What an expression reads: columns of the summary by their own expressions, and columns of the table."""
    own = {column.asked for column in rows.columns if column.asked is not None}
    found: dict[Expression, None] = {}

    def mark(part: Expression) -> Expression | None:
        if part in own or isinstance(part, ColumnRef):
            found[part] = None
            return part
        return None

    rewritten(node, mark)
    return list(found)


def _check_counts(group: Integers) -> None:
    """Refuse what no cell meets: rows may, whose values are outside of the domains."""
    if (group < 0).all():
        raise Unserved("it has no cell that meets the conditions")


def _named(node: Expression) -> str:
    columns: Iterator[ColumnRef] = columns_in(node)
    return next((column.name for column in columns), "of that expression")


def _is_true(values: NDArray[np.object_]) -> NDArray[np.bool_]:
    return np.array([value is True for value in values.reshape(-1)], dtype=bool).reshape(values.shape)


def _is_same(one: Value | None, other: Value | None) -> bool:
    return _hashed(one) == _hashed(other)


def _hashed(value: Value | None) -> tuple[bool, object]:
    """A value to compare: a boolean is no number."""
    return isinstance(value, bool), value


def _spread(
    values: NDArray[np.generic], own: Columns, used: Columns, shape: Sequence[int]
) -> NDArray[np.generic]:
    """A function of some columns as one of all that are used."""
    narrow = [size if column in own else 1 for column, size in zip(used, shape, strict=True)]
    return np.broadcast_to(values.reshape(narrow), shape)
