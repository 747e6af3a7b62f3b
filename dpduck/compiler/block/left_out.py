"""Finds what leaves rows out that plain SQL counts: the domains of keys, and units that are NULL.

Domains leave out rows with NULL, or with a value beside the domain.

Only public facts are read. A key of public tables alone takes its values from their rows, so it loses none
that plain SQL has.
"""

from __future__ import annotations

from collections.abc import Sequence

from dpduck.compiler.block.null_keys import is_matched, is_one_of_constants, is_untrue, may_be_null
from dpduck.compiler.block.privacy_units import Owned
from dpduck.compiler.block.question import AggregateQuery
from dpduck.compiler.block.rows import Instance
from dpduck.kernel.plan.aggregates import Aggregate, Count
from dpduck.kernel.plan.expression import Typed
from dpduck.kernel.plan.keys import Key
from dpduck.kernel.plan.model import PartialKey
from dpduck.kernel.tree.nodes import ColumnRef, Expression, ScalarSubquery
from dpduck.kernel.tree.walk import columns_in, every_part


def partial_keys(keys: Sequence[tuple[Key, Typed]], owned: Owned) -> tuple[PartialKey, ...]:
    """Return the keys whose domains may leave rows out, in the order of the query."""
    found = (partial_key(key, value, owned) for key, value in keys)
    return tuple(partial for partial in found if partial is not None)


def partial_key(key: Key, value: Typed, owned: Owned) -> PartialKey | None:
    """Return the key if its domain may leave rows out. A key without a domain is found in the rows."""
    if key.domain is None or not _reads_private(value.node, owned):
        return None
    name = key.name if isinstance(value.node, ColumnRef) else key.alias or value.name or key.name
    nulls = not key.declared_null and may_be_null(value.node, owned.rows)
    partial = PartialKey(name, nulls=nulls, others=may_differ(value, owned))
    return partial if partial.nulls or partial.others else None


def of_null_units(question: AggregateQuery) -> frozenset[str]:
    """Return the aggregates, by their released columns, that plain SQL computes of the NULL unit too."""
    if not question.owned.null_units:
        return frozenset()
    found = (one for one in question.requests if not _ignores_null_units(one, question.owned))
    return frozenset(request.column for request in found)


def _ignores_null_units(request: Aggregate, owned: Owned) -> bool:
    """Whether an aggregate is the same without the rows whose unit is NULL, as count(unit) is."""
    if isinstance(request, Count) and request.asks_present:
        return True
    units = owned.equal_to(owned.unit)
    return any(is_untrue(condition, units.__contains__) for condition in request.conditions)


def _reads_private(node: Expression, owned: Owned) -> bool:
    private = [one for one in owned.rows.instances if one.table.private or not is_matched(one, owned.rows)]
    return any(one.owns(column) for column in columns_in(node) for one in private)


def _is_declared(instance: Instance, column: ColumnRef) -> bool:
    """Whether declared domains say which values a private column has."""
    if instance.derivation is not None:
        return column.name in instance.derivation.declared
    found = instance.table.column(column.name)
    return found.domain is not None or any(part.domain is not None for part in found.parts)


def may_differ(value: Typed, owned: Owned) -> bool:
    """Whether only what policies declare says which values an expression has: domains, and bounds of rows."""
    if value.type.kind == "boolean" or is_one_of_constants(value.node):
        return False
    if any(isinstance(part, ScalarSubquery) for part in every_part(value.node)):
        return True
    return any(
        one.table.private and one.owns(column) and _is_declared(one, column)
        for column in columns_in(value.node)
        for one in owned.rows.instances
    )
