"""Where an answer is not that of plain SQL, it says so, and its stated error holds as far as it claims to.

Each query runs here beside plain DuckDB, on rows that do all that a policy leaves out: several rows of a
unit, NULL, values beyond a domain, units in many groups, groups of few units.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pytest

import dpduck
from dpduck.kernel.plan import caveats
from dpduck.kernel.plan.caveat_kinds import (
    CapsWeights,
    Caveat,
    ClampsTotals,
    ClampsValues,
    CountsUnits,
    CutGroups,
    CutRows,
    CutTotals,
    CutValues,
    DropsRows,
    DropsValues,
    HidesRare,
    ManyGroups,
    MissesValues,
    MostUnits,
    NearExtreme,
    NoisyFilter,
    WeighsUnits,
)
from tests.depth import depth

RUNS = depth(300, 24)
_VALUES = re.compile(r"at most [0-9,]+ values?, chosen")  # privately: what was drawn
_CHOSEN = re.compile(r"(privately|at most [0-9,]+) \([0-9,.e-]+(?:(?:, | and )[0-9,.e-]+)*\)")
LEAST = 0.93  # of runs in which a stated error of 95 % holds

TABLES = """
CREATE TABLE visits AS SELECT i % 700 AS visitor, 1 + i % 9 AS day, (i * 7919) % 50 * 1.5 AS amount,
    CASE i % 11 WHEN 0 THEN NULL WHEN 1 THEN 'odd' ELSE ['home', 'news', 'shop'][i % 3 + 1] END AS page,
    CASE WHEN i % 13 = 0 THEN NULL ELSE (i % 60)::INTEGER END AS age FROM range(5000) AS r(i);
CREATE TABLE people (id INTEGER PRIMARY KEY, region VARCHAR, income INTEGER, town VARCHAR);
INSERT INTO people SELECT i, CASE i % 5 WHEN 0 THEN NULL WHEN 1 THEN 'x' ELSE ['n', 's'][i % 2 + 1] END,
    (i * 31) % 120 - 10, CASE WHEN i < 9 THEN 't' || i ELSE 'big' || i % 2 END FROM range(900) AS r(i);
