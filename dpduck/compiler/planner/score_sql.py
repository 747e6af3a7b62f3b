"""Generates the score SQL of each request, as nested SELECTs.

The innermost layer selects the rows: keys k0, k1, ..., the unit, and a value if the request has one. It
drops rows of the NULL unit and rows whose key is not a candidate. If the noise relies on a contribution
bound, the next layers enforce it: they keep that many groups or rows per unit, in the order of a hash of
the unit and the group (or value). This choice depends on the unit's own rows only, and differs between
units, so that it does not drop the same groups for all. Then each unit is reduced to one row per group,
its part, and the last layer adds up the parts.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache, reduce
from math import comb
from typing import assert_never

from dpduck.compiler.block.privacy_units import Owned
from dpduck.compiler.planner.candidates import is_candidate
from dpduck.compiler.planner.clamped_values import (
    clamped_total,
    fixed_point,
    is_number,
    level_of,
    position_of,
)
from dpduck.kernel.catalog.types import SqlType, parse_type
from dpduck.kernel.plan import grid_sql
from dpduck.kernel.plan.aggregates import (
    Aggregate,
    ChosenCount,
    ChosenDistinct,
    ClampedSum,
    Count,
    Distinct,
    Mean,
    Mode,
    Moments,
    Quantile,
    Quantiles,
    Sum,
)
from dpduck.kernel.plan.expression import Typed
from dpduck.kernel.plan.keys import Key
from dpduck.kernel.plan.model import Passes
from dpduck.kernel.tree import build
from dpduck.kernel.tree.build import call, compared, literal
from dpduck.kernel.tree.emit import GIVEN, HELD
from dpduck.kernel.tree.nodes import (
    VARCHAR,
    AggregateCall,
    ColumnRef,
    Comparison,
    Expression,
    Literal,
    ScalarSubquery,
    SortKey,
    Star,
    WindowCall,
)
from dpduck.kernel.tree.relations import DerivedTable, JoinedTables, ReaderTable, SelectItem, SelectQuery

_BIGINT, _DOUBLE, _HUGEINT = map(parse_type, ("BIGINT", "DOUBLE", "HUGEINT"))
_HASH = parse_type("UBIGINT")
_ALL = Star()
_COUNT = SelectItem(build.count_rows(), "score")

_AS_TEXT = ("HUGEINT", "UHUGEINT")  # Arrow has no types for them

_VALUES = ("value", "other")  # the columns of the arguments of an aggregate, in the inner layers

_BIGINT_TICKS = 2**62  # of a row's weights: more are summed up as HUGEINT

_NAMES = 1 << 62  # of values in turns: hashes that fit 64 bits with a sign

_FEW = 1 << 16  # groups, for which DuckDB counts units faster by GROUP BY than by count(DISTINCT)


@dataclass(frozen=True)
class GroupKeys:
    """The keys of the groups, and `most`: the bound on groups per unit to enforce; None: unbounded."""

    keys: tuple[tuple[Key, Typed], ...]
    most: int | None = None

    @property
    def are_few(self) -> bool:
        """Whether the domains of the keys bound the number of groups by `_FEW`."""
        sizes = [key.size for key, _ in self.keys]
        return None not in sizes and math.prod(size for size in sizes if size is not None) <= _FEW

    @property
    def columns(self) -> tuple[ColumnRef, ...]:
        """The keys as columns k0, k1, ... of the inner layers."""
        return tuple(_column(f"k{i}", typed.node.type) for i, (_, typed) in enumerate(self.keys))


def score_sql(owned: Owned, groups: GroupKeys, request: Aggregate, salt: int) -> SelectQuery:
    """Return the score SQL of a request: a row for each group (and value), its keys, value and `score`."""
    return _Writer(owned, groups, salt).write(request)


def passes_of(owned: Owned, groups: GroupKeys, request: Aggregate, salt: int) -> Passes | None:
    """Return the two passes of quantiles on a fine grid; None for other requests."""
    if not isinstance(request, (Quantile, Quantiles)):
        return None
    return _Writer(owned, groups, salt).passes(_Ranked.of(request))


def cells_sql(
    owned: Owned,
    keys: Sequence[tuple[Key, Typed]],
    within: Sequence[tuple[Key, Typed]],
    rows: int | None,
    salt: int,
    sums: Sequence[Expression] = (),
) -> SelectQuery:
    """Return the score SQL of a summary: the number of rows in each cell of all columns together.

    Input: `within`: further expressions whose rows have a value in a domain; `rows`: how many rows of each
        unit count, in total: those that come first by a hash of the unit, the row and the salt, whichever
        columns the summary has, so that two summaries show no more of a unit than the larger one; None: the
        schema allows one; `sums`: what a row adds to further sums, `score0`, `score1`, ....
    """
    return _Writer(owned, GroupKeys(tuple(keys)), salt).cells(within, rows, sums)


def total_of_row(request: Sum) -> tuple[Expression, tuple[Expression, ...]]:
    """Return what a row adds to a sum of units that have one row each, in ticks, and its conditions."""
    low, high = (Literal(f"{bound:f}", parse_type(request.ticks)) for bound in (request.low, request.high))
    return clamped_total(fixed_point(request.value, request), low, high), tuple(is_number(request.value))


@dataclass(frozen=True)
class _Ranked:
    """What is read for quantiles: the values of one of them, at so many places within each point."""

    request: Quantile
    places: int = 1

    @classmethod
    def of(cls, request: Quantile | Quantiles) -> _Ranked:
        return cls(request.of, request.places) if isinstance(request, Quantiles) else cls(request)


class _Writer:
    def __init__(self, owned: Owned, groups: GroupKeys, salt: int) -> None:
        self._owned = owned
        self._groups = groups
        self._salt = literal(salt, _BIGINT)
        self._keys = groups.columns
        self._unit = _column("unit", owned.unit.type)

    def write(self, request: Aggregate) -> SelectQuery:  # noqa: C901 (a case for each kind)
        match request:
            case Count():
                return self._count(request)
            case ChosenCount():
                return self._count_by_groups(request)
            case Distinct():
                return self._count_values(request)
            case ChosenDistinct():
                return self._count_by_level(request)
            case Sum():
                return self._sum(request)
            case ClampedSum():
                return self._sum_by_level(request)
            case Mean():
                return self._mean(request)
            case Moments():
                return self._moments(request)
            case Quantile() | Quantiles():
                return self._quantile(_Ranked.of(request))
            case Mode():
                return self._mode(request)
        assert_never(request)

    def cells(
        self, within: Sequence[tuple[Key, Typed]], rows: int | None, sums: Sequence[Expression]
    ) -> SelectQuery:
        tests = [test for key, typed in within if (test := is_candidate(typed, key)) is not None]
        parts = [SelectItem(node, f"part{place}") for place, node in enumerate(sums)]
        scores = [
            _COUNT,
            *(_score_sum(node.type, node.type, number=str(place)) for place, node in enumerate(sums)),
        ]

        def rows_of(*values: Expression) -> SelectQuery:
            found = self._rows(tests, *values)
            return replace(found, items=(*found.items, *parts))

        if rows is None:
            return self._total(rows_of(), *scores)
        chance = call("hash", _HASH, self._owned.unit, *self._row_key(), self._salt)
        added = (_column(f"part{place}", node.type) for place, node in enumerate(sums))
        order = (_column(_VALUES[0], _HASH), *self._keys, *added)  # of all that is read, so that no row ties
        turn = WindowCall(call("row_number", _BIGINT), (self._unit,), order)
        return self._total(_first(rows_of(chance), turn, "turn", rows), *scores)

    def _row_key(self) -> list[Expression]:
        """Return what tells the rows of a unit apart: a primary key, else all columns."""
        found: list[Expression] = []
        for instance in self._owned.rows.instances:
            table = instance.table
            names = table.primary_key or tuple(column.name for column in table.columns)
            found += [instance.column(name) for name in names]
        return found

    # --- one method for each request -------------------------------------------------------------

    def _count(self, request: Count) -> SelectQuery:
        return self._count_units(request) if request.rows is None else self._count_rows(request)

    def _count_units(self, request: Count) -> SelectQuery:
        """Count each unit once in each of its groups.

        With many groups, DuckDB computes count(DISTINCT unit) faster than a GROUP BY of keys and unit.
        """
        rows = self._rows(request.conditions)
        if self._owned.has_one_row_in(self._groups.keys):
            return self._total(rows, _COUNT)
        if not self._groups.are_few:
            units = AggregateCall("count", (self._unit,), _BIGINT, distinct=True)
            return self._total(rows, SelectItem(units, "score"))
        return self._total(_grouped([*self._keys, self._unit], rows), _COUNT)

    def _count_rows(self, request: Count) -> SelectQuery:
        most = literal(int(request.rows or 1), _BIGINT)
        part = call("least", _BIGINT, build.count_rows(), most)
        return self._total(self._parts(self._rows(request.conditions), part), _score_sum(_BIGINT))

    def _count_by_groups(self, request: ChosenCount) -> SelectQuery:
        """Count units, or rows, in each group apart for each level: the first at which the unit counts there.

        `score0`: their number, `score1`: of how many units it is the first group at that level. A unit sorts
        its groups by the hash by which it would keep the first of them under a declared bound.
        """
        most = literal(request.rows, _BIGINT)
        own = [*self._keys, self._unit]
        part = call("least", _BIGINT, build.count_rows(), most)
        rows = self._rows(request.conditions)
        parts = _select([*own, SelectItem(part, "part")], rows, by=own)
        chance = call("hash", _HASH, self._unit, *self._keys, self._salt)
        place = WindowCall(call("row_number", _BIGINT), (self._unit,), (chance, *self._keys))
        placed = _select([*self._keys, _SHARE, SelectItem(place, "place")], parts)
        number, ladder = _column("place", _BIGINT), request.ladder
        reached = (
            (Comparison("<=", number, literal(bound, _BIGINT)), literal(level, _BIGINT))
            for level, bound in enumerate(ladder[:-1])
        )
        level = build.choice(*reached, otherwise=literal(len(ladder) - 1, _BIGINT))
        firsts = build.one_of(number, tuple(literal(bound + 1, _BIGINT) for bound in ladder[:-1]))
        first = build.choice((firsts, literal(1, _BIGINT)), otherwise=literal(0, _BIGINT))
        leveled = _select(
            [*self._keys, _SHARE, SelectItem(level, "value"), SelectItem(first, "first")], placed
        )
        sums = (_sum_of(column) for column in (_SHARE, _column("first", _BIGINT)))
        scores = (SelectItem(build.converted(one, _BIGINT), f"score{i}") for i, one in enumerate(sums))
        return self._total(leveled, *scores, value=request.level)

    def _values_of(self, request: Distinct | ChosenDistinct) -> SelectQuery:
        value = request.value
        short = [build.is_short(value.node)] if value.type.kind == "text" and value.domain is None else []
        return self._rows((*request.conditions, *is_number(value), *short), value.node)

    def _count_by_level(self, request: ChosenDistinct) -> SelectQuery:
        """Count each value at the least level at which some unit contributes it.

        A unit ranks its own values by a hash of unit and value; equal values have one rank, which spares a
        pass that groups them.
        """
        if request.claims:
            return self._pairs(request)
        value, place = _column("value", request.value.node.type), _column("place", _BIGINT)
        chance = call("hash", _HASH, self._unit, value, self._salt)
        rank = WindowCall(call("dense_rank", _BIGINT), (self._unit, *self._keys), (chance, value))
        ranked = _select([*self._keys, value, SelectItem(rank, "place")], self._values_of(request))
        first = SelectItem(AggregateCall("min", (place,), _BIGINT), "place")
        firsts = _select([*self._keys, first], ranked, by=[*self._keys, value])
        levels = request.levels
        reached = (
            (Comparison("<=", place, literal(level, _BIGINT)), literal(number, _BIGINT))
            for number, level in enumerate(levels[:-1])
        )
        level = build.choice(*reached, otherwise=literal(len(levels) - 1, _BIGINT))
        within = SelectQuery(
            (*self._keys, SelectItem(level, "value")),
            DerivedTable(firsts, "t"),
            (Comparison("<=", place, literal(request.most, _BIGINT)),),
        )
        return self._total(within, _COUNT, value=request.level)

    def _pairs(self, request: ChosenDistinct) -> SelectQuery:
        """Return the pairs of a unit and a value in each group, each once, of at most `most` values.

        `score0`: the place of the unit in an order of all by a hash, `score1`: that of the value among its
        own, `score2`: a hash that names the value. Two units never share a place, on which the proof relies.
        """
        value = _column("value", request.value.node.type)
        pairs = _grouped([*self._keys, value, self._unit], self._values_of(request))
        order: tuple[Expression, ...] = call("hash", _HASH, self._unit, value, self._salt), value
        own = WindowCall(call("row_number", _BIGINT), (self._unit, *self._keys), order)
        kept = _first(pairs, own, "place", request.most)
        turn = WindowCall(
            call("dense_rank", _BIGINT), (), (call("hash", _HASH, self._unit, self._salt), self._unit)
        )
        name = _place(call("hash", _HASH, value, self._salt), _NAMES)
        scores = (turn, _column("place", _BIGINT), name)
        items = (SelectItem(score, f"score{i}") for i, score in enumerate(scores))
        return _select([*self._named_keys(), *items], kept)

    def _count_values(self, request: Distinct) -> SelectQuery:
        value, rows = request.value, self._values_of(request)
        chosen = self._choose_values(rows, value.node.type, request.values)
        return self._total(_grouped([*self._keys, _column("value", value.node.type)], chosen), _COUNT)

    def _sum(self, request: Sum) -> SelectQuery:
        value, ticks = request.value, parse_type(request.ticks)
        rows = self._rows((*request.conditions, *is_number(value)), fixed_point(value, request))
        low, high = (Literal(f"{bound:f}", ticks) for bound in (request.low, request.high))
        total = build.converted(_sum_of(_column("value", ticks)), ticks)
        return self._total(self._parts(rows, clamped_total(total, low, high)), _score_sum(ticks, ticks))

    def _sum_by_level(self, request: ClampedSum) -> SelectQuery:
        """Add up the totals of units in each group, apart for each level: the least j with |total| <= 2^j.

        `score0`: their sum, `score1`: how many are above 0, less how many are below, `score2`: how many they
        are.
        """
        ticks, value = parse_type(request.ticks), request.value
        part, size = _column("part", ticks), _column("size", ticks)
        rows = self._rows((*request.conditions, *is_number(value)), fixed_point(value, request))
        least = Decimal(0) if request.above_zero else -request.ceiling
        ends = (Literal(f"{end:f}", ticks) for end in (least, request.ceiling))
        total = clamped_total(build.converted(_sum_of(_column("value", ticks)), ticks), *ends)
        own = [*self._keys, self._unit]
        totals = _select([*own, SelectItem(total, "part")], rows, by=own)
        sized = _select([_EVERY, SelectItem(call("abs", ticks, part), "size")], totals)
        leveled = _select([_EVERY, SelectItem(level_of(size, request), "value")], sized)
        zero, one, less = (literal(number, _BIGINT) for number in (0, 1, -1))
        above, below = (Comparison(symbol, part, literal(0, ticks)) for symbol in (">", "<"))
        sign = build.choice((above, one), (below, less), otherwise=zero)
        signs = build.converted(AggregateCall("sum", (sign,), _HUGEINT), _BIGINT)
        scores: tuple[Expression, ...] = (_sum_of(part), signs, build.count_rows())
        items = (SelectItem(score, f"score{i}") for i, score in enumerate(scores))
        return self._total(leveled, *items, value=request.level)

    def _mean(self, request: Mean) -> SelectQuery:
        """`score`: the sum of positions in the range, in ticks from its low end; `units`: their number."""
        value, position = request.value, _column("value", _BIGINT)
        rows = self._rows((*request.conditions, *is_number(value)), position_of(value, request))
        if request.rows is None:
            mean = call("//", _HUGEINT, _sum_of(position), build.count_rows())
            parts = self._parts(rows, build.converted(mean, _BIGINT))
        else:
            chosen = self._choose_rows(rows, [_BIGINT], request.rows)
            parts = _select([*self._keys, SelectItem(position, "part")], chosen)
        return self._total(parts, _score_sum(_BIGINT), SelectItem(build.count_rows(), "units"))

    def _moments(self, request: Moments) -> SelectQuery:
        """`score0`, `score1`, ...: the sums of weights, in ticks.

        Without `rows`, those of a unit are divided by its rows and rounded down, so that they add up to at
        most those of one row.
        """
        present = [test for axis in request.axes for test in is_number(axis.value)]
        positions = (position_of(axis.value, axis) for axis in request.axes)
        rows = self._rows((*request.conditions, *present), *positions)
        if request.rows is not None:
            rows = self._choose_rows(rows, [_BIGINT] * len(request.axes), request.rows)
        ticks = _BIGINT if request.whole < _BIGINT_TICKS else _HUGEINT
        weights = [SelectItem(one, f"part{i}") for i, one in enumerate(_weights(request, ticks))]
        parts = _select([*self._keys, self._unit, *weights], rows)
        if request.rows is None:
            parts = self._mean_parts(parts, [(item.name, ticks) for item in weights])
        return self._total(parts, *(_score_sum(ticks, number=str(i)) for i, _ in enumerate(weights)))

    def _mean_parts(self, parts: SelectQuery, columns: Sequence[tuple[str, SqlType]]) -> SelectQuery:
        """Reduce the parts of rows to their means, rounded down, for each unit and group."""
        means = []
        for name, ticks in columns:
            mean = call("//", _HUGEINT, _sum_of(_column(name, ticks)), build.count_rows())
            means.append(SelectItem(build.converted(mean, ticks), name))
        return _select([*self._keys, *means], parts, by=[*self._keys, self._unit])

    def _quantile(self, ranked: _Ranked) -> SelectQuery:
        return self._count_numbers(self._numbers(ranked, self._width(ranked)), ranked.request)

    # --- quantiles -------------------------------------------------------------------------------

    def passes(self, ranked: _Ranked) -> Passes | None:
        """Return the two passes of a quantile; None if its grid is small enough for one pass."""
        width, request = self._width(ranked), ranked.request
        if width == 1:
            return None
        if request.parts is None:
            near = self._numbers(ranked, near=not self._keys)
            return Passes(width, self._quantile(ranked), self._points(near, request))
        held = SelectQuery((_ALL,), ReaderTable(HELD))
        number = SelectItem(grid_sql.divided(_NUMBER, width), "value")
        bins = self._count_numbers(_select([*self._keys, number, _SHARE], held), request)
        return Passes(width, bins, self._points(held, request), self._numbers(ranked))

    def _width(self, ranked: _Ranked) -> int:
        return grid_sql.bin_width(ranked.request.grid.size * ranked.places, grouped=bool(self._keys))

    def _numbers(self, ranked: _Ranked, width: int = 1, *, near: bool = False) -> SelectQuery:
        """Return for each value the index of its grid point, or place within it, or of its bin of `width`.

        `near`: only values near the windows that the query is sent with are needed. With `request.parts`,
        equal values of a unit are one row, whose `part` is their share of its weight. They have one place.
        """
        request, places = ranked.request, ranked.places
        value = request.value
        limits = _near(value) if near else []
        rows, column = (
            self._rows((*request.conditions, *is_number(value), *limits), value.node),
            value.node.type,
        )
        unit = [] if request.parts is None else [self._unit]
        inside = grid_sql.clamped(_column("value", column), request.grid, value.type)
        point = _column("value", inside.type)
        number = grid_sql.numbered(point, request.grid, value.type, width if places == 1 else 1)
        place = []
        if places > 1:
            chance = call("hash", _HASH, self._unit, _column("value", column), self._salt)
            place.append(SelectItem(_place(chance, places), "place"))
            number = call("*", _BIGINT, number, literal(places, _BIGINT))
            number = grid_sql.divided(call("+", _BIGINT, number, _column("place", _BIGINT)), width)
        clamped = _select([*self._keys, SelectItem(inside, "value"), *place, *unit], rows)
        numbered = _select([*self._keys, SelectItem(number, "value"), *unit], clamped)
        return numbered if request.parts is None else self._shared(numbered, request)

    def _shared(self, numbers: SelectQuery, request: Quantile) -> SelectQuery:
        """Divide the weight of each unit in a group among its values, in whole parts that add up to it.

        Row j of r, in the order of values, gets floor(j T / r) - floor((j - 1) T / r) of T parts, which are
        at most 2^16 or `rows`: products fit 64 bits for all numbers of rows that a table can have.
        """
        place = (*self._keys, self._unit)
        rows = _select(
            [*place, _NUMBER, SelectItem(build.count_rows(), "times")], numbers, by=[*place, _NUMBER]
        )
        times = _column("times", _BIGINT)
        upto = build.converted(WindowCall(_sum_of(times), place, (SortKey(_NUMBER),)), _BIGINT)
        total = build.converted(WindowCall(_sum_of(times), place, ()), _BIGINT)
        ranked = _select([_EVERY, SelectItem(upto, "upto"), SelectItem(total, "total")], rows)
        last, size = _column("upto", _BIGINT), _column("total", _BIGINT)
        weight = _weight_of(size, request)
        ends = (
            call("//", _BIGINT, call("*", _BIGINT, rank, weight), size)
            for rank in (last, call("-", _BIGINT, last, times))
        )
        return _select([*self._keys, _NUMBER, SelectItem(call("-", _BIGINT, *ends), "part")], ranked)

    def _count_numbers(self, numbers: SelectQuery, request: Quantile) -> SelectQuery:
        return self._total(numbers, _score_of(request), value=Key(request.key.name, "BIGINT", None))

    def _points(self, numbers: SelectQuery, request: Quantile) -> SelectQuery:
        """Return the points that contain the wanted ranks of each window. See `Passes`."""
        near: list[Expression] = [
            Comparison(">=", _NUMBER, _given("low", _BIGINT)),
            Comparison("<=", _NUMBER, _given("high", _BIGINT)),
        ]
        near += [_same(column, key) for column, (key, _) in zip(self._keys, self._groups.keys, strict=True)]
        rows = JoinedTables(DerivedTable(numbers, "t"), "JOIN", ReaderTable(GIVEN, "g"), tuple(near))
        place, score, upto = (_column(name, _BIGINT) for name in ("place", "score", "upto"))
        points = (_given("place", _BIGINT), _NUMBER)
        counted = SelectQuery((*points, _score_of(request)), rows, group_by=points)
        running = WindowCall(_sum_of(score), (place,), (SortKey(_NUMBER),))
        ranked = _select([_EVERY, SelectItem(build.converted(running, _BIGINT), "upto")], counted)
        windows = JoinedTables(
            DerivedTable(ranked, "t"),
            "JOIN",
            ReaderTable(GIVEN, "g"),
            (Comparison("=", place, _given("place", _BIGINT)),),
        )
        tests = (
            Comparison(">", upto, _given("first", _BIGINT)),
            Comparison("<=", call("-", _BIGINT, upto, score), _given("last", _BIGINT)),
        )
        return SelectQuery((place, _NUMBER, score, upto), windows, tests)

    def _mode(self, request: Mode) -> SelectQuery:
        value = request.value
        within = is_candidate(value, request.key)
        rows = self._rows((*request.conditions, *([within] if within else [])), value.node)
        if not self._owned.one_row:
            rows = _grouped([*self._keys, _column("value", value.node.type), self._unit], rows)
        return self._total(rows, _COUNT, value=request.key, of=value.node.type)

    # --- layers ----------------------------------------------------------------------------------

    def _rows(self, conditions: Sequence[Expression], *values: Expression) -> SelectQuery:
        """Return the rows with a unit and candidate keys, of at most `most` groups per unit."""
        owned = self._owned
        within = [is_candidate(typed, key) for key, typed in self._groups.keys]
        has_unit: list[Expression] = [build.is_present(owned.unit)]
        has_unit += [build.is_short(owned.unit)] if owned.unit_is_text else []
        candidates = [test for test in within if test is not None]
        tests = (*has_unit, *owned.rows.conditions, *conditions, *candidates)
        items = [SelectItem(typed.node, f"k{i}") for i, (_, typed) in enumerate(self._groups.keys)]
        items += [SelectItem(value, name) for value, name in zip(values, _VALUES, strict=False)]
        items += [SelectItem(owned.unit, "unit")]
        rows = SelectQuery(tuple(items), owned.rows.source, tests)
        if self._groups.most is None or not self._keys:
            return rows
        chance = call("hash", _HASH, self._unit, *self._keys, self._salt)
        place = WindowCall(call("dense_rank", _BIGINT), (self._unit,), (chance, *self._keys))
        return _first(rows, place, "place", self._groups.most)

    def _parts(self, rows: SelectQuery, part: Expression, name: str = "part") -> SelectQuery:
        """Reduce the rows to one row for each unit and group. Input: `part`: the aggregate of its rows."""
        return _select([*self._keys, SelectItem(part, name)], rows, by=[*self._keys, self._unit])

    def _choose_rows(self, rows: SelectQuery, types: Sequence[SqlType], most: int) -> SelectQuery:
        """Keep at most `most` rows of each unit in each group, in the order of a hash of unit and values."""
        values = tuple(_column(name, kind) for name, kind in zip(_VALUES, types, strict=False))
        order: tuple[Expression, ...] = (call("hash", _HASH, self._unit, *values, self._salt), *values)
        turn = WindowCall(call("row_number", _BIGINT), (self._unit, *self._keys), order)
        return _first(rows, turn, "turn", most)

    def _choose_values(self, rows: SelectQuery, value_type: SqlType, most: int) -> SelectQuery:
        """Keep at most `most` distinct values of each unit in each group."""
        values = _grouped([*self._keys, _column("value", value_type), self._unit], rows)
        return self._choose_rows(values, [value_type], most)

    def _named_keys(self) -> list[SelectItem]:
        return [
            SelectItem(_exported(column), key.name, is_ours=False)
            for column, (key, _) in zip(self._keys, self._groups.keys, strict=True)
        ]

    def _total(
        self, parts: SelectQuery, *scores: SelectItem, value: Key | None = None, of: SqlType = _BIGINT
    ) -> SelectQuery:
        """Return the last layer: the scores of each group, with keys named as in the plan.

        Input: `value`: the key of a value to group by, `of`: its type.
        """
        items, by = self._named_keys(), list(self._keys)
        if value is not None:
            items.append(SelectItem(_exported(_column("value", of)), value.name, is_ours=False))
            by.append(_column("value", of))
        return _select([*items, *scores], parts, by=by)


@lru_cache(maxsize=4096)
def _column(name: str, sql_type: SqlType) -> ColumnRef:
    """Return a column of the inner layer."""
    return ColumnRef("t", name, sql_type, is_ours=True)


@lru_cache(maxsize=4096)
def _given(name: str, sql_type: SqlType) -> ColumnRef:
    """Return a column of the rows that the query is sent with."""
    return ColumnRef("g", name, sql_type, is_ours=True)


_EVERY = Star("t")
_NUMBER = _column("value", _BIGINT)
_SHARE = _column("part", _BIGINT)


def _select(
    items: Sequence[SelectItem | ColumnRef | Star], source: SelectQuery, *, by: Sequence[ColumnRef] = ()
) -> SelectQuery:
    return SelectQuery(tuple(items), DerivedTable(source, "t"), group_by=tuple(by))


def _grouped(columns: Sequence[ColumnRef], source: SelectQuery) -> SelectQuery:
    """Return the distinct combinations of the columns."""
    return _select(columns, source, by=columns)


def _first(rows: SelectQuery, number: WindowCall, name: str, most: int) -> SelectQuery:
    """Return the rows whose `number`, a rank from 1, is at most `most`."""
    numbered = DerivedTable(_select([_EVERY, SelectItem(number, name)], rows), "t")
    return SelectQuery(
        (_ALL,), numbered, (Comparison("<=", _column(name, _BIGINT), compared(most, _BIGINT)),)
    )


def _exported(column: ColumnRef) -> Expression:
    """Return a key as it is exported: UHUGEINT as a string, since Arrow has no type for it."""
    return build.converted(column, VARCHAR) if column.type.name == "UHUGEINT" else column


def _near(value: Typed) -> list[Expression]:
    """Return conditions that drop values far from the window, so that DuckDB need not compute their indexes.

    They compare the column itself, so that DuckDB tests them in the scan.
    """
    target, given = grid_sql.candidate_type(value.type), ReaderTable(GIVEN, "g")
    return [
        Comparison(
            symbol,
            value.node,
            build.converted(ScalarSubquery(_same_in_all(end, given), VARCHAR), target),
        )
        for symbol, end in ((">=", "since"), ("<=", "until"))
    ]


def _same_in_all(end: str, given: ReaderTable) -> SelectQuery:
    """Return a text that all rows have that the query is sent with."""
    return SelectQuery((AggregateCall("max", (_given(end, VARCHAR),), VARCHAR),), given)


def _place(chance: Expression, places: int) -> Expression:
    """Return a hash, which some engines have with a sign, as one of so many places, from 0."""
    rest = call("%", _HUGEINT, build.converted(chance, _HUGEINT), literal(places, _HUGEINT))
    return call("abs", _BIGINT, build.converted(rest, _BIGINT))


def _same(column: ColumnRef, key: Key) -> Comparison:
    """Return the test that a key equals that of a row that the query is sent with.

    Such a row was exported to Arrow and imported again, so its key may have another type.
    """
    left: Expression = column
    target = parse_type(key.type)
    if key.type in _AS_TEXT or target.kind == "enum":
        left, target = build.converted(column, VARCHAR), VARCHAR
    given = _given(column.name, VARCHAR if key.type == "UHUGEINT" else column.type)
    return Comparison("IS NOT DISTINCT FROM", left, build.converted(given, target))


def _sum_of(column: ColumnRef) -> AggregateCall:
    """Return sum(column) with its type in DuckDB: HUGEINT, or a decimal of 38 digits and the same scale."""
    wide = parse_type(f"DECIMAL(38,{column.type.scale})") if column.type.kind == "decimal" else _HUGEINT
    return AggregateCall("sum", (column,), wide)


def _weight_of(size: Expression, request: Quantile) -> Expression:
    """Return the weight, in parts, of so many values of a unit."""
    parts = literal(request.parts or 1, _BIGINT)
    if request.rows is None:
        return parts
    return call("*", _BIGINT, call("least", _BIGINT, size, literal(request.rows, _BIGINT)), parts)


def _score_of(request: Quantile) -> SelectItem:
    """Return the score of a grid point: the number of values there, or their weight."""
    return _COUNT if request.parts is None else SelectItem(build.converted(_sum_of(_SHARE), _BIGINT), "score")


def _score_sum(part: SqlType, ticks: SqlType = _HUGEINT, number: str = "") -> SelectItem:
    """Return the sum of all parts of that number as `score`; 0 instead of NULL if there are none."""
    total, zero = _sum_of(_column(f"part{number}", part)), literal(0, ticks)
    return SelectItem(build.choice((build.is_null(total), zero), otherwise=total), f"score{number}")


def _weights(request: Moments, ticks: SqlType) -> list[Expression]:
    """Return the weights of a row, as in `mechanisms.moments`: of degree 2 (T - v)^2, 2 v (T - v) and v^2.

    Those of a pair are the products of the weights of both, in turn for each weight of the first.
    """
    weights: list[Expression] = []
    for name, axis in zip(_VALUES, request.axes, strict=False):
        position = _column(name, _BIGINT)
        high = position if ticks == _BIGINT else build.converted(position, ticks)
        low = call("-", ticks, literal(axis.ticks, ticks), high)
        own = [
            _product(_factors(j, request.degree, high, low, ticks), ticks) for j in range(request.degree + 1)
        ]
        weights = [call("*", ticks, *pair) for pair in itertools.product(weights, own)] if weights else [*own]
    return weights


def _factors(place: int, degree: int, high: Expression, low: Expression, ticks: SqlType) -> list[Expression]:
    """Return the factors of a weight: C(degree, place) v^place (T - v)^(degree - place)."""
    ways = comb(degree, place)
    times = [literal(ways, ticks)] if ways > 1 else []
    return [*times, *[high] * place, *[low] * (degree - place)]


def _product(factors: Sequence[Expression], ticks: SqlType) -> Expression:
    return reduce(lambda one, other: call("*", ticks, one, other), factors)
