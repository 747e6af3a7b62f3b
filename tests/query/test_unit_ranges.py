"""The ranges of what is computed of one person's rows, where the policy bounds these rows: they hold for rows
within the declared domains, at the ends of types too, and a person with more rows is clamped to them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction

import duckdb
import pytest
from sqlglot import exp

from dpduck import policies
from dpduck.compiler.block import unit_local
from dpduck.compiler.block.from_clause import subquery_rows
from dpduck.compiler.block.rows import SourceRows
from dpduck.compiler.functions.expressions import bounds_of
from dpduck.compiler.parse.statements import Select, parse
from dpduck.engines.duckdb.public_facts import PublicFacts
from dpduck.kernel.catalog.statements import PolicyStatement
from dpduck.kernel.plan.caveat_kinds import ClampsValues, DropsRows
from dpduck.kernel.plan.caveats import caveats
from dpduck.kernel.plan.model import Plan
from dpduck.kernel.tree.duckdb import sql
from dpduck.kernel.tree.relations import SelectItem, SelectQuery
from tests.query import quiet
from tests.query.refusing import understand

MOST = 6  # rows of a person
SCHEMA = """
CREATE TABLE p (id INTEGER PRIMARY KEY, joined DATE, income HUGEINT);
CREATE TABLE v (u INTEGER, page VARCHAR, day DATE, a INTEGER, c DECIMAL(9,2), x DOUBLE, b BIGINT, ok BOOLEAN,
    q INTEGER);
