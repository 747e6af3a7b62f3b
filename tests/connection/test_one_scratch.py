"""Sessions of one process compute their answers in one scratch database; a child of a fork has its own."""

from __future__ import annotations

import os
import subprocess
import sys

import duckdb
import pytest

import dpduck
from dpduck.engines.duckdb import hardening

TABLE = "CREATE TABLE t AS SELECT i AS id, i % 3 AS g FROM range(30) AS r(i)"
QUESTION = "SELECT g, 2 * count(*) AS n FROM t GROUP BY g"
POLICIES = "ALTER TABLE t ADD PRIVACY_KEY (id);ALTER TABLE t ALTER COLUMN g SET PRIVACY DOMAIN BETWEEN (0, 2)"
FORKED = f"""
import os, sys, duckdb, dpduck

def ask():
    with duckdb.connect() as rows:
        rows.execute({TABLE!r})
        with dpduck.connect(rows, epsilon=1) as db:
            db.execute({POLICIES!r})
            return len(db.execute({QUESTION!r}).fetchall())

assert ask() == 3
child = os.fork()
if child == 0:
    os._exit(0 if ask() == 3 else 1)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
assert ask() == 3
"""


def test_a_session_that_closes_leaves_the_others_theirs(monkeypatch: pytest.MonkeyPatch) -> None:
    opened, open_scratch = [], hardening.open_scratch

    def counted() -> duckdb.DuckDBPyConnection:
        opened.append(open_scratch())
        return opened[-1]

    monkeypatch.setattr(hardening, "_of_processes", {})
    monkeypatch.setattr(hardening, "open_scratch", counted)
    with duckdb.connect() as rows:
        rows.execute(TABLE)
        with dpduck.connect(rows, epsilon=1) as first:
            first.execute(POLICIES)
            answer = first.execute(QUESTION)
            with dpduck.connect(rows, epsilon=1) as second:
                assert len(second.execute(QUESTION).fetchall()) == 3
            assert len(answer.fetchall()) == len(first.execute(QUESTION).fetchall()) == 3
        with dpduck.connect(rows, epsilon=1, memory="1GB") as other:
            assert len(other.execute(QUESTION).fetchall()) == 3
    assert len(opened) == 1  # that of a session with a limit of its own is opened elsewhere


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_child_of_a_fork_has_its_own() -> None:
    subprocess.run([sys.executable, "-c", FORKED], check=True, timeout=120)
