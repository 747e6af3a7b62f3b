"""The stored policies: one table in the database, with one row for each fact that the owner declared.

Version 2 added links, contributions, budgets, references, the fingerprint of public tables and the salt; and
later the units behind each table, which outlive its key and the table itself.
A file of version 1 can be read; the first statement that writes to it makes it version 2.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction
from typing import Any

import duckdb

from dpduck.kernel.catalog import statements
from dpduck.kernel.catalog.csv_format import CsvFormat, SetCsv
from dpduck.kernel.catalog.model import Table, fold
from dpduck.kernel.catalog.types import Scalar
from dpduck.kernel.errors import DpduckError, PolicyError, decimal_text
from dpduck.kernel.ledger.chain import digest
from dpduck.policies.privacy_keys import fingerprint
from dpduck.policies.schema import SCHEMA, STORE
from dpduck.policies.unit_accounts import UnitAccount
from dpduck.policies.wording import sql_of

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

_REMOVES = (
    statements.DropPrivacyKey,
    statements.DropPrivacyLink,
    statements.DropPrivacyDomain,
    statements.DropContribution,
    statements.DropBudget,
    statements.DropPrivacy,
)
WHOSE = ("privacy_key", "privacy_link", "public")  # a table has at most one of these
_OF_TABLES = (*WHOSE, "domain", "contribution", "version", "csv")
_SALT, _UNIT_ACCOUNT = "salt", "people"
_UNSAID = (_SALT, _UNIT_ACCOUNT)  # consequences of statements, which no statement declares by itself


@dataclass(frozen=True)
class Fact:
    """A row of the store: a declaration about a table, column or database. `details`: JSON or text."""

    schema: str
    table: str
    column: str
    kind: str
    details: str = ""

    def is_of(self, other: Fact) -> bool:
        """Whether both are about the same subject; names compare as in DuckDB."""
        mine, others = ((fold(f.schema), fold(f.table), fold(f.column)) for f in (self, other))
        if self.kind in WHOSE and other.kind in WHOSE:
            return mine[:2] == others[:2]
        return self.kind == other.kind and mine == others

    def is_said_of(self, table: Table) -> bool:
        """Whether it is about a table or one of its columns."""
        name = (fold(table.schema), fold(table.name))
        return self.kind in _OF_TABLES and (fold(self.schema), fold(self.table)) == name

    @property
    def about(self) -> str:
        """Its name: a text that no other fact of the store has."""
        return json.dumps([self.kind, self.schema, self.table, self.column])

    @classmethod
    def named(cls, about: str) -> Fact | None:
        """The fact of that name, without its details; None for a name that is recorded but never stored.

        >>> Fact.named('["public", "main", "pages", ""]')
        Fact(schema='main', table='pages', column='', kind='public', details='')
        >>> Fact.named("analyst ana")
        """
        try:
            kind, schema, table, column = json.loads(about)
        except (ValueError, TypeError):
            return None
        return cls(schema, table, column, kind)

    @property
    def sql(self) -> str:
        """The statement that declares it, or its kind if none does. Errors: PolicyError."""
        return self.kind if self.kind in _UNSAID else sql_of(_statement(self))


class UnreadablePolicyError(PolicyError):
    """A stored policy that cannot be read. `facts`: the stored facts, as far as they are known."""

    facts: Sequence[Fact] = ()


@dataclass(frozen=True)
class Stored:
    """The contents of the store. `salt`: 0 if it was written before there was one."""

    facts: tuple[Fact, ...] = ()

    @property
    def statements(self) -> tuple[statements.PolicyStatement, ...]:
        """The statements that declare the facts, in no particular order. Errors: UnreadablePolicyError."""
        try:
            return tuple(_statement(fact) for fact in self.facts if fact.kind not in _UNSAID)
        except UnreadablePolicyError as error:
            error.facts = self.facts
            raise

    @property
    def salt(self) -> int:
        """The public constant of the database; 0 if it was written before there was one."""
        try:
            return max((int(fact.details) for fact in self.facts if fact.kind == _SALT), default=0)
        except ValueError:
            pass
        raise self._unreadable(_SALT)

    @property
    def unit_accounts(self) -> tuple[UnitAccount, ...]:
        """The units behind each table that ever was private. Errors: UnreadablePolicyError."""
        with suppress(ValueError, KeyError, TypeError, AttributeError):
            return tuple(_unit_account(fact) for fact in self.facts if fact.kind == _UNIT_ACCOUNT)
        raise self._unreadable(_UNIT_ACCOUNT)

    @property
    def database(self) -> str:
        """A name derived from the salt, unique to the database; '' if it has none."""
        salts = [fact.details for fact in self.facts if fact.kind == _SALT]
        return digest(f"database {max(salts)}") if salts else ""

    @property
    def digests(self) -> dict[str, str]:
        """The facts as the ledger records them: the name of each, and a digest of its value."""
        return digests_of(self.facts)

    def _unreadable(self, what: str) -> UnreadablePolicyError:
        error = _unreadable(what)
        error.facts = self.facts
        return error


def digests_of(facts: Iterable[Fact]) -> dict[str, str]:
    """The name of each fact and a digest of its value, or of all values if an edit made several."""
    said: dict[str, list[str]] = {}
    for fact in facts:
        said.setdefault(fact.about, []).append(fact.details)
    return {about: digest("\0".join(sorted(details))) for about, details in said.items()}


def read_store(connection: duckdb.DuckDBPyConnection) -> Stored:
    """Read the store, which must exist.

    Errors: PolicyError if it was written by a later version; UnreadablePolicyError.
    """
    rows = None
    with suppress(duckdb.Error):
        rows = connection.execute(_READ).fetchall()
    if rows is None:
        raise _unreadable("table")
    if any(row[0] not in _READABLE for row in rows):
        raise PolicyError(
            "the policies in this file were written by a later version of dpduck",
            hint="Upgrade dpduck to open it.",
        )
    return Stored(tuple(Fact(*row[1:]) for row in rows))


def with_statement(stored: Stored, statement: statements.PolicyStatement, table: Table | None) -> Stored:
    """The contents of the store after a checked statement. Nothing is written.

    Input: the table that the statement is about.
    """
    facts = list(stored.facts)
    if not any(fact.kind == _SALT for fact in facts):
        facts.append(Fact("", "", "", _SALT, str(secrets.randbits(_SALT_BITS))))
    if isinstance(statement, statements.DropPrivacy):
        assert table is not None
        return Stored(tuple(fact for fact in facts if not fact.is_said_of(table)))
    new = _fact(statement, table)
    kept = [fact for fact in facts if not fact.is_of(new)]
    return Stored((*kept, *(() if isinstance(statement, _REMOVES) else (new,))))


def notes_of(unit_accounts: Iterable[UnitAccount]) -> dict[str, str]:
    """The units behind the tables as notes of the ledger: name and value of each fact."""
    return {fact.about: fact.details for fact in map(_fact_of_account, unit_accounts)}


def with_unit_accounts(stored: Stored, unit_accounts: Iterable[UnitAccount]) -> Stored:
    """The contents of the store with these units noted."""
    kept = (fact for fact in stored.facts if fact.kind != _UNIT_ACCOUNT)
    return Stored((*kept, *map(_fact_of_account, unit_accounts)))


def write_store(connection: duckdb.DuckDBPyConnection, before: Stored, after: Stored) -> None:
    """Write new facts and delete removed ones, in one transaction.

    Errors: PolicyError if the store was changed in the meantime.
    """
    old, new = set(before.facts), set(after.facts)
    connection.execute("BEGIN")
    try:
        connection.execute(_CREATE)
        _check_same(read_store(connection), before)
        for fact in before.facts:
            if fact not in new:
                names = {"schema": fact.schema, "table": fact.table, "column": fact.column, "kind": fact.kind}
                connection.execute(_DELETE, names)
        for fact in after.facts:
            if fact not in old:
                connection.execute(_INSERT, vars(fact))
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def _check_same(now: Stored, before: Stored) -> None:
    if now.digests != before.digests:
        raise PolicyError("the policies were changed meanwhile", hint="Look at them, then try again.")


# --- statements as facts -------------------------------------------------------------------------


def _fact(statement: statements.PolicyStatement, table: Table | None) -> Fact:
    """The fact that a statement declares; or, if it removes one, that fact without its details."""
    if isinstance(statement, (statements.CreateBudget, statements.DropBudget)):
        return Fact("", "", statement.name, "budget", _budget_text(statement))
    assert isinstance(statement, statements.TableStatement) and table is not None
    name = (table.schema, table.name)
    match statement:
        case statements.SetPrivacyDomain(column=column, domain=domain, or_null=or_null):
            details = {**_domain_details(domain), **({"or_null": True} if or_null else {})}
            return Fact(*name, table.column(column).name, "domain", json.dumps(details))
        case statements.DropPrivacyDomain(column=column):
            return Fact(*name, table.column(column).name, "domain")
        case statements.SetContribution(groups=groups, rows=rows):
            return Fact(*name, "", "contribution", json.dumps({"groups": groups, "rows": rows}))
        case statements.DropContribution():
            return Fact(*name, "", "contribution")
        case SetCsv(format=form):
            return Fact(*name, "", "csv", json.dumps(form.details()))
        case statements.SetVersion(version=version):
            return Fact(*name, "", "version", version)
    return _fact_of_whose(statement, table)


def _fact_of_whose(statement: statements.TableStatement, table: Table) -> Fact:
    name = (table.schema, table.name)
    if isinstance(statement, statements.AddPrivacyKey):
        return Fact(*name, table.column(statement.column).name, "privacy_key")
    if isinstance(statement, statements.AddPrivacyLink):
        return Fact(*name, table.column(statement.column).name, "privacy_link", _link_text(table))
    return Fact(
        *name, "", "public", fingerprint(table) if isinstance(statement, statements.SetPublic) else ""
    )


def _link_text(table: Table) -> str:
    link = table.link
    assert link is not None
    return json.dumps({"schema": link.schema, "table": link.table, "column": link.target})


def _fact_of_account(account: UnitAccount) -> Fact:
    details = {"names": account.names, "columns": account.columns}
    return Fact(account.schema, account.table, "", _UNIT_ACCOUNT, json.dumps(details))


def _budget_text(statement: statements.CreateBudget | statements.DropBudget) -> str:
    if isinstance(statement, statements.DropBudget):
        return ""
    details = {
        "epsilon": decimal_text(statement.epsilon),
        "delta": None if statement.delta is None else decimal_text(statement.delta),
        "per_query": None if statement.per_query is None else decimal_text(statement.per_query),
        "window": statement.window,
        "analysts": list(statement.analysts),
        "accounting": statement.accounting,
    }
    if statement.keys_delta is not None:  # else the text, and so its digest, is that of older stores
        details["keys_delta"] = decimal_text(statement.keys_delta)
    return json.dumps(details)


def _domain_details(domain: statements.DomainText) -> dict[str, object]:
    match domain:
        case statements.DomainValues(values=values):
            return {"in": [_text(value) for value in values]}
        case statements.DomainRange(low=low, high=high, step=step):
            return {"between": [_text(low), _text(high)], "step": _text(step)}
    source = {"schema": domain.table.schema, "table": domain.table.name, "column": domain.column}
    return {"references": source}


def _text(value: Scalar) -> str | None:
    """A literal as a string that converts to the same value of any type."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, (date, datetime)):
        return value.isoformat(" ") if isinstance(value, datetime) else value.isoformat()
    return str(value).lower() if isinstance(value, bool) else str(value)


