"""`dpduck budget` and `dpduck ledger`: what they say to people and to programs."""

from __future__ import annotations

import csv
import io
import json
import re
import sqlite3
from contextlib import closing
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest
from pyarrow import parquet

from dpduck.doors.console.export import EXPORT_SCHEMA
from dpduck.kernel.ledger.chain import FIELDS, ChainEntry, start_of
from dpduck.kernel.ledger.session import LEDGER_SCHEMA
from tests.cli.processes import Run, finish, start

UNIT = ("--unit", "basket")
COUNT = "SELECT count(*) FROM baskets"
ITEMS = "SELECT item FROM baskets GROUP BY item ORDER BY count(*) DESC LIMIT 1"


@pytest.fixture
def spent(run: Run) -> Run:
    """A session that has spent 1.5 of 2, and a delta."""
    shared = ("query", "baskets.parquet", *UNIT, "--budget", "2")
    assert run(*shared, "--epsilon", "0.5", COUNT).code == 0
    assert run(*shared, "--epsilon", "1", "--delta", "1e-6", ITEMS).code == 0
    return run


class TestBudget:
    def test_bars(self, spent: Run) -> None:
        done = spent("budget", "baskets.parquet", *UNIT)
        assert (done.code, done.err) == (0, "")
        assert sorted(done.out.splitlines()) == sorted(
            [
                "session  cli             ███████████████░░░░░  epsilon 1.5 of 2 spent, 0.5 left",
                "                         ····················  delta 0.000001 spent, no cap",
                "table    baskets         ····················  epsilon 1.5 spent, no cap",
                "                         ····················  delta 0.000001 spent, no cap",
                "people   baskets.basket  ███░░░░░░░░░░░░░░░░░  epsilon 1.5 of 10 spent, 8.5 left",
                "                         ██░░░░░░░░░░░░░░░░░░  delta 0.000001 of 0.00001 spent, "
                "0.000009 left",
            ]
        )

    def test_json(self, spent: Run) -> None:
        (session,) = [
            row
            for row in json.loads(spent("budget", "baskets.parquet", "--format", "json").out)
            if row["scope"] == "session"
        ]
        assert session == {
            "scope": "session",
            "name": "cli",
            "epsilon_limit": 2.0,
            "epsilon_spent": 1.5,
            "epsilon_remaining": 0.5,
            "delta_limit": None,
            "delta_spent": 1e-6,
            "delta_remaining": None,
        }

    def test_markdown_and_csv(self, spent: Run) -> None:
        assert spent("budget", "baskets.parquet", "--format", "markdown").out.startswith("| scope | name |")
        text = spent("budget", "baskets.parquet", "--format", "csv").out
        rows = list(csv.DictReader(io.StringIO(text, newline="")))
        assert {row["scope"] for row in rows} == {"session", "table", "people"}

    def test_what_else_there_is_to_know_of_an_account(self, run: Run) -> None:
        for statement in (
            "ALTER TABLE baskets ADD PRIVACY_KEY (basket)",
            "CREATE PRIVACY BUDGET team LIMIT 2 PER QUERY 0.5 WINDOW 'month' FOR ana",
            "CREATE PRIVACY BUDGET life LIMIT 6 DELTA 1e-5 ACCOUNTING zcdp",
        ):
            assert run("query", "shop.duckdb", statement).code == 0
        assert run("query", "shop.duckdb", "--epsilon", "0.5", "--analyst", "ana", COUNT).code == 0
        lines = run("budget", "shop.duckdb", "--analyst", "ana").out.splitlines()
        team = next(i for i, line in enumerate(lines) if line.startswith("budget   team"))
        assert lines[team].endswith("█████░░░░░░░░░░░░░░░  epsilon 0.5 of 2 spent, 1.5 left")
        assert re.fullmatch(r" +20\d\d-\d\d, refills on 20\d\d-\d\d-01 \(UTC\)", lines[team + 1])
        assert lines[team + 2].strip() == "at most 0.5 per query"
        people = next(i for i, line in enumerate(lines) if line.startswith("people"))
        assert "epsilon 2.153306366 of 6 spent" in lines[people]
        assert "delta 0.000009 of 0.00001 spent" in lines[people + 1]
        assert lines[people + 2].strip() == "added up as zCDP"

    def test_before_the_first_charge(self, run: Run, folder: Path) -> None:
        done = run("budget", "baskets.parquet", *UNIT)
        assert done.code == 0
        assert done.err == "there is no ledger at baskets.parquet.ledger yet: nothing was charged\n"
        assert "people   baskets.basket  ░░░░░░░░░░░░░░░░░░░░  epsilon 0 of 10 spent, 10 left\n" in done.out
        assert not list(folder.glob("*.ledger*"))


