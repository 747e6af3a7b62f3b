"""Top-k as k selections of one winner, each without the previous winners: cheap under zCDP.

One noisy order of all candidates (`topk`) is an epsilon-DP release, and more exact when epsilon is what adds
up. But its rho is that of one winner at all of epsilon, and k winners at epsilon / k cost k times less.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpduck.kernel.accounting.events import Composed, Event, GumbelTopK
from dpduck.kernel.mechanisms.noisy_max import rank
from dpduck.kernel.mechanisms.selection import WinnerWithGap, permute_and_flip_with_gap
from dpduck.kernel.mechanisms.topk import check_k
from dpduck.kernel.noise import Entropy, Gumbel
from dpduck.kernel.scores import PlainScores, Scores

Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Peeled:
    """A release: the indices of the winners in the order of selection, and its event."""

    candidates: tuple[int, ...]
    event: Event


@dataclass(frozen=True)
class PeeledWithGaps(Peeled):
    """A release with, for each winner, the gap to the best remaining candidate and a p-value for it."""

    gaps: tuple[float, ...]
    p_values: tuple[float, ...]


def gumbel_top_k(scores: Scores, k: int, epsilon: Fraction, entropy: Entropy, *, spread: int = 1) -> Peeled:
    """Select k candidates by k exponential mechanisms, drawn in one pass.

    Privacy: epsilon-DP, and (epsilon^2 / (8 k))-zCDP, for monotonic scores of sensitivity 1. The order of
        the k largest of score + Gumbel noise of rate r = epsilon / k has the law of k exponential mechanisms
        of rate r, each without the winners before (Durfee, Rogers, NeurIPS 2019, Lemma 4.2).
        For one of them, between neighbours, ln of the ratio of probabilities is r (q_i - q'_i) less one
        number common to all i: it stays within an interval of length r. With K(s) = ln E[e^(s L)] for that
        logarithm L, K(0) = K(1) = 0 and K'' <= r^2 / 4 (the largest variance on an interval of length r), so
        K(a) <= a (a - 1) r^2 / 8: that is (r^2 / 8)-zCDP, k times.
        Sums, of which one unit moves any two by numbers that differ by at most `spread` (see `topk`), are
        such scores in units of the spread: nothing else is used.
    Input: scores of n > k candidates; 1 <= k <= 10000.
    Noise: Gumbel of rate epsilon / k, 1.28 times the deviation of `topk.top_k`'s. Gaps would not fit the
        bound of rho, and are not released.
    Ties: equal scores are equally likely in every order.
    Errors: ParameterError before any draw, unless 1 <= k < n.
    """
    check_k(k, scores.count)
    ranking = rank(scores, k, Gumbel(epsilon / (k * spread)), entropy)
    winners = ranking.groups.candidates(ranking.members(k, entropy))
    return Peeled(tuple(winners), GumbelTopK(epsilon, k=k))


def peeled_top_k(scores: Integers, k: int, epsilon: Fraction, entropy: Entropy) -> PeeledWithGaps:
    """Select k candidates by k rounds of permute-and-flip with gap.

    Privacy: epsilon-DP by composition, and k times the rho of epsilon / k, for monotonic scores of
        sensitivity 1: each round is `selection.permute_and_flip_with_gap` among the remaining candidates.
    Input: scores of n > k candidates, as an array; 1 <= k <= 10000. Time: k n.
    Errors: ParameterError before any draw, unless 1 <= k < n.
    """
    check_k(k, len(scores))
    left = np.arange(len(scores))
    winners: list[WinnerWithGap] = []
    numbers: list[int] = []
    for _ in range(k):
        winner = permute_and_flip_with_gap(PlainScores(scores[left]), epsilon / k, entropy, monotonic=True)
        winners.append(winner)
        numbers.append(int(left[winner.candidate]))
        left = np.delete(left, winner.candidate)
    return PeeledWithGaps(
        tuple(numbers),
        Composed.of(*(winner.event for winner in winners)),
        tuple(winner.gap for winner in winners),
        tuple(winner.p_value for winner in winners),
    )
