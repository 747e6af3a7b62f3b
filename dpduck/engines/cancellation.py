"""What runs for a session: how far it is, and stopping it from another thread."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol


class Interruptible(Protocol):
    """What can be told to stop, such as a cursor of DuckDB."""

    def interrupt(self) -> None:
        """Stop what runs now."""


class Interrupted(Exception):  # noqa: N818 (it is no error)
    """The work was told to stop before it began."""


@dataclass(frozen=True)
class Progress:
    """How far the work is.

    `readings`: how many have begun; `running`: whether one runs now, and not what comes after it; `percent`:
    of that one, None if it is not known.
    """

    readings: int = 0
    running: bool = False
    percent: float | None = None


class Interrupts:
    """What runs for one session, so that it can be stopped, and followed.

    `followed`: whether somebody sees how far it is. That depends on the rows, as time does, so it is only for
    who sits at this machine and may read the data.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: set[Interruptible] = set()
        self._stopped = False
        self._readings = 0
        self._measure: Callable[[], float] | None = None
        self.followed = False

    @contextmanager
    def during(self, work: Interruptible, measure: Callable[[], float] | None = None) -> Iterator[None]:
        """Let the work be stopped while the block runs. Errors: Interrupted, if that was said before.

        Input: `measure`: if it reads what an answer is made of, how many percent are done, below 0 if that is
            not known.
        """
        with self._lock:
            if self._stopped:
                raise Interrupted
            self._running.add(work)
            if measure is not None:
                self._measure = measure
                self._readings += 1
        try:
            yield
        finally:
            with self._lock:
                self._running.discard(work)
                if measure is not None:
                    self._measure = None

    def progress(self) -> Progress:
        """How far the work is since `clear`."""
        with self._lock:  # so that what is asked is not closed meanwhile
            if self._measure is None:
                return Progress(self._readings)
            percent = self._measure()
            return Progress(self._readings, True, None if percent < 0 else percent)

    def stop(self) -> None:
        """Stop what runs, and let nothing begin until `clear`."""
        with self._lock:
            self._stopped = True
            for work in self._running:
                work.interrupt()

    def check(self) -> None:
        """Errors: Interrupted, if it was told to stop."""
        if self._stopped:
            raise Interrupted

    @property
    def stopped(self) -> bool:
        """Whether it was told to stop."""
        return self._stopped

    def clear(self) -> None:
        """Work may begin again, and is counted anew."""
        with self._lock:
            self._stopped = False
            self._readings = 0
