"""The ledger in a file: the contract, what lies on the disk, and what happens when it goes wrong."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from dpduck.kernel.errors import BudgetExceededError, LedgerError, ParameterError
from dpduck.kernel.ledger import Cap, Ledger, StoredRelease, open_ledger
from dpduck.kernel.ledger.sqlite import SqliteLedger
from tests.ledger.contract import ANA, PEOPLE, LedgerContract, cost, spent
from tests.ledger.processes import LIMIT, fork, kill, race, run, start, wait


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "shop.duckdb.ledger"


def refusal(call: Callable[[], object]) -> LedgerError:
    """The LedgerError of a call, which must say all that such an error says."""
    with pytest.raises(LedgerError) as caught:
        call()
    error = caught.value
    assert error.__cause__ is None
    assert error.__context__ is None
    assert error.sqlstate == "58030"
    assert error.charged == "0"
    assert "Nothing was charged." in error.detail
    assert "--ledger" in (error.hint or "")
    return error


def raw(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None)


class TestSqliteLedger(LedgerContract):
    @pytest.fixture
    def ledger(self, path: Path) -> Iterator[Ledger]:
        with open_ledger(path) as ledger:
            yield ledger

    def test_charges_outlive_the_connection(self, ledger: Ledger, path: Path) -> None:
        ledger.set_cap(ANA, Cap(Fraction(1)))
        ledger.charge(cost())
        with open_ledger(str(path)) as other:
            assert other.entries() == ledger.entries()
            assert other.budgets() == ledger.budgets()
            assert other.charge(cost()) == 2
        with pytest.raises(BudgetExceededError):
            ledger.charge(cost())

    def test_the_files_are_private(self, ledger: Ledger, path: Path) -> None:
        ledger.charge(cost())
        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
        assert len(modes) == 4  # the database, its write-ahead log and the index of that; the anchor
        assert set(modes.values()) == {0o600}

    def test_the_settings_are_durable(self, ledger: SqliteLedger) -> None:
        with ledger._lock:
            connection = ledger._connected()
            settings = [
                connection.execute(f"PRAGMA {name}").fetchone()[0]
                for name in ("journal_mode", "synchronous", "foreign_keys")
            ]
        assert settings == ["wal", 2, 1]

    @pytest.mark.parametrize(
        "statement",
        [
            "UPDATE entry SET epsilon = 0",
            "DELETE FROM entry",
            "INSERT OR REPLACE INTO entry SELECT * FROM entry",
            "UPDATE answer SET contents = ''",
            "DELETE FROM answer",
            "INSERT OR REPLACE INTO answer SELECT * FROM answer",
            "DELETE FROM account",
            "UPDATE account SET epsilon_spent = 0",
            "UPDATE account SET name = 'bob'",
            "UPDATE account SET epsilon_spent = 1.5",
        ],
    )
    def test_it_is_append_only(self, ledger: Ledger, path: Path, statement: str) -> None:
        ledger.settle(ledger.charge(cost()), answer=StoredRelease("subject", "version", "{}", "[]"))
        before = ledger.entries(), ledger.budgets()
        connection = raw(path)
        with pytest.raises(sqlite3.IntegrityError):
            connection.execute(statement)
        connection.close()
        assert (ledger.entries(), ledger.budgets()) == before
        ledger.verify()

    def test_verify_finds_what_was_tampered_with(self, ledger: Ledger, path: Path) -> None:
        ledger.charge(cost())
        connection = raw(path)
        connection.execute("UPDATE account SET epsilon_spent = epsilon_spent + 1")
        connection.close()
        error = refusal(ledger.verify)
        assert error.message == "ledger does not add up"
        assert "session 'ana'" in error.detail

    @pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
    def test_parent_and_child_go_on_after_a_fork(self, ledger: Ledger, path: Path) -> None:
        ledger.set_cap(ANA, Cap(Fraction(2)))
        ledger.charge(cost("0.5"))

        def child() -> None:
            assert ledger.charge(cost("0.5")) == 2
            # The parent closes its only connection while the child's stays open, and goes on.
            ledger.charge(cost("0.5"))

        wait(fork(child))
        ledger.charge(cost("0.5"))
        with pytest.raises(BudgetExceededError):
            ledger.charge(cost("0.5"))
        assert [entry.seq for entry in ledger.entries()] == [1, 2, 3, 4]
        ledger.verify()

    @pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
    def test_what_a_child_charges_survives_the_close_of_its_parent(self, path: Path) -> None:
        ledger = open_ledger(path)
        ledger.charge(cost())
        (heard, charged), (waiting, closed) = os.pipe(), os.pipe()

        def child() -> None:
            ledger.charge(cost())
            os.write(charged, b"1")
            os.read(waiting, 1)
            ledger.charge(cost())

        pid = fork(child)
        os.read(heard, 1)
        # If the child had no true lock of its own, this would remove the log that it writes to.
        ledger.close()
        os.write(closed, b"1")
        wait(pid)
        for pipe in (heard, charged, waiting, closed):
            os.close(pipe)
        with open_ledger(path) as again:
            assert len(again.entries()) == 3
            again.verify()


@pytest.mark.slow
def test_processes_race_to_the_cap_exactly(path: Path) -> None:
    script = """
