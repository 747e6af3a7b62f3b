"""Policies left no trace: an owner could drop a key, publish the rows, let an analyst read them and add the
key again, and the ledger, its export, its page and `--verify` showed nothing. A cap that was dropped silently
made way for a wider one, and there was no way back to a closed table.

Now every such statement is an entry of the chain before it takes effect, what differs from the record is
noticed, and what cannot be taken back asks for an explicit word.
"""

from __future__ import annotations

import csv
import io
import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest.mock import patch

import duckdb
import pytest

import dpduck
from dpduck.compiler.parse.statements import parse
from dpduck.doors.cli import main
from dpduck.kernel.catalog.statements import PolicyStatement
from dpduck.kernel.errors import DpduckError, LedgerError, PolicyError
from dpduck.kernel.ledger import open_ledger
from dpduck.kernel.ledger.chain import FIELDS, ChainEntry, start_of
from dpduck.kernel.ledger.policies import digest_of
from dpduck.kernel.system.sql_files import read_sql
from dpduck.policies import decisions
from dpduck.policies.consequences import ForceNeededError
from tests.gateway.talking import House
from tests.gateway.wiring import error_of, query, rows_of
from tests.ledger.processes import ROOT

KEY = "ALTER TABLE people ADD PRIVACY_KEY (id)"
DROP = "ALTER TABLE people DROP PRIVACY_KEY FORCE"
PUBLIC = "ALTER TABLE people SET PUBLIC FORCE"
COUNT = "SELECT count(*) FROM people"
ROWS = "SELECT id, age FROM people"
READ = f"rows of people read while it is public: {ROWS}"


def make(path: Path) -> None:
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            "CREATE TABLE people AS SELECT i AS id, i % 90 AS age, i % 7 AS house FROM range(300) t(i)"
        )
        connection.execute("CREATE TABLE visits AS SELECT i % 300 AS who FROM range(900) t(i)")


@pytest.fixture
def file(copied: Callable[..., Path]) -> Path:
    return copied(make)


def say(file: Path, *statements: str, analyst: str | None = None) -> dpduck.Connection:
    """Run statements in a session of its own, which is closed."""
    with dpduck.connect(file, analyst=analyst, epsilon="0.5") as db:
        for statement in statements:
            db.execute(statement)
            db.fetchall()
    return db


def refusal(file: Path, statement: str, *, analyst: str | None = None, error: type = DpduckError) -> str:
    with dpduck.connect(file, analyst=analyst, epsilon="0.5") as db, pytest.raises(error) as caught:
        db.execute(statement)
    assert caught.value.charged == "0"
    return str(caught.value)


def told(file: Path, analyst: str | None = None) -> list[tuple[str, str]]:
    """Who said what, by dp_policies()."""
    with dpduck.connect(file, analyst=analyst) as db:
        return [(row[0], row[1]) for row in db.execute("SELECT who, statement FROM dp_policies()").fetchall()]


def digests(file: Path) -> list[str]:
    with dpduck.connect(file) as db:
        return [row[0] for row in db.execute("SELECT digest FROM dp_policies()").fetchall()]


STORY = [
    ("owner", KEY),
    ("owner", DROP),
    ("owner", PUBLIC),
    ("ana", READ),
    ("owner", KEY),
]


def make_story(file: Path) -> None:
    """A key, a charge, the key dropped, the table public, its rows read, and the key added again."""
    make(file)
    say(file, KEY)
    say(file, COUNT, analyst="ana")
    say(file, DROP, PUBLIC)
    say(file, ROWS, ROWS, analyst="ana")
    say(file, ROWS, analyst="ana")
    say(file, KEY)


@pytest.fixture
def story(copied: Callable[..., Path]) -> Path:
    return copied(make_story)


def make_charged(file: Path) -> None:
    make(file)
    say(file, KEY, "ALTER TABLE visits ADD PRIVACY_LINK (who) REFERENCES people(id)")
    say(file, COUNT, "SELECT count(*) FROM visits", analyst="ana")


def make_declared(file: Path) -> None:
    make(file)
    say(file, KEY, "ALTER TABLE people ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (0, 120)")
    say(file, "ALTER TABLE people SET PRIVACY VERSION '1'")


# --- the story -----------------------------------------------------------------------------------


