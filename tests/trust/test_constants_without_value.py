"""What is computed from an answer may hold a constant without a value: such queries were charged in vain."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

import dpduck
from dpduck.answers.results import told

NEWER = not duckdb.__version__.startswith("1.")  # before, what is divided by zero is NULL
HISTOGRAM = "WITH h AS (SELECT page, count(*) AS n FROM visits GROUP BY page)"
WITHOUT_VALUE = [
    "SELECT page, CAST('x' AS INTEGER) AS v FROM h",
    "SELECT page, n + CAST('x' || 'y' AS INTEGER) AS v FROM h",
    "SELECT page FROM h WHERE n > CAST('many' AS BIGINT)",
    "SELECT page FROM h ORDER BY n + CAST(300 AS TINYINT)",
    "SELECT DATE '2020-13-01' AS v, n FROM h",
    "SELECT strptime('a', '%Y') AS v, n FROM h",
    "SELECT regexp_matches(CAST(n AS VARCHAR), '(') AS v FROM h",
    "SELECT regexp_full_match(CAST(n AS VARCHAR), '[') AS v FROM h",
    "SELECT regexp_replace(CAST(n AS VARCHAR), '(', 'a') AS v FROM h",
    "SELECT regexp_extract(CAST(n AS VARCHAR), '*') AS v FROM h",
    "SELECT n FROM h WHERE CAST(n AS VARCHAR) SIMILAR TO '('",
    "SELECT n FROM (SELECT n + CAST('' AS INTEGER) AS n FROM h) t",
    "SELECT max(n + CAST('x' AS INTEGER)) AS v FROM h",
    "SELECT n FROM h UNION ALL SELECT CAST('x' AS INTEGER)",
    "SELECT n, 170141183460469231731687303715884105727 * 10 AS v FROM h",
    "SELECT CASE WHEN true THEN CAST('x' AS INTEGER) END AS v, n FROM h",
    *(("SELECT 1 // 0 AS v, n FROM h", "SELECT n // 0 AS v FROM h", "SELECT n // (0.0) AS v FROM h") * NEWER),
]
OF_THE_BLOCK = [
    "SELECT page, count(*) + CAST('x' AS INTEGER) AS v FROM visits GROUP BY page",
    "SELECT page, count(*) AS n FROM visits GROUP BY page HAVING count(*) > CAST('x' AS INTEGER)",
    "SELECT page, count(*) AS n FROM visits GROUP BY page ORDER BY strptime('a', '%Y'), n",
    "SELECT count(*) AS n, DATE '2020-13-01' AS d FROM visits",
]
WITH_VALUE = [
    "SELECT coalesce(n, CAST('x' AS INTEGER)) AS v FROM h",
    "SELECT CASE WHEN n IS NULL THEN CAST('x' AS INTEGER) ELSE 1 END AS v FROM h",
    "SELECT page FROM h WHERE n IS NULL AND n > CAST('x' AS INTEGER)",
    "SELECT if(n IS NULL, strptime('a', '%Y'), NULL) AS v FROM h",
    "SELECT TRY_CAST('x' AS INTEGER) AS v, n FROM h",
    "SELECT n // 2 AS v, n % 7 AS w, n / 0 AS x FROM h",
    "SELECT page FROM h WHERE EXISTS (SELECT CAST('x' AS INTEGER) FROM h WHERE n IS NULL)",
    "SELECT list_value(1, 2)[3] AS v, {'a': 1}.a AS w, INTERVAL 3 DAY AS x, DATE '294000-01-01' AS y FROM h",
    "SELECT n, lag(n, 1, 0) OVER (ORDER BY page) AS v FROM h ORDER BY 1",
]


@pytest.fixture(scope="module")
def shop() -> Iterator[dpduck.Connection]:
    with duckdb.connect() as con:
        con.execute("CREATE TABLE visits AS SELECT range AS person, range % 3 AS page FROM range(90)")
        with dpduck.connect(con, epsilon="0.01") as db:
            db.execute("ALTER TABLE visits ADD PRIVACY_KEY (person)")
            db.execute("ALTER TABLE visits ALTER COLUMN page SET PRIVACY DOMAIN BETWEEN (0, 2)")
            yield db


@pytest.mark.parametrize("sql", [f"{HISTOGRAM} {sql}" for sql in WITHOUT_VALUE] + OF_THE_BLOCK)
def test_a_constant_without_value_is_refused_for_nothing(shop: dpduck.Connection, sql: str) -> None:
    with pytest.raises(dpduck.DpduckError) as caught:
        shop.execute(sql)
    assert caught.value.charged == "0"
    assert "Nothing was charged" in str(caught.value)


@pytest.mark.parametrize("sql", WITH_VALUE)
def test_what_no_row_need_compute_is_answered(shop: dpduck.Connection, sql: str) -> None:
    shop.execute(f"{HISTOGRAM} {sql}").fetchall()


def test_the_error_says_what_is_wrong(shop: dpduck.Connection) -> None:
    with pytest.raises(dpduck.DpduckError) as caught:
        shop.execute(f"{HISTOGRAM} {WITHOUT_VALUE[0]}")
    assert str(caught.value).splitlines() == [
        "a constant in this query has no value",
        "DETAIL: DuckDB says: Conversion Error: Could not convert string 'x' to INT32. Nothing was charged.",
        "HINT: Write another one. TRY_CAST gives NULL for what cannot be converted.",
    ]


def test_how_much_memory_others_use_is_not_told() -> None:
    assert told(duckdb.OutOfMemoryException("so many bytes are in use")) == "Out of Memory Error"
