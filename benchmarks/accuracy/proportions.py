"""Proportions: how often intervals of a rate, and of the difference of two, hold for the population.

Each run draws successes from a population and adds the noise. The intervals are those of an answer, and
differences are computed by its SQL.
"""

from __future__ import annotations

from collections.abc import Sequence

import duckdb
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from benchmarks.accuracy import Table
from dpduck.compiler.block.differences import NumberEnds, difference
from dpduck.kernel.mechanisms.populations import NORMAL
from dpduck.kernel.mechanisms.proportions import score_intervals

Floats = NDArray[np.float64]

RUNS = 2000
LIFT = 1.2  # how much larger the rate of the second arm is
# n of each arm, p, epsilon; and as first computed with other code the coverage without a term for noise, that
# of the score interval, its width, and the coverage of the difference.
CASES = (
    (50, 0.02, 0.5, (0.53, 0.951, 0.16, 0.98)),
    (200, 0.02, 0.5, (0.77, 0.939, 0.062, 0.96)),
    (200, 0.1, 0.5, (0.90, 0.952, 0.097, 0.94)),
    (1000, 0.02, 0.5, (0.90, 0.958, 0.021, 0.95)),
    (1000, 0.1, 1.0, (0.945, 0.952, 0.037, 0.95)),
    (10_000, 0.02, 0.5, (0.95, 0.952, 0.0055, 0.95)),
)


def noisy(n: int, p: float, epsilon: float, runs: int, chance: np.random.Generator) -> tuple[Floats, Floats]:
    """Noisy numbers of successes and failures."""
    successes = chance.binomial(n, p, runs)
    noise = chance.laplace(scale=1 / epsilon, size=(2, runs))
    return successes + noise[0], n - successes + noise[1]


def shares(pair: tuple[Floats, Floats]) -> Floats:
    """The proportions, as an answer has them."""
    total = pair[0] + pair[1]
    found: Floats = np.where(total > 0, np.clip(pair[0] / np.where(total > 0, total, 1), 0, 1), 0.5)
    return found


def intervals(pair: tuple[Floats, Floats], epsilon: float) -> tuple[Floats, Floats, Floats]:
    """The proportions, with the ends of their intervals."""
    low, high = score_intervals(*pair, 1 / epsilon)
    value = shares(pair)
    return value, np.minimum(low, value), np.maximum(high, value)


def differences(first: Sequence[Floats], second: Sequence[Floats]) -> tuple[Floats, Floats, Floats]:
    """The ends of the interval of first - second, and its p-value, by the SQL of an answer."""
    names = ("value", "low", "high")
    columns = {f"{side}_{name}": each for side, one in zip("ab", (first, second), strict=True)
               for name, each in zip(names, one, strict=True)}  # fmt: skip
    sides = [NumberEnds(*(f"{side}_{name}" for name in names)) for side in "ab"]
    asked = (difference(*sides, bound, independent=True) for bound in ("low", "high", "p_value"))
    with duckdb.connect() as connection:
        connection.register("arms", pa.table(columns))
        made = connection.execute(
            f"SELECT {', '.join(f'{sql} AS x{i}' for i, sql in enumerate(asked))} FROM arms"
        ).fetchnumpy()
    return made["x0"], made["x1"], made["x2"]


def without_noise(pair: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    """The interval p +- 1.96 sqrt(p (1 - p) / n), as if the numbers had no noise."""
    value, total = shares(pair), np.maximum(pair[0] + pair[1], 1)
    width = NORMAL * np.sqrt(value * (1 - value) / total)
    return value - width, value + width


def held(ends: tuple[Floats, Floats], truth: float) -> float:
    """The share of intervals that hold a number."""
    return float(np.mean((ends[0] <= truth) & (truth <= ends[1])))


def tables() -> Sequence[Table]:
    """All tables of the section."""
    chance = np.random.default_rng(61)
    names = ("n", "p", "epsilon", "no noise term", "reference", "score", "reference", "width", "reference")
    rows = [(*names, "difference", "reference", "p < 5 % of none")]
    for n, p, epsilon, known in CASES:
        arms = [noisy(n, rate, epsilon, RUNS, chance) for rate in (p, LIFT * p, p)]
        one, other, equal = (intervals(arm, epsilon) for arm in arms)
        low, high, _ = differences(other, one)
        p_values = differences(equal, one)[2]
        found = (
            held(without_noise(arms[0]), p),
            held(one[1:], p),
            float(np.mean(one[2] - one[1])),
            held((low, high), (LIFT - 1) * p),
        )
        pairs = [f"{number:.3g}" for pair in zip(found, known, strict=True) for number in pair]
        rows += [(f"{n:,}", f"{p:g}", f"{epsilon:g}", *pairs, f"{np.mean(p_values < 0.05):.3f}")]
    return [Table("proportions", "shares of 95 % intervals that hold for the population", tuple(rows))]