class TestTheStory:
    def test_in_sql(self, story: Path) -> None:
        assert told(story) == told(story, analyst="ana") == STORY
        found = digests(story)
        assert found[0] == found[4] != found[1]
        assert found[2] == found[3]
        assert len(set(found)) == 3

    def test_columns(self, story: Path) -> None:
        with dpduck.connect(story) as db:
            db.execute("FROM dp_policies()")
            assert [column[0] for column in db.description] == ["seq", "at", "who", "statement", "digest"]
            rows = db.fetchall()
        assert [row[0] for row in rows] == sorted({row[0] for row in rows})
        assert [row[1] for row in rows] == sorted(row[1] for row in rows)
        assert all(len(row[4]) == 64 for row in rows)

    def test_in_a_plain_connection(self, story: Path) -> None:
        with duckdb.connect(str(story)) as con:
            dpduck.register(con)
            assert con.execute("SELECT who, statement FROM dp_policies()").fetchall() == STORY

    def test_on_the_command_line(self, story: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["ledger", str(story), "--policies", "--format", "json"]) == 0
        rows = json.loads(capsys.readouterr().out)
        assert [(row["who"], row["statement"]) for row in rows] == STORY
        assert main(["ledger", str(story), "--policies", "--format", "csv"]) == 0
        rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
        assert [(row["who"], row["statement"]) for row in rows] == STORY
        for form in ("box", "markdown"):
            assert main(["ledger", str(story), "--policies", "--format", form]) == 0
            printed = capsys.readouterr().out
            places = [printed.index(statement) for _, statement in STORY[:4]]
            assert places == sorted(places)
        assert main(["ledger", str(story), "--verify"]) == 0

    def test_in_an_export(self, story: Path, tmp_path: Path) -> None:
        for name in ("policies.csv", "policies.parquet"):
            assert main(["ledger", str(story), "--policies", "--export", str(tmp_path / name)]) == 0
            rows = duckdb.sql(f"SELECT who, statement FROM '{tmp_path / name}'").fetchall()
            assert rows == STORY

    def test_on_the_page(self, story: Path, tmp_path: Path) -> None:
        assert main(["budget", str(story), "--html", str(tmp_path / "page.html")]) == 0
        page = (tmp_path / "page.html").read_text()
        assert "What was decided" in page
        for who, statement in STORY:
            assert statement in page
            assert who in page

    def test_nothing_else_verifies_it(self, story: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["ledger", str(story), "--policies", "--verify"]) == 2
        assert "--verify shows nothing" in capsys.readouterr().err


def edit(file: Path, *statements: str, seals: bool = False) -> None:
    """Change a ledger as its owner can: without its triggers; perhaps with all hashes made anew."""
    db = sqlite3.connect(f"{file}.ledger", isolation_level=None)
    triggers = db.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall()
    for (name,) in triggers:
        db.execute(f"DROP TRIGGER {name}")
    for statement in statements:
        db.execute(statement)
    if seals:
        [(ledger,)] = db.execute("SELECT id FROM ledger_schema").fetchall()
        before = start_of(ledger).hash
        for row in db.execute(f"SELECT {', '.join(FIELDS)} FROM entry ORDER BY number").fetchall():
            before = ChainEntry(*row).seal(before)
            db.execute("UPDATE entry SET hash = ? WHERE number = ?", (before, row[0]))
        Path(f"{file}.ledger.anchor").unlink()
    db.executescript(read_sql("ledger_sqlite.sql"))
    db.close()


POLICY = "(SELECT number FROM entry WHERE kind = 'policy' AND query LIKE '%SET PUBLIC%')"


@pytest.mark.parametrize(
    "change",
    [
        f"UPDATE entry SET query = 'ALTER TABLE pages SET PUBLIC' WHERE number = {POLICY}",
        f"UPDATE entry SET at = at + 1 WHERE number = {POLICY}",
        f"UPDATE entry SET analyst = 'bob' WHERE number = {POLICY}",
        f"UPDATE entry SET detail = replace(detail, 'said', 'outside') WHERE number = {POLICY}",
        f"UPDATE entry SET kind = 'cap' WHERE number = {POLICY}",
        f"DELETE FROM entry WHERE number = {POLICY}",
        "UPDATE entry SET query = 'SELECT 1' WHERE analyst = 'ana' AND kind = 'policy'",
        "DELETE FROM entry WHERE number = (SELECT max(number) FROM entry)",
    ],
)
def test_an_edited_story_does_not_verify(
    story: Path, change: str, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(story, change)
    assert main(["ledger", str(story), "--verify"]) == 1
    assert "ledger" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (f"UPDATE entry SET detail = replace(detail, 'public', 'version') WHERE number = {POLICY}", "digest"),
        (f"UPDATE entry SET about = NULL WHERE number = {POLICY}", "digest"),
        (f"UPDATE entry SET about = 99 WHERE number = {POLICY}", "follows no policy"),
        (f"UPDATE entry SET detail = '{{}}' WHERE number = {POLICY}", "is not readable"),
        (f"UPDATE entry SET kind = 'odd' WHERE number = {POLICY}", "is of an unknown kind"),
    ],
)
def test_digests_are_computed_again(story: Path, change: str, said: str) -> None:
    """Even where somebody has made all hashes anew, and taken the anchor away."""
    edit(story, change, seals=True)
    with open_ledger(f"{story}.ledger") as ledger, pytest.raises(LedgerError, match=said):
        ledger.verify()


# --- the word ------------------------------------------------------------------------------------


