"""Counts of distinct values, of which each unit contributes at most a number that is chosen privately.

Adjacency: one unit is added or removed with all its rows. One unit may bring any number of values that
nobody else has, so the number N of distinct values has no bounded sensitivity, and no useful upper bound
for it can be released. What can be is a lower one: for each l a function F(l) <= N of which one unit moves
l at most,

0 <= F(l; D + unit) - F(l; D) <= l,                                                                    (*)

and l is chosen where F(l) is near N and l is still small. Two functions have (*), both of values that each
unit first sorts by a keyed hash of (unit, value), which no other unit has a part in:

Ranked. F(l) is the number of values that some unit has among its first l. Proof of (*): what a unit's first
l are depends on its own rows alone, so a further unit adds its own l to the union, of which some may be in
it already, and takes none away. QED. The score SQL computes it: `compiler.planner.score_sql`.

Greedy. F(l) is the number of values that are claimed in l rounds, in each of which every unit in its turn
claims the first of its values that nobody has claimed. It is at least half of the most that any assignment
of values to units with at most l each reaches, and mostly far above the first: see `mechanisms.claims`.

Both are used only up to l = `most`, a public number. Knop and Steinke (NeurIPS 2023, arXiv 2308.12947)
release the same kind of lower bound; they take the largest assignment, of which (*) holds as well. It does
not hold if each value belongs to the first unit that has it, of which min(l, its values) count (a unit that
comes first may take the values of many others, of which l count then), nor for orders in which a value's
place depends on how many units have it.

Which l? By the generalised exponential mechanism (Raskhodnikova and Smith, FOCS 2016). Of several groups
one l is chosen, by the sum F(l) over groups, of which a unit that is in at most m groups moves l m. On the
ladder l_0 < l_1 < ... < l_J, with l_i <= 2^i, and with a public number kappa,

    s_i = min over j != i of (F(l_i) - F(l_j) - kappa (l_i - l_j)) / (m 2^max(i, j)).

Theorem. s_i moves by at most 1, and so permute-and-flip with the coin e^(epsilon_1 s / 2) is epsilon_1-DP;
F_g(l) + DLap(epsilon_2 / (l m)) of all groups g, for the l that was chosen, is epsilon_2-DP; both together
are (epsilon_1 + epsilon_2)-DP.
Proof. A unit moves F(l_i) - F(l_j) by x - y with 0 <= x <= l_i m and 0 <= y <= l_j m, so by at most
max(l_i, l_j) m <= m 2^max(i, j), and each fraction by at most 1. A minimum moves by no more than what it is
the least of. The scores may move in either direction, hence the 1/2 (McKenna and Sheldon, NeurIPS 2020,
Theorem 1).
Given l, which is part of the release, the counts of all groups have L1 sensitivity l m. Basic composition.
QED

On a real computer this is what happens: F is whole, kappa is a whole number of parts of 1/16 and public, so
16 m 2^J s_i is a whole number, computed in integers that cannot overflow (for the choice, the sum of F is
clamped to a public ceiling, which keeps what a unit moves), and the noise on both is exact. Floats occur
only in kappa, of which nothing is claimed.

kappa weighs what a larger l costs: the lower ends of the groups fall together by (l m / epsilon_2)
ln(1 / (2 beta)) each, and t = (2 m / epsilon_1) ln((J + 1) / beta') for each step of l keeps noise from
choosing a large l that the data do not call for. beta' = 1/2.

The lower end is F_g(l) + noise - w, w the least whole number with P(noise > w) <= beta. It is at most F_g(l)
<= N_g with probability 1 - beta, whatever the data and l are: noise is drawn after l, and has its own law.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpduck.kernel.accounting.events import DistinctCounts
from dpduck.kernel.errors import ParameterError
from dpduck.kernel.mechanisms.accuracy import CONFIDENCE
from dpduck.kernel.mechanisms.selection import permute_and_flip
from dpduck.kernel.noise import Entropy, discrete_laplace
from dpduck.kernel.noise.samplers import MIN_RATE
from dpduck.kernel.scores import PlainScores

Integers = NDArray[np.int64]

MOST = 1 << 10  # values of a unit that a count may be chosen to rely on

_DOUBT = 1 - CONFIDENCE
_CHOOSING_DOUBT = 0.5
_PARTS = 16  # kappa is a multiple of 1 / _PARTS
_CEILING = 1 << 44  # of what is compared, so that scores are below 2^62 in size


def ladder(most: int) -> tuple[int, ...]:
    """The numbers of values per unit of which one is chosen: powers of two, and `most` as the last.

    >>> ladder(1), ladder(8), ladder(20)
    ((1,), (1, 2, 4, 8), (1, 2, 4, 8, 16, 20))
    """
    if not 1 <= most <= MOST:
        raise ParameterError(f"a unit counts with 1 to {MOST:,} values")
    return (*(1 << step for step in range((most - 1).bit_length())), most)


@dataclass(frozen=True)
class NoisyDistinct:
    """A release: noisy numbers of distinct values, and `most`, the number of values per unit they are of.

    The truth is at least `counts - below` with probability 0.95; how far it is above them is not known.
    """

    counts: Integers
    most: int
    below: int
    event: DistinctCounts


def noisy_distinct(
    counts: Integers, levels: Sequence[int], epsilon: Fraction, entropy: Entropy, *, groups: int
) -> NoisyDistinct:
    """Release lower estimates of numbers of distinct values.

    Privacy: epsilon-DP if one unit moves `counts[g, i]` by 0 to `levels[i]`, all in one direction, in at
        most `groups` of the groups g, and by nothing in others.
    Paper: Raskhodnikova, Smith, FOCS 2016, for the choice; Knop, Steinke, NeurIPS 2023, for what is counted.
    Input: F_g(l) for each group and level; `levels`: those of a `ladder`.
    Noise: half of epsilon chooses a level, half is discrete Laplace noise on its counts.
    """
    choosing, counting = epsilon / 2, epsilon / 2
    scores = PlainScores(_scores(counts.sum(axis=0), levels, _kappa(levels, epsilon, len(counts), groups)))
    moved = groups * _PARTS << (len(levels) - 1)
    chosen = permute_and_flip(scores, choosing, entropy, monotonic=False, sensitivity=moved).candidate
    most = levels[chosen]
    rate = counting / (most * groups)
    noisy = counts[:, chosen] + discrete_laplace(rate, len(counts), entropy)
    return NoisyDistinct(noisy, most, one_sided_width(rate), DistinctCounts(epsilon))


def _scores(totals: Integers, levels: Sequence[int], kappa: int) -> Integers:
    """The scores s_i of the levels, in parts of 1 / (16 m 2^J). Input: kappa in parts of 1/16."""
    known = [min(int(total), _CEILING) for total in totals]
    worths = [_PARTS * total - kappa * level for total, level in zip(known, levels, strict=True)]
    last = len(levels) - 1
    return np.array(
        [
            min(
                ((own - other) << (last - max(i, j)) for j, other in enumerate(worths) if j != i),
                default=0,
            )
            for i, own in enumerate(worths)
        ],
        dtype=np.int64,
    )


def _kappa(levels: Sequence[int], epsilon: Fraction, number: int, groups: int) -> int:
    """What a further value per unit is taken to cost, in parts of 1/16 of a count. It is public."""
    lower_ends = number * math.log(1 / (2 * _DOUBT))
    choosing = 2 * math.log(len(levels) / _CHOOSING_DOUBT)
    cost = groups * (lower_ends + choosing) / float(epsilon / 2)
    return min(math.ceil(_PARTS * cost), _CEILING >> 6)


def can_choose(epsilon: Fraction, groups: int) -> bool:
    """Whether noise can be drawn for any number of values per unit that may be chosen."""
    return epsilon / (2 * MOST * groups) >= MIN_RATE


def least_gain(levels: Sequence[int], epsilon: Fraction, groups: int) -> float:
    """How many values one more value of each unit must find to be worth its noise, in one group.

    >>> round(least_gain(ladder(1024), Fraction(1), 1), 1)
    17.0
    """
    return _kappa(levels, epsilon, 1, groups) / _PARTS


def widening(rate: Fraction, doubt: float) -> float:
    """By how much further lower ends at 95 % must be to hold but for `doubt`, for rates of at most `rate`.

    With a = ln(p / (1 + p)) < 0, w >= (a + ln(1 / beta)) / rate is what P(N > w) <= beta asks for, so f w is
    enough for f = (a + ln(1 / doubt)) / (a + ln(1 / beta)), which falls as p grows. Where noise is 0 but for
    beta, widths are 0 and no factor makes them wider: 1.

    >>> round(widening(Fraction(1, 10), 0.05), 9), round(widening(Fraction(1, 10), 0.005), 1)
    (1.0, 2.0)
    """
    bent = -float(rate) - math.log1p(math.exp(-rate))
    own = bent + math.log(1 / _DOUBT)
    return max((bent + math.log(1 / doubt)) / own, 1.0) if own > 0 else 1.0


def one_sided_width(rate: Fraction, doubt: float = _DOUBT) -> int:
    """The least w with P(N > w) <= `doubt` for discrete Laplace noise of that rate.

    P(N > w) = p^(w+1) / (1 + p), p = e^-rate.

    >>> one_sided_width(Fraction(1)), one_sided_width(Fraction(1, 10)), one_sided_width(Fraction(20))
    (2, 23, 0)
    """
    p = math.exp(-rate)
    needed = math.log(doubt * (1 + p)) / -float(rate)
    return max(math.ceil(needed - 1e-9) - 1, 0)
