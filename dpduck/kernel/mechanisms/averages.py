"""Means of bounded values by group, with all of epsilon spent on one pair of sums.

A value v in [0, T] adds v to the sum at the high end of its range and T - v to the sum at the low end. Each
value adds T to both sums together, so noise that hides a value in one of the sums hides it in both, and the
pair costs what one sum costs. The mean is the high sum divided by the total of both, and the number of values
is that total divided by T.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpduck.kernel.accounting.events import Average
from dpduck.kernel.errors import ParameterError
from dpduck.kernel.mechanisms.accuracy import CONFIDENCE, Accuracy, doubt_of_shown, least, tail
from dpduck.kernel.noise import Entropy, whole_laplace

Floats = NDArray[np.float64]

_STEPS = 256  # of the table of interval widths, for shares from 0 to 1/2


@dataclass(frozen=True)
class NoisyMeans:
    """A release: for each group the mean as a share of the public range, and the number of values.

    The mean is lo + (hi - lo) * share. The true share lies between `lows` and `highs` with
    probability 0.95, whatever the data and however few the values; with 1 - `doubt` if noise is as large as
    the number of values of some, so that on average 95 % of the others hold (see `doubt_of_shown`). The true
    number of values lies within `count_half_width` of `counts` with probability 0.95. `sums` are of the
    values as such shares, and any number.
    """

    shares: tuple[Fraction, ...]
    lows: tuple[float, ...]
    highs: tuple[float, ...]
    sums: tuple[float, ...]
    counts: tuple[float, ...]
    count_half_width: float
    doubt: float
    event: Average


def noisy_means(
    high: Sequence[int],
    counts: Sequence[int],
    epsilon: Fraction,
    entropy: Entropy,
    *,
    ticks: int,
    rows: int,
    groups: int,
) -> NoisyMeans:
    """Release the mean of the values of each group of a public list of groups, and their number.

    Privacy: epsilon-DP under adding or removing one unit, if a unit has values in at most `groups`
        groups, at most `rows` of them in each.
        Let T = ticks, A the sum of the values v of a group (each clamped to 0 <= v <= T), n their
        number, B = n T - A = sum of T - v. A unit with values v_1, ..., v_r in a group, r <= rows,
        moves A by sum v_j and B by sum (T - v_j), which is |dA| + |dB| = r T <= rows T. So all pairs
        (A, B) together have L1 sensitivity groups rows T, and discrete Laplace noise of rate
        epsilon / (groups rows T) on each of them is epsilon-DP, as in `sums`. All else is computed
        from the noisy pairs.
    Paper: Dwork, McSherry, Nissim, Smith, TCC 2006, Proposition 1, for the pair (A, B). Intervals after
        Fieller 1954: a share x is accepted when (1 - x) A~ - x B~ is as small as its noise at x.
    Input: high: A, and counts: n, for each group; ticks, rows and groups at least 1.
    Noise: to first order the error of the share a is ((1 - a) X - a Y) / (n T), with X and Y the
        noise of A and B: variance 2 ((1-a)^2 + a^2) (groups rows / (epsilon n))^2. This is half the
        variance of a noisy sum (centred) and a noisy number of values with half of epsilon each.
    Output: share = A~ / (A~ + B~), clamped to [0, 1], and 1/2 where A~ + B~ is not positive.
        Sum of values = A~ / T. Number of values = (A~ + B~) / T, possibly negative, not always whole.
        Intervals: at the true share a the noise (1 - a) X - a Y exceeds w(a) with probability 0.05,
        or `doubt`, and w is convex in a (the noise is symmetric and log-concave: Lagoa, Li, Sznaier 2005), so
        the accepted shares within [0, 1] form an interval. The discreteness of the noise adds 1 tick.
        A sum that noise made negative counts as 0 in this: that accepts more shares, and an interval has no
        width of 0, as it would have where none is accepted.
    Errors: ParameterError before any draw, unless ticks, rows and groups are at least 1.
    """
    rate = mean_rate(epsilon, ticks=ticks, rows=rows, groups=groups)
    noise = whole_laplace(rate, 2 * len(high), entropy)
    to_high = [a + x for a, x in zip(high, noise[::2], strict=True)]
    to_low = [n * ticks - a + y for a, n, y in zip(high, counts, noise[1::2], strict=True)]
    shares = [_share(a, b) for a, b in zip(to_high, to_low, strict=True)]
    counts_of_values = tuple(float(Fraction(a + b, ticks)) for a, b in zip(to_high, to_low, strict=True))
    width = accuracy_of_mean_counts(epsilon, ticks=ticks, rows=rows, groups=groups).half_width
    doubt = doubt_of_shown(sum(count > width for count in counts_of_values), len(high))
    lows, highs = _intervals(to_high, to_low, shares, rate, doubt)
    return NoisyMeans(
        tuple(shares),
        lows,
        highs,
        tuple(float(Fraction(a, ticks)) for a in to_high),
        counts_of_values,
        width,
        doubt,
        Average(epsilon, groups=groups),
    )


def mean_rate(epsilon: Fraction, *, ticks: int, rows: int, groups: int) -> Fraction:
    """The rate of the noise on both sums, per tick. Errors: ParameterError unless all are positive."""
    if min(ticks, rows, groups) < 1:
        raise ParameterError(
            "a mean needs values, rows and groups that are bounded",
            detail=f"It has {ticks} ticks, {rows} rows and {groups} groups; all must be positive.",
        )
    return epsilon / (groups * rows * ticks)


def accuracy_of_means(epsilon: Fraction, count: int, *, rows: int, groups: int) -> Accuracy:
    """The expected error of the mean of `count` values, as a share of their range, at the worst share.

    Input: at least 1 value, in enough ticks that one of them does not matter.
    Output: at most 1. With u = epsilon count / (groups rows), the deviation to first order is 1 / u
        at the share 1/2 and sqrt(2) / u at the worst shares, 0 and 1. The half-width is ln(20) / u:
        where A~ + B~ > 0, the answer is above x = a + e only if (1 - x) X - x Y > e n T, and below
        x = a - e only if it is < -e n T; either has probability 0.025 at e n T = w(x), and no w(x)
        is larger than w(0) = ln(20) scales.

    >>> accuracy = accuracy_of_means(Fraction(1), 1000, rows=1, groups=1)
    >>> round(accuracy.deviation, 6), round(accuracy.half_width, 6)
    (0.001414, 0.002996)
    """
    scale = float(Fraction(groups * rows) / (epsilon * count))
    return Accuracy(min(math.sqrt(2) * scale, 1.0), min(math.log(1 / (1 - CONFIDENCE)) * scale, 1.0))


def accuracy_of_mean_counts(epsilon: Fraction, *, ticks: int, rows: int, groups: int) -> Accuracy:
    """The expected error of the number of values: the sum of two noises of scale groups rows / epsilon."""
    scale = float(groups * rows / epsilon)
    width = least(lambda t: 2 * tail(t, scale, scale), 1 - CONFIDENCE, scale)
    return Accuracy(2 * scale, width + 2 / ticks)


def _share(high: int, low: int) -> Fraction:
    if high + low <= 0:
        return Fraction(1, 2)
    return min(max(Fraction(high, high + low), Fraction(0)), Fraction(1))


def _intervals(
    high: Sequence[int], low: Sequence[int], shares: Sequence[Fraction], rate: Fraction, doubt: float
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The ends of the intervals as floats, moved outwards so that each interval contains its share."""
    to_high = np.array([float(max(a, 0) * rate) for a in high], dtype=np.float64)
    to_low = np.array([float(max(b, 0) * rate) for b in low], dtype=np.float64)
    middle = np.array([float(share) for share in shares], dtype=np.float64)
    lows = np.minimum(_least_shares(to_high, to_low, float(rate), doubt), middle)
    highs = np.maximum(1 - _least_shares(to_low, to_high, float(rate), doubt), middle)
    return tuple(lows.tolist()), tuple(highs.tolist())


