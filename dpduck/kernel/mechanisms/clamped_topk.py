"""The k groups with the largest sums of totals of units, each clamped to a number that is chosen privately.

The walk of `clamped_sums` chooses the clamp tau first, and `topk` or `peeling` rank the sums of totals that
are clamped to it. Only the groups shown are measured, so noise is in proportion to k, where sums of all
groups have noise for all groups that a unit may be in.

Theorem. Let n_j be the number of units with |total| > 2^j in the group that has most of them, and tau the
clamp at which the walk of `clamped_sums` stops that costs epsilon_1. Order and gaps of the k largest of the
sums S_g(tau), with noise for sums of the spread tau if no total is below 0, else 2 tau, at epsilon_2, are
(epsilon_1 + epsilon_2)-DP together with tau, in however many groups a unit is.
Proof. One unit moves each tail count, and so the largest of them, by 0 or 1, in one direction, in whatever
number of groups it is: the walk is epsilon_1-DP (`clamped_sums`), for any public c. Given tau, which may be
released, one unit moves each S_g(tau) by its own total there, which is in [0, tau] or in [-tau, tau]: scores
have that spread, and Theorem B for sums (`topk`), or that of `peeling`, holds. Basic composition. QED
That no total is below 0 is enforced by the score SQL, which clamps totals at 0: what policies say of values
may be wrong. A clamp that grew or shrank with k or with the gaps would be a second look at the data.

c is what one tick of tau costs a group, the scale k spread / epsilon_2 of the noise per clamp, and at least
8 / epsilon_1, as in `clamped_sums`. A quarter of epsilon is for the walk: of the largest groups the noise of
the ranking, which grows with k, matters more than some tens of units above the clamp.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dpduck.kernel.accounting.events import ClampChoice, Composed, Event
from dpduck.kernel.errors import ParameterError
from dpduck.kernel.mechanisms.clamped_sums import MOST_STEPS, Totals, walk
from dpduck.kernel.mechanisms.peeling import gumbel_top_k
from dpduck.kernel.mechanisms.topk import check_k, top_k
from dpduck.kernel.noise import Entropy
from dpduck.kernel.noise.samplers import MIN_RATE
from dpduck.kernel.scores import SCORE_LIMIT, PlainScores

WALK = Fraction(1, 4)  # the part of epsilon that chooses the clamp

_TAIL = 8  # c is at least 8 / epsilon_1
_MOST = SCORE_LIMIT // 4


@dataclass(frozen=True)
class ClampedTopK:
    """A release: the indices of the groups in descending order of noisy sums, and the clamp in ticks."""

    candidates: tuple[int, ...]
    clamp: int
    event: Event


def clamped_top_k(
    totals: Totals,
    steps: int,
    k: int,
    epsilon: Fraction,
    entropy: Entropy,
    *,
    spread: int,
    gumbel: bool = False,
) -> ClampedTopK:
    """Choose a clamp for the totals of units, and the k groups with the largest noisy sums.

    Privacy: theorem above: epsilon-DP, of which `WALK` is for the clamp. `spread`: in clamps; 1 if no total
        is below 0, else 2.
    Paper: Ding, Wang, Zhang, Kifer, PVLDB 13(3), 2019, for both parts.
    Input: `steps`: J, of the ladder; `gumbel`: the noise that costs least in rho.
    Errors: ParameterError before any draw, unless 1 <= k < the number of groups, and levels fit.
    """
    check_k(k, totals.size)
    if not 0 <= steps <= MOST_STEPS or spread not in (1, 2) or not can_rank(epsilon):
        raise ParameterError("a top-k of clamped sums needs a ladder, and a spread of 1 or 2 clamps")
    choice = WALK * epsilon
    level = walk(totals, steps, choice, units_above(epsilon, k, spread), entropy)
    # Clamping to what a score holds moves no two sums further apart.
    sums = [min(max(total, -_MOST), _MOST) for total in totals.clamped(level)]
    select = gumbel_top_k if gumbel else top_k
    ranked = select(
        PlainScores(np.array(sums, np.int64)), k, epsilon - choice, entropy, spread=spread << level
    )
    return ClampedTopK(ranked.candidates, 1 << level, Composed.of(ranked.event, ClampChoice(choice)))


def units_above(epsilon: Fraction, k: int, spread: int) -> int:
    """Return c, the number of units above the clamp at which the walk is to stop. Input: all of epsilon.

    >>> [units_above(Fraction(1), k, 1) for k in (1, 10, 100)]
    [32, 32, 133]
    """
    return max(math.floor(_TAIL / (WALK * epsilon)), math.floor(k * spread / ((1 - WALK) * epsilon)))


def can_rank(epsilon: Fraction) -> bool:
    """Whether the noise of the walk can be drawn. Input: epsilon of both parts."""
    return WALK * epsilon / 3 >= MIN_RATE
