"""Whose account a query is charged to was written in the data file alone: who could write that file took the
note away, or wrote another one, and began the same people anew. 19 of 10 were spent on one table.

Now the ledger is the authority. It has on record which people are behind each table; nothing but a statement
of the owner begins an account, whatever is written into the data file.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import duckdb
import pytest

import dpduck
from dpduck.doors.cli import main
from dpduck.kernel.errors import PolicyError
from dpduck.kernel.ledger import open_ledger
from dpduck.policies import decisions
from dpduck.policies.consequences import ForceNeededError
from tests.gateway.talking import House
from tests.gateway.wiring import error_of, query
from tests.trust.test_one_account import CAP, KEY, PEOPLE, ROWS, asked, declared, written

COUNT = "SELECT count(*) FROM people"
GUESTS = (
    "CREATE TABLE guests (gid BIGINT NOT NULL, guest BIGINT); "
    "INSERT INTO guests SELECT i, i FROM range(50) r(i)"
)
KEY_OF_GUESTS = "ALTER TABLE guests ADD PRIVACY_KEY (gid)"
RENAMED = ("ALTER TABLE people RENAME TO persons", "ALTER TABLE persons RENAME id TO pid")
RENAMED_POLICY = (
    "UPDATE dpduck.policies SET table_name = 'persons' WHERE table_name = 'people'",
    "UPDATE dpduck.policies SET column_name = 'pid' WHERE kind = 'privacy_key'",
)
OTHER_ID = """
    UPDATE dpduck.policies
    SET details = regexp_replace(details, '#[0-9a-f]{16}', '#0123456789abcdef') WHERE kind = 'people'
