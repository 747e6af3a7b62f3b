"""`dpduck query`: answers, what they cost, and what they look like."""

from __future__ import annotations

import csv
import io
import json
import os
import stat
import subprocess
from pathlib import Path

import duckdb
import pytest

from tests.cli.processes import Run, finish, start, without_notices

TOP = "SELECT item, count(*) AS n FROM baskets GROUP BY item ORDER BY n DESC LIMIT 10"
FILE = ("baskets.parquet", "--unit", "basket", "--epsilon", "1")
DOMAIN = ("--domain", "item=0..19")


def top_where(condition: str) -> str:
    return TOP.replace("GROUP", f"WHERE {condition} GROUP")


class TestBudget:
    def test_three_queries_fit_and_the_fourth_is_refused(self, run: Run) -> None:
        shared = ("query", *FILE, *DOMAIN, "--ledger", "shop.ledger", "--budget", "3")
        first = run(*shared, TOP)
        assert (first.code, without_notices(first.err)) == (0, "")
        assert first.out.count("\n│") == 12  # two lines of names and types, ten items
        assert [run(*shared, top_where(f"item > {i}")).code for i in range(2)] == [0, 0]
        refused = run(*shared, top_where("item > 2"))
        assert refused.code == 1
        assert refused.out == ""
        assert refused.err == (
            "query needs epsilon 1 but none remains\n"
            "DETAIL: The cap of session 'cli' is epsilon 3, of which 3 is spent. No data was read."
            " Nothing was charged.\n"
            "HINT: Raise --budget.\n"
        )

    def test_the_same_without_a_domain_but_with_a_delta(self, run: Run) -> None:
        shared = ("query", *FILE, "--delta", "1e-6", "--budget", "1", "--format", "json")
        answer = run(*shared, TOP)
        assert answer.code == 0, answer.err
        assert json.loads(answer.out)[0]["item"] == 0
        assert run(*shared, top_where("item > 0")).code == 1

    def test_a_later_budget_sets_the_cap_and_never_adds(self, run: Run) -> None:
        count = ("--fresh", "SELECT count(*) FROM baskets")
        assert run("query", *FILE, "--budget", "1", *count).code == 0
        assert run("query", *FILE, "--budget", "1", *count).code == 1
        assert run("query", *FILE, *count).code == 1
        assert run("query", *FILE, "--budget", "2", *count).code == 0
        assert run("query", *FILE, "--budget", "2", *count).code == 1

    def test_a_query_that_shows_no_row_is_free(self, run: Run) -> None:
        for query, rows in (("SELECT * FROM baskets LIMIT 0", []), (top_where("0 = 1"), [])):
            answer = run("query", *FILE, *DOMAIN, "--budget", "1", "--format", "json", query)
            assert (answer.code, json.loads(answer.out)) == (0, rows), answer.err
        assert run("query", *FILE, *DOMAIN, "--budget", "1", TOP).code == 0

    def test_the_same_question_costs_nothing_again(self, run: Run) -> None:
        first = run("query", *FILE, "--format", "json", "SELECT count(*) AS n FROM baskets")
        again = run("query", *FILE, "--format", "json", "select COUNT(*) n from Baskets")
        assert (again.code, again.out) == (0, first.out)
        error, told = again.err.split("\n", 1)
        assert error.startswith("n ± ")
        assert told.startswith("This is from the answer of 20")
        assert " UTC; nothing was charged." in again.err and again.err.endswith("(--why)\n")
        why = run("query", *FILE, "--why", "--format", "json", "SELECT count(*) AS n FROM baskets")
        assert why.err.splitlines()[1].endswith(" UTC; nothing was charged. --fresh asks for a new one.")
        charges = json.loads(run("ledger", "baskets.parquet", "--format", "json").out)
        assert [(row["epsilon"], row["replayed"]) for row in charges] == [(1, False), (0, True)]
        other = run("query", *FILE, "--fresh", "SELECT count(*) FROM baskets")
        assert (other.code, without_notices(other.err)) == (0, "")

    def test_an_analyst_has_a_session_of_their_own(self, run: Run) -> None:
        count = ("--fresh", "SELECT count(*) FROM baskets")
        assert run("query", *FILE, "--budget", "1", *count).code == 0
        assert run("query", *FILE, "--analyst", "ana", "--budget", "1", *count).code == 0
        accounts = json.loads(run("budget", "baskets.parquet", "--format", "json").out)
        assert {(a["scope"], a["name"]) for a in accounts} >= {
            ("session", "cli"),
            ("session", "ana"),
            ("analyst", "ana"),
        }


