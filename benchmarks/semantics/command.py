"""`python -m benchmarks semantics`: is each answer what plain DuckDB answers, in value and type?

A run is cut into chunks with seeds of their own, so that the same run asks the same expressions however many
processes share the work. Each version of DuckDB needs a run of its own: the same command in its environment.
"""

from __future__ import annotations

import argparse
import multiprocessing
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from pathlib import Path

from benchmarks.report.results import Record, Run, last_run, table
from benchmarks.semantics import spark
from benchmarks.semantics.known import Difference, known
from benchmarks.semantics.places import PLACES
from benchmarks.semantics.run import PUBLIC_AGGREGATE, run
from benchmarks.semantics.tally import Tally
from benchmarks.semantics.values import STATISTICS

HEADER = ["place", "door", "DuckDB", "answered", "refused", "different", "written down"]
_OUTCOMES = ("answered", "refused", "different", "written down")
_CHUNK = 1_000  # expressions
_MOST_SHOWN = 60  # differences that are printed
Job = tuple[str, str, int]


@dataclass(frozen=True)
class Plan:
    """How many expressions by each door, from which seed. `seconds`: after which no more are asked."""

    expressions: int
    by_gateway: int
    by_spark: int
    seed: int
    processes: int
    seconds: float | None = None

    def jobs(self) -> list[Job]:
        """The chunks: a door, a seed and a size; those of all doors are spread over the run."""
        counts = {"Python": self.expressions, "gateway": self.by_gateway, "Spark": self.by_spark}
        jobs = []
        for door, count in counts.items():
            size = count if door == "Spark" else _CHUNK
            starts = range(0, count, size) if count else ()
            jobs += [
                (turn / max(count / size, 1), (door, f"{self.seed}/{door}/{turn}", min(size, count - start)))
                for turn, start in enumerate(starts)
            ]
        return [job for _, job in sorted(jobs)]


def add_arguments(command: argparse.ArgumentParser) -> None:
    """How much is asked."""
    command.add_argument("--expressions", type=int, default=45_000, help="expressions by Python")
    command.add_argument("--gateway", type=int, default=5_000, help="expressions by the gateway")
    command.add_argument("--spark", type=int, default=3_000, help="expressions in Spark (needs a JDK)")
    command.add_argument("--seed", type=int, default=1, help="another seed asks other expressions")
    command.add_argument("--processes", type=int, default=2, help="processes that share the work")
    command.add_argument("--seconds", type=float, help="how long to ask (default: until all is asked)")


def plan_of(given: argparse.Namespace) -> Plan:
    """The plan that the command line asks for."""
    counts = given.expressions, given.gateway, given.spark
    return Plan(*counts, given.seed, given.processes, given.seconds)


def main(plan: Plan, folder: Path) -> int:
    """Ask all, print and record what became of it. Returns 1 if a difference is not written down."""
    started, found = Run.start("semantics", 1.0), dict[str, Tally]()
    begun, end = time.perf_counter(), inf if plan.seconds is None else time.time() + plan.seconds
    for number, (door, tally) in enumerate(_results(plan.jobs(), plan.processes, end), 1):
        found.setdefault(door, Tally()).add(tally)
        for one in tally.differences:
            if known(one) is None:
                print(_line(one), flush=True)
        minutes = (time.perf_counter() - begun) / 60
        print(f"{number} chunks, {_summary(found.values())}, {minutes:.1f} min", flush=True)
    records = [_record(door, tally, plan.seed) for door, tally in found.items()]
    started.write(folder, records)
    print("\n" + table(HEADER, rows([{**started.facts, **record} for record in records])) + "\n")
    for name, count in _written_down(found.values()).items():
        print(f"{count:7,} {name}")
    print(f"\nsemantics: {_summary(found.values())}")
    return int(any(known(one) is None for tally in found.values() for one in tally.differences))


def _results(jobs: Sequence[Job], processes: int, end: float) -> Iterator[tuple[str, Tally]]:
    """What became of each chunk, with its door. After an interrupt the rest is left out."""
    with (
        ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool,
        suppress(KeyboardInterrupt),
    ):
        futures = {pool.submit(chunk, *job, end): job[0] for job in jobs}
        try:
            for future in as_completed(futures):
                if future.result().outcomes:
                    yield futures[future], future.result()
        finally:
            for future in futures:
                future.cancel()


def chunk(door: str, seed: str, count: int, end: float = inf) -> Tally:
    """One chunk, in whatever process. Input: `end`: as of `run`."""
    if time.time() >= end:
        return Tally()
    return spark.run(seed, count, end) if door == "Spark" else run(seed, count, door, end=end)


def _summary(tallies: Iterable[Tally]) -> str:
    total = Tally()
    for tally in tallies:
        total.add(tally)
    answered, refused, different, written = (total.total(name) for name in _OUTCOMES)
    return f"{answered:,} answered, {refused:,} refused, {different:,} different ({written:,} written down)"


def _line(one: Difference) -> str:
    where = f"{one.place} by {one.door}: {one.kind}: {one.text[:300]}"
    return f"DIFFERENT {where}\n    {one.found[:200]} in place of {one.expected[:200]}, rows {one.rows[:5]}"


def _written_down(tallies: Iterable[Tally]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for tally in tallies:
        for one in tally.differences:
            reason = known(one)
            if reason is not None:
                text = f"{reason.name}: {reason.reason}"
                counts[text] = counts.get(text, 0) + 1
    return counts


def _record(door: str, tally: Tally, seed: int) -> Record:
    """What became of a door's comparisons, as a line of the result file."""
    outcomes: dict[str, dict[str, int]] = {}
    for (place, name), count in tally.outcomes.items():
        outcomes.setdefault(place, {})[name] = count
    return {
        "door": door,
        "seed": seed,
        "outcomes": outcomes,
        "shapes": dict(tally.shapes),
        "functions": len(tally.entries),
        "refusals": dict(tally.refusals.most_common(20)),
    }


def latest(records: Sequence[Record]) -> list[Record]:
    """The last run with each version of DuckDB, the newest version first."""
    versions = dict.fromkeys(r["packages"]["duckdb"] for r in reversed(records))
    found = (r for version in sorted(versions, reverse=True) for r in last_run(records, version))
    return list(found)


def rows(records: Sequence[Record]) -> list[list[str]]:
    """The records as cells of a table: a row for each place, door and version of DuckDB, and one for all."""
    order = [*(one.name for one in PLACES), *(one.place for one in STATISTICS), PUBLIC_AGGREGATE, spark.PLACE]
    cells = [
        [place, r["door"], r["packages"]["duckdb"], *map(_digits, _counts(r, place))]
        for place in order
        for r in records
        if place in r["outcomes"]
    ]
    totals = zip(*(_counts(r, place) for r in records for place in r["outcomes"]), strict=True)
    return [*cells, ["all", "", "", *(_digits(sum(counts)) for counts in totals)]]


def _counts(r: Record, place: str) -> list[int]:
    return [r["outcomes"][place].get(name, 0) for name in _OUTCOMES]


def _digits(number: int) -> str:
    return f"{number:,}"