"""
NO_IDS = "DELETE FROM dpduck.policies WHERE kind = 'people'"
OTHER_DATABASE = "UPDATE dpduck.policies SET details = '7' WHERE kind = 'salt'"


def make_fresh(path: Path) -> None:
    written(path, PEOPLE, ROWS, GUESTS)
    declared(path, KEY)


def make(path: Path) -> None:
    """A table of which 9 of 10 is spent, and one of which nothing is."""
    make_fresh(path)
    assert asked(path, times=CAP - 1) == CAP - 1


@pytest.fixture
def shop(copied: Callable[..., Path]) -> Path:
    return copied(make)


def refusal(path: Path, statement: str, **options: object) -> PolicyError:
    with dpduck.connect(path, epsilon=1, **options) as db, pytest.raises(PolicyError) as caught:  # type: ignore[arg-type]
        db.execute(statement)
    assert caught.value.charged == "0"
    return caught.value


def spent(path: Path, table: str) -> int:
    """How many queries of epsilon 1 are answered, where the table may be closed."""
    try:
        return asked(path, table)
    except (PolicyError, dpduck.UnknownNameError):
        return 0


class TestTheIdIsTakenAway:
    """What the file says of ids counts for nothing where the ledger knows the table."""

    @pytest.mark.parametrize(
        "edits",
        [
            (NO_IDS,),
            (OTHER_ID,),
            (NO_IDS, OTHER_DATABASE),
            ("""UPDATE dpduck.policies SET table_name = 'x' WHERE kind = 'people'""",),
            (
                """UPDATE dpduck.policies SET details = '{"names": ["x"], "columns": []}'
                WHERE kind = 'people'""",
            ),
            (OTHER_ID, "CREATE OR REPLACE TABLE People AS SELECT * FROM people"),
        ],
    )
    def test_the_ledger_has_it(self, shop: Path, edits: tuple[str, ...]) -> None:
        written(shop, *edits)
        assert asked(shop) == 1
        with open_ledger(f"{shop}.ledger") as ledger:
            ledger.verify()

    def test_it_is_back_in_the_file_after_the_next_statement(self, shop: Path) -> None:
        stored = "SELECT table_name, details FROM dpduck.policies WHERE kind = 'people'"
        with duckdb.connect(str(shop)) as connection:
            before = connection.execute(stored).fetchall()
        written(shop, NO_IDS)
        declared(shop, "ALTER TABLE people SET PRIVACY VERSION '1'")
        with duckdb.connect(str(shop)) as connection:
            assert connection.execute(stored).fetchall() == before

    @pytest.mark.parametrize("whole", ["DROP SCHEMA dpduck CASCADE", "DELETE FROM dpduck.policies"])
    def test_all_policies_are_dropped(self, shop: Path, whole: str) -> None:
        written(shop, whole)
        assert spent(shop, "people") == 0
        declared(shop, KEY)
        assert asked(shop) == 1

    def test_a_file_made_anew_at_the_same_place(self, shop: Path) -> None:
        shop.unlink()
        written(shop, PEOPLE, ROWS)
        declared(shop, KEY)
        assert asked(shop) == 1

    def test_an_older_copy_from_before_there_was_a_key(self, tmp_path: Path) -> None:
        path = tmp_path / "shop.duckdb"
        written(path, PEOPLE, ROWS)
        copy = path.read_bytes()
        declared(path, KEY)
        assert asked(path, times=CAP - 1) == CAP - 1
        path.write_bytes(copy)
        declared(path, KEY)
        assert asked(path) == 1

    def test_a_copy_with_the_same_ledger(self, shop: Path, tmp_path: Path) -> None:
        copy = tmp_path / "copy.duckdb"
        shutil.copy(shop, copy)
        written(copy, NO_IDS)
        assert asked(copy, ledger=f"{shop}.ledger") == 1

    def test_a_copy_that_moved_with_its_ledger(self, shop: Path, tmp_path: Path) -> None:
        (tmp_path / "there").mkdir()
        for file in (shop, Path(f"{shop}.ledger"), Path(f"{shop}.ledger.anchor")):
            file.rename(tmp_path / "there" / file.name)
        moved = tmp_path / "there" / shop.name
        written(moved, NO_IDS)
        assert asked(moved) == 1


class TestATableThatNobodyDeclared:
    """A key or link that only the file has closes its table: nothing was said of whose rows it holds."""

    def test_a_table_renamed_with_its_policy(self, shop: Path) -> None:
        written(shop, *RENAMED, *RENAMED_POLICY)
        error = refusal(shop, "SELECT count(*) FROM persons")
        assert str(error).startswith(
            "table persons is closed, since its privacy policy no longer holds\n"
            "DETAIL: When it is applied: the ledger has no statement on record that says of table "
            "persons what the file says. Nothing was charged.\n"
            "HINT: The owner can mend it: if it is meant, ALTER TABLE persons ADD PRIVACY_KEY (pid) FORCE"
        )
        written(shop, "ALTER TABLE persons RENAME TO people")
        declared(shop, "ALTER TABLE people ADD PRIVACY_KEY (pid) FORCE")
        assert asked(shop) == 1

    def test_with_new_ids(self, shop: Path) -> None:
        written(shop, *RENAMED, *RENAMED_POLICY, OTHER_ID)
        assert spent(shop, "persons") == 0

    def test_a_copy_of_the_rows(self, shop: Path) -> None:
        written(
            shop,
            "CREATE TABLE persons AS SELECT id AS pid FROM people",
            "INSERT INTO dpduck.policies SELECT version, schema_name, 'persons', 'pid', kind, details "
            "FROM dpduck.policies WHERE kind = 'privacy_key'",
        )
        assert spent(shop, "persons") + asked(shop) == 1

    def test_linked_from_outside(self, shop: Path) -> None:
        declared(shop, KEY_OF_GUESTS)
        link = '{"schema": "main", "table": "guests", "column": "gid"}'
        written(
            shop,
            "CREATE TABLE persons AS SELECT CAST(id AS BIGINT) AS pid FROM people",
            f"INSERT INTO dpduck.policies VALUES (2, 'main', 'persons', 'pid', 'privacy_link', '{link}')",
        )
        assert spent(shop, "persons") == 0

    def test_another_statement_of_the_owner_does_not_declare_it(self, shop: Path) -> None:
        written(shop, *RENAMED, *RENAMED_POLICY)
        declared(
            shop, "ALTER TABLE guests SET PUBLIC", "ALTER TABLE persons SET PRIVACY CONTRIBUTION (rows = 1)"
        )
        assert spent(shop, "persons") == 0

    def test_the_owner_says_that_it_is_meant(self, shop: Path) -> None:
        written(shop, *RENAMED, *RENAMED_POLICY)
        key = "ALTER TABLE persons ADD PRIVACY_KEY (pid)"
        error = refusal(shop, key)
        assert isinstance(error, ForceNeededError)
        assert str(error) == (
            "a new account for the people behind persons needs the word FORCE\n"
            "DETAIL: Nothing says whose rows people holds by now, and what was spent on its people would not "
            "count for persons. If these are rows of theirs, give the table its old name, or its key, and "
            "declare it then. Nothing was charged.\n"
            f"HINT: If it is meant: {key} FORCE."
        )
        declared(shop, f"{key} FORCE")
        assert asked(shop, "persons") == CAP
        with dpduck.connect(shop) as db:
            said = db.execute("SELECT who, statement FROM dp_policies()").fetchall()
        assert said[-1] == ("owner", f"{key} FORCE")

    def test_it_is_seen_at_each_door(self, shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
        written(shop, *RENAMED, *RENAMED_POLICY)
        sql = "SELECT count(*) FROM persons"
        assert main(["query", str(shop), sql, "--epsilon", "1"]) == 1
        assert "table persons is closed" in capsys.readouterr().err
        assert main(["explain", str(shop), sql, "--epsilon", "1"]) == 1
        assert "table persons is closed" in capsys.readouterr().err
        with duckdb.connect(str(shop)) as connection:
            dpduck.register(connection, epsilon=1)
            with pytest.raises(duckdb.Error, match="table persons is closed"):
                connection.execute(f"SELECT * FROM dp('{sql}')").fetchall()
        house = House(shop)
        try:
            assert error_of(house.talk().say(query(sql)))["M"].startswith("table persons is closed")
        finally:
            house.close()


class TestAnotherSentence:
    """What the file says of a known table is not what was said: it is closed until that is said."""

    LINK = '{"schema": "main", "table": "guests", "column": "gid"}'
    OTHER_KEY = "UPDATE dpduck.policies SET column_name = 'code' WHERE kind = 'privacy_key'"

    def test_another_key(self, shop: Path) -> None:
        written(shop, self.OTHER_KEY)
        assert spent(shop, "people") == 0
        key = "ALTER TABLE people ADD PRIVACY_KEY (code)"
        assert str(refusal(shop, key)).startswith("another privacy key for table people needs the word FORCE")
        declared(shop, f"{key} FORCE")
        assert asked(shop) == 1

    def test_a_key_that_was_renamed_in_both_places(self, shop: Path) -> None:
        written(shop, NO_IDS, "ALTER TABLE people RENAME id TO pid", RENAMED_POLICY[1])
        assert spent(shop, "people") == 0
        declared(shop, "ALTER TABLE people ADD PRIVACY_KEY (pid) FORCE")
        assert asked(shop) == 1

    def test_two_keys(self, shop: Path) -> None:
        both = "SELECT version, schema_name, table_name, 'code', kind, details FROM dpduck.policies"
        written(shop, f"INSERT INTO dpduck.policies {both} WHERE kind = 'privacy_key'")
        assert spent(shop, "people") == 0

    def test_a_link_to_others(self, shop: Path) -> None:
        declared(shop, KEY_OF_GUESTS)
        written(
            shop,
            "ALTER TABLE people ALTER id TYPE BIGINT",
            f"UPDATE dpduck.policies SET kind = 'privacy_link', details = '{self.LINK}' "
            "WHERE kind = 'privacy_key' AND table_name = 'people'",
        )
        assert spent(shop, "people") == 0
        assert asked(shop, "guests") == CAP

    def test_a_table_that_leads_to_one_that_is_closed(self, shop: Path) -> None:
        written(shop, "CREATE TABLE visits AS SELECT CAST(i AS INTEGER) AS who FROM range(50) r(i)")
        declared(shop, "ALTER TABLE visits ADD PRIVACY_LINK (who) REFERENCES people(id)")
        assert asked(shop, "visits", 1) == 1
        written(
            shop,
            "CREATE TABLE others AS SELECT id AS oid FROM people",
            "INSERT INTO dpduck.policies VALUES (2, 'main', 'others', 'oid', 'privacy_key', '')",
            """UPDATE dpduck.policies SET details = '{"schema": "main", "table": "others", "column": "oid"}'
            WHERE kind = 'privacy_link'""",
        )
        assert spent(shop, "visits") == spent(shop, "others") == 0

    @pytest.mark.parametrize("name", ["people", "copied"])
    def test_a_table_that_nobody_made_public(self, shop: Path, name: str) -> None:
        declared(shop, "ALTER TABLE guests SET PUBLIC")
        written(
            shop,
            "CREATE TABLE copied AS FROM people",
            "DELETE FROM dpduck.policies WHERE kind = 'privacy_key'",
            f"INSERT INTO dpduck.policies VALUES (2, 'main', '{name}', '', 'public', '')",
        )
        error = refusal(shop, f"SELECT id FROM {name}", analyst="ana")
        assert f"if it is meant, ALTER TABLE {name} SET PUBLIC FORCE" in str(error)
        with dpduck.connect(shop, analyst="ana") as db:
            assert len(db.execute("SELECT gid FROM guests").fetchall()) == 50
        if name == "people":
            assert isinstance(refusal(shop, "ALTER TABLE people SET PUBLIC"), ForceNeededError)

    def test_what_was_public_once(self, shop: Path) -> None:
        declared(shop, "ALTER TABLE guests SET PUBLIC")
        before = shop.read_bytes()
        declared(shop, "ALTER TABLE guests DROP PRIVACY", KEY_OF_GUESTS)
        shop.write_bytes(before)
        assert "table guests is closed" in str(refusal(shop, "SELECT gid FROM guests"))

    def test_it_can_be_taken_back(self, shop: Path) -> None:
        written(shop, "INSERT INTO dpduck.policies VALUES (2, 'main', 'guests', 'gid', 'privacy_key', '')")
        declared(shop, "ALTER TABLE guests DROP PRIVACY")
        assert "has no privacy policy" in str(refusal(shop, "SELECT gid FROM guests"))
        with duckdb.connect(str(shop)) as connection:
            sql = "SELECT count(*) FROM dpduck.policies WHERE table_name = 'guests'"
            assert connection.execute(sql).fetchall() == [(0,)]

    def test_a_statement_that_took_no_effect(self, shop: Path) -> None:
        """It is on record, and the file says what was said before: closed until it is said again."""
        with (
            dpduck.connect(shop) as db,
            patch.object(decisions, "store", side_effect=KeyboardInterrupt),
            pytest.raises(KeyboardInterrupt),
        ):
            db.execute("ALTER TABLE people DROP PRIVACY FORCE")
        assert spent(shop, "people") == 0
        declared(shop, KEY)
        assert asked(shop) == 1


class TestBudgets:
    """An edit from outside raises no cap: not for whom nothing was charged, nor when the owner says something
    else later.
    """

    RAISED = """UPDATE dpduck.policies SET details = replace(details, '"2"', '"50"') WHERE kind = 'budget'"""
    NEW = """INSERT INTO dpduck.policies VALUES (2, '', '', 'life', 'budget',
        '{"epsilon": "50", "delta": null, "per_query": null, "window": null, "analysts": []}')"""

    @pytest.fixture
    def fresh(self, copied: Callable[..., Path]) -> Path:
        return copied(make_fresh)

    @pytest.mark.parametrize("edit", [RAISED, "DELETE FROM dpduck.policies WHERE kind = 'budget'"])
    def test_of_everybody(self, fresh: Path, edit: str) -> None:
        declared(fresh, "CREATE PRIVACY BUDGET life LIMIT 2")
        written(fresh, edit)
        assert asked(fresh) == 2
        declared(fresh, "ALTER TABLE guests ADD PRIVACY_KEY (gid)")
        assert asked(fresh) == 0
        assert asked(fresh, "guests") == 2

    @pytest.mark.parametrize("edit", [RAISED, "DELETE FROM dpduck.policies WHERE kind = 'budget'"])
    def test_of_somebody(self, fresh: Path, edit: str) -> None:
        declared(fresh, "CREATE PRIVACY BUDGET hers LIMIT 2 FOR ana")
        written(fresh, edit)
        assert asked(fresh, analyst="ana") == 2

    def test_one_that_nobody_declared(self, fresh: Path) -> None:
        written(fresh, self.NEW)
        assert asked(fresh) == CAP
        declared(fresh, "ALTER TABLE guests SET PUBLIC")
        assert asked(fresh) == 0


class TestANewAccount:
    """What cannot be known is said by the owner, who is told what follows."""

    def notices(self, path: Path, statement: str) -> list[str]:
        with dpduck.connect(path) as db:
            return db.execute(statement).notices

    def test_a_second_key(self, shop: Path) -> None:
        assert self.notices(shop, KEY_OF_GUESTS) == [
            "The people behind guests have an account of their own. If they are those behind people, what is "
            "spent on them there does not count here: then drop this key and declare a link instead."
        ]
        assert asked(shop, "guests") == CAP

    def test_the_first_one_says_nothing(self, tmp_path: Path) -> None:
        path = tmp_path / "shop.duckdb"
        written(path, PEOPLE, ROWS)
        assert self.notices(path, KEY) == []

    def test_a_renamed_key_and_table(self, shop: Path) -> None:
        written(shop, *RENAMED)
        error = refusal(shop, "ALTER TABLE persons ADD PRIVACY_KEY (pid)")
        assert isinstance(error, ForceNeededError)

    def test_of_what_was_never_charged_nothing_is_lost(self, tmp_path: Path) -> None:
        path = tmp_path / "shop.duckdb"
        written(path, PEOPLE, ROWS)
        declared(path, KEY)
        written(path, *RENAMED)
        declared(path, "ALTER TABLE persons ADD PRIVACY_KEY (pid)")
        assert asked(path, "persons") == CAP

    def test_what_is_public_by_now_is_not_gone(self, shop: Path) -> None:
        declared(shop, "ALTER TABLE people DROP PRIVACY_KEY FORCE", "ALTER TABLE people SET PUBLIC FORCE")
        declared(shop, KEY_OF_GUESTS)


class TestSharedLedgers:
    """A ledger that knows databases does not take the word of another one's file."""

    def test_a_database_with_another_name_at_another_place(self, shop: Path, tmp_path: Path) -> None:
        written(shop, NO_IDS, OTHER_DATABASE)
        moved = shop.rename(tmp_path / "moved.duckdb")
        assert "table people is closed" in str(refusal(moved, COUNT, ledger=f"{shop}.ledger"))

    def test_a_database_that_joins(self, shop: Path, tmp_path: Path) -> None:
        other = tmp_path / "other.duckdb"
        written(other, GUESTS)
        declared(other, KEY_OF_GUESTS)
        shared = f"{shop}.ledger"
        assert "table guests is closed" in str(refusal(other, "SELECT count(*) FROM guests", ledger=shared))
        declared(other, f"{KEY_OF_GUESTS} FORCE", ledger=shared)
        assert asked(other, "guests", ledger=shared) == CAP
        assert asked(shop) == 1


