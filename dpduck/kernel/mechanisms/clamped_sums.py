"""Sums of totals of units, each clamped to a number that is chosen privately: nothing bounds a total.

Adjacency: one unit is added or removed with all its rows. Let t_gu be the total of unit u in group g, in
whole ticks. For a clamp tau the sum of group g is

S_g(tau) = sum over u of min(max(t_gu, -tau), tau),

of which one unit moves each of its at most m groups by tau. The noise is s tau, where s is known before tau
is (`mechanisms.clamp_noise`), and what is lost is sum of (|t_gu| - tau)+, which nobody knows. tau is chosen
on the ladder 1, 2, 4, ..., 2^J, where 2^J is a public ceiling, of a total in ticks, that may be absurdly
large: by the tail count of the group that has the largest,

n_j = max over g of the number of units u with |t_gu| > 2^j,

of which one unit moves each by 0 or 1, all in one direction: so it moves the number of each group, and the
largest of numbers that each move by 0 or 1 moves by 0 or 1.

Theorem. Walk j upwards and stop at the first n_j + X_j <= c + X, with independent discrete Laplace noises, X
of rate 2 epsilon_1 / 3, X_j of rate epsilon_1 / 3; tau = 2^j there, 2^J if there is none. The walk is
epsilon_1-DP. If the noise of rate epsilon_2 / (m tau) is added to the sums S_g(tau) for that tau, both
together are (epsilon_1 + epsilon_2)-DP; if it is Gaussian noise of variance m tau^2 / mu^2, both are
(epsilon_1 + epsilon_2, delta)-DP, where mu-GDP is (epsilon_2, delta)-DP.
Proof. n_j + X_j <= c + X is -n_j + X'_j >= -c + X': the walk asks for the first of the scores -n_j that is
above -c, and `sparse_vector.first_above` costs the rate of the threshold and that of one answer, for scores
that one unit moves by at most 1, all in one direction. It stops at one answer, and costs the same wherever
that is. Given tau, which is part of the release, the vector of all S_g(tau) has L1 sensitivity m tau and L2
sensitivity sqrt(m) tau, whatever the signs of totals are. Basic composition. QED
Several such sums of a release whose Gaussian noises are priced together by the sum of their mu^2: no walk
depends on that noise, so that all walks may as well come first, and then all noise. In rho, and in mu^2, the
walk costs what a pure release does, and the noise what its own kind does.

The sums of positive and of negative totals are not taken apart: that would cost half of epsilon for each
walk, and noise twice, while the clamp of both sides together is one walk and one noise, and the theorem needs
no sign. A tail count is the same whether a large total is negative or positive.

Why c is what it is. One tick more of tau costs a group s of noise and saves n_g(tau) of bias: at the best tau
of the group with most to lose, the standard deviation s is n_g(tau). So c is s, which grows with m, but at
least 8 / epsilon_1: past the data all n_j are 0, and the walk should end. If s had no part in c, noise on 30
groups, of which each unit may be in all, would be 10 times what is best. It is the largest tail count, not
that of all groups together: one unit moves it by 1, where it may move their sum by m, and groups without rows
have none. The number of units with any total above moves by 1, too, but says nothing of a group: all units
may be above in one group or another.

Why two thirds: the noise X of the threshold is one for all steps. If it is below -c, the walk goes on to 2^J,
where noise is all of the answer: with probability e^-(16 / 3) / 2 = 0.0024, where it is e^-4 / 2 = 0.0092
with even parts. X_j only shifts the end of the walk, by steps that are each unlikely. Medians of errors stay
as they are; with even parts and 12 / epsilon_1, which does the same for the walk, some double.

Of groups of fewer than about c units the clamp is near 1, and so is each total; noise would be as large as
the sum for any other. A release tells that: its sums are below c tau.

Two traps. A clamp that is taken from the data without epsilon is no privacy at all. The largest of noisy sums
for all clamps (R2T, SIGMOD 2022) fails upwards, in 1 % of runs by many times the truth.

The interval is that of noise: S_g(tau) is within it with probability 0.95, whatever the data and tau are, as
noise is drawn after tau and has its own law. Where no total is negative, S_g(tau) is at most the sum, and so
the lower end is one of the sum. There is no upper end.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpduck.kernel.accounting.events import ClampChoice, ClampedSums
from dpduck.kernel.errors import ParameterError
from dpduck.kernel.mechanisms.clamp_noise import ClampNoise, LaplaceOfClamp
from dpduck.kernel.mechanisms.sparse_vector import EpsilonSplit, Runs, first_above
from dpduck.kernel.noise import Entropy
from dpduck.kernel.noise.samplers import MIN_RATE

Integers = NDArray[np.int64]

MOST_STEPS = 66  # of a ladder: the totals of 2^60 units then fit the 127 bits of a sum

_TAIL = 8  # c is at least 8 / epsilon_1
_PART = Fraction(2, 3)  # of the epsilon of the walk that is for the noise of its threshold


@dataclass(frozen=True, repr=False)
class Totals:
    """The totals of `size` groups, added up by group and level: the least j with |total| <= 2^j, from 0 to J.

    `groups`, `levels`: of each row; `sums`: of its totals; `signs`: how many of them are above 0, less how
    many are below; `numbers`: how many totals they are, of as many units.
    """

    size: int
    groups: Sequence[int]
    levels: Sequence[int]
    sums: Sequence[int]
    signs: Sequence[int]
    numbers: Sequence[int]

    def clamped(self, most: int) -> list[int]:
        """The sum of each group, of totals that are each clamped to [-2^most, 2^most]."""
        found = [0] * self.size
        for group, level, total, sign in zip(self.groups, self.levels, self.sums, self.signs, strict=True):
            found[group] += total if level <= most else sign << most
        return found

    def tails(self, steps: int) -> Integers:
        """For each level below `steps`: how many totals are above it in the group that has most of them."""
        groups, levels, numbers = (
            np.array(of_rows, np.int64) for of_rows in (self.groups, self.levels, self.numbers)
        )
        order = np.argsort(levels, kind="stable")
        ends = np.searchsorted(levels[order], np.arange(steps + 2))
        above, tails = np.zeros(self.size, np.int64), np.zeros(steps, np.int64)
        for level in range(steps, 0, -1):
            rows = order[ends[level] : ends[level + 1]]
            np.add.at(above, groups[rows], numbers[rows])
            tails[level - 1] = above.max(initial=0)
        return tails


@dataclass(frozen=True)
class NoisyClampedSums:
    """A release: noisy sums in ticks, the clamp, and the half-width that noise stays within at 95 %.

    `event`: of all of it; of the choice of the clamp alone if noise is Gaussian, whose event is that of all
    such noise of a release together.
    """

    sums: tuple[int, ...]
    clamp: int
    half_width: int
    event: ClampedSums | ClampChoice


def noisy_clamped_sums(
    totals: Totals, steps: int, epsilon: Fraction, noise: ClampNoise, entropy: Entropy
) -> NoisyClampedSums:
    """Choose a clamp for the totals of units, and release the sum of each group of a public list of groups.

    Privacy: theorem above, if one unit has one total in at most as many groups each as the noise is for.
    Paper: Ding, Wang, Zhang, Kifer, PVLDB 13(3), 2019, for the walk, with whole noise; Dwork, McSherry,
        Nissim, Smith, TCC 2006, for the sums.
    Input: `steps`: J, of the ladder; `epsilon`: of the walk, and as much again is that of the noise.
    Output: sums in ticks.
    Errors: ParameterError before any draw, unless groups are bounded, levels fit, and parts of epsilon are
        even.
    """
    even = not isinstance(noise, LaplaceOfClamp) or noise.epsilon == epsilon
    if noise.groups < 1 or not 0 <= steps <= MOST_STEPS or not even:
        raise ParameterError("a sum needs groups that are bounded, and a ladder of clamps")
    level = walk(totals, steps, epsilon, units_above(epsilon, noise), entropy)
    clamp = 1 << level
    sums = noise.add(totals.clamped(level), clamp, entropy)
    is_pure = isinstance(noise, LaplaceOfClamp)
    event = ClampedSums(2 * epsilon, groups=noise.groups) if is_pure else ClampChoice(epsilon)
    return NoisyClampedSums(tuple(sums), clamp, noise.half_width(clamp), event)


def walk(totals: Totals, steps: int, epsilon: Fraction, above: int, entropy: Entropy) -> int:
    """Return the level of the clamp: the first with about `above` units above it, or the last one."""
    first = first_above([Runs.of(-totals.tails(steps), None)], -above, _split(epsilon), entropy)
    return steps if first is None else first


def _split(epsilon: Fraction) -> EpsilonSplit:
    """Return how the epsilon of the walk is divided between its threshold and its one answer."""
    return EpsilonSplit(1, _PART * epsilon, (1 - _PART) * epsilon, adaptive=False)


def units_above(epsilon: Fraction, noise: ClampNoise) -> int:
    """Return c, the number of units above the clamp at which the walk is to stop. Input: of the walk.

    >>> half = Fraction(1, 2)
    >>> [units_above(half, LaplaceOfClamp(half, groups)) for groups in (1, 30)]
    [16, 84]
    """
    return max(math.floor(_TAIL / epsilon), math.isqrt(math.floor(noise.square)))


def can_clamp(epsilon: Fraction, noise: ClampNoise) -> bool:
    """Whether the noise can be drawn that any clamp may need. Input: the epsilon of the walk."""
    return (1 - _PART) * epsilon >= MIN_RATE and noise.fits(1 << MOST_STEPS)


def steps_to(ceiling: int) -> int:
    """Return J, the steps of the ladder to the least power of two that is at least a number of ticks.

    >>> steps_to(1), steps_to(5), steps_to(2**80)
    (0, 3, 66)
    """
    return min((max(ceiling, 1) - 1).bit_length(), MOST_STEPS)


def widening(noise: ClampNoise, steps: int, doubt: float) -> float:
    """Return by how much half-widths at 95 % must be wider to hold but for `doubt`, whatever clamp is chosen.

    >>> noise = LaplaceOfClamp(Fraction(1, 2), 1)
    >>> round(widening(noise, 20, 0.05), 9), widening(noise, 20, 0.005) > 1.7
    (1.0, True)
    """
    clamps = [1 << level for level in range(steps + 1)]
    widths = ((noise.half_width(clamp, 1 - doubt), noise.half_width(clamp)) for clamp in clamps)
    return max((wide / own for wide, own in widths if own), default=1.0)