class TestForce:
    """What cannot be taken back is refused without FORCE, with what follows and what to type."""

    @pytest.fixture
    def charged(self, copied: Callable[..., Path]) -> Path:
        return copied(make_charged)

    @pytest.mark.parametrize(
        ("statement", "what"),
        [
            ("ALTER TABLE visits DROP PRIVACY_LINK", "dropping the privacy of table visits"),
            ("ALTER TABLE visits DROP PRIVACY", "dropping the privacy of table visits"),
        ],
    )
    def test_it_is_named_and_taken(self, charged: Path, statement: str, what: str) -> None:
        before = digests(charged)
        said = refusal(charged, statement, error=ForceNeededError)
        assert said.startswith(
            f"{what} needs the word FORCE\nDETAIL: Queries on it were charged to the people "
        )
        assert said.endswith(f"HINT: If it is meant: {statement} FORCE.")
        assert digests(charged) == before
        say(charged, f"{statement} FORCE")
        assert told(charged)[-1] == ("owner", f"{statement} FORCE")

    def test_publishing(self, charged: Path) -> None:
        say(charged, "ALTER TABLE visits DROP PRIVACY FORCE")
        said = refusal(charged, "ALTER TABLE visits SET PUBLIC", error=ForceNeededError)
        assert "Everybody who may ask reads all of its rows then" in said
        say(charged, "ALTER TABLE visits SET PUBLIC FORCE")
        say(charged, "ALTER TABLE visits SET PUBLIC")  # it is already
        say(charged, "ALTER TABLE visits DROP PRIVACY")  # closing needs no word
        assert "has no privacy policy" in refusal(charged, "SELECT count(*) FROM visits")

    def test_another_key(self, charged: Path) -> None:
        say(charged, "ALTER TABLE visits DROP PRIVACY FORCE", "ALTER TABLE people DROP PRIVACY FORCE")
        other = "ALTER TABLE people ADD PRIVACY_KEY (house)"
        said = refusal(charged, other, error=ForceNeededError)
        assert said.startswith("another privacy key for table people needs the word FORCE\n")
        assert "house" in said
        say(charged, KEY, "ALTER TABLE visits ADD PRIVACY_LINK (who) REFERENCES people(id)")  # as it was
        say(charged, "ALTER TABLE visits DROP PRIVACY FORCE")
        assert "another privacy key" in refusal(charged, "ALTER TABLE visits ADD PRIVACY_KEY (who)")
        say(charged, "ALTER TABLE people DROP PRIVACY FORCE", f"{other} FORCE")

    def test_who_may_log_in_says_nothing_of_a_key(self, charged: Path) -> None:
        """Other entries stand between the key that was dropped and the same key again."""
        with open_ledger(f"{charged}.ledger") as ledger:
            ledger.put_analyst("ana", "x")
        link = "ALTER TABLE visits ADD PRIVACY_LINK (who) REFERENCES people(id)"
        say(charged, "ALTER TABLE visits DROP PRIVACY FORCE", "ALTER TABLE visits SET PUBLIC FORCE")
        with open_ledger(f"{charged}.ledger") as ledger:
            ledger.put_analyst("Bob Müller", "x")
        assert "another privacy key" in refusal(
            charged, "ALTER TABLE visits ADD PRIVACY_KEY (who)", error=ForceNeededError
        )
        say(charged, link)
        assert told(charged)[-1] == ("owner", link)

    @pytest.mark.parametrize("word", ["", " FORCE"])
    def test_a_key_is_not_replaced(self, charged: Path, word: str) -> None:
        """Whether it is meant or not: nothing is on record, and the hint says what to do first."""
        before = told(charged)
        said = refusal(charged, f"ALTER TABLE people ADD PRIVACY_KEY (house){word}", error=PolicyError)
        assert said.startswith("table people already has the privacy key id\n")
        assert said.endswith("HINT: ALTER TABLE people DROP PRIVACY_KEY first.")
        assert told(charged) == before

    def test_what_was_never_charged_needs_no_word(self, file: Path) -> None:
        say(file, KEY, "ALTER TABLE people DROP PRIVACY_KEY", "ALTER TABLE people ADD PRIVACY_KEY (house)")
        say(file, "ALTER TABLE people DROP PRIVACY", "ALTER TABLE people SET PUBLIC")

    @pytest.mark.parametrize(
        ("first", "statement"),
        [
            ("LIMIT 1", "DROP PRIVACY BUDGET life"),
            ("LIMIT 20", "DROP PRIVACY BUDGET life"),
            ("LIMIT 1", "ALTER PRIVACY BUDGET life LIMIT 1.1"),
            ("LIMIT 1", "CREATE OR REPLACE PRIVACY BUDGET life LIMIT 2"),
            ("LIMIT 1 DELTA 0", "CREATE OR REPLACE PRIVACY BUDGET life LIMIT 1"),
            ("LIMIT 1 PER QUERY 0.5", "CREATE OR REPLACE PRIVACY BUDGET life LIMIT 1"),
            ("LIMIT 1", "CREATE OR REPLACE PRIVACY BUDGET life LIMIT 1 WINDOW 'day'"),
            ("LIMIT 1", "CREATE OR REPLACE PRIVACY BUDGET life LIMIT 1 FOR ana"),
            ("LIMIT 1 FOR ana, bob", "ALTER PRIVACY BUDGET life FOR ana"),
            ("LIMIT 1 WINDOW 'month'", "ALTER PRIVACY BUDGET life WINDOW 'day'"),
            ("LIMIT 1 DELTA 0.000001", "ALTER PRIVACY BUDGET life ACCOUNTING zcdp"),
        ],
    )
    def test_caps(self, file: Path, first: str, statement: str) -> None:
        say(file, KEY, f"CREATE PRIVACY BUDGET life {first}")
        said = refusal(file, statement, error=ForceNeededError)
        assert "privacy budget life needs the word FORCE" in said
        assert said.endswith(f"HINT: If it is meant: {statement} FORCE.")
        say(file, f"{statement} FORCE")
        assert told(file)[-1] == ("owner", f"{statement} FORCE")

    @pytest.mark.parametrize(
        "statement",
        [
            "ALTER PRIVACY BUDGET life LIMIT 0.5",
            "CREATE OR REPLACE PRIVACY BUDGET life LIMIT 1 DELTA 0",
            "CREATE OR REPLACE PRIVACY BUDGET life LIMIT 1 PER QUERY 0.1",
            "ALTER PRIVACY BUDGET life LIMIT 1",
        ],
    )
    def test_lower_caps_need_no_word(self, file: Path, statement: str) -> None:
        say(file, KEY, "CREATE PRIVACY BUDGET life LIMIT 1", statement)

    def test_a_dropped_cap_says_what_holds_then(self, file: Path) -> None:
        say(file, KEY, "CREATE PRIVACY BUDGET life LIMIT 1")
        said = refusal(file, "DROP PRIVACY BUDGET life")
        default = "The lifetime cap of the people is the default again: epsilon 10 and delta 0.00001."
        assert default in said
        with dpduck.connect(file) as db:
            db.execute("DROP PRIVACY BUDGET life FORCE")
            assert db.notices == [default]
            db.execute("SHOW PRIVACY")
            assert db.notices == []

    def test_a_cap_above_the_default_says_so(self, charged: Path) -> None:
        with dpduck.connect(charged) as db:
            db.execute("CREATE PRIVACY BUDGET life LIMIT 20")
            assert db.notices == [
                "So far the default of epsilon 10 and delta 0.00001 held, and queries were charged to it."
            ]

    def test_analysts_force_nothing(self, charged: Path) -> None:
        for statement in (
            DROP,
            PUBLIC,
            "DROP PRIVACY BUDGET life FORCE",
            "ALTER TABLE people DROP PRIVACY FORCE",
        ):
            said = refusal(charged, statement, analyst="ana", error=PolicyError)
            assert said.startswith("only the data owner sets policies\n")

    def test_a_budget_for_nobody(self, charged: Path) -> None:
        assert "may log in" not in " ".join(notices(charged, "CREATE PRIVACY BUDGET a LIMIT 1 FOR eve"))
        with open_ledger(f"{charged}.ledger") as ledger:
            ledger.put_analyst("bob", "x")
        said = notices(charged, "CREATE PRIVACY BUDGET b LIMIT 1 FOR eve, bob, ana")
        assert said == ["Nobody called eve may log in: dpduck analyst add FILE eve."]


