"""Scores: how far one unit moves each, from its tree alone.

Let a score query group rows by public keys. One unit moves, in a row of the result or in those where some
keys are alike, which fix as much of its own rows:
 count    count(*) or count(x) by as many rows as it has there, all up or all down; count(DISTINCT x) by as
          many combinations of x and keys.
 sum      sum(x), where x is in [lo, hi] in each of its r rows, by something in [min(0, r lo), max(0, r hi)];
          and no more than `mass` says. A sum of no rows is 0.
 merged   counts of merged groups by as many as have its keys; either way, where those that stay may change.
 turns    let x be counted by its least turn, the minimum over units of the place of x among the unit's own
          values. Of a unit p values have a place up to p, so it moves the number of x with a least turn up to
          p by 0 to p.
 levels   where a key is a step of CASE, what its tests say of a row holds in each row of that level.
 weights  let p_i be polynomials of what is exact, none below 0, with a constant sum c: sums of them move
          together by c for each row, and so do sums of means sum(p_i) // count(*), as means rounded down add
          up to no more. Of CASE with the same tests all take the same branch.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from dpduck.kernel.catalog.model import fold
from dpduck.kernel.check.layers import Layer, only_falls, reads_shaken
from dpduck.kernel.check.shapes import key_of
from dpduck.kernel.check.spans import (
    INF,
    Facts,
    Number,
    both,
    constant,
    imply,
    mean_of,
    scaled,
    span_of,
    times,
)
from dpduck.kernel.check.units import Fixed, From, UnboundedError, World
from dpduck.kernel.tree.duckdb import sql
from dpduck.kernel.tree.nodes import (
    AggregateCall,
    Call,
    Choice,
    ColumnRef,
    Conversion,
    Expression,
    FirstPresent,
    NullTest,
)
from dpduck.kernel.tree.relations import SelectItem, SelectQuery
from dpduck.kernel.tree.walk import ungrouped

Bound = Fraction | float  # a float is an infinity
Polynomial = dict[tuple[Expression, ...], Number]  # the factors of products


@dataclass(frozen=True)
class Score:
    """A score column."""

    rows: From = field(repr=False)
    keys: Mapping[str, Expression] = field(repr=False)
    call: AggregateCall = field(repr=False)

    @property
    def most(self) -> Bound:
        """The most that one unit moves the score in a row of the result."""
        low, high = self.moves()
        return max(-low, high)

    def moves(
        self, alike: Iterable[str] | None = None, within: Mapping[str, tuple[Number, Number]] | None = None
    ) -> tuple[Bound, Bound]:
        """Between what one unit adds to the score, over all rows of the result in which some keys are alike.

        Input: names of keys; without a list, all: a single row. `within`: only rows where keys are between
            numbers.
        """
        rows, call, given = self.rows, self.call, within or {}
        if not rows.is_local and (call.name != "count" or call.arguments):
            return -INF, INF
        if not rows.private:
            return Fraction(0), Fraction(0)
        known: Facts = {}
        fixed = self._fixed(alike)
        for name, (low, high) in given.items():
            imply(self.keys[fold(name)], (low, high, "int"), known, rows)
        most = rows.rows(fixed)
        if known and most > 1:
            most = min(most, rows.rows(fixed, known))
        if not rows.is_local:
            return self._merged_moves(most, given)
        if call.name == "count":
            if call.distinct:
                most = min(most, rows.values([call.arguments[0], *self.keys.values()], fixed))
            return Fraction(0), _bound(most)
        return self._sum_moves(fixed, known, most)

    def _sum_moves(self, fixed: Fixed, known: Facts, most: Number) -> tuple[Bound, Bound]:
        """Rule `sum`. Input: the most rows of a unit, and what is known of each."""
        rows, value = self.rows, ungrouped(self.call.arguments[0])
        low, high = scaled(span_of(value, rows, both(rows.known, known)), most)
        scan = rows.scans.get(value.table) if isinstance(value, ColumnRef) else None
        if isinstance(value, ColumnRef) and isinstance(scan, Layer) and len(rows.scans) == 1:
            given_below = rows.given(value.table, known)
            least, whole = scan.mass(key_of(value), rows.fixed_names(value.table, fixed), given_below)
            low, high = max(low, least), min(high, whole)
        return _bound(low), _bound(high)

    def _merged_moves(self, most: Number, within: Mapping[str, tuple[Number, Number]]) -> tuple[Bound, Bound]:
        """Rules `merged` and `turns`. Input: of how many merged rows a unit has the keys."""
        rows, levels = self.rows, {fold(name): self.keys[fold(name)] for name in within}
        others = [node for name, node in self.keys.items() if name not in levels]
        falls = all(low == -INF for low, _ in within.values()) and not any(
            reads_shaken(node, rows) for node in others
        )
        rise = falls and all(only_falls(node, rows) for node in (*levels.values(), *rows.tests))
        return (Fraction(0) if rise or not self._is_unsteady else _bound(-most)), _bound(most)

    def groups(self, keys: Iterable[str] | None = None, listed: Mapping[str, int] | None = None) -> Bound:
        """How many combinations of keys there are in rows of the result in which one unit has a part.

        Input: `listed`: of keys from public lists, how many values are asked for at most.
        """
        rows, fixed = self.rows, self._fixed(keys)
        most: Number = 1
        for name, node in self.keys.items():
            if node in fixed and not rows.is_settled(node, frozenset()):
                low, high, kind = rows.span(node)
                values = max(high - low, -1) + (1 if rows.has_value(node) else 2) if kind == "int" else INF
                most = times(most, min(values, (listed or {}).get(name, INF)))
        moving = any(reads_shaken(node, rows) for node in fixed)  # a row may leave one and come to another
        return _bound((2 if moving else 1) * min(most, rows.values(fixed, frozenset())))

    @property
    def row(self) -> tuple[Bound, Bound]:
        """Between what one row of a unit adds."""
        if not self.rows.is_local:
            return -INF, INF
        low, high = (0, 1) if self.call.name == "count" else self.rows.span(self.call.arguments[0])[:2]
        return _bound(low), _bound(high)

    @property
    def rows_of_unit(self) -> Bound:
        """The most rows that one unit has in a row of the result."""
        return _bound(self.rows.rows(self._fixed(None))) if self.rows.is_local else INF

    def _fixed(self, names: Iterable[str] | None) -> Fixed:
        return frozenset(self.keys.values() if names is None else (self.keys[fold(name)] for name in names))

    @property
    def _is_unsteady(self) -> bool:
        """Whether scores of merged groups may fall where others rise."""
        rows = self.rows
        if rows.is_local:
            return False
        moving = any(reads_shaken(node, rows) for node in (*self.keys.values(), *rows.tests))
        return moving or any(isinstance(scan, Layer) and scan.is_unsteady for scan in rows.scans.values())


def scores_of(score: SelectQuery, world: World) -> dict[str, Score]:
    """The columns of a score query that are no keys. Errors: UnboundedError."""
    if score.having or score.order_by or score.limit is not None or score.distinct:
        raise UnboundedError("a score query of this form")
    rows, grouping = From(score.source, score.where, world), list(map(ungrouped, score.group_by))
    items = {item.name: ungrouped(item.value) for item in score.items if isinstance(item, SelectItem)}
    keys = {
        name: node for name, item in items.items() for node in grouping if item == node or is_key(item, node)
    }
    calls = {name: _aggregate(value) for name, value in items.items() if name not in keys}
    if len(items) < len(score.items) or {*keys.values()} != {*grouping}:
        raise UnboundedError("a group or an item without a name")
    for node in (*grouping, *calls.values()):
        rows.check(node, aggregates=isinstance(node, AggregateCall))
    for name, call in calls.items():
        is_whole = call.name == "count" or rows.span(call.arguments[0])[2] == "int"
        if not is_whole and isinstance(items[name], Conversion):
            raise UnboundedError("a sum that is rounded")
    return {
        name: Score(rows, {fold(n): key for n, key in keys.items()}, call) for name, call in calls.items()
    }


def is_key(item: Expression, node: Expression) -> bool:
    """Whether an item is a whole number as text, which no two have in common."""
    if not isinstance(item, Conversion) or item.type.name != "VARCHAR" or item.safe:
        return False
    return ungrouped(item.value) == node and node.type.kind == "integer"


def _aggregate(value: Expression) -> AggregateCall:
    """The count or sum that an item is, with 0 in place of NULL, or cast to another whole number."""
    match ungrouped(value):
        case AggregateCall("count" | "sum") as call:
            return call
        case Conversion(inside, target, False) if target.kind == "integer":
            return _aggregate(inside)
        case Choice(((test, zero),), otherwise) if otherwise is not None and constant(zero) == 0:
            if ungrouped(test) == NullTest(ungrouped(otherwise)):
                return _aggregate(otherwise)
        case FirstPresent((inside, zero)) if constant(zero) == 0:
            return _aggregate(inside)
    raise UnboundedError("a score of this form")


def _bound(number: Number) -> Bound:
    return number if isinstance(number, float) else Fraction(number)


def in_one_row(scores: Iterable[Score]) -> Bound:
    """The most, in size, that one row of a unit adds to sums of one query together. Rule `weights`."""
    parts = list(scores)
    apart = sum((max(-score.row[0], score.row[1]) for score in parts), Fraction(0))
    if any(score.call.name != "sum" or not score.rows.is_local for score in parts):
        return apart
    return min(apart, _bound(_together([score.call.arguments[0] for score in parts], parts[0].rows)))


def check_together(scores: Mapping[str, Score]) -> Bound:
    """The most that one unit moves scores of one query together in a row of the result. Rule `weights`."""
    first, apart = next(iter(scores.values())), sum((score.most for score in scores.values()), Fraction(0))
    if not first.rows.is_local or any(score.call.name != "sum" for score in scores.values()):
        return apart
    whole = _together([score.call.arguments[0] for score in scores.values()], first.rows)
    return min(apart, _bound(times(whole, first.rows.rows(frozenset(first.keys.values())))))


def _together(values: list[Expression], rows: From) -> Number:
    """The most that items add up to in one row, if none is below 0."""
    spans = [rows.span(value) for value in values]
    if any(low < 0 or kind not in ("int", "decimal") for low, _, kind in spans):
        return INF
    most: Number = sum(high for _, high, _ in spans)
    total: Polynomial = {}
    for value in values:
        total = _plus(total, _polynomial(value, rows))
    if not any(total):
        most = min(most, total.get((), 0))
    choices = [value for value in values if isinstance(value, Choice) and value.otherwise is not None]
    if len(choices) == len(values) and len({tuple(test for test, _ in one.branches) for one in choices}) == 1:
        taken = zip(*([*(value for _, value in one.branches), one.otherwise] for one in choices), strict=True)
        most = min(most, max(_together([*map(_present, branch)], rows) for branch in taken))
    scan = next(iter(rows.scans.values()))
    if (
        isinstance(scan, Layer)
        and len(rows.scans) == 1
        and all(isinstance(value, ColumnRef) for value in values)
    ):
        items = [scan.items[fold(value.name)] for value in values if isinstance(value, ColumnRef)]
        means = [_mean(item) for item in items]
        inside = [mean for mean in means if mean is not None] if scan.grouping else items
        most = min(most, _together(inside, scan.below) if len(inside) == len(items) else INF)
    return most


def _present(node: Expression | None) -> Expression:
    assert node is not None
    return ungrouped(node)


def _mean(item: Expression) -> Expression | None:
    while isinstance(item, Conversion) and item.type.kind == "integer":
        item = ungrouped(item.value)
    return mean_of(item.arguments) if isinstance(item, Call) and item.name == "//" else None


def _polynomial(node: Expression, rows: From) -> Polynomial:
    """An expression as a polynomial in what is not made of +, -, * and casts of whole numbers."""
    node, number = ungrouped(node), constant(node)
    if number is not None:
        return {(): number}
    match node:
        case Conversion(value, target, False) if target.kind == "integer" and rows.span(value)[2] == "int":
            return _polynomial(value, rows)
        case Call("+" | "-" | "*" as name, (left, right)):
            one, other = _polynomial(left, rows), _polynomial(right, rows)
            if len(one) * len(other) <= 100:
                return _product(one, other) if name == "*" else _plus(one, other, 1 if name == "+" else -1)
    return {(node,): 1}


def _plus(one: Polynomial, other: Polynomial, factor: int = 1) -> Polynomial:
    found = {term: one.get(term, 0) + factor * other.get(term, 0) for term in {*one, *other}}
    return {term: number for term, number in found.items() if number}


def _product(one: Polynomial, other: Polynomial) -> Polynomial:
    found: Polynomial = {}
    for left, a in one.items():
        for right, b in other.items():
            found = _plus(found, {tuple(sorted(left + right, key=sql)): a * b})
    return found
