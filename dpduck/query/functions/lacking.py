"""Finds why an expression has no public range: the columns in it of which nothing public is known."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from dpduck.query.parse.nodes import unwrap
from dpduck.query.write.expression import Columns, Lack, Typed


def lacking(node: exp.Expr, columns: Columns) -> tuple[Lack, ...]:
    """Return what would have to be declared for an expression to have a range, in the order of its text."""
    found = (lack for column in _measured(node) for lack in _lacks(columns.resolve(column)))
    return tuple(dict.fromkeys(found))


def _lacks(value: Typed) -> tuple[Lack, ...]:
    if value.domain is not None or value.type.kind == "boolean":
        return ()
    if value.ends is not None and None not in value.ends:
        return ()
    if value.lacks:
        return value.lacks
    if value.column is not None:
        return (value.column,)
    return () if value.origin is None else lacking(*value.origin)


def _measured(node: exp.Expr) -> Iterator[exp.Column]:
    """Yield the columns on which the value depends, other than through a condition."""
    node = unwrap(node)
    if isinstance(node, exp.Column):
        yield node
    elif not isinstance(node, (exp.Query, exp.Predicate, exp.Connector, exp.Not)):
        skipped = {id(node.this)} if isinstance(node, (exp.Case, exp.If)) else set()
        for part in node.iter_expressions():
            if id(part) not in skipped:
                yield from _measured(part)
