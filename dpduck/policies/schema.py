"""DuckDB's schema as a catalog without policies, and the contents of public tables as domains.

SQL here uses comparisons and qualified functions only: a user's macro could replace any other.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import duckdb

from dpduck.kernel.catalog.model import Catalog, Column, Domain, Reference, Table, View
from dpduck.kernel.catalog.types import Value
from dpduck.kernel.errors import DpduckError, PolicyError
from dpduck.kernel.tree import build
from dpduck.kernel.tree.duckdb import sql
from dpduck.kernel.tree.emit import row_alias
from dpduck.kernel.tree.nodes import ColumnRef, SortKey
from dpduck.kernel.tree.relations import DerivedTable, SelectQuery, TableScan
from dpduck.policies.domains import (
    MAX_DOMAIN_VALUES,
    bad_domain,
    check_size,
    column_of,
    domain_of_public,
)

SCHEMA = "dpduck"  # never part of a catalog, so never queryable
STORE = "policies"
_MOST_TRIED = 1_000  # values of a new domain that are read; of a larger one they are counted

# One statement, since each costs more than its rows: tables, then constraints, then columns. Of a lake no
# constraint is believed: other programs write to it too.
_SCHEMA = """
SELECT 'table', schema_name, table_name, sql, NULL, NULL, 0, system.main.current_database()
FROM system.main.duckdb_tables() WHERE database_name = system.main.current_database()
UNION ALL
SELECT 'key', schema_name, table_name, constraint_type, NULL, constraint_column_names, 0, NULL
FROM system.main.duckdb_constraints()
WHERE database_name = system.main.current_database()
    AND constraint_type IN ('PRIMARY KEY', 'UNIQUE', 'NOT NULL')
    AND database_name IN (SELECT database_name FROM system.main.duckdb_databases() WHERE type = 'duckdb')
UNION ALL
SELECT 'column', schema_name, table_name, column_name, data_type,
    NULL, column_index, system.main.current_database()
FROM system.main.duckdb_columns() WHERE database_name = system.main.current_database() AND NOT internal
UNION ALL
SELECT 'collation', NULL, NULL, system.main.current_setting('default_collation'), NULL, NULL, 0,
    system.main.current_database()
"""
# Run only if there are views: printing DuckDB's own sixty takes as long as all of the above.
_VIEWS = """
SELECT schema_name, view_name, sql FROM system.main.duckdb_views()
WHERE database_name = system.main.current_database() AND NOT internal
"""

_PATH = """
SELECT path FROM system.main.duckdb_databases() WHERE database_name = system.main.current_database()
"""

_Name = tuple[str, str]  # schema and table

_TOKEN = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|[(),]|[^\s'"(),]+""")
_GENERATED = ["GENERATED", "ALWAYS", "AS"]

_COMPUTED = (
    "It is a generated column: computed from each row that is read, it would fail at one that has no value."
)


@dataclass(frozen=True)
class Schema:
    """The contents of a database. `has_store`: whether policies are stored in it."""

    catalog: Catalog
    has_store: bool


def read_schema(connection: duckdb.DuckDBPyConnection) -> Schema:
    """All tables and views of the connection's database, ordered by name."""
    found = _Found(connection.execute(_SCHEMA).fetchall())
    definitions = {}
    if any(name not in found.sql for name in found.columns):
        rows = connection.execute(_VIEWS).fetchall()
        definitions = {(schema, name): sql for schema, name, sql in rows}
    names = sorted(found.columns)
    catalog = Catalog(
        tuple(found.table(name) for name in names if name in found.sql),
        tuple(found.view(name, definitions[name]) for name in names if name in definitions),
    )
    return Schema(catalog, (SCHEMA, STORE) in found.sql)


class _Found:
    """The rows of `_SCHEMA` by table."""

    def __init__(self, rows: Iterable[Sequence[Any]]) -> None:
        self.database = ""
        self._collated = False  # the default, for columns that declare none
        self.sql: dict[_Name, str] = {}
        self.columns: dict[_Name, list[tuple[int, str, str]]] = defaultdict(list)
        self._keys: dict[_Name, list[tuple[str, ...]]] = defaultdict(list)
        self._primary: dict[_Name, tuple[str, ...]] = {}
        self._required: dict[_Name, list[str]] = defaultdict(list)
        for kind, schema, table, text, data_type, key, index, database in rows:
            name = (schema, table)
            self.database = database or self.database
            if kind == "table":
                self.sql[name] = text or ""
            elif kind == "collation":
                self._collated = bool(text)
            elif kind == "key" and text == "NOT NULL":
                self._required[name] += key
            elif kind == "key":
                self._keys[name].append(tuple(key))
                if text == "PRIMARY KEY":
                    self._primary[name] = tuple(key)
            elif schema != SCHEMA:
                self.columns[name].append((index, text, data_type))

    def table(self, name: _Name) -> Table:
        keys = tuple(self._keys.get(name, ()))
        single = tuple(key[0] for key in keys if len(key) == 1)
        columns = self._columns(name, self.sql[name])
        computed = computed_columns(self.sql[name])
        primary = self._primary.get(name, ())
        return Table(
            self.database,
            *name,
            tuple(column for column in columns if column.name not in computed),
            unique_columns=single,
            unique_keys=keys,
            primary_key=primary,
            required=tuple(sorted({*primary, *self._required.get(name, ())})),
            left_out=tuple((column, _COMPUTED) for column in sorted(computed)),
        )

    def view(self, name: _Name, sql: str) -> View:
        return View(*name, sql, self.database, self._columns(name, sql))

    def _columns(self, name: _Name, definition: str) -> tuple[Column, ...]:
        collated = self._collated or "collate" in definition.lower()
        return tuple(_column(name, kind, collated=collated) for _, name, kind in sorted(self.columns[name]))


