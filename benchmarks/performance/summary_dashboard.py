"""`python -m benchmarks dashboard`: twelve charts with random slicers, refreshed from a summary.

Through the gateway, on 48,842 people: how often it is charged, how long an answer takes, whether charts agree
where one is the total of another; and, over releases of their own, how often intervals hold the truth.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import NamedTuple

import duckdb

import dpduck
from benchmarks.report.results import Record, Run, table
from tests.gateway import wiring as w
from tests.gateway.wiring import Gateway, kinds, rows_of
from tests.summaries import board

HEADER = ["refreshes", "queries", "charges", "p50 ms", "p99 ms", "differing totals", "coverage", "releases"]
_MOST_MS = 20.0  # p50


class Plan(NamedTuple):
    """How often to refresh the dashboard, and of how many releases to look at the intervals."""

    refreshes: int
    releases: int


class Refreshed(NamedTuple):
    """`took`: seconds of each query; `differing`: charts that do not add up; `charges`: those above 0."""

    took: Sequence[float]
    differing: Sequence[tuple[int, int]]
    charges: Sequence[str]
    mechanisms: set[str]


def main(plan: Plan, folder: Path) -> int:
    """Measure, print, and add to the result file. Returns 1 if something is not as it should be."""
    run = Run.start("dashboard", 1.0)
    with TemporaryDirectory(prefix="dpduck-dashboard-") as place:
        file = Path(place, "census.duckdb")
        board.make(file)
        found = refreshed(file, plan.refreshes)
        coverage = covered(file, plan.releases)
    record: Record = {
        "refreshes": plan.refreshes,
        "queries": len(found.took),
        "charges": list(found.charges),
        "p50_ms": 1000 * median(found.took),
        "p99_ms": 1000 * quantiles(found.took, n=100)[-1],
        "differing": len(found.differing),
        "coverage": coverage,
        "releases": plan.releases,
    }
    print(table(HEADER, rows([record])))
    print(f"written to {run.write(folder, [record])}")
    is_good = found.charges == ["1"] and not found.differing and 0.94 <= coverage <= 0.96
    return 0 if is_good and record["p50_ms"] <= _MOST_MS else 1


def rows(records: Sequence[Record]) -> list[list[str]]:
    """The table of results."""
    return [
        [
            f"{one['refreshes']:,}",
            f"{one['queries']:,}",
            ", ".join(one["charges"]),
            f"{one['p50_ms']:.1f}",
            f"{one['p99_ms']:.1f}",
            str(one["differing"]),
            f"{one['coverage']:.3f}",
            str(one["releases"]),
        ]
        for one in records
    ]


def refreshed(file: Path, refreshes: int) -> Refreshed:
    """Refresh the dashboard through the gateway. Input: a file without a summary."""
    ledger = file.with_name("dashboard.ledger")
    with dpduck.connect(file, ledger=ledger) as owner:
        owner.execute(board.CREATE)
    gateway = _served(file, ledger)
    took: list[float] = []
    differing: list[tuple[int, int]] = []
    draw = random.Random(2026)
    try:
        with gateway.client() as client:
            client.ask("SET dp_summaries = 'only'")
            for number in range(refreshes):
                filters, answers = board.slicers(draw), []
                for sql in board.charts(filters):
                    begin = time.perf_counter()
                    replies = client.ask(sql)
                    took.append(time.perf_counter() - begin)
                    if "E" in kinds(replies):
                        raise AssertionError(f"{sql}: {replies}")
                    answers.append(rows_of(replies))
                differing += [(number, chart) for chart in board.alike(answers, filters)]
        gateway.stop()
    finally:
        gateway.kill()
    with dpduck.connect(file, ledger=ledger) as owner:
        entries = owner.ledger().to_pylist()
        owner._service.session.ledger.verify()
    charges = [f"{entry['epsilon'].normalize():f}" for entry in entries if entry["epsilon"]]
    return Refreshed(took, differing, charges, {entry["mechanism"] for entry in entries})


def _served(file: Path, ledger: Path) -> Gateway:
    """Serve a file with a ledger of its own, to which the analyst of the tests is added."""
    from dpduck.doors.gateway.scram import salt_of, secret_of, verifier_of
    from dpduck.kernel.ledger import LoginChange, open_ledger

    with open_ledger(ledger) as opened:
        verifier = verifier_of(w.PASSWORD, salt_of(w.USER, secret_of(opened)))
        opened.put_analyst(w.USER, LoginChange(verifier))
    return Gateway(file, "--ledger", str(ledger), "--epsilon", "0.01")


def covered(file: Path, releases: int) -> float:
    """How often the interval of a cell that is fixed beforehand holds the truth: the mean over all charts."""
    filters = [board.slicers(random.Random(number)) for number in range(3)]
    charts = [board.charts(one, ends=True) for one in filters]
    with duckdb.connect(str(file), read_only=True) as con:
        truth = [_by_key(con.execute(sql).fetchall()) for one in filters for sql in board.charts(one)]
    hits = cells = 0.0
    ledger = file.with_name("covered.ledger")
    with dpduck.connect(file, ledger=ledger) as db:
        db.execute(board.CREATE)
        db.execute("SET dp_summaries = only")
        for _ in range(releases):
            db.execute("ALTER PRIVACY SUMMARY board REFRESH")
            answers = [db.execute(sql).fetchall() for one in charts for sql in one]
            for found, known in zip(answers, truth, strict=True):
                held = [row[-2] <= known.get(row[:-3], 0) <= row[-1] for row in found]
                hits, cells = hits + sum(held) / len(held), cells + 1
    return hits / cells


def _by_key(found: list[tuple[object, ...]]) -> dict[tuple[object, ...], int]:
    return {row[:-1]: int(str(row[-1])) for row in found}
