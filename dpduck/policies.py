"""Policies of the data owner: checked against the schema, stored in the database file, and loaded.

A policy is a list of statements. `apply` is a pure function of a catalog and a statement, used alike for
what is stored in the file and for what a command line brings along; storing only writes statements
down, and loading only applies them again. What no longer fits the schema closes the table.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction

import duckdb

from dpduck.catalog import (
    Bound,
    Catalog,
    Column,
    Domain,
    RangeDomain,
    Table,
    ValuesDomain,
    fold,
    ticks,
    written,
)
from dpduck.errors import DpduckError, PolicyError
from dpduck.sqltypes import ConversionError, Scalar, SqlType, Value, convert, parse_number, parse_type
from dpduck.statements import (
    AddPrivacyKey,
    DomainRange,
    DomainValues,
    DropPrivacyKey,
    PolicyStatement,
    SetPrivacyDomain,
    SetPublic,
    TableName,
)

SCHEMA = "dpduck"  # never part of a catalog, so never queryable
VERSION = 1
FLOAT_STEPS = 2**32
MAX_DOMAIN_VALUES = 1_000_000
MAX_RANGE_TICKS = 2**64  # so that differences within a range fit the types that score SQL uses
_RANGE_KINDS = ("integer", "decimal", "float", "date", "timestamp")

# Types with one notion of equality, under which a unit is one unit.
_UNIT_KINDS = ("integer", "decimal", "text", "boolean", "date", "timestamp", "enum")
_UNIT_TYPES = (
    "UUID",
    "BLOB",
    "TIME",
    "TIMESTAMP WITH TIME ZONE",
    "TIMESTAMP_S",
    "TIMESTAMP_MS",
    "TIMESTAMP_NS",
)


# --- statements applied to a catalog: pure -------------------------------------------------------


def apply(catalog: Catalog, statement: PolicyStatement) -> Catalog:
    """The catalog after the statement. Nothing is read or stored.

    Errors: UnknownNameError, PolicyError.
    """
    table = catalog.table(statement.table.name, statement.table.schema)
    changed = _changed(table, statement)
    return Catalog(tuple(changed if other is table else other for other in catalog.tables))


def _changed(table: Table, statement: PolicyStatement) -> Table:
    if isinstance(statement, AddPrivacyKey):
        return _with_unit(table, statement)
    if isinstance(statement, DropPrivacyKey):
        return _without_unit(table)
    if isinstance(statement, SetPublic):
        return _made_public(table)
    if isinstance(statement, SetPrivacyDomain):
        return _with_domain(table, statement)
    raise PolicyError("this policy statement is not supported")


def _with_unit(table: Table, statement: AddPrivacyKey) -> Table:
    column = table.column(statement.column)
    if table.unit is not None and fold(table.unit) != fold(column.name):
        raise PolicyError(
            f"table {table.name} already has the privacy key {table.unit}",
            hint=f"ALTER TABLE {written(table.name)} DROP PRIVACY_KEY first.",
        )
    if parse_type(column.type).kind not in _UNIT_KINDS and column.type not in _UNIT_TYPES:
        raise PolicyError(
            f"column {table.name}.{column.name} of type {column.type} cannot be a privacy key",
            detail="The values of a privacy key are equal or not, without rounding: not FLOAT, not nested.",
            hint="Use a column of integers, text or UUIDs.",
        )
    unique = fold(column.name) in {fold(name) for name in table.unique_columns}
    return replace(table, unit=column.name, public=False, unit_is_unique=unique)


def _without_unit(table: Table) -> Table:
    if table.unit is None:
        raise PolicyError(
            f"table {table.name} has no privacy key",
            hint=f"ALTER TABLE {written(table.name)} ADD PRIVACY_KEY (column) adds one.",
        )
    return replace(table, unit=None, unit_is_unique=False)


def _made_public(table: Table) -> Table:
    if table.unit is not None:
        raise PolicyError(
            f"table {table.name} has the privacy key {table.unit}",
            detail="A table with a privacy key holds private rows.",
            hint=f"ALTER TABLE {written(table.name)} DROP PRIVACY_KEY first.",
        )
    return replace(table, public=True)


def _with_domain(table: Table, statement: SetPrivacyDomain) -> Table:
    column = table.column(statement.column)
    domain = _domain(table, column, statement.domain)
    columns = (replace(other, domain=domain) if other is column else other for other in table.columns)
    return replace(table, columns=tuple(columns))


def _domain(table: Table, column: Column, wanted: DomainValues | DomainRange) -> Domain:
    if isinstance(wanted, DomainValues):
        return _values_domain(table, column, wanted)
    return _range_domain(table, column, wanted)


def _values_domain(table: Table, column: Column, wanted: DomainValues) -> ValuesDomain:
    sql_type = parse_type(column.type)
    if sql_type.kind in ("float", "other"):
        raise _bad_domain(
            table, column, f"a column of type {column.type} takes no list of values", "BETWEEN (0, 1)"
        )
    if not 0 < len(wanted.values) <= MAX_DOMAIN_VALUES:
        raise _bad_domain(table, column, f"a domain has 1 to {MAX_DOMAIN_VALUES} values")
    values = tuple(_value(table, column, value) for value in wanted.values)
    if len(set(values)) != len(values):
        raise _bad_domain(table, column, "a value occurs twice")
    return ValuesDomain(values)


def _range_domain(table: Table, column: Column, wanted: DomainRange) -> RangeDomain:
    sql_type = parse_type(column.type)
    if sql_type.kind not in _RANGE_KINDS:
        raise _bad_domain(table, column, f"a column of type {column.type} has no range", "IN ('a', 'b')")
    low, high = (_bound(table, column, end) for end in (wanted.low, wanted.high))
    width = ticks(high) - ticks(low)
    if width <= 0:
        raise _bad_domain(table, column, "the lower bound must be below the upper one")
    step = _step(table, column, wanted.step, low, high)
    if width % Fraction(step):
        raise _bad_domain(table, column, "the step must divide the range, so that both ends are on the grid")
    if sql_type.kind != "float" and width * 10**sql_type.scale >= MAX_RANGE_TICKS:
        raise _bad_domain(table, column, "the range is too wide")
    if sql_type.kind == "float" and not _is_resolved(low, high, step):
        raise _bad_domain(table, column, "the step is too fine for the precision of the type")
    return RangeDomain(low, high, step)


def _step(table: Table, column: Column, wanted: Scalar, low: Bound, high: Bound) -> int | Decimal | Fraction:
    """The step as written (days for dates, seconds for timestamps), or the usual one."""
    sql_type = parse_type(column.type)
    if wanted is None:
        return _usual_step(sql_type, low, high)
    number = parse_number(wanted)
    if number is None or number <= 0:
        raise _bad_domain(table, column, "the step must be a positive number")
    if sql_type.kind == "float":
        return number
    if sql_type.kind == "decimal":
        return _decimal_step(table, column, wanted)
    number *= 10**6 if sql_type.kind == "timestamp" else 1
    if number.denominator != 1:
        raise _bad_domain(table, column, "the step is finer than the type")
    return int(number)


def _decimal_step(table: Table, column: Column, wanted: Scalar) -> Decimal:
    step = _value(table, column, wanted)
    assert isinstance(step, Decimal)
    return step


def _usual_step(sql_type: SqlType, low: Bound, high: Bound) -> int | Decimal | Fraction:
    if sql_type.kind == "decimal":
        return Decimal((0, (1,), -sql_type.scale))
    if sql_type.kind == "float":
        return (ticks(high) - ticks(low)) / FLOAT_STEPS
    if sql_type.kind == "timestamp":
        return _timestamp_step(int(ticks(high) - ticks(low)))
    return 1


def _timestamp_step(width: int) -> int:
    """About width / 2^32 microseconds, rounded up to a divisor of the width when one is near."""
    step = max(1, -(-width // FLOAT_STEPS))
    return next((wider for wider in range(step, 64 * step + 1) if width % wider == 0), 1)


def _is_resolved(low: Bound, high: Bound, step: int | Decimal | Fraction) -> bool:
    """Whether doubles near the ends tell grid points apart, with room for rounding."""
    largest = max(abs(ticks(low)), abs(ticks(high)))
    width = ticks(high) - ticks(low)
    normal = Fraction(sys.float_info.min) <= Fraction(step) and width <= Fraction(sys.float_info.max)
    return normal and Fraction(step) >= largest / 2**49 and width / Fraction(step) <= 2**49


def _bound(table: Table, column: Column, value: Scalar) -> Bound:
    bound = _value(table, column, value)
    if isinstance(bound, (str, bool)):
        raise _bad_domain(table, column, f"a column of type {column.type} has no range")
    return bound


def _value(table: Table, column: Column, value: Scalar) -> Value:
    try:
        return convert(value, parse_type(column.type))
    except ConversionError as error:
        reason = str(error)
    raise _bad_domain(table, column, reason)


def _bad_domain(table: Table, column: Column, reason: str, example: str = "BETWEEN (0, 100)") -> PolicyError:
    return PolicyError(
        f"this cannot be the privacy domain of column {table.name}.{column.name}",
        detail=f"{reason[:1].upper()}{reason[1:]}.",
        hint=f"Write, for example, ALTER TABLE {written(table.name)} ALTER COLUMN {written(column.name)} "
        f"SET PRIVACY DOMAIN {example}.",
    )


# --- the schema and the stored statements --------------------------------------------------------


def load_catalog(connection: duckdb.DuckDBPyConnection, extra: Iterable[PolicyStatement] = ()) -> Catalog:
    """All tables and views of the connection's database, with the stored policies applied.

    `extra`: statements to apply on top, without storing them.
    Errors: PolicyError if the stored policies are of a later version, or if an extra one is wrong.
    """
    catalog = _schema_catalog(connection)
    for statement in _stored(connection):
        catalog = _applied_if_it_fits(catalog, statement)
    for statement in extra:
        catalog = apply(catalog, statement)
    return catalog


def execute(connection: duckdb.DuckDBPyConnection, statement: PolicyStatement) -> None:
    """Check a statement against the schema and store what follows from it, in one transaction.

    Errors: UnknownNameError, PolicyError, before anything is written.
    """
    before = load_catalog(connection)
    after = apply(before, statement)
    table = after.table(statement.table.name, statement.table.schema)
    connection.execute("BEGIN")
    try:
        _create_store(connection)
        _store(connection, table, statement)
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def _applied_if_it_fits(catalog: Catalog, statement: PolicyStatement) -> Catalog:
    """A stored statement whose table or column is gone says nothing any more; without it the table is
    closed, or the column has no domain: both are the safe side.
    """
    try:
        return apply(catalog, statement)
    except DpduckError:
        return catalog


_COLUMNS = """
SELECT schema_name, table_name, column_name, data_type FROM system.main.duckdb_columns()
WHERE database_name = system.main.current_database() AND NOT internal AND schema_name <> $schema
ORDER BY schema_name, table_name, column_index
"""
# Only comparisons here, no functions or operators that a user's macro could replace.
_TABLES = """
SELECT schema_name, table_name, sql FROM system.main.duckdb_tables()
WHERE database_name = system.main.current_database()
"""
_UNIQUE = """
SELECT schema_name, table_name, constraint_column_names FROM system.main.duckdb_constraints()
WHERE database_name = system.main.current_database() AND constraint_type IN ('PRIMARY KEY', 'UNIQUE')
"""


def _schema_catalog(connection: duckdb.DuckDBPyConnection) -> Catalog:
    database = str(_rows(connection, "SELECT system.main.current_database()")[0][0])
    collated = {row[:2] for row in _rows(connection, _TABLES) if "collate" in str(row[2]).lower()}
    columns: dict[tuple[str, str], list[Column]] = {}
    for schema, table, name, written_type in _rows(connection, _COLUMNS, {"schema": SCHEMA}):
        # Under a collation, which spelling stands for a group depends on the rows: no key, no literal.
        unclear = written_type == "VARCHAR" and (schema, table) in collated
        data_type = "VARCHAR COLLATE" if unclear else written_type
        columns.setdefault((schema, table), []).append(Column(name, data_type, _type_domain(data_type)))
    unique: dict[tuple[str, str], list[str]] = {}
    for schema, table, names in _rows(connection, _UNIQUE):
        if len(names) == 1:
            unique.setdefault((schema, table), []).append(names[0])
    return Catalog(
        tuple(
            Table(
                database, schema, table, tuple(found), unique_columns=tuple(unique.get((schema, table), ()))
            )
            for (schema, table), found in columns.items()
        )
    )


def _type_domain(data_type: str) -> Domain | None:
    """BOOLEAN and ENUM columns carry their domain."""
    sql_type = parse_type(data_type)
    if sql_type.kind == "boolean":
        return ValuesDomain((False, True))
    return ValuesDomain(sql_type.members) if sql_type.kind == "enum" else None


def _rows(
    connection: duckdb.DuckDBPyConnection, sql: str, parameters: dict[str, object] | None = None
) -> list[tuple[str, ...]]:
    return connection.execute(sql, parameters).fetchall()


# --- the store: one table, one row for each fact -------------------------------------------------

_CREATE = f"""
CREATE SCHEMA IF NOT EXISTS {SCHEMA};
CREATE TABLE IF NOT EXISTS {SCHEMA}.policies (
    version INTEGER NOT NULL, schema_name VARCHAR NOT NULL, table_name VARCHAR NOT NULL,
    column_name VARCHAR NOT NULL, kind VARCHAR NOT NULL, details VARCHAR NOT NULL)