CREATE TABLE quizzes (q INTEGER PRIMARY KEY, scale INTEGER);
INSERT INTO quizzes VALUES (1, 5), (2, 10), (3, 7);
"""
POLICIES = f"""
ALTER TABLE p ADD PRIVACY_KEY (id)
ALTER TABLE p ALTER COLUMN joined SET PRIVACY DOMAIN BETWEEN ('2023-06-15', '2024-02-29')
ALTER TABLE v ADD PRIVACY_LINK (u) REFERENCES p(id)
ALTER TABLE v SET PRIVACY CONTRIBUTION (rows = {MOST})
ALTER TABLE v ALTER COLUMN page SET PRIVACY DOMAIN IN ('home', 'news')
ALTER TABLE v ALTER COLUMN day SET PRIVACY DOMAIN BETWEEN ('2024-01-01', '2024-03-31')
ALTER TABLE v ALTER COLUMN a SET PRIVACY DOMAIN BETWEEN (-3, 5)
ALTER TABLE v ALTER COLUMN c SET PRIVACY DOMAIN BETWEEN (-20, -10)
ALTER TABLE v ALTER COLUMN x SET PRIVACY DOMAIN BETWEEN (-1.5, 2.5)
ALTER TABLE v ALTER b SET PRIVACY DOMAIN BETWEEN (-9000000000000000000, 9000000000000000000) STEP 1000
ALTER TABLE quizzes SET PUBLIC
"""
# Columns of subqueries, with the ranges that follow.
RANGES = {
    "SELECT u, count(*) AS r FROM v GROUP BY u": (0, 6),
    "SELECT u, count(page) FILTER (WHERE ok) AS r FROM v GROUP BY u": (0, 6),
    "SELECT u, count_if(ok) AS r FROM v GROUP BY u": (0, 6),
    "SELECT u, count(DISTINCT page) AS r FROM v GROUP BY u": (0, 2),
    "SELECT u, count(DISTINCT ok) AS r FROM v GROUP BY u": (0, 2),
    "SELECT u, count(DISTINCT day) AS r FROM v GROUP BY u": (0, 6),
    "SELECT u, count(DISTINCT scale) AS r FROM v JOIN quizzes ON v.q = quizzes.q GROUP BY u": (0, 3),
    "SELECT u, sum(a) AS r FROM v GROUP BY u": (-18, 30),
    "SELECT u, sum(c) AS r FROM v GROUP BY u": (-120, -10),
    "SELECT u, sum(-c * 2) AS r FROM v GROUP BY u": (20, 240),
    "SELECT u, sum(x) AS r FROM v GROUP BY u": (-9, 15),
    "SELECT u, sum(b) AS r FROM v GROUP BY u": (-54 * 10**18, 54 * 10**18),
    "SELECT u, sum(ok) AS r FROM v GROUP BY u": (0, 6),
    "SELECT u, sum(CASE WHEN ok THEN a ELSE 1 END) AS r FROM v GROUP BY u": (-18, 30),
    "SELECT u, coalesce(sum(c) FILTER (WHERE ok), 0) AS r FROM v GROUP BY u": (-120, 0),
    "SELECT u, avg(a) AS r FROM v GROUP BY u": (-3, 5),
    "SELECT u, median(c) AS r FROM v GROUP BY u": (-20, -10),
    "SELECT u, max(x) AS r FROM v GROUP BY u": ("-1.5", "2.5"),
    "SELECT u, arg_max(a, day) AS r FROM v GROUP BY u": (-3, 5),
    "SELECT u, avg(a::DOUBLE / scale) AS r FROM v JOIN quizzes ON v.q = quizzes.q GROUP BY u": ("-0.6", 1),
    "SELECT u, max(scale) AS r FROM v JOIN quizzes ON v.q = quizzes.q GROUP BY u": (5, 10),
    "SELECT id, coalesce(n, 0) AS r FROM p LEFT JOIN (SELECT u, count(*) AS n FROM v GROUP BY u) ON u = id": (
        0,
        6,
    ),
    "SELECT id, (SELECT count(*) FROM v WHERE u = id) AS r FROM p": (0, 6),
    "SELECT id, coalesce((SELECT sum(a) FROM v WHERE u = id), 50) AS r FROM p": (-18, 50),
    "SELECT id, count(u) AS r FROM p LEFT JOIN v ON u = id GROUP BY id": (0, 6),
    "SELECT o.u, count(*) AS r FROM v AS o JOIN v AS w ON o.u = w.u GROUP BY o.u": (0, 36),
    "SELECT u, max(n) AS r FROM (SELECT u, page, count(*) AS n FROM v GROUP BY u, page) GROUP BY u": (0, 6),
    "SELECT u, sum(n) AS r FROM (SELECT u, page, count(*) AS n FROM v GROUP BY u, page) GROUP BY u": (0, 36),
    "SELECT u, row_number() OVER (PARTITION BY u ORDER BY day) AS r FROM v": (1, 6),
    "SELECT u, dense_rank() OVER (PARTITION BY u ORDER BY day) AS r FROM v": (1, 6),
    "SELECT u, percent_rank() OVER (PARTITION BY u ORDER BY day) AS r FROM v": (0, 1),
    "SELECT u, sum(a) OVER (PARTITION BY u ORDER BY day) AS r FROM v": (-18, 30),
    "SELECT u, count(*) OVER (PARTITION BY u, page) AS r FROM v": (0, 6),
    "SELECT u, lag(a) OVER (PARTITION BY u ORDER BY day) AS r FROM v": (-3, 5),
    "SELECT u, lag(a, 1, 9) OVER (PARTITION BY u ORDER BY day) AS r FROM v": (-3, 9),
    "SELECT u, lead(x, 1, -7.25) OVER (PARTITION BY u ORDER BY day) AS r FROM v": (-8, "2.5"),
    "SELECT u, least(n, 4) * 10 - 2 AS r FROM (SELECT u, count(*) AS n FROM v GROUP BY u)": (-2, 38),
}
_CELLS = {
    "page": "'home' 'news' NULL",
    "day": "DATE'2024-01-01' DATE'2024-02-01' DATE'2024-03-31' NULL",
    "a": "-3 0 5 NULL",
    "c": "-20 -10 -10.01 NULL",
    "x": "-1.5 2.5 0.3 NULL",
    "b": "9000000000000000000 -9000000000000000000 NULL",
    "ok": "true false NULL",
    "q": "1 2 3",
}


@pytest.fixture(params=range(6), scope="module")
def tables(request: pytest.FixtureRequest) -> Iterator[duckdb.DuckDBPyConnection]:
    """People with 0 to MOST rows: one with all values at one end, others at random."""
    chance = random.Random(f"unit_ranges/{request.param}")
    cells = [text.split() for text in _CELLS.values()]
    ends = [[own[request.param % 2] for own in cells]] * MOST
    rows = [f"(1, {', '.join(row)})" for row in ends]
    rows += [f"({u}, {', '.join(map(chance.choice, cells))})" for u in (2, 3, 4) for _ in range(MOST - u + 2)]
    with duckdb.connect() as connection:
        connection.execute(SCHEMA)
        connection.execute("INSERT INTO p SELECT i, '2024-01-01', 7 FROM range(1, 7) AS r(i)")
        connection.execute(f"INSERT INTO v VALUES {', '.join(rows)}")
        declare(connection)
        yield connection


def declare(connection: duckdb.DuckDBPyConnection) -> None:
    for statement in POLICIES.strip().splitlines():
        parsed = parse(statement)
        assert isinstance(parsed, PolicyStatement)
        policies.execute(connection, parsed)


def read(text: str, connection: duckdb.DuckDBPyConnection) -> SourceRows:
    statement = parse(text)
    assert isinstance(statement, Select)
    scope = unit_local.scope_of(policies.load_catalog(connection), PublicFacts(connection))
    return subquery_rows(statement.expression, scope)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", RANGES)
def test_the_range_holds(text: str, tables: duckdb.DuckDBPyConnection) -> None:
    rows = read(text, tables)
    bounds = bounds_of(exp.column("r"), rows)
    assert bounds is not None
    assert (bounds.low, bounds.high) == tuple(map(Fraction, RANGES[text]))
    value = rows.resolve(exp.column("r"))
    found = tables.execute(
        sql(SelectQuery((SelectItem(value.node, "r"),), rows.source, rows.conditions))
    ).fetchall()
    numbers = [Fraction(number) for (number,) in found if number is not None]
    slack = Fraction(1, 10**6)  # sums of doubles are taken in millionths
    assert numbers
    assert all(bounds.low - slack <= number <= bounds.high + slack for number in numbers)


def test_without_a_bound_of_rows_only_one_end_is_known(tables: duckdb.DuckDBPyConnection) -> None:
    tables.execute("CREATE TABLE w (u INTEGER, a INTEGER)")
    for text in (
        "ALTER TABLE w ADD PRIVACY_KEY (u)",
        "ALTER TABLE w ALTER a SET PRIVACY DOMAIN BETWEEN (2, 5)",
    ):
        policies.execute(tables, parse(text))  # type: ignore[arg-type]
    for text in ("count(*)", "sum(a)"):
        assert bounds_of(exp.column("r"), read(f"SELECT u, {text} AS r FROM w GROUP BY u", tables)) is None
    known = bounds_of(exp.column("r"), read("SELECT u, count(DISTINCT a) AS r FROM w GROUP BY u", tables))
    assert known is not None
    assert known.high == 4


@pytest.fixture
def many() -> Iterator[duckdb.DuckDBPyConnection]:
    """A person with a thousand rows, of which each has more than what is declared, and one with one row."""
    with duckdb.connect() as connection:
        connection.execute(SCHEMA)
        connection.execute("INSERT INTO p VALUES (1, '2024-01-01', 7), (2, '2024-01-01', 7)")
        connection.execute(
            "INSERT INTO v SELECT 1, 'home', '2024-01-01', 2147483647, -9999999.99, 1e308, "
            "9223372036854775807, true, 1 FROM range(1000)"
        )
        connection.execute("INSERT INTO v VALUES (2, 'home', '2024-01-01', 1, -10, 1, 0, true, 1)")
        declare(connection)
        yield connection


@pytest.mark.parametrize(
    ("aggregate", "expected"),
    [
        *(("count(*)", 6 + 1), ("sum(a)", 30 + 1), ("sum(x)", 15 + 1), ("sum(-c)", 120 + 10)),
        *(("max(a)", 5 + 1), ("avg(x)", 2.5 + 1), ("sum(b) // 1000000000000000", 54_000)),
    ],
)
def test_a_person_with_more_rows_is_clamped_and_it_is_said(
    aggregate: str, expected: float, many: duckdb.DuckDBPyConnection
) -> None:
    plan = understand(f"SELECT sum(r) FROM (SELECT u, {aggregate} AS r FROM v GROUP BY u)", many)
    assert isinstance(plan, Plan)
    [[found]] = quiet.answer(plan, many).fetchall()
    assert float(found) == pytest.approx(expected, abs=0.01)
    assert any(isinstance(caveat, ClampsValues) for caveat in caveats(plan))


def test_a_person_with_more_rows_is_in_no_group_and_it_is_said(many: duckdb.DuckDBPyConnection) -> None:
    plan = understand("SELECT n, count(*) FROM (SELECT u, count(*) AS n FROM v GROUP BY u) GROUP BY n", many)
    assert isinstance(plan, Plan)
    found = dict(quiet.answer(plan, many).fetchall())
    assert found == {n: int(n == 1) for n in range(MOST + 1)}
    assert any(isinstance(caveat, DropsRows) for caveat in caveats(plan))