wait_until(begin())
done = 0
with open_ledger(path) as ledger:
    while True:
        try:
            ledger.charge(TENTH)
        except BudgetExceededError:
            break
        done += 1
print(done)
"""
    racers = [start(script, path) for _ in range(8)]
    assert sum(map(int, race(racers))) == 400
    with open_ledger(path) as ledger:
        assert spent(ledger, PEOPLE) == (40, 0)
        assert len(ledger.entries()) == 400
        ledger.verify()


@pytest.mark.slow
def test_processes_race_to_make_the_same_files(path: Path) -> None:
    script = """
start = begin()
for number in range(40):
    wait_until(start + number / 50)
    with open_ledger(f"{path}-{number}") as ledger:
        ledger.charge(TENTH)
"""
    racers = [start(script, path) for _ in range(4)]
    race(racers)
    for number in range(40):
        with open_ledger(f"{path}-{number}") as ledger:
            assert len(ledger.entries()) == 4


@pytest.mark.slow
def test_a_killed_process_never_loses_a_charge(path: Path) -> None:
    script = """
ledger = open_ledger(path)
for _ in range(100_000):
    print(ledger.charge(TENTH), flush=True)
"""
    script = script.replace("TENTH", "Charge(NoisyCount(Fraction(1, 10)), 'ana', 'SELECT 1', (ANA,))")
    told = 0
    for number in (1, 7, 20):
        process = start(script, path)
        assert process.stdout is not None
        for _ in range(number):
            told = int(process.stdout.readline())
        told = int([told, *kill(process)][-1])
        with open_ledger(path) as ledger:
            entries = ledger.entries()
            # One more may be on disk, of which the process could not tell any more.
            assert told <= len(entries) <= told + 1
            assert spent(ledger)[0] == Fraction(len(entries), 10)
            ledger.verify()


@pytest.mark.slow
def test_a_kill_within_a_transaction_charges_nothing(path: Path) -> None:
    script = """
import os, signal
from dpduck.kernel.ledger import transactions
ledger = open_ledger(path)
ledger.charge(TENTH)
add = transactions._add_paid
def die(*arguments):
    add(*arguments)
    os.kill(os.getpid(), signal.SIGKILL)
