"""Sums of totals that nothing bounds: the error with a private clamp, beside clamps that somebody declared.

The units have totals with moderate tails, with heavy tails, and with tails that no clamp is right for: there
half of the sum is that of a handful of units, and all that can be told is a lower end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from benchmarks.accuracy import Table
from dpduck.mechanisms.clamped_sums import Totals, noisy_clamped_sums, steps_to
from dpduck.mechanisms.sums import noisy_sums
from dpduck.noise import SystemEntropy

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
STEPS = 30  # of the ladder: the ceiling of a total, far above all
RUNS = 1000
EPSILONS = ("0.5", "1", "2")
_POINTS = (0.5, 0.95, 0.99)


def shapes(seed: int = 21) -> Mapping[str, Integers]:
    """The totals of units."""
    rng = np.random.default_rng(seed)
    made = {
        "lognormal(5, 1.5)": np.ceil(np.exp(rng.normal(5, 1.5, 10_000))),
        "Pareto(1.5), x 100": np.ceil(100 * rng.random(10_000) ** (-1 / 1.5)),
        "Pareto(1.1), x 100": np.ceil(100 * rng.random(10_000) ** (-1 / 1.1)),
        "lognormal, n = 500": np.ceil(np.exp(rng.normal(5, 1.5, 500))),
        "one unit has all": np.append(np.zeros(999), 1_000_000),
        "one each": np.ones(1000),
    }
    return {name: np.minimum(values, 2.0**STEPS).astype(np.int64) for name, values in made.items()}


def by_level(values: Integers, steps: int = STEPS) -> tuple[Totals, list[int]]:
    """Totals as the score SQL gives them, of one group, and how many units are at each level."""
    levels = [steps_to(value) for value in values.tolist()]
    units = np.bincount(levels, minlength=steps + 1).tolist()
    sums = np.zeros(steps + 1, dtype=np.int64)
    np.add.at(sums, levels, values)
    return Totals(1, [0] * (steps + 1), range(steps + 1), sums.tolist(), units), units


def errors(values: Integers, epsilon: Fraction, runs: int) -> tuple[Floats, float, float]:
    """Relative errors, the share of lower ends that hold, and of answers above 1.5 times the truth."""
    (totals, units), truth, entropy = by_level(values), int(values.sum()), SystemEntropy()
    made = [noisy_clamped_sums(totals, units, epsilon, entropy, groups=1) for _ in range(runs)]
    answers = np.array([one.sums[0] / truth for one in made])
    held = sum(one.sums[0] - one.half_width <= truth for one in made) / runs
    return np.abs(answers - 1), held, float(np.mean(answers > 1.5))


def of_fixed(values: Integers, epsilon: Fraction, level: int, runs: int) -> Floats:
    """Relative errors where a clamp is declared, which takes all of epsilon."""
    clamp, truth = 1 << level, int(values.sum())
    clamped, entropy = int(np.minimum(values, clamp).sum()), SystemEntropy()
    noisy = (noisy_sums([clamped], epsilon, entropy, bound=clamp, groups=1) for _ in range(runs))
    return np.array([abs(one.sums[0] / truth - 1) for one in noisy])


def tables() -> Sequence[Table]:
    """All tables of the section."""
    found = shapes()
    return [_chosen(found), _declared(found)]


def _chosen(found: Mapping[str, Integers]) -> Table:
    rows = [("totals", "max / sum", "epsilon", "median", "95 %", "99 %", "dp_low holds", "above 1.5")]
    for name, values in found.items():
        for epsilon in EPSILONS:
            sizes, held, above = errors(values, Fraction(epsilon), RUNS)
            ends = (f"{point:.3f}" for point in np.quantile(sizes, _POINTS))
            share = f"{values.max():,} / {values.sum():,}"
            rows.append((name, share, epsilon, *ends, f"{held:.3f}", f"{above:.4f}"))
    return Table("sums with a private clamp", f"errors relative to the sum, in {RUNS} runs", tuple(rows))


def _declared(found: Mapping[str, Integers]) -> Table:
    """The best of all clamps is known to nobody: it is chosen after the fact, by the median error."""
    rows = [("totals", "epsilon", "clamp 2^14", "clamp 2^20", "best clamp", "its level")]
    for name, values in found.items():
        for epsilon in EPSILONS:
            medians = [
                float(np.median(of_fixed(values, Fraction(epsilon), level, RUNS // 5)))
                for level in range(STEPS + 1)
            ]
            best = int(np.argmin(medians))
            ends = (f"{error:.3f}" for error in (medians[14], medians[20], medians[best]))
            rows.append((name, epsilon, *ends, str(best)))
    return Table("sums with a declared clamp", f"median error, in {RUNS // 5} runs", tuple(rows))
