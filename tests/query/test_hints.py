"""What hints suggest is true: a query is refused, its hint says so much, and what it suggests is answered."""

from __future__ import annotations

import re
from collections.abc import Iterator

import duckdb
import pytest

from dpduck import policies
from dpduck.kernel.errors import DpduckError
from dpduck.kernel.errors.advice import (
    AlterTable,
    Audience,
    BoundRows,
    ByOwner,
    DeclareDomain,
    DeclareUnit,
    Hint,
)
from tests.query import golden
from tests.query.refusing import error_of, open_views, understand
from tests.query.shop import statement

# The refused query, words of its hint, and a query that follows it. Blocks of three lines.
SUGGESTED = """
SELECT count(*) FROM visits AS v WHERE EXISTS (SELECT 1 FROM visits AS w WHERE w.page = v.page)
Compare the person, as in w.uid = v.uid
SELECT count(*) FROM visits AS v WHERE EXISTS (SELECT 1 FROM visits AS w WHERE w.uid = v.uid)

SELECT count(*) FROM (SELECT uid, row_number() OVER (ORDER BY age) AS r FROM visits) WHERE r = 1
SELECT page, rank() OVER (ORDER BY count(*) DESC) FROM visits GROUP BY page
SELECT page, rank() OVER (ORDER BY count(*) DESC) FROM visits GROUP BY page

SELECT page, count(*) FROM visits, unnest([1, 2]) AS u(x) GROUP BY page
Join it ON t.x = u.key
SELECT page, count(*) FROM visits JOIN unnest([1, 2]) AS u(x) ON visits.age = u.x GROUP BY page

SELECT count(*) FROM visits AS v SEMI JOIN visits AS w ON v.uid = w.uid AND v.page = w.page
Write WHERE EXISTS (SELECT 1 FROM w WHERE w.uid = v.uid AND w.page = v.page)
SELECT count(*) FROM visits v WHERE EXISTS (SELECT 1 FROM visits w WHERE w.uid = v.uid AND w.page = v.page)

SELECT count(*) FROM visits USING SAMPLE 10%
Leave it out
SELECT count(*) FROM visits

SELECT count(*) FROM visits WHERE (age, page) = (1, 'a')
x = 1 AND y = 'a'
SELECT count(*) FROM visits WHERE age = 1 AND page = 'a'

SELECT page, median(age) FROM visits GROUP BY ROLLUP (page)
Write GROUP BY page for median(x)
SELECT page, median(age) FROM visits GROUP BY page

SELECT page, count(*) AS n, dp_low(n) FROM visits GROUP BY ROLLUP (page)
Write GROUP BY page
SELECT page, count(*) AS n, dp_low(n) FROM visits GROUP BY page

SELECT page, ok, count(*) AS n, dp_low(n) FROM visits GROUP BY CUBE (page, ok)
Write GROUP BY page, ok
SELECT page, ok, count(*) AS n, dp_low(n) FROM visits GROUP BY page, ok

SELECT 100.0 * avg(age) AS r, dp_low(r) FROM visits
Write SELECT avg(100.0 * age) AS n
SELECT avg(100.0 * age) AS n, dp_low(n), dp_high(n) FROM visits

SELECT sum(age) / 2 AS r, dp_low(r) FROM visits
Write SELECT sum(age / 2) AS n
SELECT sum(age / 2) AS n, dp_low(n), dp_high(n) FROM visits

SELECT count(*) FROM visits WHERE age > (SELECT avg(age) FROM visits)
A number of all people is asked for in a query of its own, and written as a constant in the next
SELECT count(*) FROM visits WHERE age > 40

SELECT disease, count(*) FROM visits GROUP BY ROLLUP (disease)
as in GROUP BY page ORDER BY count(*) DESC LIMIT 10
SELECT disease, count(*) FROM visits GROUP BY disease ORDER BY count(*) DESC LIMIT 10

SELECT page, count(*) FROM visits GROUP BY page WITH ROLLUP
GROUP BY ROLLUP (page)
SELECT page, count(*) FROM visits GROUP BY ROLLUP (page)

SELECT page, count(*) FROM visits WHERE uid IN (SELECT uid FROM visits GROUP BY ROLLUP (uid)) GROUP BY page
GROUP BY ROLLUP (page, region)
SELECT page, ok, count(*) FROM visits GROUP BY ROLLUP (page, ok)

SELECT page, count(*) FROM visits WHERE GROUPING(page) = 0 GROUP BY ROLLUP (page)
HAVING GROUPING(page) = 0
SELECT page, count(*) FROM visits GROUP BY ROLLUP (page) HAVING GROUPING(page) = 0

SELECT page, GROUPING(score) FROM visits GROUP BY ROLLUP (page)
GROUPING(page) beside GROUP BY ROLLUP (page)
SELECT page, GROUPING(page) FROM visits GROUP BY ROLLUP (page)

SELECT count(*) FROM visits WHERE page[1] = 'a'
substr(x, 1, 1)
SELECT count(*) FROM visits WHERE substr(page, 1, 1) = 'a'

SELECT count(*) FROM visits WHERE [age, tiny][2] = 5
CASE WHEN
SELECT count(*) FROM visits WHERE CASE WHEN ok THEN age ELSE tiny END = 5

SELECT count(*) FROM visits WHERE page GLOB 'a*'
LIKE 'a%', or regexp_matches(x, '^a')
SELECT count(*) FROM visits WHERE page LIKE 'a%' OR regexp_matches(page, '^a')

SELECT count(*) FROM visits WHERE page LIKE 'a!%' ESCAPE '!'
contains(x, '%'), or regexp_matches(x, '^a%')
SELECT count(*) FROM visits WHERE contains(page, '%') OR regexp_matches(page, '^a%')

SELECT count(*) FROM visits WHERE page COLLATE nocase = 'a'
lower(x)
SELECT count(*) FROM visits WHERE lower(page) = 'a'

SELECT count(*) FROM visits WHERE page.lower() = 'a'
lower(x)
SELECT count(*) FROM visits WHERE lower(page) = 'a'

SELECT * FROM visits PIVOT (count(*) FOR page IN ('a', 'b'))
PIVOT t ON page IN ('a', 'b') USING count(*) GROUP BY region
PIVOT visits ON page IN ('a', 'b') USING count(*) GROUP BY grade

PIVOT visits ON page IN ('a', '') USING count(*) GROUP BY grade
USING count(*) AS n
PIVOT visits ON page IN ('a', '') USING count(*) AS n GROUP BY grade

WITH RECURSIVE v AS (SELECT 1 AS uid UNION ALL SELECT uid + 1 FROM v) SELECT count(*) FROM v
Write WITH
WITH v AS (SELECT * FROM visits) SELECT count(*) FROM v

SELECT count(*) FROM visits AT (VERSION => 1)
Leave AT (...) out
SELECT count(*) FROM visits

SELECT count(*) FROM visits WHERE age & 1 = 1
x % 2 = 1
SELECT count(*) FROM visits WHERE age % 2 = 1

SELECT count(*) FROM visits WHERE count(*) > 5
HAVING count(*) > 5
SELECT count(*) FROM visits HAVING count(*) > 5

SELECT page, max(count(*)) FROM visits GROUP BY page
SELECT max(n) FROM (SELECT
SELECT max(n) FROM (SELECT page, count(*) AS n FROM visits GROUP BY page)

SELECT mode(age ORDER BY uid) FROM visits
Leave it out
SELECT mode(age) FROM visits

SELECT COLUMNS(*) FROM visits
each column by its name
SELECT page, count(*) FROM visits GROUP BY page

SELECT product(age) FROM visits
count(*), sum(x), avg(x), median(x), quantile_cont(x, 0.5), mode(x), min(x) or max(x)
SELECT count(*), sum(x), avg(x), median(x), quantile_cont(x, 0.5), mode(page), min(x), max(x) FROM visits

SELECT avg(1 / x) FROM visits
avg(..., contribution_bounds_per_row => (LOW, HIGH))
SELECT avg((1 / x), contribution_bounds_per_row => (0, 100)) FROM visits

SELECT median(x, contribution_bounds_per_row => (0, 1e300)) FROM visits
contribution_bounds_per_row => (LOW, HIGH)
SELECT median(x, contribution_bounds_per_row => (0, 100)) FROM visits

SELECT count(*, contribution_bounds_per_group => (5, 0)) FROM visits
count(*, contribution_bounds_per_group => (0, HIGH))
SELECT count(*, contribution_bounds_per_group => (0, 5)) FROM visits

SELECT count(*) FROM visits WHERE x = round(x, contribution_bounds_per_row => (0, 5))
sum(x, contribution_bounds_per_group => (LOW, HIGH))
SELECT sum(x, contribution_bounds_per_group => (0, 100)) FROM visits

SELECT count(*) FROM visits WHERE CASE WHEN disease = 'x' THEN error('x') ELSE ok END
CASE WHEN ... THEN NULL ... END
SELECT count(*) FROM visits WHERE CASE WHEN disease = 'x' THEN NULL ELSE ok END

SELECT count(*) FROM visits WHERE disease * 2 > 0
CAST(x AS DOUBLE)
SELECT count(*) FROM visits WHERE CAST(disease AS DOUBLE) * 2 > 0

SELECT count(*) FROM visits WHERE strptime(disease, '%Y') > day
TRY_CAST(x AS TIMESTAMP)
SELECT count(*) FROM visits WHERE TRY_CAST(disease AS TIMESTAMP) > day

SELECT count(*) FROM visits WHERE page = 5
TRY_CAST(page AS INTEGER)
SELECT count(*) FROM visits WHERE TRY_CAST(page AS INTEGER) = 5

SELECT count(*) FROM visits WHERE age = page
CAST(x AS VARCHAR)
SELECT count(*) FROM visits WHERE CAST(age AS VARCHAR) = page

SELECT count(*) FROM visits WHERE date_trunc('month', page) = '2024-01-01'
CAST(x AS DATE)
SELECT count(*) FROM visits WHERE date_trunc('month', CAST(page AS DATE)) = '2024-01-01'

SELECT count(*) FROM visits WHERE CAST(age AS DECIMAL(40, 2)) = 1
DECIMAL(18, 2)
SELECT count(*) FROM visits WHERE CAST(age AS DECIMAL(18, 2)) = 1

SELECT count(*) FROM visits WHERE day + INTERVAL (age) DAY > day
INTERVAL 7 DAY, or INTERVAL '1 day 12 hours'
SELECT count(*) FROM visits WHERE day + INTERVAL 7 DAY > day + INTERVAL '1 day 12 hours'

SELECT count(*) FROM visits WHERE regexp_matches(disease, page)
regexp_matches(x, '^a[0-9]+')
SELECT count(*) FROM visits WHERE regexp_matches(disease, '^a[0-9]+')

SELECT count(*) FROM visits WHERE disease::grade = 'low'
CAST(x AS VARCHAR)
SELECT count(*) FROM visits WHERE CAST(disease AS VARCHAR) = 'low'

SELECT count(DISTINCT uid, page) FROM visits
count(DISTINCT uid) or count(*)
SELECT count(DISTINCT uid), count(*) FROM visits

SELECT uid, count(*) FROM visits GROUP BY uid
count(*) to count units
SELECT count(*) FROM visits

SELECT x, count(*) FROM visits GROUP BY x
integers, decimals or text
SELECT amount, count(*) FROM visits GROUP BY amount

SELECT big, count(*) FROM visits GROUP BY big
ORDER BY count(*) DESC LIMIT 10
SELECT big, count(*) FROM visits GROUP BY big ORDER BY count(*) DESC LIMIT 10

SELECT disease, count(*) FROM visits GROUP BY disease
ORDER BY count(*) DESC LIMIT 10
SELECT disease, count(*) FROM visits GROUP BY disease ORDER BY count(*) DESC LIMIT 10

SELECT count(*) FROM visits AS v JOIN visits AS w ON v.page = w.page
Add AND v.uid = w.uid to their join
SELECT count(*) FROM visits AS v JOIN visits AS w ON v.page = w.page AND v.uid = w.uid

SELECT count(*) FROM visits AS v JOIN (SELECT uid AS u, age FROM visits) AS w ON v.age > w.age
Join them ON v.uid = w.u
SELECT count(*) FROM visits AS v JOIN (SELECT uid AS u, age FROM visits) AS w ON v.uid = w.u

SELECT count(*) FROM visits AS v JOIN (SELECT age FROM visits) AS w ON v.age = w.age
Add AND v.uid = visits.uid, which subqueries have to select, to their join
SELECT count(*) FROM visits AS v JOIN (SELECT uid, age FROM visits) AS w ON v.age = w.age AND v.uid = w.uid

SELECT count(*) FROM vists
Did you mean visits?
SELECT count(*) FROM visits

SELECT count(*) FROM other.visits
Did you mean visits?
SELECT count(*) FROM visits

SELECT name, count(*) FROM shops LEFT JOIN visits ON visits.page = shops.name GROUP BY name
count(visits.uid)
SELECT name, count(visits.uid) FROM shops LEFT JOIN visits ON visits.page = shops.name GROUP BY name

SELECT page, count(uid) FROM shops LEFT JOIN visits ON visits.page = shops.name GROUP BY page
Group by columns of the public table
SELECT name, count(uid) FROM shops LEFT JOIN visits ON visits.page = shops.name GROUP BY name

SELECT page, count(*) FROM (SELECT * FROM visits LIMIT 1) GROUP BY page
sort, limit or group outside
SELECT page, count(*) FROM (SELECT * FROM visits) GROUP BY page ORDER BY page LIMIT 1

SELECT page, (SELECT count(*) FROM visits AS w WHERE w.page = v.page) FROM visits AS v GROUP BY page
Join both on their keys: WITH a AS (SELECT page, count(*) AS n FROM visits GROUP BY page), b AS (...)
FROM (FROM visits SELECT ok, sum(age) GROUP BY 1) JOIN (FROM visits SELECT ok, count(*) GROUP BY 1) USING (ok)

SELECT quantile_cont(age, 1.5) FROM visits
quantile_cont(x, [0.25, 0.75])
SELECT quantile_cont(age, [0.25, 0.75]) FROM visits

SELECT median(page) FROM visits
mode(x)
SELECT mode(page) FROM visits

SELECT page, count(*) FROM visits GROUP BY page LIMIT 50%
LIMIT 10
SELECT page, count(*) FROM visits GROUP BY page LIMIT 10

SELECT dp_low(page) FROM visits
SELECT count(*) AS n, dp_low(n), dp_high(n)
SELECT count(*) AS n, dp_low(n), dp_high(n) FROM visits

SET threads = 1
SET dp_epsilon = 0.5
SET dp_epsilon = 0.5

SET dp_epsilon = 'nan'
0.5
SET dp_epsilon = 0.5

EXPLAIN ANALYZE SELECT count(*) FROM visits
EXPLAIN SELECT
EXPLAIN SELECT count(*) FROM visits

SELECT page, sum(count(*)) OVER w FROM visits GROUP BY page WINDOW w AS (ORDER BY page)
after OVER
SELECT page, sum(count(*)) OVER (ORDER BY page) FROM visits GROUP BY page

SELECT page, count(*) FROM visits AS a JOIN visits AS b ON a.uid = b.uid GROUP BY page
one of: a, b
SELECT a.page, count(*) FROM visits AS a JOIN visits AS b ON a.uid = b.uid GROUP BY a.page
"""

