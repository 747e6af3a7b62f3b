"""Stopping what DuckDB computes: Ctrl-C is heard in one thread while the query runs in another.

A query that was charged stays charged when it is stopped: what was read of it can no longer be told.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeVar, cast
from weakref import WeakSet

import duckdb

from dpduck.database import Source
from dpduck.errors import DpduckError

_T = TypeVar("_T")

Wait = Callable[[Callable[[], None]], None]  # runs the work, and hears Ctrl-C meanwhile

_PATIENCE = 0.1  # seconds between two attempts to stop a query


class CancelledError(DpduckError):
    """The query was stopped by who had asked it."""

    sqlstate = "57014"

    def __init__(self, *, charged: str) -> None:
        super().__init__("cancelled", detail=None if charged == "0" else "The charge stays.", charged=charged)


class StillBusyError(KeyboardInterrupt):
    """Ctrl-C again, while a query could not be stopped yet."""


class Watch:
    """Knows the cursors that are made of a source's connection, so that what they run can be stopped."""

    def __init__(self) -> None:
        self._connections: WeakSet[duckdb.DuckDBPyConnection] = WeakSet()
        self._lock = threading.Lock()

    def over(self, source: Source) -> Source:
        """The same source, watched."""
        self.add(source.connection)
        connection = _Watched(source.connection, self)
        return replace(source, connection=cast(duckdb.DuckDBPyConnection, connection))

    def add(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Watch a connection or cursor as long as it is in use."""
        with self._lock:
            self._connections.add(connection)

    def cancel(self) -> None:
        """Stop what runs."""
        with self._lock:
            known = list(self._connections)
        for connection in known:
            with suppress(duckdb.Error):  # it is closed
                connection.interrupt()


class _Watched:
    """A DuckDB connection that tells of its cursors. In all else it is the connection."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, watch: Watch) -> None:
        self._connection = connection
        self._watch = watch

    def cursor(self) -> duckdb.DuckDBPyConnection:
        made = self._connection.cursor()
        self._watch.add(made)
        return made

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)


class _Task:
    """One piece of work, which may be called off before it begins."""

    def __init__(self, work: Callable[[], object]) -> None:
        self._work = work
        self.called_off = threading.Event()
        self.begun = threading.Event()
        self.done = threading.Event()
        self.results: list[object] = []
        self.failure: BaseException | None = None

    def __call__(self) -> None:
        self.begun.set()
        if self.called_off.is_set():
            return
        try:
            self.results.append(self._work())
        except BaseException as error:
            self.failure = error
        finally:
            self.done.set()


def run_cancellable(work: Callable[[], _T], wait: Wait, cancel: Callable[[], None]) -> _T:
    """Run the work and return its result; Ctrl-C stops it, by calling `cancel`.

    An answer that was complete already when Ctrl-C came is returned: it is paid for.
    Errors: those of the work; CancelledError, which says what was charged; StillBusyError.
    """
    task = _Task(work)
    cancelled = False
    try:
        wait(task)
    except KeyboardInterrupt:
        cancelled = True
        _stop(task, cancel)
    if task.results:
        return cast(_T, task.results[0])
    if not cancelled and task.failure is not None:
        raise task.failure
    # What fails after the charge says so; anything else failed before.
    failure = task.failure
    raise CancelledError(charged=failure.charged if isinstance(failure, DpduckError) else "0")


def _stop(task: _Task, cancel: Callable[[], None]) -> None:
    task.called_off.set()
    try:
        while task.begun.is_set() and not task.done.wait(_PATIENCE):
            cancel()
    except KeyboardInterrupt:
        raise StillBusyError from None
