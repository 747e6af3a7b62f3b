"""information_schema: names and types of tables and columns, which are public; nothing of their rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pyarrow as pa

from dpduck.catalog.model import Catalog, Table

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
    return _table(rows, TABLES_SCHEMA)


def column_rows(catalog: Catalog) -> pa.Table:
    """Return information_schema.columns: one row per column that can be queried."""
    rows = [
        (*_place(table), column.name, number, "YES", column.type)
        for table in _tables(catalog)
        for number, column in enumerate(table.columns, 1)
    ]
    return _table(rows, COLUMNS_SCHEMA)


def _tables(catalog: Catalog) -> Iterator[Table]:
    yield from catalog.tables
    yield from (view.as_table() for view in catalog.views)


def _place(table: Table) -> tuple[str, str, str]:
    return table.database, table.schema, table.name


def _table(rows: Sequence[tuple[object, ...]], schema: pa.Schema) -> pa.Table:
    columns = list(zip(*rows, strict=True)) or [()] * len(schema)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)]
    return pa.Table.from_arrays(arrays, schema=schema)
