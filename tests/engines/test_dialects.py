"""Score SQL in the words of engines that are not here: written, and read again by the grammar of each.

This shows what a dialect takes: a table of functions, and how constants and conversions are written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import duckdb
import pytest
import sqlglot
from sqlglot import exp

from dpduck import policies
from dpduck.engines.spark.sql.nodes import Dialect, Function, Value, call
from dpduck.engines.spark.sql.translate import translate
from dpduck.kernel.catalog.types import SqlType
from tests.query import golden
from tests.query.shop import any_plan, open_shop

NAMES = ("bigquery", "databricks", "snowflake", "trino")
FOLDER = golden.FOLDER / "dialects"
QUERIES = {
    "top-k": "SELECT page, count(*) AS n FROM visits GROUP BY page ORDER BY n DESC LIMIT 3",
    "histogram": "SELECT page, count(*) FROM visits WHERE age BETWEEN 18 AND 65 GROUP BY page",
    "median": "SELECT median(age) FROM people",
    "having": "SELECT page, count(*) AS n FROM visits GROUP BY page HAVING count(*) > 100",
}


FUNCTIONS: dict[str, Function] = {
    "-": lambda called: exp.Sub(this=called.sqls[0], expression=called.sqls[1]),
    "count": lambda called: exp.Count(this=exp.Star()),
    "sum": lambda called: exp.Sum(this=exp.cast(called.sqls[0], "DECIMAL(38, 0)", dialect="duckdb")),
    "least": lambda called: exp.Least(this=called.sqls[0], expressions=called.sqls[1:]),
    "greatest": lambda called: exp.Greatest(this=called.sqls[0], expressions=called.sqls[1:]),
    "hash": lambda called: call("xxhash64", *called.sqls),
}


def _type(sql_type: SqlType) -> exp.DataType:
    return exp.DataType.build(sql_type.name, dialect="duckdb")


def _cast(value: Value, target: SqlType, safe: bool) -> exp.Expr:
    kind = exp.TryCast if safe else exp.Cast
    return kind(this=value.sql, to=_type(target))


def _constant(written: str, sql_type: SqlType) -> exp.Expr:
    return exp.Cast(this=exp.Literal.string(written), to=_type(sql_type))


def _table(parts: Sequence[str]) -> exp.Expr:
    return exp.Table(this=exp.to_identifier(parts[-1], quoted=True))


@pytest.mark.parametrize("name", NAMES)
def test_score_sql_is_sql_of_the_engine(name: str) -> None:
    dialect = Dialect(name, name, FUNCTIONS, _type, _cast, _constant)
    made = []
    with open_shop() as connection:
        catalog = replace(policies.load_catalog(connection), salt=7)

        def ask(text: str, connection: duckdb.DuckDBPyConnection = connection) -> list[tuple[object, ...]]:
            return connection.execute(text).fetchall()

        for title, asked in QUERIES.items():
            for query in any_plan(asked, catalog).queries:
                text = translate(query, dialect, _table, ask)
                again = sqlglot.parse_one(text, dialect=name).sql(dialect=name)
                assert again == text
                made.append(f"-- {title}\n{text};\n")
    assert len(made) >= len(QUERIES)
    path, found = FOLDER / f"{name}.sql", "\n".join(made)
    if golden.WRITING:
        FOLDER.mkdir(exist_ok=True)
        path.write_text(found, encoding="utf-8")
    assert found == path.read_text(encoding="utf-8")
