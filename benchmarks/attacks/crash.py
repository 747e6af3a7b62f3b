"""`python -m benchmarks crash`: a query that is killed, wherever, never undoes or escapes its charge.

Eight processes at a time ask private queries on one ledger until each is killed: before some line of the
pipeline, or at a random moment (`writers`). Then the ledger is opened again and held against what the dead
had noted. A cap is met exactly, again and again, while they die. Last, many processes race for one budget.
"""

from __future__ import annotations

import json
import os
import random
import signal
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.attacks import race
from benchmarks.attacks.race import in_fork, store_of
from benchmarks.attacks.writers import STAGES, Life, start
from benchmarks.report.results import Record, Run, table
from dpduck.compiler.parse.statements import parse
from dpduck.kernel.errors import LedgerError
from dpduck.kernel.ledger import Account, Cap, Ledger, open_ledger
from dpduck.kernel.ledger.session import unit_account
from tests.ledger import dashboard

HEADER = ["store", "killed", "kills", "uncharged", "charged", "answered"]
WRITERS = 8
LINES = 900  # of the pipeline that the longest life sees: some queries
_PATIENCE = 60.0  # seconds that a writer may live
_EPOCH = Fraction(6)  # epsilon that is added once the cap is met
_EPSILON = Fraction(dashboard.EPSILON)


@dataclass(frozen=True)
class Plan:
    """How many kills and racers on a file, and as many on a database if its URL is given."""

    kills: int
    racers: int
    ledger: str | None = None
    seed: int = 1


def main(plan: Plan, folder: Path) -> int:
    """Kill, check, print, and add to the result file. Returns 1 if a promise was broken."""
    run = Run.start("crash", 1.0)
    records = []
    for ledger in dict.fromkeys([None, plan.ledger]):
        with TemporaryDirectory(prefix="dpduck-crash-") as place:
            if plan.kills:
                records.append(killed(plan, ledger, Path(place)))
            if plan.racers:
                records.append(race.raced(plan.racers, ledger, Path(place)))
    print("\n" + table(HEADER, rows(records)) + "\n\n" + table(race.HEADER, race.rows(records)))
    path = run.write(folder, records)
    faults = [fault for record in records for fault in record["faults"]]
    print("\n".join(["", *(f"BROKEN: {fault}" for fault in faults), f"Written to {path.name}."]))
    return int(bool(faults))


# --- kills ---------------------------------------------------------------------------------------


@dataclass
class Tally:
    """What became of the writers so far. `ends`: of their last queries, by where they were killed."""

    kills: int = 0
    answers: int = 0
    replays: int = 0
    told: int = 0
    met: int = 0  # how often the cap was met
    ends: dict[str, Counter[str]] = field(default_factory=dict)
    lines: set[str] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)


def killed(plan: Plan, url: str | None, folder: Path) -> Record:
    """Kill writers until there are enough kills, and check after each round. Output: a line of results."""
    data, ledger = folder / "shop.duckdb", url or str(folder / "shop.duckdb.ledger")
    in_fork(lambda: dashboard.make(data))  # who forks must never have opened DuckDB
    parse("SELECT 1")  # slow for the first time
    tally, begun, cap = Tally(), time.perf_counter(), Fraction(0)
    for number, lives in enumerate(_rounds(plan, data, ledger, folder)):
        faults = _live(lives)
        with open_ledger(ledger) as opened:
            faults += check(opened, lives, tally)
            cap = _raise_cap(opened, cap)
        tally.faults += [f"round {number}: {fault}" for fault in faults]
        if number % 10 == 9 or tally.kills >= plan.kills:
            print(f"{tally.kills:,} kills, {len(tally.faults)} faults", flush=True)
        if tally.kills >= plan.kills:
            break
    return _record(url, tally, time.perf_counter() - begun)


