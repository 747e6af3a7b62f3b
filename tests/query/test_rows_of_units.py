"""Units are counted without being told apart where the schema says that none has two rows in a group."""

from __future__ import annotations

from fractions import Fraction

import duckdb
import pytest

import dpduck
from dpduck.engines.duckdb.public_facts import PublicFacts
from dpduck.kernel.plan.model import Plan
from dpduck.policies import load_catalog
from tests.query import quiet
from tests.query.shop import any_plan

PAIRS = "SELECT range AS u, range % 3 AS item"
POLICIES = """ALTER TABLE t ADD PRIVACY_KEY (u);
    ALTER TABLE t ALTER COLUMN shop SET PRIVACY DOMAIN IN ('a', 'b')"""


def plan_of(query: str, table: str, *policies: str) -> tuple[Plan, duckdb.DuckDBPyConnection]:
    connection = duckdb.connect()
    connection.execute(table)
    owner = dpduck.connect(connection)
    for statement in (*POLICIES.split(";"), *policies):
        owner.execute(statement)
    catalog = load_catalog(connection)
    made = any_plan(query, catalog, delta=Fraction(1, 100), facts=PublicFacts(connection))
    assert isinstance(made, Plan)
    return made, connection


LAPLACE = "WITH DIFFERENTIAL_PRIVACY OPTIONS (noise = 'laplace')"  # so that a selection reads the scores
TOP = f"SELECT {LAPLACE} {{0}}, count(DISTINCT u) AS n FROM t GROUP BY {{0}} ORDER BY n DESC LIMIT 1"
COLUMNS = "CREATE TABLE t (u BIGINT, item BIGINT, shop VARCHAR, {})"


@pytest.mark.parametrize(
    ("constraint", "keys", "plain"),
    [
        ("PRIMARY KEY (u, item)", "item", True),
        ("PRIMARY KEY (item, u)", "item", True),
        ("PRIMARY KEY (u, item)", "item, shop", True),
        ("PRIMARY KEY (u)", "item", True),
        ("PRIMARY KEY (u, item)", "item // 2", False),
        ("PRIMARY KEY (u, item, shop)", "item", False),
        ("PRIMARY KEY (item)", "shop", False),
        ("UNIQUE (u, item)", "item", False),  # an item that is NULL may be there twice
        ("UNIQUE (u, shop)", "shop", True),  # NULL is not in the domain
        ("UNIQUE (u)", "item", True),
        ("CHECK (u > -9)", "item", False),
    ],
)
def test_what_the_schema_says(constraint: str, keys: str, plain: bool) -> None:
    made, connection = plan_of(TOP.format(keys), COLUMNS.format(constraint))
    sql = made.selection.score_sql
    assert ("DISTINCT t.unit" not in sql and sql.count("GROUP BY") == 1) is plain
    ignoring = "" if "CHECK" in constraint else "OR IGNORE"
    for shop in ("a", "b"):
        connection.execute(f"INSERT {ignoring} INTO t {PAIRS}, '{shop}' AS shop FROM range(12)")
    if "PRIMARY" not in constraint:
        connection.execute(f"INSERT {ignoring} INTO t VALUES (NULL, 1, 'a'), (NULL, 1, 'b')")
    scores = sorted(connection.execute(sql).fetchall(), key=repr)
    within = "WHERE shop IS NOT NULL" if "shop" in keys else ""
    expected = f"SELECT {keys}, count(DISTINCT u) FROM t {within} GROUP BY ALL HAVING count(u) > 0"
    assert scores == sorted(connection.execute(expected).fetchall(), key=repr)


def test_a_null_that_repeats_counts_once() -> None:
    made, connection = plan_of(TOP.format("item"), COLUMNS.format("UNIQUE (u, item)"))
    connection.execute("INSERT INTO t VALUES (1, NULL, 'a'), (1, NULL, 'b'), (2, 5, 'a')")
    assert sorted(connection.execute(made.selection.score_sql).fetchall(), key=repr) == [(5, 1), (None, 1)]