class TestAnswers:
    def test_json_is_an_array_of_objects_and_nothing_else(self, run: Run) -> None:
        done = run("query", *FILE, *DOMAIN, TOP, "--format", "json")
        assert without_notices(done.err) == ""
        rows = json.loads(done.out)
        assert len(rows) == 10
        assert rows[0]["item"] == 0
        assert 1900 < rows[0]["n"] < 2100

    def test_csv_has_the_line_ends_of_its_standard(self, run: Run) -> None:
        done = run("query", *FILE, *DOMAIN, TOP, "--format", "csv")
        assert next(csv.reader(io.StringIO(done.out, newline=""))) == ["item", "n"]
        assert done.out.count("\r\n") == 11

    def test_markdown(self, run: Run) -> None:
        lines = run("query", *FILE, *DOMAIN, TOP, "--format", "markdown").out.splitlines()
        assert lines[:2] == ["| item | n |", "| --: | --: |"]

    @pytest.mark.parametrize("file", ["baskets.parquet", "baskets.csv"])
    def test_a_file_is_a_table_named_after_its_stem(self, run: Run, file: str) -> None:
        done = run(
            "query", file, "--unit", "basket", "--domain", "day=2024-01-01..2024-12-31", "--epsilon", "5",
            "SELECT median(day) FROM baskets", "--format", "csv",
        )  # fmt: skip
        said = [line for line in without_notices(done.err).splitlines() if file.endswith("parquet")]
        assert said == []
        assert done.out.splitlines()[1].startswith("2024-0")

    def test_a_list_is_a_domain_in_its_own_order(self, run: Run) -> None:
        sql = "SELECT sex, count(*) AS n FROM baskets GROUP BY sex"
        done = run("query", *FILE, "--domain", "sex=m,f,x", "--format", "json", sql)
        assert [row["sex"] for row in json.loads(done.out)] == ["m", "f", "x"]

    def test_the_ledger_is_beside_the_file_and_private(self, run: Run, folder: Path) -> None:
        assert run("query", *FILE, "SELECT count(*) FROM baskets").code == 0
        assert stat.S_IMODE((folder / "baskets.parquet.ledger").stat().st_mode) == 0o600

    def test_a_dash_reads_standard_input(self, folder: Path) -> None:
        process = start("query", *FILE, "--format", "json", "-", stdin=subprocess.PIPE, folder=folder)
        done = finish(process, b"SELECT count(*) AS n FROM baskets\n")
        assert (done.code, without_notices(done.err)) == (0, "")
        assert 1900 < json.loads(done.out)[0]["n"] < 2100

    def test_the_schema_and_plan_are_free(self, run: Run) -> None:
        assert "private" in run("query", *FILE, "SHOW PRIVACY").out
        assert run("query", *FILE, "EXPLAIN SELECT count(*) FROM baskets").out.startswith("count: ")
        assert json.loads(run("ledger", "baskets.parquet", "--format", "json").out) == []


