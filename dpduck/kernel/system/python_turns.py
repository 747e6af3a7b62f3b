"""How many threads of a server run Python at once.

Python runs one thread at a time, and any that waits for its lock may be next. Where fifty threads plan
queries, the event loop, which answers replays in passing, waits for some of the fifty each time it has sent a
message. So a thread begins only while few others run; one that waits, for DuckDB, a disk or a clock, lets
another begin. When it comes back it goes on at once: no two threads can wait for each other.

A turn counts for a tenth of a second at most: what takes longer, for whatever reason, holds up nobody else.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

_SLICE = 0.1  # seconds: several times what a query takes to plan
_SWITCH = 0.0005  # seconds


def switch_often() -> None:
    """Let a thread that waits for Python's lock have it sooner than after Python's own five milliseconds.

    A request takes the lock some twenty times, each time after it has waited for something else; while one
    long statement is planned, that alone would take a tenth of a second.
    """
    sys.setswitchinterval(_SWITCH)


class PythonTurns:
    """The turns of a server's threads.

    Input: `most`: how many that count may run when one more begins; `seconds`: for how long a turn counts.
    """

    def __init__(self, most: int, seconds: float = _SLICE) -> None:
        self._most, self._slice = most, seconds
        self._began: dict[int, float] = {}  # by thread, of those that run
        self._changed = threading.Condition(threading.Lock())

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Run in a turn, and wait for it."""
        with self._changed:
            while (seconds := self._seconds_until_free()) > 0:
                self._changed.wait(seconds)
            self._run()
        try:
            yield
        finally:
            self._end()

    @contextmanager
    def let_go(self) -> Iterator[None]:
        """Let another thread begin, within a turn."""
        self._end()
        try:
            yield
        finally:
            with self._changed:
                self._run()

    def _seconds_until_free(self) -> float:
        """How long until fewer run than may, if no turn ends before; 0 for now."""
        now = time.monotonic()
        left = sorted(began + self._slice - now for began in self._began.values())
        counting = [seconds for seconds in left if seconds > 0]
        return counting[-self._most] if len(counting) >= self._most else 0.0

    def _run(self) -> None:
        self._began[threading.get_ident()] = time.monotonic()
        _of_thread.turns = self

    def _end(self) -> None:
        _of_thread.turns = None
        with self._changed:
            self._began.pop(threading.get_ident(), None)
            self._changed.notify()


class _OfThread(threading.local):
    turns: PythonTurns | None = None


_of_thread = _OfThread()


@contextmanager
def waiting() -> Iterator[None]:
    """Do what waits for something else than Python. A generator must not be left at a `yield` within it."""
    turns = _of_thread.turns
    if turns is None:
        yield
    else:
        with turns.let_go():
            yield
