"""The emitted SQL means what it says: macros of a user, or names of columns, cannot change it."""

from __future__ import annotations

import duckdb
import pytest

from dpduck import policies
from dpduck.engines.duckdb.public_facts import PublicFacts
from dpduck.kernel.plan.model import PublicPlan
from tests.depth import part
from tests.query import golden
from tests.query.shop import any_plan, open_shop, plan, score_sql

MACROS = [
    "count",
    "count_star",
    "quantile_disc",
    "lower",
    "isnan",
    "floor",
    "epoch_us",
    "make_timestamp",
    "cast",
]
OPERATORS = [
    "~~",
    "!~~",
    "~~*",
    "+",
    "-",
    "*",
    "/",
    "%",
    "//",
    "=",
    "<",
    "<=",
    ">",
    ">=",
    "<>",
    "in",
    "and",
    "not",
]


def scores(connection: duckdb.DuckDBPyConnection) -> dict[str, list[str]]:
    """What is read for golden queries on this database; of public queries, their answer."""
    catalog = policies.load_catalog(connection)
    found = {}
    for path in golden.files("accepted/shop"):
        for case in part(golden.cases(path), 3):
            made = any_plan(case.query, catalog, facts=PublicFacts(connection))
            texts = [made.sql] if isinstance(made, PublicPlan) else score_sql(made)
            shown = [f"SELECT CAST(COLUMNS(*) AS VARCHAR) FROM ({sql})" for sql in texts]
            rows = [row for sql in shown for row in connection.execute(sql).fetchall()]
            found[case.query] = sorted(map(repr, rows))
    return found


@pytest.mark.slow
def test_user_macros_change_nothing() -> None:
    with open_shop() as connection:
        before = scores(connection)
        for name in [*MACROS, *OPERATORS]:
            connection.execute(f'CREATE MACRO "{name}"() AS 42, (a) AS 42, (a, b) AS 42')
        assert scores(connection) == before


@pytest.mark.slow
def test_temporary_tables_and_other_schemas_change_nothing() -> None:
    with open_shop() as connection:
        before = scores(connection)
        connection.execute("CREATE TEMP TABLE visits AS SELECT 1 AS uid, 'a' AS page")
        connection.execute("CREATE SCHEMA other; CREATE TABLE other.people (id INTEGER)")
        connection.execute("SET search_path = 'other,main'")
        assert scores(connection) == before


@pytest.mark.parametrize("column", ["t", "t_", "value", "score", "key", 'a"b', "select", "größe", "Count"])
def test_any_column_name_works(column: str) -> None:
    name = '"' + column.replace('"', '""') + '"'
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE r (u INTEGER, {name} INTEGER, other INTEGER)")
        connection.execute("INSERT INTO r VALUES (1, 0, 0), (1, 3, 0), (2, 0, 1), (3, 2, 1), (NULL, 0, 0)")
        for text in (
            "ALTER TABLE r ADD PRIVACY_KEY (u)",
            f"ALTER TABLE r ALTER COLUMN {name} SET PRIVACY DOMAIN BETWEEN (0, 2)",
        ):
            _run(connection, text)
        catalog = policies.load_catalog(connection)
        for where in ("", f" WHERE {name} < 3", f" WHERE r.{name} IN (0, 2)"):
            made = plan(f"SELECT {name}, count(*) FROM r{where} GROUP BY {name}", catalog)
            (sql,) = score_sql(made)
            assert sorted(connection.execute(sql).fetchall()) == [(0, 2), (2, 1)]
        made = plan(f"SELECT median({name}) FROM r", catalog)
        (sql,) = score_sql(made)
        half = 2**15  # of the weight of unit 1, whose 3 counts as a 2
        assert sorted(connection.execute(sql).fetchall()) == [(0, 3 * half), (2, 3 * half)]


def _run(connection: duckdb.DuckDBPyConnection, text: str) -> None:
    from tests.query.shop import statement

    policies.execute(connection, statement(text))