class TestDatabase:
    def test_the_owner_sets_policies_and_they_hold(self, run: Run) -> None:
        for policy in (
            "ALTER TABLE baskets ADD PRIVACY_KEY (basket)",
            "ALTER TABLE baskets ALTER COLUMN item SET PRIVACY DOMAIN BETWEEN (0, 19)",
        ):
            done = run("query", "shop.duckdb", policy)
            assert (done.code, done.out, without_notices(done.err)) == (0, "", "")
        done = run("query", "shop.duckdb", "--epsilon", "1", "--format", "json", TOP)
        assert len(json.loads(done.out)) == 10

    def test_a_query_leaves_the_file_as_it_is(self, run: Run, folder: Path) -> None:
        run("query", "shop.duckdb", "ALTER TABLE baskets ADD PRIVACY_KEY (basket)")
        before = (folder / "shop.duckdb").read_bytes()
        (folder / "shop.duckdb").chmod(0o400)
        assert run("query", "shop.duckdb", "--epsilon", "1", "SELECT count(*) FROM baskets").code == 0
        assert (folder / "shop.duckdb").read_bytes() == before

    def test_an_analyst_sets_no_policies(self, run: Run) -> None:
        done = run("query", "shop.duckdb", "--analyst", "ana", "ALTER TABLE baskets SET PUBLIC")
        assert done.code == 1
        assert done.err.startswith("only the data owner sets policies\n")

    def test_unit_and_domain_are_refused(self, run: Run) -> None:
        done = run(
            "query", "shop.duckdb", "--unit", "basket", "--epsilon", "1", "SELECT count(*) FROM baskets"
        )
        assert done.code == 2
        assert done.err == (
            "usage: dpduck query FILE SQL --epsilon E [options]\n"
            "dpduck query: error: "
            "--unit, --domain, --groups, --rows and --type are for files that store no policies\n"
            "DETAIL: The policies of shop.duckdb are stored in it. Nothing was charged.\n"
            'HINT: dpduck query shop.duckdb "ALTER TABLE t ADD PRIVACY_KEY (column)" sets one.\n'
        )

    def test_advice_is_the_policy_statement(self, run: Run) -> None:
        done = run("query", "shop.duckdb", "--epsilon", "1", "SELECT count(*) FROM baskets")
        assert done.code == 1
        assert "ALTER TABLE baskets ADD PRIVACY_KEY (column)" in done.err


class TestFolder:
    @pytest.fixture
    def shops(self, folder: Path) -> None:
        """The baskets in a folder for each sex."""
        with duckdb.connect() as db:
            db.execute("COPY (FROM 'baskets.parquet') TO 'shops' (FORMAT parquet, PARTITION_BY (sex))")

    @pytest.mark.parametrize("path", ["shops", "shops/", "./shops/*/*.parquet", "shops/**/*.parquet"])
    def test_every_command_takes_it(self, run: Run, folder: Path, shops: None, path: str) -> None:
        sql = "SELECT sex, count(*) AS n FROM shops GROUP BY sex ORDER BY sex"
        asked = (path, "--unit", "basket", "--domain", "sex=f,m", "--epsilon", "1", "--format", "json")
        rows = json.loads(run("query", *asked, "--memory", "1GB", sql).out)
        assert [row["sex"] for row in rows] == ["f", "m"]
        assert 480 < rows[1]["n"] < 520
        assert json.loads(run("explain", *asked, sql).out)[0]["epsilon"] == "1"
        budget = json.loads(run("budget", f"{folder}/shops", "--format", "json").out)
        assert {(row["scope"], row["name"]) for row in budget} == {
            ("session", "cli"),
            ("table", "shops"),
            ("people", "shops"),
        }
        assert [row["query"] for row in json.loads(run("ledger", path, "--format", "json").out)] == [sql]
        assert run("ledger", path, "--verify").out.startswith("the ledger is whole: ")
        assert run("analyst", "list", path).code == 0
        assert (folder / "shops.ledger").exists()
        done = finish(
            start("shell", path, *asked[1:], folder=folder, stdin=subprocess.PIPE), f"{sql};".encode()
        )
        assert json.loads(done.out) == rows
        assert "nothing was charged" in done.err

    def test_it_stores_no_policies(self, run: Run, shops: None) -> None:
        done = run("query", "shops", "ALTER TABLE shops SET PUBLIC")
        assert (done.code, "no policy can be stored in shops" in done.err) == (2, True)

    def test_nothing_is_written_over_it(self, run: Run, shops: None, folder: Path) -> None:
        (file,) = (folder / "shops/sex=f").iterdir()
        done = run("ledger", "shops", "--export", str(file))
        assert (done.code, "is not a place for the answer" in done.err) == (2, True)

    def test_a_size_of_memory(self, run: Run) -> None:
        done = run("query", *FILE, "--memory", "2", "SELECT count(*) FROM baskets")
        assert (done.code, "'2' is not a size of memory" in done.err) == (2, True)


