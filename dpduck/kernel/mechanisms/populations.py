"""Intervals for a population: noise, and the chance of which units of it are in the table.

The units of a table are taken for an independent sample of a large population, of which a statistic has a
value too. An estimate then deviates from that value by noise, and by sampling, of which the variance is that
of the influence of one value on the statistic, divided by the number of values. The squares of both
half-widths add up: the parts are independent, and both are symmetric to first order. All of it is
post-processing.

A unit with several values brings no more information than it has to: with values of which r at most are of
one unit, the variance of a sum over units is at most r times that of as many independent values, since
(y_1 + ... + y_r)^2 <= r (y_1^2 + ... + y_r^2). Where the values of a unit weigh 1 together, r is 1 in this.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from dpduck.kernel.mechanisms.deviations import Extent, Sampling, Sums

Floats = NDArray[np.float64]

NORMAL = 1.959963984540054  # a normal deviation is within so many standard deviations with probability 0.95
FOURTH = frozenset({"var_pop", "var_samp", "stddev_pop", "stddev_samp"})  # statistics that need fourth powers
_FEWEST = 3.0  # degrees of freedom


def _of_average(sums: Sums, _spans: Sequence[Extent], _at: Floats) -> Floats:
    """The influence of u on P - r Q is u - r. A mean m in [0, 1] has no variance above m (1 - m)."""
    mean = np.clip(sums.mean(0).value, 0, 1)
    spread = np.clip(sums.variance(0).value, 0, mean * (1 - mean))
    count = sums.count.value
    return count * spread * _for_few(count - 1) ** 2


def _of_variance(sums: Sums, _spans: Sequence[Extent], _at: Floats) -> Floats:
    """The influence of u is (u - m)^2 - V, of variance E (u - m)^4 - V^2.

    The noise of the fourth moment can make that negative; it is at least 0, and at most V (M^2 - V) with M
    the largest |u - m| (Bhatia, Davis, 2000). E (u - m)^4 <= V / 4 does not hold: of a few ones among zeros
    it is nearly V.
    """
    mean = np.clip(sums.mean(0).value, 0, 1)
    spread = np.clip(sums.variance(0).value, 0, mean * (1 - mean))
    raw = [sums.mean_power(power) for power in range(5)]
    fourth = raw[4] - 4 * mean * raw[3] + 6 * mean**2 * raw[2] - 3 * mean**4
    most = spread * np.maximum(np.maximum(mean, 1 - mean) ** 2 - spread, 0)
    count = sums.count.value
    return np.clip(fourth - spread**2, 0, most) / count * _for_few(count - 1) ** 2


def _of_covariance(sums: Sums, _spans: Sequence[Extent], _at: Floats) -> Floats:
    """The influence of (u, v) is (u - m)(v - n) - C."""
    first, second = (np.clip(sums.mean(axis).value, 0, 1) for axis in (0, 1))
    raw = {(i, j): sums.mean_power(i, j) for i in range(3) for j in range(3)}
    both = np.zeros_like(first)
    for i, of_first in enumerate((first**2, -2 * first, np.ones_like(first))):
        for j, of_second in enumerate((second**2, -2 * second, np.ones_like(second))):
            both += of_first * of_second * raw[i, j]
    count = sums.count.value
    return np.maximum(both - sums.covariance().value ** 2, 0) / count * _for_few(count - 1) ** 2


def _of_slope(sums: Sums, _spans: Sequence[Extent], at: Floats) -> Floats:
    """The influence on C - b V is (v - n) e, e the residual: its variance is V times that of e.

    As everywhere in the theory of least squares, residuals have the same variance at all values of x.
    """
    return _residual(sums, at) * np.maximum(sums.variance(1).value, 0) / sums.count.value


def _of_intercept(sums: Sums, spans: Sequence[Extent], _at: Floats) -> Floats:
    """The influence of (u, v) on the intercept is e (1 - n (v - n) / V), with n and v from zero."""
    spread = np.maximum(sums.variance(1).value, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = np.where(spread > 0, sums.covariance().value / spread, 0.0)
    mean = sums.mean(1).value + spans[1].low / spans[1].width
    return _residual(sums, slope) * spread * (spread + mean**2) / sums.count.value


def _residual(sums: Sums, slope: Floats) -> Floats:
    """The variance of the residuals from a line, for few values made larger."""
    found = sums.variance(0).value - 2 * slope * sums.covariance().value + slope**2 * sums.variance(1).value
    return np.maximum(found, 0) * _for_few(sums.count.value - 2) ** 2


def _for_few(freedom: Floats) -> Floats:
    """The 0.975 quantile of Student's t over that of the normal law, for n / (n - 1) times the variance.

    The expansion of Fisher and Cornish 1960 to 1 / freedom^2.
    """
    few, z = np.maximum(freedom, _FEWEST), NORMAL
    second = (5 * z**4 + 16 * z**2 + 3) / (96 * few**2)
    found: Floats = (1 + (z**2 + 1) / (4 * few) + second) * np.sqrt(1 + 1 / few)
    return found


_SAMPLING: Mapping[str, Sampling] = {
    "avg": _of_average,
    "var_pop": _of_variance,
    "var_samp": _of_variance,
    "stddev_pop": _of_variance,
    "stddev_samp": _of_variance,
    "covar_pop": _of_covariance,
    "covar_samp": _of_covariance,
    "regr_slope": _of_slope,
    "regr_intercept": _of_intercept,
}
STATISTICS = frozenset(_SAMPLING)  # that have intervals for a population


def sampling_of(name: str, rows: int) -> Sampling:
    """Return the square of what P - r Q deviates by at 95 % by sampling.

    Input: `rows`: at most so many values are of one unit.
    Errors: KeyError unless the statistic is one of `STATISTICS`.
    """
    of_one: Callable[[Sums, Sequence[Extent], Floats], Floats] = _SAMPLING[name]

    def of_units(sums: Sums, spans: Sequence[Extent], at: Floats) -> Floats:
        return NORMAL**2 * rows * of_one(sums, spans, at)

    return of_units