CREATE TABLE orders AS SELECT i % 300 AS buyer, i % 4 AS shop, i % 25 AS price FROM range(4000) AS r(i);
CREATE TABLE pages AS SELECT unnest(['home', 'news']) AS page;
CREATE TABLE logs AS SELECT i % 250 AS member, i % 6 AS level, i % 10 AS size FROM range(3000) AS r(i);
"""
POLICIES = """
ALTER TABLE visits ADD PRIVACY_KEY (visitor);
ALTER TABLE visits ALTER COLUMN page SET PRIVACY DOMAIN IN ('home', 'news', 'shop');
ALTER TABLE visits ALTER COLUMN day SET PRIVACY DOMAIN BETWEEN (1, 7);
ALTER TABLE visits ALTER COLUMN amount SET PRIVACY DOMAIN BETWEEN (0, 60);
ALTER TABLE visits ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (0, 40);
ALTER TABLE people ADD PRIVACY_KEY (id);
ALTER TABLE people ALTER COLUMN region SET PRIVACY DOMAIN IN ('n', 's');
ALTER TABLE people ALTER COLUMN income SET PRIVACY DOMAIN BETWEEN (0, 90);
ALTER TABLE orders ADD PRIVACY_KEY (buyer);
ALTER TABLE orders ALTER COLUMN shop SET PRIVACY DOMAIN BETWEEN (0, 3);
ALTER TABLE orders ALTER COLUMN price SET PRIVACY DOMAIN BETWEEN (0, 24);
ALTER TABLE orders SET PRIVACY CONTRIBUTION (rows = 2);
ALTER TABLE logs ADD PRIVACY_KEY (member);
ALTER TABLE logs ALTER COLUMN level SET PRIVACY DOMAIN BETWEEN (0, 5);
ALTER TABLE logs ALTER COLUMN size SET PRIVACY DOMAIN BETWEEN (0, 9);
ALTER TABLE logs SET PRIVACY CONTRIBUTION (groups = 2);
ALTER TABLE pages SET PUBLIC;
CREATE PRIVACY BUDGET everyone LIMIT 1000000 DELTA 0.5
"""


@dataclass(frozen=True)
class Query:
    """One number n for each group. `caveats`: what must be said.

    `plain`: what plain DuckDB is asked, if not the same: without bounds of a call, or, where the claim is
    conditional, as if each unit had one row and values were in their domains.
    """

    text: str
    caveats: tuple[type, ...]
    plain: str = ""


def _of(text: str, *kinds: type, plain: str = "") -> Query:
    return Query(text, kinds, plain)


PER_PAGE = "FROM visits GROUP BY page"
UNITS = "count(DISTINCT visitor) AS n"
OLDER = f"SELECT {UNITS} FROM visits WHERE age > 20"
CLAMPED = "sum(least(greatest(income, 0), 90)) AS n"
FIVE = "contribution_bounds_per_group => (0, 5)"
QUERIES = [
    # people for rows
    _of("SELECT count(*) AS n FROM visits", CountsUnits, plain=f"SELECT {UNITS} FROM visits"),
    _of(
        "SELECT count(page) AS n FROM visits",
        CountsUnits,
        plain=f"SELECT {UNITS} FROM visits WHERE page IS NOT NULL",
    ),
    _of("SELECT count(*) AS n FROM visits WHERE age > 20", CountsUnits, plain=OLDER),
    _of("SELECT count(*) FILTER (WHERE age > 20) AS n FROM visits", CountsUnits, plain=OLDER),
    _of("SELECT count_if(age > 20) AS n FROM visits", CountsUnits, plain=OLDER),
    _of("SELECT sum(1) AS n FROM visits", CountsUnits, plain=f"SELECT {UNITS} FROM visits"),
    _of(
        "SELECT count(*) AS n FROM visits JOIN pages USING (page)",
        CountsUnits,
        plain=f"SELECT {UNITS} FROM visits JOIN pages USING (page)",
    ),
    _of(
        f"SELECT page, count(*) AS n {PER_PAGE}",
        CountsUnits,
        DropsRows,
        ManyGroups,
        plain=f"SELECT page, {UNITS} {PER_PAGE}",
    ),
    _of(
        f"SELECT page, count(age) AS n {PER_PAGE}",
        CountsUnits,
        DropsRows,
        ManyGroups,
        plain=f"SELECT page, count(DISTINCT visitor) FILTER (WHERE age IS NOT NULL) AS n {PER_PAGE}",
    ),
    _of(
        "SELECT day, count(*) AS n FROM visits GROUP BY day",
        CountsUnits,
        DropsRows,
        ManyGroups,
        plain=f"SELECT day, {UNITS} FROM visits GROUP BY day",
    ),
    _of("SELECT level, count(*) AS n FROM logs GROUP BY level", CountsUnits, DropsRows, CutGroups),
    # rows and totals that bounds cut
    _of(f"SELECT count(*, {FIVE}) AS n FROM visits", CutRows, plain="SELECT count(*) AS n FROM visits"),
    _of("SELECT count(*) AS n FROM orders", CutRows),
    _of("SELECT count(*) FILTER (WHERE price > 9) AS n FROM orders", CutRows),
    _of("SELECT shop, count(*) AS n FROM orders GROUP BY shop", CutRows, DropsRows),
    _of("SELECT sum(1) AS n FROM orders", CutRows),
    _of("SELECT avg(price) AS n FROM orders", CutRows),
    _of("SELECT shop, avg(price) AS n FROM orders GROUP BY shop", CutRows, DropsRows),
    _of("SELECT sum(price) AS n FROM orders", CutTotals),
    _of("SELECT shop, sum(price) AS n FROM orders GROUP BY shop", CutTotals, DropsRows),
    _of("SELECT sum(price - 12) AS n FROM orders", CutTotals),
    _of("SELECT sum(amount) AS n FROM visits", ClampsTotals),
    _of("SELECT sum(amount) AS n FROM visits WHERE page = 'shop'", ClampsTotals),
    _of(f"SELECT page, sum(amount) AS n {PER_PAGE}", ClampsTotals, DropsRows, ManyGroups),
    _of("SELECT sum(age - 20) AS n FROM visits", ClampsTotals),
    _of("SELECT sum(-age) AS n FROM visits", ClampsTotals),
    _of("SELECT sum(size) AS n FROM logs", ClampsTotals),
    _of("SELECT level, sum(size) AS n FROM logs GROUP BY level", ClampsTotals, DropsRows, CutGroups),
    _of(
        "SELECT sum(income, contribution_bounds_per_row => (0, 9)) AS n FROM people",
        CutTotals,
        plain="SELECT sum(income) AS n FROM people",
    ),
    _of(
        "SELECT sum(amount, contribution_bounds_per_group => (0, 30)) AS n FROM visits",
        CutTotals,
        plain="SELECT sum(amount) AS n FROM visits",
    ),
    _of(
        "SELECT avg(income, contribution_bounds_per_row => (20, 30)) AS n FROM people",
        ClampsValues,
        plain="SELECT avg(income) AS n FROM people",
    ),
    # distinct values
    _of("SELECT count(DISTINCT amount) AS n FROM visits", MissesValues),
    _of("SELECT count(DISTINCT page) AS n FROM visits", CutValues),
    _of("SELECT count(DISTINCT day) AS n FROM visits WHERE age > 20", CutValues),
    _of(f"SELECT page, count(DISTINCT day) AS n {PER_PAGE}", CutValues, DropsRows, ManyGroups),
    _of("SELECT count(DISTINCT price) AS n FROM orders", CutValues),
    _of("SELECT level, count(DISTINCT member) AS n FROM logs GROUP BY level", DropsRows, CutGroups),
    # weights
    _of("SELECT avg(age) AS n FROM visits", WeighsUnits, ClampsValues),
    _of(f"SELECT page, avg(age) AS n {PER_PAGE}", WeighsUnits, ClampsValues, DropsRows, ManyGroups),
    _of("SELECT avg(size) AS n FROM logs", WeighsUnits, ClampsValues),
    _of("SELECT level, avg(size) AS n FROM logs GROUP BY level", WeighsUnits, DropsRows, CutGroups),
    _of("SELECT median(age) AS n FROM visits", WeighsUnits, ClampsValues),
    _of("SELECT quantile_cont(age, 0.9) AS n FROM visits", WeighsUnits, ClampsValues),
    _of("SELECT max(age) AS n FROM visits", NearExtreme, WeighsUnits, ClampsValues),
    _of("SELECT median(price) AS n FROM orders", CapsWeights),
    _of("SELECT mode(page) AS n FROM visits", MostUnits, DropsValues),
    _of("SELECT mode(day) AS n FROM visits", MostUnits, DropsValues),
    # values beyond a domain, and NULL
    _of("SELECT sum(income) AS n FROM people", ClampsValues, plain=f"SELECT {CLAMPED} FROM people"),
    _of("SELECT avg(income) AS n FROM people", ClampsValues),
    _of("SELECT median(income) AS n FROM people", ClampsValues),
    _of("SELECT mode(region) AS n FROM people", DropsValues),
    _of("SELECT region, count(*) AS n FROM people GROUP BY region", DropsRows),
    _of("SELECT region, avg(income) AS n FROM people GROUP BY region", DropsRows, ClampsValues),
    _of(
        "SELECT region, sum(income) AS n FROM people GROUP BY region",
        DropsRows,
        ClampsValues,
        plain=f"SELECT region, {CLAMPED} FROM people GROUP BY region",
    ),
    _of("SELECT region = 'n' AS k, count(*) AS n FROM people GROUP BY k", DropsRows),
    _of("SELECT income // 30 AS k, count(*) AS n FROM people GROUP BY k", DropsRows),
    _of("SELECT upper(region) AS k, count(*) AS n FROM people GROUP BY k", DropsRows),
    _of(
        "SELECT region, count(*) AS n FROM people GROUP BY region ORDER BY n DESC LIMIT 1",
        DropsRows,
        plain="SELECT region, count(*) AS n FROM people GROUP BY region",
    ),
    # thresholds
    _of("SELECT town, count(*) AS n FROM people GROUP BY town", HidesRare),
    _of("SELECT town, avg(income) AS n FROM people GROUP BY town", HidesRare, ClampsValues),
    _of("SELECT region, count(*) AS n FROM people GROUP BY region HAVING n > 150", DropsRows, NoisyFilter),
    _of("SELECT region, avg(income) AS n FROM people GROUP BY region HAVING avg(income) > 40", NoisyFilter),
    _of(
        "SELECT page, count(*) AS n FROM visits GROUP BY page HAVING count(*) > 300 ORDER BY n DESC LIMIT 2",
        CountsUnits,
        NoisyFilter,
        DropsRows,
        plain=f"SELECT page, {UNITS} {PER_PAGE}",
    ),
]


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("plain") / "shop.duckdb"
    with duckdb.connect(path) as con:
        con.execute(TABLES)
    with dpduck.connect(path) as db:
        for statement in POLICIES.split(";"):
            db.execute(statement)
    return path


@pytest.fixture(scope="module")
def db(database: Path) -> Iterator[dpduck.Connection]:
    with dpduck.connect(database, epsilon="1") as connection:
        connection.execute("SET dp_delta = 1e-6")
        connection.execute("SET dp_replay = off")
        yield connection


@pytest.fixture(scope="module")
def plain(database: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as con:
        con.execute(TABLES)
        yield con


def test_there_are_enough_queries() -> None:
    assert len({query.text for query in QUERIES}) == len(QUERIES) >= 60


@pytest.mark.slow
@pytest.mark.parametrize("query", QUERIES, ids=[query.text for query in QUERIES])
def test_an_answer_says_what_it_is_not(
    db: dpduck.Connection, query: Query, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[Caveat] = []
    known = caveats.caveats
    monkeypatch.setattr(
        "dpduck.answers.notices.caveats", lambda plan: found.extend(known(plan)) or known(plan)
    )
    explained = db.explain(query.text)
    assert set(query.caveats) <= {type(caveat) for caveat in found}
    said = db.execute(query.text).notices
    unknown = (_VALUES.sub("at most l values, l chosen", notice) for notice in said)
    assert set(explained.caveats) <= {*said, *unknown, *(_CHOSEN.sub(r"\1", notice) for notice in said)}
    assert len(explained.caveats) >= len(query.caveats)


@pytest.mark.slow
@pytest.mark.nightly
@pytest.mark.parametrize("query", QUERIES, ids=[query.text for query in QUERIES])
def test_a_stated_error_holds_as_far_as_it_says(
    db: dpduck.Connection, plain: duckdb.DuckDBPyConnection, query: Query
) -> None:
    explained = db.explain(query.text)
    covers, width = explained.covers.get("n"), explained.expected_error.get("n")
    if width is None:  # of values, averages and what is clamped privately: an interval each time
        names = ("avg", "median", "quantile", "mode", "max", "DISTINCT", "sum")
        assert any(name in query.text for name in names)
        return
    if covers == "noise":
        assert "bounds may move it further" in explained.text
        return
    truth = {tuple(key): float(n) for *key, n in plain.execute(query.plain or query.text).fetchall()}
    errors = [
        float(n) - truth[tuple(key)]
        for _ in range(RUNS)
        for *key, n in db.execute(query.text).fetchall()
        if n is not None
    ]
    held = [error <= width if covers == "below" else abs(error) <= width for error in errors]
    assert len(held) >= RUNS
    assert sum(held) >= LEAST * len(held) - 3 * (0.05 * len(held)) ** 0.5 * (RUNS < 300)
