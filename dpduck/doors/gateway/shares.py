"""Shares: how much of one thing each name may hold, so that nobody can stop the others.

A server has so many connections, places to run statements, and bytes for what clients send, and names that
want them. The one rule: a name takes more only if it then holds at most its share of what the other names
leave. So of a thing that is shared in halves one name ever has a half, a second one half of the rest, and so
on; n names that take all they can leave one in 2 to the n for the next.

Those who may wait do so in a queue of their name, and the names take turns: what one name has waiting never
stands before another's. What is held and who waits follows from what clients send and when statements end;
those that read private rows end at ticks of the public clock, so no row is told by it.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections import Counter, deque
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from typing import Any

from dpduck.doors.gateway.errors import busy, no_room

HALVES = 2  # parts of places and of memory, of which one name has one
CONNECTIONS = 4  # parts of all connections


def usual_statements() -> int:
    """How many statements run at once: DuckDB takes all processors for one, so more only divide them."""
    return max(4, 2 * (os.cpu_count() or 1))


class Shares:
    """So much of one thing, which names share. Safe for several threads.

    Input: `total`: how much there is; `parts`: one name has at most one of so many parts of what the others
        leave, and at least 1 while there is any; `most`: what one name has at most, in place of that.
    """

    def __init__(self, total: int, parts: int, most: int | None = None) -> None:
        self.total = total
        self._parts, self._most = parts, most
        self._held: Counter[Hashable] = Counter()
        self._sum = 0
        self._lock = threading.Lock()

    @property
    def most_of_one(self) -> int:
        """The most that one name has, while no other has any."""
        return self._share(self.total)

    @property
    def free(self) -> int:
        """How much nobody holds."""
        return self.total - self._sum

    def held(self, name: Hashable) -> int:
        """How much a name holds."""
        return self._held[name]

    def take(self, name: Hashable, amount: int = 1) -> bool:
        """Give a name so much more, if it then has no more than its share. Output: whether that was so."""
        with self._lock:
            held = self._held[name]
            if held + amount > self._share(self.total - self._sum + held):
                return False
            self._change(name, amount)
            return True

    def give_back(self, name: Hashable, amount: int = 1) -> None:
        """Take back what a name was given."""
        with self._lock:
            self._change(name, -amount)

    def _share(self, left: int) -> int:
        """The share of a name. Input: what the others leave."""
        return min(left, max(1, left // self._parts) if self._most is None else self._most)

    def _change(self, name: Hashable, amount: int) -> None:
        self._held[name] += amount
        self._sum += amount
        if not self._held[name]:
            del self._held[name]


class Holding:
    """What one connection holds of a number of bytes, by what for. Input: None for `shares`: all it wants."""

    def __init__(self, shares: Shares | None = None, name: Hashable = None) -> None:
        self._shares, self._name = shares, name
        self._sizes: dict[str, int] = {}

    def resize(self, purpose: str, size: int) -> bool:
        """Hold so many bytes for a purpose. Output: whether there is room; if not, nothing changes."""
        more = size - self._sizes.get(purpose, 0)
        if self._shares is not None:
            if more > 0 and not self._shares.take(self._name, more):
                return False
            if more < 0:
                self._shares.give_back(self._name, -more)
        self._sizes[purpose] = size
        return True

    def close(self) -> None:
        """Hold nothing."""
        for purpose in self._sizes:
            self.resize(purpose, 0)


@contextmanager
def held(shares: Shares, name: Hashable, amount: int) -> Iterator[None]:
    """Hold so many bytes while the block runs. Errors: NoRoomError."""
    if not shares.take(name, amount):
        raise no_room()
    try:
        yield
    finally:
        shares.give_back(name, amount)


class WaitingTurns:
    """Places that names wait for. To be used by one event loop.

    Input: `places`: what is waited for; `queue`: how many of one name may wait.
    """

    def __init__(self, places: Shares, queue: int) -> None:
        self.places = places
        self._queue = queue
        self._waiting: dict[Hashable, deque[Turn]] = {}  # the next name first

    def ask(self, name: Hashable, *, bounded: bool = True) -> Turn:
        """Ask for a place. Input: not `bounded`: what bounds the name is something else.

        Errors: BusyError if too many of the name wait.
        """
        turn = Turn(self, name)
        if not self.waiting(name) and self.places.take(name):
            turn.granted()
        elif bounded and self.is_full(name):
            raise busy()
        else:
            self._waiting.setdefault(name, deque()).append(turn)
        return turn

    def is_full(self, name: Hashable) -> bool:
        """Whether no more of a name may wait."""
        return self.waiting(name) >= self._queue

    def waiting(self, name: Hashable) -> int:
        """How many of a name wait."""
        return len(self._waiting.get(name, ()))

    def drop(self, turn: Turn) -> None:
        """Let one wait no more."""
        own = self._waiting[turn.name]
        own.remove(turn)
        if not own:
            del self._waiting[turn.name]

    def give_back(self, name: Hashable) -> None:
        """Take back a place, and give it to whose turn it is."""
        self.places.give_back(name)
        while self._serve_next():
            pass

    def _serve_next(self) -> bool:
        """Give a place to the first name that may have one. Output: whether there is such a name."""
        for name in self._waiting:
            if self.places.take(name):
                own = self._waiting.pop(name)  # the name goes to the end
                own.popleft().granted()
                if own:
                    self._waiting[name] = own
                return True
        return False


class Turn:
    """One that asks for a place, until the end of its block: it gives back what it has, and waits no more."""

    def __init__(self, turns: WaitingTurns, name: Hashable) -> None:
        self.name = name
        self._turns = turns
        self._came: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._kept: asyncio.Future[Any] | None = None

    def __enter__(self) -> Turn:
        return self

    def __exit__(self, *_: object) -> None:
        self.skip()
        if self._kept is not None and not self._kept.done():
            self._kept.add_done_callback(lambda _: self._end())
        else:
            self._end()

    @property
    def waits(self) -> bool:
        """Whether the place is still waited for."""
        return not self._came.done()

    @property
    def has_place(self) -> bool:
        """Whether the place is there."""
        return self._came.done() and self._came.result()

    async def comes(self) -> bool:
        """Wait for the place. Output: whether it is there: not if `skip` ended the waiting."""
        return await asyncio.shield(self._came)

    def keep(self, work: asyncio.Future[Any]) -> None:
        """Keep the place until the work has ended, also if nobody waits for it any more."""
        self._kept = work

    def granted(self) -> None:
        """The place is there."""
        self._came.set_result(True)

    def skip(self) -> None:
        """Wait no more: what was stopped needs no place to say so."""
        if self.waits:
            self._turns.drop(self)
            self._came.set_result(False)

    def _end(self) -> None:
        if self.has_place:
            self._turns.give_back(self.name)
