"""The connections on which threads read a ledger's file, beside each other and beside the one that writes.

In write-ahead mode a reader sees the last commit that was durable when it began: SQLite shows a commit to
others only after the log was synced. So a read waits for no charge, and sees none that a crash could undo.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from dpduck.kernel.ledger.turns import Turns

CONNECTIONS = 4  # at once: a read takes less than a millisecond, unless all entries are asked for


class Readers:
    """A few connections, opened when they are needed. Input: `connect` opens one.

    There is one more for a thread that does not wait: the others may all be in use, by threads that wait for
    Python's lock, whenever a server has much to do.
    """

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        self._connect = connect
        self._turns, self._turns_at_once = Turns(CONNECTIONS), Turns(1)
        self._idle: list[sqlite3.Connection] = []
        self._lacking = False  # whether somebody who did not wait found none

    @contextmanager
    def one(self, *, waits: bool = True) -> Iterator[sqlite3.Connection | None]:
        """One for this thread alone; None if there is none at once, and `waits` is not set."""
        turns = self._turns if waits else self._turns_at_once
        if not turns.take(waits=waits):
            yield None
            return
        connection = None
        try:
            if waits and self._lacking:
                self._lacking = False
                self._idle.append(self._connect())
            connection = self._taken()
            if connection is None and waits:
                connection = self._connect()
            self._lacking = self._lacking or connection is None
            yield connection
        finally:
            if connection is not None:
                self._idle.append(connection)
            turns.give()

    def _taken(self) -> sqlite3.Connection | None:
        try:
            return self._idle.pop()
        except IndexError:
            return None

    def pause(self) -> None:
        """Wait until nobody reads, close all, and keep readers out."""
        self._turns.take_all()
        self._turns_at_once.take_all()
        while self._idle:
            self._idle.pop().close()

    def resume(self) -> None:
        """Let readers in again."""
        self._turns_at_once.give_all()
        self._turns.give_all()
