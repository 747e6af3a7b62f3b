"""What the benchmarks of the papers share: counts of items, thresholds, orders, and averages over runs.

A seed chooses workloads only: which threshold a run has, and in which order it looks at the items. Noise is
never seeded.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

import duckdb
import numpy as np
from numpy.typing import NDArray

from benchmarks.papers.data import Source
from benchmarks.report.results import Record, Run, table

Integers = NDArray[np.int64]

OWN = ("t10i4", "retail")  # their files may be at hand
GENERATED = ("bms_pos", "kosarak", "t40i10")  # the papers' own sets, of which only the statistics are

_PROCESSES = 2
_WORTHWHILE = 200  # with fewer runs, one process is faster than to start others

Job = TypeVar("Job")
Tables = Iterable[tuple[Sequence[str], Sequence[Sequence[str]]]]  # headers with their rows


@dataclass(frozen=True, eq=False)
class Items:
    """A table of baskets as counts of distinct baskets, one for each item in the order of item numbers."""

    name: str
    own: bool
    counts: Integers

    @cached_property
    def sorted(self) -> Integers:
        """The counts, largest first."""
        return np.sort(self.counts)[::-1]

    @property
    def facts(self) -> Record:
        """What a record says about the table."""
        return {"set": self.name, "own": self.own}


def load(source: Source, name: str) -> Items:
    """Count the baskets of each item."""
    query = "SELECT count(DISTINCT basket_id) AS n FROM read_parquet(?) GROUP BY item ORDER BY item"
    counts = duckdb.execute(query, [str(source.path(name))]).fetchnumpy()["n"]
    return Items(name, source.own(name), counts.astype(np.int64))


@dataclass(frozen=True, eq=False)
class Choices:
    """The workload of a run: a threshold from the top 2k to the top 8k counts, and an order of items."""

    items: Items
    k: int
    generator: np.random.Generator

    def threshold(self) -> int:
        """The count of a rank that is chosen at random."""
        top = self.items.sorted
        first = min(2 * self.k, len(top) - 1)
        return int(top[self.generator.integers(first, max(min(8 * self.k, len(top)), first + 1))])

    def order(self) -> Integers:
        """The counts in random order."""
        return self.generator.permutation(self.items.counts)


def spread(task: Callable[[Job], Record], jobs: Sequence[Job], runs: int) -> Iterator[Record]:
    """Do all jobs, in two processes if it is worth it. Records come in the order of the jobs."""
    if runs < _WORTHWHILE or len(jobs) < _PROCESSES:
        yield from map(task, jobs)
        return
    workers = min(_PROCESSES, os.cpu_count() or 1)
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        yield from pool.map(task, jobs)


def publish(
    name: str,
    scale: float,
    folder: Path,
    found: Iterable[Record],
    tables: Callable[[Sequence[Record]], Tables],
) -> None:
    """Add records to the result file as they come, and print their tables."""
    run, kept = Run.start(name, scale), []
    for record in found:
        kept.append(record)
        told = (str(record.get(fact, "")) for fact in ("kind", "set", "k", "limit"))
        print(" ".join([*filter(None, told), "done"]), flush=True)
    path = run.write(folder, kept)
    for header, rows in tables(kept):
        print("\n" + table(header, rows))
    print(f"\nWritten to {path.name}: run {run.facts['run']}.")


def mean(values: Sequence[float]) -> tuple[float, float]:
    """Mean and its standard error; no error for a single value."""
    spread_of = float(np.std(values, ddof=1)) if len(values) > 1 else 0.0
    return round(float(np.mean(values)), 4), round(spread_of / math.sqrt(len(values)), 4)


def improvement(refined: Sequence[float], direct: Sequence[float]) -> Record:
    """By how many % the mean of `refined` squared errors is below that of `direct` ones of the same runs.

    >>> improvement([1.0, 1.0], [2.0, 2.0])
    {'improvement': 50.0, 'error': 0.0}
    """
    better, worse = np.array(refined), np.array(direct)
    if not worse.any():  # a few runs of whole noise may all be without error
        return {"improvement": 0.0, "error": 0.0}
    ratio = better.mean() / worse.mean()
    _, error = mean((better - ratio * worse) / worse.mean())
    return {"improvement": round(100 * (1 - float(ratio)), 2), "error": round(100 * error, 2)}
