"""Warnings for statements that declare whose rows a table holds, and which values its columns have. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from dpduck.kernel.catalog.model import Table, ValuesDomain, written
from dpduck.kernel.catalog.statements import (
    AddPrivacyKey,
    AddPrivacyLink,
    DomainRange,
    PolicyStatement,
    SetPrivacyDomain,
)
from dpduck.kernel.catalog.types import parse_type
from dpduck.policies.unit_accounts import UnitAccount, account_of_table, is_new
from dpduck.policies.wording import sql_of

_DAY = re.compile(r"\s*(\d+-\d+-\d+)\s*", re.ASCII)


def remarks(
    statement: PolicyStatement,
    table: Table | None,
    known: Sequence[UnitAccount],
    noted: Sequence[UnitAccount],
) -> tuple[str, ...]:
    """Input: the table after the statement; the units known before, and after it."""
    if table is not None and isinstance(statement, SetPrivacyDomain):
        return tuple(_of_last_day(statement, table))
    if table is None or not isinstance(statement, (AddPrivacyKey, AddPrivacyLink)):
        return ()
    return (*_of_accounts(table, known, noted), *_of_types(table), *_of_nulls(table))


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


def _of_last_day(statement: SetPrivacyDomain, table: Table) -> Iterator[str]:
    """That a day is its midnight, where a range of timestamps ends with one."""
    column, domain = table.column(statement.column), statement.domain
    if parse_type(column.type).kind != "timestamp" or not isinstance(domain, DomainRange):
        return
    day = _DAY.fullmatch(str(domain.high))
    if day is not None:
        whole = replace(statement, domain=replace(domain, high=f"{day[1]} 23:59:59"))
        yield (
            f"The domain of {table.name}.{column.name} ends when {day[1]} begins, at midnight: later times "
            f"of that day are beyond it. With all of that day: {sql_of(whole)}."
        )


def _of_nulls(table: Table) -> Iterator[str]:
    """Which rows belong to nobody, if the schema allows such rows. Whether there are some is private."""
    column = table.unit if table.link is None else table.link.column
    if column is None or table.column(column).name in table.required:
        return
    said = f"Rows of {table.name} whose {column} is NULL are not counted, as nobody is behind them."
    if table.scan is None and table.definition is None:
        change = f"ALTER TABLE {written(table.name)} ALTER COLUMN {written(column)} SET NOT NULL"
        said += f" If there are none, {change} in DuckDB itself ends the notice that answers have of this."
    yield said


def _of_types(table: Table) -> Iterator[str]:
    """Which values are public because a type lists them."""
    for column in (*table.columns, *(part for part in table.parts if part.is_field)):
        if parse_type(column.type).kind == "enum" and isinstance(column.domain, ValuesDomain):
            yield (
                f"Column {table.name}.{column.name} is an ENUM: its values ({column.domain.size}) are "
                "public, as all of the schema is. If they were taken from private rows: ALTER TABLE "
                f"{written(table.name)} ALTER COLUMN {written(column.name)} TYPE VARCHAR."
            )
