"""Rows that are chosen by released numbers, however these reach the choice, and what chooses nothing."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

import dpduck
from tests.depth import depth, part
from tests.sources import Seeded

GROUPS, PEOPLE = 40, 100
RUNS = depth(200, 20)


@pytest.fixture(scope="module")
def db() -> Iterator[dpduck.Connection]:
    """All groups have 100 people: noise alone says which are the largest. Each has a name and an amount."""
    with duckdb.connect() as rows:
        rows.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, k INTEGER, x INTEGER)")
        rows.execute(f"INSERT INTO t SELECT i, i % {GROUPS}, 10 FROM range({GROUPS * PEOPLE}) AS r(i)")
        rows.execute(f"CREATE TABLE names AS SELECT i AS k, 'n' || i AS name FROM range({GROUPS}) AS r(i)")
        with dpduck.connect(rows, epsilon="0.1") as db:
            db.execute(
                "ALTER TABLE t ADD PRIVACY_KEY (id); CREATE PRIVACY BUDGET b LIMIT 100000;"
                "ALTER TABLE names SET PUBLIC;"
                f"ALTER TABLE t ALTER COLUMN k SET PRIVACY DOMAIN BETWEEN (0, {GROUPS - 1});"
                "ALTER TABLE t ALTER COLUMN x SET PRIVACY DOMAIN BETWEEN (0, 20)"
            )
            db.execute("SET dp_replay = off")
            yield db


A = "(SELECT k, count(*) AS n, sum(x) AS s, dp_low(n) AS lo, dp_high(n) AS hi FROM t GROUP BY k)"
RANKED = "rank() OVER (ORDER BY n DESC) AS r"
SHOWN = "SELECT k, n, lo, hi FROM"
CHOOSE_LARGEST = [  # each shows n, lo and hi of the group with the largest n
    f"{SHOWN} (SELECT *, {RANKED} FROM {A}) WHERE r = 1",
    f"{SHOWN} (SELECT *, r = 1 AS is_first FROM (SELECT *, {RANKED} FROM {A})) WHERE is_first",
    f"{SHOWN} {A} QUALIFY row_number() OVER (ORDER BY n DESC) = 1",
    f"{SHOWN} {A} QUALIFY row_number() OVER w = 1 WINDOW w AS (ORDER BY n DESC)",
    f"{SHOWN} (SELECT * FROM {A} ORDER BY n DESC) LIMIT 1",
    f"{SHOWN} (SELECT * FROM (SELECT * FROM {A} ORDER BY n DESC)) LIMIT 1",
    f"{SHOWN} (SELECT *, -n AS z FROM {A}) ORDER BY z LIMIT 1",
    f"{SHOWN} (SELECT *, (n) AS z FROM {A}) ORDER BY z DESC LIMIT 1",
    f"{SHOWN} (SELECT *, n + 0.0 AS z FROM {A}) ORDER BY z DESC LIMIT 1",
    f"SELECT k, n, lo, hi, -n AS z FROM {A} ORDER BY z LIMIT 1",
    f"SELECT k, n, lo, hi, -n AS z FROM {A} ORDER BY 5 LIMIT 1",
    f"SELECT -n AS z, k, n, lo, hi FROM {A} ORDER BY ALL LIMIT 1",
    f"WITH a AS {A} {SHOWN} a WHERE k IN (SELECT k FROM a ORDER BY n DESC LIMIT 1)",
    f"WITH a AS {A} {SHOWN} a WHERE k = (SELECT arg_max(k, n) FROM a)",
    f"WITH a AS {A} {SHOWN} a WHERE k = (SELECT first(k ORDER BY n DESC) FROM a)",
    f"WITH a AS {A} {SHOWN} a WHERE n >= ALL (SELECT n FROM a)",
    f"WITH a AS {A} {SHOWN} a WHERE n = (SELECT max(n) FROM a)",
    f"WITH a AS {A} {SHOWN} a WHERE NOT EXISTS (SELECT 1 FROM a AS b WHERE b.n > a.n)",
    f"WITH a AS {A} {SHOWN} a JOIN (SELECT max(n) AS m FROM a) AS b ON a.n = b.m",
    f"WITH a AS {A} {SHOWN} a JOIN (SELECT max(n) AS n FROM a) AS b USING (n)",
    f"WITH a AS {A} {SHOWN} (SELECT *, first_value(k) OVER (ORDER BY n DESC) AS f FROM a) WHERE k = f",
    f"SELECT arg_max(n, n) AS n, arg_max(lo, n) AS lo, arg_max(hi, n) AS hi FROM {A}",
    f"SELECT max(n) AS n, max(lo) AS lo, max(hi) AS hi FROM {A}",
    f"SELECT DISTINCT ON (z) n, lo, hi FROM (SELECT *, 0 AS z FROM {A}) ORDER BY z, n DESC",
    f"SELECT name, n, lo, hi FROM {A} JOIN names USING (k) ORDER BY n DESC LIMIT 1",
]
CHOOSE = [
    *CHOOSE_LARGEST,
    f"{SHOWN} (SELECT *, n > 120 AS big FROM {A}) WHERE big",
    f"{SHOWN} (SELECT *, CASE WHEN n > 120 THEN 'big' ELSE 'small' END AS size FROM {A}) WHERE size = 'big'",
    f"{SHOWN} {A} WHERE lo > 100",
    f"SELECT k, CASE WHEN n > 120 THEN lo END AS lo FROM {A}",
    f"SELECT first_value(lo) OVER (ORDER BY n) AS lo FROM {A}",
    f"SELECT n > 100 AS big, count(*) AS groups FROM {A} GROUP BY big",
    f"{SHOWN} {A} EXCEPT {SHOWN} {A} WHERE n > 5",
    "SELECT k, CASE WHEN count(*) > 120 THEN dp_low(count(*)) END AS lo, count(*) AS n FROM t GROUP BY k",
    "SELECT k, count(*) AS n FROM t GROUP BY k HAVING dp_low(n) > 5",
    "SELECT k, count(*) AS n, -n AS z FROM t GROUP BY k ORDER BY z LIMIT 1",
]
CHOOSE_NOTHING = [
    f"{SHOWN} {A}",
    f"SELECT *, {RANKED}, n > 120 AS big FROM {A} ORDER BY n DESC",
    f"{SHOWN} {A} WHERE k > 3 ORDER BY k LIMIT 3",
    f"{SHOWN} {A} AS a JOIN names USING (k) WHERE name <> 'n1'",
    f"SELECT k, n, n / sum(n) OVER () AS share, n - lag(n) OVER (ORDER BY k) AS more FROM {A}",
    f"SELECT k, n, greatest(lo, 0) AS lo, coalesce(hi, 0) AS hi, hi - lo AS width, round(n, -1) FROM {A}",
    f"SELECT k // 10 AS d, sum(n) AS n, count(*) FILTER (WHERE n > 120) AS big FROM {A} GROUP BY ALL",
    f"SELECT k, n, n / nullif(s, 0) AS rate, CASE WHEN n > 120 THEN 'big' ELSE 'small' END AS z FROM {A}",
    f"{SHOWN} {A} UNION ALL {SHOWN} {A}",
    f"WITH a AS {A} {SHOWN} a WHERE k IN (SELECT k FROM a WHERE k < 9)",
    "SELECT k, count(*) AS n, n - dp_low(n) AS below, 2 * dp_high(n) AS hi FROM t GROUP BY k",
]


def chosen(db: dpduck.Connection, query: str) -> list[tuple[set[str], int]]:
    """By which released columns groups are chosen, and how many of them are shown, for each block."""
    rows = db.sql(query)._rows
    assert rows is not None
    assert rows.plan is not None
    return [(set(block.cut.columns), block.cut.places) for block in rows.plan.blocks]


@pytest.mark.parametrize("query", CHOOSE)
def test_what_reads_a_number_chooses_by_it(query: str, db: dpduck.Connection) -> None:
    assert chosen(db, query) == [({"a0"}, 1)]


@pytest.mark.parametrize("query", CHOOSE_NOTHING)
def test_what_shows_all_that_there_is_chooses_nothing(query: str, db: dpduck.Connection) -> None:
    assert chosen(db, query) == [(set(), 1)]


KEPT = {  # how many rows are shown, where that is known
    f"{SHOWN} {A} ORDER BY n DESC LIMIT 3": 3,
    f"{SHOWN} (SELECT *, -n AS z FROM {A}) WHERE k <> 2 ORDER BY z LIMIT 3": 3,
    f"{SHOWN} (SELECT * FROM {A} ORDER BY n DESC LIMIT 7) ORDER BY k LIMIT 3": 3,
    f"{SHOWN} (SELECT * FROM {A} ORDER BY n DESC LIMIT 7) WHERE k < 3": 1,  # perhaps none of them
    f"{SHOWN} (SELECT * FROM {A} ORDER BY n DESC LIMIT 7) JOIN names USING (k)": 1,  # perhaps one, often
    f"{SHOWN} {A} UNION ALL {SHOWN} {A} ORDER BY n DESC LIMIT 3": 1,
}


@pytest.mark.parametrize("query", KEPT)
def test_of_many_rows_as_large_a_part_may_miss(query: str, db: dpduck.Connection) -> None:
    assert chosen(db, query) == [({"a0"}, KEPT[query])]


def test_other_numbers_are_not_chosen(db: dpduck.Connection) -> None:
    query = f"SELECT k, n, s FROM (SELECT *, -s AS z FROM {A}) ORDER BY z LIMIT 3"
    assert chosen(db, query) == [({"a1"}, 3)]
    query = f"WITH a AS {A}, b AS (SELECT k, sum(x) AS y FROM t GROUP BY k) SELECT a.n, b.y FROM a JOIN b "
    assert chosen(db, query + "USING (k) ORDER BY -b.y LIMIT 1") == [({"a0"}, 1), (set(), 1)]  # b, a


@pytest.mark.parametrize("query", part(CHOOSE_LARGEST, 4))
def test_the_interval_of_the_largest_holds(query: str, db: dpduck.Connection) -> None:
    """All groups are as large: the largest noise of all chooses, and a plain interval misses most often."""
    held = 0
    for run in range(RUNS):
        db._service._entropy = Seeded("largest", query, str(run))
        [row, *_] = db.sql(query).arrow().to_pylist()
        held += row["lo"] <= PEOPLE <= row["hi"]
    assert held >= 0.95 * RUNS - 3 * (0.95 * 0.05 * RUNS) ** 0.5


def test_somebody_is_beyond_the_largest_of_largest_values() -> None:
    """All groups have the same values: noise alone says which of them has the largest `max`."""
    with duckdb.connect() as rows:
        rows.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, k INTEGER, x INTEGER)")
        rows.execute(
            f"INSERT INTO t SELECT i, i % {GROUPS}, 300 + i // {GROUPS} FROM range(101 * {GROUPS}) AS r(i)"
        )
        with dpduck.connect(rows, epsilon="0.5") as db:
            db.execute(
                "ALTER TABLE t ADD PRIVACY_KEY (id); CREATE PRIVACY BUDGET b LIMIT 100000;"
                f"ALTER TABLE t ALTER COLUMN k SET PRIVACY DOMAIN BETWEEN (0, {GROUPS - 1});"
                "ALTER TABLE t ALTER COLUMN x SET PRIVACY DOMAIN BETWEEN (0, 1000)"
            )
            db.execute("SET dp_replay = off")
            held = 0
            for run in range(RUNS):
                db._service._entropy = Seeded("extreme", str(run))
                [row] = db.sql("SELECT k, max(x) AS n FROM t GROUP BY k ORDER BY n DESC LIMIT 1").fetchall()
                held += row[1] <= 400
    assert held >= 0.95 * RUNS - 3 * (0.95 * 0.05 * RUNS) ** 0.5
