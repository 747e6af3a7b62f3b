"""Finds the keys whose domains may leave rows out: those with NULL, or with a value beside the domain.

Only public facts are read. A key of public tables alone takes its values from their rows, so it loses none
that plain SQL has.
"""

from __future__ import annotations

from collections.abc import Sequence

from dpduck.query.block.privacy_units import Owned
from dpduck.query.plan.model import PartialKey
from dpduck.query.tree.nodes import Choice, ColumnRef, Expression, Literal, NullTest
from dpduck.query.tree.walk import columns_in, ungrouped
from dpduck.query.write.expression import Typed
from dpduck.query.write.keys import Key


def partial_keys(keys: Sequence[tuple[Key, Typed]], owned: Owned) -> tuple[PartialKey, ...]:
    """Return the keys whose domains may leave rows out, in the order of the query."""
    found = (partial_key(key, value, owned) for key, value in keys)
    return tuple(partial for partial in found if partial is not None)


def partial_key(key: Key, value: Typed, owned: Owned) -> PartialKey | None:
    """Return the key if its domain may leave rows out. A key without a domain is found in the rows."""
    if key.domain is None or not _reads_private(value.node, owned):
        return None
    name = key.name if isinstance(value.node, ColumnRef) else value.name or key.name
    partial = PartialKey(name, nulls=_may_be_null(value.node, owned), others=may_differ(value, owned))
    return partial if partial.nulls or partial.others else None


def _reads_private(node: Expression, owned: Owned) -> bool:
    private = [one for one in owned.rows.instances if one.table.private or one.optional]
    return any(one.owns(column) for column in columns_in(node) for one in private)


def _may_be_null(node: Expression, owned: Owned) -> bool:
    """Whether an expression may be NULL, as most may but the columns of a primary key."""
    node = ungrouped(node)
    if isinstance(node, NullTest):
        return False
    if isinstance(node, Choice) and _is_one_of_constants(node):
        return node.otherwise is None or any(
            isinstance(one, Literal) and one.value is None for one in _results(node)
        )
    return not any(
        isinstance(node, ColumnRef) and one.owns(node) and node.name in one.table.primary_key
        for one in owned.rows.instances
    )


def may_differ(value: Typed, owned: Owned) -> bool:
    """Whether only declared domains say which values an expression has."""
    if value.type.kind == "boolean" or _is_one_of_constants(value.node):
        return False
    return any(
        one.table.private and one.owns(column) and one.table.column(column.name).domain is not None
        for column in columns_in(value.node)
        for one in owned.rows.instances
    )


def _is_one_of_constants(node: Expression) -> bool:
    node = ungrouped(node)
    return isinstance(node, Choice) and all(one is None or isinstance(one, Literal) for one in _results(node))


def _results(node: Choice) -> list[Expression | None]:
    """Return what CASE can give; None stands for the NULL of one without ELSE."""
    return [*(result for _, result in node.branches), node.otherwise]
