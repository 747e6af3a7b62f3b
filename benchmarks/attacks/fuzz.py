"""`python -m benchmarks fuzz`: random queries and damaged texts against the gate, for as long as one likes.

`python -m benchmarks rows`: random row expressions of all types on rows with extreme values, in the same way.

`python -m benchmarks derived`: random queries over what is computed for each person apart, in the same way.

A run is cut into chunks, each with a seed of its own made of the run's seed and the chunk's number, so
that the same run tries the same texts, however many processes share the work. A failure names its chunk, and
`--chunk` tries that one again. `--minutes` ends a run early, and what was tried by then is recorded.
"""

from __future__ import annotations

import faulthandler
import itertools
import multiprocessing
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from benchmarks.report.results import Record, Run, last_run, table
from tests.fuzz import damaged_texts, derived_queries, random_queries, random_rows
from tests.fuzz.tally import Failure, Tally

HEADER = ["texts", "tried", "accepted", "refused", "public", "other", "failed", "slowest ms", "minutes"]
FEATURES = ["feature", "queries", "accepted"]
Job = tuple[str, str, int]
_STUCK = 600  # seconds after which a chunk tells where it hangs, and ends


@dataclass(frozen=True)
class Kind:
    """One kind of texts. `run`: tries so many from a seed. `chunk`: how many at a time."""

    name: str
    run: Callable[[str, int], Tally]
    chunk: int


KINDS = {
    "queries": Kind("queries", random_queries.run, 500),
    "texts": Kind("texts", damaged_texts.run, 2_000),
    "rows": Kind("rows", random_rows.run, 500),
    "derived": Kind("derived", derived_queries.run, 200),
}


@dataclass(frozen=True)
class Plan:
    """How many of each kind to try, from which seed. `name`: of the result file.

    `chunk`: the number of the only chunk to try; `minutes`: after which no more chunks are begun.
    """

    name: str
    rounds: Mapping[str, int]
    seed: int
    processes: int
    chunk: int | None = None
    minutes: float | None = None

    def jobs(self, kind: Kind, rounds: int) -> list[Job]:
        """The chunks of one kind: its name, their seeds and sizes."""
        sizes = [min(kind.chunk, rounds - done) for done in range(0, rounds, kind.chunk)]
        jobs = [(kind.name, f"{self.seed}/{number}", size) for number, size in enumerate(sizes)]
        return jobs if self.chunk is None else jobs[self.chunk : self.chunk + 1]


def main(plan: Plan, folder: Path) -> int:
    """Try all, print what became of them, add it to the result file. Returns 1 if something failed."""
    run = Run.start(plan.name, 1.0)
    records = []
    for kind, rounds in ((KINDS[name], rounds) for name, rounds in plan.rounds.items()):
        if rounds:
            start = time.perf_counter()
            tally = tried(kind, rounds, plan)
            records.append(record(kind.name, tally, plan.seed, time.perf_counter() - start))
            _print(records[-1], plan.name)
    print("\n" + table(HEADER, rows(records)))
    if plan.chunk is None:
        path = run.write(folder, records)
        print(f"\nWritten to {path.name}: run {run.facts['run']}.")
    return int(any(r["failures"] for r in records))


def tried(kind: Kind, rounds: int, plan: Plan) -> Tally:
    """All chunks of one kind, or those that the time is enough for."""
    jobs = plan.jobs(kind, rounds)
    total, start = Tally(), time.perf_counter()
    end = None if plan.minutes is None else time.monotonic() + 60 * plan.minutes
    for number, tally in enumerate(_results(jobs, plan.processes, end), 1):
        new = [failure for failure in tally.failures if failure.fault not in total.faults]
        total.add(tally)
        for fault, failure in {failure.fault: failure for failure in new}.items():
            print(f"new fault: {fault} ({again(plan.name, failure)})\n    {failure.text[:1_000]}", flush=True)
        if number % 10 == 0 or number == len(jobs):
            minutes = (time.perf_counter() - start) / 60
            done = f"{kind.name}: {total.total:,} of {rounds:,}, {total.outcomes['failed']} failed"
            print(f"{done}, {minutes:.1f} min", flush=True)
    return total


