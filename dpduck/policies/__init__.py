"""Policies of the data owner: checked against the schema, stored in the database file, and loaded.

A policy is a list of statements. `apply` is a pure function of a catalog and a statement, used for policies
stored in the file and for those given on a command line; storing writes statements down, and loading applies
them again. A statement that no longer fits the schema closes its table.
`privacy_keys` says whose rows a table holds, `unit_accounts` identifies its privacy units, `record` compares
both with the ledger, `domains` computes public values, `apply` does all else; `schema` reads DuckDB's schema
and the contents of public tables; `store` is the table of facts, `wording` writes a statement as SQL, and
`remarks` warns the owner of consequences.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import duckdb

from dpduck.kernel.catalog.model import Catalog, Misfit, fold
from dpduck.kernel.catalog.statements import (
    AddPrivacyKey,
    AddPrivacyLink,
    AlterBudget,
    CreateBudget,
    DomainReference,
    PolicyStatement,
    SetPrivacyDomain,
    SetPublic,
    TableName,
    TableStatement,
)
from dpduck.kernel.errors import DpduckError
from dpduck.policies.accounts import with_keys_delta
from dpduck.policies.apply import altered, apply, subject_of_domain
from dpduck.policies.privacy_keys import subject
from dpduck.policies.record import Record, on_record, record_of, recorded, with_record
from dpduck.policies.remarks import remarks
from dpduck.policies.schema import Ask, ReferenceCheck, asking, is_file, read_domains, read_schema
from dpduck.policies.store import (
    Fact,
    Stored,
    UnreadablePolicyError,
    digests_of,
    read_store,
    with_statement,
    write_store,
)
from dpduck.policies.unit_accounts import noted, with_names
from dpduck.policies.wording import sql_of

__all__ = [
    "Fact",
    "Prepared",
    "Record",
    "UnreadablePolicyError",
    "apply",
    "digests_of",
    "execute",
    "load_catalog",
    "on_record",
    "prepare",
    "record_found",
    "sql_of",
    "store",
    "stored_facts",
]


@dataclass(frozen=True)
class Prepared:
    """A checked statement: what is stored before and after it, and the catalog before and after (`then`).

    `known`, `record`: the record of the ledger before and after; `remarks`: what the owner should know.
    """

    statement: PolicyStatement
    before: Stored
    after: Stored
    catalog: Catalog
    then: Catalog
    known: Record
    record: Record
    remarks: tuple[str, ...] = ()


LeftOut = Sequence[tuple[str, str]]


def load_catalog(
    connection: duckdb.DuckDBPyConnection,
    extra: Iterable[PolicyStatement] = (),
    rows: Ask | None = None,
    left_out: LeftOut = (),
    *,
    values: bool = True,
) -> Catalog:
    """All tables and views of the connection's database, with the stored policies applied.

    `extra`: statements to apply on top, without storing them; `rows`: runs SQL where the rows are (default:
    the connection); `left_out`: columns of files that are not read, and why; `values`: whether the domains
    that REFERENCES public columns are read, which may be large.
    Errors: PolicyError if the stored policies were written by a later version, or are unreadable, or if an
    extra statement is wrong.
    """
    catalog = _load(connection, extra, left_out)[1]
    return read_domains(rows or asking(connection), catalog) if values else catalog


def _load(
    connection: duckdb.DuckDBPyConnection,
    extra: Iterable[PolicyStatement] = (),
    left_out: LeftOut = (),
) -> tuple[Stored, Catalog]:
    """What is stored, and the catalog without the values of domains that REFERENCES public columns."""
    schema = read_schema(connection)
    stored = read_store(connection) if schema.has_store else Stored()
    views = tuple(replace(view, left_out=tuple(left_out)) for view in schema.catalog.views)
    catalog = replace(
        schema.catalog,
        views=views,
        salt=stored.salt,
        database=stored.database,
        facts=tuple(stored.digests.items()),
    )
    catalog = _apply_what_fits(catalog, stored.statements)
    for statement in extra:
        try:
            catalog = apply(catalog, statement)
        except DpduckError as error:
            _say_where(error, statement)
            raise
    return stored, with_names(catalog, stored.unit_accounts)


def stored_facts(connection: duckdb.DuckDBPyConnection) -> tuple[Fact, ...]:
    """The stored facts, in no particular order. Errors: PolicyError."""
    return read_store(connection).facts if read_schema(connection).has_store else ()


def record_found(connection: duckdb.DuckDBPyConnection) -> Record:
    """The initial record: whose rows the tables hold according to the file alone. Errors: PolicyError."""
    stored, catalog = _load(connection)
    unit_accounts = noted(stored.unit_accounts, catalog, catalog.tables, stored.statements, lasting=False)
    return record_of(stored, unit_accounts)


def prepare(
    connection: duckdb.DuckDBPyConnection,
    statements: Sequence[PolicyStatement],
    rows: Ask | None = None,
    known: Record | None = None,
) -> list[Prepared]:
    """Check statements against the schema, each after those before it. Nothing is written.

    Input: `rows`: as in `load_catalog`; `known`: the record of the ledger; without it, the stored policies
        are trusted.
    Errors: UnknownNameError, PolicyError.
    """
    stored, catalog = _load(connection)
    check, lasting, made = ReferenceCheck(rows or asking(connection)), is_file(connection), list[Prepared]()
    for number, statement in enumerate(statements, 1):
        try:
            made.append(_prepared(stored, catalog, statement, check, known, lasting=lasting))
        except DpduckError as error:
            _say_where(error, statement)
            if not statement.stands_in:
                _say_which(error, number, len(statements))
            raise
        stored = made[-1].after
        catalog = replace(
            made[-1].then,
            salt=stored.salt,
            database=stored.database,
            facts=tuple(stored.digests.items()),
        )
        known = None if known is None else made[-1].record
    return made


def _say_which(error: DpduckError, number: int, count: int) -> None:
    if count > 1:
        which = f"This is statement {number} of {count}, of which none takes effect."
        error.reason = f"{error.reason} {which}" if error.reason else which


def _say_where(error: DpduckError, statement: PolicyStatement) -> None:
    """Add where a statement stands that does not fit the data, if it was read from a script."""
    if statement.stands_in:
        where = f"This is {statement.stands_in}, of which none takes effect."
        error.reason = f"{error.reason} {where}" if error.reason else where


def _prepared(
    stored: Stored,
    before: Catalog,
    statement: PolicyStatement,
    check: ReferenceCheck,
    known: Record | None,
    *,
    lasting: bool,
) -> Prepared:
    if known is not None:
        before = on_record(before, known)
    if isinstance(statement, AlterBudget):
        statement = with_keys_delta(altered(before, statement), dict(statement.changes))
    elif isinstance(statement, CreateBudget):
        statement = with_keys_delta(statement, vars(statement))
    after = apply(before, statement)
    table = subject(after, statement.table) if isinstance(statement, TableStatement) else None
    if isinstance(statement, SetPrivacyDomain) and isinstance(statement.domain, DomainReference):
        assert table is not None
        check.run(after, table, subject_of_domain(table, statement.column))
    tables = after.tables if known is None else [table] if table is not None else []
    known = known or record_of(stored, stored.unit_accounts)
    unit_accounts = noted(known.unit_accounts, after, tables, stored.statements, lasting=lasting)
    record = recorded(known, statement, table, unit_accounts)
    then = with_record(with_statement(stored, statement, table), record)
    said = remarks(statement, table, known.unit_accounts, unit_accounts)
    return Prepared(statement, stored, then, before, with_names(after, unit_accounts), known, record, said)


def store(connection: duckdb.DuckDBPyConnection, prepared: Sequence[Prepared]) -> None:
    """Store prepared statements, in one transaction. Errors: PolicyError."""
    write_store(connection, prepared[0].before, prepared[-1].after)


def execute(
    connection: duckdb.DuckDBPyConnection,
    statement: PolicyStatement,
    rows: Ask | None = None,
) -> None:
    """Check a statement against the schema and store it, in one transaction.

    Input: `rows`: as in `load_catalog`.
    Errors: UnknownNameError, PolicyError, before anything is written.
    """
    store(connection, prepare(connection, [statement], rows))


def _apply_what_fits(catalog: Catalog, statements: Iterable[PolicyStatement]) -> Catalog:
    """The catalog after all stored statements that fit, in any order that works: a link fits only once its
    target is private. A statement whose table or column is gone is ignored: then the table is closed, or the
    column has no domain, which is the safe side.
    """
    waiting = list(statements)
    while True:
        left: list[PolicyStatement] = []
        misfits: dict[tuple[str, str], Misfit] = {}
        for statement in waiting:
            try:
                catalog = apply(catalog, statement)
            except DpduckError as error:
                left.append(statement)
                if isinstance(statement, (AddPrivacyKey, AddPrivacyLink, SetPublic)):
                    misfits[_place(statement.table)] = Misfit(error.message, error.advice or "")
        if len(left) == len(waiting):
            return _with_misfits(catalog, misfits)
        waiting = left


def _place(name: TableName) -> tuple[str, str]:
    return fold(name.schema or "main"), fold(name.name)


def _with_misfits(catalog: Catalog, misfits: Mapping[tuple[str, str], Misfit]) -> Catalog:
    """The catalog in which each closed table names the stored policy that no longer fits."""
    tables = (
        table
        if table.private or table.public
        else replace(table, misfit=misfits.get(_place(TableName(table.name, table.schema))))
        for table in catalog.tables
    )
    return replace(catalog, tables=tuple(tables))