class TestLedger:
    def test_lines(self, spent: Run) -> None:
        done = spent("ledger", "baskets.parquet")
        assert (done.code, done.err) == (0, "")
        moment = re.compile(r"20\d\d-\d\d-\d\d \d\d:\d\d:\d\d")
        assert moment.sub("2026-01-02 03:04:05", done.out) == (
            "seq  at (UTC)             session  epsilon     delta  mechanism    query\n"
            f"  1  2026-01-02 03:04:05  cli          0.5         0  count        {COUNT}\n"
            f"  2  2026-01-02 03:04:05  cli            1  0.000001  noisy_top_k  {ITEMS}\n"
        )

    def test_json(self, spent: Run) -> None:
        first, second = json.loads(spent("ledger", "baskets.parquet", "--format", "json").out)
        names = "seq at session analyst epsilon delta mechanism query evaluations replayed"
        assert list(first) == names.split()
        assert (first["seq"], first["epsilon"], first["query"]) == (1, 0.5, COUNT)
        assert (second["delta"], second["mechanism"], second["replayed"]) == (1e-6, "noisy_top_k", False)

    def test_an_analyst_sees_their_own(self, spent: Run) -> None:
        assert spent("ledger", "baskets.parquet", "--analyst", "ana").out == "no charges\n"

    def test_an_answer_that_was_given_again(self, run: Run) -> None:
        for statement in ("ALTER TABLE baskets ADD PRIVACY_KEY (basket)", COUNT, COUNT):
            assert run("query", "shop.duckdb", "--epsilon", "1", statement).code == 0
        first, second = json.loads(run("ledger", "shop.duckdb", "--format", "json").out)
        assert [(row["epsilon"], row["replayed"]) for row in (first, second)] == [(1.0, False), (0.0, True)]
        heading, *lines = run("ledger", "shop.duckdb").out.splitlines()
        assert heading.split()[-2:] == ["replayed", "query"]
        assert [" yes " in line for line in lines] == [False, True]

    def test_a_query_cannot_draw_on_the_screen(self, run: Run) -> None:
        sql = "SELECT count(*) FROM baskets\nWHERE sex = '\x1b[2J'"
        assert run("query", "baskets.parquet", *UNIT, "--epsilon", "1", sql).code == 0
        assert run("ledger", "baskets.parquet").out.endswith("FROM baskets WHERE sex = ' [2J'\n")

    def test_before_the_first_charge(self, run: Run, folder: Path) -> None:
        done = run("ledger", "baskets.parquet", "--format", "json")
        assert (done.code, done.out) == (0, "[]\n")
        assert not list(folder.glob("*.ledger*"))


