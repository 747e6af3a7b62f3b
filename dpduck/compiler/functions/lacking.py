"""Finds why an expression has no public range: the columns in it of which nothing public is known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime
from fractions import Fraction

from sqlglot import exp

from dpduck.compiler.functions.expressions import endpoints_of, expression
from dpduck.compiler.parse.nodes import unwrap
from dpduck.kernel.catalog.model import Domain, RangeDomain, ValuesDomain
from dpduck.kernel.plan.expression import Columns, Lack, Typed

_NUMBERS = ("integer", "decimal", "float")
_EXAMPLES: dict[str, Domain] = {
    "date": RangeDomain(date(2024, 1, 1), date(2024, 12, 31), 1),
    "timestamp": RangeDomain(datetime(2024, 1, 1), datetime(2024, 12, 31), 1),
    "text": ValuesDomain(("a", "b")),
}


def lacking(node: exp.Expr, columns: Columns) -> tuple[Lack, ...]:
    """Return what is not declared of the columns in an expression, in the order of its text."""
    found = (lack for column in _measured(node) for lack in _lacks(columns.resolve(column)))
    return tuple(dict.fromkeys(found))


def cures(node: exp.Expr, columns: Columns) -> tuple[Lack, ...]:
    """Return what is to be declared so that an expression has a range; nothing if that would not do."""
    supposed = _Supposed(columns)
    value = expression(node, supposed)
    is_known = value.domain is not None or None not in endpoints_of(node, supposed)
    return lacking(node, columns) if is_known else ()


@dataclass(frozen=True)
class _Supposed:
    """Columns as if all that is lacking was declared."""

    columns: Columns

    def resolve(self, node: exp.Column) -> Typed:
        value = self.columns.resolve(node)
        if value.origin is not None and value.domain is None:
            return replace(value, origin=(value.origin[0], _Supposed(value.origin[1])))
        if not _lacks(value):
            return value
        if value.type.kind in _NUMBERS:
            return replace(value, ends=(Fraction(0), Fraction(1)))
        return replace(value, domain=_EXAMPLES.get(value.type.kind))

    def subquery(self, node: exp.Expr) -> Typed:
        return self.columns.subquery(node)


def _lacks(value: Typed) -> tuple[Lack, ...]:
    if value.domain is not None or value.type.kind == "boolean":
        return ()
    if value.ends is not None and None not in value.ends:
        return ()
    if value.lacks:
        return value.lacks
    if value.column is not None:
        return (Lack(*value.column, value.type.kind),)
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