LINKED = """CREATE TABLE p (u BIGINT PRIMARY KEY, shop VARCHAR);
    CREATE TABLE t (u BIGINT, item BIGINT, shop VARCHAR, seen INTEGER, PRIMARY KEY (u, item, seen));
    CREATE TABLE prices (item BIGINT PRIMARY KEY, price INTEGER);
    INSERT INTO p SELECT range, 'a' FROM range(9);
    INSERT INTO t SELECT range % 5, range % 4, 'b', range FROM range(40);
    INSERT INTO prices SELECT range, range FROM range(9)"""
FIRST = "SELECT u, item, row_number() OVER (PARTITION BY u ORDER BY seen) AS n FROM t"
OF_UNITS = "SELECT u, max(item) AS item, count(*) AS n FROM t GROUP BY u"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rows", "is_one"),
    [
        (f"({FIRST}) WHERE n = 1", True),
        (f"({FIRST}) WHERE n <= 1", False),
        (f"({FIRST}) WHERE n = 1 OR n = 2", False),
        (f"p JOIN ({OF_UNITS}) AS x ON x.u = p.u", True),
        (f"p LEFT JOIN ({OF_UNITS}) AS x ON x.u = p.u", True),
        (f"p LEFT JOIN ({OF_UNITS}) AS x ON x.u = p.u AND x.n > 3", True),
        (f"p JOIN ({FIRST}) AS x ON x.u = p.u WHERE n = 1", True),
        (f"p JOIN ({FIRST}) AS x ON x.u = p.u AND n = 1", False),  # not found, though it is so
        (f"p LEFT JOIN ({FIRST}) AS x ON x.u = p.u AND n = 1", False),
        (f"p JOIN ({FIRST}) AS x ON x.u = p.u", False),
        (f"p JOIN ({OF_UNITS}) AS x ON x.u = p.u JOIN t ON t.u = p.u", False),
        (f"({OF_UNITS}) AS x JOIN prices ON prices.item = x.item", True),
        (f"({OF_UNITS}) AS x JOIN prices ON prices.price = x.item", False),  # of which later rows have more
        (f"({OF_UNITS}) AS x JOIN prices ON prices.item < x.item", False),
        ("(SELECT p.u, p.shop, max(seen) AS last FROM p JOIN t ON t.u = p.u GROUP BY p.u, p.shop)", True),
        ("(SELECT p.u, t.shop, max(seen) AS last FROM p JOIN t ON t.u = p.u GROUP BY p.u, t.shop)", False),
        ("t WHERE item = 1 AND seen = 2", True),
        ("t WHERE item = 1", False),
        ("t JOIN p ON p.u = t.u WHERE item = 1 AND seen = 2", True),
    ],
)
def test_one_row_of_each_unit(rows: str, is_one: bool) -> None:
    """Then a declared bound on rows is of no use; and it is so in the rows."""
    owner_says = "ALTER TABLE p ADD PRIVACY_KEY (u); ALTER TABLE t ADD PRIVACY_LINK (u) REFERENCES p(u); "
    owner_says += "ALTER TABLE prices SET PUBLIC; ALTER TABLE t SET PRIVACY CONTRIBUTION (rows = 20)"
    with duckdb.connect() as connection:
        connection.execute(LINKED)
        owner = dpduck.connect(connection)
        for statement in owner_says.split(";"):
            owner.execute(statement)
        query = f"SELECT count(*) AS n FROM {rows}"
        made = any_plan(query, load_catalog(connection), facts=PublicFacts(connection))
        assert isinstance(made, Plan)
        assert made.asked.one_row is is_one
        [(counted,)] = quiet.answer(made, connection).fetchall()
        [(plain,)] = connection.execute(query).fetchall()
        assert counted == plain or not is_one
