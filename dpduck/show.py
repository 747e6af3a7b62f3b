"""SHOW PRIVACY: the policies of a database as a table."""

from __future__ import annotations

from dpduck.catalog import Catalog, Column, RangeDomain, Table

PRIVACY_COLUMNS = ("table", "status", "unit", "column", "domain")


def privacy_rows(catalog: Catalog) -> list[tuple[str | None, ...]]:
    """One row per table, and one per column with a public domain."""
    return [row for table in catalog.tables for row in _rows(table)]


def _rows(table: Table) -> list[tuple[str | None, ...]]:
    status = "public" if table.public else "closed" if table.unit is None else "private"
    first = (table.name, status, table.unit, None, None)
    domains = [(table.name, status, table.unit, column.name, _domain(column)) for column in table.columns]
    return [first, *(row for row in domains if row[-1] is not None)]


def _domain(column: Column) -> str | None:
    domain = column.domain
    if domain is None:
        return None
    if isinstance(domain, RangeDomain):
        return f"BETWEEN ({domain.low}, {domain.high}) STEP {domain.step}"
    shown = ", ".join(str(value) for value in domain.values[:10])
    return f"IN ({shown}{', ...' if domain.size > 10 else ''})"
