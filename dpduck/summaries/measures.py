"""Sums and means of a measure from two independent estimates of each group; means of values of cells.

Where each row has a value these are S of v - c, and the number of rows N: the sum is S + c N. Where a row may
have none they are the sums A of v - low and B of high - v: with T = high - low the number of values is
(A + B) / T, and their sum (high A + low B) / T. Either way sum and number are linear in the two, whose
variances are known.

A mean of values that are the same in a cell is the quotient of two sums of cells, of the same noise.

A mean a has the interval of all a for which sum - a number is as small as its noise (Fieller 1954), within
the public range; all of that where the number is less than five of its deviations, as then it tells nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Protocol

import numpy as np

from dpduck.compiler.compile.summary_measures import MeasureColumn
from dpduck.summaries.design import Design
from dpduck.summaries.kept import Contents
from dpduck.summaries.linear_queries import LinearQuery, variances_of, with_one_more
from dpduck.summaries.residuals import Floats

DOUBT = 0.05  # how often an interval of 95 % may miss
NORMAL = 1.959963984540054  # the quantile of the normal law for it
_LAPLACE = 2.118311117  # the same as `NORMAL` of one Laplace noise of variance 1: ln(20) / sqrt(2)
_LEAST_DEVIATIONS = 5.0  # of the number of values, for the interval of a mean
_LEAST_QUANTILES = 1.25  # the same, where its interval reaches farther: its quadratic equation has two ends


class NoiseOfMeans(Protocol):
    """The noise of the sum and the number of values of each group."""

    @property
    def of_sum(self) -> Floats:
        """The variance of sums."""

    @property
    def of_number(self) -> Floats:
        """The variance of numbers."""

    @property
    def together(self) -> Floats:
        """The covariance of both."""


def of_difference(noise: NoiseOfMeans, mean: float) -> Floats:
    """The variance of sum - mean number."""
    return noise.of_sum - 2 * mean * noise.together + mean**2 * noise.of_number


@dataclass(frozen=True, eq=False)
class CellSpread:
    """The noise of sums of values of cells, and of their numbers, by group."""

    of_sum: Floats
    of_number: Floats
    together: Floats

    @classmethod
    def of(cls, query: LinearQuery, number: LinearQuery, design: Design) -> CellSpread:
        """Input: the sums and the numbers, both of which are measured."""
        sums, numbers, both = (
            variances_of(one, design.variances, design.sizes, design.shapes)
            for one in (query, number, with_one_more(query))
        )
        assert sums is not None
        assert numbers is not None
        assert both is not None
        return cls(sums, numbers, (both - sums - numbers) / 2)


@dataclass(frozen=True, eq=False)
class Spread:
    """How two estimates make sums and numbers, in the unit of the values, and their variances by group."""

    to_sum: tuple[float, float]
    to_number: tuple[float, float]
    variances: tuple[Floats, Floats]

    @property
    def of_sum(self) -> Floats:
        """The variance of sums."""
        return self._of(self.to_sum, self.to_sum)

    @property
    def of_number(self) -> Floats:
        """The variance of numbers."""
        return self._of(self.to_number, self.to_number)

    @property
    def together(self) -> Floats:
        """Their covariance."""
        return self._of(self.to_sum, self.to_number)

    def _of(self, one: tuple[float, float], other: tuple[float, float]) -> Floats:
        terms = (a * b * variance for a, b, variance in zip(one, other, self.variances, strict=True))
        return sum(terms, np.zeros(len(self.variances[0])))


def spread_of(number: int, query: LinearQuery, design: Design) -> Spread:
    """How exact the sums of a measure are. Input: the number of the measure, and a query that is measured."""
    measure: MeasureColumn = design.rows.measures[number]
    own, counts = (
        variances_of(query, one.variances, design.sizes, design.shapes)
        for one in (design.of_measures[number], design)
    )
    assert own is not None
    assert counts is not None
    tick = 10.0**-measure.scale
    if not measure.has_gaps:
        return Spread((tick, tick * measure.centre), (0.0, 1.0), (own, counts))
    least, most = measure.ends
    width = most - least
    return Spread((tick * most / width, tick * least / width), (1 / width, 1 / width), (own, own))


def quantile_of(design: Design, doubt: float = DOUBT) -> float:
    """How many deviations an interval reaches: at 95 %, of one table with Laplace noise, as of one noise.

    Sums of several such noises are nearer to a normal number, which has less. Farther out they are not: there
    they have that of one noise, ln(1 / doubt) / sqrt(2), which is enough for all of them.
    Input: how often it may miss.
    """
    if design.gaussian is not None:
        return deviations_of_normal(doubt)
    if doubt < DOUBT:
        return -math.log(doubt) / math.sqrt(2)
    return _LAPLACE if len(design.shares) == 1 else NORMAL


def deviations_of_normal(doubt: float) -> float:
    """How many deviations a normal number exceeds, on either side, with that probability."""
    return NORMAL if doubt == DOUBT else -NormalDist().inv_cdf(doubt / 2)


def sums_and_numbers(
    number: int, query: LinearQuery, contents: Contents, spread: Spread
) -> tuple[Floats, Floats]:
    """The sum of values of each group, in their unit, and how many they are."""
    kept = contents.residuals_of(number)
    both = kept if len(kept) == 2 else (*kept, contents.residuals)
    one, other = (query.estimates(residuals, contents.design.sizes) for residuals in both)
    (a, b), (c, d) = spread.to_sum, spread.to_number
    return a * one + b * other, c * one + d * other


def means(
    ends: tuple[float, float], sums: Floats, numbers: Floats, noise: NoiseOfMeans, quantile: float
) -> tuple[Floats, Floats, Floats]:
    """The mean of each group, and both ends of its interval, within a public range."""
    low, high = ends
    is_known = numbers > max(_LEAST_DEVIATIONS, _LEAST_QUANTILES * quantile) * np.sqrt(noise.of_number)
    safe = np.where(is_known, numbers, 1.0)
    middle = np.where(numbers > 0, sums / np.where(numbers > 0, numbers, 1.0), (low + high) / 2)
    squared = quantile**2
    a = safe**2 - squared * noise.of_number
    b = sums * safe - squared * noise.together
    c = sums**2 - squared * noise.of_sum
    root = np.sqrt(np.maximum(b**2 - a * c, 0.0))
    lows, highs = np.where(is_known, (b - root) / a, low), np.where(is_known, (b + root) / a, high)
    return np.clip(middle, low, high), np.clip(lows, low, high), np.clip(highs, low, high)
