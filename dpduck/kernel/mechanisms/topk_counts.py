"""Noisy top-k with counts: select, measure the winners, combine with the free gaps."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from dpduck.kernel.accounting.events import Composed, Event, NoisyTopK
from dpduck.kernel.mechanisms import linear_estimates
from dpduck.kernel.mechanisms.accuracy import Accuracy
from dpduck.kernel.mechanisms.noisy_max import rank
from dpduck.kernel.mechanisms.ranked_counts import RankedCounts, measured_counts
from dpduck.kernel.mechanisms.topk import check_k, p_values, release_gaps
from dpduck.kernel.noise import Entropy, Exponential
from dpduck.kernel.scores import Scores


@dataclass(frozen=True)
class TopKCounts:
    """A release: the winners' indices in noisy order, gaps, p-values (`topk.p_values`) and counts."""

    candidates: tuple[int, ...]
    gaps: tuple[float, ...]
    p_values: tuple[float, ...]
    found: RankedCounts
    event: Event


def top_k_counts(
    scores: Scores, k: int, epsilon: Fraction, entropy: Entropy, *, groups: int | None = None
) -> TopKCounts:
    """Select the k candidates with the largest noisy counts, and estimate those counts.

    Privacy: epsilon-DP by composition: Theorem B of `topk` on a share of epsilon, and discrete
        Laplace noise on the winners' counts, or on their sum, with the rest. One unit moves at most
        s = min(k, groups) of those counts, each by 1 and all in one direction: the counts have L1
        sensitivity s, and their sum has sensitivity s. See `ranked_counts`.
    Paper: Ding, Wang, Zhang, Kifer, PVLDB 13(3), 2019, Section 5 and Theorem 3; measuring the sum is
        ours, see `linear_estimates`.
    Input: monotonic counts of n > k candidates; `groups`: the most candidates that one unit counts
        for, None when unbounded.
    Noise: see `linear_estimates.best_split`.
    Output: best linear unbiased estimates of the counts, with intervals that allow for selection; gaps.
    Errors: ParameterError before any draw, unless 1 <= k < n.
    """
    check_k(k, scores.count)
    sensitivity = k if groups is None else min(k, groups)
    split = linear_estimates.best_split(epsilon, k, sensitivity)
    family = Exponential(split.selection_rate)
    ranking = rank(scores, k + 1, family, entropy)
    members = ranking.members(k, entropy)
    gaps = release_gaps(ranking, k, family)
    return TopKCounts(
        tuple(ranking.groups.candidates(members)),
        gaps,
        p_values(gaps, family.rate),
        measured_counts(ranking, members, split, entropy),
        Composed.of(NoisyTopK(split.selection, k=k), split.measured),
    )


def accuracy_of_top_k(epsilon: Fraction, k: int, *, groups: int | None = None) -> Accuracy:
    """The expected error of each of the k counts, provided that the selection is correct."""
    split = linear_estimates.best_split(epsilon, k, k if groups is None else min(k, groups))
    return Accuracy(math.sqrt(split.variance), split.half_width())
