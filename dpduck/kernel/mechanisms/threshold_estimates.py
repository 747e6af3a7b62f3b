"""Estimates of counts that passed a test against a noisy threshold, and intervals valid after selection.

A test observes count + X - N - T = gap, at least `cut`, with the count's own noise X and the threshold's
noise N. So T + gap estimates the count. But of many counts just below the threshold, those with large noise
pass, so on a long-tailed table the estimates of selected counts are far too large. An interval for a
count that was named beforehand (Ding, Wang, Zhang, Kifer, PVLDB 13(3), 2019, Lemma 5) is not valid here.

The interval of `selected` is conditional on selection. With D = X - N and u = count - T, a count that
passed has P(gap >= g | passed) = P(D >= g - u) / P(D >= cut - u), which grows with u since the noise is
log-concave. The ends are where that is 2.5 % and 97.5 %: given that it passed, a count is within them with
probability 95 %, whatever it is. As u falls the quotient tends to e^(-rate (g - cut)), as in Lemma 5
without N; so a gap less than 3.7 noise scales above the cut leaves the lower end open: any count
below may have passed with such a gap. Other candidates, and a first test that failed, matter only through
N, which they share: for a count far above that passed the second test only, 95 % become 94.5 %, and on
long-tailed tables the coverage of all answers together stays within 2 points.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from dpduck.kernel.mechanisms.accuracy import CONFIDENCE, log_tail_of_difference
from dpduck.kernel.mechanisms.additive import half_width
from dpduck.kernel.mechanisms.linear_estimates import count_variance

_DOUBT = (1 - CONFIDENCE) / 2  # on either side


@dataclass(frozen=True)
class Level:
    """What a passed test reveals of one count: its gap to the noisy threshold.

    `cut`: the smallest gap that passes; `rate`: of the count's own noise.
    """

    gap: int
    cut: int
    rate: Fraction


@dataclass(frozen=True)
class Intervals:
    """Estimates of counts with the ends of their intervals; an end that is open is infinite."""

    estimates: Sequence[float]
    lows: Sequence[float]
    highs: Sequence[float]


def selected(levels: Sequence[Level], threshold: int, common: Fraction) -> Intervals:
    """Estimates from gaps alone. Input: `common`: the rate of the threshold's noise."""
    ends = [_ends(level.gap - level.cut, level.rate, common) for level in levels]
    estimates = [float(threshold + level.gap) for level in levels]
    return Intervals(
        estimates,
        [estimate - below for estimate, (below, _) in zip(estimates, ends, strict=True)],
        [estimate + above for estimate, (_, above) in zip(estimates, ends, strict=True)],
    )


def measured(
    counts: Sequence[int], rate: Fraction, levels: Sequence[Level], threshold: int, common: Fraction
) -> Intervals:
    """Estimates from gaps and from measurements `counts` with noise of that rate, combined.

    The intervals are those of the measurement alone, so each is valid with probability 95 % given the
    selection; estimates are clamped to them, since selection makes gaps too large.
    """
    width = half_width(rate)
    found = combine(
        counts,
        [threshold + level.gap for level in levels],
        [count_variance(level.rate) for level in levels],
        count_variance(rate),
        count_variance(common),
    )
    estimates = [min(max(x, m - width), m + width) for x, m in zip(found, counts, strict=True)]
    return Intervals(estimates, [m - width for m in counts], [m + width for m in counts])


def combine(
    measured: Sequence[int],
    levels: Sequence[int],
    variances: Sequence[float],
    measured_variance: float,
    common_variance: float,
) -> list[float]:
    """Generalised least squares for counts measured twice, the second time with a noise common to all.

    levels[i] = q_i + noise of variances[i] - N. The mean of measured - levels, weighted by precision
    and shrunk, estimates N; the levels corrected by it are averaged with the measurements.

    >>> combine([12, 5], [10, 1], [1.0, 1.0], 1.0, 1.0)
    [11.75, 3.75]
    """
    precisions = [1 / (measured_variance + v) for v in variances]
    pull = sum(p * (m - y) for p, m, y in zip(precisions, measured, levels, strict=True))
    common = common_variance * pull / (1 + common_variance * sum(precisions))
    return [
        (v * m + measured_variance * (y + common)) * p
        for p, v, m, y in zip(precisions, variances, measured, levels, strict=True)
    ]


@lru_cache(maxsize=4096)
def _ends(excess: int, rate: Fraction, common: Fraction) -> tuple[float, float]:
    """How far below and above its estimate the count may be, if its gap is `excess` above the cut.

    Both are found as t = gap - u, the noise needed for that gap. Neither end crosses the estimate.
    """
    own, other = float(rate), float(common)

    def as_large(t: int) -> bool:
        """Whether a gap at least this large is likely enough for a count that passed."""
        likely = log_tail_of_difference(t, own, other) - log_tail_of_difference(t - excess, own, other)
        return likely > math.log(_DOUBT)

    def as_small(t: int) -> bool:
        """Whether a gap at most this large is likely enough for a count that passed."""
        larger = log_tail_of_difference(t + 1, own, other) - log_tail_of_difference(t - excess, own, other)
        return -math.expm1(larger) > _DOUBT

    open_below = math.exp(-min(own, other) * excess) > _DOUBT
    return math.inf if open_below else _farthest(as_large, 1), _farthest(as_small, -1)


def _farthest(likely: Callable[[int], bool], direction: int) -> float:
    """The largest d >= 0 for which direction * d is likely; 0 if none is."""
    if not likely(0):
        return 0.0
    low, high = 0, 1
    while likely(direction * high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if likely(direction * middle) else (low, middle)
    return float(low)