# --- facts as statements -------------------------------------------------------------------------


def _statement(fact: Fact) -> statements.PolicyStatement:
    """Convert a fact to the statement that declares it. Errors: UnreadablePolicyError."""
    reader = _READERS.get(fact.kind)
    if reader is None:
        raise _unreadable(f"policy of table {fact.table}")
    try:
        return reader(statements.TableName(fact.table, fact.schema), fact)
    except (ValueError, KeyError, TypeError, ArithmeticError, DpduckError):
        pass
    raise _unreadable(f"{fact.kind.replace('_', ' ')} of {fact.table or fact.column}")


def _unreadable(what: str) -> UnreadablePolicyError:
    return UnreadablePolicyError(
        f"the stored {what} is not readable",
        detail="What cannot be read could be anything, so nothing is answered.",
        hint=f"Upgrade dpduck, or mend {SCHEMA}.{STORE} on a plain DuckDB connection, or restore the file.",
    )


def _link(table: statements.TableName, fact: Fact) -> statements.PolicyStatement:
    details = json.loads(fact.details)
    target = statements.TableName(details["table"], details["schema"])
    return statements.AddPrivacyLink(table, fact.column, target, details["column"])


def _unit_account(fact: Fact) -> UnitAccount:
    details = json.loads(fact.details)
    columns = tuple((name, kind) for name, kind in details["columns"])
    names = tuple(map(fold, details["names"]))
    if not names:
        raise ValueError("nobody is charged")
    return UnitAccount(fact.schema, fact.table, columns, names)


