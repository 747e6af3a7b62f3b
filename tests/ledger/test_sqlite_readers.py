"""The connections that read a ledger's file: a thread that does not wait has one, whatever the others do."""

from __future__ import annotations

import sqlite3
from contextlib import ExitStack

from dpduck.kernel.ledger.sqlite_readers import CONNECTIONS, Readers


def readers() -> Readers:
    return Readers(lambda: sqlite3.connect(":memory:", check_same_thread=False))


def test_one_that_does_not_wait_finds_one_while_the_others_are_in_use() -> None:
    idle = readers()
    for _ in range(2):  # the first time it finds none, which the next one that waits makes up for
        with ExitStack() as opened:
            for _ in range(CONNECTIONS):
                assert opened.enter_context(idle.one()) is not None
            with idle.one(waits=False) as found:
                pass
    assert found is not None


def test_only_one_at_a_time_does_not_wait() -> None:
    idle = readers()
    with idle.one(), idle.one():
        pass
    with idle.one(waits=False) as first, idle.one(waits=False) as second:
        assert first is not None
        assert second is None


def test_none_reads_in_a_pause() -> None:
    idle = readers()
    with idle.one():
        pass
    idle.pause()
    with idle.one(waits=False) as found:
        assert found is None
    idle.resume()
    with idle.one():
        pass
    with idle.one(waits=False) as found:
        assert found is not None
