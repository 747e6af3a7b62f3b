"""The stored policies: one table in the database, one row for each fact that the owner declared.

Version 2 added links, contributions, budgets, references, the fingerprint of public tables and the salt.
A file of version 1 is read as it is; the first statement that writes to it makes it version 2.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction
from typing import Any

import duckdb

from dpduck.catalog import Table, fold
from dpduck.errors import PolicyError, decimal_text
from dpduck.policies.keys import fingerprint
from dpduck.policies.schema import SCHEMA, STORE
from dpduck.sqltypes import Scalar
from dpduck.statements import (
    AddPrivacyKey,
    AddPrivacyLink,
    CreateBudget,
    DomainRange,
    DomainReference,
    DomainText,
    DomainValues,
    DropBudget,
    DropContribution,
    DropPrivacyDomain,
    DropPrivacyKey,
    DropPrivacyLink,
    PolicyStatement,
    SetContribution,
    SetPrivacyDomain,
    SetPublic,
    SetVersion,
    TableName,
    TableStatement,
)

VERSION = 2
_READABLE = (1, VERSION)
_SALT_BITS = 63

_CREATE = f"""
CREATE SCHEMA IF NOT EXISTS {SCHEMA};
CREATE TABLE IF NOT EXISTS {SCHEMA}.{STORE} (
    version INTEGER NOT NULL, schema_name VARCHAR NOT NULL, table_name VARCHAR NOT NULL,
    column_name VARCHAR NOT NULL, kind VARCHAR NOT NULL, details VARCHAR NOT NULL)
"""
_READ = f"""
SELECT version, schema_name, table_name, column_name, kind, details FROM {SCHEMA}.{STORE}
ORDER BY kind DESC, schema_name, table_name, column_name
"""
_INSERT = f"INSERT INTO {SCHEMA}.{STORE} VALUES ({VERSION}, $schema, $table, $column, $kind, $details)"
_DELETE = f"""
DELETE FROM {SCHEMA}.{STORE}
WHERE schema_name = $schema AND table_name = $table AND column_name = $column AND kind = $kind
"""

_REMOVES = (DropPrivacyKey, DropPrivacyLink, DropPrivacyDomain, DropContribution, DropBudget)
_WHOSE = ("privacy_key", "privacy_link", "public")  # of which a table has one


@dataclass(frozen=True)
class _Fact:
    """A row of the store: what is declared of a table, a column or the database. `details`: JSON or text."""

    schema: str
    table: str
    column: str
    kind: str
    details: str = ""

    def is_of(self, other: _Fact) -> bool:
        """Whether both are about the same thing; names compare as in DuckDB."""
        mine, others = ((fold(f.schema), fold(f.table), fold(f.column)) for f in (self, other))
        if self.kind in _WHOSE and other.kind in _WHOSE:
            return mine[:2] == others[:2]
        return self.kind == other.kind and mine == others


@dataclass(frozen=True)
class Stored:
    """What the store holds. `salt`: 0 if it was written before there was one."""

    statements: tuple[PolicyStatement, ...] = ()
    salt: int = 0


def read_store(connection: duckdb.DuckDBPyConnection) -> Stored:
    """The statements that are stored, in no useful order. The store must exist.

    Errors: PolicyError if it was written by a later version.
    """
    rows = connection.execute(_READ).fetchall()
    if any(row[0] not in _READABLE for row in rows):
        raise PolicyError(
            "the policies in this file were written by a later version of dpduck",
            hint="Upgrade dpduck to open it.",
        )
    facts = [_Fact(*row[1:]) for row in rows]
    salts = [int(fact.details) for fact in facts if fact.kind == "salt"]
    return Stored(tuple(_statement(fact) for fact in facts if fact.kind != "salt"), max(salts, default=0))


def write_store(
    connection: duckdb.DuckDBPyConnection, statement: PolicyStatement, table: Table | None
) -> None:
    """Write down a statement that was checked, in one transaction. Input: the table that it is about."""
    connection.execute("BEGIN")
    try:
        connection.execute(_CREATE)
        _write(connection, statement, table)
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def _write(connection: duckdb.DuckDBPyConnection, statement: PolicyStatement, table: Table | None) -> None:
    known = [_Fact(*row[1:]) for row in connection.execute(_READ).fetchall()]
    if not any(fact.kind == "salt" for fact in known):
        _insert(connection, _Fact("", "", "", "salt", str(secrets.randbits(_SALT_BITS))))
    new = _fact(statement, table)
    for fact in known:
        if fact.is_of(new):
            names = {"schema": fact.schema, "table": fact.table, "column": fact.column, "kind": fact.kind}
            connection.execute(_DELETE, names)
    if not isinstance(statement, _REMOVES):
        _insert(connection, new)


def _insert(connection: duckdb.DuckDBPyConnection, fact: _Fact) -> None:
    connection.execute(_INSERT, vars(fact))


# --- statements as facts -------------------------------------------------------------------------


def _fact(statement: PolicyStatement, table: Table | None) -> _Fact:
    """What a statement declares, or, where it removes a fact, that fact without its details."""
    if isinstance(statement, (CreateBudget, DropBudget)):
        return _Fact("", "", statement.name, "budget", _budget_text(statement))
    assert isinstance(statement, TableStatement) and table is not None
    name = (table.schema, table.name)
    match statement:
        case SetPrivacyDomain(column=column, domain=domain):
            return _Fact(*name, table.column(column).name, "domain", _domain_text(domain))
        case DropPrivacyDomain(column=column):
            return _Fact(*name, table.column(column).name, "domain")
        case SetContribution(groups=groups, rows=rows):
            return _Fact(*name, "", "contribution", json.dumps({"groups": groups, "rows": rows}))
        case DropContribution():
            return _Fact(*name, "", "contribution")
        case SetVersion(version=version):
            return _Fact(*name, "", "version", version)
    return _fact_of_whose(statement, table)


def _fact_of_whose(statement: TableStatement, table: Table) -> _Fact:
    name = (table.schema, table.name)
    if isinstance(statement, AddPrivacyKey):
        return _Fact(*name, table.column(statement.column).name, "privacy_key")
    if isinstance(statement, AddPrivacyLink):
        return _Fact(*name, table.column(statement.column).name, "privacy_link", _link_text(statement, table))
    return _Fact(*name, "", "public", fingerprint(table) if isinstance(statement, SetPublic) else "")


def _link_text(statement: AddPrivacyLink, table: Table) -> str:
    link = table.link
    assert link is not None
    target = {"schema": link.schema, "table": link.table, "column": link.target}
    return json.dumps({**target, "seen_unique": statement.seen_unique})


def _budget_text(statement: CreateBudget | DropBudget) -> str:
    if isinstance(statement, DropBudget):
        return ""
    return json.dumps(
        {
            "epsilon": decimal_text(statement.epsilon),
            "delta": None if statement.delta is None else decimal_text(statement.delta),
            "per_query": None if statement.per_query is None else decimal_text(statement.per_query),
            "window": statement.window,
            "analysts": list(statement.analysts),
            "accounting": statement.accounting,
        }
    )


def _domain_text(domain: DomainText) -> str:
    match domain:
        case DomainValues(values=values):
            return json.dumps({"in": [_text(value) for value in values]})
        case DomainRange(low=low, high=high, step=step):
            return json.dumps({"between": [_text(low), _text(high)], "step": _text(step)})
    source = {"schema": domain.table.schema, "table": domain.table.name, "column": domain.column}
    return json.dumps({"references": source})


def _text(value: Scalar) -> str | None:
    """A literal as a string that converts to the same value of any type."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, (date, datetime)):
        return value.isoformat(" ") if isinstance(value, datetime) else value.isoformat()
    return str(value).lower() if isinstance(value, bool) else str(value)


