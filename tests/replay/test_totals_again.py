"""The errors of totals: of an answer that is given again they are those that it had, in each place."""

from __future__ import annotations

import re
from collections.abc import Iterator

import duckdb
import pytest

import dpduck
from dpduck.answers.error_line import error_line
from dpduck.answers.intervals import errors_of_totals
from dpduck.doors.console.plus_minus import rounded_error
from tests.depth import depth
from tests.sources import Seeded

TABLE = """
CREATE TABLE people (id INTEGER PRIMARY KEY, k INTEGER, g INTEGER, x INTEGER);
INSERT INTO people SELECT i, i % 4, i % 3, (i * i) % 21 FROM range(3000) AS r(i)
"""
POLICIES = """
ADD PRIVACY_KEY (id)
ALTER COLUMN k SET PRIVACY DOMAIN BETWEEN (0, 3)
ALTER COLUMN g SET PRIVACY DOMAIN BETWEEN (0, 2)
ALTER COLUMN x SET PRIVACY DOMAIN BETWEEN (0, 20)
"""
FROM = "FROM people GROUP BY"
CUBE = f"SELECT k, g, count(*) AS n, sum(x) AS s, avg(x) AS a {FROM} CUBE (k, g)"
COUNTS = f"SELECT k, g, count(*) AS n {FROM} ROLLUP (k, g)"
OF_K = f"SELECT k, count(*) AS n {FROM} ROLLUP (k)"
TWICE = f"SELECT (SELECT count(*) FROM people) AS all_of_them, k, n FROM ({OF_K})"
ENDS = re.compile(r"(each k, g|each k|each g|all)\b.*: (\w+) is within ([0-9,.e+]+) of the truth")


@pytest.fixture
def db() -> Iterator[dpduck.Connection]:
    with duckdb.connect() as rows:
        rows.execute(TABLE)
        with dpduck.connect(rows, epsilon="0.5") as opened:
            opened.execute("; ".join(f"ALTER TABLE people {one}" for one in POLICIES.strip().splitlines()))
            opened.execute("CREATE PRIVACY BUDGET b LIMIT 100000")
            yield opened


def said(answer: dpduck.Cursor) -> tuple[str | None, list[str]]:
    assert answer._rows is not None
    return error_line(answer._rows, rounded_error), errors_of_totals(answer._rows)


@pytest.mark.parametrize(
    "query",
    [
        CUBE,
        COUNTS,
        TWICE,
        f"SELECT k, avg(x) AS a {FROM} ROLLUP (k)",
        f"{COUNTS} HAVING n > 400",
        f"{CUBE} ORDER BY a DESC LIMIT 2",
        f"SELECT k, n FROM ({COUNTS}) WHERE n > 100",
    ],
)
def test_an_answer_says_the_same_again(db: dpduck.Connection, query: str) -> None:
    line, lines = said(db.sql(query))
    assert line is not None and "±" in line and lines
    again = db.sql(query)
    assert "nothing was charged" in again.notices[0]
    assert said(again) == (line, lines)


def test_an_answer_of_more_epsilon_has_its_own_errors(db: dpduck.Connection) -> None:
    db.execute("SET dp_epsilon = 2")
    first = said(db.sql(CUBE))
    db.execute("SET dp_epsilon = 0.5")
    assert said(db.sql(CUBE)) == first
    assert db.charged == "0"


def test_totals_of_a_share_of_an_answer_have_the_noise_of_that(db: dpduck.Connection) -> None:
    """Its other numbers have taken their parts of epsilon."""
    db.sql(CUBE).fetchall()
    fresh = db.explain(CUBE).expected_error["n"]
    line, lines = said(db.sql(COUNTS))
    assert db.charged == "0"
    assert line == f"n ± {rounded_error(fresh)} (95 %)"
    assert db.explain(COUNTS).expected_error["n"] == fresh
    assert f"{fresh:,.4g}" in lines[-1]


def test_totals_of_what_is_added_up_have_the_noise_of_all(db: dpduck.Connection) -> None:
    fresh = db.explain(OF_K).expected_error["n"]
    db.sql(f"SELECT k, g, x, count(*) AS n {FROM} k, g, x").fetchall()
    line, lines = said(db.sql(OF_K))
    assert db.charged == "0"
    summed = db.explain(OF_K).expected_error["n"]
    assert summed > 3 * fresh
    assert line == f"n ± {rounded_error(summed)} or higher (95 %)"  # as values beside domains are left out
    assert lines[0].startswith("each k: the truth is at least n - ")


def test_averages_of_totals_are_within_what_is_said_of_them() -> None:
    """Of each grouping set, by how many values its totals have, in 95 % of them."""
    runs, held, shown = depth(300, 40), dict[str, int](), dict[str, int]()
    with duckdb.connect() as rows:
        rows.execute(TABLE)
        [*truth] = rows.execute(f"SELECT k, g, avg(x) {FROM} CUBE (k, g)").fetchall()
        true = {(k, g): mean for k, g, mean in truth}
        with dpduck.connect(rows, epsilon="0.5") as db:
            db.execute("; ".join(f"ALTER TABLE people {one}" for one in POLICIES.strip().splitlines()))
            db.execute("CREATE PRIVACY BUDGET b LIMIT 100000")
            db.execute("SET dp_replay = off")
            for run in range(runs):
                db._service._entropy = Seeded("totals", str(run))
                answer = db.sql(f"SELECT k, g, avg(x) AS a {FROM} CUBE (k, g)")
                matches = [ENDS.match(line) for line in said(answer)[1]]
                within = {one[1]: float(one[3].replace(",", "")) for one in matches if one is not None}
                assert set(within) == {"each k, g", "each k", "each g", "all"}
                for k, g, mean in answer.fetchall():
                    keys = [name for name, key in (("k", k), ("g", g)) if key is not None]
                    place = f"each {', '.join(keys)}" if keys else "all"
                    if mean is not None:
                        shown[place] = shown.get(place, 0) + 1
                        held[place] = held.get(place, 0) + (abs(mean - true[k, g]) <= within[place])
    assert all(held[place] >= 0.93 * number for place, number in shown.items()), (held, shown)
    assert held["all"] < shown["all"] or runs < 100  # it is no wider than it must be


def test_the_error_of_averages_is_less_where_more_values_are(db: dpduck.Connection) -> None:
    matches = [ENDS.match(line) for line in said(db.sql(f"SELECT k, g, avg(x) AS a {FROM} CUBE (k, g)"))[1]]
    within = {one[1]: float(one[3]) for one in matches if one is not None}
    assert within["all"] < within["each k"] < within["each k, g"]