class TestExplain:
    def test_it_says_what_a_query_would_cost_and_touches_no_ledger(self, run: Run, folder: Path) -> None:
        done = run("explain", *FILE, *DOMAIN, TOP, "--ledger", "a.ledger", "--budget", "3")
        assert done.out.startswith("noisy top-k: the 10 largest of the 20 public values of item\n")
        assert "  cost      epsilon 1\n" in done.out
        assert not list(folder.glob("*.ledger*"))

    def test_for_programs(self, run: Run) -> None:
        (row,) = json.loads(run("explain", *FILE, *DOMAIN, TOP, "--format", "json").out)
        assert (row["epsilon"], row["delta"], row["mechanism"]) == ("1", "0", "noisy_top_k")
        assert row["expected_error"]["n"] > 0
        assert row["score_sql"].startswith("SELECT")


class TestInterruption:
    AFTER_THE_CHARGE = """
import os, signal, threading
import dpduck.engines.duckdb.engine as engine
from dpduck.engines.duckdb.engine import DuckReader
def endless(self, query, given=None):
    engine.sql = str
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    return read(self, "SELECT count(*) FROM range(100000000) a(i), range(100000000) b(j) WHERE i * j % 7 = 3")
read, DuckReader.read = DuckReader.read, endless
"""
    BEFORE_THE_CHARGE = """
import os, signal, time
import dpduck.doors.cli.opening as opening
def open_source(*_, **__):
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(60)
opening.open_source = open_source
"""

    @pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
    @pytest.mark.parametrize(
        ("script", "said"),
        [
            (
                AFTER_THE_CHARGE,
                "cancelled\nDETAIL: The charge stays: how much was read before it stopped "
                "can no longer be told. Epsilon 1 was charged.",
            ),
            (BEFORE_THE_CHARGE, "\ninterrupted. Nothing was charged."),
        ],
    )
    def test_it_says_what_was_charged(self, run: Run, folder: Path, script: str, said: str) -> None:
        done = finish(start("query", *FILE, "SELECT count(*) FROM baskets", script=script, folder=folder))
        assert (done.code, done.out, done.err) == (130, "", f"{said}\n")
        charges = json.loads(run("ledger", "baskets.parquet", "--format", "json").out)
        assert len(charges) == ("Epsilon 1" in said)


class TestStreams:
    def test_a_process_prints_nothing_else(self, folder: Path) -> None:
        done = finish(start("query", *FILE, *DOMAIN, TOP, "--format", "json", folder=folder))
        assert (done.code, without_notices(done.err)) == (0, "")
        assert len(json.loads(done.out)) == 10

    def test_data_is_utf_8_whatever_the_locale(self, folder: Path) -> None:
        sql = 'SELECT count(*) AS "Körbe" FROM baskets'
        environment = {"PYTHONIOENCODING": "ascii"}
        done = finish(start("query", *FILE, sql, "--format", "csv", folder=folder, environment=environment))
        assert done.out.startswith("Körbe\r\n")
        boxed = finish(start("query", *FILE, sql, folder=folder, environment=environment))
        assert "+" in boxed.out
        assert "K\\xf6rbe" in boxed.out

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
    def test_an_answer_that_cannot_be_written_was_charged(self, folder: Path) -> None:
        with Path("/dev/full").open("wb") as full:
            done = finish(start("query", *FILE, "SELECT count(*) FROM baskets", folder=folder, stdout=full))
        assert (done.code, done.err) == (
            1,
            "the answer could not be written\n"
            "DETAIL: The system says of standard output: no space left on device."
            " Epsilon 1 was charged.\n",
        )

    def test_a_reader_may_stop_reading(self, folder: Path) -> None:
        process = start("query", *FILE, "SHOW PRIVACY", folder=folder)
        assert process.stdout is not None
        process.stdout.close()
        process.stdout = None
        assert finish(process).err == ""
