"""Quantiles of groups, computed in at most two passes over the rows, for any grid.

On a fine grid the first pass counts each group's values in bins. They tell between which points the ranks
near the quantile lie, and the second pass counts only these, for all groups together. So Python holds bins,
and the values of about as many units as the noise may be off by, but never all values.
Both passes count the same values by the same public SQL. The positions of the windows are private: they are
sent to the engine as rows that the second pass joins, never as text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from dpduck.kernel.accounting.events import QuantileInterval
from dpduck.kernel.arrow.arrays import array_of, texts_of
from dpduck.kernel.arrow.columns import scores_of
from dpduck.kernel.engine import ScoreReader
from dpduck.kernel.errors import InternalError
from dpduck.kernel.mechanisms.extremes import ExtremePoint
from dpduck.kernel.mechanisms.many_quantiles import GridPoints, Part, PartOf, levels_of, quantiles
from dpduck.kernel.mechanisms.quantile import GridPoint, Sample, ValueCounts, Window, quantile, ranks_near
from dpduck.kernel.mechanisms.quantile_intervals import PARTS
from dpduck.kernel.noise import Entropy
from dpduck.kernel.plan.aggregates import Quantile, Quantiles
from dpduck.kernel.plan.grid_sql import around
from dpduck.kernel.plan.model import Measure, Passes
from dpduck.kernel.tree.relations import SelectQuery

Integers = NDArray[np.int64]


def first_pass(measure: Measure, reader: ScoreReader) -> SelectQuery:
    """The first or only pass of a measure; the rows that both passes read are materialized first."""
    if measure.passes is None:
        return measure.scores
    if measure.passes.held is not None:
        reader.hold(measure.passes.held)
    return measure.passes.bins


def choose_quantiles(
    measure: Measure,
    request: Quantile,
    counts: pa.Table,
    groups: Sequence[Integers],
    reader: ScoreReader,
    entropy: Entropy,
) -> list[GridPoint]:
    """Select a grid point for each group.

    Privacy: one unit has a weight of at most `request.most` parts in each of at most
        `measure.groups` groups, and epsilon is divided among these.
    Input: the result of the first pass, and which of its rows belong to each group.
    Errors: those of the engine.
    """
    epsilon = measure.epsilon / (measure.groups * request.most)
    points, name = request.grid.size, request.key.name
    samples: Sequence[Sample]
    if measure.passes is None:
        numbers, units = _integers(counts, name), _integers(counts, "score")
        samples = [ValueCounts(numbers[rows], units[rows]) for rows in groups]
    else:
        binned = _Binned.of(measure.passes, request, counts, groups)
        ranks = [ranks_near(one.count, points, request.quantile, epsilon) for one in binned.bins]
        samples = binned.near(list(enumerate(ranks)), reader)
    return [quantile(sample, points, request.quantile, epsilon, entropy) for sample in samples]


def choose_extremes(
    measure: Measure,
    request: Quantile,
    counts: pa.Table,
    groups: Sequence[Integers],
    reader: ScoreReader,
    entropy: Entropy,
) -> list[ExtremePoint]:
    """Select a grid point for the least or largest value of each group.

    Privacy, input and errors: as of `choose_quantiles`.
    """
    extreme = request.extreme_of(measure.epsilon / measure.groups)
    samples: Sequence[Sample]
    if measure.passes is None:
        numbers, units = _integers(counts, request.key.name), _integers(counts, "score")
        samples = [ValueCounts(numbers[rows], units[rows]) for rows in groups]
    else:
        binned = _Binned.of(measure.passes, request, counts, groups)
        ranks = [extreme.ranks_near(one.count) for one in binned.bins]
        samples = binned.near(list(enumerate(ranks)), reader)
    return [extreme.select(sample, entropy) for sample in samples]


def choose_intervals(
    measure: Measure,
    request: Quantile,
    counts: pa.Table,
    groups: Sequence[Integers],
    reader: ScoreReader,
    entropy: Entropy,
) -> IntervalPoints:
    """Select a grid point for the quantile of each group, and two for the ends of its interval.

    An end that noise moved beyond the quantile is the quantile itself: that only makes intervals wider.
    Privacy, input and errors: as of `choose_quantiles`; see `mechanisms.quantile_intervals` for the ends. The
    second pass asks for three windows of each group.
    """
    share = measure.epsilon / measure.groups
    points, name, q = request.grid.size, request.key.name, request.quantile
    own, ends = share / (PARTS * request.most), request.ends(share)
    samples: Sequence[Sample]
    if measure.passes is None:
        numbers, units = _integers(counts, name), _integers(counts, "score")
        samples = [ValueCounts(numbers[rows], units[rows]) for rows in groups for _ in range(PARTS)]
    else:
        binned = _Binned.of(measure.passes, request, counts, groups)
        windows = [
            (group, window)
            for group, one in enumerate(binned.bins)
            for window in (
                ranks_near(one.count, points, q, own),
                *(end.ranks_near(one.count) for end in ends),
            )
        ]
        samples = binned.near(windows, reader)
    middles = [quantile(sample, points, q, own, entropy).offset for sample in samples[::PARTS]]
    lows, highs = (
        [end.select(sample, entropy) for sample in samples[place::PARTS]] for place, end in enumerate(ends, 1)
    )
    lows = [min(pair) for pair in zip(lows, middles, strict=True)]
    highs = [max(pair) for pair in zip(highs, middles, strict=True)]
    return IntervalPoints(lows, middles, highs, QuantileInterval(own * request.most * PARTS))


@dataclass(frozen=True)
class IntervalPoints:
    """A release: for each group the indices of three grid points, which ascend."""

    lows: list[int]
    middles: list[int]
    highs: list[int]
    event: QuantileInterval


def choose_many(
    measure: Measure,
    request: Quantiles,
    counts: pa.Table,
    groups: Sequence[Integers],
    reader: ScoreReader,
    entropy: Entropy,
) -> GridPoints:
    """Select grid points for several quantiles of each group, level by level, with one query for each level.

    Privacy, input and errors: as of `choose_quantiles`. How many parts of how many groups a query asks for
    depends on the number of quantiles and groups alone, but for groups and parts without values.
    """
    if measure.passes is None:
        raise InternalError("quantiles are read in bins first")
    epsilon = measure.epsilon / (measure.groups * request.of.most)
    points, level = request.of.grid.size * request.places, epsilon / levels_of(len(request.shares))
    binned = _Binned.of(measure.passes, request.of, counts, groups, request.places)

    def read(parts: Sequence[Part]) -> list[Sample]:
        wanted = []
        for part in parts:
            first, last = ranks_near(part.count, part.points, part.share(request.shares), level)
            inside = max(first, 0) + part.first, min(last, part.count - 1) + part.first
            wanted.append((part.group, inside if part.count else None))
        return [PartOf(sample, part) for sample, part in zip(binned.near(wanted, reader), parts, strict=True)]

    every = [one.count for one in binned.bins]
    return quantiles(read, every, points, request.shares, epsilon, entropy)


@dataclass(frozen=True, repr=False)
class _Bins:
    """The values of a group by bin: indices of bins, ascending, with their units."""

    numbers: Integers
    units: Integers
    width: int

    @property
    def count(self) -> int:
        return int(self.units.sum())

    def below(self, offset: int) -> int:
        """The number of units in bins below that of an offset."""
        return int(self.units[: np.searchsorted(self.numbers, offset // self.width)].sum())

    def holds(self, offset: int) -> bool:
        """Whether the bin of an offset has values and begins below it."""
        number, rest = divmod(offset, self.width)
        return rest > 0 and bool(np.isin(number, self.numbers))

    def part(self, first: int, last: int) -> _Part:
        """The bins that hold the ranks `first` to `last`. Input: there is at least one unit.

        Ranks beyond all units, which ends of intervals may ask for, are the nearest, as in `RankScores`.
        """
        upto = np.cumsum(self.units)
        first, last = (min(max(rank, 0), self.count - 1) for rank in (first, last))
        start, end = (int(i) for i in np.searchsorted(upto, (first, last), side="right"))
        below = int(upto[start] - self.units[start])
        low, high = int(self.numbers[start]), int(self.numbers[end])
        return _Part(low * self.width, (high + 1) * self.width - 1, first - below, last - below, below)


@dataclass(frozen=True, repr=False)
class _Part:
    """Grid points `low` to `high`; the wanted ranks among their values; and the units below `low`."""

    low: int
    high: int
    first: int
    last: int
    below: int


Ranks = tuple[int, int]


@dataclass(frozen=True, repr=False)
class _Binned:
    """The values of all groups by bin, and what asks for those near ranks. `keys`: of the groups with values.

    `places`: into how many places each grid point is divided.
    """

    passes: Passes
    request: Quantile
    places: int
    bins: Sequence[_Bins]
    keys: pa.Table

    @classmethod
    def of(
        cls,
        passes: Passes,
        request: Quantile,
        counts: pa.Table,
        groups: Sequence[Integers],
        places: int = 1,
    ) -> _Binned:
        name = request.key.name
        numbers, units = _integers(counts, name), _integers(counts, "score")
        groups = [rows[np.argsort(numbers[rows])] for rows in groups]
        bins = [_Bins(numbers[rows], units[rows], passes.width) for rows in groups]
        keys = counts.drop_columns([name, "score"]).take(
            array_of(np.array([rows[0] for rows in groups if len(rows)], np.int64))
        )
        return cls(passes, request, places, bins, keys)

    def near(self, wanted: Sequence[tuple[int, Ranks | None]], reader: ScoreReader) -> list[Sample]:
        """The second pass: each group's values at ranks of it, once or several times. Without ranks: none.

        Empty groups have no values, and no keys.
        """
        filled = np.cumsum([one.count > 0 for one in self.bins]) - 1  # the row of each group's key
        asked = [
            (place, group, self.bins[group].part(*ranks))
            for place, (group, ranks) in enumerate(wanted)
            if ranks is not None and self.bins[group].count
        ]
        parts = [part for _, _, part in asked]
        keys = self.keys.take(array_of(np.array([filled[group] for _, group, _ in asked], np.int64)))
        found = reader.read(self.passes.points, self._given(keys, parts))
        columns = [_integers(found, column) for column in ("value", "score", "upto")]
        samples: list[Sample] = [ValueCounts(*_NOTHING) for _ in wanted]
        order = np.lexsort((columns[0], _integers(found, "place")))
        ends = np.searchsorted(_integers(found, "place")[order], np.arange(len(parts) + 1))
        for i, (place, group, part) in enumerate(asked):
            offsets, units, upto = (column[order[ends[i] : ends[i + 1]]] for column in columns)
            below = part.below + int(upto[0] - units[0])
            count = self._counting(group, keys.slice(i, 1), reader)
            points = self.request.grid.size * self.places
            samples[place] = _BinnedSample(
                self.bins[group], points, offsets, units, below, count, partial(self._at, group, reader)
            )
        return samples

    def _at(self, group: int, reader: ScoreReader, ranks: Ranks) -> Sample:
        """A group's values at ranks that were not asked for at first."""
        return self.near([(group, ranks)], reader)[0]

    def _counting(self, group: int, key: pa.Table, reader: ScoreReader) -> Callable[[int, int], int]:
        """What counts a group's values between two points."""

        def count(low: int, high: int) -> int:
            every = _Part(low, high, 0, self.bins[group].count, 0)
            return int(_integers(reader.read(self.passes.points, self._given(key, [every])), "score").sum())

        return count

    def _given(self, keys: pa.Table, parts: Sequence[_Part]) -> pa.Table:
        """The windows as rows; see `Passes`."""
        columns = {f"k{i}": column for i, column in enumerate(keys.columns)}
        columns["place"] = array_of(np.arange(len(parts), dtype=np.int64))
        for end in ("low", "high", "first", "last"):
            columns[end] = array_of(np.array([getattr(part, end) for part in parts], np.int64))
        low, high = (min(part.low for part in parts), max(part.high for part in parts)) if parts else (0, 0)
        grid, kind = self.request.grid, self.request.value.type
        ends = around(low // self.places, high // self.places, grid, kind)
        for name, end in zip(("since", "until"), ends, strict=True):
            columns[name] = texts_of([end] * len(parts))
        return pa.table(columns)


_NOTHING = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)


