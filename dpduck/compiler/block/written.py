"""Writes aggregates as people read them, for notices and EXPLAIN. Nothing is decided by these texts."""

from __future__ import annotations

from sqlglot import exp
from sqlglot.errors import ErrorLevel

from dpduck.compiler.parse.dialect import without_terms
from dpduck.compiler.parse.nodes import unwrap
from dpduck.kernel.plan.aggregates import Written

_MOST = 60  # characters


def written(node: exp.Expr) -> Written:
    """Return an aggregate call as text, without its bounds, and the average in place of its quotient.

    >>> from sqlglot import parse_one
    >>> written(parse_one("sum(x) FILTER (WHERE y > 1)"))
    Written(text='sum(x) FILTER(WHERE y > 1)', average='avg(x) FILTER(WHERE y > 1)', bounded='')
    >>> written(parse_one("sum(x)")).bounded
    'avg(x, contribution_bounds_per_row => (LOW, HIGH))'
    >>> written(parse_one("count(*) FILTER (WHERE y > 1)")).average
    'avg(CASE WHEN y > 1 THEN 1 ELSE 0 END)'
    >>> written(parse_one("median(x)"))
    Written(text='median(x)', average='', bounded='')
    """
    plain = without_terms(node)
    text = _text(plain)
    instead = _average(plain, text)
    bounded = ""
    if isinstance(plain, exp.Sum):
        bounded = f"{instead.removesuffix(')')}, contribution_bounds_per_row => (LOW, HIGH))"
    return Written(_short(text), instead if instead == _short(instead) else "", bounded)


def scaled(node: exp.Expr) -> str:
    """Return the average or sum of scaled values, for one that is scaled by a constant; empty for others.

    >>> from sqlglot import parse_one
    >>> scaled(parse_one("100.0 * avg(x + 1)")), scaled(parse_one("sum(x) / 2")), scaled(parse_one("3 * n"))
    ('avg(100.0 * (x + 1))', 'sum(x / 2)', '')
    """
    if not isinstance(node, exp.Mul | exp.Div):
        return ""
    sides = [unwrap(node.this), unwrap(node.expression)]
    for place, (call, factor) in enumerate(((sides[0], sides[1]), (sides[1], sides[0]))):
        is_product = isinstance(node, exp.Mul) or place == 0
        if is_product and isinstance(call, exp.Avg | exp.Sum) and isinstance(factor, exp.Literal):
            value, whole = (
                exp.paren(call.this) if isinstance(call.this, exp.Binary) else call.this,
                call.copy(),
            )
            parts = (value, factor) if place == 0 else (factor, value)
            whole.set("this", type(node)(this=parts[0].copy(), expression=parts[1].copy()))
            text = _text(without_terms(whole))
            return text if text == _short(text) else ""
    return ""


def _average(node: exp.Expr, text: str) -> str:
    """Return the average over rows whose quotient an aggregate is the dividend of; empty if there is none.

    Input: `text`: the aggregate as text.
    """
    call = node.this if isinstance(node, exp.Filter) else node
    if isinstance(call, exp.Sum):
        return f"avg{text.removeprefix('sum')}"
    if isinstance(call, exp.CountIf) and call is node:
        return _text(exp.Avg(this=_one_if(call.this)))
    if isinstance(call, exp.Count) and call is not node:
        return _text(exp.Avg(this=_one_if(node.expression.this)))
    return ""


def _one_if(condition: exp.Expr) -> exp.Expr:
    one, zero = exp.Literal.number(1), exp.Literal.number(0)
    return exp.Case(ifs=[exp.If(this=unwrap(condition).copy(), true=one)], default=zero)


def _text(node: exp.Expr) -> str:
    """Return a tree as one line of SQL."""
    said = node.sql(dialect="duckdb", normalize_functions="lower", unsupported_level=ErrorLevel.IGNORE)
    return " ".join(said.split())


def _short(line: str) -> str:
    return line if len(line) <= _MOST else f"{line[: _MOST - 3]}..."
