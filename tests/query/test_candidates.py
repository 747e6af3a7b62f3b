"""The candidates that a query's conditions leave: WHERE on keys, expressions of one column, public tables."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from fractions import Fraction

import duckdb
import pytest

from dpduck import policies
from dpduck.engines.duckdb.public_facts import PublicFacts
from dpduck.kernel.plan.aggregates import ClampedSum, Mean, Moments, Quantile, Sum
from dpduck.kernel.plan.model import EveryKey, Plan, PublicPlan
from tests.query import quiet
from tests.query.shop import any_plan, statement

SCHEMA = """
CREATE TABLE calendar (day DATE PRIMARY KEY, week INTEGER, holiday BOOLEAN);
INSERT INTO calendar SELECT d::DATE, week(d), day(d) = 1
    FROM range(DATE '2023-01-01', DATE '2026-01-01', INTERVAL 1 DAY) AS r(d);
CREATE TABLE brands (id INTEGER PRIMARY KEY, brand VARCHAR, class VARCHAR, price INTEGER);
INSERT INTO brands SELECT i, 'b' || i % 40, 'c' || i % 8, i % 100 FROM range(400) AS r(i);
CREATE TABLE sales (person INTEGER, day DATE, ts TIMESTAMP, brand_id INTEGER, code VARCHAR, size INTEGER);
INSERT INTO sales SELECT i % 50, DATE '2023-12-25' + (i % 200)::INTEGER,
    TIMESTAMP '2024-01-01' + INTERVAL (i * 97) MINUTE, i * 7 % 400, chr((65 + i % 5)::INTEGER), i % 37
    FROM range(3000) AS r(i);
