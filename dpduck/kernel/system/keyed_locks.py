"""Locks by key: one thread at a time does something for a key, and others for other keys."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager

from dpduck.kernel.system.python_turns import waiting

_POLL_SECONDS = 0.05  # between looks at whether the thread was told to stop


class KeyedLocks:
    """Locks that are there while a thread has them."""

    def __init__(self) -> None:
        self._changed = threading.Condition(threading.Lock())
        self._taken: set[Hashable] = set()

    def is_held(self, key: Hashable) -> bool:
        """Whether a thread has a key now."""
        with self._changed:
            return key in self._taken

    @contextmanager
    def held(self, key: Hashable, check: Callable[[], None]) -> Iterator[None]:
        """Have a key. Input: `check`: raises if the thread is to wait no longer. Errors: those of `check`."""
        self._take(key, check)
        try:
            yield
        finally:
            with self._changed:
                self._taken.discard(key)
                self._changed.notify_all()

    def _take(self, key: Hashable, check: Callable[[], None]) -> None:
        with self._changed:
            if key not in self._taken:
                self._taken.add(key)
                return
        with waiting():
            while True:
                with self._changed:
                    if self._changed.wait_for(lambda: key not in self._taken, _POLL_SECONDS):
                        self._taken.add(key)
                        return
                check()
