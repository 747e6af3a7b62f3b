"""The checker against the compiler: each claim of golden and random queries, and mutants of golden score
trees.

A claim is what a mechanism is told of a score query (`dpduck.answers.claimed_bounds`): how far one unit moves
a score in a group, and in how many groups. The checker computes the same from the tree alone. A mutant is a
tree in which something that a claim rests on is taken away; it is refused if the checker then bounds less
than is claimed, or nothing.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import Any

from dpduck.answers.claimed_bounds import Claim, claims_of
from dpduck.kernel.catalog.model import Catalog
from dpduck.kernel.errors import DpduckError
from dpduck.kernel.tree.build import TRUE, digits
from dpduck.kernel.tree.duckdb import sql
from dpduck.kernel.tree.nodes import (
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
from dpduck.kernel.tree.relations import (
    DerivedTable,
    GroupedTables,
    JoinedTables,
    Relation,
    SelectItem,
    SelectQuery,
    TableScan,
)
from dpduck.kernel.tree.walk import every_part, scans_in, scans_of, ungrouped
from tests.fuzz.derived_grammar import Derived
from tests.fuzz.facts import FactsOfQuery
from tests.fuzz.gate import plan_text
from tests.fuzz.grammar import Grammar
from tests.fuzz.haste import in_haste
from tests.fuzz.random_queries import Stage
from tests.query import golden
from tests.query.test_golden import OPENERS, catalog_of, plan_of

# --- mutants -------------------------------------------------------------------------------------


def mutants_of(claim: Claim) -> Iterator[tuple[str, Claim]]:
    """Claims of mutants: of the rows that the reader holds, if the score query reads these."""
    passes = claim.passes
    if passes is None or passes.held is None:
        for what, mutant in mutants(claim.scores):
            yield what, replace(claim, scores=mutant, passes=None)
        return
    for what, mutant in mutants(passes.held):
        yield what, replace(claim, passes=replace(passes, held=mutant))


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
    """Compare all claims, try the mutants, and print what became of them. Returns 1 if a claim is not
    proved."""
    claims: Counter[str] = Counter()
    tried: Counter[tuple[str, bool]] = Counter()
    times = []
    for text, plan, catalog, is_golden in chain(_golden(), _random(queries, seed)):
        for claim in claims_of(plan):
            start = time.perf_counter()
            fault = claim.fault(catalog)
            times.append(time.perf_counter() - start)
            claims[verdict(fault)] += 1
            if fault:
                print(f"{fault}: {text[:500]}\n    {sql(claim.scores)[:2_000]}")
            elif is_golden and not _is_one_row(claim):
                for what, mutant in mutants_of(claim):
                    tried[what, bool(mutant.fault(catalog))] += 1
    for what in sorted({what for what, _ in tried}):
        print(f"{what}: {tried[what, True]} of {tried[what, True] + tried[what, False]} refused")
    times.sort()
    middle, late = (1e3 * times[int(len(times) * share)] for share in (0.5, 0.95))
    print(f"a check takes {middle:.2f} ms in the median, {late:.2f} ms at the 95th percentile")
    refused = sum(number for (_, is_refused), number in tried.items() if is_refused)
    counts = " ".join(f"{name} {claims[name]}" for name in ("proved", "unbounded", "below"))
    print(f"claims {claims.total()} {counts} mutants {tried.total()} refused {refused}")
    return int(claims["proved"] < claims.total())


def verdict(fault: str) -> str:
    """proved, unbounded or below."""
    if not fault:
        return "proved"
    return "unbounded" if fault.startswith("nothing bounds") or ": inf is claimed" in fault else "below"


def _is_one_row(claim: Claim) -> bool:
    """Whether a constraint leaves one row of each unit, so that mutants may move it no further."""
    passes = claim.passes
    read = claim.scores if passes is None or passes.held is None else passes.held
    tables = [table for table in scans_of(read) if table.private]
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