# The refused query, and the statement of its hint that makes the owner's policy answer it.
DECLARED = [
    ("SELECT avg(t) FROM people", "ALTER TABLE people ALTER COLUMN t SET PRIVACY DOMAIN BETWEEN (0, 100)"),
    (
        "SELECT region, count(*) FROM people GROUP BY region ORDER BY 2 DESC LIMIT 2",
        "ALTER TABLE people ALTER COLUMN region SET PRIVACY DOMAIN IN ('a', 'b')",
    ),
    ("SELECT count(*) FROM closed", "ALTER TABLE closed SET PUBLIC"),
]


@pytest.fixture(scope="module")
def views() -> Iterator[duckdb.DuckDBPyConnection]:
    with open_views() as connection:
        yield connection


@pytest.mark.parametrize(
    "block", SUGGESTED.strip().split("\n\n"), ids=lambda block: block.splitlines()[0][:70]
)
def test_what_a_hint_suggests_is_answered(block: str, views: duckdb.DuckDBPyConnection) -> None:
    refused, words, instead = block.splitlines()
    hint = error_of(refused, views).hint
    assert hint is not None and words in hint
    understand(instead, views)


@pytest.mark.parametrize(("refused", "declared"), DECLARED)
def test_what_a_hint_declares_is_enough(refused: str, declared: str) -> None:
    without_delta = refused.replace("SELECT", "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (delta = 0)", 1)
    with open_views() as connection:
        hint = error_of(without_delta, connection).hint
        assert hint is not None and _named(declared) in hint
        policies.execute(connection, statement(declared))
        understand(without_delta, connection)


