"""Constants mean beside a column what they mean to DuckDB: lists of one, casts, and texts of times.

Each condition stands over private rows, over what they release, and over a public table; without noise each
counts as plain DuckDB does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import duckdb
import pytest

import dpduck
from tests.sources import HALF, Quiet

TABLES = """
CREATE TABLE visits AS SELECT i AS id, ['home', 'news', 'home,news'][1 + i % 3] AS page, (i % 7)::BIGINT AS b,
    ((i % 10) / 2)::DECIMAL(5,1) AS a, (i % 10) / 2 AS f, DATE '2024-01-25' + (i % 10)::INTEGER AS d,
    TIMESTAMP '2024-01-31 00:00:00' + to_hours(i % 24) AS ts,
    TIMESTAMPTZ '2024-01-31 00:00:00+00' + to_hours(i % 24) AS tz FROM range(240) AS r(i);
CREATE TABLE shown AS FROM visits;
"""
POLICIES = """
ALTER TABLE visits ADD PRIVACY_KEY (id); ALTER TABLE shown SET PUBLIC;
ALTER TABLE visits ALTER COLUMN page SET PRIVACY DOMAIN IN ('home', 'news', 'home,news');
ALTER TABLE visits ALTER COLUMN b SET PRIVACY DOMAIN BETWEEN (0, 6);
ALTER TABLE visits ALTER COLUMN a SET PRIVACY DOMAIN BETWEEN (0, 5);
"""
PLACES = (
    "SELECT count(*) FROM visits WHERE {}",
    "SELECT count(*) FILTER (WHERE {}) FROM visits",
    "SELECT sum(CASE WHEN {} THEN 1 ELSE 0 END) FROM shown",
)
RELEASED = (
    "SELECT {0}, n FROM (SELECT {0}, count(*) AS n FROM visits GROUP BY {0}) WHERE {1} ORDER BY {0}",
    "SELECT {0}, count(*) AS n FROM visits GROUP BY {0} HAVING {1} ORDER BY {0}",
)
LISTS = [
    "page IN (SELECT 'home,news')",
    "page NOT IN (SELECT 'home,news')",
    "page IN ((SELECT 'home,news'))",
    "page IN (SELECT ('home,news') AS x)",
    "page NOT IN (SELECT NULL)",
    "page IN ((SELECT 'home,news'), 'news')",
    "b IN (SELECT 2 + 1)",
]
REFUSED = [
    "b IN (SELECT 'x')",
    "b IN (SELECT '3')",
    "page IN (SELECT 5)",
    "b NOT IN ((SELECT DATE '2024-01-31'))",
]
CASTS = [
    *("a = 2.5::DECIMAL(5,0)", "b = 2.5::DECIMAL(5,0)", "b < '2.5'::DECIMAL(5)", "f = 2.45::DECIMAL(5,1)"),
    *(
        "a = 2.45::NUMERIC(5,1)",
        "b > -2.5::DECIMAL(5,0)",
        "b BETWEEN '-0.5'::DECIMAL(1,0) AND 1.49::DECIMAL(3,1)",
    ),
    *("a = 2.5::DECIMAL(38,37)", "b IN (2.5::DECIMAL(5,0), 4)", "b = 3.0004::DECIMAL", "b = 2.5::INTEGER"),
]
TIMES = [
    *("ts = '2024-01-31 12:00:00+02'", "ts >= TIMESTAMP '2024-01-31 12:00:00-05:30'"),
    *("ts < CAST('2024-01-31 12:00:00+02' AS TIMESTAMP)", "ts IN ('2024-01-31 12:00:00+02')"),
    "ts BETWEEN '2024-01-31 05:00:00Z' AND '2024-01-31 12:00:00+02'",
    *("d < TIMESTAMP '2024-01-31 01:00:00+02'", "date_trunc('hour', ts) = '2024-01-31 12:00:00+02'"),
    "date_diff('hour', TIMESTAMP '2024-01-31 02:00:00+02', ts) > 3",
    *("tz = '2024-01-31 12:00:00+02'", "tz < TIMESTAMPTZ '2024-01-31 12:00:00+02'"),
    *("ts < TIMESTAMPTZ '2024-01-31 12:00:00+02'", "tz < TIMESTAMP '2024-01-31 12:00:00+02'"),
]
BEYOND = [
    *("b = 1000::DECIMAL(3,0)", "b < 999.5::DECIMAL(3,0)", "b = 2.5::DECIMAL(2,2)", "b < 'x'::DECIMAL(5,0)"),
    *("b < 300::TINYINT", "b = 'x'::INTEGER", "b = 123456789012345678::DECIMAL", "f < 'many'::DOUBLE"),
    *("b + '7x'::INTEGER > 3", "b = 2.5::DECIMAL(40,2)"),
]


@dataclass(frozen=True)
class Both:
    """The same rows, protected and plain."""

    db: dpduck.Connection
    plain: duckdb.DuckDBPyConnection


@pytest.fixture(scope="module")
def both() -> Iterator[Both]:
    with pytest.MonkeyPatch.context() as patched, duckdb.connect() as rows, duckdb.connect() as plain:
        patched.setattr("dpduck.answers.service.SystemEntropy", lambda: Quiet(HALF))
        for one in (rows, plain):
            one.execute(f"SET TimeZone = 'UTC'; {TABLES}")
        with dpduck.connect(rows, epsilon="0.01") as db:
            db.execute(POLICIES)
            yield Both(db, plain)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("condition", [*LISTS, *CASTS, *TIMES])
def test_rows(both: Both, condition: str, place: str) -> None:
    sql = place.format(condition)
    assert both.db.execute(sql).fetchall() == both.plain.execute(sql).fetchall()


@pytest.mark.parametrize("place", RELEASED)
@pytest.mark.parametrize("condition", [one for one in (*LISTS, *CASTS) if one[0] in "pb"])
def test_released_rows(both: Both, condition: str, place: str) -> None:
    sql = place.format(condition.split()[0], condition)
    assert both.db.execute(sql).fetchall() == both.plain.execute(sql).fetchall()


@pytest.mark.parametrize("place", [*PLACES, *RELEASED])
@pytest.mark.parametrize("condition", REFUSED)
def test_a_list_that_duckdb_refuses_is_refused_for_nothing(both: Both, condition: str, place: str) -> None:
    """Where IN reads a query DuckDB refuses the types as it binds; a list of the same fails on rows."""
    sql = place.format(condition.split()[0], condition) if "{1}" in place else place.format(condition)
    with pytest.raises(duckdb.BinderException):
        both.plain.execute(sql)
    with pytest.raises(dpduck.DpduckError, match=r"Nothing was charged"):
        both.db.execute(sql)


def test_a_list_of_null_converts_no_released_key() -> None:
    """DuckDB makes a SMALLINT of each where the list is not a query."""
    with duckdb.connect() as rows, pytest.MonkeyPatch.context() as patched:
        patched.setattr("dpduck.answers.service.SystemEntropy", lambda: Quiet(HALF))
        rows.execute("CREATE TABLE t AS SELECT i AS id, 1e38::UHUGEINT AS uh FROM range(240) AS r(i)")
        db = dpduck.connect(rows, epsilon=4)
        db.execute("ALTER TABLE t ADD PRIVACY_KEY (id)")
        db.execute("SET dp_delta = 1e-6")
        db.execute("ALTER TABLE t SET PRIVACY CONTRIBUTION (groups = 1)")
        sql = "SELECT uh IN (SELECT NULL::TINYINT), n FROM (SELECT uh, count(*) AS n FROM t GROUP BY uh)"
        assert db.execute(sql).fetchall() == rows.execute(sql).fetchall() == [(None, 240)]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("condition", BEYOND)
def test_a_constant_beyond_its_cast_is_refused_for_nothing(both: Both, condition: str, place: str) -> None:
    with pytest.raises(duckdb.Error):
        both.plain.execute(place.format(condition)).fetchall()
    with pytest.raises(dpduck.DpduckError) as caught:
        both.db.execute(place.format(condition))
    assert caught.value.charged == "0"
    assert "Nothing was charged" in str(caught.value)
