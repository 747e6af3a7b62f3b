"""How many rows one unit has among the rows of a block, as far as policies say.

CONTRIBUTION (rows = 20) bounds the rows of a unit that count in a group. For a subquery that is computed for
each unit apart it is a claim: the unit may have more rows, and its count is then beyond the range that
follows. So aggregates of such counts clamp them to it, as they clamp values beside a declared domain.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from dpduck.compiler.block.privacy_units import Owned
from dpduck.compiler.block.rows import Instance
from dpduck.kernel.plan.expression import Lack


@dataclass(frozen=True)
class RowLimit:
    """The most rows that a unit is said to have in a group; None if a table has no bound. `lacks`: which."""

    most: int | None = None
    lacks: tuple[Lack, ...] = ()


def row_limit(owned: Owned) -> RowLimit:
    """Return the limit of rows of a block: the product over the tables that multiply each other's rows."""
    free = [one for one in owned.rows.instances if one.table in owned.unbounded]
    counted = free or [one for one in owned.rows.instances if one.table.private and not one.optional]
    bounds = [_bound(one) for one in counted]
    known = [bound for bound in bounds if bound is not None]
    if free and len(known) < len(bounds):
        lacks = (lack for one in free if _bound(one) is None for lack in _lacks(one))
        return RowLimit(lacks=tuple(dict.fromkeys(lacks)))
    if not known:
        return RowLimit(lacks=tuple(dict.fromkeys(lack for one in counted for lack in _lacks(one))))
    return RowLimit(math.prod(known) if free else min(known))


def _bound(instance: Instance) -> int | None:
    return 1 if instance.table.unit_is_unique else instance.table.contribution.rows


def _lacks(instance: Instance) -> list[Lack]:
    """Return the tables of the catalog without a bound that a table is computed from, or is."""
    tables = instance.private_tables
    return [
        Lack(table.name) for table in tables if not table.unit_is_unique and table.contribution.rows is None
    ]
