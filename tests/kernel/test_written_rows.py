"""Rows that a query writes itself are told from rows of tables, in whatever form they are written."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

import dpduck
from dpduck.kernel.check.written import reads_no_table

WRITTEN = [
    "(SELECT v.a + 1 AS k FROM (VALUES (17), (18)) v(a))",
    "(SELECT CASE WHEN a > 17 THEN 18 ELSE -a END AS k FROM (VALUES (17), (18)) v(a))",
    "(SELECT a AS k FROM range(20, 30) v(a) WHERE a % 2 = 0)",
    "(SELECT DISTINCT a // 2 AS k FROM range(20, 30) v(a))",
    "(SELECT unnest([17, 18]) AS k ORDER BY 1 LIMIT 2)",
    "(SELECT a AS k FROM (VALUES (17), (18)) v(a) CROSS JOIN (VALUES (1)) w(z))",
    "(SELECT max(a) AS k FROM (VALUES (17), (18)) v(a))",
    "(SELECT year(DATE '2000-01-01' + INTERVAL (i) YEAR) - 1980 AS k FROM range(0, 3) t(i))",
]


@pytest.fixture(scope="module")
def db() -> Iterator[dpduck.Connection]:
    with duckdb.connect() as con:
        con.execute("CREATE TABLE p AS SELECT i AS id, (18 + i % 60)::INTEGER AS age FROM range(300) AS r(i)")
        con.execute("ALTER TABLE p ADD PRIMARY KEY (id)")
        with dpduck.connect(con, epsilon="1") as db:
            db.execute("ALTER TABLE p ADD PRIVACY_KEY (id)")
            db.execute("CREATE PRIVACY BUDGET b LIMIT 100")
            yield db


@pytest.mark.parametrize("rows", WRITTEN)
def test_counts_beside_written_rows_are_charged_and_answered(db: dpduck.Connection, rows: str) -> None:
    answer = db.sql(f"SELECT w.k, count(p.id) AS n FROM {rows} w LEFT JOIN p ON p.age = w.k GROUP BY w.k")
    assert answer.fetchall()
    assert answer.charged == "1"


@pytest.mark.parametrize(
    "text",
    [
        '(SELECT * FROM "p")',
        '(SELECT "age" FROM (VALUES (1)) AS "v"("x"))',  # of a table beside it
        '(SELECT "t"."age" FROM (VALUES (1)) AS "v"("x"))',
        '(SELECT (SELECT system.main.count(*) FROM "p") AS "x" FROM (VALUES (1)))',
        "(SELECT * FROM system.main.duckdb_tables())",
        '(SELECT * FROM "duckdb_tables")',
        "(SELECT * FROM duckdb_tables)",
        "(SELECT * FROM system.main.read_csv('p.csv'))",
        "(SELECT * FROM 'p.csv')",
        "(SELECT * FROM system.main.query('SELECT 1'))",
        '(SELECT random() AS "x")',
        '(SELECT system.main.random() AS "x")',
        "(SELECT system.main.nextval('s') AS \"x\")",
        '(SELECT 1 AS "x") AS "w", "p"',
    ],
)
def test_what_reads_more_is_not_taken_for_rows_of_constants(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    p = pa.table({"age": [1]})  # which DuckDB would find by its name
    monkeypatch.chdir(tmp_path)
    Path("p.csv").write_text(f"age\n{p.num_rows}\n")
    reads_no_table.cache_clear()
    assert not reads_no_table(text)


def test_sums_of_negated_numbers_are_bounded(db: dpduck.Connection) -> None:
    inner = "SELECT id, sum(-age) AS s FROM p GROUP BY id"
    assert db.sql(f"SELECT sum(greatest(least(s, 0), -100)) FROM ({inner})").charged == "1"
