"""Top-k as k single winners, one after another without those before: what adds up well under zCDP.

One round of noise for all (`topk`) is an epsilon-DP release, and more exact when sums of epsilon count. But
in rho it costs as much as one winner at all of epsilon, where k winners at epsilon / k cost k times less.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpduck.accounting.events import Composed, Event, GumbelTopK
from dpduck.mechanisms.noisy_max import rank
from dpduck.mechanisms.selection import WinnerWithGap, permute_and_flip_with_gap
from dpduck.mechanisms.topk import check_k
from dpduck.noise import Entropy, Gumbel
from dpduck.scores import PlainScores, Scores

Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Peeled:
    """A release: candidates by number in the order in which they won, and of what."""

    candidates: tuple[int, ...]
    event: Event


@dataclass(frozen=True)
class PeeledWithGaps(Peeled):
    """... and for each the gap to the best of those left, and the p-value that it is truly their best."""

    gaps: tuple[float, ...]
    p_values: tuple[float, ...]


def gumbel_top_k(scores: Scores, k: int, epsilon: Fraction, entropy: Entropy) -> Peeled:
    """Select k candidates by k exponential mechanisms, drawn at once.

    Privacy: epsilon-DP, and (epsilon^2 / (8 k))-zCDP, for monotonic scores of sensitivity 1. The order of
        the k largest of score + Gumbel noise of rate r = epsilon / k has the law of k exponential mechanisms
        with coins e^(r score), each without the winners before (Durfee, Rogers, NeurIPS 2019, Lemma 4.2).
        For one of them, between neighbours, ln of the ratio of probabilities is r (q_i - q'_i) less one
        number common to all i: it stays within an interval of length r. With K(s) = ln E[e^(s L)] for that
        ln, L, K(0) = K(1) = 0 and K'' <= r^2 / 4 (the variance of what an interval of length r holds), so
        K(a) <= a (a - 1) r^2 / 8: that is (r^2 / 8)-zCDP, k times.
    Input: scores of n > k candidates; 1 <= k <= 10000.
    Noise: Gumbel of rate epsilon / k, 1.28 times the deviation of `topk.top_k`'s. Gaps would not fit the
        bound of rho, and are not released.
    Ties: equal scores are equally likely in every order.
    Errors: ParameterError before any draw, unless 1 <= k < n.
    """
    check_k(k, scores.count)
    ranking = rank(scores, k, Gumbel(epsilon / k), entropy)
    winners = ranking.groups.candidates(ranking.members(k, entropy))
    return Peeled(tuple(winners), GumbelTopK(epsilon, k=k))


def peeled_top_k(scores: Integers, k: int, epsilon: Fraction, entropy: Entropy) -> PeeledWithGaps:
    """Select k candidates by k times permute-and-flip with gap.

    Privacy: epsilon-DP by composition, and k times the rho of epsilon / k, for monotonic scores of
        sensitivity 1: each round is `selection.permute_and_flip_with_gap` among those left.
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
