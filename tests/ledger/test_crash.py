"""Queries that are killed, by a short piece of `python -m benchmarks crash`; ledgers, while they are made."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from benchmarks.report.results import load
from dpduck.kernel.ledger import open_ledger
from tests.depth import depth
from tests.ledger.contract import cost
from tests.ledger.processes import ROOT, fork
from tests.ledger.server import Server

KILLS, RACERS = depth(40, 16), depth(64, 24)
STEP = depth(9, 27)  # lines from one kill to the next
LEDGER = str((ROOT / "dpduck/kernel/ledger").resolve(strict=True))


def crash(folder: Path, *arguments: str) -> list[dict[str, object]]:
    """Run the benchmark, which forks, in a process that has opened nothing yet. Output: its results."""
    command = [sys.executable, "-m", "benchmarks", "crash", "--out", str(folder), *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return load(folder / "crash.jsonl")


def test_queries_that_are_killed_keep_every_promise(tmp_path: Path) -> None:
    kills, race = crash(tmp_path, "--kills", str(KILLS), "--racers", str(RACERS))
    assert (kills["faults"], race["faults"]) == ([], [])
    assert int(str(kills["kills"])) >= KILLS
    assert (race["processes"], race["spent"]) == (RACERS, race["cap"])


def test_the_same_on_a_server(tmp_path: Path, server: Server, url: str) -> None:
    records = crash(tmp_path, "--kills", str(KILLS // 2), "--racers", str(RACERS // 4), "--ledger", url)
    assert [record["store"] for record in records] == ["SQLite"] * 2 + ["PostgreSQL"] * 2
    assert [record["faults"] for record in records] == [[]] * 4


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_ledger_that_is_killed_while_it_is_made_can_be_made_again(tmp_path: Path) -> None:
    line, ended = 0, -signal.SIGKILL
    while ended == -signal.SIGKILL:
        path = tmp_path / f"{line}.ledger"
        ended = os.waitstatus_to_exitcode(os.waitpid(fork(partial(_make, path, line)), 0)[1])
        with open_ledger(path) as ledger:
            ledger.verify()
            number = len(ledger.entries()) + 1
            assert number <= 2
            assert ledger.charge(cost()) == number
        line += STEP
    assert ended == 0
    assert line > 100


def _make(path: Path, lines: int) -> None:
    """Make and charge a ledger, and kill this process after so many lines of that."""
    left = lines

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal left
        if not frame.f_code.co_filename.startswith(LEDGER):
            return None
        left -= event == "line"
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return trace

    sys.settrace(trace)
    open_ledger(path).charge(cost())
    sys.settrace(None)