def notices(file: Path, statement: str) -> list[str]:
    with dpduck.connect(file) as db:
        db.execute(statement)
        return db.notices


# --- edited from outside -------------------------------------------------------------------------


def plain(file: Path, *statements: str) -> None:
    """Edit the stored policies on a plain DuckDB connection."""
    with duckdb.connect(str(file)) as connection:
        for statement in statements:
            connection.execute(statement)


class TestEditedFromOutside:
    """What differs from the record is noticed at the next opening, whoever opens."""

    @pytest.fixture
    def file(self, copied: Callable[..., Path]) -> Path:
        return copied(make_declared)

    @pytest.mark.parametrize("analyst", [None, "ana"])
    @pytest.mark.parametrize(
        ("change", "said"),
        [
            ("DELETE FROM dpduck.policies WHERE kind = 'domain'", "gone: domain main.people.age"),
            (
                "UPDATE dpduck.policies SET details = replace(details, '120', '200') WHERE kind = 'domain'",
                "ALTER TABLE people ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN ('0', '200')",
            ),
            (
                "UPDATE dpduck.policies SET kind = 'public', column_name = '' WHERE kind = 'privacy_key'",
                "ALTER TABLE people SET PUBLIC; gone: privacy key main.people.id",
            ),
            (
                "DROP SCHEMA dpduck CASCADE",
                "gone: domain main.people.age; gone: people main.people; gone: privacy key main.people.id; "
                "gone: salt; gone: version main.people",
            ),
            ("UPDATE dpduck.policies SET details = '7' WHERE kind = 'salt'", "salt"),
        ],
    )
    def test_it_is_noticed_once_and_told_the_owner(
        self, file: Path, change: str, said: str, analyst: str | None
    ) -> None:
        plain(file, change)
        with dpduck.connect(file, analyst=analyst) as db:
            assert bool(db.notices) == (analyst is None)
        say(file, analyst="ana")
        entry = ("unknown", f"edited from outside: {said}")
        assert [one for one in told(file) if one[0] == "unknown"] == [entry]
        with dpduck.connect(file) as db:
            [notice] = db.notices
        assert entry[1] in notice
        with open_ledger(f"{file}.ledger") as ledger:
            ledger.verify()

    def test_an_older_copy_of_the_database(self, file: Path) -> None:
        copy = file.read_bytes()
        say(file, "ALTER TABLE people SET PRIVACY CONTRIBUTION (groups = 3)", "ALTER TABLE visits SET PUBLIC")
        file.write_bytes(copy)
        say(file, analyst="ana")
        assert told(file)[-1] == (
            "unknown",
            "edited from outside: gone: contribution main.people; gone: public main.visits",
        )

    def test_while_a_connection_is_open(self) -> None:
        with duckdb.connect() as data:
            data.execute("CREATE TABLE people AS SELECT i AS id FROM range(300) t(i)")
            with dpduck.connect(data, epsilon="0.5") as db:
                db.execute(KEY)
                data.execute("UPDATE dpduck.policies SET kind = 'public' WHERE kind = 'privacy_key'")
                db.execute("SELECT who, statement FROM dp_policies()")
                assert db.fetchall()[-1] == (
                    "unknown",
                    "edited from outside: ALTER TABLE people SET PUBLIC; gone: privacy key main.people.id",
                )

    def test_a_cap_is_never_raised_by_it(self, file: Path) -> None:
        say(file, "CREATE PRIVACY BUDGET life LIMIT 1", COUNT)
        plain(
            file,
            """UPDATE dpduck.policies SET details = replace(details, '"1"', '"50"') WHERE kind = 'budget'""",
        )
        with dpduck.connect(file, epsilon="0.6") as db, pytest.raises(dpduck.BudgetExceededError):
            db.execute("SET dp_replay = off")
            db.execute(COUNT)
        assert "edited from outside: CREATE PRIVACY BUDGET life LIMIT 50" in told(file)[-1][1]

    def test_but_lowered(self, file: Path) -> None:
        say(file, "CREATE PRIVACY BUDGET life LIMIT 2", COUNT)
        plain(
            file,
            """UPDATE dpduck.policies SET details = replace(details, '"2"', '"1"') WHERE kind = 'budget'""",
        )
        with dpduck.connect(file, epsilon="0.6") as db, pytest.raises(dpduck.BudgetExceededError):
            db.execute("SET dp_replay = off")
            db.execute(COUNT)

    @pytest.mark.parametrize(
        "change",
        [
            "UPDATE dpduck.policies SET details = '{' WHERE kind = 'domain'",
            "UPDATE dpduck.policies SET details = '[]' WHERE kind = 'domain'",
            "UPDATE dpduck.policies SET details = '{\"between\": 3}' WHERE kind = 'domain'",
            "UPDATE dpduck.policies SET kind = 'odd' WHERE kind = 'domain'",
            "UPDATE dpduck.policies SET details = 'x' WHERE kind = 'salt'",
            "INSERT INTO dpduck.policies VALUES (2, '', '', 'b', 'budget', '{\"epsilon\": \"x\"}')",
            "ALTER TABLE dpduck.policies DROP COLUMN details",
        ],
    )
    def test_what_cannot_be_read_is_no_policy(self, file: Path, change: str) -> None:
        """Nothing is answered, nothing is lost, and it is on record."""
        say(file, COUNT, analyst="ana")
        with duckdb.connect(str(file)) as connection:
            kept = connection.execute("SELECT * FROM dpduck.policies").fetchall()
        plain(file, change)
        for analyst in ("ana", None):
            for statement in (COUNT, "SHOW PRIVACY", *([] if analyst else [DROP])):
                said = refusal(file, statement, analyst=analyst, error=PolicyError)
                assert "not readable" in said
                assert "HINT" in said
        with open_ledger(f"{file}.ledger") as ledger:
            ledger.verify()
            outside = [one.statement for one in ledger.policies() if one.how == "outside"]
            assert len(outside) == 1
            assert len(ledger.entries()) == 1
        plain(file, "DROP TABLE dpduck.policies")
        with duckdb.connect(str(file)) as connection:
            connection.execute(
                "CREATE TABLE dpduck.policies (version INTEGER, schema_name VARCHAR, table_name VARCHAR,"
                " column_name VARCHAR, kind VARCHAR, details VARCHAR)"
            )
            connection.executemany("INSERT INTO dpduck.policies VALUES (?, ?, ?, ?, ?, ?)", kept)
        say(file, COUNT, analyst="ana")  # and once it is mended, all is as it was

    def test_what_was_there_before_the_record_began(self, file: Path, tmp_path: Path) -> None:
        other = str(tmp_path / "other.ledger")
        with dpduck.connect(file, analyst="ana", ledger=other) as db:
            assert db.notices == []
            [(who, statement)] = db.execute("SELECT who, statement FROM dp_policies()").fetchall()
        assert who == "unknown"
        assert statement.startswith("found when the record began: ALTER TABLE people ALTER COLUMN age")
        assert KEY in statement


