"""A lock that is free in the child of a fork, whichever thread held it in the parent."""

from __future__ import annotations

import os
import threading
from types import TracebackType
from weakref import WeakSet

_locks: WeakSet[ForkLock] = WeakSet()


class ForkLock:
    """A lock of the threads of one process, which a thread may take again while it has it.

    A fork copies the thread that forks and no other. What another one had locked would stay locked in the
    child for ever, although nobody there is at work; so the child begins with a lock of its own. It is for
    what is done in turns, and not for data that could be copied half changed.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        _locks.add(self)

    def acquire(self, seconds: float = -1) -> bool:
        """Take it. Input: how long to wait for it, -1: for ever. Output: whether it was taken."""
        return self._lock.acquire(timeout=seconds)

    def release(self) -> None:
        self._lock.release()

    def __enter__(self) -> None:
        self.acquire()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    def renew(self) -> None:
        """Begin with a free lock, in a process that has one thread, unless it is this thread's own."""
        if self._lock.acquire(blocking=False):
            self._lock.release()
        else:
            self._lock = threading.RLock()


def _renew_all() -> None:
    for lock in list(_locks):
        lock.renew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_all)