class TestPage:
    def test_it_is_written(self, spent: Run, folder: Path) -> None:
        done = spent("budget", "baskets.parquet", *UNIT, "--html", "page.html")
        assert (done.code, done.out, done.err) == (0, "", "wrote page.html\n")
        html = (folder / "page.html").read_text(encoding="utf-8")
        assert "Privacy budget of <bdi>baskets.parquet</bdi>" in html
        assert "epsilon 1.5 of 10" in html
        assert COUNT in html
        assert str(folder) not in html

    def test_a_full_path_is_not_shown(self, spent: Run, folder: Path) -> None:
        assert spent("budget", str(folder / "baskets.parquet"), *UNIT, "--html", "page.html").code == 0
        html = (folder / "page.html").read_text(encoding="utf-8")
        assert "<bdi>baskets.parquet</bdi>" in html
        assert str(folder) not in html

    def test_it_takes_the_place_of_an_older_one(self, spent: Run, folder: Path) -> None:
        (folder / "page.html").write_text("old" * 100_000)
        assert spent("budget", "baskets.parquet", *UNIT, "--html", "page.html").code == 0
        assert (folder / "page.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")

    def test_an_analyst_sees_their_own(self, spent: Run, folder: Path) -> None:
        assert spent("budget", "baskets.parquet", *UNIT, "--analyst", "ana", "--html", "p.html").code == 0
        html = (folder / "p.html").read_text(encoding="utf-8")
        assert "As analyst <bdi>ana</bdi> sees it." in html
        assert COUNT not in html

    def test_before_the_first_charge(self, run: Run, folder: Path) -> None:
        done = run("budget", "baskets.parquet", *UNIT, "--html", "page.html")
        assert done.err == (
            "there is no ledger at baskets.parquet.ledger yet: nothing was charged\nwrote page.html\n"
        )
        assert "No charges yet." in (folder / "page.html").read_text(encoding="utf-8")
        assert not list(folder.glob("*.ledger*"))

    def test_a_folder_that_does_not_exist(self, spent: Run) -> None:
        done = spent("budget", "baskets.parquet", *UNIT, "--html", "nowhere/page.html")
        assert (done.code, done.out) == (1, "")
        assert done.err == (
            "file nowhere/page.html cannot be written\n"
            "DETAIL: The system says: no such file or directory. Nothing was charged.\n"
            "HINT: Give the path of a file in a folder that exists.\n"
        )

    @pytest.mark.slow
    def test_without_the_extra(self, spent: Run, folder: Path) -> None:
        hide = "import sys; sys.modules['matplotlib'] = None"
        arguments = ("budget", "baskets.parquet", *UNIT)
        done = finish(start(*arguments, "--html", "page.html", folder=folder, script=hide))
        assert (done.code, done.out) == (1, "")
        assert done.err == (
            "the page needs matplotlib, which draws its charts\n"
            "DETAIL: The module matplotlib is not installed. Nothing was charged.\n"
            "HINT: pip install 'dpduck[plot]'\n"
        )
        assert not (folder / "page.html").exists()
        assert finish(start(*arguments, folder=folder, script=hide)).code == 0  # nothing else needs it


WHOLE = re.compile(r"the ledger is whole: (\d+) entr(?:y|ies), head ([0-9a-f]{64})\n")


class TestVerify:
    def test_a_whole_ledger(self, spent: Run) -> None:
        done = spent("ledger", "baskets.parquet", "--verify")
        assert (done.code, done.err) == (0, "")
        found = WHOLE.fullmatch(done.out)
        assert found is not None
        assert found[2] in Path("baskets.parquet.ledger.anchor").read_text(encoding="utf-8")

    def test_a_changed_one(self, spent: Run) -> None:
        with closing(sqlite3.connect("baskets.parquet.ledger")) as db:
            (trigger,) = db.execute(
                "SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'entry' "
                "AND sql LIKE '%UPDATE%' LIMIT 1"
            ).fetchone()
            name = trigger.split()[2]
            db.executescript(f"DROP TRIGGER {name}; UPDATE entry SET epsilon = 1 WHERE seq = 1; {trigger};")
        done = spent("ledger", "baskets.parquet", "--verify")
        assert (done.code, done.out) == (1, "")
        assert done.err.startswith("ledger does not add up\nDETAIL: ")

    def test_one_whose_older_entries_have_no_events(self, run: Run, folder: Path) -> None:
        dump = (Path(__file__).parents[1] / "ledger" / "version_3.sql").read_text(encoding="utf-8")
        with closing(sqlite3.connect(folder / "baskets.parquet.ledger")) as db:
            db.executescript(dump)
        done = run("ledger", "baskets.parquet", "--verify")
        assert (done.code, done.err) == (0, "")
        whole, old = done.out.splitlines(keepends=True)
        assert WHOLE.fullmatch(whole) is not None
        assert old == "6 entries of before version 4 are not re-priced\n"

    def test_a_price_that_was_changed_with_all_hashes(self, spent: Run) -> None:
        with closing(sqlite3.connect("baskets.parquet.ledger", isolation_level=None)) as db:
            (trigger,) = db.execute("SELECT sql FROM sqlite_schema WHERE name = 'entry_no_update'").fetchone()
            db.execute("DROP TRIGGER entry_no_update")
            db.execute("UPDATE entry SET event = replace(event, '1/2', '1/4') WHERE seq = 1")
            [(name,)] = db.execute("SELECT id FROM ledger_schema").fetchall()
            sealed = start_of(name).hash
            for row in db.execute(f"SELECT {', '.join(FIELDS)} FROM entry ORDER BY number").fetchall():
                sealed = ChainEntry(*row).seal(sealed)
                db.execute("UPDATE entry SET hash = ? WHERE number = ?", (sealed, row[0]))
            db.execute(trigger)
        Path("baskets.parquet.ledger.anchor").unlink()
        done = spent("ledger", "baskets.parquet", "--verify")
        assert (done.code, done.out) == (1, "")
        assert " charges another amount than its event costs." in done.err

    def test_a_missing_one(self, run: Run, folder: Path) -> None:
        done = run("ledger", "baskets.parquet", "--verify")
        assert (done.code, done.out) == (1, "")
        assert done.err == (
            "there is no ledger at baskets.parquet.ledger\n"
            "DETAIL: So there is nothing to verify. Nothing was charged.\n"
            "HINT: Give its place with --ledger, or restore it from a backup.\n"
        )
        assert not list(folder.glob("*.ledger*"))


