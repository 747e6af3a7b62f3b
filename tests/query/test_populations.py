"""SET dp_interval: for whom dp_low and dp_high hold, in EXPLAIN and beside other answers."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

import dpduck
from dpduck.answers import service
from tests.sources import Seeded

TABLE = """
CREATE TABLE t AS SELECT i AS id, (hash(i) % 1000)::INTEGER AS x, hash(i, 2) % 10 < 3 AS won,
  (hash(i) % 1000 / 2 + hash(i, 1) % 100)::INTEGER AS y, (i % 2)::INTEGER AS k FROM range(4000) AS r(i)
"""
RANGES = (("x", 999), ("y", 600), ("k", 1))
ASKED = ("avg(x)", "avg(won)", "stddev(x)", "var_pop(x)", "covar_samp(y, x)", "regr_slope(y, x)")


@pytest.fixture
def db(monkeypatch: pytest.MonkeyPatch) -> Iterator[dpduck.Connection]:
    connection = duckdb.connect()
    connection.execute(TABLE)
    monkeypatch.setattr(service, "SystemEntropy", lambda: Seeded("populations"))
    with dpduck.connect(connection, epsilon="1") as opened:
        opened.execute("ALTER TABLE t ADD PRIVACY_KEY (id)")
        for column, most in RANGES:
            opened.execute(f"ALTER TABLE t ALTER COLUMN {column} SET PRIVACY DOMAIN BETWEEN (0, {most})")
        yield opened


def interval(db: dpduck.Connection, value: str, options: str = "") -> tuple[float, float, float]:
    [row] = db.execute(f"SELECT {options} {value} AS v, dp_low(v), dp_high(v) FROM t").fetchall()
    value_of, low, high = row
    assert low <= value_of <= high
    return value_of, low, high


@pytest.mark.parametrize("value", ASKED)
def test_the_interval_of_the_population_is_wider(db: dpduck.Connection, value: str) -> None:
    _, low, high = interval(db, value)
    db.execute("SET dp_interval = population")
    _, wide_low, wide_high = interval(db, value)
    assert wide_high - wide_low > 1.2 * (high - low)


def test_one_query_may_ask_for_it(db: dpduck.Connection) -> None:
    options = "WITH DIFFERENTIAL_PRIVACY OPTIONS (interval = 'population')"
    _, low, high = interval(db, "avg(x)", options)
    truth = 2 * 1.96 * 288.5 / 4000**0.5
    assert 0.97 * truth < high - low < 1.1 * truth
    _, low, high = interval(db, "avg(x)")
    assert high - low < 0.5 * truth


def test_an_answer_for_the_table_is_not_replayed_for_the_population(db: dpduck.Connection) -> None:
    first = interval(db, "avg(won)")
    assert interval(db, "avg(won)") == first
    db.execute("SET dp_interval = 'population'")
    second = interval(db, "avg(won)")
    assert second != first
    assert interval(db, "avg(won)") == second
    db.execute("SET dp_interval = table")
    assert interval(db, "avg(won)") == first


def test_explain_says_for_whom_it_is(db: dpduck.Connection) -> None:
    query = "SELECT avg(x) AS m, avg(won) AS p, stddev(x) AS s, count(*) AS n FROM t"
    lines = [line for (line,) in db.execute(f"EXPLAIN {query}").fetchall()]
    assert not [line for line in lines if "population" in line]
    db.execute("SET dp_interval = population")
    lines = [line.strip() for (line,) in db.execute(f"EXPLAIN {query}").fetchall()]
    assert (
        "interval  of m, p, s for the population that each id is drawn from: noise and sampling together; "
        "of n for the table" in lines
    )
    assert sum("of that of the population with probability 95 %" in line for line in lines) == 3


@pytest.mark.parametrize("value", ["count(*)", "sum(x)", "corr(y, x)", "regr_r2(y, x)", "sem(x)"])
def test_what_has_none_is_refused_and_the_hint_helps(db: dpduck.Connection, value: str) -> None:
    db.execute("SET dp_interval = population")
    with pytest.raises(dpduck.DpduckError, match="dp_high of this number is not known for a population"):
        db.execute(f"SELECT {value} AS v, dp_high(v) FROM t")
    db.execute(f"SELECT {value} AS v FROM t")
    db.execute("SET dp_interval = 'table'")
    db.execute(f"SELECT {value} AS v, dp_high(v) FROM t")


def test_totals_of_averages_stay_those_of_the_table(db: dpduck.Connection) -> None:
    db.execute("SET dp_interval = population")
    assert len(db.execute("SELECT k, avg(x) FROM t GROUP BY ROLLUP (k)").fetchall()) == 3


def test_more_rows_of_a_unit_widen_the_interval(db: dpduck.Connection) -> None:
    """Declared rows may all be alike: then a unit is one observation."""
    connection = duckdb.connect()
    connection.execute(
        "CREATE TABLE t AS SELECT i // 4 AS id, (hash(i) % 1000)::INTEGER AS x FROM range(40000) r(i)"
    )
    with dpduck.connect(connection, epsilon="5") as opened:
        opened.execute("ALTER TABLE t ADD PRIVACY_KEY (id)")
        opened.execute("ALTER TABLE t ALTER COLUMN x SET PRIVACY DOMAIN BETWEEN (0, 999)")
        opened.execute("ALTER TABLE t SET PRIVACY CONTRIBUTION (rows = 4)")
        opened.execute("SET dp_interval = population")
        _, low, high = interval(opened, "avg(x)")
    expected = 2 * 1.96 * 288.5 * 2 / 40_000**0.5
    assert high - low == pytest.approx(expected, rel=0.05)


def test_only_the_two_words_are_settings(db: dpduck.Connection) -> None:
    for text in (
        "SET dp_interval = universe",
        "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (interval = 3) avg(x) FROM t",
    ):
        with pytest.raises(dpduck.DpduckError, match="is table or population"):
            db.execute(text)
    db.execute("SET dp_interval = population")
    assert interval(db, "avg(x)")[2] - interval(db, "avg(x)")[1] > 10
