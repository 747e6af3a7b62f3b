"""Shapes of expressions and windows that say something of rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dpduck.kernel.catalog.model import fold
from dpduck.kernel.check.functions import TURNS
from dpduck.kernel.check.spans import INF, Number, constant
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
    Membership,
    NullTest,
    RangeTest,
    ScalarSubquery,
    WindowCall,
)
from dpduck.kernel.tree.walk import parts_of, ungrouped

Key = str | tuple[str, ...]  # a column, or the path to a field
Node = tuple[str, object]  # a column of an alias; "=" and a constant


def key_of(ref: ColumnRef) -> Key:
    """The column that a reference names, as DuckDB compares names."""
    return tuple(map(fold, ref.path)) if ref.path else fold(ref.name)


def node_of(ref: ColumnRef) -> Node:
    return ref.table, key_of(ref)


def conjuncts(tests: Iterable[Expression]) -> Iterator[Expression]:
    """The conditions that all hold."""
    for test in map(ungrouped, tests):
        if isinstance(test, Connective) and test.word == "AND":
            yield from conjuncts(test.links)
        else:
            yield test


def rejected(test: Expression) -> Iterator[Node]:
    """The columns that are not NULL where a test is true."""
    match test:
        case Comparison("=" | "<>" | "<" | "<=" | ">" | ">=", left, right):
            sides: tuple[Expression, ...] = (left, right)
        case NullTest(value, True) | Membership(value) | RangeTest(value):
            sides = (value,)
        case _:
            sides = ()
    yield from (node_of(side) for side in map(ungrouped, sides) if isinstance(side, ColumnRef))


def is_of_groups(node: Expression, keys: list[Expression]) -> bool:
    """Whether an expression reads columns in keys and aggregates alone."""
    node = ungrouped(node)
    if node in keys or isinstance(node, AggregateCall):
        return True
    is_row = isinstance(node, (ColumnRef, ScalarSubquery, Exists))
    return not is_row and all(is_of_groups(part, keys) for part in parts_of(node))


def uncast(node: Expression, kind: str | None = None) -> Expression:
    """What is cast, to types of a kind."""
    node = ungrouped(node)
    return (
        uncast(node.value, kind) if isinstance(node, Conversion) and kind in (None, node.type.kind) else node
    )


def cut(node: Expression) -> tuple[Number, Expression | None]:
    """n and x of CASE WHEN strlen(x) <= n THEN x END."""
    match node:
        case Choice(((Comparison("<=", Call("strlen", (x,)), length), value),), None) if x == value:
            return constant(length) or 0, ungrouped(x)
    return INF, None


def takes_turns(window: WindowCall) -> bool:
    return window.function.name in TURNS or window.frame is not None


def ascends(numbers: list[Number | None]) -> bool:
    known = [number for number in numbers if number is not None]
    return len(known) == len(numbers) and known == sorted(known)