MORE = ("rho", "mu_squared", "keys_delta", "accounts", "event")


class TestExport:
    def test_parquet(self, spent: Run) -> None:
        done = spent("ledger", "baskets.parquet", "--export", "charges.PARQUET")
        assert (done.code, done.out, done.err) == (0, "", "wrote charges.PARQUET\n")
        table = parquet.read_table("charges.PARQUET")
        assert table.schema.equals(EXPORT_SCHEMA)
        assert table.column_names == [
            *LEDGER_SCHEMA.names,
            "rho",
            "mu_squared",
            "keys_delta",
            "accounts",
            "event",
        ]
        first, second = table.to_pylist()
        assert (first["seq"], first["epsilon"], first["query"]) == (1, Decimal("0.5"), COUNT)
        assert (second["keys_delta"], first["mu_squared"]) == (Decimal("0.000001"), Decimal("0.389241966476"))
        assert (second["delta"], second["replayed"]) == (Decimal("0.000001"), False)
        assert first["rho"] == Decimal("0.122459331202")
        assert {"scope": "people", "name": "baskets"} in first["accounts"]

    def test_csv(self, spent: Run) -> None:
        assert spent("ledger", "baskets.parquet", "--export", "charges.csv").code == 0
        with Path("charges.csv").open(encoding="utf-8", newline="") as file:
            first, second = csv.DictReader(file)
        assert list(first) == [*LEDGER_SCHEMA.names, *MORE]
        assert (first["epsilon"], first["rho"]) == ("0.500000000", "0.122459331202")
        assert {"scope": "session", "name": "cli"} in json.loads(second["accounts"])

    def test_nothing(self, run: Run) -> None:
        assert run("ledger", "baskets.parquet", "--export", "charges.parquet").code == 0
        assert parquet.read_table("charges.parquet").schema.equals(EXPORT_SCHEMA)

    def test_an_analyst_takes_their_own(self, spent: Run) -> None:
        assert spent("ledger", "baskets.parquet", "--analyst", "ana", "--export", "own.csv").code == 0
        assert len(Path("own.csv").read_text(encoding="utf-8").splitlines()) == 1

    def test_it_is_as_private_as_the_ledger(self, spent: Run) -> None:
        assert spent("ledger", "baskets.parquet", "--export", "charges.csv").code == 0
        assert Path("charges.csv").stat().st_mode & 0o777 == 0o600


