"""The same people under another spelling had an account of their own, and could be asked about anew.

An account was called by the names of its table and column as they were spelled. Capitals, a rename, another
key column, or another path to the same file began at nothing: 45 of 10 were spent on one table.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

import dpduck
from dpduck.kernel.ledger import open_ledger

CAP = 10
PEOPLE = "CREATE TABLE people (id INTEGER NOT NULL, code INTEGER, age INTEGER)"
ROWS = "INSERT INTO people SELECT i, 1000 + i, i % 90 FROM range(50) r(i)"
KEY = "ALTER TABLE people ADD PRIVACY_KEY (id)"
DROP = "ALTER TABLE people DROP PRIVACY_KEY FORCE"


def asked(path: Path | str, table: str = "people", times: int = CAP + 2, **options: object) -> int:
    """How many queries of epsilon 1 are answered, of so many tried."""
    answered = 0
    with dpduck.connect(path, epsilon=1, **options) as db:  # type: ignore[arg-type]
        db.execute("SET dp_replay = off")
        for _ in range(times):
            try:
                db.execute(f"SELECT count(*) FROM {table}")
            except dpduck.BudgetExceededError:
                continue
            answered += 1
    return answered


def written(path: Path, *statements: str) -> None:
    """Let the owner write to the database without dpduck."""
    with duckdb.connect(str(path)) as connection:
        for statement in statements:
            connection.execute(statement)


def declared(path: Path | str, *statements: str, **options: object) -> None:
    with dpduck.connect(path, **options) as db:  # type: ignore[arg-type]
        for statement in statements:
            db.execute(statement)


def make(path: Path) -> None:
    """A table of which 9 of 10 is spent."""
    written(path, PEOPLE, ROWS)
    declared(path, KEY)
    assert asked(path, times=CAP - 1) == CAP - 1


@pytest.fixture
def shop(copied: Callable[..., Path]) -> Path:
    return copied(make)


def test_the_cap_is_kept_without_any_change(shop: Path) -> None:
    assert asked(shop) == 1


@pytest.mark.parametrize("name", ["People", "PEOPLE"])
def test_a_table_made_again_in_other_capitals(shop: Path, name: str) -> None:
    written(shop, f"CREATE OR REPLACE TABLE {name} AS SELECT * FROM people")
    assert asked(shop) == 1


def test_a_column_in_other_capitals(shop: Path) -> None:
    written(shop, "ALTER TABLE people RENAME id TO x", 'ALTER TABLE people RENAME x TO "ID"')
    assert asked(shop) == 1


def test_capitals_and_a_key_declared_again(shop: Path) -> None:
    written(shop, "CREATE OR REPLACE TABLE PEOPLE AS SELECT id AS Id, code, age FROM people")
    declared(
        shop, "ALTER TABLE people DROP PRIVACY_KEY FORCE", "ALTER TABLE people ADD PRIVACY_KEY (ID) FORCE"
    )
    assert asked(shop) == 1


@pytest.mark.parametrize("back", [True, False])
def test_a_renamed_table(shop: Path, back: bool) -> None:
    written(shop, "ALTER TABLE people RENAME TO persons")
    declared(shop, "ALTER TABLE persons ADD PRIVACY_KEY (id)")
    spent = asked(shop, "persons")
    if back:
        written(shop, "ALTER TABLE persons RENAME TO people")
        spent += asked(shop)
    assert spent == 1


def test_a_table_that_moved_to_another_schema(shop: Path) -> None:
    written(shop, "CREATE SCHEMA other", "CREATE TABLE other.people AS FROM main.people")
    declared(shop, "ALTER TABLE other.people ADD PRIVACY_KEY (id)")
    assert asked(shop, "other.people") + asked(shop) == 1


def test_a_new_key_column(shop: Path) -> None:
    declared(
        shop, "ALTER TABLE people DROP PRIVACY_KEY FORCE", "ALTER TABLE people ADD PRIVACY_KEY (code) FORCE"
    )
    assert asked(shop) == 1


def test_a_renamed_key_column(shop: Path) -> None:
    written(shop, "ALTER TABLE people RENAME id TO person")
    declared(shop, "ALTER TABLE people ADD PRIVACY_KEY (person) FORCE")
    spent = asked(shop)
    written(shop, "ALTER TABLE people RENAME person TO id")
    declared(shop, f"{KEY} FORCE")
    assert spent + asked(shop) == 1


def test_a_new_key_after_the_table_was_public(shop: Path) -> None:
    declared(
        shop,
        DROP,
        "ALTER TABLE people SET PUBLIC FORCE",
        "ALTER TABLE people ADD PRIVACY_KEY (code) FORCE",
    )
    assert asked(shop) == 1


class TestLinks:
    """What was spent on a linked table was spent on the people of the key, and the other way round."""

    VISITS = "CREATE TABLE visits AS SELECT i AS id, CAST(i % 50 AS INTEGER) AS person FROM range(200) r(i)"
    LINK = "ALTER TABLE visits ADD PRIVACY_LINK (person) REFERENCES people(id)"

    def test_a_linked_table(self, shop: Path) -> None:
        written(shop, self.VISITS)
        declared(shop, self.LINK)
        assert asked(shop, "visits") + asked(shop) == 1

    def test_a_table_that_had_a_key_of_its_own(self, tmp_path: Path) -> None:
        path = tmp_path / "shop.duckdb"
        written(path, PEOPLE, ROWS, self.VISITS)
        declared(path, KEY, "ALTER TABLE visits ADD PRIVACY_KEY (person) FORCE")
        assert asked(path, "visits", 6) + asked(path, times=3) == 9
        declared(path, "ALTER TABLE visits DROP PRIVACY_KEY FORCE", f"{self.LINK} FORCE")
        assert asked(path) + asked(path, "visits") == 1

    def test_a_key_in_place_of_a_link(self, shop: Path) -> None:
        written(shop, self.VISITS)
        declared(shop, self.LINK, "ALTER TABLE visits DROP PRIVACY_LINK FORCE")
        declared(shop, "ALTER TABLE visits ADD PRIVACY_KEY (person) FORCE")
        assert asked(shop, "visits") + asked(shop) == 1


class TestOtherPaths:
    """One file, however it is called, has one ledger."""

    def test_a_symbolic_link(self, shop: Path, tmp_path: Path) -> None:
        link = tmp_path / "elsewhere" / "linked.duckdb"
        link.parent.mkdir()
        link.symlink_to(shop)
        assert asked(link) == 1

    def test_a_linked_folder(self, shop: Path, tmp_path: Path) -> None:
        (tmp_path / "folder").symlink_to(shop.parent, target_is_directory=True)
        assert asked(tmp_path / "folder" / shop.name) == 1

    def test_another_working_directory(
        self, shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        inner = tmp_path / "inner"
        inner.mkdir()
        monkeypatch.chdir(inner)
        assert asked(f"../{shop.name}") == 1
        monkeypatch.chdir("/")
        assert asked(shop.relative_to("/")) == 0

    def test_a_hard_link_is_refused(self, shop: Path, tmp_path: Path) -> None:
        hard = tmp_path / "hard.duckdb"
        os.link(shop, hard)
        for path in (hard, shop):
            with pytest.raises(dpduck.LedgerError) as caught:
                asked(path)
            assert str(caught.value) == (
                f"file {path} has 2 names\n"
                "DETAIL: Each of them would have a ledger of its own, and so a fresh budget for the same "
                "people. Nothing was charged.\n"
                "HINT: Remove the other hard link, or say where the one ledger is: --ledger."
            )

    def test_a_hard_link_with_the_same_ledger(self, shop: Path, tmp_path: Path) -> None:
        hard = tmp_path / "hard.duckdb"
        os.link(shop, hard)
        assert asked(hard, ledger=f"{shop}.ledger") == 1

    def test_a_hard_link_to_the_ledger(self, shop: Path, tmp_path: Path) -> None:
        """Under another name SQLite would keep another log, and not see what is in the first."""
        os.link(f"{shop}.ledger", tmp_path / "other.ledger")
        for ledger in (tmp_path / "other.ledger", Path(f"{shop}.ledger")):
            with pytest.raises(dpduck.LedgerError, match="has 2 names"):
                asked(shop, ledger=ledger)

    def test_a_symbolic_link_to_the_ledger(self, shop: Path, tmp_path: Path) -> None:
        (tmp_path / "other.ledger").symlink_to(f"{shop}.ledger")
        assert asked(shop, ledger=tmp_path / "other.ledger") == 1

    def test_a_ledger_that_was_left_beside_a_link(self, shop: Path, tmp_path: Path) -> None:
        link = tmp_path / "linked.duckdb"
        link.symlink_to(shop)
        asked(shop, times=1, ledger=f"{link}.ledger")  # as older versions did by default
        with pytest.raises(dpduck.LedgerError) as caught:
            asked(link)
        assert str(caught.value) == (
            f"there is a ledger beside the link {link}\n"
            f"DETAIL: The file itself is {shop}, and its ledger is beside it; what the other has recorded "
            "would not count. Nothing was charged.\n"
            f"HINT: Go on with it by --ledger {link}.ledger, or move it to {shop}.ledger if there is none."
        )

    def test_functions_of_register(self, shop: Path, tmp_path: Path) -> None:
        os.link(shop, tmp_path / "hard.duckdb")
        with duckdb.connect(str(tmp_path / "hard.duckdb")) as connection:
            with pytest.raises(dpduck.LedgerError, match="has 2 names"):
                dpduck.register(connection)
            dpduck.register(connection, ledger=f"{shop}.ledger", epsilon=1)
            connection.execute("SELECT * FROM dp('SELECT count(*) FROM people')").fetchall()
        assert asked(tmp_path / "hard.duckdb", ledger=f"{shop}.ledger") == 0

    @pytest.mark.parametrize("suffix", ["parquet", "csv"])
    @pytest.mark.parametrize("kind", ["symbolic", "hard", "folder"])
    def test_files(self, tmp_path: Path, suffix: str, kind: str) -> None:
        (tmp_path / "data").mkdir()
        file = tmp_path / "data" / f"people.{suffix}"
        duckdb.sql("SELECT i AS id, 1000 + i AS code FROM range(50) r(i)").write_parquet(str(file)) if (
            suffix == "parquet"
        ) else duckdb.sql("SELECT i AS id, 1000 + i AS code FROM range(50) r(i)").write_csv(str(file))
        assert asked(file, times=CAP - 1, policies=policies("people", "id")) == CAP - 1
        other = tmp_path / ("other" if kind == "folder" else f"other.{suffix}")
        if kind == "hard":
            os.link(file, other)
            with pytest.raises(dpduck.LedgerError, match="has 2 names"):
                asked(other, "other", policies=policies("other", "id"))
            return
        other.symlink_to(file.parent if kind == "folder" else file)
        path = other / file.name if kind == "folder" else other
        assert asked(path, path.stem, policies=policies(path.stem, "id")) == 1

    def test_another_unit_of_a_file(self, tmp_path: Path) -> None:
        file = tmp_path / "people.parquet"
        duckdb.sql("SELECT i AS id, 1000 + i AS code FROM range(50) r(i)").write_parquet(str(file))
        assert asked(file, times=CAP - 1, policies=policies("people", "id")) == CAP - 1
        assert asked(file, policies=policies("people", "code")) == 1
        duckdb.sql("SELECT i AS person FROM range(50) r(i)").write_parquet(str(file))
        assert asked(file, policies=policies("people", "person")) == 0

    def test_a_folder_with_a_linked_folder(self, tmp_path: Path) -> None:
        (tmp_path / "people").mkdir()
        duckdb.sql("SELECT i AS id FROM range(50) r(i)").write_parquet(str(tmp_path / "people" / "a.parquet"))
        (tmp_path / "linked").symlink_to(tmp_path / "people")
        assert asked(tmp_path / "people", times=CAP - 1, policies=policies("people", "id")) == CAP - 1
        assert asked(tmp_path / "linked", policies=policies("people", "id")) == 1


def policies(table: str, unit: str) -> list[object]:
    from dpduck.kernel.catalog.statements import AddPrivacyKey, TableName

    return [AddPrivacyKey(TableName(table), unit)]


class TestCopies:
    """A copy of the database names the same people, where the ledger is the same."""

    def test_a_copied_database(self, shop: Path, tmp_path: Path) -> None:
        copy = tmp_path / "copy.duckdb"
        shutil.copy(shop, copy)
        assert asked(copy, ledger=f"{shop}.ledger") == 1

    def test_a_copied_policy(self, shop: Path, tmp_path: Path) -> None:
        copy = tmp_path / "copy.duckdb"
        written(copy, f"ATTACH '{shop}' AS shop", f"COPY FROM DATABASE shop TO {copy.stem}")
        written(copy, "ALTER TABLE people RENAME TO persons")
        declared(copy, "ALTER TABLE persons ADD PRIVACY_KEY (code) FORCE", ledger=f"{shop}.ledger")
        assert asked(copy, "persons", ledger=f"{shop}.ledger") == 1

    def test_other_people_of_the_same_name_are_others(self, shop: Path, tmp_path: Path) -> None:
        other = tmp_path / "other.duckdb"
        written(other, PEOPLE, ROWS)
        declared(other, f"{KEY} FORCE", ledger=f"{shop}.ledger")
        assert asked(other, ledger=f"{shop}.ledger") == CAP


class TestBudgets:
    """Names of budgets and analysts compare as DuckDB compares names."""

    TEAM = "CREATE PRIVACY BUDGET team LIMIT 3 FOR ana"

    def test_a_budget_in_other_capitals(self, shop: Path) -> None:
        declared(shop, "CREATE PRIVACY BUDGET life LIMIT 100", self.TEAM)
        assert asked(shop, times=2, analyst="ana") == 2
        declared(shop, "CREATE OR REPLACE PRIVACY BUDGET Team LIMIT 3 FOR ana")
        assert asked(shop, analyst="ana") == 1

    @pytest.mark.parametrize(("declared_for", "asking"), [("Ana", "ana"), ("ana", "ANA"), ('"ANA"', "Ana")])
    def test_a_budget_binds_its_analyst_however_spelled(
        self, shop: Path, declared_for: str, asking: str
    ) -> None:
        declared(shop, "CREATE PRIVACY BUDGET life LIMIT 100")
        declared(shop, f"CREATE PRIVACY BUDGET team LIMIT 3 FOR {declared_for}")
        assert asked(shop, times=2, analyst=asking) == 2
        assert asked(shop, analyst=asking.swapcase()) == 1


def notices(path: Path, statement: str) -> list[str]:
    with dpduck.connect(path) as db:
        return db.execute(statement).notices


def test_the_owner_is_told_whose_spending_counts(shop: Path) -> None:
    written(shop, "ALTER TABLE people RENAME TO persons")
    assert notices(shop, "ALTER TABLE persons ADD PRIVACY_KEY (id)") == [
        "The people behind persons are taken for those behind people: what was spent on them counts."
    ]


def test_the_owner_is_told_that_values_of_an_enum_are_public(shop: Path) -> None:
    """An ENUM made from private rows is a domain that nobody declared."""
    written(
        shop,
        "CREATE TYPE codes AS ENUM (SELECT CAST(code AS VARCHAR) FROM people)",
        "CREATE TABLE likes (person INTEGER NOT NULL, code codes)",
    )
    [notice] = notices(shop, "ALTER TABLE likes ADD PRIVACY_LINK (person) REFERENCES people(id)")
    assert notice.startswith("Column likes.code is an ENUM: its values (50) are public")
    assert notice.endswith("ALTER TABLE likes ALTER COLUMN code TYPE VARCHAR.")


def test_the_owner_is_told_of_a_budget_for_nobody(shop: Path) -> None:
    with open_ledger(f"{shop}.ledger") as ledger:
        ledger.put_analyst("ana", "verifier")
    assert notices(shop, "CREATE PRIVACY BUDGET hers LIMIT 3 FOR ANA") == []
    [notice] = notices(shop, "CREATE PRIVACY BUDGET theirs LIMIT 3 FOR Anna")
    assert notice.startswith("Nobody called Anna may log in")
