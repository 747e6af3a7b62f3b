"""Group commit: writes of several threads share one transaction, and one wait for the disk.

    thread A: run(work) -> leads: takes all that wait, in order -> commit(batch) -> wakes B -> its result
    thread B: run(work) -> waits -------------------------------------------------> its result
    thread C: run(work) -> waits (came too late for that batch) -> leads the next one

Nobody waits for company: what has gathered while one batch was made durable is the next one. No result is
given before the commit of its batch, and if the process dies before that, the whole batch is as if it had
never been.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from dpduck.kernel.ledger.errors import interrupted_fault
from dpduck.kernel.system.python_turns import waiting

T = TypeVar("T")
MOST = 256  # writes in one batch


class Write(Generic[T]):
    """One write: what is to be done in a transaction, and what became of it.

    `value`: its result, valid only once the transaction is durable; `failure`: the error in place of it;
    `broke`: whether its work raised what is no refusal, which ends the transaction of all.
    """

    def __init__(self, work: Callable[[Any], T], charged: Callable[[T], Any]) -> None:
        self.work = work
        self.charged = charged
        self.value: T | None = None
        self.failure: Exception | None = None
        self.broke = False
        self.ended = False
        self._asleep = threading.Lock()
        self._asleep.acquire()

    def wait(self) -> None:
        """Wait until it has ended, or is to lead."""
        self._asleep.acquire()

    def wake(self) -> None:
        """End its wait."""
        self._asleep.release()

    def clear(self) -> None:
        """Forget an attempt that was not committed."""
        self.value, self.failure, self.broke = None, None, False


class Batches:
    """The writes of one store, in batches.

    Input: `commit`: makes a batch durable, and says in each of its writes what became of it; it raises only
        what ends the thread, such as KeyboardInterrupt.
    """

    def __init__(self, commit: Callable[[Sequence[Write[Any]]], None]) -> None:
        self._commit = commit
        self._lock = threading.Lock()  # guards what follows
        self._waiting: list[Write[Any]] = []
        self._led = False  # whether a thread leads, or was woken to
        self._at_work = False  # whether it has taken its batch

    def run(self, work: Callable[[Any], T], charged: Callable[[T], Any]) -> T:
        """Do the work in a transaction with others: perhaps in another thread, or again if it is busy.

        Output: its result, after the commit. Errors: its own, or that of the store.
        """
        write = Write(work, charged)
        with self._lock:
            self._waiting.append(write)
            leads, self._led = not self._led, True
        with waiting():
            if not leads:
                self._follow(write)
            if not write.ended:
                self._lead(write)
        if write.failure is not None:
            raise write.failure
        return write.value  # type: ignore[return-value]

    def _follow(self, write: Write[Any]) -> None:
        """Wait until a write has ended, or is the first of the next batch, whose thread leads it."""
        try:
            write.wait()
        except BaseException:
            with self._lock:
                if write in self._waiting:
                    was_first = self._waiting[0] is write
                    self._waiting.remove(write)
                    # Whoever is first was perhaps woken just now to lead.
                    if was_first and not self._at_work:
                        self._pass_on()
            raise

    def _lead(self, own: Write[Any]) -> None:
        with self._lock:
            batch, self._waiting = self._waiting[:MOST], self._waiting[MOST:]
            self._at_work = True
        try:
            self._commit(batch)
        except BaseException:
            for write in batch:
                write.failure = interrupted_fault()
            raise
        finally:
            with self._lock:
                self._at_work = False
                self._pass_on()
            for write in batch:
                write.ended = True
                if write is not own:
                    write.wake()

    def _pass_on(self) -> None:
        """Let the first that waits lead the next batch."""
        self._led = bool(self._waiting)
        if self._led:
            self._waiting[0].wake()


def twin(error: Exception) -> Exception:
    """The same error for another thread, without where it was raised."""
    copy = type(error).__new__(type(error), *error.args)
    copy.__dict__.update(error.__dict__)
    return copy
