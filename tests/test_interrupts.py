"""Stopping what runs, at any moment."""

from __future__ import annotations

import threading
import time

import duckdb
import pytest

from dpduck.interrupts import Interrupted, Interrupts


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