class TestAnchor:
    QUERY = ("query", "baskets.parquet", *UNIT, "--epsilon", "1", COUNT, "--anchor", "elsewhere")

    def test_the_head_is_written_there(self, run: Run, folder: Path) -> None:
        assert run(*self.QUERY).code == 0
        found = WHOLE.fullmatch(run("ledger", "baskets.parquet", "--verify", "--anchor", "elsewhere").out)
        assert found is not None
        assert found[2] in (folder / "elsewhere").read_text(encoding="utf-8")
        assert not (folder / "baskets.parquet.ledger.anchor").exists()

    @pytest.mark.parametrize(
        "arguments", [("budget", *UNIT), ("ledger",), ("ledger", "--verify")], ids=" ".join
    )
    def test_a_ledger_behind_it_is_refused(self, run: Run, folder: Path, arguments: tuple[str, ...]) -> None:
        assert run(*self.QUERY).code == 0
        old = (folder / "baskets.parquet.ledger").read_bytes()
        assert run(*self.QUERY).code == 0
        (folder / "baskets.parquet.ledger").write_bytes(old)
        command, *options = arguments
        done = run(command, "baskets.parquet", *options, "--anchor", "elsewhere")
        assert (done.code, done.out) == (1, "")
        assert done.err.startswith("ledger is behind its anchor\n")

    @pytest.mark.parametrize("command", [("budget", "--unit", "basket"), ("ledger",)])
    def test_a_ledger_that_is_gone_was_not_never_there(
        self, run: Run, folder: Path, command: tuple[str, ...]
    ) -> None:
        assert run(*self.QUERY).code == 0
        (folder / "baskets.parquet.ledger").unlink()
        done = run(command[0], "baskets.parquet", *command[1:], "--anchor", "elsewhere")
        assert (done.code, done.out) == (1, "")
        assert done.err == (
            "there is no ledger at baskets.parquet.ledger\n"
            "DETAIL: Its anchor elsewhere says that there was one. Nothing was charged.\n"
            "HINT: Give its place with --ledger, or restore it from a backup.\n"
        )

    def test_to_look_writes_none(self, run: Run, folder: Path) -> None:
        assert run("budget", "baskets.parquet", *UNIT, "--anchor", "elsewhere").code == 0
        assert not (folder / "elsewhere").exists()


OUTPUTS = [("budget", *UNIT, "--html"), ("ledger", "--export")]


@pytest.mark.parametrize("arguments", OUTPUTS, ids=" ".join)
@pytest.mark.parametrize("kept", ["baskets.parquet", "l.parquet", "l.parquet.anchor", "link.parquet"])
def test_what_is_kept_is_not_written_over(
    run: Run, folder: Path, arguments: tuple[str, ...], kept: str
) -> None:
    ledger = ("--ledger", "l.parquet")
    assert run("query", "baskets.parquet", *UNIT, *ledger, "--epsilon", "1", COUNT).code == 0
    (folder / "link.parquet").symlink_to("baskets.parquet")
    if kept.endswith(".anchor"):
        kept, anchor = "a.csv", ("--anchor", "a.csv")
        (folder / "l.parquet.anchor").rename(folder / "a.csv")
    else:
        anchor = ()
    before = (folder / kept).read_bytes()
    command, *options = arguments
    done = run(command, "baskets.parquet", *ledger, *anchor, *options, kept)
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        f"usage: dpduck {command} FILE [options]\n"
        f"dpduck {command}: error: {kept} is not a place for the answer\n"
        "DETAIL: It holds the data, the ledger or its anchor. Nothing was charged.\n"
        "HINT: Give the path of another file.\n"
    )
    assert (folder / kept).read_bytes() == before


def test_a_suffix_that_is_not_known(run: Run, folder: Path) -> None:
    done = run("ledger", "baskets.parquet", "--export", "charges.txt")
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        "usage: dpduck ledger FILE [options]\n"
        "dpduck ledger: error: argument --export: 'charges.txt' is neither Parquet nor CSV\n"
        "DETAIL: The suffix of the file says which of them to write. Nothing was charged.\n"
        "HINT: Write --export charges.parquet or --export charges.csv.\n"
    )
    assert not (folder / "charges.txt").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ("budget", "--html", "p.html", "--format", "json"),
        ("ledger", "--verify", "--format", "json"),
        ("ledger", "--verify", "--export", "c.csv"),
    ],
    ids=" ".join,
)
def test_one_thing_at_a_time(run: Run, arguments: tuple[str, ...]) -> None:
    command, *options = arguments
    done = run(command, "baskets.parquet", *options)
    assert (done.code, done.out) == (2, "")
    assert "not allowed with argument" in done.err


def test_a_database_without_its_ledger_is_explained_and_not_recorded(folder: Path, run: Run) -> None:
    """What is stored and on no record yet is noticed by whoever records, not for ever by who does not."""
    with duckdb.connect("alone.duckdb") as db:
        db.execute("CREATE TABLE v AS SELECT range AS p FROM range(100)")
    assert run("query", "alone.duckdb", "ALTER TABLE v ADD PRIVACY_KEY (p)").code == 0
    for file in folder.glob("alone.duckdb.ledger*"):
        file.unlink()
    assert run("explain", "alone.duckdb", "--epsilon", "1", "SELECT count(*) FROM v").code == 0
    assert not Path("alone.duckdb.ledger").exists()
