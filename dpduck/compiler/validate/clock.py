"""Stops the clock of a query when it is planned: now(), current_date and the like become constants, in UTC.

What is computed of them alone becomes a constant, too: `date_trunc('month', now())` is the same the whole
month, so it is the same question, and an answer that was kept is found again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

import duckdb
from sqlglot import exp

from dpduck.compiler.functions.expressions import expression
from dpduck.compiler.parse.statements import Select
from dpduck.compiler.private.casts import cast
from dpduck.compiler.private.type_rules import VARCHAR
from dpduck.compiler.validate import ValidSelect, validate
from dpduck.kernel.empty_database import cursor_of_nothing
from dpduck.kernel.errors import DpduckError, UnknownNameError
from dpduck.kernel.plan.expression import Typed
from dpduck.kernel.tree.duckdb import sql

_KINDS: dict[type[exp.Expr], exp.DType] = {
    exp.CurrentDate: exp.DType.DATE,
    exp.CurrentTimestamp: exp.DType.TIMESTAMPTZ,
    exp.Localtimestamp: exp.DType.TIMESTAMP,
}
_NAMES = ("now", "get_current_timestamp", "transaction_timestamp")
_TYPES = {
    "DATE": exp.DType.DATE,
    "TIMESTAMP": exp.DType.TIMESTAMP,
    "TIMESTAMP WITH TIME ZONE": exp.DType.TIMESTAMPTZ,
}


def reads_clock(select: Select) -> bool:
    """Whether a query asks what time it is."""
    return next(_clocks(select.expression), None) is not None


def validated_at(select: Select, moment: datetime) -> ValidSelect:
    """Validate a query that is planned at a moment, in UTC without its zone. Errors: as `validate`."""
    if not reads_clock(select):
        return validate(select)
    tree = select.expression.copy()
    constants = [_put(_constant(moment, kind), node) for node, kind in list(_clocks(tree))]
    valid = validate(replace(select, expression=tree))  # also bounds the depth of what is computed
    for constant in constants:
        _compute(constant)
    return valid


def _clocks(tree: exp.Expr) -> Iterator[tuple[exp.Expr, exp.DType]]:
    """Yield the calls without arguments that read the clock, and the types of their results."""
    for node in tree.walk():
        is_named = isinstance(node, exp.Anonymous) and node.name.lower() in _NAMES
        kind = exp.DType.TIMESTAMPTZ if is_named else _KINDS.get(type(node))
        if kind is not None and not (node.expressions if is_named else node.this):
            yield node, kind


def _constant(moment: datetime, kind: exp.DType) -> exp.Cast:
    text = moment.date().isoformat() if kind == exp.DType.DATE else moment.isoformat(" ")
    return exp.cast(exp.Literal.string(text + "+00" * (kind == exp.DType.TIMESTAMPTZ)), kind)


def _put(constant: exp.Expr, node: exp.Expr) -> exp.Expr:
    """Replace a node by a constant, which keeps its place in the text, and its name as a column."""
    constant.meta.update(node.meta)
    node.replace(constant)
    return constant


def _compute(constant: exp.Expr) -> None:
    """Replace the largest expression around a constant that reads no row by its value."""
    found, outer = None, constant.parent
    while outer is not None and outer.find(exp.Column, exp.Query) is None:
        try:
            value = expression(outer, _NoColumns())
        except DpduckError:
            break
        found = _literal(value, outer) or found
        outer = outer.parent
    if found is not None:
        _put(*found)


def _literal(value: Typed, node: exp.Expr) -> tuple[exp.Expr, exp.Expr] | None:
    """Return a node's value as a constant, with the node; None if it has none, or is of another type.

    A number only stands beside a comparison: elsewhere it could count columns, as in ORDER BY 2.
    """
    kind = _TYPES.get(value.type.name)
    if kind is None and not (value.type.kind == "integer" and isinstance(node.parent, exp.Predicate)):
        return None
    with cursor_of_nothing() as cursor:
        try:
            [(text,)] = cursor.execute(f"SELECT {sql(cast(value.node, value.type, VARCHAR))}").fetchall()
        except duckdb.Error:
            return None
    if text is None:
        return None
    if kind is not None:
        return exp.cast(exp.Literal.string(text), kind), node
    number = exp.Literal.number(text.removeprefix("-"))
    return (exp.Neg(this=number) if text.startswith("-") else number), node


class _NoColumns:
    """The scope of what reads no row."""

    def resolve(self, node: exp.Column) -> Typed:
        raise UnknownNameError(f"there is no column {node.name}")

    def subquery(self, node: exp.Expr) -> Typed:
        raise UnknownNameError(f"{type(node).__name__} reads rows")
