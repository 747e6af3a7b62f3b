"""`python -m benchmarks ledger`: durable charges per second, the time of a replay, and a dashboard's cost.

Charges are beside a loop that only appends to a file and waits for the disk, since both do that once each.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from itertools import count
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

import dpduck
from benchmarks.report.results import Record, Run, table
from dpduck.kernel.accounting.events import NoisyCount
from dpduck.kernel.ledger import Account, Cap, Charge, open_ledger
from tests.ledger import dashboard

CHARGES_HEADER = ["writers", "charges/s", "of raw syncs/s", "slowest ms", "target", "met"]
REPLAY_HEADER = ["replay", "median ms", "target", "met"]
DASHBOARD_HEADER = ["dashboard", "queries", "epsilon", "first", "charged again", "seconds", "ms each"]
DASHBOARD_NOTE = (
    "A dashboard of queries at epsilon 0.1 each, refreshed again and again: as it is, with its spellings in "
    "turns (spaces, cases, quotes, aliases, order of conditions, 5 or 5.0), and with spellings that are not "
    "yet seen to be the same (`OTHERWISE` in dashboard.py), each of which is charged once."
)
_LEAST = {4: 500}  # charges per second, by the number of writers
_MOST = {"the same text": 3, "another spelling": 3, "a derived answer": 3}  # milliseconds
_PAGES = b"x" * 4 * 4096  # about what a charge adds to the write-ahead log
_FEW = Fraction(1, 10**6)


class Plan(NamedTuple):
    """How long to charge, and how often to replay and to refresh."""

    seconds: float
    repeat: int
    refreshes: int


def main(plan: Plan, folder: Path) -> int:
    """Measure, print, and add to the result file. Returns 1 if a dashboard was charged twice."""
    run = Run.start("ledger", 1.0)
    with TemporaryDirectory(prefix="dpduck-ledger-") as place:
        # The charges first: their writers are forks, of a process that must not have opened DuckDB.
        records = [charges(writers, plan.seconds, Path(place)) for writers in (1, 4, 16)]
        data = Path(place, "shop.duckdb")
        dashboard.make(data)
        records += list(replays(data, plan.repeat))
        for name in ("as it is", "spelled in turns", "spelled otherwise"):
            data = Path(place, f"{name}.duckdb")
            dashboard.make(data)
            records.append(refreshed(data, name, plan.refreshes))
    path = run.write(folder, records)
    for header, rows in (
        (CHARGES_HEADER, charges_rows),
        (REPLAY_HEADER, replay_rows),
        (DASHBOARD_HEADER, dashboard_rows),
    ):
        print("\n" + table(header, rows(records)))
    print(f"\nWritten to {path.name}: run {run.facts['run']}.")
    return int(
        any(r["again"] for r in records if r["kind"] == "dashboard" and r["name"] != "spelled otherwise")
    )


# --- charges -------------------------------------------------------------------------------------


def charges(writers: int, seconds: float, folder: Path) -> Record:
    """Processes that charge one ledger, each its own session and all the same people."""
    path = folder / f"{writers}.ledger"
    open_ledger(path).close()
    raw = _syncs(folder / "raw", seconds / 2)
    begin = time.monotonic() + 0.3 + writers / 50
    pipes = [_start(path, number, begin, begin + seconds) for number in range(writers)]
    heard = [json.loads(os.read(pipe, 999)) for pipe in pipes]
    for pipe in pipes:
        os.wait()
        os.close(pipe)
    raw = (raw + _syncs(folder / "raw", seconds / 2)) / 2
    with open_ledger(path) as ledger:
        ledger.verify()
        assert len(ledger.entries()) == sum(done for done, _ in heard)
    return {
        "kind": "charges",
        "writers": writers,
        "per_second": round(sum(done for done, _ in heard) / seconds, 1),
        "shares": [done for done, _ in heard],
        "slowest": round(max(slowest for _, slowest in heard), 4),
        "syncs_per_second": round(raw, 1),
    }


def _start(path: Path, number: int, begin: float, end: float) -> int:
    """A process that charges from one moment to another. Output: a pipe that tells how it went."""
    heard, told = os.pipe()
    if os.fork():
        os.close(told)
        return heard
    try:
        os.write(told, json.dumps(_charge(path, f"writer {number}", begin, end)).encode())
    finally:
        os._exit(0)


def _charge(path: Path, session: str, begin: float, end: float) -> tuple[int, float]:
    accounts = (Account("session", session), Account("people", "customers", Cap(Fraction(1000))))
    charge = Charge(NoisyCount(_FEW), session, "SELECT count(*) FROM sales", accounts)
    done, slowest = 0, 0.0
    with open_ledger(path) as ledger:
        time.sleep(max(0, begin - time.monotonic()))
        while (now := time.monotonic()) < end:
            ledger.charge(charge)
            done, slowest = done + 1, max(slowest, time.monotonic() - now)
    return done, slowest


def _syncs(path: Path, seconds: float) -> float:
    """How often a second this disk takes what a charge writes, and says that it is safe."""
    file, done, begin = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 0, time.monotonic()
    while time.monotonic() < begin + seconds:
        os.write(file, _PAGES)
        os.fdatasync(file)
        done += 1
    os.close(file)
    return done / (time.monotonic() - begin)


# --- replays -------------------------------------------------------------------------------------


def replays(data: Path, repeat: int) -> Iterator[Record]:
    """Medians of a query that is answered from the ledger, from its text to its rows."""
    numbers = count()
    city = "SELECT city, count(*) AS n FROM sales WHERE age > 30 GROUP BY city"
    ways: dict[str, Callable[[], str]] = {
        "the same text": lambda: f"{city} ORDER BY city",
        "another spelling": lambda: (
            'select s."city" as c, COUNT(*) from sales s where 30 < age group by 1 order by 1'
        ),
        "a derived answer": lambda: "SELECT count(*) AS n FROM sales WHERE city = 'Oslo' AND age > 30",
        "a spelling never seen": lambda: f"{city} ORDER BY city -- {next(numbers)}",
    }
    with dpduck.connect(data, analyst=dashboard.ANALYST, epsilon="0.1") as db:
        db.execute(f"{city} ORDER BY city")
        for name, text in ways.items():
            seconds = [_seconds(db, text()) for _ in range(repeat)][1:]
            yield {
                "kind": "replay",
                "name": name,
                "median": median(seconds),
                "seconds": [round(s, 6) for s in seconds],
            }
        assert [row["epsilon"] for row in db.ledger().to_pylist() if row["epsilon"]] == [Decimal("0.1")]


def _seconds(db: dpduck.Connection, text: str) -> float:
    begin = time.perf_counter()
    db.execute(text).fetchall()
    return time.perf_counter() - begin


# --- a dashboard ---------------------------------------------------------------------------------


def refreshed(data: Path, name: str, refreshes: int) -> Record:
    """Refresh the dashboard. Output: what it cost, and what was charged after the first refresh."""
    queries = dashboard.OTHERWISE if name == "spelled otherwise" else dashboard.QUERIES
    begin = time.perf_counter()
    with dpduck.connect(data, analyst=dashboard.ANALYST, epsilon=dashboard.EPSILON) as db:
        for refresh in range(refreshes):
            for spellings in queries.values():
                text = spellings[0 if name == "as it is" else refresh % len(spellings)]
                db.execute(text).fetchall()
        seconds = time.perf_counter() - begin
        charged = [entry for entry in db.ledger().to_pylist() if entry["epsilon"]]
    return {
        "kind": "dashboard",
        "name": name,
        "refreshes": refreshes,
        "queries": len(queries),
        "epsilon": float(sum(entry["epsilon"] for entry in charged)),
        "first": float(sum(entry["epsilon"] for entry in charged[: len(queries)])),
        "again": dict(Counter(entry["query"] for entry in charged[len(queries) :])),
        "seconds": round(seconds, 2),
    }


# --- what is shown -------------------------------------------------------------------------------


def charges_rows(records: list[Record]) -> list[list[str]]:
    """Charges per second as cells of a table."""
    return [
        [
            str(r["writers"]),
            f"{r['per_second']:,.0f}",
            f"{r['per_second'] / r['syncs_per_second']:.2f} of {r['syncs_per_second']:,.0f}",
            f"{1000 * r['slowest']:.0f}",
            *_verdict(_LEAST.get(r["writers"]), r["per_second"], above=True),
        ]
        for r in records
        if r["kind"] == "charges"
    ]


def replay_rows(records: list[Record]) -> list[list[str]]:
    """Times of replays as cells of a table."""
    return [
        [
            r["name"],
            f"{1000 * r['median']:.2f}",
            *_verdict(_MOST.get(r["name"]), 1000 * r["median"], above=False),
        ]
        for r in records
        if r["kind"] == "replay"
    ]


def _verdict(target: float | None, value: float, *, above: bool) -> tuple[str, str]:
    if target is None:
        return "", ""
    good = value >= target if above else value < target
    return f"{'at least' if above else 'under'} {target:g}", "yes" if good else "no"


def dashboard_rows(records: list[Record]) -> list[list[str]]:
    """What dashboards cost as cells of a table."""
    return [
        [
            r["name"],
            f"{r['queries']} x {r['refreshes']:,}",
            f"{r['epsilon']:g}",
            f"{r['first']:g}",
            f"{sum(r['again'].values())}",
            f"{r['seconds']:.1f}",
            f"{1000 * r['seconds'] / r['queries'] / r['refreshes']:.2f}",
        ]
        for r in records
        if r["kind"] == "dashboard"
    ]
