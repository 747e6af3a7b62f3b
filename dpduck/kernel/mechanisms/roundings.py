"""Rounded values on fine grids: ends of intervals are selected among the multiples of usual numbers as well.

Values that are rounded lie on few points of a fine grid, each with millions of points without values beside
it, and noise selects a point for each time that it is there. So a gap would win against the value beside it,
which ranks far better. Here the multiples of 1, 5, 10, 50, ... are candidates, too, each as many times over
as points of the grid lie between it and the next, and more often for coarser numbers: where values are
rounded, the value weighs about as much as the gap beside it on all finer grids together.

For a lower end a multiple stands for the values from it to the next, and for an upper end for those above the
one before: for a cell of the grid, beyond which it never lies, whatever the values are. Its score is

    min(rank score of the cell, -penalty)

where the penalty grows with the values near the wanted rank that are no multiples: see `Penalty`. Where
values are not rounded, it is so large that no multiple has a chance; where all are, it is 0. Where a part of
them is rounded, cells as far from the wanted rank as the penalty are equally good, and an end may be off by
as much.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dpduck.kernel.mechanisms.quantile import GridGroups, RankScores, Sample, Window, ranks_within
from dpduck.kernel.scores import CandidateGroups, Member, Scores

Integers = NDArray[np.int64]

_NOTHING = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True)
class Rounding:
    """The multiples of a public number on a grid: multiple i is at the point (phase + i width) / parts.

    It need not be whole. `points`: of the grid. `slack`: by how many points the arithmetic of floats may move
    a multiple. `copies`: how many times over each multiple is a candidate. `upper`: for an upper end.
    Input: -width < phase <= 0 < width; points * parts below 2^62.

    >>> tens = Rounding(phase=-2, width=10, parts=1, points=30, slack=0, copies=20, upper=False)
    >>> tens.count, tens.cells(np.array([0, 7, 8, 29])).tolist(), [tens.point(i) for i in range(4)]
    (4, [0, 0, 1, 3], [0, 8, 18, 28])
    """

    phase: int
    width: int
    parts: int
    points: int
    slack: int
    copies: int
    upper: bool

    @cached_property
    def count(self) -> int:
        """The number of cells, which divide the grid among the multiples."""
        return int(self.cells(np.array([self.points - 1]))[0]) + 1

    @property
    def _shift(self) -> int:
        """How far after the multiple before, or the own one for a lower end, a cell begins."""
        return self.slack + 1 if self.upper else -self.slack

    def cells(self, offsets: Integers) -> Integers:
        """The cells that points are in."""
        at = offsets - self._shift
        return ((at + 1) * self.parts - 1 - self.phase) // self.width + int(self.upper)

    def starts(self, cells: Integers) -> Integers:
        """The first points of cells. That of the first cell may lie before the grid."""
        return (self.phase + (cells - int(self.upper)) * self.width) // self.parts + self._shift

    def has(self, offsets: Integers) -> NDArray[np.bool_]:
        """Which points are multiples, but for rounding, or ends of the grid, to which values are clamped."""
        cells = self.cells(offsets)
        off = self.starts(cells + 1) - 1 - offsets if self.upper else offsets - self.starts(cells)
        found: NDArray[np.bool_] = (off <= 2 * self.slack) | (offsets == 0) | (offsets == self.points - 1)
        return found

    def point(self, cell: int) -> int:
        """The point that is released for a cell: at its multiple, or beyond it if that is between points."""
        at = self.phase + cell * self.width
        return min(max(-(-at // self.parts) if self.upper else at // self.parts, 0), self.points - 1)


@dataclass(frozen=True)
class Penalty:
    """What values near a rank cost a rounding if they are no multiples.

    Of the parts of weight with ranks within r of the wanted one, those that are no multiples are counted; the
    penalty is `rate` times the mean of these counts for all r from 0 to `within`, rounded down, but `least`
    at least.

    Sensitivity. Add a part, at any rank, while the wanted rank T moves by 0 <= t <= 1 parts, and hold r. If
    the part is above the window [T - r, T + r], that moves by t over the others, and gains and loses at most
    t of them; if below, by 1 - t in the other direction. If the part is inside, the window holds others of
    the old window alone, and one less. If it is partly inside, with b of it, the window gains at most max(t,
    b), or loses as much. So no count changes by more than 1, nor does their mean. Where T moves by d more,
    each window gains and loses at most d. A unit with a weight of `most` parts changes the mean by most + d.

    Input: ranks in units of which `unit` are one part; `within` of at most 2^30 of them.
    """

    unit: int
    rank: int
    within: int
    rate: Fraction
    least: int

    def shares(self, window: Window) -> Integers:
        """How much each occupied point adds to the mean, if no multiple, in 1 / (2 unit within) parts.

        Twice the integral of max(0, within - |x|), where x are the distances of its ranks from the wanted
        one: so many of the windows hold them.
        """
        upto = window.below + np.cumsum(window.units)
        return self._until(upto) - self._until(upto - window.units)

    def _until(self, ranks: Integers) -> Integers:
        most = self.within
        at = np.clip(self.unit * ranks - self.rank, -most, most)
        return np.where(at < 0, (at + most) ** 2, 2 * most**2 - (most - at) ** 2)

    def of(self, share: int) -> int:
        """The penalty, of the shares of all that are no multiples."""
        mean = share * self.rate.numerator // (self.rate.denominator * 2 * self.within * self.unit)
        return max(mean, self.least)


class RoundedScores(Scores):
    """The scores of a grid's points, and of the multiples of several numbers on it."""

    def __init__(
        self, points: RankScores, sample: Sample, roundings: Sequence[Rounding], penalty: Penalty
    ) -> None:
        self._points, self._sample, self._roundings, self._penalty = points, sample, roundings, penalty

    @property
    def count(self) -> int:
        return self._points.count + sum(one.count * one.copies for one in self._roundings)

    def groups(self, wanted: int, reach: float) -> RoundedGroups:
        offsets, shares = self._near()
        costs = [self._penalty.of(int(shares[~one.has(offsets)].sum())) for one in self._roundings]
        cells = [self._of_cells(one).groups(wanted, reach) for one in self._roundings]
        return RoundedGroups.of(self._points.groups(wanted, reach), cells, costs, self._roundings)

    def _near(self) -> tuple[Integers, Integers]:
        """The occupied points near the wanted rank, and how much they count for the penalty."""
        if not self._sample.count:
            return _NOTHING, _NOTHING
        ranks = ranks_within(self._penalty.rank, self._penalty.unit, self._penalty.within)
        window = self._sample.window(*(min(max(rank, 0), self._sample.count - 1) for rank in ranks))
        return window.offsets, self._penalty.shares(window)

    def _of_cells(self, rounding: Rounding) -> RankScores:
        unit, rank = self._penalty.unit, self._penalty.rank
        return RankScores(_Cells(self._sample, rounding), rounding.count, unit=unit, rank=rank)


