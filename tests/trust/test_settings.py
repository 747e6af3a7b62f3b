"""A setting of the whole process makes no row fail: divided by zero, one did. Nor does one fail a query after
its charge, or change what an answer means: every setting that could is tried, against the same noise."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import duckdb
import pytest

import dpduck
from tests.sources import Seeded

QUERIES = ("SELECT count(*) FROM t WHERE 1.0 / x > 0.5", "SELECT count(*) FROM t WHERE 7 % x > 0.5")


@pytest.fixture(params=[False, True], ids=["absent", "present"])
def con(request: pytest.FixtureRequest) -> Iterator[duckdb.DuckDBPyConnection]:
    """A database in which one person, who may be there, has a zero."""
    with duckdb.connect() as con:
        con.execute("CREATE TABLE t AS SELECT i AS p, (1 + i % 50)::DOUBLE AS x FROM range(300) AS r(i)")
        if request.param:
            con.execute("INSERT INTO t VALUES (-1, 0)")
        con.execute("SET GLOBAL ieee_floating_point_ops = false")
        yield con


@pytest.mark.parametrize("sql", QUERIES)
def test_in_python(con: duckdb.DuckDBPyConnection, sql: str) -> None:
    db = dpduck.connect(con, epsilon="1")
    db.execute("ALTER TABLE t ADD PRIVACY_KEY (p)")
    assert len(db.execute(sql).fetchall()) == 1


@pytest.mark.parametrize("sql", QUERIES)
def test_in_functions(con: duckdb.DuckDBPyConnection, sql: str) -> None:
    dpduck.connect(con).execute("ALTER TABLE t ADD PRIVACY_KEY (p)")
    dpduck.register(con, session="ana", budget="3")
    priced = sql.replace("SELECT", "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 1)")
    assert len(con.execute("FROM dp($1)", [priced]).fetchall()) == 1


@pytest.mark.parametrize("sql", QUERIES)
def test_in_a_file_that_the_process_has_open(
    tmp_path: Path, con: duckdb.DuckDBPyConnection, sql: str
) -> None:
    path = tmp_path / "t.duckdb"
    with duckdb.connect(str(path)) as file:
        file.execute("CREATE TABLE t (p INTEGER, x DOUBLE)")
        file.executemany("INSERT INTO t VALUES ($1, $2)", con.execute("FROM t").fetchall())
        file.execute("SET GLOBAL ieee_floating_point_ops = false")
        with dpduck.connect(path, epsilon="1") as db:
            db.execute("ALTER TABLE t ADD PRIVACY_KEY (p)")
            assert len(db.execute(sql).fetchall()) == 1


MEANINGS = (
    "SELECT k, count(*) AS n FROM t GROUP BY k ORDER BY n DESC LIMIT 3",
    "SELECT name, count(*) AS n FROM t WHERE name LIKE 'A%' OR name = 'b' GROUP BY name ORDER BY name",
    "SELECT median(x) AS m, sum(x) AS s, avg(x) AS a, min(x) AS low, count(DISTINCT k) AS d FROM t",
    "SELECT count(*) AS n FROM t WHERE 7 // k > 2 OR 1.0 / x > 2 OR k % 3 = 1 OR x / 0 > 1 OR k / 2 = 1",
    "SELECT date_trunc('month', d) AS m, count(*) AS n FROM t GROUP BY m ORDER BY m",
    "SELECT hour(ts) AS h, count(*) AS n FROM t WHERE upper(name) = 'A' GROUP BY h ORDER BY h",
    "SELECT date_trunc('day', tz) AS m, count(*) AS n FROM t WHERE tz > '2020-01-02' GROUP BY m ORDER BY m",
    "SELECT hour(tz) AS h, count(*) AS n FROM t WHERE tz::DATE > DATE '2020-01-01' GROUP BY h ORDER BY h",
    "SELECT hour(tz AT TIME ZONE 'Asia/Tokyo') AS h, count(*) AS n FROM t GROUP BY h ORDER BY h",
    "SELECT median(tz) AS m, max(ts AT TIME ZONE 'Asia/Tokyo', contribution_bounds_per_row => "
    "('2020-01-01', '2020-01-03'))::VARCHAR AS w FROM t WHERE tz::VARCHAR LIKE '%+00'",
    "SELECT k, n / 2 AS h FROM (SELECT k, count(*) AS n FROM t GROUP BY k) ORDER BY nullif(k, 3)",
    "SELECT a, b, a / 2, a // 2, 1 / 0.0 FROM names ORDER BY a, b",
    "SELECT max(b), (SELECT min(a) FROM names WHERE a > 1) FROM names WHERE b > 'B'",
    "SELECT count(*) AS n FROM t JOIN names ON t.k = names.a WHERE names.b <> 'b'",
)
# Of a file, the network, memory, or time; what is written, and how it is shown.
ELSEWHERE = re.compile(
    "memory|path|director|http|secret|password|user|repositor|log|temp_|threads|checkpoint|profil|access|file"
    "|lock_|metric|custom|allowed_|wal_|pin_|storage|home|duckdb_api|block|fsync|read_ahead|vacuum|extension"
    "|progress|write_|compression|vector_size|schema|verify|debug_|parser|grammar|max_execution_time"
)
VALUES = {
    "Calendar": ["buddhist"],
    "TimeZone": ["America/Los_Angeles"],
    "default_collation": ["nocase", "noaccent"],
    "default_null_order": ["NULLS_FIRST"],
    "default_order": ["DESC"],
    "dialect_compatibility_mode": ["SPARK"],
    "disabled_optimizers": ["expression_rewriter,filter_pushdown,statistics_propagation"],
    "integer_division": ["true"],
    "lambda_syntax": ["DISABLE_SINGLE_ARROW"],
    "max_expression_depth": ["10"],
    "null_order": ["NULLS_FIRST"],
    "preserve_identifier_case": ["lowercase"],
    "regex_match_operator_semantics": ["full"],
    "arrow_output_version": ["1.5"],
    "debug_window_mode": ["separate"],
}


def answers(db: dpduck.Connection) -> list[object]:
    """All answers with the same noise, or the refusal if nothing was charged for it."""
    found: list[object] = []
    for sql in MEANINGS:
        db._service._entropy = Seeded("settings")
        db._service._prepare.forget()
        try:
            result = db.execute(sql)
            found.append(([column[0] for column in result.description], result.fetchall()))
        except dpduck.DpduckError as refused:
            assert refused.charged == "0", sql
            found.append(None)
    return found


@pytest.fixture(scope="module")
def shop() -> Iterator[tuple[duckdb.DuckDBPyConnection, dpduck.Connection, list[object]]]:
    con = duckdb.connect()
    con.execute(
        "CREATE TABLE t AS SELECT i AS id, i % 10 AS k, ['A', 'a', 'b', NULL][1 + i % 4] AS name,"
        " (i % 50)::DOUBLE AS x, DATE '2020-01-01' + (i % 300)::INTEGER AS d,"
        " TIMESTAMP '2020-01-01 05:00:00' + INTERVAL (i % 24) HOUR AS ts,"
        " TIMESTAMPTZ '2020-01-01 05:00:00+00' + INTERVAL (i % 72) HOUR AS tz FROM range(300) AS r(i)"
    )
    con.execute("INSERT INTO t (id) VALUES (-1)")
    con.execute("CREATE TABLE names AS FROM (VALUES (1, 'a'), (2, 'B'), (3, NULL), (NULL, 'b')) AS v(a, b)")
    with dpduck.connect(con, epsilon=5, delta="1e-6") as db:
        for policy in (
            "ADD PRIVACY_KEY (id)",
            "SET PRIVACY CONTRIBUTION (groups = 1)",
            "ALTER COLUMN k SET PRIVACY DOMAIN BETWEEN (0, 9)",
            "ALTER COLUMN x SET PRIVACY DOMAIN BETWEEN (0, 50)",
            "ALTER COLUMN name SET PRIVACY DOMAIN IN ('A', 'a', 'b')",
            "ALTER COLUMN tz SET PRIVACY DOMAIN BETWEEN ('2020-01-01', TIMESTAMPTZ '2020-01-05 01:00:00+01')",
            "ALTER COLUMN d SET PRIVACY DOMAIN BETWEEN ('2020-01-01', '2020-12-31')",
        ):
            db.execute(f"ALTER TABLE t {policy}")
        db.execute("ALTER TABLE names SET PUBLIC")
        db.execute("CREATE PRIVACY BUDGET b LIMIT 100000 DELTA 0.9")
        db.execute("SET dp_replay = off")
        yield con, db, answers(db)


def switches() -> list[tuple[str, str]]:
    """Every other setting that could be meant, contrary to what it is."""
    known = duckdb.sql("SELECT name, value, input_type FROM duckdb_settings() ORDER BY name").fetchall()
    names = [tuple(map(str, row)) for row in known if row[0] not in VALUES and not ELSEWHERE.search(row[0])]
    return [(name, str(value != "true")) for name, value, kind in names if kind == "BOOLEAN"] + [
        (name, "2") for name, _, kind in names if "INT" in kind
    ]


TRIED = {"all switches": switches()} | {
    f"{name} {value}": [(name, value)] for name, values in VALUES.items() for value in values
}


@pytest.mark.parametrize("name", TRIED)
def test_no_setting_changes_an_answer(
    shop: tuple[duckdb.DuckDBPyConnection, dpduck.Connection, list[object]], name: str
) -> None:
    con, db, usual = shop
    try:
        for setting, value in TRIED[name]:
            with suppress(duckdb.Error):  # another version has it, or other values of it
                con.execute(f"SET GLOBAL {setting} = '{value}'")
        found = answers(db)
    finally:
        for setting, _ in TRIED[name]:
            with suppress(duckdb.Error):
                con.execute(f"RESET GLOBAL {setting}")
    assert None not in found or name.startswith("default_collation")  # texts are of another type then
    assert all(answer in (None, before) for answer, before in zip(found, usual, strict=True))


def test_what_is_locked_with_another_meaning_is_refused() -> None:
    con = duckdb.connect()
    con.execute("CREATE TABLE t AS SELECT range AS p FROM range(300)")
    db = dpduck.connect(con, epsilon=1)
    db.execute("ALTER TABLE t ADD PRIVACY_KEY (p)")
    con.execute("SET GLOBAL integer_division = true; SET lock_configuration = true")
    with pytest.raises(dpduck.DpduckError, match="integer_division makes queries mean") as caught:
        db.execute("SELECT count(*) FROM t")
    assert caught.value.charged == "0"


def test_threads_may_open_one_file_at_once(tmp_path: Path) -> None:
    """Settings are locked once: the thread that came second was refused."""
    path = tmp_path / "t.duckdb"
    with duckdb.connect(str(path)) as file:
        file.execute("CREATE TABLE t AS SELECT i AS p FROM range(300) AS r(i)")
    with dpduck.connect(path) as owner:
        owner.execute("ALTER TABLE t ADD PRIVACY_KEY (p)")

    def opened(number: int) -> str:
        with dpduck.connect(path, analyst=f"analyst {number}", epsilon="0.1") as db:
            return db.execute("SELECT count(*) FROM t").charged

    for _ in range(3):
        with ThreadPoolExecutor(6) as threads:
            assert len(list(threads.map(opened, range(6)))) == 6