def _column(name: str, data_type: str, *, collated: bool) -> Column:
    # Under a collation, the spelling that represents a group depends on the rows: no key, no literal.
    known = "VARCHAR COLLATE" if collated and data_type == "VARCHAR" else data_type
    return column_of(name, known)


def computed_columns(sql: str) -> set[str]:
    """The generated columns of a table, from its CREATE TABLE as DuckDB prints it.

    DuckDB 1.5 reports them nowhere else. Words within strings and quoted names do not count.

    >>> sorted(computed_columns("CREATE TABLE t(a INTEGER DEFAULT(1), b VARCHAR GENERATED ALWAYS AS(a));"))
    ['b']
    """
    found: set[str] = set()
    depth, words = 0, [""]  # tokens of the current column's definition
    for part in _TOKEN.findall(sql) if " ".join(_GENERATED) in sql else ():
        depth += (part == "(") - (part == ")")
        if depth == 1 and part in ("(", ","):
            words = []
        elif depth == 1:
            words.append(part)
            if words[-3:] == _GENERATED and len(words) > len(_GENERATED):
                found.add(_unquoted(words[0]))
    return found


def _unquoted(name: str) -> str:
    return name[1:-1].replace('""', '"') if name.startswith('"') else name


def is_file(connection: duckdb.DuckDBPyConnection) -> bool:
    """Whether the database is a file rather than in memory."""
    [(path,)] = connection.execute(_PATH).fetchall()
    return path is not None


# --- contents of public tables ------------------------------------------------------------------------

Ask = Callable[[SelectQuery], Sequence[Sequence[Any]]]  # runs a query where the rows are


def asking(connection: duckdb.DuckDBPyConnection) -> Ask:
    """An `Ask` that runs queries on the connection itself."""
    return lambda query: connection.execute(sql(query)).fetchall()


def read_domains(ask: Ask, catalog: Catalog) -> Catalog:
    """The catalog with the domains read from public tables, each once; an unreadable one is no domain."""
    known: dict[tuple[Reference, str], Domain | None] = {}

    def with_domain(table: Table, column: Column) -> Column:
        if column.reference is None:
            return column
        wanted = (column.reference, column.type)
        if wanted not in known:
            known[wanted] = None
            with suppress(DpduckError):
                known[wanted] = _read_domain(
                    ask, _source(catalog, table, column, column.reference), table, column
                )
        return replace(column, domain=known[wanted])

    def with_domains(table: Table, column: Column) -> Column:
        parts = tuple(with_domain(table, part) for part in column.parts)
        return replace(with_domain(table, column), parts=parts)

    tables = (
        replace(table, columns=tuple(with_domains(table, column) for column in table.columns))
        if any(column.reference for column in (*table.columns, *table.parts))
        else table
        for table in catalog.tables
    )
    return replace(catalog, tables=tuple(tables))


class ReferenceCheck:
    """Checks that public columns that are referenced have values for a domain, and counts these once."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._sizes: dict[_Source, int] = {}

    def run(self, catalog: Catalog, table: Table, column: Column) -> None:
        """Check the column that a column references. Errors: UnknownNameError, PolicyError."""
        reference = column.reference
        if reference is None:
            return
        source = _source(catalog, table, column, reference)
        if source not in self._sizes:
            self._sizes[source] = self._size(source)
        check_size(table, column, self._sizes[source])
        if self._sizes[source] <= _MOST_TRIED:  # it may have only values that a query cannot contain
            _read_domain(self._ask, source, table, column)

    def _size(self, source: _Source) -> int:
        counted = SelectQuery((build.count_rows(),), DerivedTable(_distinct(*source), row_alias(source[0])))
        [[size]] = _rows(self._ask, counted, _named(source))
        return int(size)


_Source = tuple[Table, Column]  # a public column


def _source(catalog: Catalog, table: Table, column: Column, reference: Reference) -> _Source:
    """The public column that a column references. Errors: UnknownNameError, PolicyError."""
    source = catalog.table(reference.table, reference.schema)
    if not source.public or source.column(reference.column).type != column.type:
        raise bad_domain(table, column, f"table {source.name} is not public or has changed")
    return source, source.column(reference.column)


def _named(source: _Source) -> str:
    return f"{source[0].name}.{source[1].name}"


def _read_domain(ask: Ask, source: _Source, table: Table, column: Column) -> Domain:
    """The distinct values of a public column, in their order. Errors: PolicyError."""
    rows = _rows(ask, _distinct_values(*source), _named(source))
    values: list[Value] = [value for (value,) in rows]
    return domain_of_public(table, column, values)


def _distinct_values(table: Table, column: Column) -> SelectQuery:
    """The query for the values of a public column, in order; as strings where Python lacks some values."""
    value = _value(table, column)
    source = DerivedTable(_distinct(table, column), row_alias(table))
    return SelectQuery((build.as_read(value),), source, order_by=(SortKey(value),))


def _distinct(table: Table, column: Column) -> SelectQuery:
    """The query for the values of a public column, at most one more than a domain may have."""
    value = _value(table, column)
    scan = TableScan(table, row_alias(table))
    return SelectQuery((value,), scan, (build.is_present(value),), limit=MAX_DOMAIN_VALUES + 1, distinct=True)


def _value(table: Table, column: Column) -> ColumnRef:
    return build.column(row_alias(table), column)


def _rows(ask: Ask, query: SelectQuery, column: str) -> Sequence[Sequence[Any]]:
    rows = None
    with suppress(duckdb.Error):  # its text may quote a value
        rows = ask(query)
    if rows is None:
        raise PolicyError(f"column {column} cannot be read", hint="Query it on a plain DuckDB connection.")
    return rows
