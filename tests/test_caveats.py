"""Caveats: where an answer means something else than plain SQL, its notices and EXPLAIN say so."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import pytest

import dpduck

TABLES = """
CREATE TYPE moods AS ENUM ('happy', 'sad');
CREATE TABLE visits AS SELECT i % 700 AS visitor, ['home', 'news', 'shop'][i % 3 + 1] AS page,
    (i % 50) * 1.5 AS amount, i % 40 AS age FROM range(5000) AS r(i);
ALTER TABLE visits ALTER COLUMN visitor SET NOT NULL;
CREATE TABLE people (id INTEGER PRIMARY KEY, region VARCHAR, income INTEGER, mood moods);
INSERT INTO people SELECT i, ['n', 's'][i % 2 + 1], i % 90, ['happy', 'sad'][i % 2 + 1]
    FROM range(700) AS r(i);
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
UNITS = (
    "n counts distinct visitor, not rows. Rows: SET dp_count = 'rows', or "
    "count(*, contribution_bounds_per_group => (0, HIGH)) if HIGH is known without looking at the data."
)
DISTINCT = "n is a lower estimate: each visitor stands for at most l values, "
DISTINCT += "l chosen privately up to 751; other values are missed."
FEW = (
    "n takes at most 1 value of each visitor, so the truth may be far above. "
    "To count more: ALTER TABLE visits SET PRIVACY CONTRIBUTION (rows = 10)."
)
PAGES = "Rows whose page is NULL or not in its domain are left out."
CLAMPS = "n takes values from 0 to 40; those beyond count as the nearer end."
TOTALS = "contribution_bounds_per_group => (low, high) sets other bounds."
CLAMPED = "n takes a total of each visitor, with values below 0 as 0, up to a clamp that is chosen privately"
BOUNDS = "contribution_bounds_per_group => (low, high) sets bounds."
NEAR = "n is off by at most 3 units in rank with probability 95 %, and never between two values."
MANY = (
    "Noise is 3 times as wide because one visitor may be in 3 groups. "
    "If each visitor has one row: ALTER TABLE visits SET PRIVACY CONTRIBUTION (groups = 1)."
)


def make_shop(path: Path) -> None:
    with duckdb.connect(path) as con:
        con.execute(TABLES)
    with dpduck.connect(path) as db:
        db.execute(";".join(POLICIES.strip().splitlines()))


