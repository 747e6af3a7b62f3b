"""The top k with their counts: select, measure the winners, combine with the free gaps."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from dpduck.events import Composed, Count, Event, NoisyTopK
from dpduck.mechanisms import blue
from dpduck.mechanisms.accuracy import Accuracy
from dpduck.mechanisms.noisy_max import Ranking, rank
from dpduck.mechanisms.topk import check_k, release_gaps
from dpduck.noise import Entropy, Exponential, discrete_laplace
from dpduck.scores import Member, Scores


@dataclass(frozen=True)
class TopKCounts:
    """A release: candidates by number in noisy order, their counts, gaps and the interval's ends.

    The true count of a candidate lies between counts + low and counts + high (low < 0 < high) with
    probability 0.95, over the noise of a selection that is not in doubt.
    """

    candidates: tuple[int, ...]
    counts: tuple[float, ...]
    gaps: tuple[float, ...]
    low: float
    high: float
    event: Event


def top_k_counts(
    scores: Scores, k: int, epsilon: Fraction, entropy: Entropy, *, groups: int | None = None
) -> TopKCounts:
    """Select the k candidates with the largest noisy counts, and estimate those counts.

    Privacy: epsilon-DP by composition: Theorem B of `topk` on a share of epsilon, and discrete
        Laplace noise on the winners' counts, or on their sum, with the rest. One unit moves at most
        s = min(k, groups) of those counts, each by 1 and all in one direction: the counts have L1
        sensitivity s, and their sum has sensitivity s.
    Paper: Ding, Wang, Zhang, Kifer, PVLDB 13(3), 2019, Section 5 and Theorem 3; measuring the sum is
        ours, see `blue`.
    Input: monotonic counts of n > k candidates; `groups`: the most candidates that one unit counts
        for, None when unbounded.
    Noise: see `blue.best_split`.
    Output: counts by BLUE; the selection's own gaps.
    Errors: ParameterError before any draw, unless 1 <= k < n.
    """
    check_k(k, scores.count)
    sensitivity = k if groups is None else min(k, groups)
    split = blue.best_split(epsilon, k, sensitivity)
    family = Exponential(split.selection_rate)
    ranking = rank(scores, k + 1, family, entropy)
    members = ranking.members(k, entropy)
    counts = measured_counts(ranking, members, split, entropy)
    error_low, error_high = split.error(k)
    return TopKCounts(
        tuple(ranking.groups.candidates(members)),
        counts,
        release_gaps(ranking, k, family),
        -error_high,
        -error_low,
        Composed.of(NoisyTopK(split.selection, k=k), Count(split.measurement)),
    )


def measured_counts(
    ranking: Ranking, members: list[Member], split: blue.Split, entropy: Entropy
) -> tuple[float, ...]:
    """Measure the best members' scores, or their sum, with the split's noise; combine with their gaps."""
    true = [ranking.groups.score(member) for member in members]
    count = len(true)
    gaps = release_gaps(ranking, count, Exponential(split.selection_rate), blue.FINE)
    draws = min(count, 1) if split.together else count
    noise = discrete_laplace(split.measurement_rate, draws, entropy).tolist()
    if split.together and true:
        return tuple(blue.estimate([(sum(true) + noise[0]) / count] * count, gaps, split.weight))
    return tuple(blue.estimate([t + x for t, x in zip(true, noise, strict=True)], gaps, split.weight))


def accuracy_of_top_k(epsilon: Fraction, k: int, *, groups: int | None = None) -> Accuracy:
    """How exact each of the k counts will be, if the selection is not in doubt."""
    split = blue.best_split(epsilon, k, k if groups is None else min(k, groups))
    return Accuracy(math.sqrt(split.variance), split.half_width(k))
