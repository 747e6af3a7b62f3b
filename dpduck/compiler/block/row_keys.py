"""Columns that tell whose a row is without holding the unit: keys of private tables.

Theorem. Let k be a key of a private table T, a column by itself. For each value v at most one row of T has
k = v, and the policy says whose that row is: so v has one unit, the same in every block of a query. Let a
column c of some rows equal T.k in each of them, for a row of T that has the unit of the row. Then rows with
equal c have one unit; and rows of two tables whose columns equal the same key of T, and each other, have one.

Such columns are T.k itself; a PRIVACY_LINK to T.k, which the policy follows to find the unit; and what a
derived table makes of a column that equals T.k in every row, if it is passed on as it is. Each holds no NULL
where a row has a unit: an equality is true of values only, and rows whose link leads nowhere have no unit.
"""

from __future__ import annotations

from dataclasses import dataclass

from dpduck.kernel.catalog.model import Table, fold


@dataclass(frozen=True)
class TableKey:
    """A key of a private table, in folded names."""

    schema: str
    table: str
    column: str


def keys_of(table: Table) -> frozenset[tuple[str, TableKey]]:
    """Return the columns of a table of the catalog that tell whose a row is, each with the key it equals."""
    if not table.private:
        return frozenset()
    own = ((key[0], _key(table.schema, table.name, key[0])) for key in table.unique_keys if len(key) == 1)
    link = table.link
    linked = () if link is None else ((link.column, _key(link.schema, link.table, link.target)),)
    return frozenset((*own, *linked))


def _key(schema: str, table: str, column: str) -> TableKey:
    return TableKey(fold(schema), fold(table), fold(column))
