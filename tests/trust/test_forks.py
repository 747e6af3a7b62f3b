"""A process that forks while another of its threads hardens a database left the child a lock that nobody
would ever open: the child's first database waited for ever.
"""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import duckdb
import pytest

import dpduck
from dpduck.compiler.parse import effort
from dpduck.engines.duckdb import hardening, temp_directory
from dpduck.kernel.ledger import sqlite
from dpduck.policies import decisions

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks here")


@contextmanager
def held(lock: object) -> Iterator[None]:
    """Another thread has the lock meanwhile."""
    taken, done = threading.Event(), threading.Event()

    def hold() -> None:
        with lock:  # type: ignore[attr-defined]
            taken.set()
            done.wait(60)

    thread = threading.Thread(target=hold)
    thread.start()
    taken.wait(60)
    try:
        yield
    finally:
        done.set()
        thread.join()


def ask() -> None:
    with duckdb.connect() as data:
        data.execute("CREATE TABLE people AS SELECT i AS id FROM range(50) r(i)")
        with dpduck.connect(data, epsilon=1) as db:
            db.execute("ALTER TABLE people ADD PRIVACY_KEY (id)")
            assert len(db.execute(f"SELECT count(*) FROM people{' ' * 10_001}").fetchall()) == 1


@pytest.mark.parametrize(
    "lock",
    [hardening._settings, temp_directory._lock, decisions._turns, sqlite._creating, effort._large],
    ids=["hardening", "spilling", "decisions", "ledger", "large texts"],
)
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_a_child_is_not_kept_waiting(lock: object) -> None:
    with held(lock):
        child = multiprocessing.get_context("fork").Process(target=ask)
        child.start()
        child.join(60)
        if child.is_alive():
            child.kill()
    assert child.exitcode == 0


def test_who_has_the_lock_keeps_it_across_a_fork() -> None:
    with hardening._settings:
        child = os.fork()
        if child == 0:
            try:
                with hardening._settings:
                    pass
            except BaseException:
                os._exit(1)
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    ask()
