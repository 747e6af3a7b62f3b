"""The top k with their counts: select, measure the winners, combine with the free gaps."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dpduck.events import Composed, Count, Event, NoisyTopK
from dpduck.mechanisms import blue
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
        Laplace noise on the winners' counts with the rest. One unit moves at most
        min(k, groups) of those counts, each by 1.
    Paper: Ding, Wang, Zhang, Kifer, PVLDB 13(3), 2019, Section 5 and Theorem 3.
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
    gaps = release_gaps(ranking, k, family)
    members = ranking.members(k, entropy)
    counts = measured_counts(ranking, members, gaps, split, entropy)
    error_low, error_high = split.error(k)
    return TopKCounts(
        tuple(ranking.groups.candidates(members)),
        counts,
        gaps,
        -error_high,
        -error_low,
        Composed.of(NoisyTopK(split.selection, k=k), Count(split.measurement)),
    )


def measured_counts(
    ranking: Ranking,
    members: list[Member],
    gaps: tuple[float, ...],
    split: blue.Split,
    entropy: Entropy,
) -> tuple[float, ...]:
    """Measure the members' scores with the split's noise and combine with the gaps."""
    true = np.array([ranking.groups.score(member) for member in members], dtype=np.int64)
    noise = discrete_laplace(split.measurement_rate, len(true), entropy)
    return tuple(blue.estimate((true + noise).tolist(), gaps, split.weight))
