"""Draws of mechanisms that release several numbers at once, or choose by sums, for `audit_cases`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from functools import lru_cache

import numpy as np

from dpduck.doors.audit.bounds import Tally
from dpduck.kernel.accounting.events import Event, GaussianNoise
from dpduck.kernel.accounting.gaussian import most_mu_squared
from dpduck.kernel.mechanisms.gaussian import gaussian_sums, independent
from dpduck.kernel.mechanisms.gaussian_topk import choose_top_k
from dpduck.kernel.mechanisms.levels import Tree, noisy_leaves
from dpduck.kernel.mechanisms.many_quantiles import Part, PartOf, quantiles
from dpduck.kernel.mechanisms.margins import Margins, noisy_cells
from dpduck.kernel.mechanisms.quantile import Sample, Values
from dpduck.kernel.mechanisms.topk import top_k
from dpduck.kernel.noise import Entropy
from dpduck.kernel.scores import PlainScores

Scores = tuple[int, ...]
Draw = Callable[[Scores, int, Entropy], tuple[Tally, Event]]
Observe = Callable[[Scores, Entropy], tuple[Hashable, Event]]

ONE = Fraction(1)
DELTA = Fraction(1, 100)
SPREAD = 3  # of sums that choose: one unit moves them by -1, 0, 1 or 2
_MU_SQUARED = most_mu_squared(ONE, DELTA)
_POINTS = 16
_QUARTILES = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))


def each(observe: Observe) -> Draw:
    """Draw one by one."""

    def draw(scores: Scores, times: int, entropy: Entropy) -> tuple[Tally, Event]:
        seen: Counter[Hashable] = Counter()
        event: Event | None = None
        for _ in range(times):
            observation, event = observe(scores, entropy)
            seen[observation] += 1
        assert event is not None
        return seen, event

    return draw


@lru_cache(maxsize=4)
def _plain(scores: Scores) -> PlainScores:
    return PlainScores(np.array(scores, dtype=np.int64))


def gaussian_sum(scores: Scores, times: int, entropy: Entropy) -> tuple[Tally, Event]:
    """A sum that one unit moves by 3."""
    variances = independent(_MU_SQUARED, bound=3, groups=1)
    sums = gaussian_sums([scores[0]] * times, variances, entropy)
    return Counter(sums), GaussianNoise(ONE, DELTA, _MU_SQUARED)


@each
def leaves(scores: Scores, entropy: Entropy) -> tuple[Hashable, Event]:
    """Two groups and their total, of which a unit is in one group: the groups that fit all three numbers."""
    made = noisy_leaves(scores, Tree(1, ((0,) * len(scores),)), ONE, entropy, bound=1, groups=1)
    return made.leaves, made.event


@each
def cells(scores: Scores, entropy: Entropy) -> tuple[Hashable, Event]:
    """Two keys with two values each, the totals of both and of all: the cells that fit all nine numbers."""
    table = np.array(scores, dtype=object).reshape(2, 2)
    made = noisy_cells(table, Margins((2, 2), ((), (0,), (1,), (0, 1))), ONE, entropy, bound=1, groups=1)
    return tuple(made.cells.ravel().tolist()), made.event


@each
def quartiles(values: Scores, entropy: Entropy) -> tuple[Hashable, Event]:
    """Three quantiles of values at 16 points, in two levels."""
    sample = Values(np.array(values, dtype=np.int64), _POINTS)

    def read(parts: Sequence[Part]) -> list[Sample]:
        return [PartOf(sample, part) for part in parts]

    made = quantiles(read, [len(values)], _POINTS, _QUARTILES, ONE, entropy)
    return tuple(made.offsets[0]), made.event


@each
def largest_sum(scores: Scores, entropy: Entropy) -> tuple[Hashable, Event]:
    """The largest of sums, and how far it leads."""
    made = top_k(_plain(scores), 1, ONE, entropy, spread=SPREAD)
    return (made.candidates, max(min(int(made.gaps[0]), 12), -12)), made.event


@each
def names(scores: Scores, entropy: Entropy) -> tuple[Hashable, Event]:
    """The two largest, in order, at the price of choices beside Gaussian noise."""
    made = choose_top_k(_plain(scores), 2, ONE, DELTA, entropy)
    return made.candidates, made.event
