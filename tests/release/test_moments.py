"""Statistics of second moments, from SQL to the answer: of few rows they are NULL, and nothing fails."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

import dpduck
from dpduck.answers import service
from tests.sources import Seeded

STATISTICS = """
stddev(a), var_pop(a), sem(a), covar_pop(a, b), corr(a, b), regr_slope(a, b), regr_intercept(a, b)
"""
ROWS = "SELECT i AS id, i % 7 AS a, i % 5 AS b, i % 3 AS k FROM range(9) AS r(i)"


@pytest.fixture(scope="module")
def db() -> Iterator[dpduck.Connection]:
    """Its noise is the same each time: now and then noise alone would look like many values."""
    connection = duckdb.connect()
    connection.execute(f"CREATE TABLE t AS {ROWS}")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(service, "SystemEntropy", lambda: Seeded("moments"))
        yield from opened(connection)


def opened(connection: duckdb.DuckDBPyConnection) -> Iterator[dpduck.Connection]:
    with dpduck.connect(connection, epsilon="0.01") as db:
        db.execute("ALTER TABLE t ADD PRIVACY_KEY (id)")
        for column, most in (("a", 6), ("b", 4), ("k", 40)):
            db.execute(f"ALTER TABLE t ALTER COLUMN {column} SET PRIVACY DOMAIN BETWEEN (0, {most})")
        yield db


def test_of_few_rows_all_are_null_and_the_notice_says_why(db: dpduck.Connection) -> None:
    for _ in range(3):
        [row] = db.execute(f"SELECT {STATISTICS} FROM t").fetchall()
        assert set(row) == {None}
        assert any("as large as the number of values" in notice for notice in db.notices)


def test_of_people_who_are_many_but_alike_the_spread_is_why() -> None:
    """Where there is no noise to show, its setting is no advice; the true reason is said."""
    connection = duckdb.connect()
    connection.execute("CREATE TABLE t AS SELECT i AS id, 3 AS a, 2 AS b, 0 AS k FROM range(5000) AS r(i)")
    for db in opened(connection):
        db.execute("SET dp_epsilon = 1")
        query = "SELECT corr(a, b) AS c FROM t"
        for asked in range(40):  # until the noise of the spread falls below 0, as it does half of the time
            db.execute(f"{query} WHERE id >= {asked}")
            said = next(one for one in db.notices if one.startswith("NULL stands for"))
            assert said.startswith("NULL stands for c, as noise is as large as the spread of values. ")
            if "SET" not in said:
                break
        assert said.endswith("spread of values. More epsilon helps.")
        db.execute("SET dp_noisy_averages = on")
        assert db.execute(f"{query} WHERE id >= {asked}").fetchall() == [(None,)]
        assert (
            "Mere noise, or NULL, may stand for c: noise is as large as the spread of values." in db.notices
        )
        assert not any("no values" in one for one in db.notices)


def test_of_no_rows_and_of_noise_nothing_fails(db: dpduck.Connection) -> None:
    db.execute("SET dp_noisy_averages = on")
    for condition in ("a = 1", "a + b = 0"):
        rows = db.execute(f"SELECT k, {STATISTICS} FROM t WHERE {condition} GROUP BY k").fetchall()
        assert len(rows) == 41
        for _, deviation, variance, _, _, correlation, _, _ in rows:
            assert deviation >= 0
            assert 0 <= variance <= 9
            assert correlation is None or -1 <= correlation <= 1
    db.execute("SET dp_noisy_averages = off")


@pytest.mark.parametrize(
    "tail",
    [
        "",
        " ORDER BY n DESC LIMIT 5",
        " HAVING n > 3 ORDER BY n LIMIT 4",
        " HAVING regr_count(a, b) > 1 LIMIT 3",
    ],
)
def test_no_number_of_pairs_is_below_0(db: dpduck.Connection, tail: str) -> None:
    """Its type holds none, so that an answer would fail after its charge."""
    result = db.execute(f"SELECT k, regr_count(a, b) AS n FROM t GROUP BY k {tail}")
    assert all(n >= 0 for _, n in result.fetchall())


def test_a_replayed_statistic_is_the_same(db: dpduck.Connection) -> None:
    sql = "SELECT stddev(a, epsilon => 0.005) AS s, dp_low(s), dp_high(s) FROM t"
    assert db.execute(sql).fetchall() == db.execute(sql).fetchall()
