"""Counts by group of units that are in many: the error if each counts in a fixed number, or a private one.

The units are baskets of items: sizes with a long tail, and items some of which are in most baskets.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from benchmarks.accuracy import Table
from dpduck.kernel.mechanisms.additive import noisy_counts
from dpduck.kernel.mechanisms.chosen_groups import LeveledCounts, group_ladder, noisy_bounded_counts
from dpduck.kernel.noise import SystemEntropy

Integers = NDArray[np.int64]
BASKETS, ITEMS = 88_000, 16_384
LARGEST = 100  # items, of which the error is shown
RUNS = 100


def baskets(number: int = BASKETS, items: int = ITEMS, seed: int = 21) -> tuple[Integers, Integers]:
    """Pairs of a basket and an item, each pair once, in the order in which a basket keeps its items."""
    rng = np.random.default_rng(seed)
    sizes = np.minimum(76, np.ceil(np.exp(rng.normal(2, 0.8, number)))).astype(np.int64)
    owners = np.repeat(np.arange(number), sizes)
    found = np.unique(
        np.stack([owners, np.floor(items * rng.random(len(owners)) ** 5).astype(np.int64)]), axis=1
    )
    order = np.lexsort((rng.random(found.shape[1]), found[0]))
    return found[0][order], found[1][order]


def leveled(owners: Integers, items: Integers, size: int) -> LeveledCounts:
    """The scores of `chosen_groups`, a row for each pair."""
    starts = np.flatnonzero(np.diff(owners, prepend=-1))
    place = np.arange(len(owners)) - np.repeat(starts, np.diff(np.append(starts, len(owners)))) + 1
    ladder = np.array(group_ladder(size))
    firsts = np.isin(place - 1, ladder[:-1]).astype(np.int64)
    return LeveledCounts(size, items, np.searchsorted(ladder, place), np.ones_like(items), firsts)


def errors(scores: LeveledCounts, epsilon: Fraction, runs: int) -> dict[str, tuple[float, str]]:
    """The root mean square error of the largest groups, and which m was chosen, for each way."""
    ladder, entropy = group_ladder(scores.size), SystemEntropy()
    truth = scores.counts(len(ladder) - 1)
    largest = np.argsort(-truth, kind="stable")[:LARGEST]

    def of(made: Sequence[Integers]) -> float:
        return float(np.sqrt(np.mean([(one - truth)[largest] ** 2 for one in made])))

    found = {}
    for level, most in enumerate(ladder):
        counts = scores.counts(level)
        made = [noisy_counts(counts, epsilon, entropy, groups=most).counts for _ in range(runs)]
        found[f"m = {most:,}"] = of(made), ""
    chosen = [noisy_bounded_counts(scores, ladder, epsilon, entropy) for _ in range(runs)]
    picks, times = np.unique([one.most for one in chosen], return_counts=True)
    said = ", ".join(f"{pick:,} in {time} of {runs}" for pick, time in zip(picks, times, strict=True))
    found["private m"] = of([one.counts for one in chosen]), said
    return found


def tables() -> Sequence[Table]:
    """All tables of the section."""
    scores = leveled(*baskets(), ITEMS)
    rows = [("epsilon", "way", f"RMSE of the {LARGEST} largest", "m that was chosen")]
    for epsilon in ("0.1", "1"):
        for way, (error, said) in errors(scores, Fraction(epsilon), RUNS).items():
            rows.append((epsilon, way, f"{error:,.0f}", said))
    title = f"{BASKETS:,} baskets of {ITEMS:,} items, in {RUNS} runs"
    return [Table("counts of units in many groups", title, tuple(rows))]
