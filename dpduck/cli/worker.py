"""Work in a thread of its own, so that Ctrl-C is heard while DuckDB computes.

Python hears a signal only between two steps of its main thread, and a query is one long step.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

_T = TypeVar("_T")

_PATIENCE = 0.2  # seconds between two looks


class _Worker(threading.Thread, Generic[_T]):
    """Runs one function and keeps what comes of it."""

    def __init__(self, work: Callable[[], _T]) -> None:
        super().__init__(daemon=True)
        self._work = work
        self.results: list[_T] = []
        self.failure: BaseException | None = None

    def run(self) -> None:
        try:
            self.results.append(self._work())
        except BaseException as error:
            self.failure = error


def interruptible(work: Callable[[], _T]) -> _T:
    """Run the work and return its result; on KeyboardInterrupt it is left to itself."""
    worker = _Worker(work)
    worker.start()
    while worker.is_alive():
        worker.join(_PATIENCE)
    if worker.failure is not None:
        raise worker.failure
    return worker.results[0]


def leave_if_busy(code: int) -> None:
    """End the process if work goes on that nobody waits for: DuckDB does not bear to be torn down.

    Nothing is lost: charges are on disk, and an abandoned query only reads.
    """
    if any(isinstance(thread, _Worker) for thread in threading.enumerate()):
        os._exit(code)
