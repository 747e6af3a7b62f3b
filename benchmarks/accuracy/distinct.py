"""Distinct values: how many each number of values per unit finds, the error of what is chosen, and its time.

The units have numbers of values with long tails, or values some of which most units have and most of which
hardly any has, or mostly values of their own.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import duckdb
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

import dpduck
from benchmarks.accuracy import Table
from dpduck.kernel.mechanisms.claims import claimed_in_rounds
from dpduck.kernel.mechanisms.distinct_values import MOST, ladder, noisy_distinct
from dpduck.kernel.noise import SystemEntropy

Integers = NDArray[np.int64]
LEVELS = ladder(MOST)
RUNS = 500  # of the mechanism
ROWS = 1_000_000  # that are timed
_PAIRS = """
SELECT unit, x, row_number() OVER (PARTITION BY unit ORDER BY hash(unit, x, 7), x) - 1 AS place,
  dense_rank() OVER (ORDER BY hash(unit, 7), unit) - 1 AS turn
FROM (SELECT DISTINCT unit, x FROM pairs) QUALIFY place < {most} ORDER BY turn, place
"""


@dataclass(frozen=True)
class Found:
    """The true number of values, and how many each level finds: ranked, and claimed in rounds."""

    truth: int
    ranked: Integers
    greedy: Integers


def shapes(seed: int = 11) -> Mapping[str, tuple[Integers, Integers]]:
    """Pairs of a unit and a value: three shapes."""
    rng = np.random.default_rng(seed)
    sizes = np.minimum(2000, np.ceil(np.exp(rng.normal(1.5, 1.2, 20_000)))).astype(np.int64)
    values = np.floor(100_000 * rng.random(sizes.sum()) ** 2.5).astype(np.int64)
    made = {"long tails": (np.repeat(np.arange(20_000), sizes), values)}
    visits = rng.integers(0, 30_000, 600_000)
    made["visits of pages"] = visits, np.floor(np.exp(rng.normal(7, 2, 600_000))).astype(np.int64)
    loyal = np.ceil(rng.pareto(1.2, 10_000) * 3 + 1).clip(1, 900).astype(np.int64)
    own = np.repeat(np.arange(10_000), loyal)
    made["mostly own values"] = own, own * 1000 + rng.integers(0, 1000, len(own)) // (1 + own % 7)
    return made


def found_of(units: Integers, values: Integers) -> Found:
    """Count the values of both functions at each level, in the order of DuckDB's hash."""
    with duckdb.connect() as connection:
        connection.register("pairs", pa.table({"unit": units, "x": values}))
        rows = connection.execute(_PAIRS.format(most=MOST)).fetchnumpy()
    least: Integers = np.full(int(values.max()) + 1, MOST, dtype=np.int64)
    np.minimum.at(least, rows["x"], rows["place"])
    ranked = np.array([int((least < level).sum()) for level in LEVELS])
    _, compact = np.unique(rows["x"], return_inverse=True)
    claimed = claimed_in_rounds(rows["turn"].astype(np.int64), compact.astype(np.int64), MOST).cumsum()
    return Found(len(np.unique(values)), ranked, claimed[np.array(LEVELS) - 1])


def errors(counts: Integers, truth: int, epsilon: Fraction, runs: int) -> tuple[float, float, float]:
    """The median and the 95 % point of the relative error, and the share of lower ends that hold."""
    entropy, vector = SystemEntropy(), counts.reshape(1, -1)
    made = [noisy_distinct(vector, LEVELS, epsilon, entropy, groups=1) for _ in range(runs)]
    sizes = np.array([abs(int(one.counts[0]) / truth - 1) for one in made])
    held = sum(int(one.counts[0]) - one.below <= truth for one in made) / runs
    return float(np.median(sizes)), float(np.quantile(sizes, 0.95)), held


def timings(rows: int, units: int, values: int, repeat: int = 3) -> dict[str, float]:
    """Seconds of a plain count(DISTINCT x), of one of units, and of the protected one."""
    with duckdb.connect() as connection:
        connection.execute(
            f"CREATE TABLE t AS SELECT (hash(i) % {units})::INTEGER AS unit, "
            f"floor(pow((hash(i, 'x') >> 11)::DOUBLE / 2 ** 53, 2.5) * {values})::INTEGER AS x "
            f"FROM range({rows}) AS range (i)"
        )
        protected = dpduck.connect(connection, epsilon="0.5")
        protected.execute("SET dp_replay = off")
        protected.execute("ALTER TABLE t ADD PRIVACY_KEY (unit)")
        query, of_units = "SELECT count(DISTINCT x) FROM t", "SELECT count(DISTINCT unit) FROM t"
        ways: dict[str, Callable[[], object]] = {
            "count(DISTINCT x)": lambda: connection.execute(query).fetchall(),
            "count(DISTINCT unit)": lambda: connection.execute(of_units).fetchall(),
            "dpduck": lambda: protected.execute(query).fetchall(),
        }
        return {name: min(_seconds(way) for _ in range(repeat)) for name, way in ways.items()}


def _seconds(way: Callable[[], object]) -> float:
    start = time.perf_counter()
    way()
    return time.perf_counter() - start


def tables() -> Sequence[Table]:
    """All tables of the section."""
    found = {name: found_of(*pairs) for name, pairs in shapes().items()}
    return [_levels(found), _errors(found), _timings()]


def _levels(found: Mapping[str, Found]) -> Table:
    rows = [("values", "N", "function", *(f"l = {level}" for level in LEVELS))]
    for name, one in found.items():
        for function, counts in (("ranked", one.ranked), ("claims", one.greedy)):
            rows.append((name, f"{one.truth:,}", function, *(f"{n:,}" for n in counts)))
    return Table("distinct values", "how many are found if l of each unit count", tuple(rows))


def _errors(found: Mapping[str, Found]) -> Table:
    rows = [("values", "epsilon", "function", "median", "95 % point", "dp_low holds")]
    for name, one in found.items():
        for function, counts in (("ranked", one.ranked), ("claims", one.greedy)):
            for epsilon in ("0.1", "0.5", "1"):
                middle, most, held = errors(counts, one.truth, Fraction(epsilon), RUNS)
                rows.append((name, epsilon, function, f"{middle:.3f}", f"{most:.3f}", f"{held:.3f}"))
    return Table("errors of distinct counts", f"relative to N, in {RUNS} runs", tuple(rows))


def _timings() -> Table:
    rows = [("units", "values", "way", "seconds")]
    for units, values in ((10_000, 100_000), (100_000, 10_000)):
        for way, seconds in timings(ROWS, units, values).items():
            rows.append((f"{units:,}", f"{values:,}", way, f"{seconds:.2f}"))
    return Table("time of distinct counts", f"of {ROWS:,} rows", tuple(rows))
