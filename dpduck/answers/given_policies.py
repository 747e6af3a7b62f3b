"""The policies of files for one connection: those of the script beside them, and those that are given."""

from __future__ import annotations

from dpduck.engines.duckdb.path import DataPath
from dpduck.kernel.catalog.csv_format import CsvWords
from dpduck.kernel.catalog.statements import PolicyStatement
from dpduck.policies.beside import read_beside, with_given
from dpduck.policies.csv_record import with_csv_format


def policies_of_files(
    path: DataPath,
    given: tuple[PolicyStatement, ...],
    words: CsvWords | None = None,
    *,
    by_owner: bool = True,
    records: bool = True,
) -> tuple[PolicyStatement, ...]:
    """The policies that hold, with how the files are read if they are CSV.

    Input: what is said of how they are read; whether their owner asks, for whom that is proposed if nothing
        is on record; whether it is then recorded beside them.
    Errors: PolicyError, SqlSyntaxError for a script that does not fit; ParameterError for words that do not.
    """
    said = with_given(read_beside(path), given)
    if path.is_database:
        return said
    path.check()
    return with_csv_format(said, path, words or CsvWords(), records=records and by_owner, proposes=by_owner)
