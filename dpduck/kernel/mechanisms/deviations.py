"""Statistics of noisy moments, and how far noise may have moved them: variances, correlations, lines.

All is post-processing of the noisy sums of `moments`. A statistic is a ratio P / Q of smooth functions of the
sums, whose deviations through noise are P' Z and Q' Z to first order, Z the noise and P' the gradient.
Places are in [0, 1] here; a `Extent` says what they are places in.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpduck.kernel.mechanisms.accuracy import CONFIDENCE, doubt_of_shown

Floats = NDArray[np.float64]

# |a Z| <= REACH |a| scale with probability 0.96 at least, for the noise Z of any number of sums: the bound of
# a single one, whose tails are the heaviest of all of its variance (tests/mechanisms/test_deviations). What
# exceeds 0.95 is for gradients, which are known at the noisy sums alone.
REACH = math.log(1 / 0.04)

# An interval has ends where its number would still be shown if noise reached so many times as far. Of numbers
# that noise alone lets be shown, with probability 0.04 at most, 0.04^2 at most are so: one in 25 of them.
_SURE = 2


@dataclass(frozen=True)
class Extent:
    """A public range of numbers."""

    low: float
    width: float


@dataclass(frozen=True)
class Noisy:
    """A number of each group, and its gradient: groups x sums. The arithmetic is that of derivatives."""

    value: Floats
    gradient: Floats

    def __add__(self, other: Noisy) -> Noisy:
        return Noisy(self.value + other.value, self.gradient + other.gradient)

    def __sub__(self, other: Noisy) -> Noisy:
        return Noisy(self.value - other.value, self.gradient - other.gradient)

    def __mul__(self, other: Noisy) -> Noisy:
        gradient = self.gradient * other.value[:, None] + other.gradient * self.value[:, None]
        return Noisy(self.value * other.value, gradient)

    def __truediv__(self, other: Noisy) -> Noisy:
        value = self.value / other.value
        return Noisy(value, (self.gradient - value[:, None] * other.gradient) / other.value[:, None])

    def plus(self, constant: float) -> Noisy:
        return Noisy(self.value + constant, self.gradient)

    def root(self, reach: float) -> Noisy:
        """The square root; 0 where the number may be 0: it is not above `reach` times its gradient."""
        is_sure = self.value > reach * np.sqrt(np.einsum("ij,ij->i", self.gradient, self.gradient))
        root = np.sqrt(np.where(is_sure, self.value, 0.0))
        slope = np.divide(0.5, root, out=np.zeros_like(root), where=is_sure)
        return Noisy(root, self.gradient * slope[:, None])


class Sums:
    """The moments of the values, or pairs of values, of which the sums of weights are given.

    Input: groups x 3, or x 5 with weights of degree 4; or groups x 9 with the weights of the second value in
    turn for each of the first; `reach`: of the noise of a sum.
    """

    def __init__(self, sums: Floats, reach: float) -> None:
        self._sums = sums
        self._reach = reach
        axes = 2 if sums.shape[1] == 9 else 1
        degree = 2 if axes == 2 else sums.shape[1] - 1
        grid = np.indices((degree + 1,) * axes).reshape(axes, -1)
        # How much of a sum counts for the mean of each power of each value, and for that of its square:
        self._powers = [_shares_of_power(grid, degree, power) for power in range(degree + 1)]
        self._first, self._second = self._powers[1:3]
        total = sums.sum(axis=1)
        # No number of values that may be 0 is divided by: their statistics are not known, see `estimates`.
        self.count = Noisy(np.where(total > 0, total, 1.0), np.ones_like(sums))

    def _mean_of(self, weights: Floats) -> Noisy:
        return Noisy(self._sums @ weights, np.broadcast_to(weights, self._sums.shape)) / self.count

    def mean(self, axis: int) -> Noisy:
        return self._mean_of(self._first[axis])

    def variance(self, axis: int) -> Noisy:
        mean = self.mean(axis)
        return self._mean_of(self._second[axis]) - mean * mean

    def deviation(self, axis: int) -> Noisy:
        """The standard deviation; 0 where the variance is within its noise of 0."""
        return self.variance(axis).root(self._reach)

    def covariance(self) -> Noisy:
        return self._mean_of(self._first[0] * self._first[1]) - self.mean(0) * self.mean(1)

    def total(self, axis: int) -> Noisy:
        """The sum of the values."""
        weights = self._first[axis]
        return Noisy(self._sums @ weights, np.broadcast_to(weights, self._sums.shape))

    def mean_power(self, first: int, second: int = 0) -> Floats:
        """The mean of the powers of a value, or of the products of powers of pairs, at most the degree."""
        weights = self._powers[first][0]
        if len(self._first) == 2:
            weights = weights * self._powers[second][1]
        found: Floats = (self._sums @ weights) / self.count.value
        return found

    def one(self) -> Noisy:
        return Noisy(np.ones(len(self._sums)), np.zeros_like(self._sums))


def _shares_of_power(grid: NDArray[np.int64], degree: int, power: int) -> Floats:
    """C(j, power) / C(degree, power): x^power is the sum of the weights j of degree `degree` times these."""
    shares: Floats = np.vectorize(math.comb)(grid, power) / math.comb(degree, power)
    return shares


Ratio = Callable[[Sums, Sequence[Extent]], tuple[Noisy, Noisy]]


def _average(sums: Sums, _: Sequence[Extent]) -> tuple[Noisy, Noisy]:
    return sums.total(0), sums.count


def _variance(sums: Sums, _: Sequence[Extent]) -> tuple[Noisy, Noisy]:
    return sums.variance(0), sums.one()


def _square_error_of_mean(sums: Sums, _: Sequence[Extent]) -> tuple[Noisy, Noisy]:
    return sums.variance(0) / sums.count, sums.one()


def _covariance(sums: Sums, _: Sequence[Extent]) -> tuple[Noisy, Noisy]:
    return sums.covariance(), sums.one()


def _correlation(sums: Sums, _: Sequence[Extent]) -> tuple[Noisy, Noisy]:
    return sums.covariance(), sums.deviation(0) * sums.deviation(1)


def _slope(sums: Sums, _: Sequence[Extent]) -> tuple[Noisy, Noisy]:
    return sums.covariance(), sums.variance(1)


def _intercept(sums: Sums, spans: Sequence[Extent]) -> tuple[Noisy, Noisy]:
    """The mean of y less slope times that of x, all in widths of their ranges; over the variance of x."""
    y, x = (sums.mean(axis).plus(span.low / span.width) for axis, span in enumerate(spans))
    return y * sums.variance(1) - x * sums.covariance(), sums.variance(1)


@dataclass(frozen=True)
class Statistic:
    """How a statistic follows from a ratio.

    `unit`: of the ratio, by the widths of the ranges. `ends`: between which the ratio lies, in such units.
    `sampled`: n - 1 takes the place of n. `power`: 1/2 or 2, to which the ratio is raised in the end.
    `is_place`: it is a place in the range, which begins at its low end.
    """

    ratio: Ratio
    unit: Callable[[Sequence[Extent]], float]
    ends: tuple[float, float]
    sampled: bool = False
    power: float = 1.0
    is_place: bool = False


def _square(spans: Sequence[Extent]) -> float:
    return spans[0].width ** 2


def _product(spans: Sequence[Extent]) -> float:
    return spans[0].width * spans[1].width


def _quotient(spans: Sequence[Extent]) -> float:
    return spans[0].width / spans[1].width


def _width(spans: Sequence[Extent]) -> float:
    return spans[0].width


_SHARES, _SPREAD, _PLACES, _ANY = (0.0, 1.0), (0.0, 0.25), (-0.25, 0.25), (-math.inf, math.inf)

STATISTICS: Mapping[str, Statistic] = {
    "avg": Statistic(_average, _width, _SHARES, is_place=True),
    "var_pop": Statistic(_variance, _square, _SPREAD),
    "var_samp": Statistic(_variance, _square, _SPREAD, sampled=True),
    "stddev_pop": Statistic(_variance, _square, _SPREAD, power=0.5),
    "stddev_samp": Statistic(_variance, _square, _SPREAD, sampled=True, power=0.5),
    "sem": Statistic(_square_error_of_mean, _square, _SPREAD, power=0.5),
    "covar_pop": Statistic(_covariance, _product, _PLACES),
    "covar_samp": Statistic(_covariance, _product, _PLACES, sampled=True),
    "corr": Statistic(_correlation, lambda _: 1.0, (-1.0, 1.0)),
    "regr_r2": Statistic(_correlation, lambda _: 1.0, (-1.0, 1.0), power=2.0),
    "regr_slope": Statistic(_slope, _quotient, _ANY),
    "regr_intercept": Statistic(_intercept, _width, _ANY),
}


@dataclass(frozen=True)
class Estimates:
    """A statistic of each group, NaN where it has none, and the ends of its interval, infinite if unknown.

    `values_low`: the lower end of the interval of the number of values (less 1, if one is needed for the
    mean); 0 where noise is as large as the spread by which the statistic divides.
    """

    values: Floats
    lows: Floats
    highs: Floats
    values_low: Floats


# The variance of P - r Q, at the estimate r, if the units were another sample of their population.
Sampling = Callable[[Sums, Sequence[Extent], Floats], Floats]


def estimates(
    name: str, sums: Floats, scale: float, spans: Sequence[Extent], sampling: Sampling | None = None
) -> Estimates:
    """Compute a statistic from noisy sums of weights, with intervals that hold with probability 0.95.

    Where noise is as large as the number or the spread of the values of some groups, intervals are such that
    95 % of those of the others hold, on average (see `doubt_of_shown`).

    Input: the name of a statistic; sums as of `Sums`; the scale of their noise; the ranges of the values;
        `sampling`: of the statistic, for intervals of a population (see `populations`); None: intervals hold
        for the values themselves.
    Intervals: a ratio r is accepted where |P - r Q| <= REACH |P' - r Q'| scale (Fieller 1954), a quadratic
        inequality in r, whose solutions are an interval as long as Q itself is not within its noise of 0.
        Else, and where the number of values is within its noise of 0, nothing is left: the interval is
        all that is possible, also where chance decides that: of what is shown because of noise few would
        hold (not of slopes, of which everything is possible). Intervals of variances and correlations are cut
        off at what is possible.
    """
    statistic = STATISTICS[name]
    reach = REACH * scale
    moments = Sums(sums, reach)
    spare = sums.sum(axis=1) - reach * math.sqrt(sums.shape[1]) - int(statistic.sampled)
    above, below = statistic.ratio(moments, spans)
    with np.errstate(divide="ignore", invalid="ignore"):
        at = np.where(below.value > 0, above.value / below.value, 0.0)
    others = np.zeros(len(sums)) if sampling is None else sampling(moments, spans, at)
    ratio, low, high, known = _ratio(above, below, reach, others)
    shown = known & (spare > 0)
    wider = _times(doubt_of_shown(int(shown.sum()), len(sums)))
    _, low, high, has_ends = _ratio(above, below, wider * reach, wider**2 * others)
    is_sure = shown & has_ends & _is_far(statistic, sums, reach * max(wider, _SURE), spans)
    least, most = statistic.ends
    low, high = np.where(is_sure, low, least), np.where(is_sure, high, most)
    factor = statistic.unit(spans) * _correction(moments.count.value, sampled=statistic.sampled)
    origin = spans[0].low if statistic.is_place else 0.0
    value, low, high = (origin + factor * np.clip(end, least, most) for end in (ratio, low, high))
    value, low, high = _raised(value, np.fmin(low, value), np.fmax(high, value), statistic.power)
    return Estimates(value, low, high, np.where(known, spare, np.minimum(spare, 0.0)))


def _is_far(statistic: Statistic, sums: Floats, reach: float, spans: Sequence[Extent]) -> NDArray[np.bool_]:
    """Whether a statistic that has ends would still be shown if noise reached as far as this."""
    if not math.isfinite(statistic.ends[1]):
        return np.ones(len(sums), dtype=np.bool_)
    above, below = statistic.ratio(Sums(sums, reach), spans)
    is_known = _ratio(above, below, reach, np.zeros(len(sums)))[3]
    spare = sums.sum(axis=1) - reach * math.sqrt(sums.shape[1]) - int(statistic.sampled)
    far: NDArray[np.bool_] = is_known & (spare > 0)
    return far


def _times(doubt: float) -> float:
    """How much farther noise is exceeded with a probability than with 0.05; sampling is by less."""
    return math.log((1 - CONFIDENCE) / 0.04 / doubt) / REACH if doubt < 1 - CONFIDENCE else 1.0


def _correction(count: Floats, *, sampled: bool) -> Floats:
    """n / (n - 1), at most 2, as of two values; else 1."""
    return count / np.maximum(count - 1, count / 2) if sampled else np.ones_like(count)


def _ratio(
    above: Noisy, below: Noisy, reach: float, others: Floats
) -> tuple[Floats, Floats, Floats, NDArray[np.bool_]]:
    """The ratio, NaN without a positive denominator; the ends of its interval; and whether it has one.

    Input: `others`: the square of what P - r Q deviates by at 95 % besides noise.
    """
    p, q = above.value, below.value
    pp, pq, qq = (
        reach**2 * np.einsum("ij,ij->i", one, other)
        for one, other in (
            (above.gradient, above.gradient),
            (above.gradient, below.gradient),
            (below.gradient, below.gradient),
        )
    )
    square, mixed, rest = q * q - qq, p * q - pq, p * p - pp - others
    known = (q > 0) & (square > 0)
    divisor = np.where(known, square, 1.0)
    root = np.sqrt(np.maximum(mixed * mixed - square * rest, 0.0))
    ratio = np.divide(p, q, out=np.full_like(p, math.nan), where=q > 0)
    return ratio, (mixed - root) / divisor, (mixed + root) / divisor, known


def _raised(value: Floats, low: Floats, high: Floats, power: float) -> tuple[Floats, Floats, Floats]:
    """The same numbers raised to a power, of which 1/2 is of none below 0."""
    if power != 2.0:
        return (value, low, high) if power == 1.0 else (np.sqrt(value), np.sqrt(low), np.sqrt(high))
    nearest = np.where((low <= 0) & (high >= 0), 0.0, np.minimum(np.abs(low), np.abs(high)))
    return value**2, nearest**2, np.maximum(np.abs(low), np.abs(high)) ** 2


def half_width_if_even(
    name: str,
    count: int,
    scale: float,
    spans: Sequence[Extent],
    *,
    degree: int = 2,
    sampling: Sampling | None = None,
) -> float:
    """How far a statistic of so many values may be off at 95 %, if they fill their ranges evenly.

    Pairs fill theirs independently. Infinite if `count` is within its noise of 0, or the spread is.
    """
    weights = (degree + 1) ** len(spans)
    sums = np.full((1, weights), count / weights)
    found = estimates(name, sums, scale, spans, sampling)
    if found.values_low[0] <= 0:
        return math.inf
    return float(max(found.highs[0] - found.values[0], found.values[0] - found.lows[0]))
