"""Stopping what runs, at any moment."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

import duckdb
import pytest

from dpduck.answers.results import Result, text_rows, unmet
from dpduck.engines.duckdb.engine import DuckEngine
from dpduck.kernel.cancellation import Interrupted, Interrupts, Progress
from tests.query.trees import written


class Work:
    def __init__(self) -> None:
        self.told = 0

    def interrupt(self) -> None:
        self.told += 1


def test_what_runs_is_stopped_and_nothing_else() -> None:
    interrupts, works = Interrupts(), [Work(), Work(), Work()]
    with interrupts.during(works[0]):
        pass
    with interrupts.during(works[1]), interrupts.during(works[2]):
        interrupts.stop()
    assert [work.told for work in works] == [0, 1, 1]
    assert interrupts.stopped


def test_nothing_begins_until_it_is_cleared() -> None:
    interrupts, work = Interrupts(), Work()
    interrupts.stop()
    for _ in range(2):
        with pytest.raises(Interrupted), interrupts.during(work):
            raise AssertionError("it began")
    interrupts.clear()
    assert not interrupts.stopped
    with interrupts.during(work):
        pass
    assert work.told == 0


def test_a_stop_says_what_was_charged_by_then() -> None:
    rows = replace(text_rows(["c0"], [("1",)]), charged="0.5")
    interrupts = Interrupts()
    with duckdb.connect() as database:
        result = Result.of_rows(rows, database, interrupts)
        interrupts.stop()
        for ask in (result.arrow, result.df, lambda: Result.of_rows(rows, database, interrupts)):
            with pytest.raises(Interrupted) as stopped:
                ask()
            assert (stopped.value.charged, stopped.value.sqlstate) == ("0.5", "57014")
        with pytest.raises(Interrupted) as stopped:
            unmet([], rows, database, interrupts)
        assert stopped.value.charged == "0.5"
    with pytest.raises(Interrupted) as stopped:
        interrupts.check()
    assert stopped.value.detail == "Nothing was charged."


def test_work_that_fails_is_over_too() -> None:
    interrupts, work = Interrupts(), Work()
    with pytest.raises(KeyError), interrupts.during(work):
        raise KeyError
    interrupts.stop()
    assert work.told == 0


def test_a_query_of_duckdb_ends() -> None:
    interrupts, begun = Interrupts(), threading.Event()
    failures: list[BaseException] = []

    def run() -> None:
        with duckdb.connect(config={"threads": 1}) as db, db.cursor() as cursor:
            try:
                with interrupts.during(cursor):
                    begun.set()
                    cursor.execute("SELECT count(*) FROM range(100000000000) t(a) WHERE a % 7 = 3")
            except duckdb.InterruptException as error:
                failures.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    assert begun.wait(10)
    started = time.monotonic()
    while thread.is_alive() and time.monotonic() - started < 20:
        interrupts.stop()  # again and again: DuckDB forgets one that comes before its query begins
        thread.join(0.05)
    assert not thread.is_alive()
    assert len(failures) == 1


def test_many_threads() -> None:
    interrupts, works = Interrupts(), [Work() for _ in range(8)]
    refused = []

    def run(work: Work) -> None:
        for _ in range(500):
            try:
                with interrupts.during(work):
                    pass
            except Interrupted:
                refused.append(work)

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for _ in range(200):
        interrupts.stop()
        interrupts.clear()
    for thread in threads:
        thread.join(20)
    assert not interrupts._running
    assert not interrupts.stopped


def test_how_far_a_reading_is() -> None:
    interrupts, shares = Interrupts(), iter([-1.0, 12.5])
    assert interrupts.progress() == Progress()
    with interrupts.during(Work()):
        assert interrupts.progress() == Progress()  # this reads nothing that an answer is made of
    with interrupts.during(Work(), lambda: next(shares)):
        assert interrupts.progress() == Progress(1, True, None)
        assert interrupts.progress() == Progress(1, True, 12.5)
    assert interrupts.progress() == Progress(1)
    with interrupts.during(Work(), lambda: 50.0):
        assert interrupts.progress() == Progress(2, True, 50.0)
    interrupts.clear()
    assert interrupts.progress() == Progress()


@pytest.mark.slow
@pytest.mark.parametrize("followed", [False, True])
def test_duckdb_keeps_count_only_if_somebody_follows(
    followed: bool, capfd: pytest.CaptureFixture[str]
) -> None:
    interrupts = Interrupts()
    interrupts.followed = followed
    seen: set[bool] = set()
    with duckdb.connect(config={"threads": 1}) as db:
        db.execute("CREATE TABLE t AS SELECT range AS a FROM range(6000000)")

        def read() -> None:
            with DuckEngine(db).open(interrupts) as reader:
                reader.read(written("SELECT count(DISTINCT hash(a)) FROM t"))

        thread = threading.Thread(target=read)
        thread.start()
        while thread.is_alive():
            done = interrupts.progress()
            seen.add(done.percent is not None)
            time.sleep(0.005)
        thread.join()
    assert (True in seen) == followed
    assert capfd.readouterr() == ("", "")


def test_a_connection_that_forbids_it_is_read_all_the_same() -> None:
    interrupts = Interrupts()
    interrupts.followed = True
    with duckdb.connect() as db:
        db.execute("SET lock_configuration = true")
        with DuckEngine(db).open(interrupts) as reader:
            assert reader.read(written("SELECT 1 AS a")).to_pylist() == [{"a": 1}]
