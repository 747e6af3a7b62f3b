"""The same tables in Spark and in DuckDB, and score SQL read from both."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from dpduck import policies
from dpduck.compiler.parse.statements import parse
from dpduck.engines.source import Source
from dpduck.engines.spark.connect import open_spark
from dpduck.kernel.cancellation import Interrupts
from dpduck.kernel.catalog.model import Catalog
from dpduck.kernel.catalog.statements import PolicyStatement
from dpduck.kernel.catalog.types import parse_type
from dpduck.kernel.errors import DpduckError
from dpduck.kernel.tree.duckdb import sql
from dpduck.kernel.tree.nodes import Call, Expression, Literal, Star, WindowCall
from dpduck.kernel.tree.relations import DerivedTable, Relation, SelectItem, SelectQuery
from dpduck.kernel.tree.walk import rewritten

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SALT = 20_241_121


@dataclass(frozen=True)
class Both:
    """A database of Spark as a source, and a DuckDB that holds the same rows in tables of the same names."""

    source: Source
    duck: duckdb.DuckDBPyConnection

    @property
    def catalog(self) -> Catalog:
        found = policies.load_catalog(self.source.connection, rows=self.ask)
        return replace(found, salt=SALT)

    def ask(self, query: SelectQuery) -> list[tuple[object, ...]]:
        """Rows as DuckDB gives them, which is quicker."""
        return self.duck.execute(sql(query)).fetchall()

    def mirror(self, sql: str) -> list[tuple[object, ...]]:
        """Rows of SQL on the tables without rows."""
        return self.source.connection.execute(sql).fetchall()

    def columns(self, table: str) -> set[str]:
        """The names of a table's columns that Spark has."""
        named = "SELECT column_name FROM duckdb_columns() WHERE table_name = $1"
        return {row[0] for row in self.source.connection.execute(named, [table]).fetchall()}

    def read(self, query: SelectQuery) -> tuple[pa.Table, pa.Table]:
        """What Spark and DuckDB make of scores, each sorted. hash() is 0 in both: ties go by value."""
        query = without_hash(query)
        with self.source.engine.open(Interrupts()) as reader:
            in_spark = reader.read(query)
        return arranged(in_spark), arranged(self.duck.sql(sql(query)).to_arrow_table())

    def close(self) -> None:
        self.source.connection.close()
        self.duck.close()


def without_hash(query: SelectQuery) -> SelectQuery:
    """The same query with 0 for hash(...), which chooses what is kept of a unit, and differs by engine."""
    return replace(
        query,
        items=tuple(_item_without_hash(item) for item in query.items),
        source=_source_without_hash(query.source),
    )


def _item_without_hash(item: SelectItem | Expression | Star) -> SelectItem | Expression | Star:
    window = item.value if isinstance(item, SelectItem) else None
    if not isinstance(item, SelectItem) or not isinstance(window, WindowCall):
        return item
    return replace(item, value=rewritten(window, lambda node: _ZERO if is_hash(node) else None))


def is_hash(node: Expression) -> bool:
    return isinstance(node, Call) and node.name == "hash"


_ZERO = Literal("0", parse_type("BIGINT"))


def _source_without_hash(source: Relation) -> Relation:
    if isinstance(source, DerivedTable):
        return replace(source, query=without_hash(source.query))
    return source


def arranged(table: pa.Table) -> pa.Table:
    """The rows in an order of their own."""
    if not table.num_rows:
        return table
    keys = [(name, "ascending") for name in table.schema.names]
    return table.sort_by(keys)


def same(one: pa.Table, other: pa.Table) -> bool:
    """Whether two tables are equal; NaN is equal to itself, and 0.0 to -0.0."""
    return one.schema.types == other.schema.types and repr(_rows(one)) == repr(_rows(other))


def _rows(table: pa.Table) -> list[list[object]]:
    return [
        [cell + 0.0 if isinstance(cell, float) else cell for cell in row.values()]
        for row in table.to_pylist()
    ]


def open_both(
    spark: SparkSession,
    name: str,
    original: duckdb.DuckDBPyConnection,
    statements: Iterable[str],
    folder: Path,
) -> Both:
    """The tables of a DuckDB database in a new database of Spark, as far as Spark has types for them.

    Policies on what is missing there are left out.
    """
    spark.sql(f"DROP DATABASE IF EXISTS {name} CASCADE")
    spark.sql(f"CREATE DATABASE {name}")
    for (table,) in original.execute("SHOW TABLES").fetchall():
        rows = _held(original, table)
        path = folder / name / f"{table}.parquet"
        path.parent.mkdir(exist_ok=True)
        pq.write_table(rows, path)
        spark.sql(f"CREATE TABLE {name}.{table} USING parquet LOCATION '{path}'")
    both = open_database(spark, name)
    for (table,) in original.execute("SHOW TABLES").fetchall():
        both.duck.register("rows", pq.read_table(folder / name / f"{table}.parquet"))
        both.duck.execute(f'INSERT INTO "{table}" SELECT * FROM rows')
    for text in statements:
        declare(both, text)
    return both


def open_database(spark: SparkSession, name: str) -> Both:
    """A database of Spark, and a DuckDB with empty tables like its own."""
    spark.catalog.setCurrentDatabase(name)
    source, duck = open_spark(spark), duckdb.connect()
    spark.catalog.setCurrentDatabase("default")
    for (text,) in source.connection.execute(
        "SELECT sql FROM duckdb_tables() WHERE schema_name = 'main'"
    ).fetchall():
        duck.execute(text)
    return Both(source, duck)


def declare(both: Both, text: str) -> bool:
    """Run a policy statement. Output: False if it does not fit."""
    statement = parse(text)
    assert isinstance(statement, PolicyStatement)
    try:
        policies.execute(both.source.connection, statement, both.ask)
    except DpduckError:
        return False
    return True


_KINDS = (
    "TINYINT",
    "SMALLINT",
    "INTEGER",
    "BIGINT",
    "FLOAT",
    "DOUBLE",
    "VARCHAR",
    "BOOLEAN",
    "DATE",
    "TIMESTAMP",
)


def _held(connection: duckdb.DuckDBPyConnection, table: str) -> pa.Table:
    """The columns that Spark has types for; dates beyond the years 1 to 9999 are NULL."""
    items = []
    for name, kind, *_ in connection.execute(f'DESCRIBE "{table}"').fetchall():
        if kind not in _KINDS and not kind.startswith("DECIMAL"):
            continue
        quoted = '"' + name.replace('"', '""') + '"'
        known = f"CASE WHEN {quoted} BETWEEN '0001-01-01' AND '9999-12-31 23:59:59.999999' THEN {quoted} END"
        items.append(f"{known} AS {quoted}" if kind in ("DATE", "TIMESTAMP") else quoted)
    return connection.sql(f'SELECT {", ".join(items)} FROM "{table}"').to_arrow_table()
