"""PIVOT: its numbers and names are those of groups, and all of a public domain has columns.

The golden files have plans and answers of PIVOT with lists.
"""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

import dpduck
from dpduck import policies
from dpduck.engines.duckdb.public_facts import PublicFacts
from dpduck.kernel.plan.model import Plan
from tests.query import quiet
from tests.query.shop import any_plan, open_shop

Rows = list[tuple[object, ...]]
PAGES = "SELECT * FROM (VALUES ('news', 'de', 5), ('home', 'en', 7), (NULL, 'fr', 2)) AS v(topic, lang, size)"


@pytest.fixture(scope="module")
def shop() -> Iterator[duckdb.DuckDBPyConnection]:
    with open_shop() as connection:
        yield connection


def plan_of(query: str, shop: duckdb.DuckDBPyConnection) -> Plan:
    made = any_plan(query, policies.load_catalog(shop), facts=PublicFacts(shop))
    assert isinstance(made, Plan)
    return made


def answer(query: str, shop: duckdb.DuckDBPyConnection) -> tuple[list[str], Rows]:
    """The names and the rows of an answer without noise."""
    result = quiet.answer(plan_of(query, shop), shop)
    return [name for name, _ in quiet.columns(result)], result.fetchall()


KEYS = ["page", "tiny", "huge", "amount", "day", "moment", "ok", "grade", '"order"', "score", "age"]


@pytest.mark.parametrize("key", [*KEYS, "upper(page)", "day + 1"])
def test_each_value_of_a_domain_has_a_column(key: str, shop: duckdb.DuckDBPyConnection) -> None:
    rows = f"(SELECT {key} AS key FROM visits)"
    names, [numbers] = answer(f"PIVOT {rows} ON key USING count(*)", shop)
    groups = answer(f"SELECT CAST(key AS VARCHAR), count(*) FROM {rows} GROUP BY key", shop)[1]
    assert names == [name for name, _ in groups]
    assert numbers == tuple(count for _, count in groups)
    assert any(count for _, count in groups)


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("PIVOT {} ON page IN ('a', 'b') USING count(*) GROUP BY score", "score a b"),
        ("PIVOT {} ON page IN ('a', 'b') GROUP BY score", "score a b"),
        ("PIVOT {} ON page IN ('a') USING count(*) AS n GROUP BY score", "score a_n"),
        (
            "PIVOT {} ON page IN ('a') USING count(*), sum(age) GROUP BY score",
            "score a_count_star() a_sum(age)",
        ),
        ("PIVOT {} ON page IN ('a'), score IN (0, 5) USING max(age) GROUP BY grade", "grade a_0 a_5"),
        ("PIVOT {} ON page IN ('a') USING count(*) AS n, sum(age) AS n GROUP BY score", "score a_n a_n_1"),
        ("PIVOT (SELECT page, score FROM {}) ON page IN ('a') USING count(*)", "score a"),
        ("PIVOT (SELECT page, age FROM {}) ON page IN ('a') USING avg(age)", "a"),
        (
            "PIVOT {} ON ok IN (true, false) USING round(avg(age), 1) GROUP BY page, score",
            "page score true false",
        ),
    ],
)
def test_columns_have_the_names_of_duckdb(query: str, names: str, shop: duckdb.DuckDBPyConnection) -> None:
    query = query.format("visits")
    described = [row[0] for row in shop.execute(f"DESCRIBE {query}").fetchall()]
    assert answer(query, shop)[0] == described == names.split()


def test_columns_do_not_share_epsilon(shop: duckdb.DuckDBPyConnection) -> None:
    spread = plan_of("PIVOT visits ON page USING count(*) GROUP BY score", shop)
    groups = plan_of("SELECT score, page, count(*) FROM visits GROUP BY score, page", shop)
    assert [one.epsilon for one in spread.measures] == [one.epsilon for one in groups.measures]
    assert spread.measures[0].scores == groups.measures[0].scores


@pytest.fixture(scope="module")
def db() -> Iterator[dpduck.Connection]:
    connection = duckdb.connect()
    connection.execute("CREATE TABLE t AS SELECT i AS id, i % 3 AS k, i % 2 AS v FROM range(300) AS r(i)")
    connection.execute(f"CREATE TABLE pages AS {PAGES}")
    with dpduck.connect(connection, epsilon="1", delta="0") as db:
        db.execute("ALTER TABLE t ADD PRIVACY_KEY (id)")
        db.execute("ALTER TABLE pages SET PUBLIC")
        for column in "kv":
            db.execute(f"ALTER TABLE t ALTER COLUMN {column} SET PRIVACY DOMAIN BETWEEN (0, 2)")
        yield db


