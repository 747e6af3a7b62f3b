"""Translates ORDER BY of a query, a window or an aggregate."""

from __future__ import annotations

from sqlglot import exp

from dpduck.compiler.functions import refusals
from dpduck.compiler.public.context import Context
from dpduck.compiler.public.registry import allow, check, expression
from dpduck.kernel.catalog.model import fold
from dpduck.kernel.tree.emit import identifier

allow((exp.Order,), "this expressions")
allow((exp.Ordered,), "this desc nulls_first")


def order_by(node: exp.Expr, context: Context) -> str:
    """Translate the items of ORDER BY, each with an explicit direction and position of NULL."""
    return ", ".join(_ordered(item, context) for item in node.expressions)


def _ordered(item: exp.Expr, context: Context) -> str:
    if not isinstance(item, exp.Ordered):
        raise refusals.of_node(item)
    check(item)
    direction = "DESC" if item.args.get("desc") else "ASC"
    return f"{_sort_key(item.this, context)} {direction}{nulls_suffix(item)}"


def nulls_suffix(item: exp.Expr) -> str:
    """Return the position of NULL: last unless the query says FIRST, which the parser sets on each item."""
    return " NULLS FIRST" if item.args.get("nulls_first") else " NULLS LAST"


def _sort_key(node: exp.Expr, context: Context) -> str:
    """Translate a sort key: ALL, an alias of the select list, which shadows columns, or an expression."""
    if isinstance(node, exp.Var) and node.name.upper() == "ALL":
        return "ALL"
    block = context.block
    alone = isinstance(node, exp.Column) and isinstance(node.this, exp.Identifier) and not node.table
    if alone and block.sees_aliases and fold(node.name) in block.aliases:
        return identifier(node.name)
    return expression(node, context)
