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
LIMIT = 300  # seconds that a process has, of which it takes few unless the machine is busy

# What every script starts with: a charge of 0.1 to session ana, whose ledger is the first argument.
PRELUDE = """
import sys, time
from fractions import Fraction
from pathlib import Path
from dpduck.kernel.errors import BudgetExceededError, LedgerError
from dpduck.kernel.accounting.events import NoisyCount
from dpduck.kernel.ledger import Account, Cap, Charge, open_ledger
from dpduck.kernel.ledger.sqlite import SqliteLedger

def wait_until(moment):
    time.sleep(max(0, moment - time.time()))

def begin():  # says that all modules are read, and gives the time at which all racers start
    print("ready", flush=True)
    return float(input())

path = sys.argv[1]
ANA = Account("session", "ana")
PEOPLE = Account("people", "customers", default=Cap(Fraction(40)))
TENTH = Charge(NoisyCount(Fraction(1, 10)), session="ana", query="SELECT 1", accounts=(ANA, PEOPLE))
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
    """Once all processes are ready, tell them when all of them start, and give what each printed."""
    for racer in racers:
        assert racer.stdout is not None
        assert racer.stdout.readline() == "ready\n"
    begin = time.time() + 0.1
    for racer in racers:
        assert racer.stdin is not None
        racer.stdin.write(f"{begin}\n")
        racer.stdin.flush()
    printed = [racer.communicate(timeout=LIMIT)[0] for racer in racers]
    assert [racer.returncode for racer in racers] == [0] * len(racers)
    return printed


def run(script: str, path: Path | str) -> str:
    """Run the script to its end and give what it printed."""
    process = start(script, path)
    printed, _ = process.communicate(timeout=LIMIT)
    assert process.returncode == 0
    return printed


def kill(process: subprocess.Popen[str]) -> list[str]:
    """Kill the process, and give the lines that it had printed and that were not read yet.

    communicate() would not do: it does not see what readline() has read ahead.
    """
    assert process.stdout is not None
    process.kill()
    lines = process.stdout.read().splitlines()
    process.communicate()
    return lines


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
