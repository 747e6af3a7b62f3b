"""What is computed of released rows without any released number is known, and free; all else is charged."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

import dpduck
from tests.trust.test_fails_on_any_rows import BY_CODE, BY_REGION, POLICIES, TABLE

BY_DAY = "(SELECT d, avg(age) AS a FROM p WHERE age < 0 GROUP BY d)"
KNOWN = [
    (f"SELECT count(*) FROM {BY_REGION}", [(2,)]),
    (f"SELECT region FROM {BY_REGION}", [("north",), ("south",)]),
    (f"SELECT region FROM {BY_REGION} ORDER BY region DESC LIMIT 1", [("south",)]),
    (f"SELECT count(*) AS days, count(DISTINCT d) FROM {BY_DAY}", [(366, 366)]),
    (f"SELECT max(region) FROM {BY_REGION} JOIN {BY_DAY} ON d = '2024-02-29'", [("south",)]),
    (f"SELECT region, sum(1) FROM {BY_REGION} GROUP BY region", [("north", 1), ("south", 1)]),
    (f"SELECT DISTINCT region FROM {BY_REGION} LIMIT 1", [("north",)]),
    (f"SELECT month(d), count(*) FROM {BY_DAY} GROUP BY ALL LIMIT 3", [(1, 31), (2, 29), (3, 31)]),
    (f"SELECT region FROM {BY_REGION} WHERE region > 'z'", []),
    ("SELECT 1 + 1 AS two FROM (SELECT count(*) AS n FROM p)", [(2,)]),
]
CHARGED = [
    "SELECT region, count(*) FROM p GROUP BY region",
    f"SELECT count(n) FROM {BY_REGION}",
    f"SELECT count(*) FROM {BY_REGION} WHERE n > 1000000000000",
    f"SELECT region FROM {BY_REGION} ORDER BY n",
    f"SELECT count(*) FROM {BY_REGION} GROUP BY n > 5",
    f"SELECT CASE WHEN region = 'west' THEN n END FROM {BY_REGION}",
    f"SELECT n IS NULL FROM {BY_REGION}",
    f"SELECT count(*) FROM {BY_CODE}",
    "SELECT count(*) FROM (SELECT region, count(*) AS n FROM p GROUP BY region HAVING n > 0)",
    "SELECT count(*) FROM (SELECT region, count(*) AS n FROM p GROUP BY region ORDER BY n LIMIT 1)",
]


@pytest.fixture(scope="module")
def people() -> Iterator[dpduck.Connection]:
    with duckdb.connect() as con:
        con.execute(TABLE)
        with dpduck.connect(con, epsilon="0.01") as db:
            for policy in POLICIES:
                db.execute(f"ALTER TABLE p {policy}")
            db.execute("SET dp_delta = 1e-6")
            yield db


@pytest.mark.parametrize(("sql", "rows"), KNOWN)
def test_what_reads_keys_alone_is_free(people: dpduck.Connection, sql: str, rows: list[object]) -> None:
    answer = people.sql(sql)
    assert answer.fetchall() == rows
    assert answer.charged == "0"
    assert any("declared keys" in notice for notice in answer.notices)
    assert "costs nothing" in people.explain(sql).text


@pytest.mark.parametrize("sql", CHARGED)
def test_what_reads_a_number_is_charged(people: dpduck.Connection, sql: str) -> None:
    people.execute("SET dp_replay = 'off'")
    assert people.sql(sql).charged == "0.01"


def test_it_needs_no_epsilon() -> None:
    with duckdb.connect() as con:
        con.execute(TABLE)
        with dpduck.connect(con) as db:
            for policy in POLICIES:
                db.execute(f"ALTER TABLE p {policy}")
            assert db.sql(f"SELECT count(*) FROM {BY_REGION}").fetchall() == [(2,)]