@pytest.fixture
def shop(copied: Callable[..., Path]) -> Path:
    return copied(make_shop)


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
        ("SELECT count(DISTINCT page) AS n FROM visits", "below", [FEW]),
        (
            "SELECT count(*, contribution_bounds_per_group => (0, 5)) AS n FROM visits",
            "below",
            ["n takes at most 5 rows of each visitor; others are left out."],
        ),
        (
            "SELECT sum(amount) AS n FROM visits",
            "below",
            [f"{CLAMPED}, so the truth may be above. {BOUNDS}"],
        ),
        (
            "SELECT sum(age - 20) AS n FROM visits",
            "noise",
            [
                "n takes a total of each visitor up to a clamp that is chosen privately, so the truth may be "
                f"above or below. {BOUNDS}"
            ],
        ),
        (
            "SELECT avg(age) AS n FROM visits",
            "units",
            ["n gives each visitor the same weight, whatever rows it has.", CLAMPS],
        ),
        (
            "SELECT median(age) AS n FROM visits",
            None,
            ["n gives each visitor the same weight, whatever rows it has.", CLAMPS, NEAR],
        ),
        (
            "SELECT avg(m) AS n FROM (SELECT region, count(*) AS m FROM people GROUP BY region)",
            None,
            [
                "Rows whose region is NULL or not in its domain are left out.",
                "n counts all groups of the domain, also those without rows. "
                "HAVING in the subquery leaves out what is near 0.",
            ],
        ),
        (
            "SELECT sum(m) AS n FROM (SELECT region, count(*) AS m FROM people GROUP BY region)",
            None,
            ["Rows whose region is NULL or not in its domain are left out."],
        ),
        (
            "SELECT quantile_disc(income, 0.5) AS n FROM people",
            None,
            ["n takes values from 0 to 90; those beyond count as the nearer end."],
        ),
        (
            "SELECT min(income) AS n FROM people",
            None,
            [
                "n is the least value but for those of up to 5 rows: a true extreme is one row's value.",
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
            ["Each visitor counts in at most 1 group, so counts and sums may be too low.", PAGES],
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
        ("SELECT count(DISTINCT region) AS n, avg(income < 9) FROM people", "domain", []),
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
            ["Rows whose h is NULL are left out.", MANY.replace("3", "2")],
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


DIVIDES = "q divides numbers that are bounded for each visitor, so it may be far from plain SQL's."


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("SELECT sum(amount) / count(*) AS q FROM visits", f"{DIVIDES} Nearer: avg(amount)."),
        (
            "SELECT sum(amount) AS s, count(*) AS n, CAST(s / nullif(n, 0) AS INTEGER) AS q FROM visits",
            f"{DIVIDES} Nearer: avg(amount).",
        ),
        (
            "SELECT count(*) FILTER (WHERE age > 20) * 100.0 / count(*) AS q FROM visits",
            f"{DIVIDES} Nearer: 100.0 * avg(CASE WHEN age > 20 THEN 1 ELSE 0 END).",
        ),
        (
            "SELECT round(100 * (sum(amount) * 1.0 / count(*)), 1) AS q FROM visits",
            f"{DIVIDES} Nearer: 100 * avg(amount).",
        ),
        (
            "SELECT 1 - sum(amount) / count(*) AS q FROM visits",
            f"{DIVIDES} Nearer, in place of the quotient: avg(amount).",
        ),
        ("SELECT (sum(amount) - 5) / count(*) AS q FROM visits", DIVIDES),
        ("SELECT sum(amount) / (60 * count(*)) AS q FROM visits", DIVIDES),
        (
            "SELECT count_if(age > 20) / count(*) AS q FROM visits",
            f"{DIVIDES} Nearer: avg(CASE WHEN age > 20 THEN 1 ELSE 0 END).",
        ),
        (
            "SELECT sum(amount) FILTER (WHERE age > 2) / count(*) FILTER (WHERE age > 2) AS q FROM visits",
            f"{DIVIDES} Nearer: avg(amount) FILTER(WHERE age > 2).",
        ),
        ("SELECT sum(amount) / count(*) FILTER (WHERE age > 2) AS q FROM visits", DIVIDES),
        ("SELECT sum(amount) / count(DISTINCT visitor) AS q FROM visits", DIVIDES),
        ("SELECT page, 100 * count(*) / sum(count(*)) OVER () AS q FROM visits GROUP BY page", DIVIDES),
        (
            "SELECT s // n AS q FROM (SELECT sum(amount) AS s, count(*) AS n FROM visits)",
            f"{DIVIDES} Nearer: avg(amount).",
        ),
        (
            "SELECT 100.0 * s / n AS q FROM (SELECT sum(amount) AS s, count(*) AS n FROM visits)",
            f"{DIVIDES} Nearer: 100.0 * avg(amount).",
        ),
        ("SELECT q FROM (SELECT sum(amount) / count(*) AS q FROM visits)", f"{DIVIDES} Nearer: avg(amount)."),
    ],
)
def test_a_quotient_of_bounded_numbers_is_said_to_be_one(
    owner: dpduck.Connection, sql: str, said: str
) -> None:
    assert [caveat for caveat in owner.explain(sql).caveats if " divides " in caveat] == [said]
    owner.execute(sql)
    assert [notice for notice in owner.notices if " divides " in notice] == [said]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT sum(income) / count(*) AS q FROM people",
        "SELECT sum(amount) / 700 AS q FROM visits",
        "SELECT page, count(*) / length(page) AS q FROM visits GROUP BY page",
        "SELECT avg(amount / 2) AS q FROM visits",
        "SELECT count(*) AS n FROM visits HAVING sum(amount) / count(*) > 1",
    ],
)
def test_other_divisions_are_not(owner: dpduck.Connection, sql: str) -> None:
    assert not [caveat for caveat in owner.explain(sql).caveats if " divide" in caveat]


