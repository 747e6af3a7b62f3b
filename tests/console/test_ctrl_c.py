"""Ctrl-C while a query runs: what is stopped, what is returned, what is said."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from fractions import Fraction

import duckdb
import pytest

from dpduck.answers.results import Result
from dpduck.doors.console.ctrl_c import CancelledError, StillBusyError, run_cancellable
from dpduck.engines.duckdb import public_facts
from dpduck.engines.duckdb.public_facts import PublicFacts
from dpduck.kernel.cancellation import Interrupts
from dpduck.kernel.catalog.model import Table
from dpduck.kernel.errors import ExecutionError
from dpduck.kernel.tree import build
from dpduck.kernel.tree.relations import SelectQuery, TableScan

ENDLESS = "SELECT count(*) FROM range(100000000) a(i), range(100000000) b(j) WHERE i * j % 7 = 3"


class Stopped:
    """Work that ends when it is told to, and in the end does what is given."""

    def __init__(self, interrupts: Interrupts, then: Callable[[], object] = lambda: None) -> None:
        self._interrupts, self._then = interrupts, then
        self._told = threading.Event()

    def interrupt(self) -> None:
        self._told.set()

    def __call__(self) -> object:
        with self._interrupts.during(self):
            press()
            assert self._told.wait(10)
        return self._then()


def press() -> None:
    """Ctrl-C."""
    signal.raise_signal(signal.SIGINT)


@pytest.fixture
def interrupts() -> Iterator[Interrupts]:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield Interrupts()
    signal.signal(signal.SIGINT, before)


def cancelled(work: Callable[[], object], interrupts: Interrupts) -> str:
    started = time.monotonic()
    with pytest.raises(CancelledError) as caught:
        run_cancellable(work, interrupts)
    assert time.monotonic() - started < 10
    assert not interrupts.stopped
    return str(caught.value)


def pressed_soon() -> None:
    threading.Timer(0.5, press).start()


@pytest.mark.slow
def test_a_query_on_public_rows_is_stopped(interrupts: Interrupts) -> None:
    with duckdb.connect() as con:
        pressed_soon()
        said = cancelled(lambda: Result(ENDLESS, con.cursor, interrupts=interrupts), interrupts)
        assert said == "cancelled\nDETAIL: Nothing was charged."
        assert Result("SELECT 1", con.cursor, interrupts=interrupts).fetchall() == [(1,)]


@pytest.mark.slow
def test_planning_is_stopped(interrupts: Interrupts, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(public_facts, "sql", lambda _: ENDLESS)
    query = SelectQuery((build.digits(1),), TableScan(Table("memory", "main", "t", ()), "t"))
    with duckdb.connect() as con:
        facts = PublicFacts(con, interrupts)
        pressed_soon()
        said = cancelled(lambda: facts._rows(query), interrupts)
    assert said == "cancelled\nDETAIL: Nothing was charged."


def test_what_was_charged_is_said(interrupts: Interrupts) -> None:
    def fail() -> None:
        raise ExecutionError(charged="0.5")

    assert cancelled(Stopped(interrupts, fail), interrupts) == (
        "cancelled\nDETAIL: The charge stays: how much was read before it stopped can no longer be told. "
        "Epsilon 0.5 was charged."
    )


def test_an_answer_that_is_there_is_given(interrupts: Interrupts) -> None:
    assert run_cancellable(Stopped(interrupts, lambda: 7), interrupts) == 7


def test_what_comes_next_does_not_begin(interrupts: Interrupts) -> None:
    begun = []

    def more() -> None:
        interrupts.check()
        begun.append(1)

    assert "Nothing was charged" in cancelled(Stopped(interrupts, more), interrupts)
    assert begun == []


def test_a_second_ctrl_c_leaves_it_to_itself(interrupts: Interrupts) -> None:
    ends = threading.Event()

    def work() -> None:
        press()
        time.sleep(0.3)
        press()
        assert ends.wait(10)

    with pytest.raises(StillBusyError):
        run_cancellable(work, interrupts)
    ends.set()


def test_without_ctrl_c_it_is_the_work(interrupts: Interrupts) -> None:
    assert run_cancellable(lambda: Fraction(1), interrupts) == 1
    with pytest.raises(ZeroDivisionError):
        run_cancellable(lambda: Fraction(1) / 0, interrupts)
