"""The stated error of an answer that is given again is that of its own noise, in any form, at each door."""

from __future__ import annotations

import re
from collections.abc import Iterator

import duckdb
import pytest

import dpduck
from dpduck.answers.error_line import error_line
from dpduck.doors.console.plus_minus import rounded_error

TABLE = """
CREATE TABLE people (id INTEGER PRIMARY KEY, born INTEGER, kind VARCHAR, price INTEGER);
INSERT INTO people SELECT i, 1940 + i * 7 % 80, ['a', 'b', 'c'][1 + i % 3], i % 50 FROM range(3000) AS r(i);
"""
POLICIES = """
ADD PRIVACY_KEY (id)
ALTER COLUMN born SET PRIVACY DOMAIN BETWEEN (1940, 2019)
ALTER COLUMN kind SET PRIVACY DOMAIN IN ('a', 'b', 'c')
ALTER COLUMN price SET PRIVACY DOMAIN BETWEEN (0, 49)
"""
BY_YEAR = "SELECT born, count(*) AS n FROM people GROUP BY born"
BY_KIND = "SELECT kind, count(*) AS n, avg(price) AS p, sum(price) AS s FROM people GROUP BY kind"
COUNTS = "SELECT kind, count(*) AS n FROM people GROUP BY kind"
PLUS_MINUS = re.compile(r"± ([0-9,.]+)")


@pytest.fixture
def db() -> Iterator[dpduck.Connection]:
    with duckdb.connect() as rows:
        rows.execute(TABLE)
        with dpduck.connect(rows, epsilon="0.5") as opened:
            opened.execute("; ".join(f"ALTER TABLE people {one}" for one in POLICIES.strip().splitlines()))
            yield opened


def shown(answer: dpduck.Cursor) -> set[float]:
    """The errors beside the numbers of an answer."""
    return {float(text.replace(",", "")) for text in PLUS_MINUS.findall(repr(answer))}


@pytest.mark.parametrize(
    ("first", "again", "times"),
    [
        (BY_YEAR, "SELECT count(*) AS n FROM people WHERE born < 1980", 6),
        (BY_YEAR, "SELECT (SELECT count(*) FROM people WHERE born < 1980) AS n", 6),
        (BY_YEAR, "WITH b AS (SELECT count(*) AS n FROM people WHERE born < 1980) SELECT n FROM b", 6),
        (BY_KIND, COUNTS, 2.5),
        (BY_KIND, f"WITH m AS ({COUNTS}) SELECT kind, n FROM m", 2.5),
        (BY_KIND, f"SELECT kind, n FROM ({COUNTS}) WHERE n > 100", 2.5),
        (BY_KIND, f"{COUNTS} ORDER BY n DESC LIMIT 1", 2.5),
    ],
)
def test_it_is_stated_wherever_an_error_is(
    db: dpduck.Connection, first: str, again: str, times: float
) -> None:
    [fresh] = db.explain(again).expected_error.values()
    db.sql(first).fetchall()
    answer = db.sql(again)
    assert "nothing was charged" in answer.notices[0]
    explained = db.explain(again)
    known = explained.expected_error["n"]
    assert known > times * fresh
    [beside] = shown(answer)
    assert known <= beside <= 1.1 * known + 1
    line = error_line(answer._rows, rounded_error)
    assert line is not None and float(line.removeprefix("n ± ").partition(" ")[0]) >= known
    assert f"The noise of n is within {known:,.4g} there." in explained.text


def test_a_line_names_numbers_of_the_answer_alone(db: dpduck.Connection) -> None:
    answer = db.sql(f"SELECT count(*) AS years FROM ({BY_YEAR}) WHERE n > 0")
    assert error_line(answer._rows, rounded_error) is not None
    assert "n ±" not in str(error_line(answer._rows, rounded_error))


def test_or_more_is_said_of_a_number_that_passes_a_query() -> None:
    with duckdb.connect() as rows:
        rows.execute("CREATE TABLE visits AS SELECT i % 900 AS id, i % 3 AS kind FROM range(3000) AS r(i)")
        with dpduck.connect(rows, epsilon="0.5") as several:
            several.execute("ALTER TABLE visits ADD PRIVACY_KEY (id)")
            several.execute("ALTER TABLE visits SET PRIVACY CONTRIBUTION (rows = 3)")
            several.execute("SET dp_count = 'rows'")
            for query in (
                "SELECT count(*) AS n FROM visits",
                "WITH v AS (SELECT count(*) AS n FROM visits) SELECT n FROM v",
                "SELECT (SELECT count(*) FROM visits) AS n",
            ):
                assert ", or higher" in repr(several.sql(query)), query
