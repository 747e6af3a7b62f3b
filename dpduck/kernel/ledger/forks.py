"""Close connections before the process forks.

SQLite's locks belong to the process, but its memory of them is copied by a fork. A child that opened a second
connection would rely on locks that it does not have, and the parent could remove the write-ahead log that
the child uses. So no connection is open while the process forks: each store waits for its transaction to
end, closes, and connects again when it is next used.
"""

from __future__ import annotations

import os
import threading
from typing import Protocol
from weakref import WeakSet


class Forkable(Protocol):
    """A store that can be idle, with nothing open, during a fork."""

    def pause(self) -> None:
        """Wait until idle, then stay idle with nothing open."""

    def resume(self) -> None:
        """Continue, in the parent and in the child."""


_watching = threading.Lock()
_watched: WeakSet[Forkable] = WeakSet()
_paused: list[Forkable] = []


def watch(store: Forkable) -> None:
    """Pause the store at every fork from now on; to be called before it opens anything."""
    with _watching:
        _watched.add(store)


def _before_fork() -> None:
    _watching.acquire()
    _paused.extend(_watched)
    for store in _paused:
        store.pause()


def _after_fork() -> None:
    while _paused:
        _paused.pop().resume()
    _watching.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork)
