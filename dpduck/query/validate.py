"""The gate: an allow-list of node types and, for each, of the arguments that it may carry.

Everything else is refused: a node that is not listed, and any argument that is set and not listed.
The gate says only which words may occur; `make_plan` then accepts a few sentences of them. Both fail
closed, and neither passes text on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from dpduck.query import refusals
from dpduck.query.nodes import refusal
from dpduck.query.parse import Select

MAX_NODES = 20_000
MAX_DEPTH = 100  # a chain of ANDs or of ORs counts as one level

_BINARY = frozenset({"this", "expression"})
_UNARY = frozenset({"this"})

ALLOWED: dict[type[exp.Expr], frozenset[str]] = {
    exp.Select: frozenset({"expressions", "from_", "where", "group", "order", "limit"}),
    exp.From: _UNARY,
    exp.Table: frozenset({"this", "db", "alias"}),
    exp.TableAlias: _UNARY,
    exp.Identifier: frozenset({"this", "quoted"}),
    exp.Column: frozenset({"this", "table", "db"}),
    exp.Star: frozenset(),
    exp.Alias: frozenset({"this", "alias"}),
    exp.Count: frozenset({"this", "big_int"}),  # big_int: sqlglot marks every count() of DuckDB so
    exp.Distinct: frozenset({"expressions"}),
    exp.Median: _UNARY,
    exp.Mode: _UNARY,
    exp.PercentileCont: _BINARY,
    exp.PercentileDisc: _BINARY,
    exp.Where: _UNARY,
    exp.And: _BINARY,
    exp.Or: _BINARY,
    exp.Not: _UNARY,
    exp.Paren: _UNARY,
    **dict.fromkeys((exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.Is), _BINARY),
    exp.Between: frozenset({"this", "low", "high"}),
    exp.In: frozenset({"this", "expressions"}),
    exp.Like: frozenset({"this", "expression", "negate"}),
    exp.ILike: frozenset({"this", "expression", "negate"}),
    exp.Literal: frozenset({"this", "is_string"}),
    exp.Boolean: _UNARY,
    exp.Null: frozenset(),
    exp.Neg: _UNARY,
    exp.Cast: frozenset({"this", "to"}),
    exp.DataType: _UNARY,
    exp.Group: frozenset({"expressions", "all"}),
    exp.Order: frozenset({"expressions"}),
    exp.Ordered: frozenset({"this", "desc", "nulls_first"}),
    exp.Limit: frozenset({"expression"}),
}


@dataclass(frozen=True)
class ValidSelect:
    """A query that is made of allowed parts only."""

    expression: exp.Select


def validate(select: Select) -> ValidSelect:
    """Let a query through the gate.

    Errors: UnsupportedSqlError, which says what to write instead.
    """
    stack: list[tuple[exp.Expr, int]] = [(select.expression, 0)]
    nodes = 0
    while stack:
        node, depth = stack.pop()
        nodes += 1
        _check_size(nodes, depth)
        _check_node(node)
        stack.extend(reversed([(child, _depth_of(child, node, depth)) for child in _children(node)]))
    return ValidSelect(select.expression)


def _check_size(nodes: int, depth: int) -> None:
    if nodes > MAX_NODES or depth > MAX_DEPTH:
        raise refusal(
            "the query is too large",
            f"It may have {MAX_NODES} parts, nested {MAX_DEPTH} deep.",
            "Split it, or filter by a shorter condition.",
        )


def _check_node(node: exp.Expr) -> None:
    allowed = ALLOWED.get(type(node))
    if allowed is None:
        raise refusals.of_node(node)
    for name, value in node.args.items():
        if name in allowed or value is None or value is False or value == []:
            continue
        raise refusals.of_argument(node, name)


def _depth_of(child: exp.Expr, parent: exp.Expr, depth: int) -> int:
    """Chains lean to one side in the tree, and are translated without recursion."""
    chained = isinstance(parent, (exp.And, exp.Or)) and type(child) is type(parent)
    return depth if chained else depth + 1


def _children(node: exp.Expr) -> Iterator[exp.Expr]:
    for value in node.args.values():
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, exp.Expr):
                yield item