def _results(jobs: list[Job], processes: int, end: float | None) -> Iterator[Tally]:
    """The results of the jobs, in the order in which they come; `end`: when no more jobs are begun."""
    if processes == 1:
        yield from (chunk(*job) for job in itertools.takewhile(lambda _: not _is_over(end), jobs))
        return
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
        futures: list[Future[Tally]] = [pool.submit(chunk, *job) for job in jobs]
        for future in as_completed(futures):
            if not future.cancelled():
                yield future.result()
            if _is_over(end):
                for other in futures:
                    other.cancel()


def _is_over(end: float | None) -> bool:
    return end is not None and time.monotonic() >= end


def chunk(name: str, seed: str, rounds: int) -> Tally:
    """One chunk, in whatever process."""
    faulthandler.dump_traceback_later(_STUCK, exit=True, file=2)
    try:
        tally = KINDS[name].run(seed, rounds)
    finally:
        faulthandler.cancel_dump_traceback_later()
    tally.failures = [replace(failure, seed=seed) for failure in tally.failures]
    return tally


def again(name: str, failure: Failure) -> str:
    """The options that try the chunk of a failure again, behind those of the run that found it."""
    seed, _, number = failure.seed.partition("/")
    return f"benchmarks {name} --seed {seed} --chunk {number}"


# --- what is recorded and shown ------------------------------------------------------------------


def record(kind: str, tally: Tally, seed: int, seconds: float) -> Record:
    """A run of one kind as a line of the result file."""
    return {
        "kind": kind,
        "seed": seed,
        "total": tally.total,
        "outcomes": dict(tally.outcomes),
        "features": {name: dict(counts) for name, counts in sorted(tally.features.items())},
        "refusals": dict(tally.refusals.most_common(20)),
        "faults": dict(tally.faults),
        "failures": [asdict(failure) for failure in tally.failures],
        "slowest": round(tally.slowest, 4),
        "seconds": round(seconds, 1),
    }


def latest(records: Sequence[Record]) -> list[Record]:
    """The last full run, and those with other seeds at its commit: a long run may come in parts."""
    last = last_run(records)[-1:]
    same = [r for r in records if last and r["commit"] == last[0]["commit"]]
    return list({r["seed"]: r for r in same if r["scale"] == 1}.values())


def added(records: Sequence[Record]) -> Record:
    """Runs of one kind as if they had been one."""
    total = {**records[0], "features": {}}
    for name in ("outcomes", "refusals", "faults"):
        total[name] = dict(sum((Counter(r[name]) for r in records), Counter()))
    for name in sorted({name for r in records for name in r["features"]}):
        total["features"][name] = dict(
            sum((Counter(r["features"].get(name, {})) for r in records), Counter())
        )
    for name in ("total", "seconds"):
        total[name] = sum(r[name] for r in records)
    return {**total, "slowest": max(r["slowest"] for r in records)}


def rows(records: list[Record]) -> list[list[str]]:
    """The records as cells of a table."""
    return [_row(r) for r in records]


def _row(r: Record) -> list[str]:
    outcomes: dict[str, int] = r["outcomes"]
    accepted = outcomes.get("accepted", 0) + outcomes.get("private query", 0)
    public = outcomes.get("public", 0) + outcomes.get("public query", 0)
    refused = sum(count for name, count in outcomes.items() if name.startswith("refused"))
    failed = outcomes.get("failed", 0)
    other = r["total"] - accepted - public - refused - failed
    numbers = [r["total"], accepted, refused, public, other, failed]
    slowest = f"{r['slowest'] * 1000:.0f}" if r["slowest"] else ""
    return [r["kind"], *(f"{number:,}" for number in numbers), slowest, f"{r['seconds'] / 60:.1f}"]


def feature_rows(r: Record) -> list[list[str]]:
    """How many of the queries with each feature were accepted."""
    counts = {name: (sum(found.values()), found.get("accepted", 0)) for name, found in r["features"].items()}
    return [[name, f"{total:,}", f"{100 * good / total:.0f} %"] for name, (total, good) in counts.items()]


def _print(r: Record, name: str) -> None:
    if r["features"]:
        print("\n" + table(FEATURES, feature_rows(r)) + "\n")
    for message, count in r["refusals"].items():
        print(f"{count:7,} refused: {message}")
    for fault, count in r["faults"].items():
        print(f"{count:7,} failed: {fault}")
    for failure in r["failures"]:
        print(
            f"FAILED: {failure['reason']} ({again(name, Failure(**failure))})\n    {failure['text'][:1_000]}"
        )
