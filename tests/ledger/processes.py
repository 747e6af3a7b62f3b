"""Real processes for the tests of the ledger."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[2]

# What every script starts with: a charge of 0.1 to session ana, whose ledger is the first argument.
PRELUDE = """
import sys, time
from fractions import Fraction
from pathlib import Path
from dpduck.errors import BudgetExceededError, LedgerError
from dpduck.events import Count
from dpduck.ledger import Account, Cap, Charge, open_ledger
from dpduck.ledger.sqlite import SqliteLedger

def wait_until(moment):
    while time.time() < moment:
        pass

path = sys.argv[1]
ANA = Account("session", "ana")
PEOPLE = Account("people", "customers", default=Cap(Fraction(40)))
TENTH = Charge(Count(Fraction(1, 10)), session="ana", query="SELECT 1", accounts=(ANA, PEOPLE))
"""


def start(script: str, path: Path | str) -> subprocess.Popen[str]:
    """Start Python with the script, which reads and writes text by pipes."""
    return subprocess.Popen(
        [sys.executable, "-c", PRELUDE + script, str(path)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def race(racers: list[subprocess.Popen[str]]) -> list[str]:
    """Tell processes the time at which all of them start, and give what each printed."""
    begin = time.time() + 0.6  # until then all have read their modules and wait
    for racer in racers:
        assert racer.stdin is not None
        racer.stdin.write(f"{begin}\n")
        racer.stdin.flush()
    printed = [racer.communicate(timeout=30)[0] for racer in racers]
    assert [racer.returncode for racer in racers] == [0] * len(racers)
    return printed


def run(script: str, path: Path | str) -> str:
    """Run the script to its end and give what it printed."""
    process = start(script, path)
    printed, _ = process.communicate(timeout=30)
    assert process.returncode == 0
    return printed


def fork(work: Callable[[], None]) -> int:
    """Start the work in a fork of this process, and give its number."""
    with warnings.catch_warnings():
        # Newer Pythons warn of forks while other tests' threads run; that is the point here.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        code = 1
        try:
            work()
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            # Never back into the test runner, whose copy this process is.
            os._exit(code)
    return child


def wait(child: int) -> None:
    """Wait for a fork to end, and fail if its work failed."""
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
