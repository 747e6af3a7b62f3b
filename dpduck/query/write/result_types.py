"""Types of released aggregates, as plain DuckDB gives them (a test asks it)."""

from __future__ import annotations

from dpduck.catalog.types import SqlType


def sum_type(sql_type: SqlType) -> str:
    """The type of sum(x): wide enough for any table."""
    if sql_type.kind == "decimal":
        return f"DECIMAL(38,{sql_type.scale})"
    return "HUGEINT" if sql_type.kind == "integer" and sql_type.name != "UHUGEINT" else "DOUBLE"


def quantile_type(sql_type: SqlType) -> str:
    """The type of median(x) and quantile_cont(x, q): they interpolate."""
    if sql_type.kind == "integer":
        return "DOUBLE"
    return "TIMESTAMP" if sql_type.kind == "date" else sql_type.name
