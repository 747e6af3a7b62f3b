"""What fails on whatever is released is refused before its charge; what some numbers may give is answered."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from time import monotonic

import duckdb
import pyarrow as pa
import pytest

import dpduck
from dpduck.answers import rehearsal
from dpduck.answers.made_up_rows import made_up_rows
from dpduck.answers.rehearsal import check_answer, check_constants
from dpduck.answers.results import Shape
from dpduck.compiler.parse.statements import Select, parse
from dpduck.engines.duckdb.hardening import open_scratch
from dpduck.kernel.cancellation import Interrupted, Interrupts
from dpduck.kernel.errors import UnsupportedSqlError
from dpduck.kernel.plan.compound import CompoundPlan
from dpduck.kernel.plan.model import Plan, PublicPlan

TABLE = """
CREATE TABLE p AS SELECT i AS id, (18 + i % 60)::INTEGER AS age, ['north', 'south'][1 + i % 2] AS region,
    DATE '2024-01-01' + (i % 300)::INTEGER AS d, 'c' || i % 3 AS code FROM range(300) AS t(i)
"""
POLICIES = (
    "ADD PRIVACY_KEY (id)",
    "SET PRIVACY CONTRIBUTION (groups = 1)",
    "ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (0, 120)",
    "ALTER COLUMN region SET PRIVACY DOMAIN IN ('north', 'south')",
    "ALTER COLUMN d SET PRIVACY DOMAIN BETWEEN ('2024-01-01', '2024-12-31')",
)
BY_REGION = "(SELECT region, count(*) AS n FROM p GROUP BY region)"
BY_CODE = "(SELECT code, count(*) AS n FROM p GROUP BY code)"
PARTS = "(SELECT count(*) AS n, count(*) FILTER (age < 20) AS n_a FROM p)"

# Types that do not fit, constants that are not taken, and keys of a domain of which each is released.
IN_VAIN = [
    "SELECT count(*)::DATE FROM p",
    "SELECT avg(age)::DATE FROM p",
    f"SELECT n::DATE FROM {BY_REGION}",
    "SELECT d::INTEGER, count(*) FROM p GROUP BY d",
    "SELECT [count(*), 'x'] FROM p",
    "SELECT count(*) IN ('300', 'x') FROM p",
    "SELECT count(*) = 'x' FROM p",
    "SELECT nullif(count(*), 'x') FROM p",
    "SELECT region, count(*) FROM p GROUP BY region HAVING count(*) BETWEEN '1' AND 'z'",
    "SELECT region, count(*) FROM p GROUP BY region HAVING count(*) > '1' AND count(*) < 'z'",
    "SELECT d, count(*) FROM p GROUP BY d HAVING d > 'yesterday' OR count(*) > 5",
    f"SELECT a.n FROM {BY_REGION} a JOIN (SELECT count(*) AS c FROM p) ON a.n = 'x'",
    "SELECT printf('%s', count(*)) FROM p",
    "SELECT format('{:d}', region), count(*) FROM p GROUP BY region",
    "SELECT region, ntile(0) OVER (ORDER BY count(*)) FROM p GROUP BY region",
    f"SELECT ntile(0) OVER (ORDER BY n) FROM {BY_CODE}",
    f"SELECT printf('%d %d', n) FROM {BY_REGION}",
    f"SELECT max(n, 0) FROM {BY_REGION}",
    f"SELECT (n * 0 + 300)::TINYINT FROM {BY_REGION}",
    "SELECT (age + 8)::TINYINT, n FROM (SELECT age, count(*) AS n FROM p GROUP BY age)",
    "SELECT make_date(2023, month(d), 29), n FROM (SELECT d, count(*) AS n FROM p GROUP BY d)",
    f"SELECT lag(n, 1, 'x') OVER (ORDER BY n) FROM {BY_REGION}",
    f"SELECT region LIKE 'n%' ESCAPE 'xx' FROM {BY_REGION}",
    "SELECT region, count(*) FROM p GROUP BY region HAVING region LIKE 'n%' ESCAPE 'xx'",
    "SELECT timezone('Nowhere/X', d::TIMESTAMP), count(*) FROM p GROUP BY d",
    "SELECT region::INTEGER, count(*) FROM p GROUP BY region",
    "SELECT region, count(*) FROM p GROUP BY region ORDER BY region::INTEGER",
    "SELECT region::INTEGER, count(*) AS n FROM p GROUP BY region ORDER BY n DESC LIMIT 1",
    f"SELECT region::INTEGER, n FROM {BY_REGION}",
    "SELECT mode(region)::INTEGER FROM p",
    "SELECT strptime(region, '%Y'), count(*) FROM p GROUP BY region",
    "SELECT make_date(2024, age, 1), count(*) FROM p GROUP BY age",
    f"SELECT (SELECT n FROM {BY_REGION}) FROM {BY_REGION}",
    # behind conditions on numbers
    f"SELECT n FROM {BY_REGION} WHERE n > 10 AND region::INTEGER > 5",
    f"SELECT region::INTEGER FROM {BY_REGION} WHERE n > 10",
    "SELECT region, count(*) FROM p GROUP BY region HAVING count(*) > 10 AND region::INTEGER > 5",
    "SELECT region, timezone(7::VARCHAR, (SELECT TIMESTAMP '1970-01-01')), count(*) FROM p GROUP BY region "
    "HAVING count(*) > 10",
    f"SELECT sum(n) FILTER (n > 10 AND region::INTEGER > 5) FROM {BY_REGION}",
    f"SELECT a.n FROM {BY_REGION} a JOIN {BY_REGION} b ON a.n + b.n > 10 AND a.region::INTEGER > 5",
    f"SELECT n, region::INTEGER FROM {BY_REGION} QUALIFY row_number() OVER (ORDER BY n) = 1 AND n > 10",
    # of rows of a public table
    f"SELECT label::INTEGER, n FROM {BY_REGION} JOIN place USING (region)",
    f"SELECT label, n FROM {BY_REGION} JOIN place USING (region) WHERE n > 10 AND label::INTEGER > 5",
    "SELECT label, count(*) FROM p JOIN place USING (region) GROUP BY label HAVING label::INTEGER > 5",
]
DIVIDED_BY_ZERO = [
    f"SELECT n % 0 FROM {BY_REGION}",
    f"SELECT count(*) FROM {BY_REGION} WHERE n % 0 = 1",
    f"SELECT 1000 // (n - (SELECT min(n) FROM {BY_REGION})) FROM {BY_REGION}",
    "SELECT 1000 // (age - 77), n FROM (SELECT age, count(*) AS n FROM p GROUP BY age)",
    "SELECT count(*) FROM (SELECT age, count(*) AS n FROM p GROUP BY age) WHERE 1000 // (age - 77) > 5",
]
ANSWERED = [
    "SELECT 1 // (count(*) - 300) FROM p",
    f"SELECT 1 // (n - 300) FROM {BY_REGION}",
    f"SELECT 1 // (max(n) - min(n)) FROM {BY_REGION}",
    f"SELECT (SELECT region FROM {BY_REGION} WHERE n > 100000) FROM {BY_REGION}",
    "SELECT coalesce(count(*), 'x') FROM p",
    "SELECT count(*)::VARCHAR LIKE '1x%' ESCAPE 'x' FROM p",
    "SELECT region, count(*) FROM p GROUP BY region HAVING count(*) BETWEEN '1' AND '100000'",
    "SELECT d, count(*) FROM p GROUP BY d HAVING d > '2024-03-01'",
    "SELECT TRY_CAST(region AS INTEGER), count(*) FROM p GROUP BY region",
    "SELECT make_date(2024, 1 + age % 12, 1), count(*) FROM p GROUP BY age",
    f"SELECT strptime(code, '%d.%b.%Y') FROM {BY_CODE} WHERE n > 1000",
    "SELECT make_date(2024, greatest(1, least(12, count(*))), 1) FROM p",
    f"SELECT coalesce(n::VARCHAR, 'x')::INTEGER FROM {BY_REGION} WHERE n > 10",
    f"SELECT n FROM {BY_CODE} WHERE n > 10 AND code::INTEGER > 5 AND n > 1000",
    f"SELECT number::INTEGER, n FROM {BY_REGION} JOIN place USING (region)",
    f"SELECT TRY_CAST(label AS INTEGER), n FROM {BY_REGION} JOIN place USING (region) WHERE n > 10",
    f"SELECT label::INTEGER, n FROM {BY_REGION} JOIN (SELECT * FROM place WHERE label <> 'x') USING (region)",
]
(IN_VAIN if duckdb.__version__ >= "2" else ANSWERED).extend(DIVIDED_BY_ZERO)  # NULL before DuckDB 2.0
ON_SOME_NUMBERS = [
    f"SELECT CAST(100.0 * n_a / n AS DECIMAL(4, 2)) FROM {PARTS}",
    "SELECT region, CAST(100.0 * count(*) / (SELECT count(*) FROM p) AS DECIMAL(4, 2)) FROM p "
    "GROUP BY region",
    "SELECT CAST(hi - lo AS DECIMAL(3, 1)) FROM (SELECT avg(age) AS a, dp_low(a) AS lo, dp_high(a) AS hi "
    "FROM p)",
    "SELECT (count(*) - 3900)::TINYINT FROM p",
    "SELECT CASE WHEN count(*) BETWEEN 150 AND 450 THEN 1 ELSE ('x' || count(*))::INTEGER END FROM p",
    f"SELECT ln(n_a) - ln(n - n_a) FROM {PARTS}",
    "SELECT ln(max(age) - min(age)) FROM p",
    "SELECT age, 1 // (max(n) - min(n)) FROM (SELECT age, region, count(*) AS n FROM p GROUP BY age, region) "
    "GROUP BY age",
    "SELECT region, count(*)::UTINYINT FROM p GROUP BY region",
    "SELECT make_date(2024, count(*), 1) FROM p",
    "SELECT to_base(count(*), 99) FROM p",  # that no number has a result is not told from those above
]


@pytest.fixture(scope="module")
def people() -> Iterator[dpduck.Connection]:
    with duckdb.connect() as con:
        con.execute(TABLE)
        con.execute("CREATE TABLE place(region VARCHAR, label VARCHAR, number VARCHAR)")
        con.execute("INSERT INTO place VALUES ('north', '1', '1'), ('south', 'x', '2')")
        with dpduck.connect(con, epsilon="0.01") as db:
            for policy in POLICIES:
                db.execute(f"ALTER TABLE p {policy}")
            db.execute("ALTER TABLE place SET PUBLIC")
            db.execute("SET dp_delta = 1e-6")
            yield db


def planned(people: dpduck.Connection, sql: str) -> Plan | CompoundPlan:
    statement = parse(sql)
    assert isinstance(statement, Select)
    plan = people._service._prepare.plan(statement, None, people._service.settings)
    assert not isinstance(plan, PublicPlan)
    return plan


@pytest.mark.parametrize("sql", IN_VAIN)
def test_what_always_fails_is_refused_for_nothing(people: dpduck.Connection, sql: str) -> None:
    """As nothing is charged, no answer is kept either that could be replayed for another of them."""
    with pytest.raises(UnsupportedSqlError, match="Nothing was charged") as caught:
        people.execute(sql).fetchall()
    assert caught.value.charged == "0"


@pytest.mark.parametrize("sql", ANSWERED)
def test_what_may_have_a_result_is_answered(people: dpduck.Connection, sql: str) -> None:
    people.execute(sql).fetchall()


@pytest.mark.parametrize("sql", ON_SOME_NUMBERS)
def test_what_some_numbers_may_give_is_asked(people: dpduck.Connection, sql: str) -> None:
    """EXPLAIN makes the plan, and refuses what the query is refused."""
    assert people.execute(f"EXPLAIN {sql}").fetchall()


def test_the_error_is_that_of_duckdb(people: dpduck.Connection) -> None:
    with pytest.raises(dpduck.DpduckError) as caught:
        people.execute("SELECT region::INTEGER, count(*) FROM p GROUP BY region")
    assert str(caught.value).splitlines() == [
        "DuckDB cannot compute this from any released rows",
        "DETAIL: It says: Conversion Error: Could not convert string 'north' to INT32. Nothing was charged.",
        "HINT: Check the types of what the query computes with. "
        "TRY_CAST gives NULL for what cannot be converted.",
    ]


def test_made_up_rows_are_values_of_their_types(people: dpduck.Connection) -> None:
    queries = [
        "SELECT age, region, d, count(*), sum(age), avg(age), median(age), min(d), mode(region) FROM p "
        "GROUP BY age, region, d",
        "SELECT code, count(*) FROM p GROUP BY code",
        "SELECT region, count(*) FROM p GROUP BY region ORDER BY 2 DESC LIMIT 1",
        f"SELECT * FROM {BY_REGION} a JOIN (SELECT d, count(*) AS m FROM p GROUP BY d) ON m > n",
    ]
    with open_scratch() as scratch:
        for sql in queries:
            plan = planned(people, sql)
            shape = Shape(plan.columns)
            for table in chain.from_iterable(made_up_rows(plan)):
                scratch.register("fields", table)
                rows = scratch.execute(shape.query("fields")).fetchall()
                assert (table.num_columns, table.num_rows) == (len(shape.columns), len(rows))


def test_how_much_is_tried_is_bounded_by_work(people: dpduck.Connection) -> None:
    """Four times 366 days joined would be 18 billion rows; of what is tried there are few enough."""
    by_day = "(SELECT d, count(*) AS n FROM p GROUP BY d)"
    query = f"SELECT sum(hash(a.n, b.n, c.n, x.n) % 7) FROM {by_day} a, {by_day} b, {by_day} c, {by_day} x"
    sizes = [len(set(table.numbers["c0"].to_pylist())) for table in made_up_rows(planned(people, query))]
    assert max(sizes) ** 4 <= made_up_rows.__globals__["_MOST_WORK"]
    began = monotonic()
    assert people.execute(f"EXPLAIN {query}").fetchall()
    assert monotonic() - began < 20


def test_rows_of_a_public_table_are_its_own(people: dpduck.Connection) -> None:
    plan = planned(people, f"SELECT label, n FROM {BY_REGION} JOIN place USING (region)")
    rows = pa.table({"a": ["north", "south"], "b": ["1", None]})
    for table in chain.from_iterable(made_up_rows(plan, [rows])):
        own = [row for row in table.to_pylist() if row["c0"] == "2"]
        assert [tuple(row.values())[-2:] for row in own] == [("north", "1"), ("south", None)]


def test_what_is_not_tried_in_time_is_refused(
    people: dpduck.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether it fails is not known, so it is not charged; how few rows are tried makes that rare."""
    monkeypatch.setattr(rehearsal, "_MOST_SECONDS", 0.2)
    made = "FROM range(30000) a(i), range(30000) b(j), range(30000) c(k)"
    sql = f"SELECT n, (SELECT sum(hash(i, j, k, n) % 7) {made}) FROM {BY_REGION}"
    plan = planned(people, sql)
    with open_scratch() as scratch, pytest.raises(UnsupportedSqlError, match="takes too long"):
        check_answer(plan, scratch, Interrupts())


def test_trying_an_answer_can_be_stopped(people: dpduck.Connection) -> None:
    plan, interrupts = planned(people, f"SELECT n + 1, 1 + 1 FROM {BY_REGION}"), Interrupts()
    with open_scratch() as scratch:
        check_constants(plan, scratch, interrupts)
        check_answer(plan, scratch, interrupts)
        interrupts.stop()
        for check in (check_constants, check_answer):
            with pytest.raises(Interrupted):
                check(plan, scratch, interrupts)
