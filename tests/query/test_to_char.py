"""to_char writes what PostgreSQL writes, or is refused."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import datetime, timedelta

import duckdb
import pytest

import dpduck
from dpduck.compiler.parse.to_char import strftime_format
from tests.ledger.server import BINARIES, running_server

MOMENTS = [
    datetime(1999, 12, 27) + timedelta(hours=37 * n, seconds=61 * n, microseconds=1009 * n)
    for n in range(400)
]
PATTERNS = [
    "YYYY-MM-DD",
    "YYYY-MM",
    "yyyy-mm-dd hh24:mi:ss",
    "DD.MM.YY HH12:MI AM",
    "HH:MI:SS.MS PM",
    "YYYY-MM-DD HH24:MI:SS.US",
    "DDD/YYYY",
    'IYYY-"W"IW-ID',
    "Mon DD, YYYY",
    "Dy",
    "FMMonth FMDD, YYYY",
    "FMDay FMHH24:MI",
    "FMHH12:FMMI:FMSS FMMM FMDDD",
    "Day",
    "Month",
    'YYYY"year 100, it is"',
]
REFUSED = [
    "Q",
    "WW",
    "IDDD",
    "SSSS",
    "SSSSS",
    "DDTH",
    "YYYY-MM-DDTHH24",
    "YYY",
    "YYYYY",
    "MONTH",
    "day",
    "Day DD",
    "month YYYY",
    "D",
    "J",
    "TZ",
    "FMYYYY",
    'YYYY "100 %"',
    "999",
    "",
    " - ",
    "\\Y",
]


@pytest.fixture
def db() -> Iterator[dpduck.Connection]:
    with duckdb.connect() as rows:
        rows.execute(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, ts TIMESTAMP); CREATE TABLE moments (ts TIMESTAMP)"
        )
        rows.executemany("INSERT INTO moments VALUES (?)", [[moment] for moment in MOMENTS])
        rows.execute(
            "INSERT INTO t SELECT i, TIMESTAMP '2024-01-31' + to_days(i::INTEGER % 7) FROM range(700) r(i)"
        )
        with dpduck.connect(rows, epsilon="1") as db:
            db.execute(
                "ALTER TABLE moments SET PUBLIC; ALTER TABLE t ADD PRIVACY_KEY (id);"
                "ALTER TABLE t ALTER COLUMN ts SET PRIVACY DOMAIN BETWEEN ('2024-01-31', '2024-02-06')"
            )
            yield db


@pytest.mark.services
@pytest.mark.skipif(BINARIES is None or os.name == "nt", reason="PostgreSQL is not installed here")
def test_it_writes_what_postgresql_writes(db: dpduck.Connection) -> None:
    psycopg = pytest.importorskip("psycopg")
    with (
        running_server() as server,
        server.database() as name,
        psycopg.connect(server.url(name).replace("postgresql+psycopg", "postgresql")) as connection,
    ):
        for pattern in PATTERNS:
            found = db.execute(f"SELECT ts, to_char(ts, '{pattern}') FROM moments ORDER BY ts").fetchall()
            for moment, text in found:
                row = connection.execute("SELECT to_char(%s::timestamp, %s)", [moment, pattern]).fetchone()
                assert row == (text,), (pattern, moment)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("YYYY-MM", "2024-02"),
        ("Day", "Monday   "),
        ("Month", "February "),
        ("FMMonth FMDD, YYYY", "February 5, 2024"),
        ('IYYY-"W"IW-ID', "2024-W06-1"),
        ("HH12:MI AM", "12:00 AM"),
    ],
)
def test_what_it_writes(pattern: str, text: str, db: dpduck.Connection) -> None:
    """As PostgreSQL 16 does."""
    assert db.execute(f"SELECT to_char(TIMESTAMP '2024-02-05', '{pattern}')").fetchone() == (text,)


@pytest.mark.parametrize("pattern", REFUSED)
def test_other_patterns_are_refused(pattern: str, db: dpduck.Connection) -> None:
    assert strftime_format(pattern) is None
    for source in ("t", "moments"):
        with pytest.raises(dpduck.UnsupportedSqlError, match="to_char"):
            db.execute(f"SELECT to_char(ts, '{pattern}'), count(*) FROM {source} GROUP BY 1")


def test_keys_have_the_domain_of_the_texts(db: dpduck.Connection) -> None:
    for pattern, keys in (("YYYY-MM", ["2024-01", "2024-02"]), ("FMMon", ["Feb", "Jan"])):
        query = f"SELECT to_char(ts, '{pattern}') AS k, count(*) AS n FROM t GROUP BY k ORDER BY k"
        assert [key for key, _ in db.execute(query).fetchall()] == keys
    days = db.execute(
        "SELECT trim(to_char(ts, 'Day')) AS k, count(*) FROM t GROUP BY k ORDER BY k"
    ).fetchall()
    assert [key for key, _ in days] == sorted(
        ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    )