# --- order, crashes, races -----------------------------------------------------------------------


class TestOrder:
    """On record, durable, before it takes effect."""

    def crashed(self, file: Path, statement: str) -> None:
        """Stop before what is on record takes effect."""
        with (
            dpduck.connect(file) as db,
            patch.object(decisions, "store", side_effect=KeyboardInterrupt),
            pytest.raises(KeyboardInterrupt),
        ):
            db.execute(statement)

    def test_a_crash_before_it_is_stored(self, file: Path) -> None:
        say(file, KEY)
        self.crashed(file, "ALTER TABLE visits SET PUBLIC")
        assert "has no privacy policy" in refusal(file, "SELECT count(*) FROM visits")
        assert told(file)[-2:] == [
            ("owner", "ALTER TABLE visits SET PUBLIC"),
            ("unknown", "edited from outside, or took no effect: ALTER TABLE visits SET PUBLIC"),
        ]
        with dpduck.connect(file) as db:
            assert "took no effect" in db.notices[0]
        say(file, "ALTER TABLE visits SET PUBLIC")
        with dpduck.connect(file) as db:
            assert db.notices == []

    def test_a_ledger_that_cannot_be_written(self, file: Path) -> None:
        say(file, KEY)
        with dpduck.connect(file) as db:
            ledger = db._service.session.ledger
            fault = LedgerError("ledger cannot be written")
            with patch.object(ledger, "add_policies", side_effect=fault), pytest.raises(LedgerError):
                db.execute("ALTER TABLE visits SET PUBLIC")
            assert not db._service.catalog().table("visits").public
        assert told(file) == [("owner", KEY)]

    def test_a_lower_cap_holds_before_it_is_stored(self, file: Path) -> None:
        say(file, KEY, "CREATE PRIVACY BUDGET life LIMIT 5")
        self.crashed(file, "ALTER PRIVACY BUDGET life LIMIT 1")
        with open_ledger(f"{file}.ledger") as ledger:
            [people] = [budget for budget in ledger.budgets() if budget.scope == "people"]
            assert people.epsilon_limit == 1

    def test_a_higher_cap_does_not(self, file: Path) -> None:
        say(file, KEY, "CREATE PRIVACY BUDGET life LIMIT 5")
        self.crashed(file, "ALTER PRIVACY BUDGET life LIMIT 7 FORCE")
        with open_ledger(f"{file}.ledger") as ledger:
            [people] = [budget for budget in ledger.budgets() if budget.scope == "people"]
            assert people.epsilon_limit == 5
        say(file, "ALTER PRIVACY BUDGET life LIMIT 7 FORCE")
        with open_ledger(f"{file}.ledger") as ledger:
            [people] = [budget for budget in ledger.budgets() if budget.scope == "people"]
            assert people.epsilon_limit == 7

    def test_two_owners_and_many_analysts_at_once(self) -> None:
        """In one process, where they may be: nobody sees policies that are not on record, or half of them."""
        with duckdb.connect() as data:
            data.execute("CREATE TABLE people AS SELECT i AS id FROM range(300) t(i)")
            with dpduck.connect(data) as db:
                db.execute(KEY)

            def own(_: int) -> None:
                with dpduck.connect(data) as db:
                    for bound in range(1, 9):
                        db.execute(f"ALTER TABLE people SET PRIVACY CONTRIBUTION (groups = {bound})")

            def ask(_: int) -> None:
                for _ in range(8):
                    with dpduck.connect(data, analyst="ana", epsilon="0.001") as db:
                        while not answered(db):
                            pass

            def answered(db: dpduck.Connection) -> bool:
                try:
                    return bool(db.execute(COUNT).fetchall())
                except PolicyError as error:  # for nothing, as a policy was changed since it was planned
                    assert error.hint == "Run it again."
                    assert error.charged == "0"
                    return False

            with ThreadPoolExecutor(5) as pool:
                work = [pool.submit(one, 0) for one in (own, own, ask, ask, ask)]
            assert [one.exception() for one in work] == [None] * 5
            with dpduck.connect(data) as db:
                ledger = db._service.session.ledger
                entries = ledger.policies()
                ledger.verify()
                now = db._service.catalog().facts
        assert {entry.how for entry in entries} == {"said"}
        assert len(entries) == 17
        assert entries[-1].digest == digest_of(dict(now))
        assert [one.before for one in entries[1:]] == [one.digest for one in entries[:-1]]

    def test_many_openers_of_an_edited_file(self, file: Path) -> None:
        say(file, KEY, "ALTER TABLE visits SET PUBLIC")
        plain(file, "DELETE FROM dpduck.policies WHERE kind = 'privacy_key'")
        script = "import sys, dpduck; dpduck.connect(sys.argv[1], analyst='ana').close()"
        racers = [subprocess.Popen([sys.executable, "-c", script, str(file)], cwd=ROOT) for _ in range(4)]
        assert [racer.wait(timeout=60) for racer in racers] == [0] * 4
        assert [one[0] for one in told(file)] == ["owner", "owner", "unknown"]


