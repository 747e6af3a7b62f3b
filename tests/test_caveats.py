"""Caveats: where an answer means something else than plain SQL, its notices and EXPLAIN say so."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

import dpduck

TABLES = """
CREATE TABLE visits AS SELECT i % 700 AS visitor, ['home', 'news', 'shop'][i % 3 + 1] AS page,
    (i % 50) * 1.5 AS amount, i % 40 AS age FROM range(5000) AS r(i);
CREATE TABLE people (id INTEGER PRIMARY KEY, region VARCHAR, income INTEGER);
INSERT INTO people SELECT i, ['n', 's'][i % 2 + 1], i % 90 FROM range(700) AS r(i);
CREATE TABLE days (person INTEGER, day INTEGER, steps INTEGER, PRIMARY KEY (person, day));
"""
POLICIES = """
ALTER TABLE visits ADD PRIVACY_KEY (visitor)
ALTER TABLE visits ALTER COLUMN page SET PRIVACY DOMAIN IN ('home', 'news', 'shop')
ALTER TABLE visits ALTER COLUMN amount SET PRIVACY DOMAIN BETWEEN (0, 75)
ALTER TABLE visits ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (0, 40)
ALTER TABLE people ADD PRIVACY_KEY (id)
ALTER TABLE people ALTER COLUMN region SET PRIVACY DOMAIN IN ('n', 's')
ALTER TABLE people ALTER COLUMN income SET PRIVACY DOMAIN BETWEEN (0, 90)
ALTER TABLE days ADD PRIVACY_KEY (person)
ALTER TABLE days ALTER COLUMN day SET PRIVACY DOMAIN BETWEEN (1, 7)
ALTER TABLE days ALTER COLUMN steps SET PRIVACY DOMAIN BETWEEN (0, 9000)
"""
UNITS = "n counts distinct visitor, not rows. Rows: count(*, contribution_bounds_per_group => (0, 5))."
DISTINCT = (
    "n takes at most 1 value of each visitor, so the truth may be far above. "
    "To count more: ALTER TABLE visits SET PRIVACY CONTRIBUTION (rows = 10)."
)
PAGES = "Rows whose page is NULL or not in its domain are left out."
CLAMPS = "n takes values from 0 to 40; those beyond count as the nearer end."
TOTALS = "contribution_bounds_per_group => (low, high) sets other bounds."
MANY = (
    "Noise is 3 times as wide because one visitor may be in 3 groups. "
    "If each visitor has one row: ALTER TABLE visits SET PRIVACY CONTRIBUTION (groups = 1)."
)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    path = tmp_path / "shop.duckdb"
    with duckdb.connect(path) as con:
        con.execute(TABLES)
    with dpduck.connect(path) as db:
        for statement in POLICIES.strip().splitlines():
            db.execute(statement)
    return path


@pytest.fixture
def owner(shop: Path) -> Iterator[dpduck.Connection]:
    with dpduck.connect(shop, epsilon="2") as db:
        yield db


@pytest.mark.parametrize(
    ("sql", "covers", "notices"),
    [
        ("SELECT count(*) AS n FROM visits", "units", [UNITS]),
        ("SELECT count(DISTINCT visitor) AS n FROM visits", "both", []),
        ("SELECT count(DISTINCT amount) AS n FROM visits", "below", [DISTINCT]),
        (
            "SELECT count(*, contribution_bounds_per_group => (0, 5)) AS n FROM visits",
            "below",
            ["n takes at most 5 rows of each visitor; others are left out."],
        ),
        (
            "SELECT sum(amount) AS n FROM visits",
            "below",
            [f"n takes a total from 0 to 75 of each visitor, so the truth may be above. {TOTALS}"],
        ),
        (
            "SELECT sum(age - 20) AS n FROM visits",
            "noise",
            [f"n takes a total from -20 to 20 of each visitor, so the truth may be above or below. {TOTALS}"],
        ),
        (
            "SELECT avg(age) AS n FROM visits",
            "units",
            ["n gives each visitor the same weight, whatever rows it has.", CLAMPS],
        ),
        (
            "SELECT median(age) AS n FROM visits",
            None,
            ["n gives each visitor the same weight, whatever rows it has.", CLAMPS],
        ),
        (
            "SELECT min(income) AS n FROM people",
            None,
            [
                "n is the 1 % quantile: a true extreme is one row's value.",
                CLAMPS.replace("40", "90"),
            ],
        ),
        (
            "SELECT mode(page) AS n FROM visits",
            None,
            [
                "n takes the value of most distinct visitor, not of most rows.",
                "n chooses among 3 values; others are left out.",
            ],
        ),
        ("SELECT page, count(*) AS n FROM visits GROUP BY page", "units", [UNITS, PAGES, MANY]),
        (
            "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (max_groups_contributed = 1) page, "
            "count(DISTINCT visitor) AS n FROM visits GROUP BY page",
            "below",
            [PAGES, "Each visitor counts in at most 1 group, so numbers may be too low."],
        ),
        ("SELECT count(*) AS n FROM people", "both", []),
        (
            "SELECT region, sum(income) AS n FROM people GROUP BY region",
            "domain",
            [
                "n takes values from 0 to 90; those beyond count as the nearer end.",
                "Rows whose region is NULL or not in its domain are left out.",
            ],
        ),
        ("SELECT count(DISTINCT region) AS n, avg(income < 9) FROM people", "both", []),
        (
            "SELECT sum(income, contribution_bounds_per_row => (0, 9)) AS n FROM people",
            "below",
            [f"n takes a total from 0 to 9 of each id, so the truth may be above. {TOTALS}"],
        ),
        (
            "SELECT sum(income - 9, contribution_bounds_per_row => (0, 9)) AS n FROM people",
            "noise",
            [f"n takes a total from 0 to 9 of each id, so the truth may be above or below. {TOTALS}"],
        ),
        (
            "SELECT page = 'home' AS h, count(DISTINCT visitor) AS n FROM visits GROUP BY h",
            "both",
            ["Rows whose (page = 'home') is NULL are left out.", MANY.replace("3", "2")],
        ),
        (
            "SELECT page, count(*) AS n FROM visits GROUP BY page HAVING n > 99 ORDER BY n",
            "units",
            [UNITS, PAGES, "Noise decides which groups near a limit of HAVING or QUALIFY are shown.", MANY],
        ),
        (
            "SELECT day, count(*) AS n, sum(steps) AS s FROM days GROUP BY day",
            "both",
            [
                "s takes values from 0 to 9,000; those beyond count as the nearer end.",
                "Rows whose day is not in its domain are left out.",
            ],
        ),
    ],
)
def test_an_answer_and_its_plan_have_the_same_caveats(
    owner: dpduck.Connection, sql: str, covers: str | None, notices: list[str]
) -> None:
    explained = owner.explain(sql)
    assert explained.covers.get("n") == covers
    assert _without_noise(owner.execute(sql).notices) == notices
    assert list(explained.caveats) == notices
    assert str(explained).count("  note      ") == len(notices)
    owner.execute(sql)
    assert owner.charged == "0"
    assert _without_noise(owner.notices)[1:] == notices  # after the one that the answer is a replay


def _without_noise(notices: list[str]) -> list[str]:
    """Notices of a plan, without those of released numbers."""
    return [notice for notice in notices if not notice.startswith("Noise is larger than")]


def test_the_truth_has_no_upper_end_where_bounds_may_have_lowered_a_number(owner: dpduck.Connection) -> None:
    [clamped] = owner.execute("SELECT sum(amount) AS n, dp_low(n), dp_high(n) FROM visits").fetchall()
    assert clamped[1] < clamped[0]
    assert clamped[2] is None
    [units] = owner.execute("SELECT count(*) AS n, dp_low(n), dp_high(n) FROM visits").fetchall()
    assert units[1] < units[0] < units[2]
    [noise] = owner.execute("SELECT sum(age - 20) AS n, dp_low(n), dp_high(n) FROM visits").fetchall()
    assert noise[1] < noise[0] < noise[2]
    assert "the truth is at least n - " in str(owner.explain("SELECT sum(amount) AS n FROM visits"))


def test_only_the_owner_is_told_to_change_a_policy(shop: Path) -> None:
    with dpduck.connect(shop, analyst="ana", epsilon="2") as db:
        db.execute("SELECT page, count(DISTINCT visitor) AS n FROM visits GROUP BY page")
        assert db.notices == [PAGES, MANY.replace("row:", "row, ask the owner to run")]


def test_a_declared_bound_on_groups_ends_the_advice(owner: dpduck.Connection) -> None:
    owner.execute("ALTER TABLE visits SET PRIVACY CONTRIBUTION (groups = 2)")
    owner.execute("SELECT page, count(DISTINCT visitor) AS n FROM visits GROUP BY page")
    assert owner.notices == [PAGES, "Each visitor counts in at most 2 groups, so numbers may be too low."]


def test_histogram_counts_rows_where_count_does(owner: dpduck.Connection) -> None:
    owner.execute("ALTER TABLE visits SET PRIVACY CONTRIBUTION (rows = 3)")
    owner.execute("SELECT histogram(page) FROM visits")
    assert owner.notices[0] == "count(*) takes at most 3 rows of each visitor and group; others are left out."
    owner.execute("SELECT approx_top_k(page, 2) FROM visits")
    assert owner.notices[0].startswith("count(*) counts distinct visitor, not rows.")


def test_a_join_with_a_public_table_that_has_no_constraint() -> None:
    """One row of each person, and one of the calendar by its present rows: the noise is for all groups."""
    with duckdb.connect() as rows:
        rows.execute("CREATE TABLE users (id INTEGER PRIMARY KEY, day INTEGER)")
        rows.execute("INSERT INTO users SELECT i, i % 7 FROM range(7000) AS r(i)")
        named = "dayname(DATE '2024-01-01' + day) AS name"
        rows.execute(f"CREATE TABLE calendar AS SELECT DISTINCT day, {named} FROM users")
        with dpduck.connect(rows, epsilon=1) as db:
            db.execute("ALTER TABLE users ADD PRIVACY_KEY (id); ALTER TABLE calendar SET PUBLIC")
            db.execute("SELECT name, count(*) FROM users JOIN calendar USING (day) GROUP BY name")
            assert db.notices[1:] == [
                "Noise is 7 times as wide because one id may be in 7 groups. If each id has one row: "
                "ALTER TABLE users SET PRIVACY CONTRIBUTION (groups = 1)."
            ]


NO_CANDIDATE = (
    "No value in the domain of {} meets the conditions; rows with NULL or other values are left out."
)


@pytest.mark.parametrize(
    ("query", "notices"),
    [
        ("SELECT page, count(*) FROM visits WHERE page IS NULL GROUP BY page", [NO_CANDIDATE.format("page")]),
        ("SELECT page, count(*) FROM visits WHERE page = 'x' GROUP BY page", [NO_CANDIDATE.format("page")]),
        ("SELECT age, count(*) FROM visits WHERE age > 90 GROUP BY age", [NO_CANDIDATE.format("age")]),
        ("SELECT page, count(*) FROM visits WHERE false GROUP BY page", []),
    ],
)
def test_a_free_answer_says_what_it_leaves_out(
    query: str, notices: list[str], owner: dpduck.Connection
) -> None:
    assert owner.execute(query).fetchall() == []
    assert owner.charged == "0"
    assert owner.notices == notices
