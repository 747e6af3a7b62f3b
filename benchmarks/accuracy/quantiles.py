"""Quantiles: how far the rank of what is released is off, beside what EXPLAIN promises."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from benchmarks.accuracy import Table
from dpduck.mechanisms.quantile import ValueCounts, quantile, rank_errors
from dpduck.noise import SystemEntropy

Integers = NDArray[np.int64]
POINTS, UNITS, RUNS = 2**20, 10_000, 2_000
EPSILONS = (Fraction(1, 10), Fraction(1, 2), Fraction(1))
SEED = 41

# 95 % points of 400 runs of a reference program, for the same epsilons.
REFERENCE = {Fraction(1, 2): (27, 6, 2), Fraction(9, 10): (59, 10, 6), Fraction(99, 100): (100, 11, 6)}


def off_by(values: Integers, offsets: Integers, q: Fraction) -> NDArray[np.float64]:
    """How far the rank q n is from the ranks of released offsets. Input: values, ascending."""
    low, high = (np.searchsorted(values, offsets, side) for side in ("left", "right"))
    target = float(q) * len(values)
    return np.maximum(np.maximum(low - target, target - high), 0.0)


def tables() -> Sequence[Table]:
    """All tables of the section."""
    return [_ranks()]


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