class _BinnedSample(Sample):
    """Values known individually within a window of ranks, and by bin outside it.

    `count_between` counts values between two points outside the window, `at_ranks` reads other ranks. They
    are called with a probability of about e^-40, when the noise reaches that far.
    """

    def __init__(
        self,
        bins: _Bins,
        points: int,
        offsets: Integers,
        units: Integers,
        below: int,
        count_between: Callable[[int, int], int],
        at_ranks: Callable[[Ranks], Sample],
    ) -> None:
        self._bins, self._count = bins, bins.count
        self._count_between, self._at_ranks = count_between, at_ranks
        above = self._count - below - int(units.sum())
        low = 0 if below == 0 else int(offsets[0])
        high = points - 1 if above == 0 else int(offsets[-1])
        self._window = Window(low, high, offsets, units, below)

    @property
    def count(self) -> int:
        return self._count

    def window(self, first: int, last: int) -> Window:
        window = self._window
        inside = window.below + int(window.units.sum())
        if window.below > max(first, 0) or inside <= min(last, self._count - 1):
            return self._at_ranks((first, last)).window(first, last)
        return window

    def below(self, offset: int) -> int:
        window = self._window
        if window.low <= offset <= window.high + 1:
            return window.below + int(window.units[window.offsets < offset].sum())
        below = self._bins.below(offset)
        if not self._bins.holds(offset):
            return below
        return below + self._count_between(offset - offset % self._bins.width, offset - 1)


def _integers(table: pa.Table, name: str) -> Integers:
    return scores_of(table.column(name).combine_chunks(), name)
