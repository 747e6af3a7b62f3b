"""Synthetic rows: a public table for every door, made of released numbers alone, the same in each process."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest

import dpduck
from dpduck.summaries import synthetic
from tests.gateway import wiring as w
from tests.gateway.web.sites import add_login, site_on
from tests.gateway.wiring import Gateway, columns_of, rows_of, said
from tests.sources import HALF, Quiet
from tests.summaries.asking import ledger, refusal, rows, spent, told
from tests.summaries.conftest import BOARD

SMALL = "CREATE PRIVACY SUMMARY small ON people (region, member, age BANDS (18, 65)) EPSILON 1"
CELLS = "SELECT region, member, count(*) AS n FROM small GROUP BY ALL ORDER BY ALL"


def test_rows_have_the_columns_and_their_types(db: dpduck.Connection) -> None:
    db.execute(BOARD)
    found = db.execute("SELECT * FROM board")
    assert [column[0] for column in found.description] == ["age", "region", "member", "grade", "month"]
    types = {row[0]: row[1] for row in rows(db, "DESCRIBE board")}
    assert types == {
        "age": "ENUM('below 18', '18 to below 30', '30 to below 45', '45 to below 65', 'from 65')",
        "region": "VARCHAR",
        "member": "BOOLEAN",
        "grade": "INTEGER",
        "month": "TIMESTAMP",
    }
    assert rows(db, "SELECT count(*) > 0 FROM board WHERE grade IS NULL") == [(True,)]
    assert rows(db, "SELECT min(month), max(month) FROM board") == [
        (datetime(2024, 1, 1), datetime(2024, 12, 1))
    ]


def test_bands_are_in_their_order(db: dpduck.Connection) -> None:
    db.execute(BOARD)
    found = [row[0] for row in rows(db, "SELECT age, count(*) FROM board GROUP BY age ORDER BY age")]
    assert found == ["below 18", "18 to below 30", "30 to below 45", "45 to below 65", "from 65"]
    assert rows(db, "SELECT min(age), max(age) FROM board") == [("below 18", "from 65")]


def test_without_noise_they_are_as_many_as_there_are(quiet: dpduck.Connection) -> None:
    quiet.execute(SMALL)
    synthetic_cells = rows(quiet, CELLS)
    true = rows(quiet, CELLS.replace("small", "people"))
    assert "from summary small" in told(quiet)
    assert sum(int(str(row[2])) for row in synthetic_cells) == 4000
    for (*cell, n), (*other, exact) in zip(synthetic_cells, true, strict=True):
        assert cell == other
        assert abs(int(str(n)) - int(str(exact))) <= 8


def test_they_cost_nothing_and_say_what_they_are(db: dpduck.Connection) -> None:
    db.execute(SMALL)
    before = spent(db)
    rows(db, "SELECT * FROM small")
    assert "a model of its numbers and no data" in told(db)
    assert "they have no intervals" in told(db)
    assert (db.charged, spent(db)) == ("0", before)
    *_, (mechanism, epsilon, replayed, text) = sorted(ledger(db), key=lambda row: bool(row[2]))
    assert (mechanism, epsilon, replayed, text) == ("summary", 0, True, "SELECT * FROM small")
    said = rows(db, "EXPLAIN SELECT * FROM small")[0][0]
    assert said == "public: the query reads synthetic rows of summary small only, and costs nothing"
    db._service.session.ledger.verify()


def test_any_sql_runs_on_them(db: dpduck.Connection) -> None:
    db.execute(SMALL)
    n = rows(db, "SELECT count(*) FROM small")[0][0]
    assert isinstance(n, int)
    assert 3800 < n < 4200
    for sql in (
        "SELECT sum(n) FROM (SELECT s.region, count(*) AS n FROM main.small AS s GROUP BY 1)",
        "WITH a AS (SELECT * FROM small) SELECT count(*) FROM a",
        "SELECT max(r) FROM (SELECT row_number() OVER () AS r FROM public.small)",
        "SELECT count(*) FROM SMALL",
        "SELECT count(*) FILTER (small.member) + count(*) FILTER (NOT small.member) FROM small",
        "SELECT sum(a.n) FROM (SELECT region, count(*) AS n FROM small GROUP BY 1) AS a "
        "JOIN (SELECT DISTINCT region FROM small) AS b USING (region)",
    ):
        assert rows(db, sql) == [(n,)], sql
    assert rows(db, "SELECT count(*) FROM small WHERE region = ?".replace("?", "'n'"))[0] < (n,)
    assert db.execute("SELECT count(*) FROM small WHERE region = ?", ["n"]).fetchone() < (n,)
    assert db.execute("SELECT * FROM small").to_arrow_table().num_rows == n


def test_they_are_read_apart_from_private_rows(db: dpduck.Connection) -> None:
    db.execute(SMALL)
    for sql in (
        "SELECT count(*) FROM people JOIN small USING (region)",
        "SELECT count(*) FROM small JOIN people USING (region)",
        "SELECT count(*) FROM people WHERE region IN (SELECT region FROM small)",
        "SELECT count(*) FROM small, dp_ledger()",
        "SELECT a.n FROM (SELECT count(*) AS n FROM people) AS a, (SELECT count(*) AS m FROM small) AS b",
    ):
        assert "cannot be joined with anything else" in str(refusal(db, sql)), sql


def test_two_summaries_are_read_apart(db: dpduck.Connection) -> None:
    db.execute(SMALL)
    db.execute(SMALL.replace("small", "other"))
    assert "cannot be joined" in str(refusal(db, "SELECT count(*) FROM small JOIN other USING (region)"))


def test_a_name_that_with_gives_is_that(db: dpduck.Connection) -> None:
    db.execute(SMALL)
    assert rows(db, "WITH small AS (SELECT 1 AS x) SELECT x FROM small") == [(1,)]


def test_tools_find_the_table(db: dpduck.Connection) -> None:
    assert rows(db, "SHOW TABLES") == [("people",), ("visits",)]
    db.execute(SMALL)
    assert rows(db, "SHOW TABLES") == [("people",), ("small",), ("visits",)]
    listed = "SELECT column_name FROM information_schema.columns WHERE table_name = 'small'"
    assert rows(db, listed) == [("region",), ("member",), ("age",)]
    db.execute("DROP PRIVACY SUMMARY small")
    assert rows(db, "SHOW TABLES") == [("people",), ("visits",)]
    assert "small does not exist" in str(refusal(db, "SELECT * FROM small"))


def test_a_refresh_makes_others(file: Path) -> None:
    """Also where the file is the same, so that plans of other queries are kept."""
    with dpduck.connect(file) as db:
        db.execute(SMALL)
        before = rows(db, CELLS)
        assert rows(db, CELLS) == before
        db.execute("ALTER PRIVACY SUMMARY small REFRESH")
        assert rows(db, CELLS) != before
        db.execute(SMALL.replace("CREATE", "CREATE OR REPLACE").replace("region, ", ""))
        assert "region" in str(refusal(db, CELLS))
        assert len(rows(db, "DESCRIBE small")) == 2


@pytest.mark.slow
def test_each_process_makes_the_same_rows(file: Path) -> None:
    with dpduck.connect(file) as db:
        db.execute(SMALL)
        here = rows(db, "SELECT md5(string_agg(concat_ws(',', region, member, age), ';')) FROM small")
    script = (
        "import sys, dpduck\n"
        "with dpduck.connect(sys.argv[1]) as db:\n"
        "    sql = \"SELECT md5(string_agg(concat_ws(',', region, member, age), ';')) FROM small\"\n"
        "    print(db.execute(sql).fetchall())\n"
    )
    there = subprocess.run(
        [sys.executable, "-c", script, str(file)], capture_output=True, text=True, check=True
    )
    assert there.stdout.strip() == str(here)


def test_no_private_row_is_read_for_them(file: Path) -> None:
    """The table is empty by then, and the rows are those that they were."""
    with dpduck.connect(file) as db:
        db.execute(SMALL)
        before = rows(db, CELLS)
    with duckdb.connect(str(file)) as con:
        con.execute("DELETE FROM people")
    with dpduck.connect(file) as db:
        assert rows(db, CELLS) == before
        assert "Its database has changed since" in told(db)


def test_who_reads_them_has_learned_the_numbers(file: Path) -> None:
    with dpduck.connect(file) as db:
        db.execute("CREATE PRIVACY BUDGET team LIMIT 1.5 FOR ana")
        db.execute("CREATE PRIVACY BUDGET little LIMIT 0.3 FOR bob")
        db.execute(SMALL)
    with dpduck.connect(file, analyst="ana") as ana:
        rows(ana, CELLS)
        assert "epsilon 1 was charged once" in told(ana)
        assert (ana.charged, spent(ana, "budget"), spent(ana, "people")) == ("1", 1, 1)
        rows(ana, "SELECT count(*) FROM small")
        rows(ana, "SELECT * FROM dp_summary('small')")
        assert (ana.charged, spent(ana, "budget")) == ("0", 1)
    with dpduck.connect(file, analyst="bob") as bob:
        assert "no budget has what it cost left" in str(refusal(bob, CELLS))
        assert spent(bob, "budget") == 0


def test_a_summary_that_fits_no_more_has_none(db: dpduck.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    db.execute(SMALL)
    db.execute("ALTER TABLE people ALTER COLUMN region SET PRIVACY DOMAIN IN ('n', 's')")
    error = refusal(db, CELLS)
    assert "summary small has no synthetic rows now" in str(error)
    assert "Its columns have other values than when it was made" in str(error)
    assert ("small",) not in rows(db, "SHOW TABLES")
    db.execute("ALTER TABLE people ALTER COLUMN region SET PRIVACY DOMAIN IN ('n', 's', 'e', 'w')")
    db.execute(SMALL.replace("CREATE", "CREATE OR REPLACE").replace("EPSILON", "MAX AGE '7 days' EPSILON"))
    rows(db, CELLS)
    later = datetime.now(UTC) + timedelta(days=8)
    monkeypatch.setattr("dpduck.answers.summaries._now", lambda: later)
    assert "older than its MAX AGE" in str(refusal(db, CELLS))


def test_many_cells_are_refused_and_answer_all_the_same(
    quiet: dpduck.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    quiet.execute(SMALL)
    monkeypatch.setattr(synthetic, "MOST_JOINT", 20)
    before = len(ledger(quiet))
    error = refusal(quiet, CELLS)
    assert "have 24 cells together, of which the most is 20" in str(error)
    assert len(ledger(quiet)) == before
    assert len(rows(quiet, CELLS.replace("small", "people"))) == 8
    monkeypatch.setattr(synthetic, "MOST_JOINT", 24)
    monkeypatch.setattr(synthetic, "MOST_ROWS", 3999)
    assert "about 4,000" in str(refusal(quiet, CELLS))


def test_columns_that_are_not_measured_are_no_part(db: dpduck.Connection) -> None:
    db.execute("CREATE PRIVACY SUMMARY few ON people (region, member) WORKLOAD (ALL 1 WAY) EPSILON 1")
    assert [row[0] for row in rows(db, "DESCRIBE few")] == ["region", "member"]
    assert rows(db, "SELECT count(*) > 3000 FROM few") == [(True,)]


def test_rows_of_several_per_person(file: Path) -> None:
    with dpduck.connect(file) as db:
        db._service._entropy = Quiet(HALF)
        db.execute("CREATE PRIVACY SUMMARY seen ON visits (page, month) CONTRIBUTION (rows = 5) EPSILON 1")
        assert rows(db, "SELECT count(*) FROM seen") == [(5000,)]
        assert "rows, at most 5 rows of each unit" in told(db)


def test_the_extension_reads_them(file: Path) -> None:
    con = duckdb.connect(str(file))
    with dpduck.connect(con) as db:
        db.execute(SMALL)
        n = rows(db, "SELECT count(*) FROM small")
        dpduck.register(con)
        assert con.sql("SELECT * FROM dp('SELECT count(*) AS n FROM small')").fetchall() == n
    con.close()


# --- other doors ---------------------------------------------------------------------------------


@pytest.fixture
def gateway(file: Path) -> Iterator[Gateway]:
    with dpduck.connect(file) as owner:
        owner.execute("CREATE PRIVACY BUDGET everyone LIMIT 5")
        owner.execute(BOARD)
    w.add_analyst(file)
    gateway = Gateway(file, "--epsilon", "0.01")
    yield gateway
    gateway.kill()
    assert "Traceback" not in "".join(gateway.log)


@pytest.mark.slow
def test_the_gateway_shows_a_table_and_its_types(gateway: Gateway) -> None:
    with gateway.client() as client:
        listed = client.ask(
            "SELECT c.relname, c.relkind, obj_description(c.oid, 'pg_class') FROM pg_catalog.pg_class c "
            "JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace "
            "WHERE n.nspname = 'public' AND c.relkind IN ('r', 'v') ORDER BY 1"
        )
        tables = {row[0]: row[1:] for row in rows_of(listed)}
        assert set(tables) == {"board", "people", "visits"}
        assert tables["board"][0] == "r"
        assert "synthetic rows" in str(tables["board"][1])
        named = client.ask(
            "SELECT a.attname, format_type(a.atttypid, a.atttypmod) FROM pg_attribute a "
            "WHERE a.attrelid = 'public.board'::regclass AND a.attnum > 0 ORDER BY a.attnum"
        )
        assert dict(rows_of(named)) == {
            "age": "text", "region": "text", "member": "boolean",
            "grade": "integer", "month": "timestamp without time zone",
        }  # fmt: skip
        found = client.ask('SELECT * FROM "public"."board" LIMIT 3')
        assert [kind for _, kind, _ in columns_of(found)] == [25, 25, 16, 23, 1114]
        assert len(rows_of(found)) == 3
        assert any("synthetic rows" in said(reply) for reply in found if reply[0] == "N")
        joined = client.ask("SELECT count(*) FROM board JOIN people ON true")
        assert "cannot be joined" in said(next(reply for reply in joined if reply[0] == "E"))
    gateway.stop()


@pytest.mark.slow
def test_the_gateway_shows_summaries_as_they_are_made(gateway: Gateway) -> None:
    asked = "SELECT tablename FROM pg_catalog.pg_tables WHERE schemaname = 'public' ORDER BY 1"
    with gateway.client() as client:
        assert rows_of(client.ask(asked)) == [("board",), ("people",), ("visits",)]
        client.ask("CREATE PRIVACY SUMMARY mine ON people (region) EPSILON 0.5")
        assert rows_of(client.ask(asked)) == [("board",), ("mine",), ("people",), ("visits",)]
        assert len(rows_of(client.ask("SELECT region, count(*) FROM mine GROUP BY 1"))) == 4
        client.ask("DROP PRIVACY SUMMARY mine")
        assert rows_of(client.ask(asked)) == [("board",), ("people",), ("visits",)]
    gateway.stop()


def test_the_console_shows_them(file: Path) -> None:
    with dpduck.connect(file) as owner:
        owner.execute(SMALL)
    with site_on(file) as site:
        add_login(site.ledger, "ana")
        client = site.as_analyst()
        client.get("/schema?schema=main&table=small")
        assert "region" in client.words()
        client.run("SELECT region, count(*) AS n FROM small GROUP BY region")
        assert "synthetic rows of summary small" in client.words()
        assert site.ledger.entries()[-1].epsilon in (0, Decimal(1))


@pytest.mark.slow
def test_the_shell_lists_them(file: Path) -> None:
    with dpduck.connect(file) as owner:
        owner.execute(SMALL)
    typed = subprocess.run(
        [sys.executable, "-m", "dpduck", "shell", str(file)],
        input="\\dt\nSELECT count(*) AS n FROM small;\n",
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "small" in typed.stdout
    assert "synthetic rows of summary small" in typed.stdout + typed.stderr
