"""The error that one line says of an answer is that of the rows that it shows, and contradicts nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator

import duckdb
import pytest

import dpduck

TABLE = """
CREATE TABLE people (id INTEGER PRIMARY KEY, k INTEGER, g INTEGER, x INTEGER);
INSERT INTO people SELECT i, i % 40 * (i % 7) % 40, i % 3, 1 + i % 10 FROM range(3000) AS r(i);
CREATE TABLE visits AS SELECT i % 900 AS id, i * i % 400 AS k, i % 10 AS x FROM range(6000) AS r(i);
"""
POLICIES = """
ALTER TABLE people ADD PRIVACY_KEY (id)
ALTER TABLE people ALTER COLUMN k SET PRIVACY DOMAIN BETWEEN (0, 39)
ALTER TABLE people ALTER COLUMN g SET PRIVACY DOMAIN BETWEEN (0, 2)
ALTER TABLE people ALTER COLUMN x SET PRIVACY DOMAIN BETWEEN (0, 20)
ALTER TABLE visits ADD PRIVACY_KEY (id)
ALTER TABLE visits SET PRIVACY CONTRIBUTION (rows = 10)
ALTER TABLE visits ALTER COLUMN k SET PRIVACY DOMAIN BETWEEN (0, 399)
CREATE PRIVACY BUDGET b LIMIT 1000
"""
PLUS_MINUS = re.compile(r"(\w+) ± ([0-9,.]+)")


@pytest.fixture(scope="module")
def db() -> Iterator[dpduck.Connection]:
    with duckdb.connect() as rows:
        rows.execute(TABLE)
        with dpduck.connect(rows, epsilon="0.5") as opened:
            opened.execute("; ".join(POLICIES.strip().splitlines()))
            yield opened


@pytest.fixture
def with_ends(db: dpduck.Connection) -> Iterator[dpduck.Connection]:
    db.execute("SET dp_intervals = columns")
    yield db
    db.execute("RESET dp_intervals")


def stated(answer: dpduck.Cursor) -> dict[str, float]:
    return {name: float(text.replace(",", "")) for name, text in PLUS_MINUS.findall(answer.error_line or "")}


def measured(answer: dpduck.Cursor) -> dict[str, float]:
    """The largest distance to an end of what an answer shows, by the name of the number."""
    whole = answer.intervals().to_pydict()
    found: dict[str, float] = {}
    for name in whole:
        ends = [f"{name}{end}" for end in ("_low", "_high")]
        if all(end in whole for end in ends):
            pairs = [(n, e) for end in ends for n, e in zip(whole[name], whole[end], strict=True)]
            widths = [abs(float(e) - float(n)) for n, e in pairs if e is not None and n is not None]
            found[name] = max(widths)
    return found


@pytest.mark.parametrize(
    "query",
    [
        "SELECT k, count(*) AS n, avg(x) AS a FROM people GROUP BY k ORDER BY n DESC LIMIT 3",
        "SELECT n, a FROM (SELECT k, count(*) AS n, avg(x) AS a FROM people GROUP BY k) ORDER BY n LIMIT 1",
        "SELECT k, stddev(x) AS s, count(*) AS n FROM people GROUP BY k HAVING n > 120",
        "SELECT k, sum(x) AS s FROM visits GROUP BY k ORDER BY s DESC LIMIT 3",
        "SELECT k, count(*) AS n FROM people GROUP BY k ORDER BY n DESC LIMIT 3",
        "SELECT round(avg(x), 2) AS a FROM people",
    ],
)
def test_it_is_that_of_the_rows_that_are_shown(query: str, db: dpduck.Connection) -> None:
    for answer in (db.sql(query), db.sql(query)):  # the second time it is given again
        known = measured(answer)
        assert known
        assert set(known) <= set(stated(answer))
        for name, width in known.items():
            assert 0.98 * width <= stated(answer)[name] <= 1.1 * width + 0.1


@pytest.mark.parametrize(
    "query",
    [
        "SELECT g, count(*) AS n FROM people GROUP BY ROLLUP (g)",
        "SELECT sum(n) AS n FROM (SELECT k, count(*) AS n FROM people GROUP BY k)",
        "SELECT (SELECT count(*) FROM people) AS n",
        "SELECT DISTINCT count(*) AS n FROM people GROUP BY g",
        "SELECT count(*) AS n FROM people UNION ALL SELECT count(*) FROM people WHERE g = 1",
        "PIVOT (SELECT k, g FROM people) ON g USING count(*)",
    ],
)
def test_an_error_that_is_known_is_not_said_to_be_none(query: str, with_ends: dpduck.Connection) -> None:
    answer = with_ends.sql(query)
    assert stated(answer)
    assert not [notice for notice in answer.notices if "no interval" in notice]
    assert [notice for notice in answer.notices if notice.startswith("No columns of ends for ")]


def test_what_has_no_interval_has_no_error(with_ends: dpduck.Connection) -> None:
    answer = with_ends.sql("SELECT k, stddev(x) AS s FROM people GROUP BY k ORDER BY s DESC LIMIT 2")
    assert any("s has no interval" in notice for notice in answer.notices)
    assert not stated(answer)
    assert "±" not in repr(answer)


def test_rows_that_are_left_out_may_be_beyond_the_error(db: dpduck.Connection) -> None:
    """Of an answer that adds up groups, from which undeclared keys are missing."""
    db.sql("SELECT g, x, count(*) AS n FROM people GROUP BY g, x").fetchall()
    answer = db.sql("SELECT count(*) AS n FROM people WHERE x > 5")
    assert "nor in its error" in answer.notices[0]
    assert "or higher (95 %)" in str(answer.error_line)
    assert ", or higher" in repr(answer)
