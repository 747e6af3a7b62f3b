"""The checker against the compiler: each claim of golden and random queries, and mutants of golden score
trees.

A claim is what a mechanism is told of a score query: how far one unit moves a score in a group, and in how
many groups. The checker computes the same from the tree alone. A mutant is a tree in which something that a
claim rests on is taken away; it is refused if the checker then bounds less than is claimed, or nothing.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain
from typing import Any

from dpduck.catalog.model import Catalog
from dpduck.errors import DpduckError
from dpduck.kernel.check import Score, check, check_together
from dpduck.kernel.check.spans import INF
from dpduck.query.tree.build import TRUE, digits
from dpduck.query.tree.duckdb import sql
from dpduck.query.tree.nodes import (
    AggregateCall,
    Call,
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
from dpduck.query.tree.walk import every_part, scans_in, scans_of, ungrouped
from tests.fuzz.derived_grammar import Derived
from tests.fuzz.facts import FactsOfQuery
from tests.fuzz.gate import plan_text
from tests.fuzz.grammar import Grammar
from tests.fuzz.haste import in_haste
from tests.fuzz.random_queries import Stage
from tests.query import golden
from tests.query.test_golden import OPENERS, catalog_of, plan_of

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
        bounds = _of_measure(measure, keys, _candidates(plan), _listed(plan))
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


def _listed(plan: Any) -> dict[str, int]:
    """How many values of each key are candidates."""
    if type(plan.selection).__name__ == "FoundKeys":
        return {}
    return {key.name.lower(): key.domain.size + key.or_null for key in plan.keys if key.domain is not None}


def _of_selection(selection: Any) -> Callable[[Mapping[str, Score]], Iterator[tuple[str, Bound, Bound]]]:
    def bounds(scores: Mapping[str, Score]) -> Iterator[tuple[str, Bound, Bound]]:
        clamped = getattr(selection, "clamped", None)
        if clamped is not None:
            yield from _levels(scores, clamped.level.name, clamped.steps, clamped.scale)
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


def _of_measure(  # noqa: C901  (a case for each aggregate)
    measure: Any, keys: list[str], candidates: Bound, listed: Mapping[str, int]
) -> Callable[[Mapping[str, Score]], Iterator[tuple[str, Bound, Bound]]]:
    request = measure.request

    def bounds(scores: Mapping[str, Score]) -> Iterator[tuple[str, Bound, Bound]]:  # noqa: C901
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
                yield "a sum", first.most, rows * request.ticks
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
                    low, high = first.moves(keys, {request.level.name: (-INF, level)})
                    yield "below 0", -low, Fraction(0)
                    yield "up to a level", high, Fraction(most)
            case "ClampedSum":
                yield from _levels(scores, request.level.name, request.steps, request.scale)
            case "ChosenCount":
                for level, most in enumerate(request.ladder):
                    low, high = scores["score0"].moves([], {request.level.name: (-INF, level)})
                    yield "below 0", -low, Fraction(0)
                    yield "up to a level", min(high, candidates * rows), Fraction(most) * request.rows
                yield "tail counts", INF, Fraction(1)  # which the checker does not bound so far
            case _:
                yield "not known", INF, Fraction(0)
        groups = min(first.groups(keys, listed), candidates)
        if type(request).__name__ != "ChosenCount":
            yield "groups", groups, Fraction(measure.groups)

    return bounds


def _levels(
    scores: Mapping[str, Score], level: str, steps: int, scale: int
) -> Iterator[tuple[str, Bound, Bound]]:
    """Totals by level: a unit has one row in a group, of at most as much as its level says."""
    total = scores["score0"]
    others = [name for name in total.keys if name != level.lower()]
    yield "rows", scores["score2"].moves(others)[1], Fraction(1)
    yield "sign", scores["score1"].most, Fraction(1)
    for step in range(steps + 1):
        low, high = total.moves(None, {level: (step, step)})
        yield f"level {step}", max(-low, high) * 10**scale, Fraction(2**step)


# --- mutants -------------------------------------------------------------------------------------


def mutants(query: SelectQuery) -> Iterator[tuple[str, SelectQuery]]:
    """Trees in which one thing is taken away that keeps a bound, at any depth."""
    yield from _of_query(query)
    for relation in _of_relation(query.source):
        yield relation[0], replace(query, source=relation[1])


def _of_relation(relation: Relation) -> Iterator[tuple[str, Relation]]:  # noqa: C901
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
            if _is_private(left) and _is_private(right) and kind != "CROSS JOIN":
                others = tuple(test for test in on if not _is_equality(test))
                yield "people joined on anything", replace(relation, on=others or (TRUE,))


def _is_equality(test: Expression) -> bool:
    match ungrouped(test):
        case Comparison("=", ColumnRef(), ColumnRef()):
            return True
    return False


def _is_private(relation: Relation) -> bool:
    return any(table.private for table in scans_in(relation))


def _of_query(query: SelectQuery) -> Iterator[tuple[str, SelectQuery]]:  # noqa: C901
    for place, key in enumerate(query.group_by):
        if _is_unit(key, query):
            yield "the unit left out of GROUP BY", replace(query, group_by=_without(query.group_by, place))
    for place, test in enumerate(query.where):
        rest = _without(query.where, place)
        match ungrouped(test):
            case NullTest(ColumnRef(name=name), True) if isinstance(query.source, TableScan):
                table = query.source.table
                unit = table.unit or (table.link and table.link.column)
                if table.private and name == unit and name not in (*table.required, *table.primary_key):
                    yield "rows of nobody", replace(query, where=rest)
            case Comparison("<=", ColumnRef(name="turn" | "place"), Literal(int() as most)) as bound:
                yield "no bound on turns", replace(query, where=rest)
                yield "one turn more", replace(query, where=(*rest, replace(bound, right=digits(most + 1))))
            case Comparison("=", ColumnRef(), ColumnRef()) if isinstance(query.source, JoinedTables):
                if _is_private(query.source.left) and _is_private(query.source.right):
                    yield "people joined on anything", replace(query, where=rest)
    for place, item in enumerate(query.items):
        if not isinstance(item, SelectItem):
            continue
        for what, mutant in _of_item(item.value, query):
            items = (*query.items[:place], replace(item, value=mutant), *query.items[place + 1 :])
            yield what, replace(query, items=items)


def _without(nodes: tuple[Any, ...], place: int) -> tuple[Any, ...]:
    return (*nodes[:place], *nodes[place + 1 :])


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
            yield (
                "no clamp",
                first.arguments[0] if isinstance(first, Call) and first.name == "greatest" else first,
            )
        case Call("//", (AggregateCall("sum") as whole, AggregateCall("count"))):
            yield "a sum for a mean", whole


def _is_aggregate(node: Expression) -> bool:
    return isinstance(node, AggregateCall)


def _is_unit(node: Expression, query: SelectQuery) -> bool:
    """Whether a column is the item that is called the unit, here or below."""
    node = ungrouped(node)
    if not isinstance(node, ColumnRef):
        return False
    named = [i.value for i in query.items if isinstance(i, SelectItem) and i.name == "unit"]
    return node.name == "unit" or node in named


# --- the command ---------------------------------------------------------------------------------


def main(queries: int, seed: int) -> int:
    """Compare all claims, try the mutants, and print what became of them. Returns 1 if a claim is below."""
    claims: Counter[str] = Counter()
    tried: Counter[tuple[str, str]] = Counter()
    why: Counter[tuple[str, str, str]] = Counter()
    times = []
    for text, plan, catalog, is_golden in chain(_golden(), _random(queries, seed)):
        for claim in claims_of(plan):
            start = time.perf_counter()
            for score in check(claim.tree, catalog, claim.held).values():
                _ = score.most
            times.append(time.perf_counter() - start)
            verdict, reason = claim.verdict(claim.tree, catalog)
            claims[verdict] += 1
            if verdict != "proved":
                why[verdict, claim.kind, reason] += 1
                print(f"{verdict}: {claim.kind}, {reason}: {text[:500]}\n    {sql(claim.tree)[:2_000]}")
            elif is_golden and not _is_one_row(claim.tree):
                for what, mutant in mutants(claim.tree):
                    tried[what, claim.verdict(mutant, catalog)[0]] += 1
    for what in sorted({what for what, _ in tried}):
        refused = sum(
            number for (name, verdict), number in tried.items() if name == what and verdict != "proved"
        )
        print(f"{what}: {refused} of {sum(n for (name, _), n in tried.items() if name == what)} refused")
    times.sort()
    middle, late = (1e3 * times[int(len(times) * share)] for share in (0.5, 0.95))
    print(f"a check takes {middle:.2f} ms in the median, {late:.2f} ms at the 95th percentile")
    kept = sum(number for (_, verdict), number in tried.items() if verdict == "proved")
    counts = " ".join(f"{verdict} {claims[verdict]}" for verdict in ("proved", "unbounded", "below"))
    print(f"claims {claims.total()} {counts} mutants {tried.total()} refused {tried.total() - kept}")
    return int(claims["below"] > 0)


def _is_one_row(tree: SelectQuery) -> bool:
    """Whether a constraint leaves one row of each unit, so that mutants may move it no further."""
    tables = [table for table in scans_of(tree) if table.private]
    return len(tables) == 1 and tables[0].unit_is_unique


def _golden() -> Iterator[tuple[str, Any, Catalog, bool]]:
    for path in golden.files("accepted"):
        connection = OPENERS[path.parent.name]()
        catalog = catalog_of(connection)
        for case in golden.cases(path):
            for block in _blocks(plan_of(case.query, catalog, connection)):
                yield case.query, block, catalog, True
        connection.close()


def _random(queries: int, seed: int) -> Iterator[tuple[str, Any, Catalog, bool]]:
    texts = Grammar(random.Random(f"{seed} plain")), Derived(random.Random(f"{seed} derived"))
    markets = Stage.open().markets
    with in_haste():
        for number in range(queries):
            market, text = markets[number % len(markets)], texts[number % 2].query().text
            try:
                plan = plan_text(text, market.catalog, FactsOfQuery(market.facts))
            except DpduckError:
                continue
            for block in _blocks(plan):
                yield text, block, market.catalog, False


def _blocks(plan: Any) -> Iterator[Any]:
    yield from (block for block in getattr(plan, "blocks", (plan,)) if hasattr(block, "selection"))
