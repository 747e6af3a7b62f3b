"""Thresholded top-k: the largest counts above a noisy threshold, in order.

Sparse vector returns the first candidates above the threshold, in an order independent of the counts. Here
the threshold is one more candidate of a noisy top-k: the largest counts come first, with half the noise
variance, and when the threshold is reached, everything below it stays unseen and costs nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from dpduck.kernel.accounting.events import Composed, Event, NoisyCount, TopKAbove
from dpduck.kernel.errors import ParameterError
from dpduck.kernel.mechanisms import linear_estimates
from dpduck.kernel.mechanisms.noisy_max import rank_above
from dpduck.kernel.mechanisms.ranked_counts import RankedCounts, measured_counts
from dpduck.kernel.mechanisms.sparse_vector import check_threshold
from dpduck.kernel.mechanisms.topk import K_MAX, p_values, release_gaps
from dpduck.kernel.noise import Entropy, Exponential
from dpduck.kernel.scores import Scores


@dataclass(frozen=True)
class TopAbove:
    """A release: at most k candidates by index, in noisy order, with gaps and p-values; counts if measured.

    If there are fewer than k, the threshold was reached, and the last gap is the gap to it. `used`: the part
    of `event` that the rest of the release shows as used.
    """

    candidates: tuple[int, ...]
    gaps: tuple[float, ...]
    p_values: tuple[float, ...]  # see `topk.p_values`
    found: RankedCounts
    event: Event
    used: Event


def top_k_above(
    scores: Scores,
    threshold: int,
    k: int,
    epsilon: Fraction,
    entropy: Entropy,
    *,
    measure: bool,
    groups: int | None = None,
) -> TopAbove:
    """Select the largest noisy counts, at most k, that come before a noisy threshold.

    Privacy: epsilon-DP under adding or removing one unit, which moves any number of the counts by 1, all
        in one direction.
        Theorem D. Rank the candidates and the threshold T, which is one more candidate whose score no unit
        moves, by score + exponential noise of rate r = e / k; release the order with gaps of the k first,
        or down to T if it is among them. That is a function of what Theorem B of `topk` releases, for a
        score vector that is monotonic still; so it costs at most e. If T is number j + 1, the release is
        an output of Theorem B's mechanism for j + 1 winners at the same rate: its probability changes by
        at most e^((j + 1) r) between neighbours. So j winners before T show that (j + 1) / k of e was used
        (Rogers et al. 2023: a pure loss that the output itself bounds may be settled).
        The counts of the w winners, if asked, are measured with a part of epsilon: one unit moves at most
        s = min(w, groups) of them, and their sum, by 1 each.
    Paper: a hybrid of Ding et al., VLDB Journal 2023, and Ding et al., PVLDB 13(3), 2019, Algorithm 2, for
        all candidates at once, with Theorem B in place of a threshold test for each.
    Input: monotonic counts of at least k candidates; 1 <= k <= 10000; `groups`: the most candidates that one
        unit counts for, None when unbounded; it matters when counts are measured.
    Noise: scale k / e in score units, variance (k / e)^2. `linear_estimates.best_split` divides epsilon.
    Output: gaps as `topk.top_k` has them; counts as `topk_counts`.
    Ties: none; equal scores are equally likely in every order.
    Errors: ParameterError before any draw.
    """
    _check(threshold, k, scores.count)
    split = linear_estimates.best_split(epsilon, k, k if groups is None else min(k, groups))
    selection = split.selection if measure else epsilon
    family = Exponential(selection / k)
    ranking, winners = rank_above(scores, threshold, k, family, entropy)
    members = ranking.members(winners, entropy)
    candidates = tuple(ranking.groups.candidates(members))
    gaps = release_gaps(ranking, winners, family)
    ranked = candidates, gaps, p_values(gaps, family.rate)
    event, used = (TopKAbove(share, k=k) for share in (selection, selection * min(winners + 1, k) / k))
    if not measure:
        return TopAbove(*ranked, RankedCounts(), event, used)
    found = measured_counts(ranking, members, split.among(winners), entropy)
    counting = NoisyCount(split.measurement)
    spent = Composed.of(used, counting) if winners else used
    return TopAbove(*ranked, found, Composed.of(event, counting), spent)


def _check(threshold: int, k: int, count: int) -> None:
    if not 1 <= k <= min(K_MAX, count):
        raise ParameterError(
            f"k is {k}",
            detail=f"k must be a whole number from 1 to {min(K_MAX, count):,}, the number of candidates.",
        )
    check_threshold(threshold)