def _rounds(plan: Plan, data: Path, ledger: str, folder: Path) -> Iterator[list[tuple[Life, float]]]:
    """Writers that live at the same time, each with the seconds after which it is killed from outside."""
    choice, number = random.Random(plan.seed), 0
    while True:
        lives = []
        for writer in range(WRITERS):
            by_line = number % 5 != 4
            lines = number * LINES // plan.kills % LINES if by_line else None
            session, log = f"{plan.seed}-{number}", folder / f"{number}.log"
            # Neighbours in number die at nearby lines, so whether answers are replayed changes in between.
            life = Life(data, ledger, session, f"analyst {writer}", number // 2 % 2 == 1, lines, log)
            lives.append((life, _PATIENCE if by_line else choice.uniform(0.2, 2.5)))
            number += 1
        yield lives


def _live(lives: list[tuple[Life, float]]) -> list[str]:
    """Start the writers, and wait until none lives. Output: who ended otherwise than it should."""
    begun, faults = time.monotonic(), []
    left = {start(life): (life, seconds) for life, seconds in lives}
    while left:
        for child, (life, seconds) in list(left.items()):
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                del left[child]
                code = os.waitstatus_to_exitcode(status)
                if code not in (0, -signal.SIGKILL):
                    faults.append(f"{life.session} ended with {code}")
            elif time.monotonic() - begun > seconds:
                os.kill(child, signal.SIGKILL)
        time.sleep(0.002)
    return faults


def check(ledger: Ledger, lives: list[tuple[Life, float]], tally: Tally) -> Iterator[str]:
    """Hold the ledger against what the writers noted. Output: what is wrong."""
    try:
        ledger.verify()
    except LedgerError as error:
        yield str(error)
    [budget] = ledger.budgets([_people_in(ledger)])
    entries = {entry.seq: entry for entry in ledger.entries()}
    if budget.epsilon_limit is not None and budget.epsilon_spent > budget.epsilon_limit:
        yield f"{budget.epsilon_spent} is spent of {budget.epsilon_limit}"
    for life, _ in lives:
        notes = [json.loads(line) for line in life.log.read_text().splitlines()] if life.log.exists() else []
        own = [entry for entry in entries.values() if entry.session == life.session]
        for note in notes:
            yield from _broken(ledger, note, {entry.seq: entry for entry in own})
        if notes and notes[-1]["what"] == "refused":
            tally.met += 1
            if budget.epsilon_remaining:
                yield f"{life.session} was refused while {budget.epsilon_remaining} remained"
        _count(tally, ledger, notes, own)
    if budget.epsilon_spent < tally.answers * _EPSILON:
        yield f"{tally.answers} answers were given for {budget.epsilon_spent}"


def _broken(ledger: Ledger, note: Record, own: dict[int, Any]) -> Iterator[str]:
    """The promise that something noted shows to be broken, if it does. Input: the entries of its session."""
    if note["what"] in ("told", "answer"):
        entry = own.get(note["seq"])
        if entry is None or (entry.query, entry.epsilon) != (note["text"], _EPSILON):
            yield f"{note} is not on record"
    if note["what"] == "answer":
        try:
            ledger.answer(note["seq"])
        except LedgerError:
            yield f"{note} was not kept"
    if note["what"] == "replay" and not own:
        yield f"{note} left no entry"


def _count(tally: Tally, ledger: Ledger, notes: list[Record], own: list[Any]) -> None:
    """Note what became of a writer, and of the query that it was killed in."""
    kinds = Counter(note["what"] for note in notes)
    tally.told += kinds["told"]
    tally.answers += kinds["answer"]
    tally.replays += kinds["replay"]
    if kinds["refused"]:
        return
    tally.kills += 1
    last = notes[-1] if notes else {}
    stage = last.get("stage", STAGES[-1])
    if "where" in last:
        tally.lines.add(last["where"])
    fresh = [entry for entry in own if not entry.replayed]
    end = "uncharged" if len(fresh) == kinds["answer"] else "charged"
    if end == "charged" and _is_kept(ledger, fresh[-1].seq):
        end = "answered"
    tally.ends.setdefault(stage, Counter())[end] += 1


def _is_kept(ledger: Ledger, seq: int) -> bool:
    try:
        ledger.answer(seq)
    except LedgerError:
        return False
    return True


def _raise_cap(ledger: Ledger, cap: Fraction) -> Fraction:
    """Let the people lose some more, once all that they may lose is lost. Output: their cap."""
    account = _people_in(ledger)
    [budget] = ledger.budgets([account])
    if not budget.key.startswith("sales.customer#") or (cap and budget.epsilon_remaining):
        return cap
    raised = budget.epsilon_spent + _EPOCH
    ledger.set_cap(account, Cap(raised))
    return raised


def _people_in(ledger: Ledger) -> Account:
    """The account of the people, which a first charge makes: until then nothing of it is known."""
    found = [Account(b.scope, b.name, id=b.key) for b in ledger.budgets() if b.scope == "people"]
    return found[0] if found else unit_account("sales", "customer")


# --- what is recorded and shown ------------------------------------------------------------------


def _record(url: str | None, tally: Tally, seconds: float) -> Record:
    return {
        "kind": "kills",
        "store": store_of(url),
        "kills": tally.kills,
        "ends": {stage: dict(tally.ends[stage]) for stage in STAGES if stage in tally.ends},
        "lines": len(tally.lines),
        "told": tally.told,
        "answers": tally.answers,
        "replays": tally.replays,
        "met": tally.met,
        "seconds": round(seconds, 1),
        "faults": tally.faults,
    }


def rows(records: list[Record]) -> list[list[str]]:
    """The kills as cells of a table."""
    return [
        [r["store"], stage, f"{sum(ends.values()):,}", *(f"{ends.get(end, 0):,}" for end in HEADER[3:])]
        for r in records
        if r["kind"] == "kills"
        for stage, ends in r["ends"].items()
    ]


def verdict(records: list[Record]) -> str:
    """The kills of a run in a few sentences."""
    return " ".join(_sentence(r) for r in records if r["kind"] == "kills")


def _sentence(r: Record) -> str:
    return (
        f"{r['store']}: {r['kills']:,} kills, before {r['lines']:,} different lines or at a random moment; "
        f"{r['told']:,} charges that a writer was told of, {r['answers']:,} answers and {r['replays']:,} "
        f"given again; {len(r['faults'])} without its charge on record, or otherwise wrong; "
        f"{r['met']:,} times a writer met the cap, exactly."
    )