@pytest.mark.parametrize(
    ("quotient", "average"),
    [
        ("sum(amount) / count(*)", "avg(amount)"),
        ("count(*) FILTER (WHERE age > 20) / count(*)", "avg(CASE WHEN age > 20 THEN 1 ELSE 0 END)"),
        (
            "100.0 * count(*) FILTER (WHERE age > 20) / count(*)",
            "100.0 * avg(CASE WHEN age > 20 THEN 1 ELSE 0 END)",
        ),
    ],
)
def test_the_average_that_is_named_is_nearer(
    owner: dpduck.Connection, shop: Path, quotient: str, average: str
) -> None:
    assert f"Nearer: {average}." in str(owner.explain(f"SELECT {quotient} AS q FROM visits").caveats)
    owner.execute("SET dp_epsilon = 1")
    found = [
        owner.execute(f"SELECT {value} AS q FROM visits").fetchall()[0][0] for value in (quotient, average)
    ]
    owner.close()
    with duckdb.connect(shop) as con:
        [[truth]] = con.execute(f"SELECT {quotient} FROM visits").fetchall()
    assert abs(found[1] - truth) < 0.1 * truth < abs(found[0] - truth)


def test_errors_of_plans_of_clamped_sums_are_in_clamps(owner: dpduck.Connection) -> None:
    owner.execute("SET dp_delta = 1e-6")
    for numbers, unit in (("sum(amount)", " clamps"), ("sum(amount), count(*)", ", of sums in clamps")):
        text = str(owner.explain(f"SELECT page, {numbers} FROM visits GROUP BY page"))
        plans = [line for line in text.splitlines() if line.startswith("  plan ")]
        assert plans and all(re.search(rf": \+-[0-9.,]+{unit}$", line) for line in plans), text
    assert "clamps" not in str(owner.explain("SELECT page, count(*) FROM visits GROUP BY page"))


def test_count_has_one_name(owner: dpduck.Connection) -> None:
    """DuckDB calls a column of count(*) count_star(): notices and EXPLAIN say what people write."""
    asked = "SELECT page, count(*), 1.0 * count_if(age > 9) / count(*) FROM visits GROUP BY 1"
    owner.execute(asked)
    answer, _, _ = str(owner.explain(asked)).partition("score SQL")
    said = " ".join([*owner.notices, answer])
    assert (
        "count_star" not in said
        and "/ count(*)) divides" in said
        and "SET dp_delta = 1e-6: count(*) +-" in said
    )
    assert [column[0] for column in owner.execute(asked).description or ()][
        1
    ] == "count_star()"  # as in DuckDB


@pytest.mark.parametrize(
    ("epsilon", "quantile", "said"),
    [
        (
            "0.02",
            "median(income)",
            "n is unreliable with fewer than about 800 rows. Ask for fewer and larger",
        ),
        ("0.02", "quantile_cont(income, 0.9)", "n may be above all values of fewer than about 7,000 rows. "),
        ("0.02", "quantile_cont(income, 0.1)", "n may be below all values of fewer than about 7,000 rows. "),
        ("2", "median(income)", ""),
    ],
)
def test_quantiles_of_groups_say_of_how_many_rows_they_are_noise(
    owner: dpduck.Connection, epsilon: str, quantile: str, said: str
) -> None:
    owner.execute(f"SET dp_epsilon = {epsilon}")
    caveats = owner.explain(f"SELECT region, {quantile} AS n FROM people GROUP BY region").caveats
    found = [caveat for caveat in caveats if "fewer than about" in caveat]
    assert len(found) == bool(said) and all(caveat.startswith(said) for caveat in found), caveats


