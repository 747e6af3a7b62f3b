"""A CHECK constraint as the domain that it enforces: BETWEEN, IN, or two comparisons with constants."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from dpduck.compiler.parse.nodes import scalar
from dpduck.kernel.catalog.statements import DomainRange, DomainText, DomainValues
from dpduck.kernel.catalog.types import Scalar
from dpduck.kernel.errors import DpduckError


@dataclass(frozen=True)
class CheckedDomain:
    """A column, and the values that a constraint allows it."""

    column: str
    domain: DomainText


def domain_of_check(text: str) -> CheckedDomain | None:
    """The domain that a constraint's expression enforces; None if it says something else.

    >>> domain_of_check("((age >= 0) AND (age <= 120))")
    CheckedDomain(column='age', domain=DomainRange(low=0, high=120, step=None))
    >>> domain_of_check("(sex IN ('f', 'm'))").domain
    DomainValues(values=('f', 'm'))
    >>> domain_of_check("(age > 0)")
    """
    try:
        return _read(parse_one(text, dialect="duckdb").unnest())
    except (SqlglotError, DpduckError):
        return None


def _read(tree: exp.Expr) -> CheckedDomain | None:
    column = tree.this.unnest() if isinstance(tree, exp.Between | exp.In) else None
    if isinstance(tree, exp.Between) and isinstance(column, exp.Column):
        return CheckedDomain(column.name, DomainRange(_value(tree.args["low"]), _value(tree.args["high"])))
    if isinstance(tree, exp.In) and isinstance(column, exp.Column) and tree.expressions:
        values = tuple(map(_value, tree.expressions))
        return None if None in values else CheckedDomain(column.name, DomainValues(values))
    return _two_ends(tree) if isinstance(tree, exp.And) else None


def _two_ends(tree: exp.And) -> CheckedDomain | None:
    """Read x >= LOW AND x <= HIGH, in any order and from either side."""
    low, high, names = None, None, set()
    for one in (tree.this.unnest(), tree.expression.unnest()):
        if not isinstance(one, exp.GTE | exp.LTE):
            return None
        left, right = one.this.unnest(), one.expression.unnest()
        above = isinstance(one, exp.GTE)
        if isinstance(right, exp.Column):
            left, right, above = right, left, not above
        if not isinstance(left, exp.Column):
            return None
        names.add(left.name)
        low, high = (_value(right), high) if above else (low, _value(right))
    if len(names) != 1 or low is None or high is None:
        return None
    return CheckedDomain(names.pop(), DomainRange(low, high))


def _value(tree: exp.Expr) -> Scalar:
    """A constant, which may be cast to the type of its column. Errors: DpduckError for others."""
    plain = tree.unnest()
    return scalar(plain.this.unnest() if isinstance(plain, exp.Cast) else plain)
