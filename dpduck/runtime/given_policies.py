"""The policies of files for one connection: those of the script beside them, and those that are given."""

from __future__ import annotations

from dpduck.catalog.statements import PolicyStatement
from dpduck.engines.duckdb.path import DataPath
from dpduck.policies.beside import read_beside, with_given


def policies_of_files(path: DataPath, given: tuple[PolicyStatement, ...]) -> tuple[PolicyStatement, ...]:
    """The policies that hold. Errors: PolicyError, SqlSyntaxError for a script that does not fit."""
    return with_given(read_beside(path), given)
