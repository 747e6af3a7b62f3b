"""Traverses expression trees, and rewrites them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import assert_never

from dpduck.kernel.catalog.model import Table
from dpduck.kernel.tree.nodes import (
    AggregateCall,
    Call,
    Choice,
    ColumnRef,
    Comparison,
    Connective,
    Conversion,
    Exists,
    Expression,
    FirstPresent,
    Grouped,
    Literal,
    Membership,
    Negation,
    NullTest,
    RangeTest,
    ScalarSubquery,
    SortKey,
    Star,
    WindowCall,
)
from dpduck.kernel.tree.relations import (
    DerivedTable,
    GroupedTables,
    JoinedTables,
    ReaderTable,
    Relation,
    SelectItem,
    SelectQuery,
    TableScan,
)


def parts_of(node: Expression) -> tuple[Expression, ...]:  # noqa: C901 (a case for each node)
    """Return the child expressions of a node. A subquery counts as a leaf."""
    match node:
        case ColumnRef() | Literal() | ScalarSubquery() | Exists():
            return ()
        case Call(_, arguments) | AggregateCall(_, arguments):
            return arguments
        case Comparison(_, left, right):
            return left, right
        case Connective(_, links):
            return links
        case Negation(value) | NullTest(value) | Conversion(value) | Grouped(value):
            return (value,)
        case RangeTest(value, low, high):
            return value, low, high
        case Membership(value, members):
            return value, *members
        case Choice(branches, otherwise):
            inside = tuple(part for branch in branches for part in branch)
            return inside if otherwise is None else (*inside, otherwise)
        case FirstPresent(values):
            return values
        case WindowCall(function, partition_by, order_by):
            order = (term.value if isinstance(term, SortKey) else term for term in order_by)
            return function, *partition_by, *order
    assert_never(node)


def every_part(node: Expression) -> Iterator[Expression]:
    """Yield the node and all its descendants; a node that has several parents comes once."""
    seen: set[int] = set()
    stack = [node]
    while stack:
        part = stack.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        yield part
        stack += parts_of(part)


def has_subquery(node: Expression) -> bool:
    """Whether an expression reads rows besides that of FROM. `columns_in` does not look into subqueries."""
    return any(isinstance(part, (ScalarSubquery, Exists)) for part in every_part(node))


def columns_in(node: Expression) -> Iterator[ColumnRef]:
    """Yield the columns that an expression reads."""
    return (part for part in every_part(node) if isinstance(part, ColumnRef))


def scans_in(relation: Relation) -> Iterator[Table]:
    """Yield the tables that a relation reads, also in subqueries of its conditions."""
    match relation:
        case TableScan(table):
            yield table
        case DerivedTable(query):
            yield from scans_of(query)
        case JoinedTables(left, _, right, on):
            yield from scans_in(left)
            yield from scans_in(right)
            yield from scans_below(on)
        case GroupedTables(tables):
            yield from scans_in(tables)
        case ReaderTable():
            return
        case _:
            assert_never(relation)


def scans_of(query: SelectQuery) -> Iterator[Table]:
    """Yield the tables that a query reads."""
    yield from scans_in(query.source)
    values = (item.value if isinstance(item, SelectItem) else item for item in query.items)
    yield from scans_below(value for value in values if not isinstance(value, Star))
    yield from scans_below((*query.where, *query.group_by, *query.having))


def scans_below(nodes: Iterable[Expression]) -> Iterator[Table]:
    """Yield the tables that subqueries of expressions read."""
    for node in nodes:
        for part in every_part(node):
            if isinstance(part, (ScalarSubquery, Exists)):
                yield from scans_of(part.query)


def filters_of(relation: Relation) -> Iterator[Expression]:
    """Yield the conditions of joins that all its rows meet: those of inner joins, not below an outer one."""
    match relation:
        case JoinedTables(left, "LEFT JOIN"):
            yield from filters_of(left)
        case JoinedTables(left, _, right, on):
            yield from filters_of(left)
            yield from filters_of(right)
            yield from on
        case GroupedTables(tables):
            yield from filters_of(tables)
        case TableScan() | DerivedTable() | ReaderTable():
            return
        case _:
            assert_never(relation)


def ungrouped(node: Expression) -> Expression:
    """Return the node without the parentheses around it."""
    while isinstance(node, Grouped):
        node = node.value
    return node


def rewritten(node: Expression, instead: Callable[[Expression], Expression | None]) -> Expression:
    """Return the tree with nodes replaced by what `instead` returns; where that is None, it descends."""
    replacement = instead(node)
    if replacement is not None:
        return replacement
    parts = parts_of(node)
    changed = tuple(rewritten(part, instead) for part in parts)
    same = all(one is other for one, other in zip(parts, changed, strict=True))
    return node if same else with_parts(node, changed)


def with_parts(node: Expression, parts: tuple[Expression, ...]) -> Expression:  # noqa: C901 (a case for each node)
    """Return a copy of the node with other children. Input: as many as `parts_of` returns, in its order."""
    match node:
        case ColumnRef() | Literal() | ScalarSubquery() | Exists():
            return node
        case Call() | AggregateCall():
            return replace(node, arguments=parts)
        case Comparison():
            left, right = parts
            return replace(node, left=left, right=right)
        case Connective():
            return replace(node, links=parts)
        case Negation() | NullTest() | Conversion() | Grouped():
            return replace(node, value=parts[0])
        case RangeTest():
            value, low, high = parts
            return replace(node, value=value, low=low, high=high)
        case Membership():
            return replace(node, value=parts[0], members=parts[1:])
        case Choice(branches, otherwise):
            tests, values = parts[: 2 * len(branches) : 2], parts[1 : 2 * len(branches) : 2]
            last = None if otherwise is None else parts[-1]
            return replace(node, branches=tuple(zip(tests, values, strict=True)), otherwise=last)
        case FirstPresent():
            return replace(node, values=parts)
        case WindowCall():
            return _with_parts_of_window(node, parts)
    assert_never(node)


def _with_parts_of_window(node: WindowCall, parts: tuple[Expression, ...]) -> WindowCall:
    function, *others = parts
    if not isinstance(function, (Call, AggregateCall)):
        raise TypeError("a window is over a function")
    by, terms = others[: len(node.partition_by)], others[len(node.partition_by) :]
    order = tuple(
        replace(old, value=term) if isinstance(old, SortKey) else term
        for old, term in zip(node.order_by, terms, strict=True)
    )
    return replace(node, function=function, partition_by=tuple(by), order_by=order)