def _named(declared: str) -> str:
    """A declaration as a hint says it: with gaps in place of the ends of a range, and of values."""
    gaps = re.sub(r"BETWEEN \([^()]*\)", "BETWEEN (LOW, HIGH)", declared)
    return re.sub(r"DOMAIN IN \([^()]*\)", "DOMAIN IN ('...', '...')", gaps)


def declared_by(advice: Hint | str | None) -> list[str]:
    """The statements of the owner that a hint names, without those that leave a name open."""
    parts = advice.parts if isinstance(advice, Hint) else ()
    actions = (part.action if isinstance(part, ByOwner) else part for part in parts)
    texts = [
        part.example() if isinstance(part, DeclareDomain) else part.sql()
        for part in actions
        if isinstance(part, (AlterTable, BoundRows, DeclareDomain, DeclareUnit))
    ]
    return [text for text in texts if "..." not in text and "(column)" not in text]


def hinted() -> Iterator[tuple[str, list[str], DpduckError]]:
    """The recorded refusals whose hints name statements of the owner."""
    with open_views() as connection:
        catalog = policies.load_catalog(connection)
        for path in golden.files("refused"):
            for case in map(golden.refused, golden.blocks(path)):
                refused = error_of(case.query, connection, catalog)
                declared = declared_by(refused.advice)
                if declared:
                    yield case.query, declared, refused


