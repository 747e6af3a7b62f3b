"""Subqueries in expressions over private rows: EXISTS, IN, and one aggregate of the same person's rows.

Theorem. Such a subquery over private rows is written with the condition that its rows have the unit of the
row outside. So its value is a function of that unit's rows and of public tables alone, and a row of another
unit never changes it. A subquery over public tables is a function of the row and of these.

The condition is written whatever the query says. A query that does not imply it means something else, and is
refused.
"""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, replace

from sqlglot import exp

from dpduck.compiler.block.from_clause import (
    conditions_of_where,
    flattened,
    is_flat,
    read_from,
    subquery_rows,
)
from dpduck.compiler.block.joins import equalities
from dpduck.compiler.block.narrowing import KINDS
from dpduck.compiler.block.null_units import nulls_in
from dpduck.compiler.block.privacy_units import Owned, equal_columns, own, root_of_instance, unit_column
from dpduck.compiler.block.public_columns import PublicColumns
from dpduck.compiler.block.row_limits import row_limit
from dpduck.compiler.block.rows import Instance, Scope, SourceRows
from dpduck.compiler.block.unit_aggregates import unit_aggregate
from dpduck.compiler.functions.aggregates import is_aggregate
from dpduck.compiler.functions.expressions import expression
from dpduck.compiler.parse.nodes import is_literal, refusal, scalar, unwrap
from dpduck.compiler.private.type_rules import compares_exactly
from dpduck.kernel.catalog.types import ConversionError, Value, parse_type, public_value
from dpduck.kernel.errors import DpduckError
from dpduck.kernel.plan.expression import Typed
from dpduck.kernel.tree import build
from dpduck.kernel.tree.nodes import ColumnRef, Comparison, Exists, Expression, Grouped, ScalarSubquery
from dpduck.kernel.tree.relations import SelectItem, SelectQuery
from dpduck.kernel.tree.walk import columns_in, filters_of, has_subquery, scans_of

_IN_TWO = " A number of all people is asked for in a query of its own, and written as a constant in the next."
_ONE = build.literal(1, parse_type("INTEGER"))
_CONSTANTS = KINDS - {"enum"} | {"float"}
_HIDING = ("group", "having", "qualify", "distinct", "limit", "offset", "windows", "sample")


@dataclass(frozen=True)
class CorrelatedRows(SourceRows):
    """Rows of a subquery, whose conditions may name columns of the rows outside."""

    outer: SourceRows | None = None

    def resolve(self, node: exp.Column) -> Typed:
        if self.outer is not None and not super().known(node) and self.outer.known(node):
            return self.outer.resolve(node)
        return super().resolve(node)


def value_of(node: exp.Expr, outer: SourceRows, scope: Scope) -> Typed:
    """Return the value of EXISTS, IN (SELECT ...) or a scalar subquery beside rows of a block.

    The same text over the same rows has the same value, as in GROUP BY and SELECT.
    Errors: UnsupportedSqlError, UnknownNameError, PolicyError.
    """
    key = node, _is_negated(node), tuple(one.alias for one in outer.instances)
    if key not in scope.values:
        scope.values[key] = _value_of(node, outer, scope)
    return scope.values[key]


def _value_of(node: exp.Expr, outer: SourceRows, scope: Scope) -> Typed:
    if isinstance(node, exp.In):
        return _membership(node, outer, scope)
    select = unwrap(node.this)
    if not isinstance(select, exp.Select):
        raise _unsupported(node)
    if isinstance(node, exp.Exists):
        rows = _correlated(_without_limit(select), outer, scope)
        return _truth(Exists(_written(rows, outer, scope, node, _ONE)))
    return _scalar(select, outer, scope, node)


def _truth(test: Expression) -> Typed:
    return Typed.of(Grouped(test))


# --- EXISTS and IN -------------------------------------------------------------------------------


def _without_limit(select: exp.Select) -> exp.Select:
    """Return a subquery of EXISTS without LIMIT 1, which changes nothing there."""
    limit = select.args.get("limit")
    if limit is None or not is_literal(limit.expression) or scalar(limit.expression) == 0:
        return select
    select = select.copy()
    select.set("limit", None)
    return select