def test_an_expression_is_called_by_its_alias(owner: dpduck.Connection) -> None:
    owner.execute("SELECT age // 10 AS decade, count(*) AS n FROM visits GROUP BY decade")
    assert "Rows whose decade is NULL or not in its domain are left out." in owner.notices
    owner.execute("SELECT age // 10, count(*) AS n FROM visits GROUP BY 1")
    assert any("age // 10" in one and one.endswith("are left out.") for one in owner.notices), owner.notices


def test_explain_has_the_error_of_each_number_that_is_computed_with(owner: dpduck.Connection) -> None:
    text = str(
        owner.explain(
            "SELECT region, sum(income) / count(*) AS q FROM people GROUP BY region "
            "HAVING count_if(income > 9) > 5 ORDER BY count(DISTINCT income)"
        )
    )
    for name in ("sum(income)", "count(*)", "count_if(income > 9)", "count(DISTINCT income)"):
        assert f"  error     {name} is within " in text
        assert f"for {name}" in text
    alone = str(owner.explain("SELECT upper(mode(region)) FROM people"))
    assert "error     its count is at most " in alone
    ranked = str(owner.explain("SELECT upper(mode(region)), median(income) / 2 FROM people"))
    assert "error     the count of mode(region) is at most " in ranked
    assert "error     the rank of median(income) is off by at most " in ranked


def _without_noise(notices: list[str]) -> list[str]:
    """Notices of a plan, without those of released numbers, and without what was chosen privately."""
    of_numbers = ("Noise is larger than", "n is less than")
    said = [one for one in notices if not one.startswith(of_numbers) and "may have no rows" not in one]
    said = [re.sub(r" at most [0-9,]+ values?, chosen", " at most l values, l chosen", one) for one in said]
    return [re.sub(r" \([0-9,.]+\)", "", notice) for notice in said]


def test_the_truth_has_no_upper_end_where_bounds_may_have_lowered_a_number(owner: dpduck.Connection) -> None:
    [clamped] = owner.execute("SELECT sum(amount) AS n, dp_low(n), dp_high(n) FROM visits").fetchall()
    assert clamped[1] < clamped[0]
    assert clamped[2] is None
    [units] = owner.execute("SELECT count(*) AS n, dp_low(n), dp_high(n) FROM visits").fetchall()
    assert units[1] < units[0] < units[2]
    [noise] = owner.execute("SELECT sum(age - 20) AS n, dp_low(n), dp_high(n) FROM visits").fetchall()
    assert noise[1] < noise[0] < noise[2]
    bounded = "SELECT sum(amount, contribution_bounds_per_group => (0, 75)) AS n FROM visits"
    assert "the truth is at least n - " in str(owner.explain(bounded))


def test_only_the_owner_is_told_to_change_a_policy(shop: Path) -> None:
    with dpduck.connect(shop, analyst="ana", epsilon="2") as db:
        db.execute("SELECT page, count(DISTINCT visitor) AS n FROM visits GROUP BY page")
        assert db.notices == [
            PAGES,
            MANY.replace(
                "ALTER TABLE visits SET PRIVACY CONTRIBUTION (groups = 1)",
                "SET dp_max_groups_contributed = 1",
            ),
        ]
        db.execute("SET dp_max_groups_contributed = 1")
        db.execute("SELECT page, count(DISTINCT visitor) AS n FROM visits GROUP BY page")
        assert db.notices[-2:] == [
            "Each visitor counts in at most 1 group, so counts and sums may be too low.",
            PAGES,
        ]


