"""NULL as a key: where it is a candidate, what the owner declares, and what is said where it is left out."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import duckdb
import pytest

import dpduck
from dpduck import policies
from dpduck.engines.duckdb.public_facts import PublicFacts
from dpduck.kernel.plan.model import Plan, PublicPlan
from tests.query import quiet
from tests.query.shop import any_plan, statement

SCHEMA = """
CREATE TABLE shops (id INTEGER PRIMARY KEY, town VARCHAR, chain INTEGER);
INSERT INTO shops VALUES (0, 'Ulm', 1), (1, NULL, 1), (2, 'Bonn', NULL);
CREATE TABLE sales (
    person INTEGER PRIMARY KEY, item VARCHAR, size INTEGER, day DATE, shop INTEGER, age INTEGER
);
INSERT INTO sales SELECT i, if(i % 5 = 0, NULL, ['a', 'b', 'c'][i % 3 + 1]), if(i % 7 = 0, NULL, i % 4),
    if(i % 11 = 0, NULL, DATE '2024-01-01' + (i % 60)::INTEGER), i % 4, if(i % 6 = 1, NULL, i % 50)
    FROM range(600) AS r(i);
"""
POLICIES = (
    "ALTER TABLE shops SET PUBLIC",
    "ALTER TABLE sales ADD PRIVACY_KEY (person)",
    "ALTER TABLE sales ALTER COLUMN item SET PRIVACY DOMAIN IN ('c', NULL, 'a', 'b')",
    "ALTER TABLE sales ALTER COLUMN size SET PRIVACY DOMAIN BETWEEN (0, 3) OR NULL",
    "ALTER TABLE sales ALTER COLUMN day SET PRIVACY DOMAIN BETWEEN ('2024-01-01', '2024-02-29') OR NULL",
    "ALTER TABLE sales ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (0, 49)",
)


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as opened:
        opened.execute(SCHEMA)
        for text in POLICIES:
            policies.execute(opened, statement(text))
        yield opened


def plan_of(query: str, connection: duckdb.DuckDBPyConnection) -> Plan | PublicPlan:
    return any_plan(query, policies.load_catalog(connection), facts=PublicFacts(connection))


SAME_AS_PLAIN = [
    "SELECT item, count(*) FROM sales GROUP BY item",
    "SELECT size, count(*) FROM sales GROUP BY size",
    "SELECT size, count(*) FROM sales WHERE size IS NULL GROUP BY size",
    "SELECT size, count(*) FROM sales WHERE size IS NULL OR size = 2 GROUP BY size",
    "SELECT size, count(*) FROM sales WHERE size IS NOT NULL GROUP BY size",
    "SELECT size, count(*) FROM sales WHERE NOT (size IS NULL) AND item = 'a' GROUP BY size",
    "SELECT size, count(*) FROM sales WHERE size > 1 GROUP BY size",
    "SELECT size, count(*) FROM sales WHERE size NOT IN (1, 2) GROUP BY size",
    "SELECT size, count(*) FROM sales WHERE coalesce(size, 1) = 1 GROUP BY size",
    "SELECT item, size, count(*) FROM sales GROUP BY item, size",
    "SELECT item, size, count(*) FROM sales WHERE item IS NULL AND size < 2 GROUP BY item, size",
    "SELECT upper(item) AS k, count(*) FROM sales GROUP BY k",
    "SELECT coalesce(item, 'none') AS k, count(*) FROM sales GROUP BY k",
    "SELECT date_trunc('month', day) AS k, count(*) FROM sales GROUP BY k",
    "SELECT month(day) AS k, day IS NULL AS missing, count(*) FROM sales GROUP BY k, missing",
    "SELECT size > 1 AS k, count(*) FROM sales GROUP BY k",
    "SELECT CASE WHEN age < 20 THEN 'new' WHEN age < 60 THEN 'old' END AS k, count(*) FROM sales GROUP BY k",
    "SELECT CASE WHEN size < 2 THEN NULL ELSE 'x' END AS k, count(*) FROM sales GROUP BY k",
    "SELECT town, count(*) FROM sales JOIN shops ON shop = id GROUP BY town",
    "SELECT chain, town, count(*) FROM sales JOIN shops ON shop = id GROUP BY chain, town",
    "SELECT town, count(*) FROM sales LEFT JOIN shops ON shop = id GROUP BY town",
    "SELECT item, count(*) AS n FROM sales GROUP BY item ORDER BY n DESC, item LIMIT 2",
    "SELECT size, avg(age), median(age) FROM sales GROUP BY size",
    "SELECT size, sum(age) FROM sales GROUP BY size HAVING count(*) > 0",
    "SELECT DISTINCT item FROM sales",
]


@pytest.mark.parametrize("query", SAME_AS_PLAIN)
def test_null_is_a_key_as_in_plain_sql(query: str, connection: duckdb.DuckDBPyConnection) -> None:
    answered = quiet.answer(plan_of(query, connection), connection).fetchall()
    expected = connection.execute(query).fetchall()
    assert quiet.is_same([row for row in answered if row[-1] != 0], expected, ordered="ORDER" in query)


def test_null_is_the_last_candidate(connection: duckdb.DuckDBPyConnection) -> None:
    plan = plan_of("SELECT item, count(*) FROM sales GROUP BY item", connection)
    assert isinstance(plan, Plan)
    assert list(plan.space.groups()) == [("c",), ("a",), ("b",), (None,)]


LEFT_OUT = [
    ("age", "", True),
    ("age", "WHERE age IS NOT NULL", False),
    ("age", "WHERE age > 10", False),
    ("age", "WHERE age > 10 OR size = 1", True),
    ("age // 10", "WHERE age BETWEEN 10 AND 29", False),
    ("coalesce(age, 0)", "", False),
    ("item", "", False),
    ("person IS NULL", "", False),
    ("CASE WHEN age < 20 THEN 1 END", "", False),
]


@pytest.mark.parametrize(("key", "where", "nulls"), LEFT_OUT)
def test_what_is_said_of_null(
    key: str, where: str, nulls: bool, connection: duckdb.DuckDBPyConnection
) -> None:
    plan = plan_of(f"SELECT {key} AS k, count(*) FROM sales {where} GROUP BY k", connection)
    assert isinstance(plan, Plan)
    assert any(partial.nulls for partial in plan.asked.partial_keys) is nulls


def test_unique_rows_may_repeat_null() -> None:
    """UNIQUE allows one person many rows whose key is NULL: it counts once, as for any other key."""
    with duckdb.connect() as opened:
        opened.execute("CREATE TABLE t (u INTEGER, k VARCHAR, UNIQUE (u, k))")
        opened.execute("INSERT INTO t VALUES (1, NULL), (1, NULL), (1, 'a'), (2, 'b')")
        for text in ("ADD PRIVACY_KEY (u)", "ALTER COLUMN k SET PRIVACY DOMAIN IN ('a', 'b', NULL)"):
            policies.execute(opened, statement(f"ALTER TABLE t {text}"))
        plan = plan_of("SELECT k, count(*) FROM t GROUP BY k", opened)
        assert quiet.answer(plan, opened).fetchall() == [("a", 1), ("b", 1), (None, 1)]


def test_a_unit_may_be_in_the_group_of_null_as_well() -> None:
    """The noise is for one group more, and a bound on groups counts it."""
    with duckdb.connect() as opened:
        opened.execute("CREATE TABLE t AS SELECT i % 3 AS u, nullif(i % 5, 4) AS k FROM range(60) AS r(i)")
        for text in ("ADD PRIVACY_KEY (u)", "ALTER COLUMN k SET PRIVACY DOMAIN BETWEEN (0, 3) OR NULL"):
            policies.execute(opened, statement(f"ALTER TABLE t {text}"))
        plan = plan_of("SELECT k, count(*) FROM t GROUP BY k", opened)
        assert isinstance(plan, Plan)
        assert [measure.groups for measure in plan.measures] == [5]
        assert quiet.answer(plan, opened).fetchall() == [(0, 3), (1, 3), (2, 3), (3, 3), (None, 3)]
        policies.execute(opened, statement("ALTER TABLE t SET PRIVACY CONTRIBUTION (groups = 2)"))
        bounded = plan_of("SELECT k, count(*) FROM t GROUP BY k", opened)
        answered = quiet.answer(bounded, opened).fetchall()
        assert sum(count for _, count in answered) == 6


TWICE = [
    "IN ('a', NULL, NULL)",
    "IN ('a', NULL) OR NULL",
]


@pytest.mark.parametrize("domain", TWICE)
def test_null_once(domain: str, connection: duckdb.DuckDBPyConnection) -> None:
    said = f"ALTER TABLE sales ALTER COLUMN item SET PRIVACY DOMAIN {domain}"
    with pytest.raises(dpduck.PolicyError) as caught:
        policies.execute(connection, statement(said))
    assert caught.value.message == "this cannot be the privacy domain of column sales.item"
    assert "NULL occurs twice." in str(caught.value.detail)


def test_a_domain_of_null_alone_is_none(connection: duckdb.DuckDBPyConnection) -> None:
    said = statement("ALTER TABLE sales ALTER COLUMN item SET PRIVACY DOMAIN IN (NULL)")
    with pytest.raises(dpduck.PolicyError):
        policies.execute(connection, said)


def test_what_is_declared_is_kept_shown_and_taken_back() -> None:
    with duckdb.connect() as opened:
        opened.execute(SCHEMA)
        opened.execute("CREATE TABLE items (item VARCHAR); INSERT INTO items VALUES ('a'), ('b'), (NULL)")
        with dpduck.connect(opened, epsilon=Fraction(1)) as db:
            for text in (*POLICIES, "ALTER TABLE items SET PUBLIC"):
                db.execute(text)
            shown = {row[3]: row[4] for row in db.execute("SHOW PRIVACY").fetchall() if row[3]}
            assert shown["item"] == "IN (c, a, b) OR NULL"
            assert shown["size"] == "BETWEEN (0, 3) STEP 1 OR NULL"
            assert shown["age"] == "BETWEEN (0, 49) STEP 1"
            told = {row[0]: row[2] for row in db.execute("SHOW PRIVACY FOR sales").fetchall()}
            assert told["GROUP BY item"] == "3 public values and NULL."
            assert told["mode(item)"] == "3 public values."
            column = "ALTER TABLE sales ALTER COLUMN item"
            db.execute(f"{column} SET PRIVACY DOMAIN REFERENCES items(item) OR NULL")
            found = db.execute("SELECT DISTINCT item FROM sales").fetchall()
            assert found == [("a",), ("b",), (None,)]
            db.execute(f"{column} DROP PRIVACY DOMAIN")
            assert not policies.load_catalog(opened).table("sales", "main").column("item").or_null


@pytest.mark.parametrize(
    ("column", "reason"),
    [
        ("tags", "Lists of other rows may have no such element."),
        ("js.b", "What is not there, malformed and very long JSON give NULL as well."),
    ],
)
def test_null_is_no_key_where_it_stands_for_more_than_the_column(column: str, reason: str) -> None:
    with duckdb.connect() as con:
        con.execute("CREATE TABLE t (person INTEGER PRIMARY KEY, js JSON, tags VARCHAR[])")
        policies.execute(con, statement("ALTER TABLE t ADD PRIVACY_KEY (person)"))
        for domain in ("IN ('q', NULL)", "IN ('q') OR NULL"):
            with pytest.raises(dpduck.DpduckError, match="NULL cannot be in the privacy domain") as raised:
                policies.execute(
                    con, statement(f"ALTER TABLE t ALTER COLUMN {column} SET PRIVACY DOMAIN {domain}")
                )
            assert raised.value.reason == reason
        policies.execute(con, statement(f"ALTER TABLE t ALTER COLUMN {column} SET PRIVACY DOMAIN IN ('q')"))
        source = (
            "(SELECT person, unnest(tags) AS x FROM t)"
            if column == "tags"
            else "(SELECT js->>'b' AS x FROM t)"
        )
        plan = plan_of(f"SELECT coalesce(x, 'none'), count(*) FROM {source} GROUP BY 1", con)
        assert isinstance(plan, Plan)
        assert plan.space.size == 2