@pytest.mark.slow
def test_after_all_that_a_hint_declares_the_query_is_answered() -> None:
    """Nothing else was missing, of which the error did not tell; or it told that there may be more."""
    refusals = list(hinted())
    assert len(refusals) > 10
    more = 0
    for query, declared, refused in refusals:
        with open_views() as connection:
            for text in dict.fromkeys(declared):
                policies.execute(connection, statement(text))
            try:
                understand(query.replace("delta = 0", "delta = 1e-6"), connection)
            except DpduckError as error:
                assert "What else the query needs is said then." in str(refused.hint), query
                assert str(error) != str(refused), query
                more += 1
    assert more <= 3


def test_a_delta_and_the_bound_beside_it_are_enough() -> None:
    query = (
        "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (delta = 0) disease, count(*) FROM visits GROUP BY disease"
    )
    bound = "ALTER TABLE visits SET PRIVACY CONTRIBUTION (groups = 5)"
    with open_views() as connection:
        assert f"SET dp_delta = 1e-6 and {bound}" in str(error_of(query, connection).hint)
        policies.execute(connection, statement(bound))
        understand(query.replace("delta = 0", "delta = 1e-6"), connection)


def test_an_analyst_bounds_the_groups_of_a_query() -> None:
    query = (
        "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (delta = 0) disease, count(*) FROM visits GROUP BY disease"
    )
    with open_views() as connection:
        advice = error_of(query, connection).advice
        assert isinstance(advice, Hint)
        said = advice.for_analyst()
        assert "SET dp_delta = 1e-6 and SET dp_max_groups_contributed = 5." in said.text(Audience.SQL)
        bounded = "OPTIONS (max_groups_contributed = 5"
        assert f"--delta 1e-6 and SELECT WITH DIFFERENTIAL_PRIVACY {bounded}) ..." in said.text(
            Audience.COMMAND_ON_DATABASE
        )
        understand(query.replace("OPTIONS (delta = 0", f"{bounded}, delta = 1e-6"), connection)


def test_every_recorded_error_teaches() -> None:
    """It says once that nothing was charged, and what to write instead, unless it is about syntax."""
    for path in golden.files("refused"):
        for case in map(golden.refused, golden.blocks(path)):
            lines = case.error.split("\n-- ")
            assert case.error.count("Nothing was charged.") == 1, case.query
            assert lines[-1].startswith("HINT: ") or lines[0].startswith("SqlSyntaxError"), case.query
