"""Run work in a thread of its own, so that Ctrl-C can stop it while DuckDB computes.

Python handles signals only between two steps of its main thread, and a query is one long step. A query that
was charged stays charged when it is stopped, since it may have read private data already.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from dpduck.engines.duckdb.temp_directory import remove_spilled
from dpduck.kernel.cancellation import Interrupts
from dpduck.kernel.errors import DpduckError, is_charged

_T = TypeVar("_T")

_POLL_SECONDS = 0.1  # poll interval in seconds, also between attempts to stop a query


class CancelledError(DpduckError):
    """The query was stopped by its user."""

    sqlstate = "57014"

    def __init__(self, *, charged: str) -> None:
        stays = "The charge stays: how much was read before it stopped can no longer be told."
        super().__init__("cancelled", detail=stays if is_charged(charged) else None, charged=charged)


class StillBusyError(KeyboardInterrupt):
    """Ctrl-C was pressed again while a query could not be stopped yet."""


class _Worker(threading.Thread, Generic[_T]):
    """Runs one function and stores its result or its exception."""

    def __init__(self, work: Callable[[], _T]) -> None:
        super().__init__(daemon=True)
        self._work = work
        self.results: list[_T] = []
        self.failure: BaseException | None = None
        # Python 3.11 treats a thread as ended if Ctrl-C arrives while it is joined.
        self.done = threading.Event()

    def run(self) -> None:
        try:
            self.results.append(self._work())
        except BaseException as error:
            self.failure = error
        finally:
            self.done.set()


def run_cancellable(work: Callable[[], _T], interrupts: Interrupts) -> _T:
    """Run the work and return its result; Ctrl-C stops it, and prevents the interrupts' other work.

    An answer that was already complete when Ctrl-C arrived is returned, since it is paid for.
    Errors: those of the work; CancelledError, which says what was charged; StillBusyError.
    """
    interrupts.clear()
    worker = _Worker(work)
    cancelled = False
    try:
        worker.start()
        while not worker.done.wait(_POLL_SECONDS):
            pass
    except KeyboardInterrupt:
        cancelled = True
        _stop(worker, interrupts)
    if worker.results:
        return worker.results[0]
    failure = worker.failure
    if not cancelled and failure is not None:
        raise failure
    # An error after the charge says so; without that, nothing was charged.
    raise CancelledError(charged=failure.charged if isinstance(failure, DpduckError) else "0")


def _stop(worker: _Worker[_T], interrupts: Interrupts) -> None:
    try:
        while not worker.done.is_set():
            interrupts.stop()  # repeatedly: DuckDB forgets one that comes before its query begins
            worker.done.wait(_POLL_SECONDS)
    except KeyboardInterrupt:
        raise StillBusyError from None
    interrupts.clear()


def leave_if_busy(code: int) -> None:
    """Exit the process if abandoned work still runs, since DuckDB cannot be torn down during a query.

    Nothing is lost: charges are on disk, and an abandoned query only reads.
    """
    if any(isinstance(thread, _Worker) for thread in threading.enumerate()):
        remove_spilled()
        os._exit(code)
