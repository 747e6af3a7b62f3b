"""Lets rows through of which a condition is unknown, so that what stands behind the condition is computed.

Whether rows are left depends on released numbers; that a text is no number does not. With NULL in place of
each released number, conditions on them are unknown.
"""

from __future__ import annotations

from contextlib import suppress

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError


def passing_unknown(sql: str) -> str | None:
    """The SQL of an answer in which each condition holds that is NULL; None if it has no condition.

    None also if it is nested too deeply to be read again. Input: SQL that is written here.

    >>> passing_unknown('SELECT "n" FROM "r" WHERE (("n" > 10) AND (CAST("s" AS INTEGER) > 5))')
    'SELECT "n" FROM "r" WHERE NOT ("n" > 10) IS FALSE AND NOT (CAST("s" AS INT) > 5) IS FALSE'
    """
    with suppress(RecursionError, SqlglotError):
        tree = parse_one(sql, read="duckdb")
        conditions = [clause.this for clause in tree.find_all(exp.Where, exp.Having, exp.Qualify)]
        conditions += [on for join in tree.find_all(exp.Join) if (on := join.args.get("on")) is not None]
        for condition in conditions:
            condition.replace(exp.and_(*map(_or_unknown, _linked(condition)), copy=False))
        return tree.sql("duckdb") if conditions else None
    return None


def _linked(condition: exp.Expr) -> list[exp.Expr]:
    """Return the parts of a condition that AND joins."""
    left, found = [condition], []
    while left:
        inner = left.pop().unnest()
        if isinstance(inner, exp.And):
            left += inner.right, inner.left
        else:
            found.append(inner)
    return found


def _or_unknown(condition: exp.Expr) -> exp.Expr:
    return exp.Not(this=exp.Is(this=exp.Paren(this=condition.copy()), expression=exp.false()))