transactions._add_paid = die
ledger.charge(TENTH)
"""
    process = start(script, path)
    process.communicate(timeout=LIMIT)
    assert process.returncode == -9
    with open_ledger(path) as ledger:
        assert len(ledger.entries()) == 1
        ledger.verify()


class TestBadPlaces:
    def test_a_folder_that_does_not_exist(self, tmp_path: Path) -> None:
        error = refusal(lambda: open_ledger(tmp_path / "none" / "x.ledger"))
        assert error.message == "ledger cannot be created"
        assert "no such file or directory" in error.detail

    def test_a_folder_that_cannot_be_written(self) -> None:
        assert refusal(lambda: open_ledger("/proc/x.ledger")).message == "ledger cannot be created"

    def test_a_path_under_a_file(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        error = refusal(lambda: open_ledger(tmp_path / "file" / "x.ledger"))
        assert error.message == "ledger cannot be created"

    def test_a_folder(self, tmp_path: Path) -> None:
        error = refusal(lambda: open_ledger(tmp_path))
        assert error.message == "ledger cannot be opened"
        assert repr(str(tmp_path)) in error.detail

    def test_paths_that_are_none(self) -> None:
        with pytest.raises(ParameterError, match="is no place for a ledger"):
            open_ledger("")
        refusal(lambda: open_ledger("a\0b"))
        refusal(lambda: open_ledger("/tmp/\udcff/x"))

    def test_a_path_with_signs_of_an_address(self, tmp_path: Path) -> None:
        path = tmp_path / "a?mode=memory#%41.ledger"
        with open_ledger(path) as ledger:
            ledger.charge(cost())
            assert path.exists()

    def test_an_address_whose_password_is_not_quoted(self) -> None:
        error = refusal(lambda: open_ledger("mysql://ana:secret@host/db"))
        assert error.message == "there is no ledger store for 'mysql'"
        assert "secret" not in str(error)

    def test_a_file_of_another_kind_is_left_alone(self, path: Path) -> None:
        path.write_bytes(b"item,price\n" * 100)
        assert refusal(lambda: open_ledger(path)).message == "file is not a ledger"
        assert path.read_bytes() == b"item,price\n" * 100

    def test_another_database_is_left_alone(self, path: Path) -> None:
        connection = raw(path)
        connection.execute("CREATE TABLE t (a)")
        connection.close()
        before = path.read_bytes()
        assert refusal(lambda: open_ledger(path)).message == "file is not a ledger"
        assert path.read_bytes() == before

    def test_a_later_version(self, path: Path) -> None:
        open_ledger(path).close()
        connection = raw(path)
        connection.execute("UPDATE ledger_schema SET version = 9")
        connection.close()
        error = refusal(lambda: open_ledger(path))
        assert error.message == "ledger has an unknown version"
        assert "version 9" in error.detail

    def test_an_empty_file_becomes_a_ledger(self, path: Path) -> None:
        path.touch()
        with open_ledger(path) as ledger:
            assert ledger.charge(cost()) == 1

    def test_a_file_that_may_only_be_read(self, path: Path) -> None:
        with open_ledger(path) as ledger:
            ledger.charge(cost())
            ledger._connected().execute("PRAGMA query_only = ON")  # type: ignore[attr-defined]
            assert refusal(lambda: ledger.charge(cost())).message == "ledger cannot be written"
            assert len(ledger.entries()) == 1


class TestBadTimes:
    def test_a_locked_ledger(self, path: Path) -> None:
        with SqliteLedger(path, busy_seconds=0.1) as ledger:
            ledger.charge(cost())
            other = raw(path)
            other.execute("BEGIN IMMEDIATE")
            assert refusal(lambda: ledger.charge(cost())).message == "ledger is locked"
            assert refusal(lambda: ledger.set_cap(ANA, Cap())).message == "ledger is locked"
            assert len(ledger.entries()) == 1
            other.execute("ROLLBACK")
            other.close()
            assert ledger.charge(cost()) == 2

    def test_a_ledger_that_is_locked_when_it_is_opened(self, path: Path) -> None:
        open_ledger(path).close()
        other = raw(path)
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        assert refusal(lambda: SqliteLedger(path, busy_seconds=0.1)).message == "ledger is locked"
        other.close()

    def test_a_full_disk(self, path: Path) -> None:
        with SqliteLedger(path) as ledger:
            ledger.charge(cost())
            pages = ledger._connected().execute("PRAGMA page_count").fetchone()[0]
            ledger._connected().execute(f"PRAGMA max_page_count = {pages}")
            error = refusal(lambda: ledger.charge(cost(query="x" * 100_000)))
            assert (error.message, "is full" in error.detail) == ("ledger cannot be written", True)
            assert len(ledger.entries()) == 1
            assert ledger.charge(cost()) == 2
            ledger.verify()

    @pytest.mark.slow
    def test_a_disk_that_fails(self, path: Path) -> None:
        script = """
import resource
ledger = open_ledger(path)
ledger.charge(TENTH)
size = Path(path + "-wal").stat().st_size
hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
resource.setrlimit(resource.RLIMIT_FSIZE, (size + 5000, hard))
try:
    while True:
        ledger.charge(TENTH)
except LedgerError as error:
    print(error.message)
resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
ledger.verify()
print(len(ledger.entries()), ledger.charge(TENTH))
"""
        printed = run(script, path).split("\n")
        assert printed[0] == "ledger cannot be written"
        number, following = map(int, printed[1].split())
        assert following == number + 1

    def test_a_file_that_went_away_is_not_begun_anew(self, path: Path) -> None:
        with SqliteLedger(path) as ledger:
            ledger.pause()
            path.unlink()
            ledger.resume()
            assert refusal(lambda: ledger.charge(cost())).message == "ledger cannot be opened"
            assert not path.exists()

    def test_a_commit_that_fails_is_a_refusal(self, path: Path) -> None:
        with SqliteLedger(path) as ledger:
            ledger.charge(cost())

            def denied(action: int, what: str | None, *_: object) -> int:
                ends = action == sqlite3.SQLITE_TRANSACTION and what == "COMMIT"
                return sqlite3.SQLITE_DENY if ends else sqlite3.SQLITE_OK

            ledger._connected().set_authorizer(denied)
            refusal(lambda: ledger.charge(cost()))
            ledger._connected().set_authorizer(None)
            assert len(ledger.entries()) == 1
            assert spent(ledger) == (Fraction(1, 2), 0)

    def test_a_damaged_file(self, path: Path) -> None:
        with open_ledger(path) as ledger:
            for _ in range(50):
                ledger.charge(cost(query="x" * 500))
        content = bytearray(path.read_bytes())
        content[4096:] = bytes(len(content) - 4096)
        path.write_bytes(content)
        error = refusal(lambda: open_ledger(path).charge(cost()))
        assert error.message == "ledger is damaged"
        content[:100] = os.urandom(100)
        path.write_bytes(content)
        assert refusal(lambda: open_ledger(path)).message == "file is not a ledger"

    def test_an_unknown_error_is_quoted(self, path: Path) -> None:
        open_ledger(path).close()
        connection = raw(path)
        connection.execute("DROP TABLE account")
        connection.close()
        error = refusal(lambda: open_ledger(path).charge(cost()))
        assert error.message == "ledger failed"
        assert "no such table" in error.detail