def errors(db: dpduck.Connection, query: str) -> list[str]:
    """The columns whose errors EXPLAIN tells."""
    lines = [line.split() for line in str(db.explain(query)).splitlines()]
    return [words[1] for words in lines if words[:1] == ["error"] and words[2:4] == ["is", "within"]]


def test_each_column_has_the_error_of_its_group(db: dpduck.Connection) -> None:
    assert errors(db, "PIVOT t ON v USING count(*) GROUP BY k") == ["0", "1", "2"]


COUNTS = "(SELECT k, count(*) AS n FROM t GROUP BY k) AS q"


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        (f"SELECT * FROM (SELECT k, n AS m FROM {COUNTS}) AS z", ["m"]),
        (
            f"SELECT k, m AS o FROM (SELECT * FROM (SELECT k, n AS m FROM {COUNTS}))",
            ["o"],
        ),
        (f"SELECT * FROM (SELECT k, n * 2 AS n FROM {COUNTS}) AS z", ["count(*)"]),
        (f"SELECT * REPLACE (n * 2 AS n) FROM {COUNTS}", ["count(*)"]),
        (f"SELECT * EXCLUDE (k) FROM {COUNTS}", ["n"]),
        (f"SELECT k, n FROM (SELECT k, n * 2 AS n FROM {COUNTS}) AS z", ["count(*)"]),
        (f"SELECT k, n FROM (SELECT k, sum(n) AS n FROM {COUNTS} GROUP BY k) AS z", ["count(*)"]),
    ],
)
def test_an_error_is_told_of_unchanged_numbers_only(
    db: dpduck.Connection, query: str, shown: list[str]
) -> None:
    """Another number, of the same name or not, is made of a count, which has that error."""
    assert errors(db, query) == shown


PUBLIC = [
    "PIVOT pages ON topic IN ('news', 'home') USING count(*) GROUP BY lang ORDER BY lang",
    "PIVOT pages ON topic IN ('none') USING count(*), sum(size) AS s GROUP BY lang ORDER BY lang",
    "PIVOT pages ON topic IN ('news') USING round(avg(size), 1) GROUP BY lang ORDER BY lang",
    "PIVOT (SELECT topic, size FROM pages) ON topic IN ('news', 'home') USING max(size)",
    "PIVOT pages ON topic IN ('news'), lang IN ('de', 'en') USING count(*)",
    "PIVOT (SELECT lang, news FROM (PIVOT pages ON topic IN ('news') GROUP BY lang)) "
    "ON lang IN ('de', 'fr') USING max(news)",
]


@pytest.mark.parametrize("query", PUBLIC)
def test_of_public_rows_it_is_what_duckdb_makes_of_it(db: dpduck.Connection, query: str) -> None:
    """Groups without a listed value stay, and their counts are 0."""
    plain = duckdb.connect()
    plain.execute(f"CREATE TABLE pages AS {PAGES}")
    result = db.execute(query)
    expected = plain.execute(query)
    assert [column[0] for column in result.description] == [column[0] for column in expected.description]
    assert result.fetchall() == expected.fetchall()


def test_of_released_rows_it_is_what_duckdb_makes_of_them(shop: duckdb.DuckDBPyConnection) -> None:
    released = "SELECT score, page, count(*) AS n FROM visits GROUP BY score, page"
    shop.execute("CREATE OR REPLACE TEMP TABLE released (score INTEGER, page VARCHAR, n BIGINT)")
    shop.executemany("INSERT INTO released VALUES (?, ?, ?)", answer(released, shop)[1])
    pivot = "PIVOT {} ON page IN ('a', 'none') USING sum(n), count(*) GROUP BY score ORDER BY score"
    expected = shop.execute(pivot.format("released"))
    names, rows = [column[0] for column in expected.description], expected.fetchall()
    assert answer(pivot.format(f"({released})"), shop) == (names, rows)
    assert len(rows) == 3


@pytest.mark.parametrize("clause", ["WHERE k = 1", "HAVING k = 1", "JOIN t USING (k)", "QUALIFY k = 1"])
def test_nothing_but_order_and_limit_follows(db: dpduck.Connection, clause: str) -> None:
    with pytest.raises(dpduck.SqlSyntaxError):
        db.explain(f"PIVOT t ON v USING count(*) GROUP BY k {clause}")


def test_it_is_described(db: dpduck.Connection) -> None:
    described = db.execute("DESCRIBE PIVOT t ON v USING count(*) GROUP BY k").fetchall()
    assert [row[0] for row in described] == ["k", "0", "1", "2"]
