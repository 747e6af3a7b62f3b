"""What a visitor has asked: each run is charged once, however often its form is sent, and its answer is kept.

A run is known by the number in the form that asked for it, together with what it asked. So a double click, a
reload and a second tab with the same form are given the run that there is, while it runs and afterwards.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pyarrow as pa

from dpduck.doors.console.with_errors import NumbersWithErrors
from dpduck.doors.gateway.errors import BusyError
from dpduck.kernel.cancellation import Interrupts
from dpduck.kernel.errors import DpduckError
from dpduck.kernel.errors.notices import NO_NOTICES, Brief

MOST_ROWS = 100_000  # of an answer that is kept
_MOST = 100  # runs of one visitor
MOST_BYTES = 32 * 1024 * 1024  # of an answer that is kept, and of the answers of one visitor
_MOST_AT_ONCE = 4


@dataclass(frozen=True)
class RunOutcome:
    """What came of a run: released or public rows, or an error.

    `numbers`: the answer with the ends of its intervals, and what else the errors of released numbers stay
    within, None if there is none; `more`: there are rows beyond those.
    """

    numbers: NumbersWithErrors | None = None
    notices: Brief = NO_NOTICES
    charged: str = "0"
    private: bool = False
    replayed: bool = False
    more: bool = False
    error: DpduckError | None = None

    @property
    def size(self) -> int:
        """Bytes that its rows take."""
        return 0 if self.table is None else int(self.table.nbytes)

    @property
    def table(self) -> pa.Table | None:
        """The columns of the answer, and after them the ends that it does not show itself."""
        return None if self.numbers is None else self.numbers.whole


@dataclass
class Run:
    """One statement that was sent to run. `id`: of its page."""

    id: str
    sql: str
    epsilon: str
    at: datetime
    interrupts: Interrupts = field(default_factory=Interrupts, repr=False)
    future: Future[RunOutcome] = field(default_factory=Future, repr=False)
    why: str = "canceling statement due to user request"
    stopped: Callable[[], None] = field(default=lambda: None, repr=False)  # called when it is to stop

    @property
    def outcome(self) -> RunOutcome | None:
        """What came of it; None as long as it runs."""
        return self.future.result() if self.future.done() else None

    def stop(self, why: str | None = None) -> None:
        """Stop it. What was charged stays charged."""
        self.why = why or self.why
        self.interrupts.stop()
        self.stopped()


class TooManyRuns(Exception):  # noqa: N818 (it is not an error of the statement)
    """The visitor has as many statements running as one may have."""


class VisitorRuns:
    """The runs of one visitor, the last ones with their answers. Safe for several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._runs: OrderedDict[str, Run] = OrderedDict()

    def begin(self, number: str, sql: str, epsilon: str, start: Callable[[Run], None]) -> Run:
        """The run of a form, which is started unless that was done before.

        Input: the number in the form, and what it asks. Errors: TooManyRuns, BusyError.
        """
        key = _id_of(number, sql, epsilon)
        with self._lock:
            known = self._runs.get(key)
            if known is not None:
                return known
            if sum(not run.future.done() for run in self._runs.values()) >= _MOST_AT_ONCE:
                raise TooManyRuns
            run = self._runs[key] = Run(key, sql, epsilon, datetime.now(UTC))
            self._make_room()
        try:
            start(run)
        except BusyError:
            with self._lock:
                del self._runs[key]
            raise
        return run

    def get(self, id: str) -> Run | None:
        """A run by its id; None if it is not known, or any more."""
        return self._runs.get(id)

    def all(self) -> list[Run]:
        """All that are known, newest first."""
        with self._lock:
            return list(self._runs.values())[::-1]

    def stop_all(self) -> None:
        """Stop whatever runs."""
        for run in self.all():
            if not run.future.done():
                run.stop()

    def _make_room(self) -> None:
        """Forget the oldest runs that have ended, beyond a number and a size; the newest one stays."""
        sizes = {key: run.outcome.size if run.outcome else 0 for key, run in self._runs.items()}
        left = sum(sizes.values())
        for key in list(self._runs)[:-1]:
            if len(self._runs) <= _MOST and left <= MOST_BYTES:
                return
            if self._runs[key].future.done():
                left -= sizes[key]
                del self._runs[key]


def _id_of(number: str, sql: str, epsilon: str) -> str:
    said = "\0".join((number, epsilon, sql))
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:32]