def test_a_declared_bound_on_groups_ends_the_advice(owner: dpduck.Connection) -> None:
    owner.execute("ALTER TABLE visits SET PRIVACY CONTRIBUTION (groups = 2)")
    owner.execute("SELECT page, count(DISTINCT visitor) AS n FROM visits GROUP BY page")
    bound = "Each visitor counts in at most 2 groups, the bound of visits, so counts and sums may be too low."
    assert owner.notices == [bound, PAGES]


def test_a_bound_holds_where_the_query_names_its_table() -> None:
    with duckdb.connect() as con:
        con.execute(
            "CREATE TABLE people (id INTEGER PRIMARY KEY); "
            "CREATE TABLE stays (id INTEGER PRIMARY KEY, person INTEGER NOT NULL, ward VARCHAR); "
            "CREATE TABLE drugs (stay INTEGER NOT NULL, code INTEGER)"
        )
        db = dpduck.connect(con, epsilon="1")
        for statement in (
            "ALTER TABLE people ADD PRIVACY_KEY (id)",
            "ALTER TABLE stays ADD PRIVACY_LINK (person) REFERENCES people(id)",
            "ALTER TABLE stays SET PRIVACY CONTRIBUTION (groups = 2, rows = 10)",
            "ALTER TABLE drugs ADD PRIVACY_LINK (stay) REFERENCES stays(id)",
            "ALTER TABLE drugs ALTER COLUMN code SET PRIVACY DOMAIN BETWEEN (0, 8)",
        ):
            db.execute(statement)
        alone = db.explain("SELECT code, count(*) FROM drugs GROUP BY code").caveats
        assert not any("at most 2 groups" in notice for notice in alone)
        assert any("in 9 groups" in notice and "ALTER TABLE drugs" in notice for notice in alone)
        for source in (
            "drugs JOIN stays ON stays.id = drugs.stay",
            "(SELECT code, ward FROM drugs JOIN stays ON stays.id = drugs.stay)",
            "(SELECT DISTINCT stays.id, code FROM drugs JOIN stays ON stays.id = drugs.stay)",
        ):
            both = db.explain(f"SELECT code, count(*) FROM {source} GROUP BY code").caveats
            assert (
                "Each people.id counts in at most 2 groups, the bound of stays, so counts and sums may be "
                "too low." in both
            )


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
                "Noise is 7 times as wide because one id may be in 7 groups. Its one row may meet several of "
                "a public table; a PRIMARY KEY or UNIQUE of the columns by which that is joined says that it "
                "meets one. SET dp_max_groups_contributed = 'private' has a smaller number chosen for "
                "counts, if few are in more."
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


@pytest.mark.parametrize(
    ("query", "notices"),
    [
        ("WHERE region = 'm'", ["No value in the domain of region is 'm'."]),
        ("WHERE region <> 'N'", ["No value in the domain of region is 'N'. Did you mean 'n'?"]),
        (
            "WHERE NOT (region IN ('n', 'ss') OR id = 3)",
            ["No value in the domain of region is 'ss'. Did you mean 's'?"],
        ),
        ("WHERE income > 500", ["No value in the domain of income, from 0 to 90, is > 500."]),
        ("WHERE NOT income <= 500", ["No value in the domain of income, from 0 to 90, is > 500."]),
        ("WHERE NOT income < 500", ["No value in the domain of income, from 0 to 90, is >= 500."]),
        ("WHERE NOT income > 500", []),
        ("WHERE 90 < income", ["No value in the domain of income, from 0 to 90, is > 90."]),
        ("WHERE income BETWEEN -9 AND -1", ["No value in the domain of income, from 0 to 90, is <= -1."]),
        ("WHERE income = 91", ["No value in the domain of income, from 0 to 90, is 91."]),
        ("WHERE mood <> 'hapy'", ["No value in the domain of mood is 'hapy'. Did you mean 'happy'?"]),
        ("WHERE income >= 90 AND income <= 0 + 90 AND region < 'p' AND id > 5000 AND mood = 'sad'", []),
        ("WHERE income IS DISTINCT FROM NULL AND region LIKE 'x%'", []),
        (
            "WHERE income IN (1, 2, 91, 92, 93, 94, 95, 96, 97)",
            [f"No value in the domain of income, from 0 to 90, is {income}." for income in range(91, 96)],
        ),
        (
            "HAVING count(*) FILTER (WHERE region = 'ss') > 5",
            ["No value in the domain of region is 'ss'. Did you mean 's'?"],
        ),
    ],
)
def test_a_constant_beside_a_domain(query: str, notices: list[str], owner: dpduck.Connection) -> None:
    explained = owner.explain(f"SELECT count(*) AS n FROM people {query}")
    assert [caveat for caveat in explained.caveats if "domain of" in caveat] == notices
    assert explained.epsilon == "2"


