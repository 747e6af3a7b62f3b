"""Numbers with all digits after the point, and sums whose bounds are far below 1: no row can fail a query."""

from __future__ import annotations

import time
from datetime import datetime
from decimal import Decimal

import duckdb
import pytest

import dpduck
from dpduck.kernel.catalog.ranges import coarse, make_range
from dpduck.kernel.catalog.types import parse_type


def opened(table: str, *policies: str) -> dpduck.Connection:
    connection = duckdb.connect()
    connection.execute(table)
    db = dpduck.connect(connection, epsilon=1)
    for policy in ("ALTER TABLE t ADD PRIVACY_KEY (u)", *policies):
        db.execute(policy)
    return db


@pytest.mark.parametrize("rows", [1, 2, 30])
def test_no_total_of_a_unit_overflows(rows: int) -> None:
    """A person with two rows of 10^38 ticks each: whether they are there must not decide about an error."""
    with opened("CREATE TABLE t AS SELECT range AS u, 1 AS b FROM range(100)") as db:
        db._data.execute("INSERT INTO t SELECT 5000, 99 FROM range(?)", [rows])
        small = f"0.{'0' * 35}1"
        db.execute(
            f"SELECT sum(CASE WHEN b > 50 THEN 99.{'0' * 36} ELSE {small} END, "
            "contribution_bounds_per_group => (0, 0.000000000000000004)) FROM t"
        )
        assert db.charged == "1"


@pytest.mark.slow
@pytest.mark.parametrize("scale", [20, 27, 30, 34, 38])
@pytest.mark.parametrize("rows", [1, 2, 2000])
def test_sums_of_long_decimals_answer(scale: int, rows: int) -> None:
    kind, end = f"DECIMAL(38,{scale})", f"0.{'0' * (scale - 2)}7"
    with opened(
        f"CREATE TABLE t (u INTEGER, x {kind})",
        f"ALTER TABLE t ALTER COLUMN x SET PRIVACY DOMAIN BETWEEN (0, {end})",
    ) as db:
        largest = "9" * (38 - scale) or "0"
        db._data.execute(f"INSERT INTO t SELECT 1, '{largest}.{'9' * scale}'::{kind} FROM range({rows})")
        [(total,)] = db.execute("SELECT sum(x) FROM t").fetchall()
        assert isinstance(total, Decimal)


def test_small_decimals_go_out_and_come_back() -> None:
    """As values, as keys with rows and without, beside another measure, and as bounds."""
    with opened(
        "CREATE TABLE t AS SELECT range AS u, CAST(0.0000005 AS DECIMAL(9,9)) AS x FROM range(1000)",
        "ALTER TABLE t ALTER COLUMN x SET PRIVACY DOMAIN BETWEEN ('0', '0.000001')",
    ) as db:
        db.execute("SELECT median(x), min(x), sum(x) FROM t")
        top = "SELECT x, count(*) AS n, sum(x) FROM t GROUP BY x ORDER BY n DESC LIMIT 3"
        rows = db.execute(top).fetchall()
        assert rows[0][0] == Decimal("5e-7")
        assert len({row[0] for row in rows}) == 3


def test_the_step_of_a_quantile_over_a_long_range_is_found_at_once() -> None:
    """The domain has every microsecond; the quantile, as many points as its noise could show."""
    start = time.monotonic()
    timestamp = parse_type("TIMESTAMP")
    wide = coarse(make_range(timestamp, datetime(1, 1, 1), datetime(9999, 12, 31, 23, 59, 59, 999999), None))
    assert time.monotonic() - start < 5
    assert wide.value(wide.size - 1) == wide.high
    day = make_range(timestamp, datetime(2024, 1, 1), datetime(2024, 1, 2), None)
    assert day.step == 1
    assert coarse(day).step == 24
