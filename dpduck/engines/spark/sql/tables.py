"""Tables of Spark as score SQL sees them: of each column what DuckDB could hold too, and NULL elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlglot import exp

from dpduck.engines.spark.sql.casts import converted
from dpduck.engines.spark.sql.nodes import call, either, text

_EXACT = {
    "boolean": "BOOLEAN",
    "tinyint": "TINYINT",
    "smallint": "SMALLINT",
    "int": "INTEGER",
    "bigint": "BIGINT",
    "float": "FLOAT",
    "double": "DOUBLE",
    "string": "VARCHAR",
    "date": "DATE",
    "timestamp_ntz": "TIMESTAMP",
    "timestamp": "TIMESTAMP",
}
_FIRST, _LAST = "0001-01-01", "9999-12-31"


def duckdb_type(spark_type: str) -> str | None:
    """DuckDB's type of the same values, None if there is none. Input: as `simpleString` writes it.

    >>> [duckdb_type(name) for name in ("int", "decimal(9,2)", "timestamp", "binary", "array<int>")]
    ['INTEGER', 'DECIMAL(9,2)', 'TIMESTAMP', None, None]
    """
    return spark_type.upper() if spark_type.startswith("decimal(") else _EXACT.get(spark_type)


def cleaned(name: Sequence[str], columns: Mapping[str, str]) -> exp.Expr:
    """The table as a subquery. Input: the parts of its name; its columns with Spark's types."""
    items = [
        exp.Alias(this=_clean(_identifier(column), kind), alias=_identifier(column))
        for column, kind in columns.items()
    ]
    table = exp.Table(**dict(zip(("catalog", "db", "this"), map(_identifier, name), strict=True)))
    return exp.Subquery(this=exp.Select(expressions=items, from_=exp.From(this=table)))


def view(name: str) -> exp.Expr:
    """A temporary view."""
    return exp.Table(this=_identifier(name))


def _identifier(name: str) -> exp.Identifier:
    return exp.Identifier(this=name, quoted=True)


def _clean(name: exp.Identifier, kind: str) -> exp.Expr:
    column = exp.Column(this=name)
    if kind == "string":
        return call("try_validate_utf8", column)
    if kind == "date":
        return _between(column, column, "date", _FIRST, _LAST)
    if kind in ("timestamp", "timestamp_ntz"):
        last = f"{_LAST} 23:59:59.999999"
        return _between(column, converted(column, "timestamp_ntz"), kind, f"{_FIRST} 00:00:00", last)
    return column


def _between(column: exp.Expr, value: exp.Expr, kind: str, first: str, last: str) -> exp.Expr:
    low, high = (converted(text(end), kind) for end in (first, last))
    return either((exp.Between(this=column.copy(), low=low, high=high), value))
