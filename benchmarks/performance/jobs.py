"""The jobs whose speed is measured: each is one answer, got in several ways."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

import duckdb
import numpy as np
import pyarrow as pa

import dpduck
from benchmarks.papers.data import SEED, Source, candidates
from benchmarks.performance import rival
from benchmarks.performance.timing import Way
from dpduck.kernel.arrow.columns import scores_of
from dpduck.kernel.mechanisms.topk import top_k
from dpduck.kernel.noise import SystemEntropy
from dpduck.kernel.scores import GroupedScores, PlainScores

EPSILON = "0.1"
K = 10
TOP = "SELECT item, count(DISTINCT basket_id) AS n FROM baskets GROUP BY item"
PLAIN_TOP = f"{TOP} ORDER BY n DESC LIMIT {K}"


@dataclass(frozen=True)
class Job:
    """Ways to one answer. Targets: seconds at most, or times of the `baseline` at most, by way."""

    name: str
    ways: Mapping[str, Way]
    baseline: str | None = None
    ratios: Mapping[str, float] = field(default_factory=dict)
    limits: Mapping[str, float] = field(default_factory=dict)


def jobs(source: Source) -> Iterator[Job]:
    """All jobs, one after another; the data of a job are freed before the next."""
    yield top_job(source)
    yield from median_jobs(source)
    yield mode_job(source)
    for size in (1_000, 100_000, 1_000_000):
        yield selection_job(max(int(size * source.scale), 50), size)
    yield grouped_job(source.scale)
    yield import_job()


def top_job(source: Source) -> Job:
    """Top 10 items by distinct baskets."""
    con = _loaded(source, "kosarak", "baskets")
    protected = dpduck.connect(con, epsilon=EPSILON)
    protected.execute("SET dp_replay = off")
    protected.execute("ALTER TABLE baskets ADD PRIVACY_KEY (basket_id)")
    (most,) = con.execute("SELECT max(item) FROM baskets").fetchone() or (0,)
    protected.execute(f"ALTER TABLE baskets ALTER COLUMN item SET PRIVACY DOMAIN BETWEEN (0, {most})")
    ways: dict[str, Way] = {
        "DuckDB": _query(con, PLAIN_TOP),
        "dp_top_k_counts": _query(con, f"SELECT dp_top_k_counts(item, n, {K}, {EPSILON}) FROM ({TOP})"),
        "dpduck.connect": lambda: protected.execute(PLAIN_TOP).fetchall(),
    }
    return Job("top 10 of 41,270 items, 8.3M rows", ways, "DuckDB", dict.fromkeys([*ways][1:], 1.3))


def median_jobs(source: Source) -> Iterator[Job]:
    """Medians of ten million rows; bounds near the data, and as wide as one likes."""
    con = _loaded(source, "numbers", "numbers")
    for kind, column, near, wide in (
        ("INTEGER", "i", "lo := 0, hi := 2000000", "lo := -2147483648, hi := 2147483647"),
        ("DOUBLE", "x", "lo := 0, hi := 5000", "lo := -1e9, hi := 1e9"),
    ):
        ways = {
            "DuckDB": _query(con, f"SELECT median({column}) FROM numbers"),
            "dp_median": _query(con, f"SELECT dp_median({column}, {EPSILON}, {near}) FROM numbers"),
            "dp_median, wide bounds": _query(
                con, f"SELECT dp_median({column}, {EPSILON}, {wide}) FROM numbers"
            ),
        }
        yield Job(f"median of 10M rows, {kind}", ways, "DuckDB", dict.fromkeys([*ways][1:], 1.3))


def mode_job(source: Source) -> Job:
    """Mode over a million candidates."""
    con = _loaded(source, "clicks", "clicks")
    size = candidates(source.scale)
    listed = f"(SELECT list(range) FROM range({size}))"
    ways = {
        "DuckDB": _query(con, "SELECT mode(item) FROM clicks"),
        "dp_mode, range(n)": _query(
            con, f"SELECT dp_mode(item, {EPSILON}, domain := range({size})) FROM clicks"
        ),
        "dp_mode, subquery": _query(con, f"SELECT dp_mode(item, {EPSILON}, domain := {listed}) FROM clicks"),
        "dp_mode, delta": _query(con, f"SELECT dp_mode(item, {EPSILON}, delta := 1e-6) FROM clicks"),
    }
    return Job("mode over 1M candidates, 5M rows", ways, "DuckDB", dict.fromkeys([*ways][1:], 1.5))


def selection_job(size: int, nominal: int) -> Job:
    """The mechanism alone, from an Arrow column of scores; OpenDP's beside it if it is installed."""
    counts = 10**6 // np.arange(1, size + 1)  # Zipf's law, as word and item counts have it
    column = pa.array(np.random.default_rng(SEED).permutation(counts))
    ways: dict[str, Way] = {
        "dpduck top_k with gaps": lambda: top_k(
            PlainScores(scores_of(column, "score")), K, Fraction(EPSILON), SystemEntropy()
        )
    }
    other = rival.top_k(column, K, EPSILON)
    if other is not None:
        ways["OpenDP noisy_top_k"] = other
    limits = {"dpduck top_k with gaps": 0.15} if nominal == 1_000_000 else {}
    ratios = {"dpduck top_k with gaps": 1 / 20} if limits and other else {}
    return Job(
        f"selection from {nominal:,} scores", ways, "OpenDP noisy_top_k" if other else None, ratios, limits
    )


def grouped_job(scale: float) -> Job:
    """The mechanism alone on a hundred million candidates, as 45,000 distinct counts with sizes."""
    distinct = max(int(45_000 * scale), 20)
    weights = np.arange(1, distinct + 1) ** -1.5
    sizes = np.maximum(1e8 * scale * weights / weights.sum(), 1).astype(np.int64)
    scores, multiplicities = pa.array(np.arange(distinct)), pa.array(sizes)
    way = "dpduck top_k with gaps"

    def select() -> object:
        grouped = GroupedScores(scores_of(scores, "score"), scores_of(multiplicities, "size"))
        return top_k(grouped, K, Fraction(EPSILON), SystemEntropy())

    return Job("selection from 1e8 candidates, grouped", {way: select}, limits={way: 1.0})


def import_job() -> Job:
    """A new Python process that only imports."""
    ways = {f"import {name}": _importing(name) for name in ("duckdb", "dpduck")}
    return Job("import, new process", ways, limits={"import dpduck": 0.5})


def _importing(name: str) -> Way:
    return lambda: subprocess.run([sys.executable, "-c", f"import {name}"], check=True)


def _loaded(source: Source, name: str, table: str) -> duckdb.DuckDBPyConnection:
    """A database in memory that holds the table, and dpduck's functions."""
    con = duckdb.connect()
    con.execute(f"CREATE TABLE {table} AS FROM read_parquet(?)", [str(source.path(name))])
    dpduck.register(con)
    return con


def _query(con: duckdb.DuckDBPyConnection, sql: str) -> Way:
    return lambda: con.execute(sql).fetchall()
