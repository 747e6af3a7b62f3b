"""information_schema: names and types of tables and columns, which are public; nothing of their rows."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa

from dpduck.kernel.arrow.strings import table_of
from dpduck.kernel.catalog.model import Catalog, Column, Table

_TEXT = pa.string()
TABLES_SCHEMA = pa.schema(
    [(name, _TEXT) for name in ("table_catalog", "table_schema", "table_name", "table_type")]
)
COLUMNS_SCHEMA = pa.schema(
    [
        *((name, _TEXT) for name in ("table_catalog", "table_schema", "table_name", "column_name")),
        ("ordinal_position", pa.int64()),
        *((name, _TEXT) for name in ("is_nullable", "data_type")),
    ]
)


def table_rows(catalog: Catalog) -> pa.Table:
    """Return information_schema.tables: one row per table and view."""
    rows = [(*_place(table), "VIEW" if table.definition else "BASE TABLE") for table in _tables(catalog)]
    return table_of(rows, TABLES_SCHEMA)


def column_rows(catalog: Catalog) -> pa.Table:
    """Return information_schema.columns: one row per column that can be queried."""
    rows = [
        (*_place(table), column.name, number, _nullable(table, column), column.type)
        for table in _tables(catalog)
        for number, column in enumerate(table.columns, 1)
    ]
    return table_of(rows, COLUMNS_SCHEMA)


def described_rows(table: Table) -> list[tuple[str | None, ...]]:
    """Return DESCRIBE of a table: of each column its name, type, whether it may be NULL, and its key."""
    return [
        (one.name, one.type, _nullable(table, one), table.key_mark(one.name), None, None)
        for one in table.columns
    ]


def _nullable(table: Table, column: Column) -> str:
    return "YES" if table.may_be_null(column.name) else "NO"


def _tables(catalog: Catalog) -> Iterator[Table]:
    yield from catalog.tables
    yield from (view.as_table() for view in catalog.views)


def _place(table: Table) -> tuple[str, str, str]:
    return table.database, table.schema, table.name
