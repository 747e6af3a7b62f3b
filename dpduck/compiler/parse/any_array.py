"""Rewrites `x = ANY (ARRAY[...])`, the form that Postgres clients send, to `x IN (...)`, which is allowed."""

from __future__ import annotations

from typing import TypeVar, cast

from sqlglot import exp

Tree = TypeVar("Tree", bound=exp.Expr)


def listed_tree(tree: Tree) -> Tree:
    """Return the tree with `= ANY`, `= SOME` and `<> ALL` over an ARRAY literal rewritten to IN and NOT IN.

    >>> from sqlglot import parse_one
    >>> listed_tree(parse_one("SELECT 1 WHERE x = ANY (ARRAY[1, 2]) AND y <> ALL (ARRAY['a'])")).sql()
    "SELECT 1 WHERE x IN (1, 2) AND NOT y IN ('a')"
    >>> listed_tree(parse_one("SELECT 1 WHERE x = SOME (ARRAY[1, 2])")).sql()
    'SELECT 1 WHERE x IN (1, 2)'
    """
    return cast(Tree, tree.transform(_listed)) if tree.find(exp.Array) is not None else tree


def _listed(node: exp.Expr) -> exp.Expr:
    if isinstance(node, exp.EQ) and isinstance(node.expression, exp.Any):
        return _among(node.this, node.expression.this) or node
    if isinstance(node, exp.EQ) and node.expression.name.upper() == "SOME":
        found = next((_among(node.this, array) for array in node.expression.expressions), None)
        return node if found is None else found
    if isinstance(node, exp.NEQ) and node.expression.name.upper() == "ALL":
        found = next((_among(node.this, array) for array in node.expression.expressions), None)
        return node if found is None else exp.Not(this=found)
    if isinstance(node, exp.NEQ) and isinstance(node.expression, exp.All):
        found = _among(node.this, node.expression.this)
        return node if found is None else exp.Not(this=found)
    return node


def _among(value: exp.Expr, array: exp.Expr) -> exp.Expr | None:
    """Return `value IN (...)`, or FALSE for an empty array; None if the array is not an ARRAY literal."""
    array = array.unnest()
    if not isinstance(array, exp.Array):
        return None
    return exp.In(this=value, expressions=array.expressions) if array.expressions else exp.false()
