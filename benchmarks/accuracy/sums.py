"""Sums of totals that nothing bounds: the error with a private clamp, beside clamps that somebody declared.

The units have totals with moderate tails, with heavy tails, and with tails that no clamp is right for: there
half of the sum is that of a handful of units, and all that can be told is a lower end. Basket sizes have the
shape of those of the retail data of the papers, 88,162 baskets of 1 to 76 items with a mean of 10.3, and are
drawn, not copied. Of groups, the policy says nothing: a unit may be in each of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from benchmarks.accuracy import Table
from dpduck.kernel.accounting.gaussian import most_mu_squared
from dpduck.kernel.mechanisms.clamp_noise import ClampNoise, GaussianOfClamp, LaplaceOfClamp
from dpduck.kernel.mechanisms.clamped_sums import Totals, noisy_clamped_sums, steps_to
from dpduck.kernel.mechanisms.sums import noisy_sums
from dpduck.kernel.noise import SystemEntropy

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
STEPS = 30  # of the ladder: the ceiling of a total, far above all
RUNS = 1000
EPSILONS = ("0.5", "1", "2")
_POINTS = (0.5, 0.95, 0.99)
_DELTA = Fraction(1, 10**6)
_GROUPS = (1, 4, 30, 300)
_RUNS_OF_GROUPS = 100


def shapes(seed: int = 21) -> Mapping[str, Integers]:
    """The totals of units."""
    rng = np.random.default_rng(seed)
    made = {
        "lognormal(5, 1.5)": np.ceil(np.exp(rng.normal(5, 1.5, 10_000))),
        "Pareto(1.5), x 100": np.ceil(100 * rng.random(10_000) ** (-1 / 1.5)),
        "Pareto(1.1), x 100": np.ceil(100 * rng.random(10_000) ** (-1 / 1.1)),
        "lognormal, n = 500": np.ceil(np.exp(rng.normal(5, 1.5, 500))),
        "basket sizes": np.clip(np.ceil(np.exp(rng.normal(2, 0.8, 88_162))), 1, 76),
        "one unit has all": np.append(np.zeros(999), 1_000_000),
        "one each": np.ones(1000),
    }
    return {name: np.minimum(values, 2.0**STEPS).astype(np.int64) for name, values in made.items()}


def by_level(values: Integers, groups: Integers, size: int, steps: int = STEPS) -> Totals:
    """Totals as the score SQL gives them. Input: of each total its group; how many groups there are."""
    levels = np.array([steps_to(value) for value in values.tolist()])
    places, where = np.unique(groups * (steps + 1) + levels, return_inverse=True)
    sums = np.zeros(len(places), dtype=np.int64)
    np.add.at(sums, where, values)
    numbers = np.bincount(where, minlength=len(places)).tolist()
    owners, of_rows = np.divmod(places, steps + 1)
    return Totals(size, owners.tolist(), of_rows.tolist(), sums.tolist(), numbers, numbers)


def errors(values: Integers, epsilon: Fraction, runs: int) -> tuple[Floats, float, float]:
    """Relative errors, the share of lower ends that hold, and of answers above 1.5 times the truth."""
    totals = by_level(values, np.zeros(len(values), dtype=np.int64), 1)
    truth, entropy, noise = int(values.sum()), SystemEntropy(), LaplaceOfClamp(epsilon / 2, 1)
    made = [noisy_clamped_sums(totals, STEPS, epsilon / 2, noise, entropy) for _ in range(runs)]
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
    return [_chosen(found), _declared(found), _of_groups()]


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


def _of_groups() -> Table:
    """Errors of all groups together: the sum of their sizes, relative to the sum of all totals."""
    rows: list[tuple[str, ...]] = [
        ("groups", "units", "each in", "totals", "declared", "at half", "Laplace", "Gaussian")
    ]
    rng = np.random.default_rng(3)
    for size in _GROUPS:
        for number, everywhere in ((500, True), (10_000, True), (10_000, False)):
            if everywhere and (size == 1 or size * number > 300_000):
                continue
            for name in ("lognormal(5, 1.5)", "Pareto(1.5)", "Pareto(1.1)"):
                values, groups = _drawn(name, number, size, rng, everywhere=everywhere)
                cells = (f"{error:.3f}" for error in _errors_of_groups(values, groups, size))
                rows.append((str(size), f"{number:,}", "all" if everywhere else "one", name, *cells))
    title = f"epsilon 1, delta 1e-6, median error in {_RUNS_OF_GROUPS} runs, and of the best clamp for each"
    return Table("sums of groups with a private clamp", title, tuple(rows))


def _drawn(
    name: str, units: int, size: int, rng: np.random.Generator, *, everywhere: bool
) -> tuple[Integers, Integers]:
    """Totals and their groups: of each unit one in each group, or in one of them."""
    number = units * size if everywhere else units
    groups = np.tile(np.arange(size), units) if everywhere else rng.integers(0, size, units)
    if name.startswith("lognormal"):
        values = np.exp(rng.normal(5, 1.5, number))
    else:
        values = 100 * rng.random(number) ** (-1 / float(name[7:-1]))
    return np.minimum(np.ceil(values), 2.0**STEPS).astype(np.int64), groups


def _errors_of_groups(values: Integers, groups: Integers, size: int) -> list[float]:
    """With the best of all clamps declared, with it but half of epsilon, and with both kinds of noise."""
    totals, entropy, half = by_level(values, groups, size), SystemEntropy(), Fraction(1, 2)
    truth = np.array(totals.clamped(STEPS), dtype=float)

    def error(sums: Sequence[int]) -> float:
        return float(np.abs(np.array(sums, dtype=float) - truth).sum() / truth.sum())

    def best(epsilon: Fraction) -> float:
        noise = LaplaceOfClamp(epsilon, size)
        return min(
            float(np.median([error(noise.add(totals.clamped(level), 1 << level, entropy)) for _ in range(5)]))
            for level in range(STEPS + 1)
        )

    def chosen(noise: ClampNoise) -> float:
        runs = (noisy_clamped_sums(totals, STEPS, half, noise, entropy) for _ in range(_RUNS_OF_GROUPS))
        return float(np.median([error(made.sums) for made in runs]))

    normal = GaussianOfClamp(most_mu_squared(half, _DELTA), size)
    return [best(Fraction(1)), best(half), chosen(LaplaceOfClamp(half, size)), chosen(normal)]