# --- facts as statements -------------------------------------------------------------------------


def _statement(fact: _Fact) -> PolicyStatement:
    reader = _READERS.get(fact.kind)
    if reader is None:
        raise PolicyError(
            f"the stored policy of table {fact.table} is not readable", hint="Upgrade dpduck to open it."
        )
    return reader(TableName(fact.table, fact.schema), fact)


def _link(table: TableName, fact: _Fact) -> PolicyStatement:
    details = json.loads(fact.details)
    target = TableName(details["table"], details["schema"])
    return AddPrivacyLink(table, fact.column, target, details["column"], details["seen_unique"])


def _contribution(table: TableName, fact: _Fact) -> PolicyStatement:
    details = json.loads(fact.details)
    return SetContribution(table, details["groups"], details["rows"])


def _budget(_: TableName, fact: _Fact) -> PolicyStatement:
    details = json.loads(fact.details)
    return CreateBudget(
        fact.column,
        Fraction(details["epsilon"]),
        None if details["delta"] is None else Fraction(details["delta"]),
        None if details["per_query"] is None else Fraction(details["per_query"]),
        details["window"],
        tuple(details["analysts"]),
        accounting=details.get("accounting", "pure"),  # which budgets were all, before there was another
    )


def _domain(details: Mapping[str, Any]) -> DomainText:
    if "in" in details:
        return DomainValues(tuple(details["in"]))
    if "between" in details:
        return DomainRange(details["between"][0], details["between"][1], details["step"])
    source = details["references"]
    return DomainReference(TableName(source["table"], source["schema"]), source["column"])


_READERS: dict[str, Callable[[TableName, _Fact], PolicyStatement]] = {
    "privacy_key": lambda table, fact: AddPrivacyKey(table, fact.column),
    "privacy_link": _link,
    "public": lambda table, fact: SetPublic(table, fact.details or None),
    "contribution": _contribution,
    "version": lambda table, fact: SetVersion(table, fact.details),
    "domain": lambda table, fact: SetPrivacyDomain(table, fact.column, _domain(json.loads(fact.details))),
    "budget": _budget,
}
