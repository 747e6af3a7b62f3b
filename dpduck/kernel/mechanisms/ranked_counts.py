"""Counts of the ranked winners: measured, combined with the free gaps, and with valid intervals.

Selection biases noise upwards. Given that winner i was selected, its selection noise is t_i + fresh
exponential noise (memorylessness), where t_i >= 0 is how far its score is below the best noisy loser: 0 for a
winner that is truly above it, unknown for one that won by its noise. An interval from the distribution of
the noise alone is valid only for the first kind. The gaps tell which kind a winner is: by the p-values of
`topk.p_values`, with all k ranks tested together, the first `sure` winners are truly above all that follow,
except in at most 5 % of releases. (Of a block of s winners, take one that is not above all that follow, and
fix all noise but its own. It exceeds the best of those by an amount that is exponential again, and the gap
after the block is at most that.) Where the list has no such break, no winner is sure. So where counts are
tied, an interval is hardly ever shown, and one that is shown may be wrong; intervals are exact where the
winners lead by far, and somewhat narrow where their true lead is just large enough for the break.
The measurement is made after the gaps are known, where they say that it is worth most:
- If the sum is measured (see `linear_estimates`), it is that of the sure winners. Their intervals follow
  from the distribution of the noise. The other winners are placed below them by their gaps, which can only
  overestimate them: their lower end is open (0 for a count), and their upper end is valid. If no winner is
  sure, the sum of all is measured, and there are no intervals.
- If each winner is measured, a sure winner's interval is that of its best estimate. Another winner's is that
  of its measurement alone, which selection cannot bias, and its estimate is clamped to it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from dpduck.kernel.mechanisms import linear_estimates
from dpduck.kernel.mechanisms.accuracy import CONFIDENCE, least, tail
from dpduck.kernel.mechanisms.additive import half_width
from dpduck.kernel.mechanisms.noisy_max import Ranking
from dpduck.kernel.mechanisms.topk import p_values, release_gaps
from dpduck.kernel.noise import Entropy, Exponential, discrete_laplace
from dpduck.kernel.scores import Member


@dataclass(frozen=True)
class RankedCounts:
    """Estimates of counts by rank, and the ends of their intervals; None where there is no interval."""

    counts: tuple[float, ...] = ()
    lows: tuple[float | None, ...] = ()
    highs: tuple[float | None, ...] = ()


def sure_winners(chances: Sequence[float]) -> int:
    """How many of the first winners are truly above all that follow, with 95 % confidence for all ranks.

    >>> sure_winners([0.3, 0.001, 0.2, 0.9]), sure_winners([0.3, 0.2])
    (2, 0)
    """
    most = (1 - CONFIDENCE) / max(len(chances), 1)
    return max((rank for rank, chance in enumerate(chances, 1) if chance <= most), default=0)


def half_width_if_chosen(split: linear_estimates.Split, candidates: float) -> float:
    """What the error of a count stays within at 95 % even if noise is why its item is a winner.

    Input: `candidates`: how many there are for each winner shown.
    Output: a bound that holds however near to each other the counts are; where the winners lead by far, the
        error is `split.half_width()`. Of all items' errors those of winners may be the largest, so the chance
        of a large one is 0.05 / candidates here (union bound).
        If sums are measured, the error is eta_i - mean(eta) + xi / j, with the noise eta that selects, its
        mean over the j winners of a sum, and the noise xi of the sum. At worst only these j are sure. Then
        their mean takes half off the chance of a large eta_i, E e^(-mean / b) being (1 + 1/j)^-j; and
        P(eta_i + xi / j > t) is at most twice `tail`, for eta_i is the size of a Laplace noise. This is
        exact for large t and xi / j smaller than eta_i, and benchmarks/attacks/promises.py measures it.
        If each is measured, the measurement chooses nothing: it is within its half-width, and the estimate
        moves from there by a part of eta_i, and by no more than to the end of the interval.
    """
    exponential = 1 / float(split.selection_rate)
    if split.together:
        laplace = 1 / float(split.measurement)  # of any of the sums, divided by its number of winners
        width = least(lambda t: candidates * tail(t, exponential, laplace), 1 - CONFIDENCE, exponential)
        return max(width + 0.5, split.half_width())
    own = half_width(split.measurement_rate)
    part = (1 - 1 / split.k) / (1 + split.weight)
    return max(own + min(own, part * exponential * math.log(20 * candidates)), split.half_width())


def measured_counts(
    ranking: Ranking, members: list[Member], split: linear_estimates.Split, entropy: Entropy
) -> RankedCounts:
    """Measure the scores of the best members with the split's noise and combine them with their gaps.

    Privacy: once the gaps are released, so is which scores are measured; one unit moves at most
        min(sensitivity, w) of the w measured scores, and their sum, by 1 each, all in one direction.
    """
    true = [ranking.groups.score(member) for member in members]
    if not true:
        return RankedCounts()
    family = Exponential(split.selection_rate)
    sure = sure_winners(p_values(release_gaps(ranking, len(true), family), family.rate))
    gaps = release_gaps(ranking, len(true), family, linear_estimates.FINE)
    if split.together and len(true) > 1:
        return _by_sum(true, gaps, sure, split, entropy)
    return _by_each(true, gaps, sure, split, entropy)


def _by_sum(
    true: Sequence[int], gaps: tuple[float, ...], sure: int, split: linear_estimates.Split, entropy: Entropy
) -> RankedCounts:
    block = sure or len(true)
    own = split.among(block)
    total = sum(true[:block]) + int(discrete_laplace(own.measurement_rate, 1, entropy)[0])
    counts = linear_estimates.estimate([total / block] * block, gaps, 0.0)
    for gap in gaps[block - 1 : len(true) - 1]:
        counts.append(counts[-1] - gap)
    if not sure:
        return RankedCounts(tuple(counts), (None,) * block, (None,) * block)
    low, high = own.error()
    least = own.error_of_another()
    return RankedCounts(
        tuple(counts),
        tuple(count - high if i < block else min(count, 0.0) for i, count in enumerate(counts)),
        tuple(count - (low if i < block else least) for i, count in enumerate(counts)),
    )


def _by_each(
    true: Sequence[int], gaps: tuple[float, ...], sure: int, split: linear_estimates.Split, entropy: Entropy
) -> RankedCounts:
    rate, width = split.measurement_rate, float(half_width(split.measurement_rate))
    noise = discrete_laplace(rate, len(true), entropy).tolist()
    measured = [count + x for count, x in zip(true, noise, strict=True)]
    counts = [
        min(max(count, m - width), m + width)
        for count, m in zip(linear_estimates.estimate(measured, gaps, split.weight), measured, strict=True)
    ]
    lows, highs = [m - width for m in measured], [m + width for m in measured]
    if sure:
        low, high = split.of(sure).error()
        counts[:sure] = linear_estimates.estimate(measured[:sure], gaps, split.weight)
        lows[:sure] = [count - high for count in counts[:sure]]
        highs[:sure] = [count - low for count in counts[:sure]]
    return RankedCounts(tuple(counts), tuple(lows), tuple(highs))
