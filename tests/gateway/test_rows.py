"""Rows out of DuckDB: each once, in order, as they come."""

from __future__ import annotations

import duckdb
import pyarrow.compute as pc
import pytest

from dpduck.doors.gateway.encoding.rows import MOST_BATCH_ROWS, batches, batches_of, projection
from dpduck.kernel.errors import InternalError
from tests.gateway.oracle import columns_of, rows_of

ROWS = 1_000_000


def test_the_projection_keeps_the_order_of_a_million_rows() -> None:
    with duckdb.connect(config={"threads": 4}) as connection:
        sql = f"SELECT hash(i) AS h, to_seconds(i) AS s FROM range({ROWS}) AS t(i) ORDER BY h DESC -- sorted"
        types, _, read = rows_of(connection, sql)
        assert types == ["UBIGINT", "INTERVAL"]
        assert sum(batch.num_rows for batch in read) == ROWS
        assert max(batch.num_rows for batch in read) <= MOST_BATCH_ROWS
        last = None
        for batch in read:
            hashes = batch.column(0)
            assert last is None or hashes[0].as_py() <= last
            assert pc.all(pc.less_equal(hashes[1:], hashes[:-1])).as_py() in (True, None)
            last = hashes[-1].as_py()


def test_a_query_runs_once_and_its_names_may_repeat() -> None:
    with duckdb.connect() as connection:
        connection.execute("CREATE SEQUENCE numbers")
        sql = "SELECT nextval('numbers') AS a, '1'::BIT AS a;"
        columns = columns_of(connection, sql.rstrip(";"))
        (batch,) = batches(connection.cursor(), sql, columns)
        assert [column.to_pylist() for column in batch.columns] == [[1], ["1"]]
        assert connection.execute("SELECT nextval('numbers')").fetchall() == [(2,)]


@pytest.mark.parametrize(
    ("duckdb_type", "written"),
    [
        ("TIME WITH TIME ZONE", "CAST(c1 AS VARCHAR)"),
        ("INTERVAL", "CAST(c1 AS VARCHAR)"),
        ("UHUGEINT", "CAST(c1 AS VARCHAR)"),
        ("BIGNUM", "CAST(c1 AS VARCHAR)"),
        ("GEOMETRY", "CAST(c1 AS VARCHAR)"),
        ("BIT[]", "CAST(c1 AS VARCHAR[])"),
        ("STRUCT(a DATE)[]", "CAST(to_json(c1) AS VARCHAR)"),
        ("DATE[][]", "CAST(to_json(c1) AS VARCHAR)"),
        ("VARIANT", "CASE WHEN c1 IS NOT NULL THEN CAST(CAST(c1 AS JSON) AS VARCHAR) END"),
    ],
)
def test_what_arrow_does_not_carry_is_text(duckdb_type: str, written: str) -> None:
    assert projection("FROM t", [duckdb_type]) == f"SELECT {written} FROM (FROM t\n) AS t(c1)"


@pytest.mark.parametrize(
    "duckdb_type", ["JSON", "HUGEINT", "DECIMAL(38,2)[]", "ENUM('a')", '"NULL"', "DATE[3]", "oid"]
)
def test_what_arrow_carries_is_left_alone(duckdb_type: str) -> None:
    assert projection("FROM t", [duckdb_type]) == "FROM t"


def test_rows_of_a_cursor_that_has_run() -> None:
    with duckdb.connect() as connection:
        read = batches_of(connection.execute("SELECT i FROM range(40000) AS t(i)"))
        assert [value for batch in read for value in batch.column(0).to_pylist()] == list(range(40000))
        with pytest.raises(InternalError, match="cannot be sent"):
            list(batches_of(connection.execute("SELECT '1'::BIT")))


def test_statements_that_are_no_query() -> None:
    with duckdb.connect() as connection:
        assert list(batches(connection.cursor(), "CREATE TABLE t (a INTEGER)", [])) == []
        shown = list(
            batches(connection.cursor(), "SHOW TABLES", columns_of(connection, "SELECT 'a' AS name"))
        )
        assert shown[0].column(0).to_pylist() == ["t"]
