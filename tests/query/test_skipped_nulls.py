"""Aggregates of greatest and least, which count NULL as a constant, say so where a column may be NULL."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

import dpduck

TABLE = """
CREATE TABLE visits AS SELECT i AS id, CASE WHEN i % 2 = 0 THEN i END AS c, i % 7 AS d FROM range(200) r(i)
"""
POLICIES = """
ALTER TABLE visits ADD PRIVACY_KEY (id);
ALTER TABLE visits ALTER COLUMN c SET PRIVACY DOMAIN BETWEEN (0, 999);
ALTER TABLE visits ALTER COLUMN d SET PRIVACY DOMAIN BETWEEN (0, 9);
"""
AS = {
    "avg(least(greatest(c, 0), 5000))": "0",
    "avg(least(c, 500))": "500",
    "sum(least(c, 500) / 10)": "500",
    "sum(greatest(c, -3, 2))": "2",
    "count(greatest(c, 0))": "0",
    "count(DISTINCT greatest(c, 0))": "0",
    "median(greatest(c, 0))": "0",
    "max(greatest(c, 0))": "0",
    "stddev(greatest(c, 0))": "0",
    "corr(greatest(c, 0), d)": "0",
    "sum(greatest(c, d))": "another argument",
    "sum(CASE WHEN d > 2 THEN greatest(c, 0) END)": "0",
}
LEFT_OUT = [
    *("avg(c)", "sum(greatest(d, 0))", "sum(greatest(c, NULL))", "avg(greatest(coalesce(c, 1), 0))"),
    *("avg(greatest(c, 0)) FILTER (WHERE c IS NOT NULL)", "avg(greatest(c, 0)) FILTER (WHERE c > 3)"),
]


@pytest.fixture(scope="module")
def db() -> Iterator[dpduck.Connection]:
    with duckdb.connect() as rows:
        rows.execute(f"{TABLE}; ALTER TABLE visits ALTER d SET NOT NULL")
        with dpduck.connect(rows, epsilon="0.1") as db:
            db.execute(POLICIES)
            yield db


def said(db: dpduck.Connection, sql: str) -> list[str]:
    return [one for one in db.explain(sql).caveats if "NULL as" in one]


@pytest.mark.parametrize("aggregate", AS)
def test_what_null_counts_as_is_said(db: dpduck.Connection, aggregate: str) -> None:
    [one] = said(db, f"SELECT {aggregate} AS v FROM visits")
    assert one == f"v counts NULL as {AS[aggregate]}, as greatest and least skip it."


@pytest.mark.parametrize("aggregate", LEFT_OUT)
def test_nothing_is_said_where_no_null_counts(db: dpduck.Connection, aggregate: str) -> None:
    assert said(db, f"SELECT {aggregate} AS v FROM visits") == []


def test_it_is_said_of_columns_of_subqueries_and_with_answers(db: dpduck.Connection) -> None:
    inner = "SELECT avg(y) AS v FROM (SELECT greatest(c, 0) AS y FROM visits)"
    assert said(db, inner) == ["v counts NULL as 0, as greatest and least skip it."]
    assert said(db, f"{inner} WHERE y > 0") == said(db, inner)
    db.execute(inner)
    assert "v counts NULL as 0, as greatest and least skip it." in db.notices