def test_a_constant_beside_the_domain_of_a_key(owner: dpduck.Connection) -> None:
    said = "No value in the domain of page is 'hom'. Did you mean 'home'?"
    query = "SELECT page, count(*) FROM visits GROUP BY page HAVING page = 'hom' AND count(*) > 5"
    assert said in owner.explain(query).caveats
    query = "SELECT page, count(*) FROM (SELECT * FROM visits WHERE page = 'hom') GROUP BY page"
    assert owner.execute(query).fetchall() == []
    assert owner.notices == [f"{NO_CANDIDATE.format('page')} Did you mean 'home'?"]


def test_what_no_value_of_an_enum_meets_is_free(owner: dpduck.Connection) -> None:
    query = "SELECT count(*) AS n, sum(income) FROM people WHERE income > 5 AND {}"
    for condition in ("mood = 'hapy'", "mood IN ('hapy', 'bad')", "mood > 'x'", "length(mood::VARCHAR) > 9"):
        assert owner.execute(query.format(condition)).fetchall() == [(0, None)]
        assert owner.charged == "0"
    for condition in ("mood = 'sad'", "mood IS NULL", "mood <> 'hapy'", "(mood = 'hapy' OR id = 3)"):
        assert owner.explain(query.format(condition)).epsilon == "2"
    owner.execute(query.format("mood = 'hapy'"))
    assert owner.notices == ["No value in the domain of mood is 'hapy'. Did you mean 'happy'?"]


def test_a_value_beside_a_declared_domain_may_be_in_rows_so_it_is_paid_for(owner: dpduck.Connection) -> None:
    owner.execute("ALTER TABLE people ALTER COLUMN mood SET PRIVACY DOMAIN IN ('happy')")
    explained = owner.explain("SELECT count(*) AS n FROM people WHERE mood = 'sad'")
    assert explained.epsilon == "2"
    assert explained.caveats == ("No value in the domain of mood is 'sad'.",)


def test_many_mistyped_constants_take_no_time(owner: dpduck.Connection) -> None:
    values = ", ".join(f"'{number:05d}'" for number in range(1000))
    owner.execute(f"ALTER TABLE people ALTER COLUMN region SET PRIVACY DOMAIN IN ({values})")
    asked = ", ".join(f"'{number:05d}x'" for number in range(9000))
    started = time.monotonic()
    explained = owner.explain(f"SELECT count(*) FROM people WHERE region IN ({asked})")
    assert len([caveat for caveat in explained.caveats if "Did you mean" in caveat]) == 5
    assert time.monotonic() - started < 20


@pytest.mark.parametrize(
    ("key", "table", "lacks"),
    [
        ("region", "people", True),
        ("age", "visits", False),
    ],  # whom ranking serves better: who is in many groups
)
def test_gaps_that_no_ranking_releases_are_said_to_be_null(
    owner: dpduck.Connection, key: str, table: str, lacks: bool
) -> None:
    owner.execute(
        f"SELECT {key}, count(*) AS n, dp_gap(n) AS g FROM {table} GROUP BY {key} ORDER BY n DESC LIMIT 1"
    )
    assert any("are NULL, as all groups are counted" in one for one in owner.notices) == lacks
