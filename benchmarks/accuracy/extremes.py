"""The largest value: how often what is released is above all values, and how many are beyond it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import ceil, log

import numpy as np
from numpy.typing import NDArray

from benchmarks.accuracy import Table
from dpduck.kernel.mechanisms.extremes import Extreme
from dpduck.kernel.mechanisms.quantile import Sample, ValueCounts, quantile
from dpduck.kernel.noise import SystemEntropy, discrete_laplace

Integers = NDArray[np.int64]
Mechanism = Callable[[Sample, int, Fraction], int]
RUNS, SEED = 200, 41
EPSILONS = (Fraction(1), Fraction(1, 5))
FINE = 2**32
_NINETY_NINE = Fraction(99, 100)
_ENTROPY = SystemEntropy()


def tables() -> Sequence[Table]:
    """One table for each epsilon."""
    return [_table(epsilon) for epsilon in EPSILONS]


def sets() -> Iterator[tuple[str, Integers, int]]:
    """Ten sets of values as offsets on a grid, and the points of that grid."""
    rng, n = np.random.default_rng(SEED), 2_000
    ages = np.minimum(rng.gamma(4, 10, n), 100).astype(np.int64)
    incomes = np.minimum(rng.lognormal(10, 0.8, 100_000) / 1e6 * FINE, FINE - 1).astype(np.int64)
    days = 322 * rng.uniform(size=n)
    yield "0 to 6 of 0 to 10", (rng.uniform(0, 0.6, n) * FINE).astype(np.int64), FINE
    yield "0 to 6, whole", rng.integers(0, 7, n), 11
    yield "ages to 120", ages, 121
    yield "200 ages to 120", ages[:200], 121
    yield "incomes to 1e6", incomes[:n], FINE
    yield "100,000 incomes", incomes, FINE
    yield "prices to 1e9", np.minimum(100 * (rng.pareto(1.2, n) + 1), 1e9).astype(np.int64), 10**9
    yield "dates, 5 of 10 years", rng.integers(0, 5 * 365, n), 3_650
    yield "times, 322 of 366 days", (days / 366 * FINE).astype(np.int64), FINE
    recent = np.maximum(322 - rng.exponential(30, n), 0)
    yield "times, most of them late", (recent / 366 * FINE).astype(np.int64), FINE


def _of_quantile(sample: Sample, points: int, epsilon: Fraction) -> int:
    return quantile(sample, points, _NINETY_NINE, epsilon, _ENTROPY).offset


def _of_noisy_count(sample: Sample, points: int, epsilon: Fraction) -> int:
    """A tenth of epsilon counts; the quantile is as far from the end as noise on its rank is with 95 %."""
    share = epsilon * 9 / 10
    count = max(sample.count + int(discrete_laplace(epsilon / 10, 1, _ENTROPY)[0]), 1)
    depth = ceil(2 * log(20 * points) / share)
    q = min(
        max(1 - Fraction(depth, count), Fraction(1, 2)).limit_denominator(10_000), Fraction(9_999, 10_000)
    )
    return quantile(sample, points, q, share, _ENTROPY).offset


def _of_extreme(sample: Sample, points: int, epsilon: Fraction) -> int:
    return Extreme(True, points, epsilon).select(sample, _ENTROPY).offset


MECHANISMS: tuple[tuple[str, Mechanism], ...] = (
    ("the 99 % quantile", _of_quantile),
    ("a quantile by a noisy count", _of_noisy_count),
    ("max", _of_extreme),
)


def _table(epsilon: Fraction) -> Table:
    rows: list[tuple[str, ...]] = [("values", *(name for name, _ in MECHANISMS), "beyond max at most")]
    for name, values, points in sets():
        ordered, sample = np.sort(values), ValueCounts(*np.unique(values, return_counts=True))
        cells = []
        for _, mechanism in MECHANISMS:
            found = np.array([mechanism(sample, points, epsilon) for _ in range(RUNS)])
            above = np.mean(found > ordered[-1])
            beyond = np.median(len(ordered) - np.searchsorted(ordered, found, "right"))
            off = np.median(np.abs(found - ordered[-1])) / (ordered[-1] - ordered[0])
            cells.append(f"{100 * above:.0f} %, {beyond:.0f}, {100 * off:.3g} %")
        rows.append((name, *cells, f"{Extreme(True, points, epsilon).beyond}"))
    caption = (
        "how often it is above all of 2,000 values, how many are beyond it, how far it is from the largest, "
        "in parts of their range (medians)"
    )
    return Table(f"largest values at epsilon {float(epsilon):g}", caption, tuple(rows))
