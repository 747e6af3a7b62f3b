"""Who may log in, in both stores, and that the record stays what it was."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from dpduck.kernel.errors import LedgerError, ParameterError, UnknownNameError
from dpduck.kernel.ledger import Ledger, open_ledger
from dpduck.kernel.ledger.policies import digest_of
from dpduck.kernel.ledger.postgres import PostgresLedger
from dpduck.kernel.ledger.sqlite import SqliteLedger
from tests.ledger.contract import cost


class AnalystsContract:
    """What does not depend on the store."""

    @pytest.fixture
    def ledger(self) -> Ledger:
        raise NotImplementedError

    def test_nobody_at_first_and_no_table_for_that(self, ledger: Ledger) -> None:
        ledger.charge(cost())
        assert ledger.analysts() == []
        assert not ledger._read(lambda db: ledger._has_table(db, "analyst"))

    def test_a_setting_of_an_analyst_is_kept_and_on_record(self, ledger: Ledger) -> None:
        ledger.put_analyst("ana", "v")
        ledger.set_default("ana", "dp_intervals", "columns")
        ledger.set_default("ana", "dp_epsilon", "0.5")
        ledger.put_analyst("ana", "w")
        [ana] = ledger.analysts()
        assert (ana.verifier, ana.settings) == ("w", (("dp_epsilon", "0.5"), ("dp_intervals", "columns")))
        assert not ana.is_damaged
        assert "analyst set ana dp_intervals=columns" in [entry.statement for entry in ledger.policies()]
        ledger.set_default("ana", "dp_intervals", "")
        ledger.set_default("ana", "dp_epsilon", "")
        assert (ledger.analysts()[0].settings, ledger.analysts()[0].text) == ((), "w")
        for name in ("bob", ""):
            with pytest.raises(UnknownNameError, match="there is no analyst"):
                ledger.set_default(name, "dp_intervals", "columns")

    def test_analysts_by_name(self, ledger: Ledger) -> None:
        before = datetime.now(UTC)
        for name in ("cem", "ana", "bob", "Ana", "ä 'x\""):
            ledger.put_analyst(name, f"verifier of {name}")
        found = ledger.analysts()
        assert sorted(one.name for one in found) == sorted(["cem", "ana", "bob", "Ana", "ä 'x\""])
        assert all(one.verifier == f"verifier of {one.name}" for one in found)
        assert all(abs(one.added - before) < timedelta(minutes=1) for one in found)

    def test_a_new_verifier_takes_the_place_of_the_old(self, ledger: Ledger) -> None:
        ledger.put_analyst("ana", "one")
        [first] = ledger.analysts()
        ledger.put_analyst("ana", "two")
        [second] = ledger.analysts()
        assert (second.verifier, second.added) == ("two", first.added)

    def test_analysts_leave(self, ledger: Ledger) -> None:
        for name in ("ana", "bob"):
            ledger.put_analyst(name, "x")
        ledger.drop_analyst("ana")
        assert [one.name for one in ledger.analysts()] == ["bob"]
        with pytest.raises(UnknownNameError, match="there is no analyst 'ana'"):
            ledger.drop_analyst("ana")
        ledger.put_analyst("ana", "y")
        assert len(ledger.analysts()) == 2

    def test_nobody_leaves_who_was_not_there(self, ledger: Ledger) -> None:
        with pytest.raises(UnknownNameError):
            ledger.drop_analyst("ana")

    def test_a_name_is_text(self, ledger: Ledger) -> None:
        with pytest.raises(ParameterError):
            ledger.put_analyst("\ud800", "x")

    def test_the_record_says_who_may_log_in(self, ledger: Ledger) -> None:
        ledger.charge(cost())
        ledger.put_analyst("ana", "x")
        ledger.put_analyst("ana", "y")
        ledger.drop_analyst("ana")
        entries = ledger.policies()
        said = [(one.number, one.who, one.statement) for one in entries]
        assert said == [
            (2, "owner", "analyst add ana"),
            (3, "owner", "analyst add ana"),
            (4, "owner", "analyst remove ana"),
        ]
        assert len({one.digest for one in entries}) == 3
        assert [one.before for one in entries[1:]] == [one.digest for one in entries[:-1]]
        assert entries[-1].digest == digest_of({})
        assert "verifier" not in repr(entries)
        ledger.verify()

    @pytest.mark.parametrize(
        "edit",
        [
            "INSERT INTO analyst (name, verifier, added) VALUES ('eve', 'x', 1)",
            "UPDATE analyst SET verifier = 'of eve'",
            "DELETE FROM analyst",
        ],
    )
    def test_an_edit_behind_the_record_is_found(self, ledger: Ledger, edit: str) -> None:
        ledger.put_analyst("ana", "x")
        ledger._write(lambda db: db.run(edit))
        with pytest.raises(LedgerError, match="Who may log in is not what was recorded"):
            ledger.verify()


class TestInSqlite(AnalystsContract):
    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        return tmp_path / "ledger"

    @pytest.fixture
    def ledger(self, path: Path) -> Iterator[Ledger]:
        with open_ledger(path) as ledger:
            yield ledger

    def test_they_outlive_the_connection(self, ledger: Ledger, path: Path) -> None:
        ledger.put_analyst("ana", "x")
        with open_ledger(path) as other:
            assert other.analysts() == ledger.analysts()
            other.drop_analyst("ana")
        assert ledger.analysts() == []

    @pytest.mark.parametrize(
        "change",
        [
            "DROP TRIGGER {trigger}",
            "ALTER TABLE analyst ADD COLUMN more TEXT",
            "CREATE TABLE more (x TEXT)",
            "CREATE TRIGGER more AFTER INSERT ON entry BEGIN DELETE FROM analyst; END",
            "CREATE INDEX more ON analyst (verifier)",
        ],
    )
    def test_other_tables_are_still_watched(self, ledger: Ledger, path: Path, change: str) -> None:
        ledger.charge(cost())
        ledger.put_analyst("ana", "x")
        ledger.verify()
        db = sqlite3.connect(path, isolation_level=None)
        [trigger] = db.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger' LIMIT 1").fetchone()
        db.execute(change.format(trigger=trigger))
        db.close()
        with pytest.raises(LedgerError, match=r"not those that were made|changed"):
            ledger.verify()

    def test_in_memory(self) -> None:
        with SqliteLedger(None) as ledger:
            ledger.put_analyst("ana", "x")
            assert [one.name for one in ledger.analysts()] == ["ana"]


class TestInPostgres(AnalystsContract):
    @pytest.fixture
    def ledger(self, url: str) -> Iterator[Ledger]:
        with PostgresLedger(url) as ledger:
            yield ledger

    def test_they_outlive_the_connection(self, ledger: Ledger, url: str) -> None:
        ledger.put_analyst("ana", "x")
        with PostgresLedger(url) as other:
            assert other.analysts() == ledger.analysts()
