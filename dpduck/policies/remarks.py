"""Warnings for statements that declare whose rows a table holds. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dpduck.catalog.model import Table, ValuesDomain, written
from dpduck.catalog.statements import AddPrivacyKey, AddPrivacyLink, PolicyStatement
from dpduck.catalog.types import parse_type
from dpduck.policies.unit_accounts import UnitAccount, account_of_table, is_new


def remarks(
    statement: PolicyStatement,
    table: Table | None,
    known: Sequence[UnitAccount],
    noted: Sequence[UnitAccount],
) -> tuple[str, ...]:
    """Input: the table after the statement; the units known before, and after it."""
    if table is None or not isinstance(statement, (AddPrivacyKey, AddPrivacyLink)):
        return ()
    return (*_of_accounts(table, known, noted), *_of_types(table))


def _of_accounts(table: Table, known: Sequence[UnitAccount], noted: Sequence[UnitAccount]) -> Iterator[str]:
    """Which other tables share the account of the table's units, or that it has a new account."""
    before, now = account_of_table(known, table), account_of_table(noted, table)
    if now is None:
        return
    others = [one.place for one in known if one.id in now.names and one is not before]
    if table.link is None and known and is_new(table, known, noted):
        yield (
            f"The people behind {table.name} have an account of their own. If they are those behind "
            f"{', '.join(one.place for one in known)}, what is spent on them there does not count here: then "
            "drop this key and declare a link instead."
        )
    if table.link is None and before is None and others:
        yield (
            f"The people behind {table.name} are taken for those behind {', '.join(others)}: what was spent "
            "on them counts."
        )
    if table.link is not None and before is not None and before.id != now.id:
        yield (
            f"What was spent on the people behind {table.name} before counts for those behind "
            f"{table.link.table}, whose they are now."
        )


def _of_types(table: Table) -> Iterator[str]:
    """Which values are public because a type lists them."""
    for column in (*table.columns, *(part for part in table.parts if part.is_field)):
        if parse_type(column.type).kind == "enum" and isinstance(column.domain, ValuesDomain):
            yield (
                f"Column {table.name}.{column.name} is an ENUM: its values ({column.domain.size}) are "
                "public, as all of the schema is. If they were taken from private rows: ALTER TABLE "
                f"{written(table.name)} ALTER COLUMN {written(column.name)} TYPE VARCHAR."
            )
