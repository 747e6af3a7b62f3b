"""The checker against the compiler: each claim of golden and random queries, and mutants of their score trees.

A claim is what a mechanism is told of a score query: how far one unit moves a score in a group, and in how many
groups. The checker computes the same from the tree alone. A mutant is a tree in which something that a claim rests on
is taken away; it is refused if the checker then bounds less than is claimed, or nothing.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from dpduck.catalog.model import Catalog
from dpduck.kernel.check import Score, check, check_together
from dpduck.kernel.check.spans import INF
from dpduck.query.tree.build import TRUE, digits
from dpduck.query.tree.nodes import (
    AggregateCall,
    Call,
    Choice,
    ColumnRef,
    Comparison,
    Conversion,
    Expression,
    Literal,
    NullTest,
    WindowCall,
)
from dpduck.query.tree.relations import (
    DerivedTable,
    GroupedTables,
    JoinedTables,
    Relation,
    SelectItem,
    SelectQuery,
    TableScan,
)
from dpduck.query.tree.walk import every_part, scans_in, ungrouped

Bound = Fraction | float


@dataclass(frozen=True)
class Claim:
    """A claim of one score query: `checked` computes each of its bounds, beside what is claimed."""

    kind: str
    tree: SelectQuery
    held: SelectQuery | None
    bounds: Callable[[Mapping[str, Score]], Iterator[tuple[str, Bound, Bound]]]

    def verdict(self, tree: SelectQuery, catalog: Catalog) -> tuple[str, str]:
        """proved, unbounded or below, and which bound says so."""
        scores = check(tree, catalog, self.held)
        reasons = {score.reason for score in scores.values() if score.reason}
        if reasons:
            return "unbounded", reasons.pop()
        for name, checked, claimed in self.bounds(scores):
            if checked == INF:
                return "unbounded", name
            if checked > claimed:
                return "below", f"{name}: {checked} is claimed to be {claimed}"
        return "proved", ""


def claims_of(plan: Any) -> Iterator[Claim]:
    """The claims of a plan: of what ranks or finds its groups, and of each measure."""
    keys = [key.name for key in plan.keys]
    selection = plan.selection
    if getattr(selection, "scores", None) is not None:
        yield Claim(type(selection).__name__, selection.scores, None, _of_selection(selection))
    for measure in plan.measures:
        kind = type(measure.request).__name__
        bounds = _of_measure(measure, keys, _candidates(plan))
        yield Claim(kind, measure.scores, None, bounds)
        if measure.passes is not None:
            yield Claim(f"{kind} in bins", measure.passes.bins, measure.passes.held, bounds)


def _candidates(plan: Any) -> Bound:
    """In how many groups anything is released, whatever the rows say."""
    match type(plan.selection).__name__:
        case "OneGroup":
            return Fraction(1)
        case "EveryKey":
            return Fraction(plan.space.size)
        case "LargestKeys" | "KeysAbove":
            return Fraction(plan.selection.k)
    return INF


def _of_selection(selection: Any) -> Callable[[Mapping[str, Score]], Iterator[tuple[str, Bound, Bound]]]:
    def bounds(scores: Mapping[str, Score]) -> Iterator[tuple[str, Bound, Bound]]:
        clamped = getattr(selection, "clamped", None)
        if clamped is not None:
            yield from _levels(scores, clamped.level.name, clamped.steps, clamped.scale, None)
            return
        [score] = scores.values()
        most = Fraction(getattr(selection, "spread", 0) or 1)
        low, high = score.moves()
        yield "score", max(high, -low), most
        if not getattr(selection, "spread", 0):
            yield "below 0", -low, Fraction(0)
        if type(selection).__name__ == "FoundKeys":
            yield "groups", score.groups(), Fraction(selection.groups)

    return bounds


def _of_measure(
    measure: Any, keys: list[str], candidates: Bound
) -> Callable[[Mapping[str, Score]], Iterator[tuple[str, Bound, Bound]]]:
    request = measure.request

    def bounds(scores: Mapping[str, Score]) -> Iterator[tuple[str, Bound, Bound]]:
        first = next(iter(scores.values()))
        rows = Fraction(getattr(request, "rows", None) or 1)
        match type(request).__name__:
            case "Count":
                yield "score", first.most, rows
            case "Distinct":
                yield "score", first.most, Fraction(request.values)
            case "Sum":
                yield "score", first.most * 10**request.scale, Fraction(max(request.bound, 1))
            case "Mean":
                low, high = scores["score"].row
                yield "a row below 0", -low, Fraction(0)
                yield "a row", high, Fraction(request.ticks)
                yield "rows", first.rows_of_unit, rows
                yield "units", scores["units"].most, rows
            case "Moments":
                for score in scores.values():
                    yield "below 0", -score.moves()[0], Fraction(0)
                yield "together", check_together(scores), rows * request.whole
            case "Quantile" | "Quantiles":
                of = request if type(request).__name__ == "Quantile" else request.of
                low, high = first.moves(keys)
                yield "below 0", -low, Fraction(0)
                yield "together", high, Fraction(of.most)
            case "Mode":
                low, high = first.moves()
                yield "below 0", -low, Fraction(0)
                yield "score", high, Fraction(1)
            case "ChosenDistinct" if not request.claims:
                for level, most in enumerate(request.levels):
                    low, high = first.moves(keys, {request.level.name: level})
                    yield "below 0", -low, Fraction(0)
                    yield "up to a level", high, Fraction(most)
            case "ClampedSum":
                yield from _levels(scores, request.level.name, request.steps, request.scale, keys)
            case "ChosenCount":
                for level, most in enumerate(request.ladder):
                    low, high = scores["score0"].moves([], {request.level.name: level})
                    yield "below 0", -low, Fraction(0)
                    yield "up to a level", high, Fraction(most) * request.rows
            case _:
                yield "not known", INF, Fraction(0)
        groups = min(first.groups(keys), candidates)
        if type(request).__name__ != "ChosenCount":
            yield "groups", groups, Fraction(measure.groups)

    return bounds


def _levels(
    scores: Mapping[str, Score], level: str, steps: int, scale: int, keys: list[str] | None
) -> Iterator[tuple[str, Bound, Bound]]:
    """Totals by level: a unit has one row in a group, of at most as much as its level says."""
    total = scores["score0"]
    others = [name for name in total.keys if name != level.lower()]
    yield "rows", scores["score2"].moves(others)[1], Fraction(1)
    yield "sign", scores["score1"].most, Fraction(1)
    for step in range(steps + 1):
        yield f"level {step}", total.at(level, step) * 10**scale, Fraction(2**step)


# --- mutants -------------------------------------------------------------------------------------


def mutants(query: SelectQuery) -> Iterator[tuple[str, SelectQuery]]:
    """Trees in which one thing is taken away that keeps a bound, at any depth."""
    yield from _of_query(query)
    for relation in _of_relation(query.source):
        yield relation[0], replace(query, source=relation[1])


def _of_relation(relation: Relation) -> Iterator[tuple[str, Relation]]:
    match relation:
        case DerivedTable(query):
            for what, mutant in mutants(query):
                yield what, replace(relation, query=mutant)
        case GroupedTables(tables):
            for what, mutated in _of_relation(tables):
                yield what, replace(relation, tables=mutated)
        case JoinedTables(left, kind, right, on):
            for what, mutated in _of_relation(left):
                yield what, replace(relation, left=mutated)
            for what, mutated in _of_relation(right):
                yield what, replace(relation, right=mutated)
            if _is_private(left) and _is_private(right):
                for place in range(len(on)):
                    rest = (*on[:place], *on[place + 1 :])
                    changed = replace(relation, on=rest or (TRUE,))
                    yield "a join of people without its condition", changed
                if kind == "JOIN":
                    yield "a join on anything", replace(relation, kind="CROSS JOIN", on=())


def _is_private(relation: Relation) -> bool:
    return any(table.private for table in scans_in(relation))


def _of_query(query: SelectQuery) -> Iterator[tuple[str, SelectQuery]]:
    for place, key in enumerate(query.group_by):
        if _is_unit(key, query):
            group_by = (*query.group_by[:place], *query.group_by[place + 1 :])
            yield "the unit left out of GROUP BY", replace(query, group_by=group_by)
    for place, test in enumerate(query.where):
        rest = (*query.where[:place], *query.where[place + 1 :])
        match ungrouped(test):
            case NullTest(value, True) if _is_unit(value, query):
                if _is_base(query.source):
                    yield "rows of nobody", replace(query, where=rest)
            case Comparison("<=", ColumnRef(name="turn" | "place"), Literal(int() as most)):
                yield "no bound on turns", replace(query, where=rest)
                more = replace(ungrouped(test), right=digits(most + 1))
                yield "one turn more", replace(query, where=(*rest, more))
            case Comparison("=", ColumnRef(), ColumnRef()) if isinstance(query.source, JoinedTables):
                if _is_private(query.source.left) and _is_private(query.source.right):
                    yield "a product of people", replace(query, where=rest)
    for place, item in enumerate(query.items):
        if not isinstance(item, SelectItem):
            continue
        for what, value in _of_item(item.value, query):
            items = (*query.items[:place], replace(item, value=value), *query.items[place + 1 :])
            yield what, replace(query, items=items)


def _of_item(value: Expression, query: SelectQuery) -> Iterator[tuple[str, Expression]]:
    match value:
        case WindowCall(function, partition_by, order_by):
            without = tuple(node for node in partition_by if not _is_unit(node, query))
            if len(without) < len(partition_by):
                yield "a window over several units", replace(value, partition_by=without)
            if function.name == "row_number" and order_by and isinstance(order_by[-1], ColumnRef):
                yield "turns with ties", replace(value, order_by=order_by[:-1])
                yield "turns in the order of rows", replace(value, order_by=())
        case Conversion(inside):
            for what, mutant in _of_item(inside, query):
                yield what, replace(value, value=mutant)
        case Call("least" | "greatest", (first, _)) if any(map(_is_aggregate, every_part(first))):
            yield "no clamp", first
            for what, mutant in _of_item(first, query):
                yield what, replace(value, arguments=(mutant, value.arguments[1]))
        case Call("//", (Call() | AggregateCall() as total, AggregateCall("count"))):
            yield "a sum for a mean", total
        case Choice(_, otherwise) if otherwise is not None and query.group_by == () and len(value.branches) == 2:  # noqa: PLR2004
            yield "no clamp of a row", otherwise


def _is_aggregate(node: Expression) -> bool:
    return isinstance(node, AggregateCall)


def _is_unit(node: Expression, query: SelectQuery) -> bool:
    """Whether a column is the item that is called the unit, here or below."""
    node = ungrouped(node)
    if not isinstance(node, ColumnRef):
        return False
    named = [i.value for i in query.items if isinstance(i, SelectItem) and i.name == "unit"]
    return node.name == "unit" or node in named


def _is_base(relation: Relation) -> bool:
    match relation:
        case TableScan(table):
            return table.private
        case JoinedTables(left, _, right):
            return _is_base(left) or _is_base(right)
    return False
