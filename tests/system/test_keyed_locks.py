"""Locks by key: one thread at a time for each, and none waits for a thread that has another."""

from __future__ import annotations

import threading
import time

import pytest

from dpduck.kernel.system.keyed_locks import KeyedLocks
from dpduck.kernel.system.python_turns import PythonTurns

SECONDS = 30


def nothing() -> None:
    """There is nothing to stop for."""


def test_each_key_is_had_by_one_thread_at_a_time() -> None:
    locks, inside, most, times = KeyedLocks(), [0], [0], []

    def work() -> None:
        for _ in range(50):
            with locks.held("key", nothing):
                inside[0] += 1
                most[0] = max(most[0], inside[0])
                time.sleep(0.0002)
                inside[0] -= 1
            times.append(1)

    threads = [threading.Thread(target=work, daemon=True) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SECONDS)
    assert most == [1]
    assert len(times) == 200


def test_other_keys_are_free_and_an_error_gives_one_back() -> None:
    locks = KeyedLocks()
    with pytest.raises(ZeroDivisionError), locks.held("a", nothing), locks.held("b", nothing):
        assert locks.is_held("a")
        assert locks.is_held("b")
        raise ZeroDivisionError
    assert not locks.is_held("a")
    assert not locks.is_held("b")


def test_a_thread_that_is_told_to_stop_waits_no_longer() -> None:
    locks = KeyedLocks()

    def stop() -> None:
        raise TimeoutError

    with locks.held("key", nothing), pytest.raises(TimeoutError), locks.held("key", stop):
        pass
    assert not locks.is_held("key")


def test_a_thread_that_waits_lets_others_run() -> None:
    locks, turns, done = KeyedLocks(), PythonTurns(1), threading.Event()

    def second() -> None:
        with turns.turn(), locks.held("key", nothing):
            pass

    def third() -> None:
        with turns.turn():
            done.set()

    threads = [threading.Thread(target=work, daemon=True) for work in (second, third)]
    with locks.held("key", nothing):
        for thread in threads:
            thread.start()
        assert done.wait(SECONDS)
    for thread in threads:
        thread.join(SECONDS)
        assert not thread.is_alive()
