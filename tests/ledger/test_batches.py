"""Group commit: many writes in one transaction, of which each is admitted, refused and told by itself."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from dpduck.kernel.errors import BudgetExceededError, InternalError, LedgerError
from dpduck.kernel.ledger import Account, Cap, Ledger, StoredRelease, open_ledger
from dpduck.kernel.ledger import transactions as t
from dpduck.kernel.ledger.anchor import FileAnchor, Mark
from dpduck.kernel.ledger.batches import Batches, Write
from dpduck.kernel.ledger.sqlite import SqliteLedger
from tests.ledger.contract import PEOPLE, cost, spent
from tests.ledger.processes import fork, kill, race, start, wait

THREADS = 16


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "shop.ledger"


@pytest.fixture
def ledger(path: Path) -> Iterator[SqliteLedger]:
    with SqliteLedger(path, anchor=FileAnchor(path.with_suffix(".anchor"))) as ledger:
        yield ledger


def charging(amount: str = "0.1", session: str = "ana") -> Write[int]:
    """A charge, as a thread would give it to a batch."""
    charge = cost(amount, session=session, accounts=(Account("session", session), PEOPLE))
    return Write(lambda db: t.add_charge(db, charge), lambda _: charge.cost.epsilon)


def together(work: Callable[[int], object], count: int = THREADS) -> list[object]:
    """What threads that begin at once get, or the error that they get."""
    gate, results = threading.Barrier(count), [None] * count

    def run(number: int) -> None:
        gate.wait()
        try:
            results[number] = work(number)  # type: ignore[call-overload]
        except LedgerError as error:
            results[number] = error  # type: ignore[call-overload]
        except BudgetExceededError as error:
            results[number] = error  # type: ignore[call-overload]

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
    return list(results)


class TestOneBatch:
    def test_each_charge_sees_those_before_it(self, ledger: SqliteLedger) -> None:
        ledger.set_cap(PEOPLE, Cap(Fraction("0.3")))
        batch = [charging(), charging("0.15"), charging("0.1"), charging("0.05"), charging("0.01")]
        ledger._commit(batch)
        assert [write.value for write in batch if write.failure is None] == [1, 2, 3]
        refused = [write.failure for write in batch if write.failure is not None]
        assert [type(error) for error in refused] == [BudgetExceededError] * 2
        assert refused[0] is not refused[1]
        assert spent(ledger, PEOPLE)[0] == Fraction("0.3")
        ledger.verify()

    def test_all_of_it_is_one_transaction_and_one_line_of_the_anchor(
        self, ledger: SqliteLedger, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        marks: list[int] = []
        write, said = FileAnchor.write, []
        monkeypatch.setattr(
            FileAnchor, "write", lambda self, mark, has: marks.append(mark.number) or write(self, mark, has)
        )
        ledger._connected().set_trace_callback(said.append)
        batch = [charging() for _ in range(10)]
        ledger._commit(batch)
        assert [text for text in said if text in ("BEGIN IMMEDIATE", "COMMIT")] == [
            "BEGIN IMMEDIATE",
            "COMMIT",
        ]
        head = ledger.head()
        assert marks == [head.number]
        [anchored] = [ledger._anchor.read() if ledger._anchor else None]
        assert anchored == Mark(ledger._id, head.number, head.hash)

    def test_what_a_refused_write_had_written_is_undone(self, ledger: SqliteLedger) -> None:
        def half(db: t.Transaction) -> int:
            t.add_charge(db, cost("0.5"))
            raise InternalError("half of it is written")

        batch = [charging(), Write(half, lambda _: 0), charging()]
        ledger._commit(batch)
        assert [type(write.failure) for write in batch] == [type(None), InternalError, type(None)]
        assert [entry.epsilon for entry in ledger.entries()] == [Fraction("0.1")] * 2
        ledger.verify()

    @pytest.mark.parametrize("error", [sqlite3.IntegrityError("no"), OverflowError("too large")])
    def test_what_breaks_a_transaction_breaks_no_other_write(
        self, ledger: SqliteLedger, error: Exception
    ) -> None:
        def broken(db: t.Transaction) -> int:
            t.add_charge(db, cost("0.5"))
            raise error

        batch = [charging(), Write(broken, lambda _: 0), charging()]
        ledger._commit(batch)
        assert [write.failure is None for write in batch] == [True, False, True]
        assert [entry.epsilon for entry in ledger.entries()] == [Fraction("0.1")] * 2
        ledger.verify()

    def test_a_store_that_cannot_be_written_tells_each(self, path: Path) -> None:
        with SqliteLedger(path, busy_seconds=0.1) as ledger:
            other = sqlite3.connect(path, isolation_level=None)
            other.execute("BEGIN IMMEDIATE")
            batch = [charging(), charging()]
            ledger._commit(batch)
            other.close()
            first, second = (write.failure for write in batch)
            assert isinstance(first, LedgerError)
            assert isinstance(second, LedgerError)
            assert first is not second
            assert str(first) == str(second)
            assert not ledger.entries()

    def test_an_anchor_that_fails_gives_no_answer_to_any(self, path: Path, tmp_path: Path) -> None:
        ledger = SqliteLedger(path, anchor=FileAnchor(tmp_path / "anchor"))
        (tmp_path / "anchor").unlink()
        (tmp_path / "anchor").mkdir()
        batch = [charging("0.1"), charging("0.2")]
        ledger._commit(batch)
        failures = [write.failure for write in batch]
        assert all(isinstance(error, LedgerError) for error in failures)
        assert [error.charged for error in failures if isinstance(error, LedgerError)] == ["0.1", "0.2"]
        assert len(ledger.entries()) == 2  # charged, since they are on record
        ledger.close()


class TestManyThreads:
    def test_the_cap_is_exact(self, ledger: SqliteLedger) -> None:
        ledger.set_cap(PEOPLE, Cap(Fraction(5)))

        def work(number: int) -> int:
            done = 0
            while True:
                try:
                    ledger.charge(charge(number))
                except BudgetExceededError:
                    return done
                done += 1

        def charge(number: int) -> Any:
            return cost("0.1", session=f"s{number}", accounts=(Account("session", f"s{number}"), PEOPLE))

        assert sum(map(int, together(work))) == 50  # type: ignore[call-overload]
        assert spent(ledger, PEOPLE) == (5, 0)
        assert [entry.seq for entry in ledger.entries()] == list(range(1, 51))
        ledger.verify()

    def test_writes_that_wait_share_a_transaction(
        self, ledger: SqliteLedger, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        sizes: list[int] = []
        commit = ledger._commit

        def slow(batch: Sequence[Write[Any]]) -> None:
            sizes.append(len(batch))
            if len(sizes) == 1:
                waiting.wait(60)  # until all others wait
            commit(batch)

        ledger._batches = Batches(slow)
        waiting = threading.Event()

        def work(number: int) -> int:
            if number:
                while not sizes:
                    pass
            return ledger.charge(cost(session=f"s{number}"))

        watch = threading.Thread(target=_when, args=(lambda: len(ledger._batches._waiting) == 15, waiting))
        watch.start()
        results = together(work)
        watch.join()
        assert sizes == [1, 15]
        assert sorted(map(int, results)) == list(range(1, 17))  # type: ignore[call-overload]

    def test_each_answer_is_that_of_its_own_thread(self, ledger: SqliteLedger) -> None:
        def work(number: int) -> bool:
            name = f"s{number}"
            seq = ledger.charge(cost(session=name))
            ledger.settle(seq, answer=StoredRelease("subject", "1", name, "[]"))
            return [entry.seq for entry in ledger.entries(name)] == [seq]

        assert together(work) == [True] * THREADS
        assert len(ledger.kept("subject", "1")) == THREADS
        ledger.verify()

    def test_reads_do_not_wait_for_a_write(self, ledger: SqliteLedger) -> None:
        """A write that is made durable just now keeps no reader waiting, and is not seen by any."""
        ledger.charge(cost())
        inside, go_on = threading.Event(), threading.Event()

        def stay(db: t.Transaction) -> int:
            seq = t.add_charge(db, cost())
            inside.set()
            go_on.wait(60)
            return seq

        writer = threading.Thread(target=lambda: ledger._append(stay))
        writer.start()
        inside.wait(60)
        try:
            assert len(ledger.entries()) == 1
            found = ledger.new_answers(0, waits=False)
            assert found is not None
            assert found.answers == ()
        finally:
            go_on.set()
            writer.join()
        assert len(ledger.entries()) == 2

    def test_an_interrupted_leader_leaves_nobody_waiting(self, ledger: SqliteLedger) -> None:
        commit, first = ledger._commit, threading.Event()

        def interrupted(batch: Sequence[Write[Any]]) -> None:
            if not first.is_set():
                first.set()
                _until(lambda: len(ledger._batches._waiting) == 3)
                raise KeyboardInterrupt
            commit(batch)

        ledger._batches = Batches(interrupted)

        def work(number: int) -> object:
            try:
                return ledger.charge(cost(session=f"s{number}"))
            except KeyboardInterrupt:
                return "interrupted"

        results = together(work, 4)
        assert results.count("interrupted") == 1
        assert sorted(one for one in results if isinstance(one, int)) == [1, 2, 3]

    @pytest.mark.slow
    @pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
    def test_forks_while_threads_charge(self, ledger: Ledger) -> None:
        over = threading.Event()

        def work(number: int) -> int:
            if number == 0:
                try:
                    for _ in range(5):
                        wait(fork(lambda: ledger.charge(cost(session="child"))))
                finally:
                    over.set()
                return 5
            done = 0
            while not over.is_set():
                ledger.charge(cost(session=f"s{number}"))
                done += 1
            return done

        done = together(work, 4)
        assert len(ledger.entries()) == sum(map(int, done))  # type: ignore[call-overload]
        ledger.verify()


def _until(holds: Callable[[], bool]) -> None:
    while not holds():
        threading.Event().wait(0.001)


def _when(holds: Callable[[], bool], event: threading.Event) -> None:
    _until(holds)
    event.set()


@pytest.mark.slow
def test_a_kill_in_the_middle_of_batches_loses_no_charge_that_was_told(path: Path) -> None:
    script = """
