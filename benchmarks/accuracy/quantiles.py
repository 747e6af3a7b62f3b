"""Quantiles: how far the rank of what is released is off, beside what EXPLAIN promises."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from statistics import NormalDist

import duckdb
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

import dpduck
from benchmarks.accuracy import Table
from dpduck.kernel.mechanisms.many_quantiles import Part, PartOf, errors_of_many, quantiles
from dpduck.kernel.mechanisms.quantile import ValueCounts, quantile, rank_errors
from dpduck.kernel.mechanisms.quantile_intervals import IntervalKind
from dpduck.kernel.noise import SystemEntropy

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


# Coverage and width, in medians, of intervals that have all of epsilon, for the table and for the population:
# 300 runs of another program, at epsilon 0.5 and 1. None: it does not say.
INTERVALS = {
    100: (((0.90, None), (0.91, None)), ((0.94, 1.04), (0.95, 0.58))),
    500: (((0.95, 0.12), (0.93, 0.06)), ((0.96, 0.25), (0.96, 0.23))),
    2_000: (((0.91, 0.029), (0.96, 0.015)), ((0.96, 0.113), (0.95, 0.111))),
    10_000: (((0.97, 0.006), (0.96, 0.003)), ((0.93, 0.049), (0.95, 0.049))),
}


def off_by(values: Integers, offsets: Integers, q: Fraction) -> NDArray[np.float64]:
    """How far the rank q n is from the ranks of released offsets. Input: values, ascending."""
    low, high = (np.searchsorted(values, offsets, side) for side in ("left", "right"))
    target = float(q) * len(values)
    return np.maximum(np.maximum(low - target, target - high), 0.0)


def tables() -> Sequence[Table]:
    """All tables of the section."""
    return [_ranks(), _recursion(), _caps(), _intervals(), _extremes()]


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


def _intervals() -> Table:
    """Unlike in the reference, a third of epsilon is not for the interval, but for the quantile."""
    rows = [("n", "epsilon", "table", "reference", "population", "reference")]
    for n, references in INTERVALS.items():
        for place, epsilon in enumerate((Fraction(1, 2), Fraction(1))):
            cells = []
            for population, reference in zip((False, True), references, strict=True):
                rate, width = _covered(Fraction(1, 2), n, epsilon, population=population)
                known, wide = reference[place]
                cells += [f"{rate:.3f} ({width:.3g})", f"{known:.2f}" + (f" ({wide:g})" if wide else "")]
            rows.append((str(n), f"{float(epsilon):g}", cells[0], cells[1], cells[2], cells[3]))
    caption = f"coverage (width in medians), {RUNS:,} samples of a lognormal law, {POINTS:,} points"
    return Table("intervals of the median", caption, tuple(rows))


def _extremes() -> Table:
    rows = [("q", "n", "table", "population")]
    for q, n in ((Fraction(9, 10), 500), (Fraction(9, 10), 5_000), (Fraction(99, 100), 10_000)):
        made = [_covered(q, n, Fraction(1), population=population) for population in (False, True)]
        table, people = (f"{rate:.3f} ({width:.3g})" for rate, width in made)
        rows.append((f"{float(q):g}", str(n), table, people))
    caption = f"coverage (width in quantiles) at epsilon 1, {RUNS:,} samples of the same law"
    return Table("intervals of other quantiles", caption, tuple(rows))


def _covered(q: Fraction, n: int, epsilon: Fraction, *, population: bool) -> tuple[float, float]:
    """How often the interval covers the quantile, and its median width in quantiles."""
    chance, entropy = np.random.default_rng(SEED), SystemEntropy()
    lower, upper = IntervalKind(population).ends(q, epsilon, 1, POINTS)
    truth, held, widths = float(np.exp(9 + NormalDist().inv_cdf(float(q)))), 0, []
    for _ in range(RUNS):
        values = np.clip(np.exp(chance.normal(9, 1, n)), 0, POINTS - 1).astype(np.int64)
        sample = ValueCounts(*np.unique(values, return_counts=True))
        own = quantile(sample, POINTS, q, epsilon / 3, entropy).offset
        low, high = min(lower.select(sample, entropy), own), max(upper.select(sample, entropy), own)
        ends = np.sum(values < low), np.sum(values <= high)
        held += bool(low <= truth < high + 1 if population else ends[0] <= q * n <= ends[1])
        widths.append(high - low)
    return held / RUNS, float(np.median(widths)) / truth
