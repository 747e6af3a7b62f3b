"""How many threads of a server run Python at once.

Python runs one thread at a time, and any that waits for its lock may be next. Where fifty threads plan
queries, the event loop, which answers replays in passing, waits for some of the fifty each time it has sent a
message. So a thread begins only while few others run; one that waits, for DuckDB, a disk or a clock, lets
another begin. When it comes back it goes on at once: no two threads can wait for each other.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

_PATIENCE = 5.0  # seconds: longer than the Python of any statement, less than one that DuckDB is busy with


class PythonTurns:
    """The turns of a server's threads. Input: `most`: how many may run when one more begins."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._running = 0
        self._changed = threading.Condition(threading.Lock())

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Run in a turn. It is waited for, except behind threads that do not say that they wait."""
        with self._changed:
            self._changed.wait_for(lambda: self._running < self._most, _PATIENCE)
            self._running += 1
        _of_thread.turns = self
        try:
            yield
        finally:
            _of_thread.turns = None
            self._end()

    @contextmanager
    def let_go(self) -> Iterator[None]:
        """Let another thread begin, within a turn."""
        self._end()
        _of_thread.turns = None
        try:
            yield
        finally:
            _of_thread.turns = self
            with self._changed:
                self._running += 1

    def _end(self) -> None:
        with self._changed:
            self._running -= 1
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
