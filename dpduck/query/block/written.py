"""Writes aggregates as people read them, for notices and EXPLAIN. Nothing is decided by these texts."""

from __future__ import annotations

from sqlglot import exp
from sqlglot.errors import ErrorLevel

from dpduck.query.parse.dialect import AggregateTerms
from dpduck.query.parse.nodes import unwrap
from dpduck.query.plan.aggregates import Written

_MOST = 60  # characters


def written(node: exp.Expr) -> Written:
    """Return an aggregate call as text, without its bounds, and the average in place of its quotient.

    >>> from sqlglot import parse_one
    >>> written(parse_one("sum(x) FILTER (WHERE y > 1)"))
    Written(text='sum(x) FILTER(WHERE y > 1)', average='avg(x) FILTER(WHERE y > 1)')
    >>> written(parse_one("count(*) FILTER (WHERE y > 1)")).average
    'avg(CASE WHEN y > 1 THEN 1 ELSE 0 END)'
    >>> written(parse_one("median(x)"))
    Written(text='median(x)', average='')
    """
    plain = node.transform(lambda part: part.this if isinstance(part, AggregateTerms) else part)
    average = _average(plain)
    instead = "" if average is None else _text(average)
    return Written(_short(_text(plain)), instead if instead == _short(instead) else "")


def _average(node: exp.Expr) -> exp.Expr | None:
    """Return the average over rows whose quotient an aggregate is the dividend of; None if there is none."""
    call = node.this if isinstance(node, exp.Filter) else node
    if isinstance(call, exp.Sum):
        average = exp.Avg(this=call.this.copy())
        return exp.Filter(this=average, expression=node.expression.copy()) if call is not node else average
    if isinstance(call, exp.CountIf) and call is node:
        return exp.Avg(this=_one_if(call.this))
    if isinstance(call, exp.Count) and call is not node:
        return exp.Avg(this=_one_if(node.expression.this))
    return None


def _one_if(condition: exp.Expr) -> exp.Expr:
    one, zero = exp.Literal.number(1), exp.Literal.number(0)
    return exp.Case(ifs=[exp.If(this=unwrap(condition).copy(), true=one)], default=zero)


def _text(node: exp.Expr) -> str:
    """Return a tree as one line of SQL."""
    said = node.sql(dialect="duckdb", normalize_functions="lower", unsupported_level=ErrorLevel.IGNORE)
    return " ".join(said.split())


def _short(line: str) -> str:
    return line if len(line) <= _MOST else f"{line[: _MOST - 3]}..."