class _Cells(Sample):
    """The values by cell. What a window has of a cell at its edge is enough for the score of that cell.

    Fewer parts are below a window than the wanted rank, or none. So those of the first cell that are below it
    do not move its score, whether they are taken to be in the cell or below; nor do those above the window.
    """

    def __init__(self, sample: Sample, rounding: Rounding) -> None:
        self._sample, self._rounding = sample, rounding

    @property
    def count(self) -> int:
        return self._sample.count

    def window(self, first: int, last: int) -> Window:
        points = self._sample.window(first, last)
        cells, firsts = np.unique(self._rounding.cells(points.offsets), return_index=True)
        high = min(points.high, self._rounding.points - 1)
        low, high = (int(cell) for cell in self._rounding.cells(np.array([points.low, high])))
        return Window(low, high, cells, np.add.reduceat(points.units, firsts), points.below)

    def below(self, offset: int) -> int:
        start = int(self._rounding.starts(np.array([offset]))[0])
        return self._sample.below(min(max(start, 0), self._rounding.points))


@dataclass(frozen=True, repr=False, eq=False)
class RoundedGroups(CandidateGroups):
    """Groups of points, and after them those of the multiples of each number: part i from `firsts[i]` on."""

    parts: Sequence[GridGroups]
    penalties: Sequence[int]
    roundings: Sequence[Rounding]
    firsts: Integers

    @classmethod
    def of(
        cls,
        points: GridGroups,
        cells: Sequence[GridGroups],
        penalties: Sequence[int],
        roundings: Sequence[Rounding],
    ) -> RoundedGroups:
        parts = [points, *cells]
        bounds = [np.minimum(one.bounds, -cost) for one, cost in zip(cells, penalties, strict=True)]
        sizes = [one.sizes * many.copies for one, many in zip(cells, roundings, strict=True)]
        return cls(
            np.concatenate([points.bounds, *bounds]),
            np.concatenate([points.sizes, *sizes]),
            np.concatenate([one.exact for one in parts]),
            parts,
            penalties,
            roundings,
            np.cumsum([0, *(len(one.sizes) for one in parts[:-1])]),
        )

    def _place(self, member: Member) -> tuple[int, Member]:
        """The part that a member is in, and which of its members that is."""
        place = int(np.searchsorted(self.firsts, member.group, side="right")) - 1
        copies = self.roundings[place - 1].copies if place else 1
        return place, Member(member.group - int(self.firsts[place]), member.rank // copies)

    def _own_score(self, member: Member) -> int:
        place, own = self._place(member)
        score = self.parts[place].score(own)
        return min(score, -self.penalties[place - 1]) if place else score

    def candidates(self, members: Sequence[Member]) -> list[int]:
        """The points that are released for them."""
        found = []
        for member in members:
            place, own = self._place(member)
            [candidate] = self.parts[place].candidates([own])
            found.append(self.roundings[place - 1].point(candidate) if place else candidate)
        return found
