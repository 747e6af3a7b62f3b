"""Turns of a server's threads: few begin at once, and none waits for one that waits."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from dpduck.kernel.system.python_turns import PythonTurns, waiting

SECONDS = 30


class Thread:
    """A thread that takes a turn and keeps it until it is told to go on."""

    def __init__(self, turns: PythonTurns, inside: Callable[[], None] = lambda: None) -> None:
        self.begun, self.may_end = threading.Event(), threading.Event()
        self._turns, self._inside = turns, inside
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        with self._turns.turn():
            self.begun.set()
            self._inside()
            assert self.may_end.wait(SECONDS)

    def end(self) -> None:
        self.may_end.set()
        self._thread.join(SECONDS)
        assert not self._thread.is_alive()


@contextmanager
def ended(*threads: Thread) -> Iterator[None]:
    try:
        yield
    finally:
        for thread in threads:
            thread.may_end.set()
        for thread in threads:
            thread.end()


def test_one_begins_when_another_ends() -> None:
    turns = PythonTurns(1, SECONDS)
    first = Thread(turns)
    assert first.begun.wait(SECONDS)
    second = Thread(turns)
    with ended(second):
        assert not second.begun.wait(0.2)
        first.end()
        assert second.begun.wait(SECONDS)


def test_one_that_waits_lets_another_begin_and_comes_back_at_once() -> None:
    turns = PythonTurns(1, SECONDS)
    is_back, comes_back = threading.Event(), threading.Event()

    def wait() -> None:
        with waiting():
            assert comes_back.wait(SECONDS)
        is_back.set()

    first = Thread(turns, wait)
    assert first.begun.wait(SECONDS)
    second = Thread(turns)
    third = Thread(turns)
    with ended(first, second, third):
        while not (second.begun.is_set() or third.begun.is_set()):
            time.sleep(0.01)
        comes_back.set()
        assert is_back.wait(SECONDS)  # although another has the turn meanwhile
        assert not (second.begun.is_set() and third.begun.is_set())


def test_one_that_came_back_counts() -> None:
    turns = PythonTurns(1, SECONDS)

    def wait() -> None:
        with waiting():
            pass

    first = Thread(turns, wait)
    assert first.begun.wait(SECONDS)
    second = Thread(turns)
    with ended(second):
        assert not second.begun.wait(0.2)
        first.end()
        assert second.begun.wait(SECONDS)


def test_an_error_ends_a_turn() -> None:
    turns = PythonTurns(1, SECONDS)
    with pytest.raises(ZeroDivisionError), turns.turn():
        with pytest.raises(KeyError), waiting():
            raise KeyError
        raise ZeroDivisionError
    then = Thread(turns)
    assert then.begun.wait(SECONDS)
    then.end()


def test_without_a_turn_there_is_nothing_to_let_go() -> None:
    turns = PythonTurns(1, SECONDS)
    with waiting():
        pass
    with turns.turn(), waiting(), waiting():  # the inner one is within the outer one's
        pass
    first = Thread(turns)
    assert first.begun.wait(SECONDS)
    second = Thread(turns)
    with ended(first, second):
        assert not second.begun.wait(0.2)


def test_a_turn_counts_for_a_while_only() -> None:
    turns = PythonTurns(1)
    first = Thread(turns)
    assert first.begun.wait(SECONDS)
    second, third = Thread(turns), Thread(turns)
    with ended(first, second, third):
        assert second.begun.wait(SECONDS)  # although no turn has ended
        assert third.begun.wait(SECONDS)


def test_each_of_two_turns_counts() -> None:
    turns = PythonTurns(2, SECONDS)
    first, second = Thread(turns), Thread(turns)
    assert first.begun.wait(SECONDS)
    assert second.begun.wait(SECONDS)
    third = Thread(turns)
    with ended(second, third):
        assert not third.begun.wait(0.2)
        first.end()
        assert third.begun.wait(SECONDS)
