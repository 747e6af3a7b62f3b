"""The policy script beside data that store no policies: `visits.policy.sql` beside `visits.parquet`.

It stands beside the file itself, whatever link leads to it, as its ledger does. A script is what the owner of
the folder says; options and arguments are said after it, and add to it, but name no other privacy unit.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from dpduck.engines.duckdb.path import DataPath
from dpduck.kernel.catalog.model import fold
from dpduck.kernel.catalog.statements import (
    AddPrivacyKey,
    PolicyStatement,
    SetContribution,
    TableStatement,
)
from dpduck.kernel.errors import PolicyError
from dpduck.policies.scripts import read_script_file

SUFFIX = ".policy.sql"


def script_beside(path: DataPath) -> Path | None:
    """Where the policy script of data is, if there is one; None for an address."""
    return None if path.stem is None else Path(f"{path.stem}{SUFFIX}")


def read_beside(path: DataPath) -> tuple[PolicyStatement, ...]:
    """The policies in the script beside files; none if there is no script, or a database has its own.

    Errors: PolicyError, SqlSyntaxError if it cannot be read, or is about another table.
    """
    place = None if path.is_database else script_beside(path)
    if place is None or not place.is_file():
        return ()
    return of_one_table(read_script_file(place), path)


def of_one_table(said: Iterable[PolicyStatement], path: DataPath) -> tuple[PolicyStatement, ...]:
    """Statements about the one table of files, by the name that it has here. Errors: PolicyError."""
    table, own = path.table, {fold(path.table), fold(path.account_name)}
    found = []
    for one in said:
        if isinstance(one, TableStatement):
            if fold(one.table.name) not in own or fold(one.table.schema or "main") not in ("main", "public"):
                raise PolicyError(
                    f"table {one.table} does not exist",
                    detail=f"The one table of {path} is {table}. This is {one.stands_in}.",
                    hint=f"Write {table} in its place, or name the script after its own data.",
                )
            one = replace(one, table=replace(one.table, name=table, schema=None))
        found.append(one)
    return tuple(found)


def with_given(
    beside: tuple[PolicyStatement, ...], given: tuple[PolicyStatement, ...]
) -> tuple[PolicyStatement, ...]:
    """The policies of a script, and then those of options or arguments. Errors: PolicyError."""
    units = [one for one in beside if isinstance(one, AddPrivacyKey)]
    for one in given:
        if isinstance(one, AddPrivacyKey) and units and fold(units[0].column) != fold(one.column):
            raise PolicyError(
                f"{one.column} is not the privacy unit of {one.table}",
                detail=f"It is {units[0].column}: {units[0].stands_in}.",
                hint="Leave the unit out, or change the script.",
            )
    bounds = next((one for one in reversed(beside) if isinstance(one, SetContribution)), None)
    return (*beside, *(_completed(one, bounds) for one in given))


def _completed(said: PolicyStatement, bounds: SetContribution | None) -> PolicyStatement:
    """A bound on contributions, with the other one of the script if it says nothing of that."""
    if bounds is None or not isinstance(said, SetContribution):
        return said
    return replace(said, groups=said.groups or bounds.groups, rows=said.rows or bounds.rows)
