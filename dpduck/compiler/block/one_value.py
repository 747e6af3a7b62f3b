"""Whether a unit has at most one value of an expression, apart from NULL, whatever rows it has."""

from __future__ import annotations

from dpduck.compiler.block.privacy_units import Owned
from dpduck.kernel.tree.nodes import Choice, Expression, Literal
from dpduck.kernel.tree.walk import columns_in, has_subquery, ungrouped


def has_one_value(node: Expression, owned: Owned) -> bool:
    """Whether it is of the unit alone, or gives that or NULL: CASE WHEN page = 'a' THEN person END."""
    node = ungrouped(node)
    if isinstance(node, Choice):
        results = {*(result for _, result in node.branches), node.otherwise} - {None}
        present = [one for one in results if not (isinstance(one, Literal) and one.value is None)]
        return len(present) <= 1 and all(one is not None and has_one_value(one, owned) for one in present)
    return not has_subquery(node) and all(
        owned.is_unit(column) or owned.is_of_unit(column) for column in columns_in(node)
    )
