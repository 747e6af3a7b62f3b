"""Medians and quantiles on a public grid of any size, by permute-and-flip on rank scores.

With L, E, G the units below, at and above grid point x, the score of x for the median is
-max(0, L - E - G, G - E - L): minus the number of units that must come or go for x to be a median.
For the quantile a/b the two sides are weighted, in integers:

    u(x) = -max(0, (b - a) L - a (E + G), a G - (b - a) (E + L))

One unit with one value moves u by at most max(a, b - a). Between data values u is constant, so the time
depends on the number of distinct values near the quantile, not on the number of grid points.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpduck.kernel.accounting.events import PermuteAndFlip
from dpduck.kernel.errors import ParameterError
from dpduck.kernel.mechanisms.noisy_max import reach
from dpduck.kernel.mechanisms.selection import permute_and_flip, selection_rate
from dpduck.kernel.noise import Entropy
from dpduck.kernel.scores import CandidateGroups, Member, Scores

Integers = NDArray[np.int64]

_COARSE_BITS = 16  # a window is searched in 2^16 bins at a time
_FEW = 1 << 12  # at most this many values are sorted
_BLOCK = 1 << 18
_DOUBT = 0.05


@dataclass(frozen=True)
class GridPoint:
    """A release: the index of a grid point."""

    offset: int
    event: PermuteAndFlip


def quantile(sample: Sample, points: int, q: Fraction, epsilon: Fraction, entropy: Entropy) -> GridPoint:
    """Select a grid point near the q-quantile of one value per unit, in the units of the sample.

    Privacy: epsilon-DP under adding or removing one unit with one value: each score moves by at most
        max(a, b - a), in either direction, so the coin is exp(epsilon (u - max) / 2) in those units.
        With r values per unit, epsilon is r times larger. The same holds if a unit has r parts of a weight,
        which any number of values share: with a, b, c parts below, at and above x it moves L, E and G by
        these, so each score by at most (a + b + c) max(a, b - a).
    Paper: McKenna, Sheldon, NeurIPS 2020, Section 5; rank scores as in Smith, STOC 2011.
    Input: values as grid offsets in [0, points); 0 < q < 1.
    Output: the grid offset; for no values at all, a uniformly random one.
    Errors: ParameterError before any draw.
    """
    if not 0 < q < 1:
        raise ParameterError(f"quantile {q} is out of range", hint="Choose a quantile such as 0.5 or 0.95.")
    scores = QuantileScores(sample, points, q)
    winner = permute_and_flip(scores, epsilon, entropy, monotonic=False, sensitivity=_sensitivity(q))
    return GridPoint(winner.candidate, PermuteAndFlip(epsilon))


@dataclass(frozen=True)
class RankErrors:
    """How far the rank of a released point may be off with probability 95 %, in units of weight.

    `sure`: whatever the values are. `typical`: where each grid point near the quantile is as likely to be
    passed by a unit's value as the next, as where values lie close together.
    """

    typical: float
    sure: float


def rank_errors(points: int, q: Fraction, epsilon: Fraction, together: int = 1) -> RankErrors:
    """Return the errors of `quantile`, of which the point with score u is off by -u / b ranks.

    sure: with noise of rate r = epsilon / (2 max(q, 1 - q)) per rank, the best of N points is passed by one
        that is off by ln(N / 0.05) / r with probability at most 0.05 (union bound; McKenna, Sheldon 2020).
    typical: if ranks grow evenly along the grid, a point that is off by t ranks is chosen with a density of
        about e^(-r t) on either side, as by the exponential mechanism: Laplace noise of scale 1 / r.
    Input: `together`: so many sure errors hold together with that probability.
    """
    scale = 2 * float(max(q, 1 - q) / epsilon)
    return RankErrors(scale * math.log(1 / _DOUBT), scale * math.log(points * together / _DOUBT))


def ranks_near(units: int, points: int, q: Fraction, epsilon: Fraction) -> tuple[int, int]:
    """The first and last rank whose values `quantile` needs of a sample with that number of units."""
    within = reach(points, selection_rate(epsilon, _sensitivity(q), monotonic=False))
    return ranks_within(q.numerator * units, q.denominator, within)


def ranks_within(rank: int, unit: int, within: float) -> tuple[int, int]:
    """The ranks whose scores are at least -within. Input: the wanted rank, of which `unit` are one unit."""
    margin = int(min(within, 2.0**61)) + 1
    return (rank - margin) // unit, (rank + margin) // unit


def _sensitivity(q: Fraction) -> int:
    return max(q.numerator, q.denominator - q.numerator)


class Sample(ABC):
    """Values on the grid, one per unit, as the rank scores read them. Its repr shows no values."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}, hidden>"

    @property
    @abstractmethod
    def count(self) -> int:
        """The number of units."""

    @abstractmethod
    def window(self, first: int, last: int) -> Window:
        """Offsets with their numbers of units that include at least the units of ranks `first` to `last`."""

    @abstractmethod
    def below(self, offset: int) -> int:
        """The number of units below an offset."""


