"""Which privacy units are behind a table, across renames of the table, its key and its schema. Pure.

Units are charged under an id that is created when their key is declared. It is noted for the table, and the
note stays when the key or the table is dropped, so that what was spent follows the units. A key refers to
the units
- that were noted for a table of that name, in any schema;
- otherwise those of a table that is gone and had the same columns, or one of the key's name and type;
- otherwise to new units, with a new id.
A table linked to others holds rows of their units. If units of its own were noted for it, both were the
same all along, and are merged. All of this may merge units that differ, which only costs budget. If a table
is copied under another name, or two tables exchange names, that cannot be detected.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from dpduck.kernel.catalog.model import Catalog, Table, default_account_ids, fold
from dpduck.kernel.catalog.statements import AddPrivacyKey, PolicyStatement
from dpduck.kernel.ledger.records import ID_BYTES, without_id

Columns = tuple[tuple[str, str], ...]  # folded names, and types


@dataclass(frozen=True)
class UnitAccount:
    """The privacy units behind a table, with the columns that it had when they were noted.

    `names`: every key that they were ever charged under; the first is their id.
    """

    schema: str
    table: str
    columns: Columns
    names: tuple[str, ...]

    @property
    def id(self) -> str:
        """The id that they are charged under from now on."""
        return self.names[0]

    @property
    def place(self) -> str:
        """The table, with its schema unless that is the default one."""
        return self.table if fold(self.schema) == "main" else f"{self.schema}.{self.table}"


def noted(
    known: Sequence[UnitAccount],
    catalog: Catalog,
    tables: Iterable[Table],
    declared: Sequence[PolicyStatement],
    *,
    lasting: bool,
) -> tuple[UnitAccount, ...]:
    """The units to note, given the policies of the catalog.

    Input: the units known so far; the tables of the catalog that were just declared; `declared`: the
        statements stored before, whether they fit or not; `lasting`: whether the notes are kept in a file. If
        not, a new id would not survive, and the units are called by their table.
    """
    if lasting:
        known = _with_ids(known)
    for table in sorted((one for one in tables if one.private), key=lambda one: one.link is not None):
        known = _with_table(known, catalog, table, declared, lasting=lasting)
    return tuple(known)


def with_names(catalog: Catalog, known: Sequence[UnitAccount]) -> Catalog:
    """The catalog with the units behind each private table."""
    tables = (replace(table, account_ids=_names(known, table)) for table in catalog.tables)
    return replace(catalog, tables=tuple(tables))


def _names(known: Sequence[UnitAccount], table: Table) -> tuple[str, ...]:
    own = account_of_table(known, table) if table.private else None
    if own is not None:
        return own.names
    return () if table.unit is None else default_account_ids(table.name, table.columns)


def _with_ids(known: Sequence[UnitAccount]) -> list[UnitAccount]:
    """The known units, with ids for those that were called by their table before there were ids."""
    ids = {
        one.names: f"{one.id}#{secrets.token_hex(ID_BYTES)}" for one in known if without_id(one.id) == one.id
    }
    return [replace(one, names=(ids[one.names], *one.names)) if one.names in ids else one for one in known]


def _with_table(
    known: Sequence[UnitAccount],
    catalog: Catalog,
    table: Table,
    declared: Sequence[PolicyStatement],
    *,
    lasting: bool,
) -> Sequence[UnitAccount]:
    own = account_of_table(known, table)
    same = _found(known, catalog, table) if own is None else [own]
    if table.link is not None:
        behind = account_of_table(known, catalog.root(table))
        same = same if behind is None else [behind, *same]
    names = tuple(dict.fromkeys(name for one in same for name in one.names))
    names = names or _new_names(table, declared, lasting=lasting)
    ids = {one.id for one in same}
    others = [replace(one, names=names) if one.id in ids else one for one in known if one is not own]
    return [*others, UnitAccount(table.schema, table.name, _columns(table), names)]


def account_of_table(known: Sequence[UnitAccount], table: Table) -> UnitAccount | None:
    """The units noted for a table."""
    place = (fold(table.schema), fold(table.name))
    return next((one for one in known if (fold(one.schema), fold(one.table)) == place), None)


def is_new(table: Table, known: Sequence[UnitAccount], noted: Sequence[UnitAccount]) -> bool:
    """Whether the units behind a table are none of those known before."""
    now = account_of_table(noted, table)
    before = {name for one in known for name in one.names}
    return now is not None and not before & set(now.names)


def without_table(catalog: Catalog, known: Sequence[UnitAccount]) -> list[UnitAccount]:
    """The known units that are behind no table which is private or public now."""
    open_now = [table for table in catalog.tables if table.private or table.public]
    behind = [one for table in open_now if (one := account_of_table(known, table)) is not None]
    ids = {one.id for one in behind}
    return [one for one in known if one.id not in ids]


def _found(known: Sequence[UnitAccount], catalog: Catalog, table: Table) -> list[UnitAccount]:
    """Notes for other tables that may be about the same units."""
    namesakes = [one for one in known if fold(one.table) == fold(table.name)]
    if namesakes:
        return namesakes
    there = {(fold(one.schema), fold(one.name)) for one in catalog.tables}
    there |= {(fold(one.schema), fold(one.name)) for one in catalog.views}
    gone = [one for one in known if (fold(one.schema), fold(one.table)) not in there]
    columns = _columns(table)
    key = [column for column in columns if table.unit is not None and column[0] == fold(table.unit)]
    return [one for one in gone if one.columns == columns or set(key) & set(one.columns)]


def _columns(table: Table) -> Columns:
    return tuple((fold(column.name), column.type) for column in table.columns)


def _new_names(table: Table, declared: Sequence[PolicyStatement], *, lasting: bool) -> tuple[str, ...]:
    """A new id, followed by the names under which the table or its columns were charged before ids."""
    stored = [one for one in declared if isinstance(one, AddPrivacyKey)]
    keys = [one.column for one in stored if fold(one.table.name) == fold(table.name)]
    usual = dict.fromkeys(
        (*default_account_ids(table.name, table.columns), *(fold(f"{table.name}.{key}") for key in keys))
    )
    if not lasting:
        return tuple(usual)
    shown = fold(f"{table.full_name}.{table.unit}") if table.link is None else fold(table.full_name)
    return (f"{shown}#{secrets.token_hex(ID_BYTES)}", *usual)