def _correlated(select: exp.Select, outer: SourceRows, scope: Scope) -> SourceRows:
    """Read a subquery that filters, with the columns of the rows outside in sight."""
    if any(select.args.get(word) for word in _HIDING):
        return subquery_rows(select, scope)  # computed for each unit apart: it sees no row outside
    rows = _with_outer(read_from(select, scope), outer)
    where = select.args.get("where")
    if where is None:
        return rows
    kept = rows.where(*conditions_of_where(where, rows))
    return replace(kept, equal=kept.equal | equalities(where.this, rows))


def _with_outer(rows: SourceRows, outer: SourceRows) -> CorrelatedRows:
    return CorrelatedRows(
        rows.instances, rows.source, rows.conditions, rows.columns, rows.equal, rows.scope, outer=outer
    )


def _membership(node: exp.In, outer: SourceRows, scope: Scope) -> Typed:
    """x IN (SELECT y ...): whether a row has that y. Private rows in which y is NULL count as absent."""
    select = unwrap(node.args["query"])
    if isinstance(select, exp.Subquery):
        select = unwrap(select.this)
    if not isinstance(select, exp.Select) or len(select.expressions) != 1:
        raise _unsupported(node)
    rows = _correlated(select, outer, scope)
    shown: SourceRows = flattened(select, rows) if is_flat(select) else rows
    inner, value = shown.columns[0].value, expression(unwrap(node.this), outer)
    if not compares_exactly(inner.type, value.type):
        raise refusal(
            "IN compares values of different types",
            f"They are of type {value.type.name} and {inner.type.name}.",
            "Write EXISTS (SELECT 1 FROM w WHERE w.x = v.x), or a CAST.",
            node,
        )
    same: Expression = build.compare(inner.node, "=", value.node)
    equal = rows.equal | {frozenset((inner.node, value.node))}
    if not _is_negated(node):
        met = replace(rows, conditions=(*rows.conditions, same), equal=equal)
        return _truth(Exists(_written(met, outer, scope, node, _ONE)))
    scope.not_in.extend(nulls_in(inner.node, rows))
    if not any(one.table.private for one in rows.instances):  # NOT IN is not true where there is a NULL
        same = Grouped(build.any_of(same, build.is_null(inner.node)))
    met = replace(rows, conditions=(*rows.conditions, same), equal=equal)
    test = Exists(_written(met, outer, scope, node, _ONE))
    return Typed.of(build.only_where(build.is_present(value.node), test))


def _is_negated(node: exp.Expr) -> bool:
    parent = node.parent
    while isinstance(parent, exp.Paren):
        parent = parent.parent
    return isinstance(parent, exp.Not)


# --- what is public ------------------------------------------------------------------------------


def _public_value(item: exp.Expr, rows: SourceRows, scope: Scope, node: exp.Expr) -> Typed | None:
    """(SELECT max(price) FROM plans): the value of a subquery over public tables, read while planning.

    Output: None if it reads a column of the rows outside. Errors: UnsupportedSqlError if it has several rows,
    or its value is no constant.
    """
    value = unit_aggregate(item, rows) if is_aggregate(item) else expression(item, rows)
    read = (value.node, *rows.conditions, *filters_of(rows.source))
    if any(has_subquery(part) for part in read) or any(
        not any(one.owns(column) for one in rows.instances) for part in read for column in columns_in(part)
    ):
        return None
    shown = SelectItem(build.as_read(value.node), "found")
    found = scope.facts.rows(_read(SelectQuery((shown,), rows.source, rows.conditions, limit=2), scope), {})
    constant = None
    if found is not None and len(found) < 2 and value.type.kind in _CONSTANTS:
        constant = _constant(found[0][0] if found else None, value)
    if constant is None:
        raise refusal(
            "this subquery is no public constant",
            "It must have one row at most, and a number, text, BOOLEAN, date or timestamp in it.",
            "Aggregate, as in (SELECT max(price) FROM plans), or write the value.",
            node,
        )
    return replace(value, node=constant, domain=None, origin=None)


def _constant(cell: Value | None, value: Typed) -> Expression | None:
    """Return what was read as a constant; None for an infinite number, or a date that Python lacks."""
    if cell is None:
        return build.null(value.type)
    if isinstance(cell, float) and not math.isfinite(cell):
        return None
    with suppress(ConversionError):
        return build.literal(public_value(cell, value.type), value.type)
    return None


