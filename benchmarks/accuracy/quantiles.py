"""Quantiles: how far the rank of what is released is off, beside what EXPLAIN promises."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import duckdb
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

import dpduck
from benchmarks.accuracy import Table
from dpduck.mechanisms.many_quantiles import Part, PartOf, errors_of_many, quantiles
from dpduck.mechanisms.quantile import ValueCounts, quantile, rank_errors
from dpduck.noise import SystemEntropy

Integers = NDArray[np.int64]
POINTS, UNITS, RUNS = 2**20, 10_000, 2_000
EPSILONS = (Fraction(1, 10), Fraction(1, 2), Fraction(1))
SEED = 41

# 95 % points of 400 runs of a reference program, for the same epsilons.
REFERENCE = {Fraction(1, 2): (27, 6, 2), Fraction(9, 10): (59, 10, 6), Fraction(99, 100): (100, 11, 6)}

# Bias and half-width of noise in % of the median of all rows, at epsilon 0.5, of another program.
CAPS = {
    1: (-13.0, 0.08),
    2: (-10.4, 0.08),
    4: (-6.7, 0.14),
    8: (-3.3, 0.21),
    16: (-1.2, 0.34),
    32: (-0.3, 0.75),
    60: (0, 1.42),
}

# Mean and largest rank error of another program: each with epsilon / k, and by recursion.
TOGETHER = {
    1: ((0.7, 0.7), (0.7, 0.7)),
    3: ((3.5, 6.9), (1.9, 3.4)),
    9: ((12.8, 40), (5.3, 13)),
    99: ((120, 741), (12.5, 50)),
}


def off_by(values: Integers, offsets: Integers, q: Fraction) -> NDArray[np.float64]:
    """How far the rank q n is from the ranks of released offsets. Input: values, ascending."""
    low, high = (np.searchsorted(values, offsets, side) for side in ("left", "right"))
    target = float(q) * len(values)
    return np.maximum(np.maximum(low - target, target - high), 0.0)


def tables() -> Sequence[Table]:
    """All tables of the section."""
    return [_ranks(), _recursion(), _caps()]


def evenly(number: int) -> list[Fraction]:
    """So many quantiles that divide values into parts of one size."""
    return [Fraction(i, number + 1) for i in range(1, number + 1)]


def people() -> pa.Table:
    """Rows of 20,000 units, 3 on average, of which those with more have larger values."""
    rng = np.random.default_rng(SEED)
    rows = np.minimum(60, 1 + np.floor(np.exp(rng.normal(0.5, 1, 20_000)))).astype(np.int64)
    units = np.repeat(np.arange(20_000), rows)
    own = 0.2 * np.log(rows) + 0.5 * rng.normal(size=20_000)
    return pa.table({"id": units, "x": np.exp(7 + own[units] + 0.8 * rng.normal(size=len(units)))})


def _caps() -> Table:
    """At epsilon 5 little but the bias is left; at 0.5 noise moves the median by a typical rank error."""
    made, rows = people(), [("rows", "bias in %", "reference", "noise in %", "reference")]
    values = np.sort(made.column("x").to_numpy())
    truth = float(np.median(values))
    for cap, (bias, noise) in CAPS.items():
        with duckdb.connect() as connection:
            connection.register("made", made)
            connection.execute("CREATE TABLE t AS FROM made")
            with dpduck.connect(connection, epsilon="5") as db:
                db.execute("ALTER TABLE t ADD PRIVACY_KEY (id)")
                db.execute("ALTER TABLE t ALTER COLUMN x SET PRIVACY DOMAIN BETWEEN (0, 1000000)")
                db.execute(f"ALTER TABLE t SET PRIVACY CONTRIBUTION (rows = {cap})")
                [[found]] = db.execute("SELECT median(x) FROM t").fetchall()
        off = cap * rank_errors(2**32, Fraction(1, 2), Fraction(1, 2)).typical
        moved = float(values[round(len(values) / 2 + off)]) / truth - 1
        rows.append(
            (f"{cap}", f"{100 * (found / truth - 1):.1f}", f"{bias}", f"{100 * moved:.2f}", f"{noise}")
        )
    return Table("medians of rows", "20,000 units, of which all rows weigh at most as so many", tuple(rows))


def _recursion() -> Table:
    values = np.sort(np.random.default_rng(SEED).integers(0, POINTS, UNITS))
    sample, entropy = ValueCounts(*np.unique(values, return_counts=True)), SystemEntropy()
    rows = [("k", "way", "mean", "largest", "reference", "usual in EXPLAIN")]

    def read(parts: Sequence[Part]) -> list[PartOf]:
        return [PartOf(sample, part) for part in parts]

    for k, reference in TOGETHER.items():
        shares, runs = evenly(k), 50 if k == 99 else 150
        epsilon, targets = Fraction(1), np.array([float(share) * UNITS for share in shares])
        usual = max(error.typical for error in errors_of_many(POINTS, shares, epsilon).values())
        found: dict[str, list[NDArray[np.float64]]] = {"each epsilon / k": [], "recursion": []}
        for _ in range(runs):
            apart = [quantile(sample, POINTS, share, epsilon / k, entropy).offset for share in shares]
            together = quantiles(read, [UNITS], POINTS, shares, epsilon, entropy).offsets[0]
            for way, offsets in zip(found, (apart, together), strict=True):
                low, high = (np.searchsorted(values, offsets, side) for side in ("left", "right"))
                found[way].append(np.maximum(np.maximum(low - targets, targets - high), 0.0))
        for (way, off), known in zip(found.items(), reference, strict=True):
            numbers = f"{np.mean(off):.1f}", f"{np.max(off, axis=1).mean():.1f}"
            shown = f"{usual:.1f}" if way == "recursion" else ""
            rows.append((str(k), way, *numbers, " / ".join(map(str, known)), shown))
    caption = f"mean and largest rank error of k even quantiles, {UNITS:,} units, epsilon 1"
    return Table("many quantiles", caption, tuple(rows))


def _ranks() -> Table:
    values = np.sort(np.random.default_rng(SEED).integers(0, POINTS, UNITS))
    sample, entropy = ValueCounts(*np.unique(values, return_counts=True)), SystemEntropy()
    rows = [("q", "epsilon", "measured", "reference", "typical", "sure")]
    for q, reference in REFERENCE.items():
        for epsilon, one in zip(EPSILONS, reference, strict=True):
            made = [quantile(sample, POINTS, q, epsilon, entropy).offset for _ in range(RUNS)]
            point = float(np.quantile(off_by(values, np.array(made), q), 0.95))
            errors = rank_errors(POINTS, q, epsilon)
            cells = (f"{point:.1f}", f"{one}", f"{errors.typical:.1f}", f"{errors.sure:.0f}")
            rows.append((f"{float(q):g}", f"{float(epsilon):g}", *cells))
    caption = f"95 % points of {RUNS:,} runs, {UNITS:,} units on a grid of {POINTS:,} points"
    return Table("rank errors", caption, tuple(rows))
