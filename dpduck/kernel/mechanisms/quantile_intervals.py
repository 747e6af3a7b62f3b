"""Intervals of quantiles: both ends are selected as quantiles are, at ranks beyond the wanted one.

The end of the quantile q of n units is wanted at the rank q n -+ s, where s has up to three parts. With S the
sensitivity of the scores, in ranks, and d the doubt,

    noise     ln(1 / 2d) 2 S / epsilon, the point that Laplace noise of the scale 2 S / epsilon exceeds with
              probability d: the interval is around the quantile of the table. A released end that lies beyond
              the released quantile becomes that quantile, so that both have to lie on the same side of the
              truth if the interval is to miss it. Their noise is independent, and the quantile lies on one
              side only: the chance of missing is at most d P(above) + d P(below) <= d.
    sampling  for the population that units are a sample of: s = sqrt(z^2 n q (1 - q) + noise^2), of noise
              that is exceeded with probability d / 2, since sampling moves the quantile and its ends alike.
              Half-widths add up as squares: that is exact for two normal laws, and above what a normal law
              and Laplace noise exceed together.
    tail      max(0, R - noise - n / 16), at most, for the lower end of q > 1/2 and the upper one of q < 1/2.
              Few values, (1 - q) n, are between it and that end of the grid which it must not reach; far out
              there a grid has many points for each value. R is the distance at which all of them together are
              selected with probability d / 2 at most.

A constant s moves no score. The other parts change by at most D and D' with one unit: the root is replaced by
its tangent of slope D below some n, which is above it, as it is concave. So n need not be measured apart.

Values that are rounded are alike by the thousand, with gaps of millions of points between them on a fine
grid: see `roundings` for what is a candidate besides the points.

That such intervals cover 95 % is calibrated and no theorem: that an end is off by t ranks with a chance of
about e^(-t / scale) holds where values lie close together (see `quantile.rank_errors`). Where n is so small
that the wanted rank is beyond all values, as of an empty table, the end is that of the grid: see `End`.

Paper: Drechsler, Globus-Harris, McMillan, Sarathy, Smith, Journal of Survey Statistics and Methodology 2022,
who select the ends directly, with a constant s; a measured n; and no third part.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from statistics import NormalDist

import numpy as np

from dpduck.kernel.mechanisms.noisy_max import reach
from dpduck.kernel.mechanisms.quantile import (
    GridGroups,
    RankScores,
    Sample,
    check_denominator,
    grid_groups,
    ranks_within,
)
from dpduck.kernel.mechanisms.roundings import Penalty, RoundedScores, Rounding
from dpduck.kernel.mechanisms.selection import permute_and_flip, selection_rate
from dpduck.kernel.noise import Entropy
from dpduck.kernel.scores import Scores

PARTS = 3  # of epsilon: for the quantile, and for either end
_MOST_CANDIDATES = 2**62 - 1
_MOST_MARGIN = 2**60
_MOST_WITHIN = 2**30
_STEPS = 64  # whole numbers in which the rank of one unit is told, at least
_SLOPE = 16  # s changes by at most the 16th part of a rank with one unit: at most an eighth more noise
_HALF = Fraction(1, 2)

# Of multiples of usual numbers (`roundings`), as powers of e by which noise outweighs a difference of scores.
# Privacy holds for any; these are calibrated, by coverage and widths (decision 68).
_UNROUNDED = 20  # what multiples lack where no value is one
_FEW = 3  # what all of them together lack where no values are between the wanted rank and the end of the grid
_FEW_BEYOND = 16  # or on the other side, where far more points may be beyond the last value

Roundings = tuple[tuple[Rounding, ...], tuple[Rounding, ...]]  # of a lower and of an upper end


@dataclass(frozen=True)
class End:
    """The lower or upper end of an interval of the quantile `q`.

    `upper`: which of them. `epsilon`: of this end. `most`: parts of weight of one unit, at most. `doubt`:
    the chance that the interval misses. `population`: it allows for sampling as well. `points`: of the grid.
    `roundings`: to what values may be rounded.

    The grid is continued by as many points beyond this end as it has, on which the rank that is wanted is met
    if it is beyond all values: the score of the lower end there is -max(0, T), that of the upper one -max(0,
    u n - T). All of them stand for the end of the grid.
    """

    q: Fraction
    upper: bool
    epsilon: Fraction
    most: int
    points: int
    doubt: Fraction
    population: bool
    roundings: tuple[Rounding, ...] = ()

    @cached_property
    def steps(self) -> int:
        """Score units of q's denominator, so that what one unit adds to s is a whole number of them."""
        is_constant = not (self.population or self._is_far or self.roundings)
        return 1 if is_constant else -(-_STEPS // (self.q.denominator * self.most))

    @property
    def unit(self) -> int:
        """Score units of one part of weight: u."""
        return self.q.denominator * self.steps

    @property
    def share(self) -> int:
        """Score units of the quantile's rank of one part of weight."""
        return self.q.numerator * self.steps

    @property
    def _is_far(self) -> bool:
        """Whether this end is the one that is farther from the end of the grid on its side."""
        return self.q < _HALF if self.upper else self.q > _HALF

    @cached_property
    def rise(self) -> int:
        """By how much one unit raises the margin, at most: D."""
        return max(self.unit * self.most // _SLOPE, 1) if self.population else 0

    @cached_property
    def fall(self) -> int:
        """By how much one unit lowers the margin, at most: D'."""
        tail = min(self.share, self.unit - self.share) * self.most
        return min(max(self.unit * self.most // _SLOPE, 1), tail) if self._is_far else 0

    @property
    def sensitivity(self) -> int:
        """By how much one unit moves a score, at most: S."""
        below, above = self.share * self.most, (self.unit - self.share) * self.most
        if self.upper:
            below, above = above, below
        return max(below + self.fall, above + self.rise)

    def _noise_beyond(self, chance: float) -> int:
        """What the noise of the scale 2 S / epsilon is above with about half of this chance."""
        return self._noise_of(-math.log(chance))

    @cached_property
    def _noise(self) -> int:
        return self._noise_beyond(float(self.doubt if self.population else 2 * self.doubt))

    @cached_property
    def _tail(self) -> int:
        """R - noise."""
        return self._noise_beyond(float(self.doubt / 2) / self.points) - self._noise

    @cached_property
    def _growth(self) -> int:
        """By how much the square of the margin grows with one part of weight, of which units have `most`."""
        if not self.population:
            return 0
        z = Fraction(NormalDist().inv_cdf(float(1 - self.doubt / 2)))
        return math.ceil(z * z * self.q * (1 - self.q) * self.unit**2 * self.most)

    @cached_property
    def _straight_until(self) -> int:
        """The weight from which on the root grows slowly enough."""
        if not self.rise:
            return 0
        square = Fraction(self._growth * self.most, 2 * self.rise) ** 2
        return max(math.ceil((square - self._noise**2) / self._growth), 0)

    def margin(self, count: int) -> int:
        """How far from the quantile's rank the end is wanted, of so many parts of weight, in score units.

        One unit raises it by at most `rise` and lowers it by at most `fall`. Proof. Let f(W) be the root of
        growth W + noise^2, but below W_0, from which on its slope is at most D / most, its line of that
        slope. A unit adds w <= most, so f rises by at most D, a whole number; so does the floor of f from W_0
        on, and what is subtracted below W_0, floor(D (W_0 - W) / most). Across W_0, with d of D below and at
        most D - d above, floor(d) + ceil(D - d) = D. For the tail floor(D' W / most) rises by at most D'.
        """
        start = max(count, self._straight_until)
        root = math.isqrt(self._growth * start + self._noise**2) - (start - count) * self.rise // self.most
        tail = max(self._tail - self.fall * count // self.most, 0) if self.fall else 0
        return min(root + tail, _MOST_MARGIN)

    def rank(self, count: int) -> int:
        """The wanted rank of so many parts of weight, in score units: T. It may be beyond all values."""
        middle, margin = self.share * count, self.margin(count)
        return middle + margin if self.upper else middle - margin

    @cached_property
    def _roundings(self) -> tuple[Rounding, ...]:
        """Those that are candidates: none where noise is so large that 64 bits do not hold areas."""
        return self.roundings if self.roundings and self._within <= _MOST_WITHIN else ()

    @cached_property
    def _inside(self) -> int:
        """The number of candidates, but for those beyond the grid."""
        return self.points + sum(one.count * one.copies for one in self._roundings)

    @property
    def beyond(self) -> int:
        """By how many points the grid is continued."""
        return min(self.points, _MOST_CANDIDATES - self._inside)

    @cached_property
    def _rate(self) -> Fraction:
        """What one part of weight that is not rounded costs, if its rank is the wanted one.

        One unit moves the mean that `Penalty` has by at most `most` parts, and by what the margin moves the
        wanted rank; the penalty is rounded.
        """
        return (self.sensitivity - 1) / (self.most + Fraction(max(self.rise, self.fall), self.unit))

    @cached_property
    def _within(self) -> int:
        """How far from the wanted rank values count that are not rounded."""
        return math.ceil(self._noise_of(_UNROUNDED) * self.unit / self._rate)

    def penalty(self, count: int) -> Penalty:
        """What values near the wanted rank cost a rounding, of so many parts of weight.

        It is large as well where few values are on one side of that rank, as they do not say whether they are
        rounded. One unit moves the number of ranks on either side by at most S (proof in `select`).
        """
        rank = self.rank(count)
        below, above = rank, self.unit * count - rank
        together = math.log(self._inside / self.points)
        near, beyond = self._noise_of(together + _FEW), self._noise_of(together + _FEW_BEYOND)
        lacking = max(beyond - below, near - above) if self.upper else max(near - below, beyond - above)
        return Penalty(self.unit, rank, self._within, self._rate, max(lacking, 0))

    def _noise_of(self, logarithm: float) -> int:
        """A difference of scores that noise outweighs with a chance of about e^-logarithm."""
        return math.ceil(2 * self.sensitivity / self.epsilon * Fraction(logarithm))

    def ranks_near(self, units: int) -> tuple[int, int]:
        """The first and last rank whose values `select` needs of a sample with that number of units."""
        rate = selection_rate(self.epsilon, self.sensitivity, monotonic=False)
        within = reach(self._inside + self.beyond, rate)
        if self._roundings:
            within = max(within, self._within)
        return ranks_within(self.rank(units), self.unit, within)

    def select(self, sample: Sample, entropy: Entropy) -> int:
        """Select a grid point for this end.

        Privacy: epsilon-DP under adding or removing one unit with a weight of at most `most` parts. Proof.
            Such a unit, of weight w, moves u L and u (L + E) by u l for some 0 <= l <= w, and the margin m by
            an amount from -D' to D. With c = `share` the lower end's T = c n - m moves by c w - D to c w +
            D', so that u L - T moves by at least -(c w + D') and at most (u - c) w + D, and T - u (L + E) by
            the opposite of such an amount. For the upper end T = c n + m, u L - T moves by at least -(c w +
            D) and at most (u - c) w + D'. Each amount is at most S in size. Beyond the grid, the lower end's
            T and the upper one's u n - T move by such amounts, too. The larger of two, or of one and 0,
            moves by no more than they do. Cells are points of a coarser grid, and penalties move by at most
            S as well (see `penalty`). The rest is the proof of permute-and-flip.
        Input: a sample on the same grid.
        Output: a grid offset; without values, the end of the grid with probability 1 - 2 `doubt` at least.
        Errors: ParameterError before any draw.
        """
        check_denominator(sample.count, self.q, 2 * self.unit)
        scores, most = self.scores(sample), self.sensitivity
        chosen = permute_and_flip(scores, self.epsilon, entropy, monotonic=False, sensitivity=most)
        return min(max(chosen.candidate, 0), self.points - 1)

    def scores(self, sample: Sample) -> Scores:
        """The scores of all candidates."""
        points = EndScores(sample, self)
        if not self._roundings:
            return points
        return RoundedScores(points, sample, self._roundings, self.penalty(sample.count))


class EndScores(RankScores):
    """The scores of all grid points for an end of an interval, and of the points beyond the grid there."""

    def __init__(self, sample: Sample, end: End) -> None:
        super().__init__(sample, end.points, unit=end.unit, rank=end.rank(sample.count))
        self._end = end

    @property
    def count(self) -> int:
        return self._points + self._end.beyond

    def groups(self, wanted: int, reach: float) -> GridGroups:
        inside, beyond = super().groups(wanted, reach), self._end.beyond
        upper = self._end.upper
        return grid_groups(
            np.append(inside.starts, self._points if upper else -beyond),
            np.append(inside.sizes, beyond),
            np.append(inside.bounds, self._score_beyond()),
            np.append(inside.exact, True),
            self,
        )

    def _score_beyond(self) -> int:
        above = self._unit * self._sample.count - self._rank
        return -max(above if self._end.upper else self._rank, 0)


@dataclass(frozen=True)
class IntervalKind:
    """What the interval of a quantile is to cover, which all is public.

    `population`: it holds for the population that units are a sample of. `doubt`: how often it may miss.
    """

    population: bool = False
    doubt: Fraction = Fraction(1, 20)

    def ends(
        self, q: Fraction, epsilon: Fraction, most: int, points: int, roundings: Roundings = ((), ())
    ) -> tuple[End, End]:
        """Return both ends. Input: the epsilon of the quantile and its interval together."""
        share = epsilon / PARTS
        lower, upper = (
            End(q, upper, share, most, points, self.doubt, self.population, roundings[upper])
            for upper in (False, True)
        )
        return lower, upper
