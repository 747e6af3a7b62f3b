"""Scores: how far one unit moves each, from its tree alone.

Let a score query group rows by public keys, and let no row of nobody be in it (`units`). Then one unit moves

 count    count(*) or count(x) of a group by the number of its rows there: all up, or all down; count(DISTINCT unit)
          by 1, count(DISTINCT x) by the number of its values.
 sum      sum(x), where x is in [lo, hi] in each row, of r rows at most, by something in [min(0, r lo), max(0, r hi)],
          and by no more than their masses together. A sum of no rows is 0: CASE WHEN sum(x) IS NULL THEN 0.
 total    all rows of the result together, or those with some keys alike, by what all its rows have, or those alike.
 merged   counts of keys (rows grouped without the unit): one unit brings or takes at most its own keys; where rows
          that stay may change what they are counted by, it moves a count by that many either way.
 turns    let x be counted by its least turn, min over units of the place of x among the unit's own. Of a unit at most
          p values have a place up to p, so it moves the number of x whose least turn is at most p by 0 to p.
 levels   where a key of the result is a step of CASE, what its test says of a row holds in each row of that level.
 weights  sums of polynomials p_i of whole columns, none below 0, whose sum is a constant c: all together by c for each
          row; and so do whole quotients sum(p_i) // count(*), as sums of parts rounded down are at most the mean.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from dpduck.catalog.model import Catalog, fold
from dpduck.kernel.check.layers import Layer, check_row, learn_span, only_falls, reads_shaken, scaled
from dpduck.kernel.check.shares import Polynomial, plus, polynomial
from dpduck.kernel.check.spans import INF, Number, Span, bare, constant, span_of
from dpduck.kernel.check.units import Fixed, From, UnboundedError, World, key_of
from dpduck.query.tree.nodes import (
    AggregateCall,
    Call,
    Choice,
    ColumnRef,
    Conversion,
    Expression,
    FirstPresent,
    NullTest,
)
from dpduck.query.tree.relations import SelectItem, SelectQuery

Bound = Fraction | float  # a float is infinity


@dataclass(frozen=True)
class Score:
    """A score column. `reason`: why nothing bounds it, if nothing does; then all bounds are infinite."""

    name: str
    rows: From | None = field(repr=False)
    keys: Mapping[str, Expression] = field(repr=False)
    call: AggregateCall | None = field(repr=False)
    reason: str = ""

    @property
    def most(self) -> Bound:
        """The most that one unit moves the score in a row of the result."""
        low, high = self.moves()
        return max(-low, high)

    def moves(self, alike: Iterable[str] | None = None, upto: Mapping[str, int] | None = None) -> tuple[Bound, Bound]:
        """Between what one unit adds to the score, over all rows of the result in which some keys are alike.

        Input: names of keys; without any list, all keys, which is a single row. `upto`: only rows of the result where
            these keys are at most numbers (rules `levels` and `turns`).
        """
        fixed = self._fixed(self.keys if alike is None else alike)
        return self._moves(fixed, {name: (-INF, most, "int") for name, most in (upto or {}).items()})

    def groups(self, keys: Iterable[str] | None = None) -> Bound:
        """How many combinations of keys one unit has a part in."""
        if self.rows is None:
            return INF
        return _bound((2 if self._is_shaken else 1) * self.rows.values(self._fixed(self.keys if keys is None else keys)))

    @property
    def row(self) -> tuple[Bound, Bound]:
        """What one row of a unit adds: the span of what is summed, or 1."""
        if self.rows is None or self.call is None or not self.rows.is_local:
            return -INF, INF
        if self.call.name == "count":
            return Fraction(0), Fraction(1)
        low, high, _ = span_of(self.call.arguments[0], self.rows, self.rows.known)
        return _bound(low), _bound(high)

    @property
    def rows_of_unit(self) -> Bound:
        """The most rows that one unit has in a row of the result."""
        if self.rows is None or not self.rows.is_local:
            return INF
        return _bound(self.rows.rows(self._fixed(self.keys)))

    def at(self, key: str, value: int) -> Bound:
        """The most that one unit moves the score in a row of the result where a key has a value. Rule `levels`."""
        span: Span = (value, value, "int")
        low, high = self._moves(self._fixed(self.keys), {key: span})
        return max(-low, high)

    def _fixed(self, names: Iterable[str]) -> Fixed:
        return frozenset(self.keys[fold(name)] for name in names)

    @property
    def _is_shaken(self) -> bool:
        rows = self.rows
        assert rows is not None
        return not rows.is_local and any(isinstance(scan, Layer) and scan.is_shaken for scan in rows.scans.values())

    def _moves(self, fixed: Fixed, given: Mapping[str, Span] | None = None) -> tuple[Bound, Bound]:
        rows, call = self.rows, self.call
        if rows is None:
            return -INF, INF
        if call is None or not rows.private:  # a constant, or public
            return Fraction(0), Fraction(0)
        known: dict[Expression, Span] = {}
        for name, span in (given or {}).items():
            node = self.keys[fold(name)]
            known[node] = span
            learn_span(node, span, known, rows)
        most = rows.rows(fixed, known)
        if not rows.is_local:
            shaken = self._is_shaken or any(reads_shaken(node, rows) for node in (*self.keys.values(), *rows.tests))
            if call.name != "count" or call.arguments:
                return -INF, INF
            falls = all(only_falls(node, rows) for node in rows.tests) and all(
                only_falls(node, rows) if name in (given or {}) else not reads_shaken(node, rows)
                for name, node in self.keys.items()
            )
            return (-_bound(most) if shaken and not falls else Fraction(0)), _bound(most)
        if call.name == "count":
            if call.distinct:
                most = min(most, rows.values([call.arguments[0], *self.keys.values()], fixed))
            return Fraction(0), _bound(most)
        value = call.arguments[0]
        everything = {**rows.known, **known}
        low, high = scaled(span_of(value, rows, everything), most)
        mass = _mass(value, rows, fixed)
        return _bound(max(low, mass[0])), _bound(min(high, mass[1]))


def check(score: SelectQuery, catalog: Catalog, held: SelectQuery | None = None) -> dict[str, Score]:
    """Return the score columns of a query: how far one unit moves each.

    Input: `held`: the query whose rows the reader holds, if the score query reads them.
    Output: of a tree that is not understood, scores that nothing bounds.
    """
    try:
        return _scores(score, World(catalog, held))
    except UnboundedError as error:
        reason = str(error)
    except RecursionError:
        reason = "too deep"
    names = [item.name for item in score.items if isinstance(item, SelectItem)]
    keys = {bare(node) for node in score.group_by}
    values = {item.name: bare(item.value) for item in score.items if isinstance(item, SelectItem)}
    return {name: Score(name, None, {}, None, reason) for name in names if values[name] not in keys}


def _scores(score: SelectQuery, world: World) -> dict[str, Score]:
    if score.having or score.order_by or score.limit is not None or score.distinct:
        raise UnboundedError("a score query of this form")
    rows = From(score.source, score.where, world, Layer)
    for test in rows.tests:
        check_row(test, rows)
    for group in rows.optional:
        for test in group.on:
            check_row(test, rows)
    if rows.private and rows.is_local and not rows.has_no_nobody:
        raise UnboundedError("rows of nobody")
    grouping = [bare(node) for node in score.group_by]
    for node in grouping:
        check_row(node, rows)
    keys: dict[str, Expression] = {}
    calls: dict[str, AggregateCall] = {}
    for item in score.items:
        if not isinstance(item, SelectItem):
            raise UnboundedError("an item without a name")
        value = bare(item.value)
        if value in grouping:
            keys[fold(item.name)] = value
            continue
        call = _aggregate(value)
        check_row(call, rows, aggregates=True)
        calls[item.name] = call
    if len({*keys.values()}) < len({*grouping}):
        raise UnboundedError("a group that is not named")
    return {name: Score(name, rows, keys, call) for name, call in calls.items()}


def _aggregate(value: Expression) -> AggregateCall:
    """The count or sum that an item is: 0 in place of NULL, or cast to another whole number."""
    match bare(value):
        case AggregateCall("count" | "sum") as call:
            return call
        case Conversion(inside, target, False) if target.kind == "integer":
            call = _aggregate(inside)
            return call
        case Choice(((test, zero),), otherwise) if otherwise is not None:
            call = _aggregate(otherwise)
            point = constant(zero)
            if bare(test) == NullTest(bare(otherwise)) and point is not None and point[0] == point[1] == 0:
                return call
        case FirstPresent((inside, zero)):
            point = constant(zero)
            if point is not None and point[0] == point[1] == 0:
                return _aggregate(inside)
    raise UnboundedError("a score of this form")


def _mass(value: Expression, rows: From, fixed: Fixed) -> tuple[Number, Number]:
    if len(rows.scans) != 1:
        return -INF, INF
    [(alias, scan)] = rows.scans.items()
    if not isinstance(scan, Layer) or not isinstance(bare(value), ColumnRef):
        return -INF, INF
    key = key_of(bare(value))  # type: ignore[arg-type]
    return scan.mass(key, rows.fixed_names(alias, scan, fixed)) if isinstance(key, str) else (-INF, INF)


def _bound(number: Number) -> Bound:
    return number if isinstance(number, float) else Fraction(number)


# --- weights -------------------------------------------------------------------------------------


def check_together(scores: Mapping[str, Score]) -> Bound:
    """The most that one unit moves all these scores together in a row of the result. Rule `weights`."""
    ones = list(scores.values())
    if not ones or any(one.rows is None or one.rows is not ones[0].rows for one in ones):
        return INF
    apart = sum((one.most for one in ones), Fraction(0))
    rows = ones[0].rows
    assert rows is not None
    calls = [one.call for one in ones]
    if not all(call is not None and call.name == "sum" and not call.distinct for call in calls):
        return apart
    values = [call.arguments[0] for call in calls if call is not None]
    whole = _together(values, rows)
    most = rows.rows(frozenset(ones[0].keys.values()))
    return min(apart, _bound(scaled((0, whole, None), most)[1]))


def _together(values: list[Expression], rows: From) -> Number:
    """The most of a sum of items, none below 0, in one row."""
    spans = [span_of(value, rows, rows.known) for value in values]
    if any(low < 0 or kind != "int" for low, _, kind in spans):
        return INF
    apart = sum(high for _, high, _ in spans)
    total: Polynomial = {}
    for value in values:
        one = polynomial(value)
        if one is None:
            break
        total = plus(total, one)
    else:
        if not [term for term in total if term]:
            return total.get((), Fraction(0))
    return min(apart, _of_columns(values, rows))


def _of_columns(values: list[Expression], rows: From) -> Number:
    """The same, of columns of a query below, or of their means by group."""
    if len(rows.scans) != 1:
        return INF
    [scan] = rows.scans.values()
    refs = [bare(value) for value in values]
    if not isinstance(scan, Layer) or not all(isinstance(ref, ColumnRef) for ref in refs):
        return INF
    items = [scan.items[key_of(ref)] for ref in refs if isinstance(ref, ColumnRef)]  # type: ignore[index]
    inner = scan.rows_from
    if not scan.is_grouped:
        return _together(items, inner)
    return INF if any(one is None for one in map(_mean, items)) else _together([_mean(i) for i in items if i], inner)  # type: ignore[misc]


def _mean(item: Expression) -> Expression | None:
    """x of sum(x) // count(*), maybe cast to another whole number."""
    item = bare(item)
    while isinstance(item, Conversion) and item.type.kind == "integer":
        item = bare(item.value)
    match item:
        case Call("//", (AggregateCall("sum", (value,), _, False), AggregateCall("count", (), _, False))):
            return value
    return None