def ends_of_totals(
    high: Floats, low: Floats, sizes: Floats, scale: float, tick: float, doubt: float
) -> tuple[Floats, Floats]:
    """Return the ends of intervals of means of several groups together, as shares of their range.

    At the true share the noise of n > 1 groups together is within sqrt n times that of one with tick, with at
    least the same probability: of sums of as many the tails of one are the heaviest (see `replay.derive`).
    Input: for each mean its sum at the high end and at the low end, both in values, and of how many groups it
        is; the scale of the noise of one sum, and a tick, in values; the probability of a miss.
    Output: each interval holds the mean that is released, too.

    >>> one, many = np.array([500.0]), np.array([4.0])
    >>> ends = ends_of_totals(one, one, many, 2.0, 0.0, 0.05)
    >>> [round(float(end[0]), 4) for end in ends]
    [0.4918, 0.5082]
    """
    unit = scale * np.sqrt(sizes)
    to_high, to_low = np.maximum(high, 0) / unit, np.maximum(low, 0) / unit
    shares = np.clip(high / np.maximum(high + low, np.finfo(np.float64).tiny), 0, 1)
    lows = _least_shares(to_high, to_low, tick / scale, doubt)
    highs = 1 - _least_shares(to_low, to_high, tick / scale, doubt)
    return np.minimum(lows, shares), np.maximum(highs, shares)