import os, threading
ledger = open_ledger(path)
def work(number):
    charge = Charge(NoisyCount(Fraction(1, 10)), "ana", "SELECT 1", (Account("session", f"s{number}"),))
    while True:
        os.write(1, b"%d\\n" % ledger.charge(charge))  # one line at once, whatever other threads write
for number in range(16):
    threading.Thread(target=work, args=(number,)).start()
"""
    before = 0
    for lines in (1, 20, 60):
        process = start(script, path)
        assert process.stdout is not None
        told = [process.stdout.readline() for _ in range(lines)]
        told += kill(process)
        numbers = {int(line) for line in told if line.strip()}
        with open_ledger(path) as ledger:
            entries = ledger.entries()
            assert numbers <= {entry.seq for entry in entries}
            # A batch that was on disk when it was killed may not have been told yet: one for each thread.
            assert len(entries) - before - len(numbers) <= 16
            assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
            ledger.verify()
            before = len(entries)


@pytest.mark.slow
def test_threads_of_processes_race_to_the_cap_exactly(path: Path) -> None:
    script = """
import threading
wait_until(begin())
done = []
def work(number):
    while True:
        try:
            done.append(ledger.charge(TENTH))
        except BudgetExceededError:
            return
with open_ledger(path) as ledger:
    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
print(len(done))
"""
    assert sum(map(int, race([start(script, path) for _ in range(4)]))) == 400
    with open_ledger(path) as ledger:
        assert spent(ledger, PEOPLE) == (40, 0)
        assert [entry.seq for entry in ledger.entries()] == list(range(1, 401))
        ledger.verify()