"""


@dataclass(frozen=True)
class _Fact:
    """A row of the store. `kind`: privacy_key, public or domain; `details`: the domain as JSON."""

    column: str
    kind: str
    details: str = ""


def _create_store(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute(_CREATE)


def _store(connection: duckdb.DuckDBPyConnection, table: Table, statement: PolicyStatement) -> None:
    fact = _fact(table, statement)
    name = {"schema": table.schema, "table": table.name}
    delete = f"DELETE FROM {SCHEMA}.policies WHERE schema_name = $schema AND table_name = $table"
    if fact is not None and fact.kind == "domain":
        connection.execute(
            f"{delete} AND kind = 'domain' AND column_name = $column", {**name, "column": fact.column}
        )
    else:
        connection.execute(f"{delete} AND kind <> 'domain'", name)
    if fact is not None:
        connection.execute(
            f"INSERT INTO {SCHEMA}.policies VALUES ($version, $schema, $table, $column, $kind, $details)",
            {**name, "version": VERSION, "column": fact.column, "kind": fact.kind, "details": fact.details},
        )


def _fact(table: Table, statement: PolicyStatement) -> _Fact | None:
    if isinstance(statement, AddPrivacyKey):
        return _Fact(table.column(statement.column).name, "privacy_key")
    if isinstance(statement, SetPublic):
        return _Fact("", "public")
    if isinstance(statement, SetPrivacyDomain):
        return _Fact(table.column(statement.column).name, "domain", _to_json(statement.domain))
    return None


def _stored(connection: duckdb.DuckDBPyConnection) -> list[PolicyStatement]:
    exists = _rows(
        connection,
        "SELECT 1 FROM system.main.duckdb_tables() WHERE database_name = system.main.current_database() "
        "AND schema_name = $schema AND table_name = 'policies'",
        {"schema": SCHEMA},
    )
    if not exists:
        return []
    rows = _rows(
        connection,
        f"SELECT version, schema_name, table_name, column_name, kind, details FROM {SCHEMA}.policies "
        "ORDER BY kind DESC, schema_name, table_name, column_name",
    )
    if any(int(row[0]) != VERSION for row in rows):
        raise PolicyError(
            "the policies in this file were written by a later version of dpduck",
            hint="Upgrade dpduck to open it.",
        )
    return [_statement(TableName(row[2], row[1]), _Fact(row[3], row[4], row[5])) for row in rows]


def _statement(table: TableName, fact: _Fact) -> PolicyStatement:
    if fact.kind == "privacy_key":
        return AddPrivacyKey(table, fact.column)
    if fact.kind == "public":
        return SetPublic(table)
    if fact.kind == "domain":
        return SetPrivacyDomain(table, fact.column, _from_json(fact.details))
    raise PolicyError(
        f"the stored policy of table {table} is not readable", hint="Upgrade dpduck to open it."
    )


def _to_json(domain: DomainValues | DomainRange) -> str:
    if isinstance(domain, DomainValues):
        return json.dumps({"in": [_text(value) for value in domain.values]})
    return json.dumps({"between": [_text(domain.low), _text(domain.high)], "step": _text(domain.step)})


def _from_json(text: str) -> DomainValues | DomainRange:
    details = json.loads(text)
    if "in" in details:
        return DomainValues(tuple(details["in"]))
    return DomainRange(details["between"][0], details["between"][1], details["step"])


def _text(value: Scalar) -> str | None:
    """A literal as a string that converts to the same value of any type."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, (date, datetime)):
        return value.isoformat(" ") if isinstance(value, datetime) else value.isoformat()
    return str(value).lower() if isinstance(value, bool) else str(value)
