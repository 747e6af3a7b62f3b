"""Progress and cancellation of what runs for a session."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

from dpduck.kernel.errors import DpduckError


class Interruptible(Protocol):
    """Work that can be stopped, such as a cursor of DuckDB."""

    def interrupt(self) -> None:
        """Stop what runs now."""


class Interrupted(DpduckError):  # noqa: N818 (what failed is only that it was to go on)
    """The work was stopped before it began. `charged`: what the statement had cost by then."""

    sqlstate = "57014"

    def __init__(self, *, charged: str = "0") -> None:
        super().__init__("the statement was cancelled", charged=charged)


@dataclass(frozen=True)
class Progress:
    """The progress of a session's work.

    `readings`: how many reads have begun; `running`: whether one is still running; `percent`: its progress,
    None if unknown.
    """

    readings: int = 0
    running: bool = False
    percent: float | None = None


class Interrupts:
    """The running work of one session, which can be stopped, and followed.

    `followed`: whether progress is shown. Like time, progress depends on the rows, so it is shown only to
    users of this machine who may read the data.
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
        """Allow the work to be stopped while the block runs. Errors: Interrupted, if already stopped.

        Input: `measure`: for a read of private rows, how many percent are done, negative if unknown.
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
        """The progress of the work since `clear`."""
        with self._lock:  # so that the cursor is not closed in the meantime
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
        """Errors: Interrupted, if the work was stopped."""
        if self._stopped:
            raise Interrupted

    @property
    def stopped(self) -> bool:
        """Whether the work was stopped."""
        return self._stopped

    def clear(self) -> None:
        """Allow work to begin again, and reset the progress."""
        with self._lock:
            self._stopped = False
            self._readings = 0