def _contribution(table: statements.TableName, fact: Fact) -> statements.PolicyStatement:
    details = json.loads(fact.details)
    return statements.SetContribution(table, details["groups"], details["rows"])


def _budget(_: statements.TableName, fact: Fact) -> statements.PolicyStatement:
    details = json.loads(fact.details)
    return statements.CreateBudget(
        fact.column,
        Fraction(details["epsilon"]),
        None if details["delta"] is None else Fraction(details["delta"]),
        None if details["per_query"] is None else Fraction(details["per_query"]),
        details["window"],
        tuple(details["analysts"]),
        accounting=details.get("accounting", "pure"),  # the only one in older stores
        keys_delta=Fraction(details["keys_delta"]) if "keys_delta" in details else None,
    )


def _set_domain(
    table: statements.TableName, column: str, details: Mapping[str, Any]
) -> statements.SetPrivacyDomain:
    return statements.SetPrivacyDomain(
        table, column, _domain(details), or_null=bool(details.get("or_null", False))
    )


def _domain(details: Mapping[str, Any]) -> statements.DomainText:
    if "in" in details:
        return statements.DomainValues(tuple(details["in"]))
    if "between" in details:
        return statements.DomainRange(details["between"][0], details["between"][1], details["step"])
    source = details["references"]
    return statements.DomainReference(
        statements.TableName(source["table"], source["schema"]), source["column"]
    )


_READERS: dict[str, Callable[[statements.TableName, Fact], statements.PolicyStatement]] = {
    "privacy_key": lambda table, fact: statements.AddPrivacyKey(table, fact.column),
    "privacy_link": _link,
    "public": lambda table, fact: statements.SetPublic(table, fact.details or None),
    "contribution": _contribution,
    "csv": lambda table, fact: SetCsv(table, CsvFormat.of_details(json.loads(fact.details))),
    "version": lambda table, fact: statements.SetVersion(table, fact.details),
    "domain": lambda table, fact: _set_domain(table, fact.column, json.loads(fact.details)),
    "budget": _budget,
}