def widened(lows: Floats, highs: Floats, shares: Floats, doubt: float) -> tuple[Floats, Floats]:
    """Return the ends of the intervals of means that miss with a smaller probability than those given.

    An end x at 95 % says how large the number n of values is beside its noise: n (share - x) = w(x). Shares
    and ends are rounded by 1/100 of a half-width, which is less than 3 % of the distance between both.
    Input: ends as shares, that miss with probability 0.05 at most. Output: an end at 0 or 1 stays there.
    """
    return _farther(lows, shares, doubt), 1 - _farther(1 - highs, 1 - shares, doubt)


def _farther(lows: Floats, shares: Floats, doubt: float) -> Floats:
    distances = shares - lows
    known = (lows > 0) & (distances > 0)
    n = np.where(known, 0.97 * _width(lows) / np.where(known, distances, 1.0), 0.0)
    found = np.minimum(_least_shares(n * shares, n * (1 - shares), 0.0, doubt), lows)
    return np.where(known, found, np.minimum(lows, 0.0))


def _least_shares(high: Floats, low: Floats, tick: float, doubt: float) -> Floats:
    """The smallest x in [0, 1] with (1 - x) high - x low <= w(x) + tick, in units of the noise scale.

    The difference of the two sides is concave in x. So it is not positive at 0, or it crosses 0 downwards
    once, or it stays positive.
    """
    below, above = np.zeros_like(high), np.ones_like(high)
    for _ in range(60):
        x = (below + above) / 2
        kept = (1 - x) * high - x * low <= _width(x, doubt) + tick
        above, below = np.where(kept, x, above), np.where(kept, below, x)
    return np.where(high <= _width(np.zeros(1), doubt) + tick, 0.0, below)


def _width(x: Floats, doubt: float = 1 - CONFIDENCE) -> Floats:
    """w(x), interpolated in a table; chords lie above a convex function, so intervals are not too narrow."""
    return np.interp(np.minimum(x, 1 - x), np.linspace(0, 0.5, _STEPS + 1), _table(doubt))


@lru_cache(maxsize=64)
def _table(doubt: float) -> Floats:
    """w(x) for x from 0 to 1/2, which |(1 - x) X - x Y| exceeds with probability `doubt`.

    X and Y are Laplace noise of scale 1.
    """

    def width(x: float) -> float:
        return least(lambda t: 2 * tail(t, 1 - x, x), doubt, 1.0)

    return np.array([width(x) for x in np.linspace(0, 0.5, _STEPS + 1).tolist()])
