"""`python -m benchmarks tamper`: change each byte of a ledger's file, one at a time, and see who notices.

A change must be noticed when the ledger is opened or verified, or change nothing that the ledger says.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.report.results import Record, Run, table
from dpduck.kernel.accounting.events import AboveThreshold, NoisyCount
from dpduck.kernel.errors import LedgerError
from dpduck.kernel.ledger import Account, Cap, Charge, Ledger, StoredRelease, open_ledger

HEADER = ["file", "bytes", "changed", "noticed", "without effect", "believed", "seconds"]
_ANA = Account("session", "ana")
_PEOPLE = Account("people", "sales.customer", Cap(Fraction(10), Fraction(1, 10**5)))
_TEAM = Account("budget", "team", Cap(Fraction(3), window="month"))
_ACCOUNTS = (_ANA, _PEOPLE, _TEAM)


def main(folder: Path, seed: int, most: int | None) -> int:
    """Change bytes, print what came of it, and add it to the result file. Returns 1 if one was believed."""
    run = Run.start("tamper", 1.0)
    with TemporaryDirectory(prefix="dpduck-tamper-") as place:
        path = Path(place, "shop.ledger")
        build(path)
        size, begin = path.stat().st_size, time.perf_counter()
        choice = random.Random(seed)
        positions = range(size) if most is None else choice.sample(range(size), most)
        found = tampered(path, ((at, choice.randrange(1, 256)) for at in positions))
    record = {
        "kind": "bytes",
        "size": size,
        "changed": len(positions),
        "noticed": found.pop("noticed", 0),
        "without": found.pop("without effect", 0),
        "believed": dict(found),
        "seconds": round(time.perf_counter() - begin, 1),
        "page": 4096,
    }
    written = run.write(folder, [record])
    print(table(HEADER, rows([record])) + f"\n\nWritten to {written.name}: run {run.facts['run']}.")
    print("\n".join(f"BELIEVED: {fault}" for fault in found))
    return int(bool(found))


def build(path: Path) -> None:
    """A small ledger that has all there is: caps, charges, settlements, answers, a replay."""
    with open_ledger(path) as ledger:
        ledger.set_cap(_ANA, Cap(Fraction(2)))
        for number in range(3):
            charge = _charge(f"SELECT count(*) FROM sales WHERE age > {number}")
            seq = ledger.charge(charge)
            ledger.settle(
                seq, answer=StoredRelease("sales", "1", f'{{"number": {number}}}', f'[["{number}17"]]')
            )
        ledger.replay(Charge(NoisyCount(Fraction(1, 10)), "bob", "SELECT 1", (Account("session", "bob"),)), 1)
        event = AboveThreshold(Fraction(1, 2), k=2)
        seq = ledger.charge(Charge(event, "ana", "SELECT 2", _ACCOUNTS, "ana"))
        ledger.settle(seq, AboveThreshold(Fraction(1, 4), k=2))
        ledger.charge(_charge("SELECT 3"))
        ledger.set_cap(_ANA, Cap(Fraction(5)))


def _charge(query: str) -> Charge:
    return Charge(NoisyCount(Fraction(1, 10)), "ana", query, _ACCOUNTS, "ana")


def says(ledger: Ledger) -> object:
    """All that a ledger says to those who ask it."""
    kept = ledger.kept("sales", "1")
    answers = [ledger.answer(one.seq) for one in kept]
    return ledger.entries(), ledger.budgets(), ledger.budgets(_ACCOUNTS), kept, answers, ledger.head()


def tampered(path: Path, changes: Iterable[tuple[int, int]]) -> Counter[str]:
    """Change the byte at each position by XOR, and restore it. Output: how often what was the outcome."""
    content, outcomes = path.read_bytes(), Counter[str]()
    with open_ledger(path) as ledger:
        truth = says(ledger)
    for position, mask in changes:
        changed = bytearray(content)
        changed[position] ^= mask
        path.write_bytes(changed)
        outcome = noticed(path, truth)
        outcomes[f"{outcome}, at {position} by {mask}" if outcome.startswith("BELIEVED") else outcome] += 1
    path.write_bytes(content)
    return outcomes


def noticed(path: Path, truth: object) -> str:
    """Open and verify a ledger. Output: whether a change was noticed, or what it says is still the truth."""
    try:
        with open_ledger(path) as ledger:
            ledger.verify()
            said = says(ledger)
    except LedgerError:
        return "noticed"
    except Exception as error:
        return f"BELIEVED until {type(error).__name__}: {error}"
    finally:
        for suffix in ("-wal", "-shm"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)
    return "without effect" if said == truth else "BELIEVED"


def rows(records: list[Record]) -> list[list[str]]:
    """The outcomes as cells of a table."""
    return [
        [
            f"pages of {r['page']:,}",
            *(f"{r[name]:,}" for name in ("size", "changed", "noticed", "without")),
            f"{sum(r['believed'].values()):,}",
            f"{r['seconds']:.0f}",
        ]
        for r in records
    ]
