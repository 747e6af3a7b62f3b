"""Ctrl-C while a query runs: what is stopped, what is returned, what is said."""

from __future__ import annotations

import threading
from collections.abc import Callable
from fractions import Fraction

import pytest

from dpduck.cli.worker import interruptible
from dpduck.database import Source
from dpduck.errors import ExecutionError
from dpduck.shell.cancelling import CancelledError, StillBusyError, Watch, run_cancellable

ENDLESS = "SELECT count(*) FROM range(100000000) a(i), range(100000000) b(j) WHERE i * j % 7 = 3"


def pressed_when(ready: threading.Event) -> Callable[[Callable[[], None]], None]:
    """Ctrl-C once the work says so."""

    def wait(work: Callable[[], None]) -> None:
        threading.Thread(target=work, daemon=True).start()
        assert ready.wait(10)
        raise KeyboardInterrupt

    return wait


def test_a_query_of_a_cursor_is_stopped(source: Source) -> None:
    watch, running = Watch(), threading.Event()
    watched = watch.over(source)

    def work() -> object:
        with watched.connection.cursor() as cursor:
            running.set()
            return cursor.sql(ENDLESS).to_arrow_table()

    with pytest.raises(CancelledError) as caught:
        run_cancellable(work, pressed_when(running), watch.cancel)
    assert str(caught.value) == "cancelled\nDETAIL: Nothing was charged."
    assert watched.connection.execute("SELECT 1").fetchall() == [(1,)]


def test_what_was_charged_is_said() -> None:
    stop, running = threading.Event(), threading.Event()

    def work() -> None:
        running.set()
        stop.wait(10)
        raise ExecutionError(charged="0.5")

    with pytest.raises(CancelledError, match=r"The charge stays\. Epsilon 0\.5 was charged\."):
        run_cancellable(work, pressed_when(running), stop.set)


def test_an_answer_that_is_there_is_given() -> None:
    stop, running = threading.Event(), threading.Event()

    def work() -> int:
        running.set()
        stop.wait(10)
        return 7

    assert run_cancellable(work, pressed_when(running), stop.set) == 7


def test_work_that_has_not_begun_never_does() -> None:
    begun: list[Callable[[], None]] = []

    def wait(work: Callable[[], None]) -> None:
        begun.append(work)
        raise KeyboardInterrupt

    done: list[int] = []
    with pytest.raises(CancelledError):
        run_cancellable(lambda: done.append(1), wait, lambda: None)
    begun[0]()
    assert done == []


def test_a_second_ctrl_c_leaves_it_to_itself() -> None:
    stop, running = threading.Event(), threading.Event()

    def work() -> None:
        running.set()
        stop.wait(10)

    def cancel() -> None:
        raise KeyboardInterrupt

    with pytest.raises(StillBusyError):
        run_cancellable(work, pressed_when(running), cancel)
    stop.set()


def test_without_ctrl_c_it_is_the_work() -> None:
    assert run_cancellable(lambda: Fraction(1), interruptible, lambda: None) == 1
    with pytest.raises(ZeroDivisionError):
        run_cancellable(lambda: Fraction(1) / 0, interruptible, lambda: None)
