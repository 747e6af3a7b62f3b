"""The counts of a noisy top k: how much the free gaps improve them, and how often intervals hold.

Measured against what one gets without gaps: half of epsilon selects, half measures (Ding, Wang, Zhang
and Kifer 2019, figure 1; the exponential noise is from the paper's longer version). The published
improvement is for exponential noise; theory is 2 (k - 1) / (3 k) at an even split.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from statistics import fmean, stdev

import duckdb
import numpy as np

import dpduck
from benchmarks.data import Source
from benchmarks.results import Record
from dpduck.mechanisms.blue import best_split, count_variance
from dpduck.mechanisms.topk_counts import top_k_counts
from dpduck.noise import SystemEntropy
from dpduck.scores import PlainScores

EPSILON = "0.7"
PUBLISHED = {("t10i4", 2): 36.8, ("t10i4", 10): 59.8, ("t10i4", 24): 61.3}
_LISTS = 100  # lists of ten answers per query

Answers = Sequence[tuple[int, float, float, float]]  # candidate, count, low, high


def records(source: Source, draws: int, sql_draws: int) -> Iterator[Record]:
    """One record for each set and k."""
    for name in ("retail", "t10i4"):
        con = duckdb.connect()
        con.execute(
            "CREATE TABLE counts AS SELECT item, count(DISTINCT basket_id) AS n "
            "FROM read_parquet(?) GROUP BY item",
            [str(source.path(name))],
        )
        truth = dict(con.execute("FROM counts ORDER BY item").fetchall())
        for k in (2, 10, 24):
            if k >= len(truth):
                continue
            split = best_split(Fraction(EPSILON), k, k)
            yield {
                "kind": "counts",
                "set": name,
                "own": source.own(name),
                "epsilon": EPSILON,
                "k": k,
                "theory": round(200 * (k - 1) / (3 * k), 2),
                "published": PUBLISHED.get((name, k)),
                "selection_share": float(split.selection / Fraction(EPSILON)),
                "expected": round(100 * (1 - split.variance / _direct_variance(k)), 2),
                "drawn": _summary(list(_drawn(truth, k, draws)), truth, k),
                "sql": _summary(list(_from_sql(con, k, sql_draws)), truth, k),
            }


def _direct_variance(k: int) -> float:
    """The variance of a count measured with half of epsilon, k counts sharing it."""
    return count_variance(Fraction(EPSILON) / 2 / k)


def _drawn(truth: Mapping[int, int], k: int, draws: int) -> Iterator[Answers]:
    items, counts = list(truth), np.array(list(truth.values()), dtype=np.int64)
    for _ in range(draws):
        top = top_k_counts(PlainScores(counts), k, Fraction(EPSILON), SystemEntropy())
        yield [
            (items[candidate], count, count + top.low, count + top.high)
            for candidate, count in zip(top.candidates, top.counts, strict=True)
        ]


def _from_sql(con: duckdb.DuckDBPyConnection, k: int, draws: int) -> Iterator[Answers]:
    """dp_top_k_counts over the same counts, many times in one query: one group per draw."""
    dpduck.register(con)
    call = f"dp_top_k_counts(item, n, {k}, {EPSILON})"
    for start in range(0, draws, _LISTS):
        lists = min(_LISTS, draws - start)
        sql = f"SELECT {call} FROM counts, range({lists}) AS t(draw) GROUP BY draw"
        for (rows,) in con.execute(sql).fetchall():
            yield [(row["key"], row["count"], row["low"], row["high"]) for row in rows]


def _summary(answers: Sequence[Answers], truth: Mapping[int, int], k: int) -> Record:
    """The improvement in %, its standard error over the draws, and how often an interval holds."""
    squares = [fmean((count - truth[key]) ** 2 for key, count, _, _ in answer) for answer in answers]
    held = [low <= truth[key] <= high for answer in answers for key, _, low, high in answer]
    direct = _direct_variance(k) / 100
    error = stdev(squares) / math.sqrt(len(squares)) if len(squares) > 1 else math.inf
    return {
        "improvement": round(100 - fmean(squares) / direct, 2),
        "error": round(error / direct, 2),
        "coverage": round(100 * fmean(held), 2),
        "draws": len(answers),
    }