@dataclass(frozen=True, repr=False)
class Window:
    """The occupied offsets from `low` to `high`, ascending, with their units, and the units below `low`."""

    low: int
    high: int
    offsets: Integers
    units: Integers
    below: int


class Values(Sample):
    """One offset per unit, in any order. Input: offsets in [0, points).

    A window is found by counting the values in coarse bins between the minimum and the maximum, then in
    finer bins within that window, so that wide bounds or outliers cost little.
    """

    def __init__(self, offsets: Integers, points: int) -> None:
        self._offsets, self._points = offsets, points

    @property
    def count(self) -> int:
        return len(self._offsets)

    def window(self, first: int, last: int) -> Window:
        ends = [max(first, 0), min(last, self.count - 1)]
        values, low, size, below, shift = self._offsets, 0, self._points, 0, 64
        if len(values) > _FEW:
            low = int(values.min())
            size = int(values.max()) + 1 - low
        while len(values) > _FEW and _shift(size) < shift:
            shift = _shift(size)
            bins = _binned(values, low, ((size - 1) >> shift) + 1, shift)
            upto = below + np.cumsum(bins)
            start, end = (int(place) for place in np.searchsorted(upto, ends, side="right"))
            below = int(upto[start - 1]) if start else below
            low, size = low + (start << shift), (end + 1 - start) << shift
            if shift == 0:
                occupied = np.flatnonzero(bins[start : end + 1])
                return Window(low, low + size - 1, low + occupied, bins[start + occupied], below)
            values = _between(values, low, low + size)
        offsets, units = np.unique(values, return_counts=True)
        return Window(low, low + size - 1, offsets, units, below)

    def below(self, offset: int) -> int:
        return int(np.count_nonzero(self._offsets < offset))


class ValueCounts(Sample):
    """Distinct offsets with the number of units at each. Input: two vectors, in any order."""

    def __init__(self, offsets: Integers, units: Integers) -> None:
        order = np.argsort(offsets, kind="stable")
        self._offsets, self._units = offsets[order], units[order]
        self._upto = np.cumsum(self._units)

    @property
    def count(self) -> int:
        return int(self._upto[-1]) if len(self._upto) else 0

    def window(self, first: int, last: int) -> Window:
        low = int(np.searchsorted(self._upto, max(first, 0), side="right"))
        high = int(np.searchsorted(self._upto, min(last, self.count - 1), side="right"))
        part = slice(low, high + 1)
        offsets, below = self._offsets[part], int(self._upto[low] - self._units[low])
        return Window(int(offsets[0]), int(offsets[-1]), offsets, self._units[part], below)

    def below(self, offset: int) -> int:
        place = int(np.searchsorted(self._offsets, offset))
        return int(self._upto[place - 1]) if place else 0


def _shift(size: int) -> int:
    """How many low-order binary digits of an offset below `size` its coarse bin drops."""
    return max((size - 1).bit_length() - _COARSE_BITS, 0)


def _binned(values: Integers, low: int, bins: int, shift: int) -> Integers:
    """The number of values in each of `bins` bins of 2^shift offsets from `low`."""
    counts = np.zeros(bins, dtype=np.int64)
    for block in _blocks(values):
        counts += np.bincount((block - low) >> shift, minlength=bins)
    return counts


def _between(values: Integers, low: int, end: int) -> Integers:
    return np.concatenate([block[(block >= low) & (block < end)] for block in _blocks(values)])


def _blocks(values: Integers) -> Iterator[Integers]:
    """Slices of the values that fit the processor's caches."""
    return (values[start : start + _BLOCK] for start in range(0, len(values), _BLOCK))