class TestALedgerThatWasLeftBehind:
    """A database that was on record in another ledger says so: what was spent there does not count here."""

    @pytest.fixture
    def moved(self, shop: Path) -> Path:
        return shop.rename(shop.with_name("store.duckdb"))

    NOTICE = (
        "The policies of this database are on record in another ledger, and what was spent there does not "
        "count here. If the file was renamed, moved or copied, go on with that ledger: "
        "--ledger OLD_NAME.ledger."
    )

    def test_in_python(self, moved: Path, shop: Path) -> None:
        for _ in range(2):
            with dpduck.connect(moved) as db:
                assert db.notices == [self.NOTICE]
        with dpduck.connect(moved, ledger=f"{shop}.ledger") as db:
            assert db.notices == []
        assert asked(moved, ledger=f"{shop}.ledger") == 1

    def test_on_the_command_line(self, moved: Path, capsys: pytest.CaptureFixture[str]) -> None:
        for arguments in (["explain"], ["query"], ["query"]):
            assert main([*arguments, str(moved), COUNT, "--epsilon", "1"]) == 0
            assert self.NOTICE in capsys.readouterr().err

    def test_analysts_are_not_told(self, moved: Path) -> None:
        with dpduck.connect(moved, analyst="ana") as db:
            assert db.notices == []

    def test_a_statement_of_the_owner_ends_it(self, moved: Path) -> None:
        declared(moved, "ALTER TABLE people SET PRIVACY VERSION '1'")
        with dpduck.connect(moved) as db:
            assert db.notices == []

    def test_a_first_ledger_says_nothing(self, tmp_path: Path) -> None:
        path = tmp_path / "shop.duckdb"
        written(path, PEOPLE, ROWS)
        for _ in range(2):
            with dpduck.connect(path) as db:
                assert db.notices == []
