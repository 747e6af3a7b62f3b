"""The clock of a query stands still when it is planned; what is computed of it alone is one constant."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import duckdb
import pytest

import dpduck
from dpduck.answers import preparation
from dpduck.compiler.parse.statements import Select, parse
from dpduck.compiler.validate.clock import reads_clock, validated_at

MOMENT = datetime(2024, 2, 29, 23, 59, 59, 999_999)


def stopped(text: str) -> str:
    select = parse(f"SELECT count(*) FROM t WHERE {text}")
    assert isinstance(select, Select)
    return validated_at(select, MOMENT).expression.sql("duckdb").partition(" WHERE ")[2]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("d = current_date", "d = CAST('2024-02-29' AS DATE)"),
        ("d > today() - 7", "d > CAST('2024-02-22' AS DATE)"),
        ("d > CURRENT_DATE - INTERVAL 30 DAY", "d > CAST('2024-01-30 00:00:00' AS TIMESTAMP)"),
        ("ts > now()", "ts > CAST('2024-02-29 23:59:59.999999+00' AS TIMESTAMPTZ)"),
        ("ts > now() - INTERVAL '1 year'", "ts > CAST('2023-02-28 23:59:59.999999+00' AS TIMESTAMPTZ)"),
        ("ts > date_trunc('month', now())", "ts > CAST('2024-02-01 00:00:00+00' AS TIMESTAMPTZ)"),
        ("d > now()::DATE", "d > CAST('2024-02-29' AS DATE)"),
        ("d > (now() AT TIME ZONE 'Asia/Tokyo')::DATE", "d > CAST('2024-03-01' AS DATE)"),
        ("year(d) = year(current_date) - 1", "YEAR(d) = 2023"),
        ("n = 2024 - year(current_date) - 1", "n = -1"),
        ("date_diff('day', d, current_date) < 7", "DATE_DIFF('DAY', d, CAST('2024-02-29' AS DATE)) < 7"),
        ("n > (SELECT max(current_date))", "n > (SELECT MAX(CAST('2024-02-29' AS DATE)))"),
    ],
)
def test_what_the_clock_says_is_a_constant(text: str, expected: str) -> None:
    assert stopped(text) == expected


def test_a_query_stays_as_it_was() -> None:
    select = parse("SELECT count(*) FROM t WHERE d > current_date - 1")
    assert isinstance(select, Select)
    validated_at(select, MOMENT)
    assert reads_clock(select)


def test_many_links_are_refused_or_computed() -> None:
    assert "DATE" in stopped("d > current_date" + " - 1" * 90)
    with pytest.raises(dpduck.UnsupportedSqlError, match="too large"):
        stopped("d > current_date" + " - 1" * 500)


@pytest.fixture
def db() -> Iterator[dpduck.Connection]:
    con = duckdb.connect()
    con.execute(
        "CREATE TABLE t AS SELECT i AS p, DATE '2024-01-01' + (i % 90)::INTEGER AS d FROM range(300) AS r(i)"
    )
    with dpduck.connect(con, epsilon=1) as opened:
        opened.execute("ALTER TABLE t ADD PRIVACY_KEY (p)")
        opened.execute("CREATE PRIVACY BUDGET b LIMIT 100")
        yield opened


def charges(
    db: dpduck.Connection, monkeypatch: pytest.MonkeyPatch, sql: str, *moments: datetime
) -> list[str]:
    found = []
    for moment in moments:
        monkeypatch.setattr(preparation, "present_time", lambda moment=moment: moment)
        found.append(db.execute(sql).charged)
    return found


def test_a_question_about_today_is_the_same_all_day(
    db: dpduck.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    moments = [datetime(2024, 2, 1, 8), datetime(2024, 2, 1, 23, 59), datetime(2024, 2, 2)]
    for sql in (
        "SELECT count(*) FROM t WHERE d >= current_date - INTERVAL 30 DAY",
        "SELECT count(*) FROM t WHERE d < date_trunc('day', now()) - INTERVAL 7 DAY",
    ):
        assert charges(db, monkeypatch, sql, *moments) == ["1", "0", "1"]
    assert charges(db, monkeypatch, "SELECT count(*) FROM t WHERE d < now()", *moments) == ["1", "1", "1"]
    month = "SELECT count(*) FROM t WHERE d >= date_trunc('month', current_date)"
    assert charges(db, monkeypatch, month, *moments) == ["1", "0", "0"]
