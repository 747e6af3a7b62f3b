"""Reads which number of a column is a quotient, for people: by what it is multiplied, and what else it is."""

from __future__ import annotations

from typing import NamedTuple

from sqlglot import exp

from dpduck.compiler.parse.nodes import is_literal, scalar

_SAME = (exp.Paren, exp.Cast)  # around a number, or a part of a quotient
_AROUND = (*_SAME, exp.Round, exp.Alias)  # a quotient, and for people it is still that number


class Form(NamedTuple):
    """`factor`: constants that multiply a quotient of two numbers, such as '100.0 * '; None: it is of sums or
    products of numbers. `is_all`: it is the whole column, but for rounding.
    """

    factor: str | None
    is_all: bool


def form_of(division: exp.Expr) -> Form:
    """Return the form of a division within its column.

    >>> from sqlglot import parse_one
    >>> for text in ("round(100.0 * a / b, 1)", "100 * (a / b)", "1 - a / b", "(a - 1) / b", "1.0 * a / b"):
    ...     print(form_of(parse_one(text).find(exp.Div)))
    Form(factor='100.0 * ', is_all=True)
    Form(factor='100 * ', is_all=True)
    Form(factor='', is_all=False)
    Form(factor=None, is_all=True)
    Form(factor='', is_all=True)
    """
    factors = _factors(division.this)
    divisors = _factors(_without_zero(division.expression))
    outer, node, parent = [], division, division.parent
    while isinstance(parent, (*_AROUND, exp.Mul)):
        if isinstance(parent, exp.Mul):
            other = parent.expression if node is parent.this else parent.this
            if not is_literal(other):
                break
            outer.append(other)
        node, parent = parent, parent.parent
    is_all = parent is None or isinstance(parent, exp.Select)
    if factors is None or divisors is None or _said(divisors):
        return Form(None, is_all)
    return Form(_said([*outer, *factors]), is_all)


def _without_zero(node: exp.Expr) -> exp.Expr:
    """Return what nullif(x, 0) divides by."""
    return node.this if isinstance(node, exp.Nullif) else node


def _factors(node: exp.Expr) -> list[exp.Expr] | None:
    """Return the constants that multiply one number; None if it is computed in another way."""
    found: list[exp.Expr] = []
    while isinstance(node, (*_SAME, exp.Mul)):
        if not isinstance(node, exp.Mul):
            node = node.this
        elif is_literal(node.this):
            found, node = [*found, node.this], node.expression
        elif is_literal(node.expression):
            found, node = [*found, node.expression], node.this
        else:
            return None
    return None if isinstance(node, (exp.Binary, exp.Unary)) and not isinstance(node, exp.Dot) else found


def _said(factors: list[exp.Expr]) -> str:
    return "".join(f"{one.sql(dialect='duckdb')} * " for one in factors if scalar(one) != 1)
