"""Finds the rows of the NULL unit, which plain SQL counts and a block leaves out. Pure.

The key or link of such a row is NULL. Whether a column may be NULL is public: a constraint of the schema says
that it is not. Whether it is NULL somewhere is private, and nobody looks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dpduck.compiler.block.null_keys import may_be_null
from dpduck.compiler.block.rows import Instance, SourceRows
from dpduck.kernel.plan.model import Nulls
from dpduck.kernel.tree.nodes import ColumnRef, Expression


def null_units(
    rows: SourceRows, first: tuple[Instance, str], linked: Iterable[tuple[Instance, str]]
) -> tuple[Nulls, ...]:
    """Return the columns that say whose a row is and may be NULL in some that plain SQL selects.

    Input: the rows as the query joins them; the table whose column says whose they are, and that column;
        `linked`: the same of the tables that lead from there to the unit, which plain SQL does not join.
    """
    instance, column = first
    found = list(nulls_of(instance, column)) if may_be_null(instance.column(column), rows) else []
    for target, name in linked:
        found += nulls_of(target, name)
    return tuple(dict.fromkeys(found))


def nulls_of(instance: Instance, column: str) -> Iterator[Nulls]:
    """Yield what NULL in a key or link stands for: of a derived table, NULL in those of its tables."""
    if instance.derivation is not None:
        yield from instance.derivation.null_units
    elif instance.column(column).name not in instance.table.required:
        yield Nulls(instance.table.name, column)


def nulls_in(node: Expression, rows: SourceRows) -> Iterator[Nulls]:
    """Yield what NULL in a column of a private table stands for, if it may be NULL."""
    for one in rows.instances:
        if isinstance(node, ColumnRef) and one.owns(node) and one.table.private and may_be_null(node, rows):
            of_unit = one.derivation is not None and node == one.column(str(one.table.unit))
            yield from nulls_of(one, node.name) if of_unit else [Nulls(one.table.name, node.name)]
