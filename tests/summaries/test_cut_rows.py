"""Where a unit may have more rows than a summary counts, it says that the truth may be above, and no more."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

import dpduck
from tests.summaries.asking import refusal, rows, told

ORDERS = """
CREATE TABLE orders AS SELECT i % 300 AS customer, ['web', 'shop'][1 + i % 7 % 2] AS channel,
    (i % 15)::INTEGER AS spent FROM range(3000) AS r (i)
"""
POLICIES = """
ALTER TABLE orders ADD PRIVACY_KEY (customer);
ALTER TABLE orders ALTER COLUMN channel SET PRIVACY DOMAIN IN ('web', 'shop');
ALTER TABLE orders ALTER COLUMN spent SET PRIVACY DOMAIN BETWEEN (0, 15)
"""
SUMMARY = "CREATE PRIVACY SUMMARY s ON orders (channel) MEASURES (spent) CONTRIBUTION (rows = 5) EPSILON 4"


@pytest.fixture
def db(tmp_path: Path) -> Iterator[dpduck.Connection]:
    with duckdb.connect(tmp_path / "o.duckdb") as con:
        con.execute(ORDERS)
    with dpduck.connect(tmp_path / "o.duckdb", epsilon="0.5") as owner:
        owner.execute(POLICIES)
        yield owner


@pytest.fixture
def bounded(db: dpduck.Connection) -> dpduck.Connection:
    db.execute("ALTER TABLE orders SET PRIVACY CONTRIBUTION (rows = 5)")
    db.execute(SUMMARY)
    db.execute("SET dp_summaries = only")
    return db


@pytest.mark.parametrize("number", ["count(*)", "sum(spent)"])
def test_what_is_cut_has_no_upper_end(bounded: dpduck.Connection, number: str) -> None:
    query = f"SELECT channel, {number} AS n, dp_low(n), dp_high(n) FROM orders GROUP BY channel"
    found = rows(bounded, query)
    assert "from summary s" in told(bounded)
    for _, n, low, high in found:
        assert high is None
        assert float(str(low)) < float(str(n))
    plan = bounded.explain(query)
    assert plan.covers == {"n": "below"}
    assert "the truth is at least n - " in str(plan)
    shown = repr(bounded.sql(f"SELECT channel, {number} AS n FROM orders GROUP BY channel"))
    assert shown.count("or higher") == 2


def test_the_lower_end_holds(bounded: dpduck.Connection) -> None:
    """Of 3,000 rows at most 1,500 count."""
    [(n, low)] = rows(bounded, "SELECT count(*) AS n, dp_low(n) FROM orders")
    assert float(str(low)) < 3000
    assert 1300 < int(str(n)) < 1700


def test_averages_of_what_is_left_are_for_noise_alone(bounded: dpduck.Connection) -> None:
    query = "SELECT channel, avg(spent) AS a, dp_high(a) FROM orders GROUP BY channel"
    assert all(high is not None for *_, high in rows(bounded, query))
    assert bounded.explain(query).covers == {"a": "noise"}


def test_a_bound_of_the_query_is_not_that_of_the_summary(bounded: dpduck.Connection) -> None:
    """Five rows in each group are not five in all."""
    query = (
        "SELECT channel, count(*, contribution_bounds_per_group => (0, 3)) AS n FROM orders GROUP BY channel"
    )
    assert "a bound of its own" in str(refusal(bounded, query))


def test_where_people_count_it_says_what_makes_rows_count(db: dpduck.Connection) -> None:
    plan = "\n".join(str(line) for (line,) in rows(db, f"EXPLAIN {SUMMARY}"))
    assert "nor count(*), sums and averages, which count people" in plan
    assert "ALTER TABLE orders SET PRIVACY CONTRIBUTION (rows = 5) first" in plan
    db.execute(SUMMARY)
    db.execute("SET dp_summaries = only")
    for query in (
        "SELECT count(*) FROM orders",
        "SELECT avg(spent) FROM orders",
        "SELECT sum(spent) FROM orders",
    ):
        assert "SET PRIVACY CONTRIBUTION (rows = ...)" in str(refusal(db, query)), query
