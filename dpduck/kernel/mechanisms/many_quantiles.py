"""Several quantiles of one column, by recursion: the middle one first, then those on either side of it apart.

The values are split at each released point: below it, and at or above it. Values of a unit that are split are
in one part of each level, so that a level costs as much as one quantile, and k quantiles cost as much as
floor(log2 k) + 1 of them. What is released ascends with q.

Values that are equal have one place on the grid, and cannot be split: of a column with one value, a quantile
would have nothing on one side. So callers refine the grid: each point is divided into `places`, of which a
value has the one that a hash of its unit and itself says.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dpduck.kernel.accounting.events import ManyQuantiles
from dpduck.kernel.mechanisms.quantile import RankErrors, Sample, Window, quantile, rank_errors
from dpduck.kernel.noise import Entropy

PLACES = 1 << 16  # within a point, among which equal values are spread
_MOST_POINTS = 2**61
_NOTHING = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True)
class Part:
    """The values of a group from point `low` to below `end`, and which of its quantiles lie there.

    `points`: the candidates `low`, ..., `low + points - 1`. `since`, `until`: the shares of all values that
    are meant to lie below `low` and below `end`; `first`, `count`: how many do, and how many lie within.
    `wanted`: quantiles of the whole, ascending, by index.
    """

    group: int
    low: int
    end: int
    points: int
    since: Fraction
    until: Fraction
    first: int
    count: int
    wanted: range

    def share(self, shares: Sequence[Fraction]) -> Fraction:
        """The quantile of this part's values that the middle one of those wanted is."""
        return (shares[self.middle] - self.since) / (self.until - self.since)

    @property
    def middle(self) -> int:
        """The quantile that is released first, by index."""
        return self.wanted[len(self.wanted) // 2]

    def split(self, offset: int, below: int, share: Fraction) -> list[Part]:
        """The parts on either side of a released point, if quantiles are wanted there."""
        at = self.wanted.index(self.middle)
        low, high = self.wanted[:at], self.wanted[at + 1 :]
        last = self.low + self.points - 1
        parts = [
            Part(
                self.group,
                self.low,
                offset,
                offset - self.low + 1,
                self.since,
                share,
                self.first,
                below,
                low,
            ),
            Part(
                self.group,
                offset,
                self.end,
                last - offset + 1,
                share,
                self.until,
                self.first + below,
                self.count - below,
                high,
            ),
        ]
        return [part for part in parts if part.wanted]


Reader = Callable[[Sequence[Part]], Sequence[Sample]]


@dataclass(frozen=True)
class GridPoints:
    """A release: for each group the indices of grid points, one for each quantile, ascending."""

    offsets: list[list[int]]
    event: ManyQuantiles


def levels_of(number: int) -> int:
    """Into how many parts epsilon is divided for so many quantiles.

    >>> [levels_of(k) for k in (1, 2, 3, 4, 7, 8, 99)]
    [1, 2, 2, 3, 3, 4, 7]
    """
    return number.bit_length()


def places_of(points: int) -> int:
    """Into how many places each of so many points is divided."""
    return max(min(PLACES, _MOST_POINTS // points), 1)


def quantiles(
    read: Reader,
    counts: Sequence[int],
    points: int,
    shares: Sequence[Fraction],
    epsilon: Fraction,
    entropy: Entropy,
) -> GridPoints:
    """Select grid points near several quantiles of each group.

    Privacy: of each group epsilon-DP under adding or removing one unit whose values have weights that add
        up to at most 1, in units of the sample; one in g groups, or of weight w in each, costs w g times as
        much. Proof. By induction over the levels: given the points released so far, the parts of a level are
        disjoint intervals, fixed by those points alone. One unit with the weight w_j in part j moves each
        score of that part by at most w_j max(q_j, 1 - q_j) b_j, in the units of `quantile`, and none of other
        parts; there noise is drawn apart. So the probability of the point of part j changes by a factor of at
        most exp(w_j e) where e is the epsilon of a level: the proof of permute-and-flip is for noise of a
        fixed rate and any bound on the move. The factors of a level multiply to at most exp(e sum w_j) <=
        exp(e), whatever parts the unit's rows are in. Levels compose as e + ... + e = epsilon.
    Paper: Kaplan, Schnapp, Stemmer, ICML 2022, whose neighbours swap one value: there a level costs twice as
        much, since one part loses what another gets.
    Input: `read`: the samples of parts, with offsets from the part's `low`; it is called once for each level,
        and what it reads depends on released points and public facts alone. `counts`: the units of each
        group. `shares`: 0 < q < 1, strictly ascending.
    Output: offsets ascend with q in each group: those of a part are among its candidates, whose ends are
        released points. Without values they are uniformly random, between those released before.
    Errors: ParameterError before any draw, from `quantile`.
    """
    levels = levels_of(len(shares))
    offsets = [[0] * len(shares) for _ in counts]
    parts = [
        Part(group, 0, points, points, Fraction(0), Fraction(1), 0, count, range(len(shares)))
        for group, count in enumerate(counts)
    ]
    while parts:
        rest = []
        for part, sample in zip(parts, read(parts), strict=True):
            chosen = quantile(sample, part.points, part.share(shares), epsilon / levels, entropy)
            offset = part.low + chosen.offset
            offsets[part.group][part.middle] = offset
            rest += part.split(offset, sample.below(chosen.offset), shares[part.middle])
        parts = rest
    return GridPoints(offsets, ManyQuantiles(epsilon, levels=levels))


class PartOf(Sample):
    """The values of a part, of a sample that knows at least those near its quantile."""

    def __init__(self, sample: Sample, part: Part) -> None:
        self._sample, self._part = sample, part
        self._window: Window | None = None  # the last one, of which nothing need be looked up

    @property
    def count(self) -> int:
        return self._part.count

    def window(self, first: int, last: int) -> Window:
        part = self._part
        first, last = max(first, 0), min(last, part.count - 1)
        window = self._sample.window(part.first + first, part.first + last)
        inside = (window.offsets >= part.low) & (window.offsets < part.end)
        offsets, units = window.offsets[inside] - part.low, window.units[inside]
        below = window.below + int(window.units[window.offsets < part.low].sum()) - part.first
        low = 0 if below == 0 else window.low - part.low
        is_all = below + int(units.sum()) == part.count
        high = part.end - part.low if is_all else window.high - part.low
        self._window = Window(low, high, offsets, units, below)
        return self._window

    def below(self, offset: int) -> int:
        part, window = self._part, self._window
        if offset <= 0 or part.low + offset >= part.end:
            return part.count if offset > 0 else 0
        if window is not None and window.low <= offset <= window.high + 1:
            return window.below + int(window.units[window.offsets < offset].sum())
        return self._sample.below(part.low + offset) - part.first if part.count else 0


def errors_of_many(points: int, shares: Sequence[Fraction], epsilon: Fraction) -> dict[Fraction, RankErrors]:
    """Return for each quantile how far its rank may be off, as `quantile.rank_errors` does for one.

    A quantile of a part is off by its own error there, and by the errors of both ends of the part in
    proportion to how near they are: with R(low) and R(end) ranks of the ends, and q' its quantile there, its
    rank is (1 - q') R(low) + q' R(end) + its own error. Sure: own errors of all levels hold together with
    probability 95 %, and add up. Usual: they are independent.
    """
    levels = levels_of(len(shares))
    found: dict[Fraction, RankErrors] = {}

    def add(wanted: Sequence[Fraction], low: Fraction, high: Fraction) -> None:
        if not wanted:
            return
        middle = len(wanted) // 2
        share = (wanted[middle] - low) / (high - low)
        own = rank_errors(points, share, epsilon / levels, levels)
        ends = [(1 - float(share), found.get(low, _EXACT)), (float(share), found.get(high, _EXACT))]
        typical = math.hypot(own.typical, *(near * end.typical for near, end in ends))
        found[wanted[middle]] = RankErrors(typical, own.sure + sum(near * end.sure for near, end in ends))
        add(wanted[:middle], low, wanted[middle])
        add(wanted[middle + 1 :], wanted[middle], high)

    add(shares, Fraction(0), Fraction(1))
    return found


_EXACT = RankErrors(0.0, 0.0)