"""
POLICIES = (
    "ALTER TABLE calendar SET PUBLIC",
    "ALTER TABLE brands SET PUBLIC",
    "ALTER TABLE sales ADD PRIVACY_KEY (person)",
    "ALTER TABLE sales ALTER COLUMN day SET PRIVACY DOMAIN BETWEEN ('2024-01-01', '2024-06-30')",
    "ALTER TABLE sales ALTER COLUMN ts SET PRIVACY DOMAIN BETWEEN ('2024-01-01', '2024-06-30 23:59:59')",
    "ALTER TABLE sales ALTER COLUMN code SET PRIVACY DOMAIN IN ('E', 'D', 'C', 'B', 'A')",
    "ALTER TABLE sales ALTER COLUMN size SET PRIVACY DOMAIN BETWEEN (0, 29)",
)
WEEK = [date(2024, 6, 24) + timedelta(days=i) for i in range(7)]


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as opened:
        opened.execute(SCHEMA)
        for text in POLICIES:
            policies.execute(opened, statement(text))
        yield opened


def plan_of(query: str, connection: duckdb.DuckDBPyConnection) -> Plan:
    made = any_plan(query, policies.load_catalog(connection), facts=PublicFacts(connection))
    assert isinstance(made, Plan)
    return made


LISTED = ", ".join(f"'{day}'" for day in WEEK)
WITH_CALENDAR = "sales AS s JOIN calendar AS c ON s.day = c.day"
KEYS_AND_ROWS = (
    ("day", "sales WHERE day >= '2024-06-24'"),
    ("day", "sales WHERE day > DATE '2024-06-23'"),
    ("day", "sales WHERE NOT day < '2024-06-24'"),
    ("day", "sales WHERE day BETWEEN '2024-06-24' AND '2024-07-15'"),
    ("day", f"sales WHERE day IN ({LISTED})"),
    ("day", "sales WHERE date_trunc('week', day) = '2024-06-24'"),
    ("day", "sales WHERE extract(month FROM day) = 6 AND day(day) >= 24"),
    ("day", "sales WHERE CASE WHEN day < '2024-06-24' THEN 0 ELSE 1 END = 1"),
    ("ts::DATE", "sales WHERE ts >= '2024-06-24'"),
    ("date_trunc('day', ts)", "sales WHERE ts >= '2024-06-24'"),
    ("date_trunc('day', ts)", "sales WHERE date_trunc('day', ts) > '2024-06-23'"),
    ("day", "(SELECT ts::DATE AS day, person FROM sales WHERE ts >= '2024-06-24')"),
    ("day", "(SELECT ts::DATE AS day, person FROM sales) AS s WHERE day >= '2024-06-24'"),
    ("s.day", f"{WITH_CALENDAR} WHERE c.week = 26"),
    ("c.day", f"{WITH_CALENDAR} WHERE c.week = 26"),
    ("c.day", f"{WITH_CALENDAR} AND s.day >= '2024-06-24'"),
    ("c.day", "sales AS s JOIN calendar AS c USING (day) WHERE s.day >= '2024-06-24'"),
    ("c.day", "sales AS s JOIN calendar AS c ON s.ts::DATE = c.day WHERE c.week = 26 AND year(c.day) = 2024"),
)
SEVEN = [f"SELECT {key} AS k, count(*) FROM {rows} GROUP BY k" for key, rows in KEYS_AND_ROWS]


@pytest.mark.parametrize("query", SEVEN)
def test_a_week_is_seven_rows(query: str, connection: duckdb.DuckDBPyConnection) -> None:
    plan = plan_of(query, connection)
    assert isinstance(plan.selection, EveryKey)
    assert [measure.groups for measure in plan.measures] == [7]
    rows = quiet.answer(plan, connection).fetchall()
    days = [day.date() if isinstance(day, datetime) else day for day, _ in rows]
    assert days == WEEK
    assert rows == _sorted(query, connection)


def _sorted(query: str, connection: duckdb.DuckDBPyConnection) -> list[tuple[object, ...]]:
    """What plain SQL says, where people are counted, of those days that are in the domain."""
    rows = connection.execute(query.replace("count(*)", "count(DISTINCT person)")).fetchall()
    return sorted(row for row in rows if str(row[0]) <= "2024-06-30 99")


LEFT = [
    ("size", "size > 20", list(range(21, 30))),
    ("size", "size % 7 = 3", [3, 10, 17, 24]),
    ("size", "size IN (4, 40, 7)", [4, 7]),
    ("size // 10", "size >= 10", [1, 2]),
    ("size // 10", "size // 10 <> 1", [0, 2]),
    ("size % 3", "size < 2", [0, 1]),
    ("code", "code IN ('A', 'C', 'x')", ["C", "A"]),
    ("code", "code <> 'E' AND code LIKE '%' AND code > 'B'", ["D", "C"]),
    ("lower(code)", "code >= 'D'", ["e", "d"]),
    ("coalesce(code, 'none')", "size > 3", ["none", "E", "D", "C", "B", "A"]),
    ("coalesce(code, 'none')", "code IS NULL", ["none"]),
    ("coalesce(code, 'none')", "code = 'A'", ["A"]),
    ("CASE WHEN size < 5 THEN 'few' ELSE 'many' END", "size > 10", ["many"]),
    ("extract(hour FROM ts)", "extract(hour FROM ts) BETWEEN 9 AND 11", [9, 10, 11]),
    ("month(ts)", "ts >= '2024-05-01'", [5, 6]),
    ("month(ts)", "ts >= '2024-05-17 10:30:07'", [5, 6]),
    ("month(ts)", "month(ts) % 5 = 0", [5]),
    ("month(ts) + size // 30", "ts < '2024-02-01'", [1]),
    ("'Q' || quarter(ts)", "ts < '2024-05-01' OR ts::DATE = '2024-06-01'", ["Q1", "Q2"]),
    ("dayname(ts)", "isodow(ts) > 5", ["Saturday", "Sunday"]),
    ("monthname(ts)", "ts::DATE BETWEEN '2024-02-03' AND '2024-03-03'", ["February", "March"]),
    ("strftime(ts, '%m-%-d')", "ts::DATE > '2024-06-28'", ["06-29", "06-30"]),
    ("hour(ts) // 6", "hour(ts) > 11 AND month(ts) = 2", [2, 3]),
    ("date_diff('month', ts, DATE '2024-07-01')", "ts > '2024-04-30'", [1, 2, 3]),
    ("date_diff('day', day, DATE '2024-06-30') // 100 * 100", "true", [0, 100]),
    ("size % 3 * 100 + size // 10", "size % 10 = 0", [0, 101, 202]),
    ("extract(month FROM day)", "day >= '2024-03-05' AND extract(month FROM day) < 6", [3, 4, 5]),
]


@pytest.mark.parametrize(("key", "where", "left"), LEFT)
def test_what_a_condition_leaves(
    key: str, where: str, left: list[object], connection: duckdb.DuckDBPyConnection
) -> None:
    plan = plan_of(f"SELECT {key} AS k, count(*) AS n FROM sales WHERE {where} GROUP BY k", connection)
    assert sorted(map(str, (group for (group,) in plan.space.groups()))) == sorted(map(str, left))
    rows = quiet.answer(plan, connection).fetchall()
    assert sorted(str(row[0]) for row in rows) == sorted(map(str, left))


@pytest.mark.parametrize(
    "where",
    [
        "size > 30",  # beyond the domain, though there are such rows
        "size < 3 AND size > 4",
        "size IN (1, 2) AND size % 5 = 3",
        "code = 'A' AND code = 'B'",
        "code = 'x'",
        "size IS NULL",
    ],
)
def test_conditions_that_no_candidate_meets(where: str, connection: duckdb.DuckDBPyConnection) -> None:
    """The answer is empty, with the types that it would have had."""
    query = f"SELECT size, code, count(*) AS n, avg(size) FROM sales WHERE {where} GROUP BY ALL ORDER BY n"
    made = any_plan(query, policies.load_catalog(connection), facts=PublicFacts(connection))
    assert isinstance(made, PublicPlan)
    found = connection.sql(made.sql)
    assert found.fetchall() == []
    plain = connection.sql(query)
    assert (found.columns, found.types) == (plain.columns, plain.types)


def test_ranges_of_sums_stay_as_declared(connection: duckdb.DuckDBPyConnection) -> None:
    """A value beside the grid is not clamped to the grid points that a list leaves."""
    for where in ("WHERE size % 7 = 1", "WHERE code = 'A'", "WHERE size > 500", "WHERE size = 3 OR size = 4"):
        request = plan_of(f"SELECT sum(size) FROM sales {where}", connection).measures[0].request
        assert isinstance(request, ClampedSum)
        assert request.each is None


def _range_of(call: str, where: str, connection: duckdb.DuckDBPyConnection) -> tuple[object, object]:
    request = plan_of(f"SELECT {call} FROM sales {where}", connection).measures[0].request
    if isinstance(request, Quantile):
        return request.grid.low, request.grid.high
    if isinstance(request, Moments):
        return request.axes[0].low, request.axes[0].high
    assert isinstance(request, (Sum, Mean))
    return request.low, request.high


RANGES = [
    ("avg(size)", "size BETWEEN 5 AND 9", (5, 9)),
    ("avg(size)", "9 >= size AND 4 < size", (5, 9)),
    ("avg(size)", "size > 4.5 AND size < 9.5", (5, 9)),
    ("avg(size)", "size IN (9, 5, 7)", (5, 9)),
    ("avg(size)", "size >= 25", (25, 29)),
    ("avg(size)", "size <= 99", (0, 29)),
    ("avg(size)", "size = 5", (0, 29)),  # a mean of one number is none
    ("avg(size) FILTER (WHERE size < 10)", "size > 4", (5, 9)),
    ("sum(size, contribution_bounds_per_group => (0, 7))", "size BETWEEN 5 AND 9", (0, 7)),
    ("avg(size * 2 + 1)", "size BETWEEN 5 AND 9", (11, 19)),
    ("avg(size * 2 + 1)", "size * 2 + 1 < 10", (1, 9)),
    ("avg(size % 10)", "size % 10 BETWEEN 2 AND 3", (2, 3)),
    ("avg(CASE WHEN code = 'A' THEN size ELSE 0 END)", "size BETWEEN 5 AND 9", (0, 9)),
    ("avg(coalesce(size, 0))", "size BETWEEN 5 AND 9", (0, 9)),
    ("avg(brand_id)", "brand_id BETWEEN 5 AND 9", (5, 9)),  # that has no domain
    ("avg(size::DOUBLE)", "size::DOUBLE BETWEEN 0.5 AND 1.5", (Fraction(1, 2), Fraction(3, 2))),
    ("median(size)", "size BETWEEN 5 AND 9", (5, 9)),
    ("median(size // 2)", "size BETWEEN 10 AND 19", (5, 10)),  # a range of quotients is rounded outwards
    ("median(day)", "day >= '2024-06-24'", (date(2024, 6, 24), date(2024, 6, 30))),
    ("stddev(size)", "size BETWEEN 5 AND 9", (5, 9)),
    ("regr_slope(size, brand_id)", "size BETWEEN 5 AND 9 AND brand_id BETWEEN 0 AND 9", (5, 9)),
]


@pytest.mark.parametrize(("call", "where", "ends"), RANGES)
def test_conditions_narrow_ranges(
    call: str, where: str, ends: tuple[object, object], connection: duckdb.DuckDBPyConnection
) -> None:
    assert _range_of(call, f"WHERE {where}", connection) == ends


def test_conditions_narrow_sums_where_rows_are_bounded() -> None:
    for policy, ends in (("rows = 3", (5, 27)), ("rows = 2", (5, 18))):
        with duckdb.connect() as opened:
            opened.execute(SCHEMA)
            for text in (*POLICIES, f"ALTER TABLE sales SET PRIVACY CONTRIBUTION ({policy})"):
                policies.execute(opened, statement(text))
            assert _range_of("sum(size)", "WHERE size BETWEEN 5 AND 9", opened) == ends


def test_conditions_of_joins_and_subqueries_narrow_ranges(connection: duckdb.DuckDBPyConnection) -> None:
    rows = "JOIN brands ON brand_id = id AND size BETWEEN 5 AND 9"
    assert _range_of("avg(size)", rows, connection) == (5, 9)
    inner = "(SELECT person, size * 2 AS twice FROM sales WHERE size > 4) WHERE twice < 20"
    request = plan_of(f"SELECT avg(twice) FROM {inner}", connection).measures[0].request
    assert isinstance(request, Mean)
    assert (request.low, request.high) == (10, 19)
    numbered = (
        "(SELECT size, row_number() OVER (PARTITION BY person ORDER BY ts) AS i FROM sales) WHERE i <= 3"
    )
    request = plan_of(f"SELECT avg(i) FROM {numbered} AND size < 9", connection).measures[0].request
    assert isinstance(request, Mean)
    assert request.high == 3


def test_what_is_clamped_to_a_narrower_range_is_the_same(connection: duckdb.DuckDBPyConnection) -> None:
    """Also of values beyond the declared domain, which end at 29: there are some up to 36."""
    for where in ("size BETWEEN 5 AND 9", "size > 25", "size < 28 AND size > 3", "size IN (3, 36)"):
        query = f"SELECT avg(size), median(size) FROM sales WHERE {where}"
        wide = query.replace("(size)", "(size, contribution_bounds_per_row => (0, 29))")
        narrow_row, wide_row = (
            quiet.answer(plan_of(text, connection), connection).fetchall()[0] for text in (query, wide)
        )
        assert narrow_row == pytest.approx(wide_row, abs=1e-6)


WITH_BRANDS = "sales JOIN brands ON brand_id = id"
JOINT_KEYS = [
    ("brand, class", WITH_BRANDS, 40),
    ("brand, class", f"{WITH_BRANDS} WHERE price < 3", 6),
    ("day, month(day)", "sales", 182),
    ("month(ts), quarter(ts)", "sales", 6),
    ("isodow(ts), dayname(ts), size // 10", "sales WHERE ts < '2024-01-05'", 4 * 3),
    ("ts::DATE, hour(ts) // 12", "sales WHERE month(ts) = 2", 29 * 2),
    ("date_trunc('week', ts), month(ts)", "sales WHERE ts >= '2024-06-01'", 5),
    ("size // 10, size // 5, code", "sales", 6 * 5),
    ("week, month(c.day)", f"{WITH_CALENDAR} WHERE c.day >= '2024-05-01'", 10),
    ("upper(brand)", WITH_BRANDS, 40),
    ("price // 25, class", WITH_BRANDS, 32),
]
JOINT = [
    (f"SELECT {keys}, count(*) AS n FROM {rows} GROUP BY {keys}", groups) for keys, rows, groups in JOINT_KEYS
]


@pytest.mark.parametrize(("query", "groups"), JOINT)
@pytest.mark.parametrize("tail", ["", " ORDER BY n DESC LIMIT 4"])
def test_keys_that_belong_together(
    query: str, groups: int, tail: str, connection: duckdb.DuckDBPyConnection
) -> None:
    """Only combinations that exist are candidates; the numbers of those are as before."""
    plan = plan_of(query + tail, connection)
    assert plan.space.size == groups
    rows = quiet.answer(plan, connection).fetchall()
    plain = connection.execute(query.replace("count(*)", "count(DISTINCT person)")).fetchall()
    counts = {row[:-1]: row[-1] for row in plain}
    assert len(rows) == (groups if not tail else 4)
    if not tail:
        assert {row[:-1] for row in rows} == set(plan.space.groups())
        assert [row[:-1] for row in rows] == list(plan.space.groups())
    assert all(row[-1] == counts.get(row[:-1], 0) for row in rows)


def test_keys_alone_are_listed_together(connection: duckdb.DuckDBPyConnection) -> None:
    query = (
        "SELECT DISTINCT brand, class FROM sales JOIN brands ON brand_id = id WHERE price = 7 ORDER BY ALL"
    )
    made = any_plan(query, policies.load_catalog(connection), facts=PublicFacts(connection))
    assert isinstance(made, PublicPlan)
    assert connection.execute(made.sql).fetchall() == [("b27", "c3"), ("b7", "c7")]


def test_a_row_that_came_later_is_no_candidate(connection: duckdb.DuckDBPyConnection) -> None:
    """A public row that was added after the query was planned brings no combination of its own."""
    query = f"SELECT brand, class, count(*) AS n FROM {WITH_BRANDS} GROUP BY 1, 2"
    plan = plan_of(query, connection)
    connection.execute("UPDATE brands SET class = 'c0' WHERE id = 7")
    try:
        rows = quiet.answer(plan, connection).fetchall()
    finally:
        connection.execute("UPDATE brands SET class = 'c7' WHERE id = 7")
    assert [row[:-1] for row in rows] == list(plan.space.groups())


def test_nothing_private_is_read(connection: duckdb.DuckDBPyConnection) -> None:
    """With other private rows, or none, every plan is the same."""
    catalog = policies.load_catalog(connection)
    queries = [*SEVEN, *(query for query, _ in JOINT)]
    before = [any_plan(query, catalog, facts=PublicFacts(connection)) for query in queries]
    with duckdb.connect() as empty:
        empty.execute(SCHEMA)
        empty.execute("DELETE FROM sales")
        assert before == [any_plan(query, catalog, facts=PublicFacts(empty)) for query in queries]


def test_many_values(connection: duckdb.DuckDBPyConnection) -> None:
    """Conditions on keys with more values than are tried one by one: comparisons still cut the grid."""
    query = (
        "SELECT date_trunc('minute', ts) AS m, count(*) AS n FROM sales "
        "WHERE ts BETWEEN '2024-03-01 10:00' AND '2024-03-01 10:09' GROUP BY 1"
    )
    assert plan_of(query, connection).space.size == 10
