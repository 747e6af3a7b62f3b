"""A summary lies under the chain: it is what was released, beside its charge, whatever happens in between."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import sys
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import dpduck
from dpduck.kernel.errors import LedgerError
from dpduck.kernel.ledger import open_ledger
from dpduck.kernel.ledger.backups import back_up
from tests.depth import depth
from tests.ledger.processes import fork
from tests.summaries.asking import refusal, rows, spent, told

SMALL = "CREATE PRIVACY SUMMARY small ON people (region, member) EPSILON 1"
QUERY = "SELECT region, count(*) AS n FROM people GROUP BY region"


@pytest.fixture(params=["", " DELTA 1e-6 NOISE gaussian"], ids=["laplace", "gaussian"])
def made(file: Path, request: pytest.FixtureRequest) -> Path:
    """The ledger of a shop with a summary."""
    with dpduck.connect(file) as db:
        db.execute(f"{SMALL}{request.param}")
    return file.with_name(f"{file.name}.ledger")


def fault(path: Path) -> str:
    with pytest.raises(LedgerError) as caught, open_ledger(path) as ledger:
        ledger.verify()
    return str(caught.value)


def test_each_byte_that_is_changed_is_noticed(made: Path) -> None:
    with sqlite3.connect(made) as db:
        [stored] = db.execute("SELECT seq, subject, version, description, contents FROM summary").fetchall()
    draw = random.Random(3)
    for column, text in zip(("subject", "version", "description", "contents"), stored[1:], strict=True):
        for place in sorted(draw.sample(range(len(text)), depth(len(text), min(len(text), 8)))):
            changed = f"{text[:place]}{'7' if text[place] != '7' else '8'}{text[place + 1 :]}"
            with sqlite3.connect(made) as db:
                db.execute(f"UPDATE summary SET {column} = ?", [changed])
            db.close()
            assert "The summary of charge 1 is not the one that was released" in fault(made)
        with sqlite3.connect(made) as db:
            db.execute(f"UPDATE summary SET {column} = ?", [text])
        db.close()
    with open_ledger(made) as ledger:
        ledger.verify()


def test_a_summary_that_is_gone_or_put_in_is_noticed(made: Path) -> None:
    with sqlite3.connect(made) as db:
        db.execute("UPDATE summary SET seq = 2")
    db.close()
    assert "charge 1" in fault(made)
    with sqlite3.connect(made) as db:
        db.execute("DELETE FROM summary")
    db.close()
    assert "charge 1" in fault(made)


def test_bytes_in_place_of_text_are_noticed(made: Path) -> None:
    with sqlite3.connect(made) as db:
        db.execute("UPDATE summary SET contents = CAST(contents AS BLOB)")
    db.close()
    assert "The summary of charge 1 is not the one that was released" in fault(made)


def test_a_changed_summary_is_not_asked(made: Path, file: Path) -> None:
    with sqlite3.connect(made) as db:
        [(contents,)] = db.execute("SELECT contents FROM summary").fetchall()
        cells = json.loads(contents)
        cells[0][0] += 1
        db.execute("UPDATE summary SET contents = ?", [json.dumps(cells, separators=(",", ":"))])
    db.close()
    with dpduck.connect(file, epsilon="0.01") as db_again:
        assert "not the one that was released" in str(refusal(db_again, QUERY))


def test_a_backup_has_the_summaries(made: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.ledger"
    back_up(str(made), None, copy)
    with open_ledger(copy) as ledger:
        assert ledger.verify() == 0
        assert ledger.has_summary(1)


def test_the_same_numbers_come_from_every_process(made: Path, file: Path) -> None:
    answers = set()
    for _ in range(3):
        with dpduck.connect(file, epsilon="0.01") as db:
            answers.add(tuple(rows(db, QUERY)))
            assert "summary small" in told(db)
    assert len(answers) == 1


KILLS = depth(100, 12)  # of each statement


def _create(file: Path, lines: int, statement: str) -> int:
    """Run a statement, and kill this process after so many lines of what charges and keeps it.

    Output: the lines that were run, if they were fewer.
    """
    left = lines
    own = (
        "summary_statements.py",
        "transactions.py",
        "summaries.py",
        "pipeline.py",
        "sqlite.py",
        "session.py",
    )

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal left
        if not frame.f_code.co_filename.endswith(own):
            return None
        if event == "line":
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)
        return trace

    with dpduck.connect(file) as db:
        db._service.catalog()
        sys.settrace(trace)
        try:
            db.execute(statement)
        finally:
            sys.settrace(None)
    return lines - left


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
@pytest.mark.parametrize("statement", [SMALL, "ALTER PRIVACY SUMMARY small REFRESH"])
def test_a_kill_leaves_no_summary_without_its_charge(file: Path, statement: str) -> None:
    """Killed at lines all over: one charge or none for each, and a summary that is there was paid for."""
    refreshes = statement != SMALL
    if refreshes:
        with dpduck.connect(file) as db:
            db.execute(SMALL.replace("EPSILON 1", "EPSILON 0.001"))
            statement_of = "ALTER PRIVACY SUMMARY small REFRESH"
    else:
        statement_of = SMALL.replace("CREATE", "CREATE OR REPLACE").replace("EPSILON 1", "EPSILON 0.001")
    step = max(_create(file, 10**9, statement_of) // KILLS, 1)
    before, outcomes, lines, kills = _state(file), set(), 10, 0
    while True:
        ended = os.waitstatus_to_exitcode(os.waitpid(fork(partial(_create, file, lines, statement_of)), 0)[1])
        charges, made = _state(file)
        assert before[0] <= charges <= before[0] + 1
        assert made is None or made <= charges
        outcomes.add((charges - before[0], made != before[1]))
        before = charges, made
        if ended == 0:
            break
        kills += 1
        lines += step
    assert kills >= 0.9 * KILLS
    assert outcomes >= {(0, False), (1, True)}
    assert (0, True) not in outcomes


def _state(file: Path) -> tuple[int, int | None]:
    """How many charges there are, and which one paid for the summary; the ledger is whole."""
    with dpduck.connect(file) as db:
        ledger = db._service.session.ledger
        ledger.verify()
        known = db._service._summaries.all()
        assert rows(db, "SHOW PRIVACY SUMMARIES") == [] or len(known) == 1
        assert spent(db) >= 0
        return len(ledger.entries()), known[0].kept.seq if known else None
