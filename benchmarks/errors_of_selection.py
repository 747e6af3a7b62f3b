"""Permute-and-flip against the exponential mechanism on three histograms (McKenna and Sheldon 2020).

The mode's scores are counts, with coins exp(-epsilon): a record moves all scores that it moves in one
direction. The median's are rank scores, with coins exp(-epsilon / 2). The published epsilon of each
row is where the exponential mechanism's expected error is 25 records, or 50 score units. Expectations
are exact (tests/oracles); errors are drawn from the mechanisms, and from `dp_mode` and `dp_median` in
SQL over one row per record.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from statistics import fmean, stdev

import duckdb
import numpy as np

import dpduck
from benchmarks.data import Source
from benchmarks.results import Record
from dpduck.mechanisms.quantile import QuantileScores, ValueCounts
from dpduck.mechanisms.selection import exponential, permute_and_flip
from dpduck.noise import SystemEntropy
from dpduck.scores import PlainScores, Scores
from tests.oracles.figures import error_at, load, median_groups, mode_groups
from tests.oracles.selection import median_scores

# For each set and statistic: epsilon, and the published errors of permute-and-flip and its rival.
PUBLISHED = {
    ("hepth", "mode"): ("0.016995", 16.43, 25.0),
    ("searchlogs", "mode"): ("0.001658", 12.57, 25.0),
    ("patent", "mode"): ("0.008542", 13.66, 25.0),
    ("hepth", "median"): ("0.008767", 26.76, 50.0),
    ("searchlogs", "median"): ("0.004384", 25.79, 50.0),
    ("patent", "median"): ("0.000886", 25.10, 50.0),
}
_CALLS = 100  # calls in one query: each of them draws, while the values are listed once
_VALUES = 2_000_000_000  # that many values are read in all; more draws are not taken


def records(source: Source, draws: int, sql_draws: int) -> Iterator[Record]:
    """One record for each set and statistic."""
    histograms = load(source.path("histograms"))
    for (name, kind), (epsilon, flip, rival) in PUBLISHED.items():
        histogram, rate = histograms[name], Fraction(epsilon)
        losses = loss_of(histogram, kind)
        yield {
            "kind": kind,
            "set": name,
            "own": source.own("histograms"),
            "epsilon": epsilon,
            "published": {"permute_and_flip": flip, "exponential": rival},
            "exact": exact(histogram, kind, rate),
            "drawn": drawn(histogram, kind, rate, draws, losses),
            "sql": {"permute_and_flip": _summary(from_sql(histogram, kind, epsilon, sql_draws, losses))},
        }


def loss_of(histogram: Sequence[int], kind: str) -> Sequence[int]:
    """How far the score of each bin is below the best."""
    scores = histogram if kind == "mode" else median_scores(histogram)
    best = max(scores)
    return [best - score for score in scores]


def exact(histogram: Sequence[int], kind: str, epsilon: Fraction) -> Record:
    """The expected errors of both mechanisms."""
    if kind == "mode":
        flip, rival = error_at(mode_groups(histogram), epsilon)
    else:
        flip, rival = error_at(median_groups(histogram), epsilon / 2)
    return {"permute_and_flip": round(flip, 4), "exponential": round(rival, 4)}


def drawn(
    histogram: Sequence[int], kind: str, epsilon: Fraction, draws: int, losses: Sequence[int]
) -> Record:
    """Mean errors of draws from both mechanisms."""
    monotonic, entropy = kind == "mode", SystemEntropy()
    make = _scores(histogram, kind)
    mechanisms: dict[str, Callable[[], int]] = {
        "permute_and_flip": lambda: permute_and_flip(make(), epsilon, entropy, monotonic=monotonic).candidate,
        "exponential": lambda: exponential(make(), epsilon, entropy, monotonic=monotonic).candidate,
    }
    return {name: _summary([losses[draw()] for _ in range(draws)]) for name, draw in mechanisms.items()}


def _scores(histogram: Sequence[int], kind: str) -> Callable[[], Scores]:
    counts = np.array(histogram, dtype=np.int64)
    if kind == "mode":
        return lambda: PlainScores(counts)
    occupied = np.flatnonzero(counts)
    sample = ValueCounts(occupied, counts[occupied])
    return lambda: QuantileScores(sample, len(counts), Fraction(1, 2))


def from_sql(
    histogram: Sequence[int], kind: str, epsilon: str, draws: int, losses: Sequence[int]
) -> list[int]:
    """Errors of dp_mode or dp_median over a table with one row per record."""
    con = duckdb.connect()
    dpduck.register(con)
    con.execute(
        "CREATE TABLE bins AS SELECT unnest($1) AS n, unnest($2) AS bin",
        [histogram, [*range(len(histogram))]],
    )
    con.execute("CREATE TABLE records AS SELECT bin::INTEGER AS bin FROM bins, range(n)")
    last = len(histogram) - 1
    grid = f"domain := range({last + 1})" if kind == "mode" else f"lo := 0, hi := {last}"
    call = f"dp_{kind}(bin, {epsilon}, {grid})"
    wanted = max(min(draws, _VALUES // max(sum(histogram), 1)), 1)
    answers: list[int] = []
    while len(answers) < wanted:
        calls = ", ".join([call] * min(_CALLS, wanted - len(answers)))
        answers += con.execute(f"SELECT {calls} FROM records").fetchone() or ()
    return [losses[answer] for answer in answers]


def _summary(errors: Sequence[int]) -> Record:
    """Mean, its standard error, and the number of draws."""
    spread = stdev(errors) / math.sqrt(len(errors)) if len(errors) > 1 else math.inf
    return {"mean": round(fmean(errors), 4), "error": round(spread, 4), "draws": len(errors)}
