"""Sums of totals of units, each clamped to a number that is chosen privately: nothing bounds a total.

Adjacency: one unit is added or removed with all its rows. Let t_gu be the total of unit u in group g, in
whole ticks, and t_u the largest |t_gu| of all groups. For a clamp tau the sum of group g is

S_g(tau) = sum over u of min(max(t_gu, -tau), tau),

of which one unit moves each of its at most m groups by tau, and so all of them by m tau in L1. The noise is
that of tau, and what is lost is sum of (t_gu - tau)+, which nobody knows. tau is chosen on the ladder 1, 2,
4, ..., 2^J, where 2^J is a public ceiling, of a total in ticks, that may be absurdly large: by a tail count,

n_j = number of units u with t_u > 2^j,

of which one unit moves each by 0 or 1, all in one direction. At the best tau of one group about 1 / epsilon_2
units are above it, as one tick more of tau costs sqrt(2) / epsilon_2 of noise and saves n(tau) of bias.

Theorem. Walk j upwards and stop at the first n_j + X_j <= c + X, with independent discrete Laplace noises of
rate epsilon_1 / 2, c = floor(8 / epsilon_1); tau = 2^j there, 2^J if there is none. The walk is epsilon_1-DP;
the sums S_g(tau) + DLap(epsilon_2 / (m tau)) for that tau are epsilon_2-DP; both are (epsilon_1 +
epsilon_2)-DP.
Proof. n_j + X_j <= c + X is -n_j + X'_j >= -c + X': the walk asks for the first of the scores -n_j that is
above -c, and `sparse_vector.first_above` is epsilon_1-DP for one answer and scores that one unit moves by
at most 1, all in one direction. It stops at one answer, and costs the same wherever that is. Given tau, which
is part of the release, the vector of all S_g(tau) has L1 sensitivity m tau, whatever the signs of totals
are. Basic composition. QED

The sums of positive and of negative totals are not taken apart: that would cost half of epsilon for each
walk, and noise twice, while the clamp of both sides together is one walk and one noise, and the theorem needs
no sign. A tail count is the same whether a large total is negative or positive.

Why c = 8 / epsilon_1: past the data all n_j are 0, and a step goes on with the probability that noise of rate
epsilon_1 / 2 is above c, about e^-4 for each step. At 2 / epsilon_1 a few percent of runs would end near 2^J,
where noise is all of the answer. Of fewer than about c units the clamp is near 1, and so is each total; noise
would be as large as the sum for any other.

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

from dpduck.accounting.events import ClampedSums
from dpduck.errors import ParameterError
from dpduck.mechanisms.additive import half_width
from dpduck.mechanisms.sparse_vector import first_above
from dpduck.noise import Entropy, whole_laplace
from dpduck.noise.samplers import MIN_RATE, MIN_RATE_OF_WHOLE

MOST_STEPS = 66  # of a ladder: the totals of 2^60 units then fit the 127 bits of a sum

_TAIL = 8  # c = 8 / epsilon_1


@dataclass(frozen=True, repr=False)
class Totals:
    """The totals of `size` groups, added up by group and level: the least j with |total| <= 2^j, from 0 to J.

    `groups`, `levels`: of each row; `sums`: of its totals; `signs`: how many of them are above 0, less how
    many are below.
    """

    size: int
    groups: Sequence[int]
    levels: Sequence[int]
    sums: Sequence[int]
    signs: Sequence[int]

    def clamped(self, most: int) -> list[int]:
        """The sum of each group, of totals that are each clamped to [-2^most, 2^most]."""
        found = [0] * self.size
        for group, level, total, sign in zip(self.groups, self.levels, self.sums, self.signs, strict=True):
            found[group] += total if level <= most else sign << most
        return found


@dataclass(frozen=True)
class NoisyClampedSums:
    """A release: noisy sums in ticks, the clamp, and the half-width that noise stays within at 95 %."""

    sums: tuple[int, ...]
    clamp: int
    half_width: int
    event: ClampedSums


def noisy_clamped_sums(
    totals: Totals, units: Sequence[int], epsilon: Fraction, entropy: Entropy, *, groups: int
) -> NoisyClampedSums:
    """Choose a clamp for the totals of units, and release the sum of each group of a public list of groups.

    Privacy: epsilon-DP (theorem above), if one unit has one total in at most `groups` of the groups each, and
        counts for at most one level in `units`.
    Paper: Ding, Wang, Zhang, Kifer, PVLDB 13(3), 2019, for the walk, with whole noise; Dwork, McSherry,
        Nissim, Smith, TCC 2006, for the sums.
    Input: `units`: how many units have their largest total, of all groups, at each level, from 0 to J.
    Noise: half of epsilon for the walk, half for the sums.
    Output: sums in ticks.
    Errors: ParameterError before any draw, unless `groups` is at least 1 and levels fit.
    """
    steps = len(units) - 1
    if groups < 1 or not 0 <= steps <= MOST_STEPS:
        raise ParameterError("a sum needs groups that are bounded, and a ladder of clamps")
    level = _walk(units, epsilon / 2, entropy)
    rate = sum_rate(epsilon, level, groups)
    noise = whole_laplace(rate, totals.size, entropy)
    sums = tuple(total + x for total, x in zip(totals.clamped(level), noise, strict=True))
    return NoisyClampedSums(sums, 1 << level, half_width(rate), ClampedSums(epsilon))


def _walk(units: Sequence[int], epsilon: Fraction, entropy: Entropy) -> int:
    """Return the level at which few units are above the clamp; the last one if the walk does not stop."""
    tails = np.array([sum(units[level + 1 :]) for level in range(len(units) - 1)], dtype=np.int64)
    first = first_above(-tails, -_units_above(epsilon), epsilon, entropy)
    return len(tails) if first is None else first


def _units_above(epsilon: Fraction) -> int:
    """Return c, the number of units above the clamp at which the walk is to stop. Input: epsilon_1."""
    return math.floor(_TAIL / epsilon)


def sum_rate(epsilon: Fraction, level: int, groups: int) -> Fraction:
    """Return the rate of the noise on a sum, per tick, for the clamp 2^level. Input: all of epsilon."""
    return epsilon / 2 / (groups << level)


def units_needed(epsilon: Fraction) -> int:
    """Return of how many units, at least, the clamp is no matter of noise alone. Input: all of epsilon.

    >>> units_needed(Fraction(1))
    16
    """
    return _units_above(epsilon / 2)


def can_clamp(epsilon: Fraction, groups: int) -> bool:
    """Whether the noise can be drawn that any clamp may need."""
    return epsilon / 4 >= MIN_RATE and sum_rate(epsilon, MOST_STEPS, groups) >= MIN_RATE_OF_WHOLE


def steps_to(ceiling: int) -> int:
    """Return J, the steps of the ladder to the least power of two that is at least a number of ticks.

    >>> steps_to(1), steps_to(5), steps_to(2**80)
    (0, 3, 66)
    """
    return min((max(ceiling, 1) - 1).bit_length(), MOST_STEPS)


def widening(epsilon: Fraction, steps: int, groups: int, doubt: float) -> float:
    """Return by how much half-widths at 95 % must be wider to hold but for `doubt`, whatever clamp is chosen.

    >>> round(widening(Fraction(1), 20, 1, 0.05), 9), widening(Fraction(1), 20, 1, 0.005) > 1.7
    (1.0, True)
    """
    rates = [sum_rate(epsilon, level, groups) for level in range(steps + 1)]
    widths = ((half_width(rate, 1 - doubt), half_width(rate)) for rate in rates)
    return max((wide / own for wide, own in widths if own), default=1.0)
