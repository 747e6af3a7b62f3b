"""Noisy top-k with gaps: the k best candidates in order, and the gaps between them for free.

Two noises: exponential (Theorem B, the default: half the variance) and discrete Laplace (Theorem A).
Adjacency is add or remove one privacy unit, and the scores are counts of units: every score moves
by 0 or 1, all in one direction. (Such scores are called monotonic.) Or they are sums in ticks, each of
which one unit moves by a number from lo to hi, lo <= 0 <= hi, with `spread` = hi - lo.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Literal

from dpduck.kernel.accounting.events import NoisyTopK
from dpduck.kernel.errors import InternalError, ParameterError
from dpduck.kernel.mechanisms.noisy_max import Ranking, rank
from dpduck.kernel.noise import Entropy, Exponential, Family, Laplace
from dpduck.kernel.scores import Scores

K_MAX = 10_000

Noise = Literal["exponential", "laplace"]


@dataclass(frozen=True)
class TopK:
    """A release: the indices of the winners in descending order of noisy score, and the gap after each.

    `gaps[i]` estimates the score of candidate i minus that of candidate i + 1; the last one is the
    gap to the best candidate that was not selected.
    """

    candidates: tuple[int, ...]
    gaps: tuple[float, ...]
    event: NoisyTopK


def top_k(
    scores: Scores,
    k: int,
    epsilon: Fraction,
    entropy: Entropy,
    *,
    noise: Noise = "exponential",
    spread: int = 1,
) -> TopK:
    """Select the k candidates with the largest noisy scores and release the gaps between them.

    Privacy: epsilon-DP for monotonic scores of sensitivity 1, and for sums of that spread.
        Exponential noise: Theorem B. Let Z be the losers' noisy maximum and G_i the sum of the gaps
        from i to k. The density of order and gaps w is proportional to
        exp(sum q_i / b) E[exp(-kZ/b); Z >= c] with c = max(q_i - G_i). If one unit lowers scores by
        0 or 1, Z moves to Z' with Z - 1 <= Z' <= Z, f_Z'(z) >= e^(-1/b) f_Z(z) and
        f_Z'(z) <= e^(1/b) f_Z(z + 1), and c moves by 0 or -1. When no c moves, the first gives a
        factor of at most e^(k/b); when c moves, some winner moved and pays e^(-1/b) against the
        e^((k+1)/b) of the third. The lower bound is alike. Floors are post-processing.
        Sums: order and gaps do not change if the same number is added to all scores, so a move in [lo, hi]^n
        is one in [0, spread]^n. That is a sum of layers h_m 1[S_m], with S_1 in S_2 in ..., whose heights add
        up to its largest entry, at most `spread`. Theorem B holds in units of h_m for real scores, as
        its proof uses only that each moves by 0 or 1 units; so layer m costs e^(k h_m / b), and all of them
        at most e^(k spread / b) = e^epsilon. No factor of 2 comes from the signs.
        Discrete Laplace noise: Theorem A. Given w, each winner's noise is a function of the losers'
        noise and w, and moves by at most 1 between neighbours. The last gap counts a loser that
        would win a tie as one higher; with that correction it holds for any tie order that does
        not depend on the data, here a uniformly random one.
    Paper: Ding, Wang, Zhang, Kifer, PVLDB 13(3), 2019, Algorithm 1 and Theorem 2; Ding et al., VLDB
        Journal 2023, for exponential noise.
    Input: scores of n > k candidates; 1 <= k <= 10000; epsilon exact.
    Noise: scale b = k spread / epsilon in score units; variance b^2 (exponential) or about 2 b^2 (Laplace,
        for counts only).
    Output: gaps in score units. Exponential: the floor of the ideal gap plus one half, which
        removes the floor's bias. Laplace: the integer gap, the last one adjusted as above.
    Ties: none; equal scores are equally likely in every order.
    Errors: ParameterError before any draw, unless 1 <= k < n.
    """
    check_k(k, scores.count)
    if noise == "laplace" and spread != 1:
        raise InternalError("Theorem A is about counts")
    family = _family(noise, epsilon / (k * spread))
    ranking = rank(scores, k + 1, family, entropy)
    winners = ranking.groups.candidates(ranking.members(k, entropy))
    return TopK(tuple(winners), release_gaps(ranking, k, family), NoisyTopK(epsilon, k=k))


def check_k(k: int, count: int) -> None:
    """Refuse a k outside 1 <= k < count. Errors: ParameterError."""
    if not 1 <= k <= K_MAX:
        raise ParameterError(
            f"k is {k}",
            detail=f"k must be a whole number from 1 to {K_MAX}.",
            hint="Ask for fewer candidates, such as 10.",
        )
    if k >= count:
        raise ParameterError(
            f"k is {k} but there are only {count} candidates",
            detail="The last gap is to the best candidate that is not selected, so one must be left.",
            hint=f"Ask for at most {count - 1}." if count > 1 else "Give at least two candidates.",
        )


def p_values(gaps: Sequence[float], rate: Fraction) -> tuple[float, ...]:
    """For each winner, a bound on the probability of its gap if it is not truly above all that follow.

    Proof. Fix the order, and all noise but this winner's. Let Z be the noisy score right after it. If a
    candidate after it has a score of at least q, the winner's, then Z >= q, since exponential noise is not
    negative: the winner's noise exceeds Z - q >= 0, by an amount that is exponential again (no memory), and
    smaller for having to stay below the next better one. So P(gap >= g) <= e^(-rate g).
    Input: gaps of exponential noise as released, whole numbers plus one half; the whole number is used,
    which is at most the true gap.

    >>> [round(p, 3) for p in p_values((0.5, 3.5), Fraction(1))]
    [1.0, 0.05]
    """
    return tuple(math.exp(-float(rate) * max(gap - 0.5, 0.0)) for gap in gaps)


def release_gaps(ranking: Ranking, k: int, family: Family, unit: Fraction = Fraction(1)) -> tuple[float, ...]:
    """The gaps after each of the k best, as `top_k` describes them.

    `unit`: the public grid to which gaps of exponential noise are rounded down, which is post-processing. A
    finer one loses less where many gaps are added up.
    """
    best = ranking.best
    if isinstance(family, Laplace):
        integers = [entry.score + entry.noise.floor() for entry in best[:k]]
        between = [float(a - b) for a, b in pairwise(integers)]
        return (*between, float(best[k - 1].floor_of_gap(best[k])))
    half = float(unit / 2)
    return tuple(float(a.floor_of_gap(b, unit) * unit) + half for a, b in pairwise(best[: k + 1]))


def _family(noise: Noise, rate: Fraction) -> Family:
    return Laplace(rate) if noise == "laplace" else Exponential(rate)