# --- other places --------------------------------------------------------------------------------


class TestPlaces:
    """Files that hold no policies, several databases in one ledger, and files that move."""

    @pytest.fixture
    def visits(self, tmp_path: Path) -> Path:
        path = tmp_path / "visits.csv"
        duckdb.sql(f"COPY (SELECT i AS who, i % 3 AS sex FROM range(300) t(i)) TO '{path}' (HEADER)")
        return path

    def ask(self, visits: Path, *options: str) -> None:
        query = [
            "query",
            str(visits),
            "SELECT count(*) FROM visits",
            "--epsilon",
            "0.5",
            "--unit",
            "who",
            "--fresh",
        ]
        assert main([*query, *options]) == 0

    def test_options_are_policies(self, visits: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.ask(visits)
        self.ask(visits)
        self.ask(visits, "--domain", "sex=0..2")
        self.ask(visits, "--domain", "sex=0..2", "--analyst", "ana")
        self.ask(visits, "--analyst", "ana")
        capsys.readouterr()
        assert main(["ledger", str(visits), "--policies", "--format", "json"]) == 0
        key, domain = (
            "ALTER TABLE visits ADD PRIVACY_KEY (who)",
            "ALTER TABLE visits ALTER COLUMN sex SET PRIVACY DOMAIN BETWEEN ('0', '2')",
        )
        told = [(row["who"], row["statement"]) for row in json.loads(capsys.readouterr().out)]
        read = told[0][1].partition("; ")[0]
        assert read.startswith("ALTER TABLE visits SET CSV (who BIGINT, ")
        assert told == [
            ("owner", f"{read}; {key}"),
            ("owner", f"{read}; {key}; {domain}"),
            ("ana", f"{read}; {key}"),
        ]
        assert main(["ledger", str(visits), "--verify"]) == 0

    def test_to_look_records_nothing(self, visits: Path) -> None:
        self.ask(visits)
        with open_ledger(f"{visits}.ledger") as ledger:
            before = ledger.head()
        other = ["--unit", "sex", "--epsilon", "1"]
        assert main(["explain", str(visits), "SELECT count(*) FROM visits", *other]) == 0
        assert main(["budget", str(visits), "--unit", "sex"]) == 0
        with open_ledger(f"{visits}.ledger") as ledger:
            assert ledger.head() == before

    def test_several_databases_in_one_ledger(self, file: Path, tmp_path: Path) -> None:
        shared = tmp_path / "shared.ledger"
        other = tmp_path / "other.duckdb"
        with duckdb.connect(str(other)) as connection:
            connection.execute("CREATE TABLE guests AS SELECT i AS id FROM range(300) t(i)")
        guests = "ALTER TABLE guests ADD PRIVACY_KEY (id)"
        for _ in range(2):
            with dpduck.connect(file, ledger=shared) as db:
                db.execute(KEY)
            with dpduck.connect(other, ledger=shared) as db:
                db.execute(guests)
        for path, statement in ((file, KEY), (other, guests)):
            with dpduck.connect(path, analyst="ana", ledger=shared) as db:
                db.execute("SELECT who, statement FROM dp_policies()")
                assert db.fetchall() == [("owner", statement)] * 2
        with open_ledger(shared) as ledger:
            ledger.verify()

    def test_a_file_that_moves_keeps_its_record(self, file: Path, tmp_path: Path) -> None:
        say(file, KEY)
        there = tmp_path / "there"
        there.mkdir()
        for path in (file, Path(f"{file}.ledger"), Path(f"{file}.ledger.anchor")):
            path.rename(there / path.name)
        moved = there / file.name
        say(moved, analyst="ana")
        say(moved, analyst="ana")
        assert told(moved) == [("owner", KEY), ("unknown", "opened at another place")]
        plain(moved, "DROP SCHEMA dpduck CASCADE")
        assert told(moved)[-1][1].startswith("edited from outside: gone: people main.people; gone: priv")

    def test_policies_of_one_connection(self, file: Path) -> None:
        extra = [policies_of("ALTER TABLE people ADD PRIVACY_KEY (id)")]
        for _ in range(2):
            with dpduck.connect(file, analyst="ana", epsilon="0.5", policies=extra) as db:
                db.execute(COUNT)
        assert told(file, analyst="ana") == [
            ("ana", KEY),
            ("ana", "no policy is given any more"),
        ]


def policies_of(text: str) -> PolicyStatement:
    statement = parse(text)
    assert isinstance(statement, PolicyStatement)
    return statement


# --- who may see what ----------------------------------------------------------------------------


class TestWhoSeesWhat:
    """Policies are public; who else may log in, and which budgets others have, is not."""

    @pytest.fixture
    def shared(self, file: Path) -> Iterator[Path]:
        say(
            file,
            KEY,
            "CREATE PRIVACY BUDGET life LIMIT 5",
            "CREATE PRIVACY BUDGET own LIMIT 1 FOR ana",
            "CREATE PRIVACY BUDGET theirs LIMIT 1 FOR bob, eve",
            "DROP PRIVACY BUDGET theirs FORCE",
        )
        with open_ledger(f"{file}.ledger") as ledger:
            for name in ("ana", "bob", "owner"):
                ledger.put_analyst(name, "x")
            ledger.drop_analyst("bob")
        yield file

    def test_an_analyst(self, shared: Path) -> None:
        assert [statement for _, statement in told(shared, analyst="ana")] == [
            KEY,
            "CREATE PRIVACY BUDGET life LIMIT 5",
            "CREATE PRIVACY BUDGET own LIMIT 1 FOR ana",
            "analyst add ana",
        ]

    def test_a_budget_is_for_a_name_however_it_is_spelled(self, shared: Path) -> None:
        assert [statement for _, statement in told(shared, analyst="ANA")] == [
            KEY,
            "CREATE PRIVACY BUDGET life LIMIT 5",
            "CREATE PRIVACY BUDGET own LIMIT 1 FOR ana",
        ]

    def test_readings_of_one_who_is_spelled_otherwise_are_not_shown(self, story: Path) -> None:
        assert READ not in [statement for _, statement in told(story, analyst="ANA")]

    def test_a_shared_budget_names_those_whom_it_is_for(self, shared: Path) -> None:
        """They share what is left of it, so they are told with whom; others are not."""
        team = ("owner", "CREATE PRIVACY BUDGET team LIMIT 5 FOR ana, zoe")
        say(shared, team[1])
        assert team in told(shared, analyst="ana")
        assert team in told(shared, analyst="zoe")
        assert "zoe" not in str(told(shared, analyst="bob"))

    def test_how_much_others_ask_is_not_told(self, shared: Path) -> None:
        say(shared, COUNT, analyst="bob")
        say(shared, "ALTER TABLE visits SET PUBLIC")
        for analyst, numbers in (("ana", [1, 2, 3, 4, 5]), (None, [1, 2])):
            with dpduck.connect(shared, analyst=analyst) as db:
                found = [row[0] for row in db.execute("SELECT seq FROM dp_policies()").fetchall()]
            assert found[: len(numbers)] == numbers
            assert (found == numbers) is (analyst is not None)

    def test_the_owner(self, shared: Path) -> None:
        assert [statement for _, statement in told(shared)[5:]] == [
            "analyst add ana",
            "analyst add bob",
            "analyst add owner",
            "analyst remove bob",
        ]

    def test_an_analyst_called_owner_is_told_apart(self, file: Path) -> None:
        say(file, KEY, COUNT, DROP, PUBLIC)
        say(file, ROWS, analyst="owner")
        assert told(file)[-1] == ("analyst owner", READ)

    def test_readings_of_others_are_not_shown(self, story: Path) -> None:
        assert READ not in [statement for _, statement in told(story, analyst="bob")]


# --- the gateway ---------------------------------------------------------------------------------


class TestTheGateway:
    """The side of an analyst: the record can be read, rows that are read are on it, and nothing is forced."""

    @pytest.fixture
    def house(self, file: Path) -> Iterator[House]:
        say(file, KEY, COUNT, DROP, PUBLIC)
        house = House(file)
        yield house
        house.close()

    def test_what_is_read_is_on_record(self, house: House, file: Path) -> None:
        talk = house.talk()
        assert len(rows_of(talk.say(query(ROWS)))) == 300
        talk.say(query(ROWS))
        found = rows_of(talk.say(query("SELECT who, statement FROM dp_policies()")))
        assert found == [("owner", KEY), ("owner", DROP), ("owner", PUBLIC), ("ana", READ)]
        house.ledger.verify()

    def test_nothing_is_forced(self, house: House) -> None:
        for statement in (DROP, "ALTER TABLE people DROP PRIVACY FORCE"):
            error = error_of(house.talk().say(query(statement)))
            assert error["M"].startswith("only the data owner sets policies")
