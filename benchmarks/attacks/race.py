"""Many processes that spend one budget at once: what they spend together is the cap, exactly."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path

from benchmarks.report.results import Record
from dpduck.kernel.accounting.events import NoisyCount
from dpduck.kernel.errors import BudgetExceededError, LedgerError
from dpduck.kernel.ledger import Account, Cap, Charge, open_ledger

HEADER = ["store", "processes", "cap", "spent", "charges", "each", "seconds"]


def raced(racers: int, url: str | None, folder: Path, share: int = 5) -> Record:
    """Processes spend one budget until it refuses them all. Output: a line of results."""
    ledger = url or str(folder / "race.ledger")
    account, epsilon = Account("people", f"race {time.time_ns()}"), Fraction(1, 10)
    cap = racers * share * epsilon
    with open_ledger(ledger) as opened:
        opened.set_cap(account, Cap(cap))
    begin = time.monotonic() + racers / 50
    pipes, children = [], []
    for number in range(racers):
        heard, told = os.pipe()
        charge = Charge(NoisyCount(epsilon), f"racer {number}", "SELECT 1", (account,))
        children.append(_fork(partial(_race, ledger, charge, begin, told)))
        os.close(told)
        pipes.append(heard)
    counts = [int(os.read(pipe, 99) or b"-1") for pipe in pipes]
    seconds = time.monotonic() - begin
    faults = [f"racer {number} ended with {code}" for number, code in enumerate(map(_wait, children)) if code]
    for pipe in pipes:
        os.close(pipe)
    with open_ledger(ledger) as opened:
        opened.verify()
        spent = opened.budgets([account])[0].epsilon_spent
        mine = sum(entry.accounts == (("people", account.name),) for entry in opened.entries())
    if not spent == cap == sum(counts) * epsilon == mine * epsilon:
        faults.append(f"{sum(counts)} charges were made, {mine} are on record: {spent} of {cap}")
    return {
        "kind": "race",
        "store": store_of(url),
        "processes": racers,
        "cap": str(cap),
        "spent": str(spent),
        "charges": mine,
        "counts": counts,
        "seconds": round(seconds, 3),
        "faults": faults,
    }


def _race(ledger: str, charge: Charge, begin: float, told: int) -> None:
    done = 0
    with open_ledger(ledger) as opened:
        time.sleep(max(0, begin - time.monotonic()))
        while True:
            try:
                opened.charge(charge)
            except BudgetExceededError:
                break
            except LedgerError as error:
                # On a slow machine one may wait too long for a turn. It is told so, and free to try again.
                if error.message != "ledger is locked":
                    raise
                continue
            done += 1
    os.write(told, str(done).encode())


def _fork(work: Callable[[], None]) -> int:
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        work()
        code = 0
    except BaseException as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
    os._exit(code)


def _wait(child: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def in_fork(work: Callable[[], None]) -> None:
    """Do it in a process of its own."""
    if _wait(_fork(work)):
        raise RuntimeError("a process failed, as it says above")


def store_of(url: str | None) -> str:
    """Where a ledger is: None stands for a file."""
    return "SQLite" if url is None else "PostgreSQL"


def rows(records: list[Record]) -> list[list[str]]:
    """The races as cells of a table."""
    return [
        [
            *(f"{r[name]}" for name in ("store", "processes", "cap", "spent", "charges")),
            f"{min(r['counts'])} to {max(r['counts'])}",
            f"{r['seconds']:.1f}",
        ]
        for r in records
        if r["kind"] == "race"
    ]
