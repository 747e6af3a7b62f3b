"""Rows whose values are NULL, or not in their domains: what a summary counts of them, and what it says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

import dpduck
from tests.sources import HALF, Quiet
from tests.summaries.asking import rows, told

ROWS = """
CREATE TABLE t AS SELECT i AS id, CASE WHEN i % 2 = 0 THEN i % 4 = 0 END AS b,
    ['x', 'y', 'other', NULL][1 + i % 4] AS city, CASE WHEN i % 5 > 0 THEN i % 100 END AS age
FROM range(2000) AS r(i);
ALTER TABLE t ADD PRIMARY KEY (id)
"""
POLICIES = """
ALTER TABLE t ADD PRIVACY_KEY (id);
ALTER TABLE t ALTER COLUMN city SET PRIVACY DOMAIN IN ('x', 'y');
ALTER TABLE t ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (0, 99)
"""
SUMMARY = "CREATE PRIVACY SUMMARY s ON t ({}) EPSILON 1"
OF_NULLS = (
    "SELECT count(*) FROM t",
    "SELECT count(*) FROM t WHERE b IS NULL",
    "SELECT count(*) FROM t WHERE b IS NOT TRUE",
    "SELECT count(*) FROM t WHERE NOT coalesce(b, false)",
    "SELECT count(*) FILTER (WHERE b IS NULL) FROM t",
    "SELECT b, count(*) FROM t GROUP BY b ORDER BY b",
    "SELECT count(*) FROM t WHERE age IS NULL",
    "SELECT count(*) FROM t WHERE age >= 40 OR age IS NULL",
    "SELECT b, count(*) FROM t WHERE age IS NULL GROUP BY b ORDER BY b",
)


def make_table(path: Path) -> None:
    with duckdb.connect(path) as con:
        con.execute(ROWS)
    with dpduck.connect(path) as owner:
        owner.execute(POLICIES)


@pytest.fixture
def quiet(copied: Callable[..., Path]) -> dpduck.Connection:
    """Without noise in what is fresh, and in summaries."""
    db = dpduck.connect(copied(make_table, "t.duckdb"), epsilon="0.1")
    db._service._entropy = Quiet(HALF)
    return db


@pytest.mark.parametrize("sql", OF_NULLS)
def test_null_is_counted_as_without_the_summary(quiet: dpduck.Connection, sql: str) -> None:
    fresh = rows(quiet, sql)
    quiet.execute(SUMMARY.format("b, age BANDS (20, 40, 60)"))
    quiet.execute("SET dp_replay = off")
    assert rows(quiet, sql) == fresh
    assert "from summary s" in told(quiet)
    assert quiet.charged == "0"


@pytest.mark.parametrize("where", ["city = 'other'", "age > 99", "age < 0 AND city = 'x'"])
def test_what_no_cell_meets_is_asked_of_the_table(quiet: dpduck.Connection, where: str) -> None:
    sql = f"SELECT count(*) FROM t WHERE {where}"
    fresh = rows(quiet, sql)
    quiet.execute(SUMMARY.format("city, age BANDS (20, 40, 60)"))
    quiet.execute("SET dp_replay = off")
    assert rows(quiet, sql) == fresh
    assert quiet.charged == "0.1"
    assert "it has no cell that meets the conditions" in str(quiet.explain(sql))


def test_values_outside_of_a_domain_are_left_out_and_that_is_said(quiet: dpduck.Connection) -> None:
    said = "out rows whose city is not in its public domain"
    assert said in " ".join(str(row[0]) for row in rows(quiet, f"EXPLAIN {SUMMARY.format('city')}"))
    quiet.execute(SUMMARY.format("city"))
    assert rows(quiet, "SELECT count(*) AS n FROM t") == [(1500,)]
    assert f"leaves {said}" in told(quiet)
    explained = quiet.explain("SELECT count(*) AS n FROM t")
    assert said in str(explained)
    assert explained.covers == {"n": "domain"}


def test_nothing_is_left_out_where_domains_are_all_there_is(quiet: dpduck.Connection) -> None:
    quiet.execute(SUMMARY.format("b"))
    explained = quiet.explain("SELECT count(*) AS n FROM t")
    assert explained.mechanism == "summary"
    assert "leaves" not in str(explained)
    assert explained.covers == {}
    assert rows(quiet, "SELECT count(*) AS n FROM t") == [(2000,)]
    assert "leaves out" not in told(quiet)


# --- who pays, and which answers -----------------------------------------------------------------


@pytest.mark.parametrize("terms", ["LIMIT 3", "LIMIT 3 PER QUERY 0.5", "LIMIT 0.7"])
def test_a_budget_pays_no_more_than_the_query_asks_to_spend(
    quiet: dpduck.Connection, tmp_path: Path, terms: str
) -> None:
    quiet.execute(SUMMARY.format("b"))
    quiet.execute(f"CREATE PRIVACY BUDGET small {terms} FOR mo")
    sql = "SELECT count(*) AS n FROM t WHERE b"
    quiet.close()
    for epsilon, pays in (("0.05", False), ("1", "PER" not in terms and terms != "LIMIT 0.7")):
        with dpduck.connect(tmp_path / "t.duckdb", analyst="mo", epsilon=epsilon) as mo:
            explained = mo.explain(sql)
            assert (explained.mechanism == "summary") == pays
            if pays:
                assert rows(mo, sql)
                assert mo.charged == explained.epsilon == "1"
            elif epsilon == "0.05":
                assert rows(mo, sql)
                assert mo.charged == explained.epsilon == "0.05"
                assert "a budget FOR somebody would pay its price" in str(explained)


def test_the_summary_that_answered_last_gives_way_to_one_that_is_exact_enough(
    quiet: dpduck.Connection,
) -> None:
    quiet.execute("CREATE PRIVACY SUMMARY worse ON t (b, city) EPSILON 0.01")
    quiet.execute("SET dp_summaries = only")
    rows(quiet, "SELECT count(*) FROM t WHERE b AND city = 'x'")
    assert "from summary worse" in told(quiet)
    quiet.execute("CREATE PRIVACY SUMMARY good ON t (b) EPSILON 4")
    quiet.execute("SET dp_summaries = on")
    rows(quiet, "SELECT count(*) FROM t WHERE b")
    assert "from summary good" in told(quiet)
    assert quiet.charged == "0"
