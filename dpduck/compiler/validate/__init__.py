"""The validator: an allow-list of node types and, for each, of the arguments that it may have.

Everything else is refused: a node that is not listed, and any argument that is set and not listed. The
validator checks nodes one by one; `compile` then accepts only certain combinations of them. Both fail
closed, and neither copies text of the query into generated SQL.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sqlglot import exp

from dpduck.compiler import public
from dpduck.compiler.functions import private_refusals as refusals
from dpduck.compiler.functions import table
from dpduck.compiler.parse.dialect import AggregateTerms, PivotedRows
from dpduck.compiler.parse.nodes import refusal
from dpduck.compiler.parse.statements import Select

MAX_NODES = 40_000  # a list of 10,000 dates has 30,000
MAX_DEPTH = 100  # levels of nesting; a chain of ANDs or of ORs counts as one

Allowed = Mapping[type[exp.Expr], frozenset[str]]

_UNARY = frozenset({"this"})

# Nodes of blocks; the table of functions lists those of functions and aggregates, and public SQL its own.
_BLOCKS: Allowed = {
    exp.Select: frozenset(
        {
            "expressions",
            "from_",
            "joins",
            "where",
            "group",
            "having",
            "qualify",
            "order",
            "limit",
            "offset",
            "with_",
        }
    ),
    **dict.fromkeys((exp.Union, exp.Intersect, exp.Except), frozenset({"with_"})),
    exp.With: frozenset({"expressions"}),
    exp.CTE: frozenset({"this", "alias", "materialized"}),  # MATERIALIZED has no effect on inlined CTEs
    exp.From: _UNARY,
    exp.Subquery: frozenset({"this", "alias"}),
    exp.Join: frozenset({"this", "on", "using", "side", "kind"}),
    exp.Table: frozenset({"this", "db", "catalog", "alias"}),  # `inline` checks the database
    exp.TableAlias: frozenset({"this", "columns"}),
    exp.Where: _UNARY,
    exp.Group: frozenset({"expressions", "all"}),
    exp.Having: _UNARY,
    exp.Qualify: _UNARY,
    exp.Order: frozenset({"expressions"}),
    exp.Ordered: frozenset({"this", "desc", "nulls_first"}),
    exp.Limit: frozenset({"expression"}),
    exp.Offset: frozenset({"expression"}),
    exp.Alias: frozenset({"this", "alias"}),
    exp.Distinct: frozenset({"expressions"}),
    exp.Array: frozenset({"expressions"}),
    exp.ApproxTopK: frozenset({"this", "expression"}),
    exp.WithinGroup: frozenset({"this", "expression"}),
    exp.Filter: frozenset({"this", "expression"}),
    exp.Window: frozenset({"this", "partition_by", "order", "over"}),
    exp.Unnest: frozenset({"expressions", "alias", "offset"}),
    exp.Explode: _UNARY,
    PivotedRows: frozenset({"this", "columns", "aggregates", "group"}),
    AggregateTerms: frozenset({"this", "per", "low", "high", "epsilon"}),
}


def _merged(*lists: Allowed) -> Allowed:
    """Return the union of the lists. Whether a node fits its context is checked where it is translated."""
    merged: dict[type[exp.Expr], frozenset[str]] = {}
    for allowed in lists:
        for kind, arguments in allowed.items():
            merged[kind] = merged.get(kind, frozenset()) | arguments
    return merged


ALLOWED = _merged(_BLOCKS, table.ALLOWED, public.ALLOWED)


@dataclass(frozen=True)
class ValidSelect:
    """A query that passed the validator: all its nodes and arguments are on the allow-list."""

    expression: exp.Query


def validate(select: Select) -> ValidSelect:
    """Check all nodes of a query against the allow-list.

    Errors: UnsupportedSqlError, with a hint at what to write instead.
    """
    for node in within_bounds(select.expression):
        _check_node(node)
        if isinstance(node, exp.Identifier) and not node.name:
            raise refusal("a name is empty", 'Between " and " there is nothing.', "Name it.", node)
    return ValidSelect(select.expression)


def within_bounds(tree: exp.Expr) -> Iterator[exp.Expr]:
    """Yield all nodes in preorder, and check the size of the tree, so that recursion over it is safe.

    Errors: UnsupportedSqlError as soon as there are too many nodes, or they are nested too deeply.
    """
    stack, nodes = [(tree, 0)], 0
    while stack:
        node, depth = stack.pop()
        nodes += 1
        if nodes > MAX_NODES or depth > MAX_DEPTH:
            raise refusal(
                "the query is too large",
                f"It may have {MAX_NODES} parts, nested {MAX_DEPTH} deep.",
                "Split it, or filter by a shorter condition.",
            )
        yield node
        stack.extend(reversed([(child, _depth_of(child, node, depth)) for child in _children(node)]))


def _check_node(node: exp.Expr) -> None:
    allowed = ALLOWED.get(type(node))
    if allowed is None:
        raise refusals.of_node(node)
    for name, value in node.args.items():
        if name in allowed or value is None or value is False or value == []:
            continue
        raise refusals.of_argument(node, name)


def _depth_of(child: exp.Expr, parent: exp.Expr, depth: int) -> int:
    """Return the depth of a child; links of a chain of ANDs or ORs share one, as they need no recursion."""
    chained = isinstance(parent, (exp.And, exp.Or)) and type(child) is type(parent)
    return depth if chained else depth + 1


def _children(node: exp.Expr) -> Iterator[exp.Expr]:
    for value in node.args.values():
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, exp.Expr):
                yield item
