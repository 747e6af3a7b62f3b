"""Counts by group of units that may be in many: each counts in at most m of its own, m chosen privately.

Adjacency: one unit is added or removed with all its rows. A unit u is in g_u of the groups, at most d,
which is public and may be huge; and it has 1 to r in each of its groups, r public (units: r = 1; rows:
those that are kept). It puts its groups in an order of its own, by a keyed hash, and counts in the first
m: C_g(m) is the sum over units of what they have in g, if it is among their first m. What a unit's first m
groups are depends on its own rows alone, so one unit moves m counts by r at most, all in one direction,
and so all of them by m r in L1. m is chosen on the ladder 1, 2, 4, ..., d by a tail count,

n_j = number of units u with g_u > m_j,

of which one unit moves each by 0 or 1, all in one direction.

Theorem. Walk j upwards and stop at the first n_j + X_j <= c_j + X, with independent discrete Laplace
noises of rate epsilon_1 / 2 and public numbers c_j; m = m_j there, d if there is none. The walk is
epsilon_1-DP; the counts C_g(m) + DLap(epsilon_2 / (m r)) for that m are epsilon_2-DP; both are (epsilon_1
+ epsilon_2)-DP.
Proof. The walk asks for the first of the scores c_j - n_j that is above 0, but for noise; one unit moves
each by at most 1, all in one direction, as c_j is a constant, and `sparse_vector.first_above` is
epsilon_1-DP for one answer of such scores. It stops at one answer, and costs the same wherever that is.
Given m, which is part of the release, the vector of all C_g(m) has L1 sensitivity m r: for m < d as the
cut is enforced, for m = d as a unit is in no more groups. Basic composition. QED

The cost is that of m = 1 for budgets in rho: epsilon_2 tanh(epsilon_2 / 2). With m known before, it would
be epsilon_2 tanh(epsilon_2 / (2 m)), but the charge comes before the choice.

Where to stop? A group misses at most one unit of each above m, or r rows, and its noise has a standard
deviation of sqrt(2) m r / epsilon_2. So the walk stops where the units above m are no more than that many:
what a group misses is then no more than its noise, whatever the groups are. c_j is at least 8 / epsilon_1,
as in `clamped_sums`: past the data all n_j are 0, and a step goes on with a probability of about e^-4.
epsilon_1 is a tenth of epsilon: the walk need not be sharp, as c_j grows with m_j, while all noise of the
counts is in proportion to 1 / epsilon_2. Too small an m costs far more than one too large by 2.

The interval is that of noise: C_g(m) is within it with probability 0.95, whatever the data and m are, as
noise is drawn after m and has its own law. C_g(m) is at most the count of all, and so the lower end is one
of it. There is no upper end.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpduck.kernel.accounting.events import ChosenGroupCounts
from dpduck.kernel.errors import ParameterError
from dpduck.kernel.mechanisms.additive import half_width
from dpduck.kernel.mechanisms.sparse_vector import EpsilonSplit, Runs, first_above
from dpduck.kernel.noise import Entropy, discrete_laplace
from dpduck.kernel.noise.samplers import MIN_RATE

Integers = NDArray[np.int64]

CHOOSING = Fraction(1, 10)  # the share of epsilon that chooses m

_TAIL = 8  # the walk stops at no fewer than 8 / epsilon_1 units above m


def group_ladder(most: int) -> tuple[int, ...]:
    """The numbers of groups of which one is chosen: powers of two, and `most`, of all groups, as the last.

    >>> group_ladder(1), group_ladder(20)
    ((1,), (1, 2, 4, 8, 16, 20))
    """
    return (*(1 << step for step in range((most - 1).bit_length())), most)


@dataclass(frozen=True, repr=False)
class LeveledCounts:
    """What units have in each of `size` groups, added up by group and level: the first j that lets it count.

    `groups`, `levels`, `numbers`: of each row. `firsts`: of how many units it is the first group of a level.
    """

    size: int
    groups: Integers
    levels: Integers
    numbers: Integers
    firsts: Integers

    def counts(self, level: int) -> Integers:
        """What counts in each group, if each unit counts in its groups up to that level."""
        found = np.zeros(self.size, dtype=np.int64)
        kept = self.levels <= level
        np.add.at(found, self.groups[kept], self.numbers[kept])
        return found

    def units_above(self, steps: int) -> Integers:
        """How many units are in more than m_j groups, for each j: each has a first one of level j + 1."""
        found = np.zeros(steps + 1, dtype=np.int64)
        np.add.at(found, self.levels, self.firsts)
        return found[1:]


@dataclass(frozen=True)
class NoisyBoundedCounts:
    """A release: noisy counts, in how many groups a unit counts, and the half-width of the noise at 95 %."""

    counts: Integers
    most: int
    half_width: int
    event: ChosenGroupCounts


def noisy_bounded_counts(
    scores: LeveledCounts, ladder: Sequence[int], epsilon: Fraction, entropy: Entropy, *, rows: int = 1
) -> NoisyBoundedCounts:
    """Choose in how many groups a unit counts, and release the count of each group of a public list.

    Privacy: epsilon-DP (theorem above), if each unit has 0 to `rows` in each of at most `ladder[-1]` groups,
        in one row each, and at most one first group at each level.
    Paper: Dwork, Roth, 2014, Section 3.6, for the walk; Ghosh, Roughgarden, Sundararajan, STOC 2009, for the
        noise.
    Noise: a tenth of epsilon for the walk, the rest for discrete Laplace noise.
    Errors: ParameterError before any draw, unless `ladder` is that of `group_ladder`, and `rows` at least 1.
    """
    if not ladder or tuple(ladder) != group_ladder(ladder[-1]) or rows < 1:
        raise ParameterError("counts need groups and rows that are bounded, and a ladder of bounds")
    level = _walk(scores.units_above(len(ladder) - 1), ladder, epsilon, entropy)
    rate = count_rate(epsilon, ladder[level], rows)
    noisy = scores.counts(level) + discrete_laplace(rate, scores.size, entropy)
    return NoisyBoundedCounts(noisy, ladder[level], half_width(rate), ChosenGroupCounts(epsilon))


def _walk(above: Integers, ladder: Sequence[int], epsilon: Fraction, entropy: Entropy) -> int:
    """Return the level at which few units are in more groups; the last one if the walk does not stop."""
    enough = np.array([_units_missed(epsilon, most) for most in ladder[:-1]], dtype=np.int64)
    first = _first(enough - above, CHOOSING * epsilon, entropy)
    return len(above) if first is None else first


def _first(scores: Integers, epsilon: Fraction, entropy: Entropy) -> int | None:
    """Return the first score above 0, but for noise: half of epsilon is for the threshold."""
    halves = EpsilonSplit(1, epsilon / 2, epsilon / 2, adaptive=False)
    return first_above([Runs.of(scores, None)], 0, halves, entropy)


def _units_missed(epsilon: Fraction, most: int) -> int:
    """Return c_j: of how many units groups may be missed, at that m. It is public."""
    deviation = math.sqrt(2) * most / float((1 - CHOOSING) * epsilon)
    return max(math.floor(_TAIL / (CHOOSING * epsilon)), math.floor(deviation))


def count_rate(epsilon: Fraction, most: int, rows: int = 1) -> Fraction:
    """Return the rate of the noise of counts if a unit counts in `most` groups. Input: all of epsilon."""
    return (1 - CHOOSING) * epsilon / (most * rows)


def can_choose_groups(epsilon: Fraction, most: int, rows: int = 1) -> bool:
    """Whether the noise can be drawn that any number of groups may need."""
    return CHOOSING * epsilon / 2 >= MIN_RATE and count_rate(epsilon, most, rows) >= MIN_RATE


def widening(epsilon: Fraction, ladder: Sequence[int], rows: int, doubt: float) -> float:
    """Return by how much half-widths at 95 % must be wider to hold but for `doubt`, whatever m is.

    >>> round(widening(Fraction(1), (1, 2, 4), 1, 0.05), 9), widening(Fraction(1), (1, 2, 4), 1, 0.005) > 1.6
    (1.0, True)
    """
    rates = [count_rate(epsilon, most, rows) for most in ladder]
    widths = ((half_width(rate, 1 - doubt), half_width(rate)) for rate in rates)
    return max((wide / own for wide, own in widths if own), default=1.0)
