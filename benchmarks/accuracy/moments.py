"""Moments: the error of standard deviations and slopes, and how often intervals for the population hold it.

Each run draws a table from a population of which the statistics are known, adds the noise, and computes the
interval as an answer does.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.accuracy import Table
from dpduck.kernel.mechanisms.deviations import Extent, estimates
from dpduck.kernel.mechanisms.populations import FOURTH, sampling_of

Floats = NDArray[np.float64]

RUNS = 2000
SIZES = (200, 1000, 10_000)
LOSSES = (0.5, 1.0)
_UNIT = Extent(0.0, 1.0)
_MANY = 2_000_000  # values by which the truth of a population without a formula is computed
# RMSE of stddev, relative to it, and of the slope, as first computed with other code.
REFERENCE: Mapping[tuple[int, float], tuple[float, float]] = {
    (200, 0.5): (0.167, 0.246),
    (200, 1.0): (0.079, 0.092),
    (1000, 0.5): (0.030, 0.0355),
    (1000, 1.0): (0.0155, 0.0170),
    (10_000, 0.5): (0.0030, 0.0036),
    (10_000, 1.0): (0.0015, 0.0017),
}


@dataclass(frozen=True)
class Drawn:
    """Sums of weights, runs x weights, and the statistic of each table and of the population."""

    weights: Floats
    of_tables: Floats
    of_population: float


def weights_of(places: Floats, degree: int) -> Floats:
    """The sums of the weights of values with places in [0, 1]. Input and output: runs x values, x weights."""
    each = [math.comb(degree, j) * places**j * (1 - places) ** (degree - j) for j in range(degree + 1)]
    return np.stack([weight.sum(axis=1) for weight in each], axis=1)


def values(n: int, runs: int, chance: np.random.Generator) -> Floats:
    """Runs of n values with a long tail to the right."""
    return chance.beta(2, 5, (runs, n))


def lines(n: int, runs: int, chance: np.random.Generator) -> tuple[Floats, Floats]:
    """Runs of n pairs (y, x) about a line."""
    x = chance.beta(2, 2, (runs, n))
    return np.clip(0.2 + 0.5 * x + 0.1 * chance.normal(size=(runs, n)), 0, 1), x


def drawn(name: str, n: int, chance: np.random.Generator, runs: int = RUNS) -> Drawn:
    """Draw tables of n values, or pairs, for a statistic."""
    if name.startswith("regr"):
        return _drawn_lines(n, chance, runs)
    mean, variance = 2 / 7, 10 / (49 * 8)
    found: list[tuple[Floats, Floats]] = []
    degree = 4 if name in FOURTH else 2
    for size in _batches(n, runs):
        x = values(n, size, chance)
        found.append((weights_of(x, degree), x.mean(axis=1) if name == "avg" else x.std(axis=1, ddof=1)))
    truth = mean if name == "avg" else math.sqrt(variance)
    return Drawn(*map(np.concatenate, zip(*found, strict=True)), truth)


def _drawn_lines(n: int, chance: np.random.Generator, runs: int) -> Drawn:
    found: list[tuple[Floats, Floats]] = []
    for size in _batches(n, runs):
        y, x = lines(n, size, chance)
        each = [[math.comb(2, j) * u**j * (1 - u) ** (2 - j) for j in range(3)] for u in (y, x)]
        cells = np.stack([(a * b).sum(axis=1) for a in each[0] for b in each[1]], axis=1)
        found.append((cells, _slopes(y, x)))
    y, x = lines(_MANY, 1, np.random.default_rng(1))
    return Drawn(*map(np.concatenate, zip(*found, strict=True)), float(_slopes(y, x)[0]))


def _batches(n: int, runs: int) -> Sequence[int]:
    most = max(1_000_000 // n, 1)
    return [min(most, runs - start) for start in range(0, runs, most)]


def _slopes(y: Floats, x: Floats) -> Floats:
    mean = x.mean(axis=1, keepdims=True)
    slopes: Floats = ((x - mean) * y).sum(axis=1) / ((x - mean) ** 2).sum(axis=1)
    return slopes


@dataclass(frozen=True)
class Held:
    """The error that noise makes, and the shares of intervals that hold: of the table, of the population, and
    of those for the table that hold the population too."""

    error: float
    of_table: float
    of_population: float
    without_sampling: float


def held(name: str, n: int, epsilon: float, chance: np.random.Generator, runs: int = RUNS) -> Held:
    """Add noise to drawn tables, and compare."""
    tables, spans = drawn(name, n, chance, runs), [_UNIT, _UNIT]
    noisy = tables.weights + chance.laplace(scale=1 / epsilon, size=tables.weights.shape)
    alone = estimates(name, noisy, 1 / epsilon, spans)
    both = estimates(name, noisy, 1 / epsilon, spans, sampling_of(name, 1))
    known = ~np.isnan(alone.values)
    error = np.sqrt(np.mean((alone.values - tables.of_tables)[known] ** 2))
    truth = tables.of_population
    return Held(
        float(error),
        float(np.mean((alone.lows <= tables.of_tables) & (tables.of_tables <= alone.highs))),
        float(np.mean((both.lows <= truth) & (truth <= both.highs))),
        float(np.mean((alone.lows <= truth) & (truth <= alone.highs))),
    )


def tables() -> Sequence[Table]:
    """All tables of the section."""
    chance = np.random.default_rng(61)
    header = ("statistic", "n", "epsilon", "RMSE", "reference", "table", "population", "noise alone")
    rows = [header]
    for name in ("avg", "stddev_samp", "regr_slope"):
        for n in SIZES:
            for epsilon in LOSSES:
                rows += [_row(name, n, epsilon, chance)]
    caption = "error through noise (of stddev relative), and shares of 95 % intervals that hold"
    return [Table("moments", caption, tuple(rows))]


def _row(name: str, n: int, epsilon: float, chance: np.random.Generator) -> tuple[str, ...]:
    found = held(name, n, epsilon, chance)
    error = found.error / (math.sqrt(10 / (49 * 8)) if name == "stddev_samp" else 1)
    before = {"stddev_samp": 0, "regr_slope": 1}.get(name)
    reference = "" if before is None else f"{REFERENCE[n, epsilon][before]:.4f}"
    shares = (found.of_table, found.of_population, found.without_sampling)
    return (name, f"{n:,}", f"{epsilon:g}", f"{error:.4f}", reference, *(f"{one:.3f}" for one in shares))