# --- one value -----------------------------------------------------------------------------------


def _scalar(select: exp.Select, outer: SourceRows, scope: Scope, node: exp.Expr) -> Typed:
    """(SELECT count(*) FROM w WHERE w.uid = v.uid): an aggregate of rows of the same unit, or a constant."""
    item = unwrap(select.expressions[0].unalias()) if len(select.expressions) == 1 else None
    if item is None or any(select.args.get(word) for word in _HIDING):
        raise _unsupported(node)
    if select.args.get("from_") is None and select.args.get("where") is None and not is_aggregate(item):
        return expression(item, outer)  # (SELECT 30)
    rows = _correlated(select, outer, scope)
    if not any(one.table.private for one in rows.instances):
        found = _public_value(item, rows, scope, node)
        if found is None:
            raise _unsupported(node)
        return found
    if not is_aggregate(item):
        raise _unsupported(node)
    owned = own(rows, scope.catalog, scope.aliases, scope.facts, node)
    value = unit_aggregate(item, PublicColumns(rows, owned, scope.facts), row_limit(owned))
    query = _of_same_unit(owned, outer, scope, node, value.node)
    return replace(value, node=ScalarSubquery(query, value.type))


# --- the unit ------------------------------------------------------------------------------------


def _written(
    rows: SourceRows, outer: SourceRows, scope: Scope, node: exp.Expr, item: Expression
) -> SelectQuery:
    """Return the subquery with the condition on its unit. Errors: UnsupportedSqlError if it implies none."""
    if any(one.table.private for one in rows.instances):
        owned = own(rows, scope.catalog, scope.aliases, scope.facts, node)
        return _of_same_unit(owned, outer, scope, node, item)
    return _read(SelectQuery((SelectItem(item, "found"),), rows.source, rows.conditions), scope)


def _of_same_unit(
    owned: Owned, outer: SourceRows, scope: Scope, node: exp.Expr, item: Expression
) -> SelectQuery:
    """Return the subquery over private rows with the condition on its unit."""
    met = _unit_outside(owned, outer, scope)
    if met is None:
        raise refusal(
            "this subquery reads the rows of other people",
            "Only the rows of the same person may decide about a row.",
            f"Compare the person, as in w.{owned.root.unit} = v.{owned.root.unit}, or write "
            f"{owned.root.unit} IN (SELECT {owned.root.unit} FROM w WHERE ...)."
            + (_IN_TWO if any(map(is_aggregate, node.walk())) else ""),
            node,
        )
    tests = (*owned.rows.conditions, Comparison("=", owned.unit, met))
    return _read(SelectQuery((SelectItem(item, "found"),), owned.rows.source, tests), scope)


def _read(query: SelectQuery, scope: Scope) -> SelectQuery:
    scope.read.extend(scans_of(query))
    return query


def _unit_outside(owned: Owned, outer: SourceRows, scope: Scope) -> ColumnRef | None:
    """Return the unit of the rows outside, if the conditions say that the rows inside have the same one."""
    firm = [one for one in outer.instances if one.table.private and not one.optional]
    for one in firm:
        name = unit_column(one.table, scope.catalog)
        if name is None or root_of_instance(one, scope.catalog) != owned.root:
            continue
        unit = one.column(name)
        if unit.type == owned.unit.type and (_are_equal(unit, owned.unit, owned) or _is_same_row(one, owned)):
            return unit
    return None


def _are_equal(one: Expression, other: Expression, owned: Owned) -> bool:
    return one in equal_columns(other, owned.rows)


def _is_same_row(outside: Instance, owned: Owned) -> bool:
    """Whether a table inside has the row of the same table outside, as a key of theirs is equal."""
    inside = [one for one in owned.rows.instances if one.table == outside.table and not one.optional]
    return any(
        all(_are_equal(outside.column(column), one.column(column), owned) for column in key)
        for one in inside
        for key in outside.table.unique_keys
    )


def _unsupported(node: exp.Expr) -> DpduckError:
    return refusal(
        "this subquery in an expression over private rows is not supported",
        "It must be EXISTS, IN (SELECT x ...), or one aggregate of rows of the same person.",
        "Write uid IN (SELECT uid FROM w WHERE ...), or join a subquery that groups by the person.",
        node,
    )
