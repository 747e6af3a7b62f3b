"""The least and largest value, as far out as noise lets them be seen: sparse vector from the range's end.

A true extreme is one unit's value. A quantile near the end, such as 0.99, does not stand for it: (1 - q) n
values are beyond it, and then comes all of the grid that has none. Where noise of ranks is more than that,
a point is selected where nobody is; where it is less, the quantile is farther from the end than it need be.

So points are tested one by one from their end of the grid: are there as many values, there or beyond, as a
public number s, which noise on no values reaches at none of N points, with 95 %? The first that passes is
released. Where values lie close together, some point passes before s of them are met.

A value counts at its own point and at all that are tested later. So if it moves any test, it moves that which
passes, too: noise of the threshold and of the tests are paid once, and not each with a part of epsilon.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from dpduck.kernel.accounting.events import ExtremeValue
from dpduck.kernel.mechanisms.quantile import Sample, Window
from dpduck.kernel.mechanisms.sparse_vector import EpsilonSplit, Runs, first_above
from dpduck.kernel.noise import Entropy

_DOUBT = Fraction(1, 20)
_CERTAIN = 80  # what two noises of rate 1 exceed together with a chance below e^-40
_MOST = 2**60


@dataclass(frozen=True)
class ExtremePoint:
    """A release: the index of a grid point."""

    offset: int
    event: ExtremeValue


@dataclass(frozen=True)
class Extreme:
    """Which extreme is sought: the least value, or if `upper` the largest, on a grid of `points`.

    `epsilon`: for each part of weight that a unit may have. `doubt`: how often nobody is there or beyond.
    Numbers of values are in parts of weight.
    """

    upper: bool
    points: int
    epsilon: Fraction
    doubt: Fraction = _DOUBT

    @property
    def split(self) -> EpsilonSplit:
        """The rates of the noises of threshold and tests: both are epsilon, as `select` proves."""
        return EpsilonSplit(1, self.epsilon, self.epsilon, adaptive=False)

    @cached_property
    def depth(self) -> int:
        """How many values a point needs, but for noise: s."""
        return self._least(self.points)

    @cached_property
    def beyond(self) -> int:
        """How many values are beyond what is released, at most, with probability 1 - `doubt`."""
        return self.depth + self._least(1) - 2

    def _least(self, many: int) -> int:
        """The least t > 0 with which X >= t + N for one of so many noises X with probability `doubt` at most.

        With p = e^-epsilon X is x >= 0 or more with probability p^x / (1 + p), and N is n with p^|n|
        (1 - p) / (1 + p). Let b >= 0 be whole and f = many p^b / (1 + p) <= 1. With t = a + b some X is t + n
        or more with probability f p^(a + n) at most for n >= -a, else 1: in all with
        p^(a + 1) / (1 + p) + f (1 - p) / (1 + p) (sum of p^|n| p^(a + n) over n >= -a), and the sum is
        (a + 1) p^a + p^(a + 2) / (1 - p^2).
        """
        rate = float(self.epsilon)
        p, q, logarithm = math.exp(-rate), -math.expm1(-rate), math.log(many) - math.log1p(math.exp(-rate))
        base = max(math.ceil(Fraction(logarithm) / self.epsilon), 0)
        share = math.exp(logarithm - rate * base)

        def missed(a: int) -> float:
            return math.exp(-rate * a) * (p + share * (q * (a + 1) + p * p / (1 + p))) / (1 + p)

        low, high = -1, 0
        while missed(high) > self.doubt:
            low, high = high, 2 * high + 1
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if missed(middle) > self.doubt else (low, middle)
        return max(high + base, 1)

    @cached_property
    def enough(self) -> int:
        """How many values pass the test but for a chance below e^-40: so many are read first."""
        return min(self.depth + math.ceil(_CERTAIN / self.epsilon), _MOST)

    def ranks_near(self, count: int) -> tuple[int, int]:
        """The first and last rank whose values `select` reads of a sample with so many parts of weight."""
        return (count - self.enough, count - 1) if self.upper else (0, self.enough - 1)

    def select(self, sample: Sample, entropy: Entropy) -> ExtremePoint:
        """Select the first grid point, from its end, with enough values there or beyond, but for noise.

        Privacy: epsilon-DP under adding or removing one unit with one part of weight. Proof. Point j
            passes if q_j + X_j >= s + N, for the number q_j of values there or beyond, and noises X_j and
            N of the rate epsilon. Points are tested in a public order, in which a value at point v adds 1
            to q_j for all j >= v, and to no other. Let q' be with it. What passes first is i, or none
            does. If i < v, nothing that was tested has changed. Else let (N, X) be noises for which i
            passes first of q. Then (N + 1, X) are such noises of q': tests before v fail still, as more
            is asked of them; all others have the same outcome, that of i too. The same if none passes. So
            P(i | q) <= e^epsilon P(i | q'). Let (N, X) be noises for which i passes first of q'. With X_i
            + 1 in place of X_i they are such noises of q: i passes still, and what failed fails still. So
            P(i | q') <= e^epsilon P(i | q); if none passes of q', none does of q. Both maps are one to
            one. A unit with c parts of weight, wherever they are, is c of these steps.
        Statement: whatever the values are, with probability 1 - `doubt` somebody's is at the released
            point or beyond it, or that is the other end of the grid; and with probability 1 - `doubt` at
            most `beyond` are beyond it. Proof. If a point without values passes, X >= s + N for one of
            all points: see `_least`. The first point x with s + t - 1 values there or beyond, where t is
            that of one noise, passes if none did before it, unless N - X >= t, which has the law of X -
            N. So at most s + t - 2 values are beyond the first that passes.
        Papers: Dwork and Roth 2014, Theorem 3.23, for sparse vector, of which epsilon is divided; Durfee,
            NeurIPS 2023, who finds quantiles and a largest value by it.
        Input: a sample on the same grid. With a chance below e^-40 all ranks of it are read.
        Output: a grid offset; if no point passes, that of the other end of the grid.
        """
        passed = first_above(self.counts(sample), self.depth, self.split, entropy)
        place = self.points - 1 if passed is None else passed
        return ExtremePoint(self.points - 1 - place if self.upper else place, ExtremeValue(self.epsilon))

    def counts(self, sample: Sample) -> Iterator[Runs]:
        """Yield the numbers of values at points or beyond, from their end on; if asked for, the rest.

        The last point of the first part is the farthest one with values among those that are read for it.
        """
        count = sample.count
        if count == 0:
            yield Runs(np.zeros(1, dtype=np.int64), np.array([self.points], dtype=np.int64))
            return
        first, last = self.ranks_near(count)
        near = self._runs(sample.window(max(first, 0), min(last, count - 1)), count)
        yield near
        if near.count < self.points:
            every = self._runs(sample.window(0, count - 1), count)
            ends = np.cumsum(every.lengths)
            left = ends > near.count
            yield Runs(every.scores[left], np.minimum(every.lengths, ends - near.count)[left])

    def _runs(self, window: Window, count: int) -> Runs:
        """The points from the end to the last with values in a window there; all if it has all values."""
        offsets, units = window.offsets, window.units
        if self.upper:
            offsets, units = self.points - 1 - offsets[::-1], units[::-1]
        upto = np.cumsum(units)
        end = self.points if upto[-1] == count else int(offsets[-1]) + 1
        scores, starts = np.concatenate(([0], upto)), np.concatenate(([0], offsets))
        lengths = np.diff(np.append(starts, end))
        return Runs(scores[lengths > 0], lengths[lengths > 0])
