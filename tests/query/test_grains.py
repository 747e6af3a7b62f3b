"""What is found to need no more than the day of a time, its hour or its month, has one value in each."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import duckdb
import pytest

from dpduck.compiler.block.grains import GRAINS, grain_of, is_of_grain, starts_of
from dpduck.kernel.catalog.model import RangeDomain, ValuesDomain
from dpduck.kernel.tree.nodes import ColumnRef
from tests.query.samples import Columns, text_of, translate

LONG = RangeDomain(datetime(2023, 11, 29, 7), datetime(2025, 2, 3, 23, 59, 59), 1_000_000)
COLUMNS = Columns(ts=LONG)
COLUMN = translate("ts", COLUMNS).node

COARSEST = {
    "date_trunc('year', ts)": "month",
    "date_trunc('week', ts)": "day",
    "date_trunc('isoyear', ts)": "day",
    "date_trunc('day', ts) + INTERVAL 1 MONTH": "day",
    "date_trunc('hour', ts)": "hour",
    "date_trunc('minute', ts)": "minute",
    "date_trunc('second', ts)": None,
    "date_trunc('month', date_trunc('day', ts))": "day",
    "quarter(ts) * 10 + month(ts)": "month",
    "year(ts::DATE)": "day",
    "dayofyear(ts) - dayofweek(ts) + isodow(ts) + week(ts) + yearweek(ts) + isoyear(ts)": "day",
    "extract(hour FROM ts) + extract(century FROM ts)": "hour",
    "extract(minute FROM ts)": "minute",
    "extract(second FROM ts)": None,
    "epoch(ts)": None,
    "last_day(ts)": "month",
    "monthname(ts) || dayname(ts)": "day",
    "strftime(ts, '%Y-%b %y')": "month",
    "strftime(ts, '%j %U')": "day",
    "strftime(ts, '%H:%M')": "minute",
    "strftime(ts, '%S')": None,
    "ts::DATE": "day",
    "ts::VARCHAR": None,
    "ts": None,
    "ts + INTERVAL 1 DAY": None,
    "date_trunc('day', ts + INTERVAL 7 HOUR)": None,
    "date_diff('day', ts, DATE '2024-05-05')": "day",
    "date_diff('month', ts, ts)": "month",
    "date_diff('quarter', ts::DATE, DATE '2024-05-05')": "day",
    "date_sub('month', ts, DATE '2024-05-05')": None,
    "ts >= '2024-05-01'": "month",
    "ts < '2024-05-02'": "day",
    "ts >= '2024-05-02 10:00:00'": "hour",
    "ts > '2024-05-02'": None,
    "ts <= '2024-05-02'": None,
    "ts = '2024-05-02'": None,
    "ts >= '2024-05-02 10:00:00.5'": None,
    "ts IS NULL OR NOT ts < '2024-05-02'": "day",
    "ts::DATE <= '2024-05-02' AND hour(ts) = 3": "hour",
    "CASE WHEN ts < '2024-05-01' THEN 'a' ELSE month(ts)::VARCHAR END": "month",
    "CASE WHEN ts < '2024-05-01' THEN ts END": None,
    "7": "month",
}


@pytest.fixture(scope="module")
def times() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        connection.execute(
            "CREATE TABLE t AS SELECT TIMESTAMP '2023-11-29 07:00' + "
            "INTERVAL (i * 12_345_678_901 % 37_382_399_999_983) MICROSECOND AS ts FROM range(20_000) AS r(i)"
        )
        yield connection


@pytest.mark.parametrize("text", COARSEST)
def test_coarsest_grain(text: str, times: duckdb.DuckDBPyConnection) -> None:
    assert isinstance(COLUMN, ColumnRef)
    node = translate(text, COLUMNS).node
    found = [grain for grain in GRAINS if is_of_grain(node, COLUMN, grain)]
    assert (found[-1] if found else None) == COARSEST[text]
    assert found == list(GRAINS[: len(found)])
    for grain in found:  # it has one value in each
        values = f"count(DISTINCT {text_of(translate(text, COLUMNS))}) AS n"
        query = f"SELECT {values} FROM t GROUP BY date_trunc('{grain}', ts)"
        assert times.execute(f"SELECT max(n) FROM ({query})").fetchall()[0][0] <= 1


def test_starts() -> None:
    assert isinstance(COLUMN, ColumnRef)
    month, hour = (translate(text, COLUMNS).node for text in ("month(ts)", "hour(ts)"))
    assert grain_of(COLUMN, LONG, [month], 10_000) == "month"
    assert grain_of(COLUMN, LONG, [month, hour], 20_000) == "hour"
    assert grain_of(COLUMN, LONG, [month, hour], 10_000) == "month"  # the hours are too many
    assert grain_of(COLUMN, LONG, [COLUMN], 10_000) is None
    assert grain_of(COLUMN, ValuesDomain((datetime(2024, 1, 1),)), [month], 10_000) is None
    starts = starts_of(LONG, "month", COLUMN).values
    assert (len(starts), starts[0], starts[-1]) == (16, datetime(2023, 11, 1), datetime(2025, 2, 1))
    assert starts_of(LONG, "day", COLUMN).size == 433
    last = RangeDomain(datetime(9999, 11, 5), datetime(9999, 12, 31, 23, 59), 60_000_000)
    assert [starts_of(last, grain, COLUMN).size for grain in ("month", "day")] == [2, 57]
    assert starts_of(last, "hour", COLUMN).values[-1] == datetime(9999, 12, 31, 23)
