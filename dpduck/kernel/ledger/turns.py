"""How many threads may do something at once, and none while the process forks or a store closes."""

from __future__ import annotations

import threading


class Turns:
    """A semaphore for threads that one thread can also take as a whole. Input: how many at once."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._turns = threading.Semaphore(most)
        self._taking = threading.Lock()

    def __enter__(self) -> None:
        self.take()

    def __exit__(self, *_: object) -> None:
        self.give()

    def take(self, *, waits: bool = True) -> bool:
        """Take a turn. Output: False if that needs waiting, and `waits` is not set; else True."""
        if not self._taking.acquire(blocking=waits):  # so a thread that takes all is not starved
            return False
        try:
            return self._turns.acquire(blocking=waits)
        finally:
            self._taking.release()

    def give(self) -> None:
        """End a turn."""
        self._turns.release()

    def take_all(self) -> None:
        """Wait until no other thread is inside, and keep them out."""
        self._taking.acquire()  # else two threads could deadlock, each with some
        for _ in range(self._most):
            self._turns.acquire()

    def give_all(self) -> None:
        """Let other threads in again."""
        self._turns.release(self._most)
        self._taking.release()
