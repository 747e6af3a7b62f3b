"""Types of released aggregates: those of plain DuckDB, which a test compares."""

from __future__ import annotations

from dpduck.kernel.catalog.types import SqlType


def sum_type(sql_type: SqlType) -> str:
    """Return the type of sum(x) in DuckDB, by the type of x."""
    if sql_type.kind == "decimal":
        return f"DECIMAL(38,{sql_type.scale})"
    return "HUGEINT" if sql_type.kind == "integer" and sql_type.name != "UHUGEINT" else "DOUBLE"


def quantile_type(sql_type: SqlType) -> str:
    """Return the type of median(x) and quantile_cont(x, q), which interpolate in DuckDB."""
    if sql_type.kind == "integer":
        return "DOUBLE"
    return "TIMESTAMP" if sql_type.kind == "date" else sql_type.name
