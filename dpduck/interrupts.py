"""Stopping a query that runs, from another thread."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Interruptible(Protocol):
    """What can be told to stop, such as a cursor of DuckDB."""

    def interrupt(self) -> None:
        """Stop what runs now."""


class Interrupted(Exception):  # noqa: N818 (it is no error)
    """The work was told to stop before it began."""


class Interrupts:
    """What runs for one session, so that it can be stopped."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: set[Interruptible] = set()
        self._stopped = False

    @contextmanager
    def during(self, work: Interruptible) -> Iterator[None]:
        """Let the work be stopped while the block runs. Errors: Interrupted, if that was said before."""
        with self._lock:
            if self._stopped:
                raise Interrupted
            self._running.add(work)
        try:
            yield
        finally:
            with self._lock:
                self._running.discard(work)

    def stop(self) -> None:
        """Stop what runs, and let nothing begin until `clear`."""
        with self._lock:
            self._stopped = True
            for work in self._running:
                work.interrupt()

    @property
    def stopped(self) -> bool:
        """Whether it was told to stop."""
        return self._stopped

    def clear(self) -> None:
        """Work may begin again."""
        with self._lock:
            self._stopped = False