class RankScores(Scores):
    """The scores of all grid points for one rank: exact near it, and upper bounds far from it.

    With `unit` u and the wanted `rank` T, in whole numbers of which u are one unit of the sample, a point
    with L units below it and E at it has the score -max(0, u L - T, T - u (L + E)).
    Input: a rank that is below 0, or above that of all units, is near no point.
    """

    def __init__(self, sample: Sample, points: int, *, unit: int, rank: int) -> None:
        if points < 1:
            raise ParameterError("the grid is empty", hint="Choose lo below hi.")
        self._sample, self._points, self._unit, self._rank = sample, points, unit, rank

    @property
    def count(self) -> int:
        return self._points

    def groups(self, wanted: int, reach: float) -> GridGroups:  # noqa: ARG002  the best score is 0
        n = self._sample.count
        if n == 0:
            return grid_groups([0], [self._points], [-abs(self._rank)], [True], self)
        ranks = (min(max(rank, 0), n - 1) for rank in ranks_within(self._rank, self._unit, reach))
        return self._windowed(self._sample.window(*ranks))

    def _windowed(self, window: Window) -> GridGroups:
        """The points inside the window and the gaps between them; one bounded group on either side of it."""
        high = min(window.high, self._points - 1)
        offsets, units = window.offsets, window.units
        below = window.below + np.cumsum(units) - units
        edges = np.concatenate((offsets, [high + 1]))
        starts = np.concatenate(([window.low], offsets + 1))
        gap_sizes = edges - starts
        gap_below = np.append(below, window.below + int(units.sum()))
        before, inside, rank = self._unit * window.below, self._unit * int(gap_below[-1]), self._rank
        return grid_groups(
            np.concatenate((offsets, starts, [0, high + 1])),
            np.concatenate((np.ones_like(offsets), gap_sizes, [window.low, self._points - 1 - high])),
            np.concatenate(
                (
                    self._scores(below, units),
                    self._scores(gap_below, np.zeros_like(gap_below)),
                    [min(0, before - rank, rank)],
                    [min(0, rank - inside, self._unit * self._sample.count - rank)],
                )
            ),
            np.concatenate((np.ones(2 * len(offsets) + 1, dtype=np.bool_), [False, False])),
            self,
        )

    def _scores(self, below: Integers, at: Integers) -> Integers:
        worst = np.maximum(self._unit * below - self._rank, self._rank - self._unit * (below + at))
        scores: Integers = -np.maximum(worst, 0)
        return scores

    def score_at(self, offset: int) -> int:
        """The score of one grid point."""
        below = self._sample.below(offset)
        at = self._sample.below(offset + 1) - below
        return int(self._scores(np.array([below]), np.array([at]))[0])


class QuantileScores(RankScores):
    """The rank scores of all grid points for a quantile: u = b and T = a n are those of the statement."""

    def __init__(self, sample: Sample, points: int, q: Fraction) -> None:
        check_denominator(sample.count, q, q.denominator)
        super().__init__(sample, points, unit=q.denominator, rank=q.numerator * sample.count)


def check_denominator(count: int, q: Fraction, unit: int) -> None:
    """Check that scores of so many units fit 64-bit integers. Errors: ParameterError."""
    if count * unit >= 2**62:
        raise ParameterError(f"quantile {q} has too many decimal places", hint="Write it as 0.95.")


@dataclass(frozen=True, repr=False, eq=False)
class GridGroups(CandidateGroups):
    """Groups of neighbouring grid points; group i starts at offset `starts[i]`."""

    starts: Integers
    scores: RankScores

    def _own_score(self, member: Member) -> int:
        return self.scores.score_at(int(self.starts[member.group]) + member.rank)

    def candidates(self, members: Sequence[Member]) -> list[int]:
        return [int(self.starts[member.group]) + member.rank for member in members]


def grid_groups(
    starts: Integers | list[int],
    sizes: Integers | list[int],
    bounds: Integers | list[int],
    exact: NDArray[np.bool_] | list[bool],
    scores: RankScores,
) -> GridGroups:
    occupied = np.array(sizes, dtype=np.int64) > 0
    return GridGroups(
        np.array(bounds, dtype=np.int64)[occupied],
        np.array(sizes, dtype=np.int64)[occupied],
        np.array(exact, dtype=np.bool_)[occupied],
        np.array(starts, dtype=np.int64)[occupied],
        scores,
    )
