"""The measures: each aggregate has one mechanism, and gives each group a number."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import assert_never

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from dpduck.kernel.accounting.events import Event, PermuteAndFlip
from dpduck.kernel.arrow.arrays import array_of
from dpduck.kernel.arrow.columns import scores_of, tick_integers
from dpduck.kernel.arrow.outward import outward
from dpduck.kernel.catalog.types import parse_type
from dpduck.kernel.engine import ScoreReader
from dpduck.kernel.errors import InternalError
from dpduck.kernel.mechanisms.additive import noisy_counts
from dpduck.kernel.mechanisms.averages import noisy_means
from dpduck.kernel.mechanisms.chosen_groups import LeveledCounts, noisy_bounded_counts
from dpduck.kernel.mechanisms.clamped_sums import noisy_clamped_sums
from dpduck.kernel.mechanisms.deviations import estimates
from dpduck.kernel.mechanisms.distinct_values import noisy_distinct
from dpduck.kernel.mechanisms.gaussian import gaussian_counts, gaussian_sums
from dpduck.kernel.mechanisms.moments import noisy_weights
from dpduck.kernel.mechanisms.populations import sampling_of
from dpduck.kernel.mechanisms.private_topk import private_top_k
from dpduck.kernel.mechanisms.proportions import score_intervals
from dpduck.kernel.mechanisms.selection import permute_and_flip_with_gap
from dpduck.kernel.mechanisms.sums import noisy_sums
from dpduck.kernel.noise import Entropy
from dpduck.kernel.plan import aggregates
from dpduck.kernel.plan.cost import bound_of, measure_error, noise_of_clamp, spans_of, variances_of
from dpduck.kernel.plan.cost import places_of as places_in
from dpduck.kernel.plan.keys import KeySpace
from dpduck.kernel.plan.materialized_scores import of_given
from dpduck.kernel.plan.model import EveryKey, Levels, Measure, Plan
from dpduck.kernel.plan.prices import epsilon_of_noise, measure_event, own_event
from dpduck.kernel.release.candidates import Candidates, ListedGroups, key_columns, of_candidates
from dpduck.kernel.release.claims import claimed
from dpduck.kernel.release.domain_keys import places_of
from dpduck.kernel.release.leveled_totals import totals_of
from dpduck.kernel.release.levels import noisy_groups
from dpduck.kernel.release.quantiles import (
    choose_extremes,
    choose_intervals,
    choose_many,
    choose_quantiles,
    first_pass,
)
from dpduck.kernel.release.release import Release
from dpduck.kernel.release.rounding import rounded_to_noise
from dpduck.kernel.release.shown import Shown

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, repr=False)
class _Scores:
    """The result of score SQL for a measure of the groups shown. `owners`: each row's group, by index."""

    table: pa.Table
    size: int
    owners: Integers

    @classmethod
    def read(cls, measure: Measure, plan: Plan, groups: Shown, reader: ScoreReader) -> _Scores:
        query = first_pass(measure, reader)
        if not plan.keys:
            table = reader.read(query)
            return cls(table, 1, np.zeros(table.num_rows, dtype=np.int64))
        if isinstance(plan.selection, EveryKey):
            table = of_candidates(plan.space, reader.read(query))
            return cls(table, groups.size, places_of(plan.space, key_columns(plan.keys, table)))
        names = [*(f"k{i}" for i in range(len(plan.keys))), "number"]
        given = pa.table([*groups.columns, array_of(np.arange(groups.size))], names)
        table = reader.read(of_given(plan.keys, query), given)
        owners = scores_of(table.column(0).combine_chunks(), "number")
        return cls(table.remove_column(0), groups.size, owners)

    def one_each(self, column: str) -> list[int]:
        """A column of integers (or decimals, in units of their last place), one for each group, else 0."""
        numbers = [0] * self.size
        values = tick_integers(self.table.column(column).combine_chunks())
        for owner, value in zip(self.owners.tolist(), values, strict=True):
            numbers[owner] = value
        return numbers

    def integers(self, column: str) -> Integers:
        """A column of whole numbers of 64 bits, one for each row."""
        return scores_of(self.table.column(column).combine_chunks(), column)

    @property
    def counts(self) -> Integers:
        """The column `score`, one for each group, else 0."""
        counts = np.zeros(self.size, dtype=np.int64)
        counts[self.owners] = self.integers("score")
        return counts

    @property
    def rows(self) -> list[Integers]:
        """The rows of each group."""
        order = np.argsort(self.owners, kind="stable")
        ends = np.searchsorted(self.owners[order], np.arange(self.size + 1))
        return [order[ends[i] : ends[i + 1]] for i in range(self.size)]


def measure_groups(
    measure: Measure, plan: Plan, groups: Shown, reader: ScoreReader, entropy: Entropy, made: Release
) -> None:
    """Run the measure's mechanism on each group, and add its numbers to the release."""
    scores = _Scores.read(measure, plan, groups, reader)
    if isinstance(measure.request, aggregates.ClampedSum):
        _clamped_sum(measure, measure.request, scores, entropy, made)
    elif measure.gaussian is not None:
        _gaussian(measure, scores, entropy, made)
    elif measure.levels is not None:
        _on_levels(measure, measure.levels, scores, groups, entropy, made)
    else:
        _measure(measure, scores, reader, entropy, made)


def _measure(  # noqa: C901 (a case for each kind)
    measure: Measure, scores: _Scores, reader: ScoreReader, entropy: Entropy, made: Release
) -> None:
    """Run the mechanism that the aggregate has of its own."""
    match measure.request:
        case aggregates.Count(rows=rows):
            _count(measure, scores, rows or 1, entropy, made)
        case aggregates.ChosenCount() as request:
            _count_in_few(measure, request, scores, entropy, made)
        case aggregates.Distinct(values=values):
            _count(measure, scores, values, entropy, made)
        case aggregates.ChosenDistinct() as request:
            _distinct(measure, request, scores, entropy, made)
        case aggregates.Sum() as request:
            _sum(measure, request, scores, entropy, made)
        case aggregates.Mean() as request:
            _mean(measure, request, scores, entropy, made)
        case aggregates.Moments() as request:
            _moments(measure, request, scores, entropy, made)
        case aggregates.Quantile() as request:
            _quantile(measure, request, scores, reader, entropy, made)
        case aggregates.Quantiles() as request:
            _quantiles(measure, request, scores, reader, entropy, made)
        case aggregates.Mode() as request:
            _mode(measure, request, scores, entropy, made)
        case aggregates.ClampedSum():
            raise InternalError("a sum with a private clamp has two parts")
        case _:
            assert_never(measure.request)


def _gaussian(measure: Measure, scores: _Scores, entropy: Entropy, made: Release) -> None:
    """Add Gaussian noise. The event is that of all such measures together, which `release` adds."""
    variances = variances_of(measure)
    if isinstance(measure.request, aggregates.Sum):
        sums = gaussian_sums(scores.one_each("score"), variances, entropy)
        _put_sums(measure.request, sums, variances.half_width(), made)
    else:
        counts = gaussian_counts(scores.counts, variances, entropy)
        _put_counts(measure, counts, variances.half_width(), made)


def _on_levels(
    measure: Measure, levels: Levels, scores: _Scores, groups: Shown, entropy: Entropy, made: Release
) -> None:
    """Measure totals on levels. Groups are those that fit all of them best."""
    request, bound = measure.request, bound_of(measure.request)
    assert bound is not None
    numbers, event = noisy_groups(
        scores.one_each("score"),
        groups.columns,
        levels,
        measure.epsilon,
        entropy,
        bound=bound,
        groups=measure.groups,
    )
    _charge(measure, [event], 1, made)
    width = math.ceil((measure_error(measure) or 0.0) * 10 ** places_in(request))
    if isinstance(request, aggregates.Sum):
        _put_sums(request, numbers, width, made)
    else:
        _put_counts(measure, np.array(numbers, dtype=np.int64), width, made)
    if not levels.has_groups:  # what is released of them are the totals
        made.columns[f"{request.column}_low"] = made.columns[f"{request.column}_high"] = pa.nulls(groups.size)


def _put_counts(measure: Measure, counts: Integers, half_width: int, made: Release) -> None:
    name, request = measure.request.column, measure.request
    made.put_counts(name, counts, half_width)
    of = request.of if isinstance(request, aggregates.ChosenCount) else request
    if isinstance(of, aggregates.Count) and of.is_unsigned:
        made.columns[name] = np.clip(counts, 0, 2**32 - 1)


def _count(measure: Measure, scores: _Scores, most: int, entropy: Entropy, made: Release) -> None:
    noisy = noisy_counts(scores.counts, measure.epsilon, entropy, groups=measure.groups, rows=most)
    _charge(measure, [noisy.event], 1, made)
    _put_counts(measure, noisy.counts, noisy.half_width, made)


def _count_in_few(
    measure: Measure, request: aggregates.ChosenCount, scores: _Scores, entropy: Entropy, made: Release
) -> None:
    """Count each unit in a few of its groups. How many are chosen is released for all groups alike."""
    numbers = (scores.integers(name) for name in (request.level.name, "score0", "score1"))
    leveled = LeveledCounts(scores.size, scores.owners, *numbers)
    noisy = noisy_bounded_counts(leveled, request.ladder, measure.epsilon, entropy, rows=request.rows)
    _charge(measure, [noisy.event], 1, made)
    _put_counts(measure, noisy.counts, noisy.half_width, made)
    made.columns[request.chosen] = np.full(scores.size, noisy.most, dtype=np.int64)


def _distinct(
    measure: Measure, request: aggregates.ChosenDistinct, scores: _Scores, entropy: Entropy, made: Release
) -> None:
    counts = (_claimed if request.claims else _ranked)(request, scores)
    noisy = noisy_distinct(counts, request.levels, measure.epsilon, entropy, groups=measure.groups)
    _charge(measure, [noisy.event], 1, made)
    width = float(noisy.below)
    lows, highs = noisy.counts - width, noisy.counts + width  # no upper end is known: see `presentation`
    if request.size is not None:
        lows, highs = np.minimum(lows, request.size), np.full(scores.size, float(request.size))
    made.put(request.column, noisy.counts, lows, highs)
    made.columns[request.chosen] = np.full(scores.size, noisy.most, dtype=np.int64)


def _ranked(request: aggregates.ChosenDistinct, scores: _Scores) -> Integers:
    """How many values each group has at each level, where each unit ranks its own."""
    added = np.zeros((scores.size, len(request.levels)), dtype=np.int64)
    added[scores.owners, scores.integers(request.level.name)] = scores.integers("score")
    return added.cumsum(axis=1)


def _claimed(request: aggregates.ChosenDistinct, scores: _Scores) -> Integers:
    """How many values each group has at each level, where units claim them in turns."""
    columns = [scores.integers(f"score{i}") for i in range(3)]
    return claimed(request, scores.owners, columns, scores.size)


def _sum(measure: Measure, request: aggregates.Sum, scores: _Scores, entropy: Entropy, made: Release) -> None:
    totals = scores.one_each("score")
    bound = max(request.bound, 1)
    noisy = noisy_sums(totals, measure.epsilon, entropy, bound=bound, groups=measure.groups)
    made.add(noisy.event)
    _put_sums(request, noisy.sums, noisy.half_width, made)


def _clamped_sum(
    measure: Measure, request: aggregates.ClampedSum, scores: _Scores, entropy: Entropy, made: Release
) -> None:
    totals = totals_of(scores.size, scores.owners, scores.table, request)
    epsilon = measure.epsilon - epsilon_of_noise(measure)
    noisy = noisy_clamped_sums(totals, request.steps, epsilon, noise_of_clamp(measure), entropy)
    if noisy.event != own_event(measure):
        raise InternalError("a mechanism spent another share than the plan's")
    made.add(noisy.event)
    _put_sums(request, noisy.sums, noisy.half_width, made)
    clamp = float(Fraction(noisy.clamp, 10**request.scale))
    made.columns[request.chosen] = np.full(scores.size, clamp)


def _put_sums(
    request: aggregates.Sum | aggregates.ClampedSum, sums: Sequence[int], half_width: int, made: Release
) -> None:
    """Release sums in ticks, of whose noise the half-width is in ticks too."""
    unit = Fraction(1, 10**request.scale)
    whole = parse_type(request.type).kind != "float"
    values = [_number(ticks, request.scale) if whole else float(ticks * unit) for ticks in sums]
    lows = [outward(ticks - half_width, -math.inf, unit) for ticks in sums]
    highs = [outward(ticks + half_width, math.inf, unit) for ticks in sums]
    made.put(request.column, values, lows, highs)


def _number(ticks: int, scale: int) -> object:
    if scale == 0:
        return ticks
    return Decimal((int(ticks < 0), tuple(map(int, str(abs(ticks)))), -scale))


def _mean(
    measure: Measure, request: aggregates.Mean, scores: _Scores, entropy: Entropy, made: Release
) -> None:
    high = scores.one_each("score")
    units = scores.one_each("units")
    noisy = noisy_means(
        high,
        units,
        measure.epsilon,
        entropy,
        ticks=request.ticks,
        rows=request.rows or 1,
        groups=measure.groups,
    )
    made.add(noisy.event)
    low, width = request.low, request.high - request.low
    ends = (noisy.lows, noisy.highs)
    if request.population:
        failures = [number - high for number, high in zip(noisy.counts, noisy.sums, strict=True)]
        scale = float(measure.groups * (request.rows or 1) / measure.epsilon)
        intervals = score_intervals(noisy.sums, failures, scale, request.rows or 1, noisy.doubt)
        shares = [float(share) for share in noisy.shares]
        ends = np.minimum(intervals[0], shares).tolist(), np.maximum(intervals[1], shares).tolist()
    lows, highs = ([float(low) + float(width) * share for share in shares] for shares in ends)
    values = [float(low + width * share) for share in noisy.shares]
    numbers = rounded_to_noise(values, lows, highs)
    made.put(request.column, *(np.clip(number, float(low), float(request.high)) for number in numbers))
    numbers_of_values = np.array(noisy.counts, dtype=np.float64)
    made.columns[request.values_low] = numbers_of_values - noisy.count_half_width
    if request.adds_up:
        made.columns[request.values] = numbers_of_values
        sums = np.array(noisy.sums, dtype=np.float64)
        made.columns[request.total] = float(low) * numbers_of_values + float(width) * sums


def _moments(
    measure: Measure, request: aggregates.Moments, scores: _Scores, entropy: Entropy, made: Release
) -> None:
    noisy = noisy_weights(
        [scores.one_each(f"score{place}") for place in range(request.weights)],
        measure.epsilon,
        entropy,
        whole=request.whole,
        rows=request.rows or 1,
        groups=measure.groups,
    )
    made.add(noisy.event)
    sampling = sampling_of(request.statistic, request.rows or 1) if request.population else None
    found = estimates(request.statistic, noisy.sums, noisy.scale, spans_of(request), sampling)
    numbers = rounded_to_noise(found.values, found.lows, found.highs)
    least, most = -math.inf, math.inf
    if request.statistic == "avg":
        least, most = (float(end) for end in (request.axes[0].low, request.axes[0].high))
    made.put(request.column, *(_known(np.clip(number, least, most)) for number in numbers))
    made.columns[request.values_low] = found.values_low


def _known(numbers: Floats) -> list[float | None]:
    return [number if math.isfinite(number) else None for number in numbers.tolist()]


def _quantile(
    measure: Measure,
    request: aggregates.Quantile,
    scores: _Scores,
    reader: ScoreReader,
    entropy: Entropy,
    made: Release,
) -> None:
    # One unit is in at most `groups` samples, with a weight of at most `most` parts in each.
    times = measure.groups * request.most
    if request.extreme:
        extremes = choose_extremes(measure, request, scores.table, scores.rows, reader, entropy)
        _charge(measure, [choice.event for choice in extremes], times, made)
        _put_extremes(request, [choice.offset for choice in extremes], made)
        return
    if request.interval is not None:
        found = choose_intervals(measure, request, scores.table, scores.rows, reader, entropy)
        _charge(measure, [found.event], measure.groups, made)
        # The value of an upper end may be anywhere up to the next point.
        next_up = int(request.rounds_down)
        highs = [min(offset + next_up, request.grid.size - 1) for offset in found.highs]
        for end, offsets in (("", found.middles), ("_low", found.lows), ("_high", highs)):
            made.columns[f"{request.column}{end}"] = [request.grid.value(offset) for offset in offsets]
        return
    chosen = choose_quantiles(measure, request, scores.table, scores.rows, reader, entropy)
    _charge(measure, [choice.event for choice in chosen], times, made)
    made.columns[request.column] = [request.grid.value(choice.offset) for choice in chosen]


def _put_extremes(request: aggregates.Quantile, offsets: Sequence[int], made: Release) -> None:
    """Release extremes. Somebody is there or beyond, so the true one is between that and an end of the range.

    A value counts as the point below it, so that the least one may be anywhere up to the next.
    """
    grid, upper = request.grid, request.quantile == 1
    made.columns[request.column] = [grid.value(offset) for offset in offsets]
    if request.interval is None:
        return
    last, next_up = grid.size - 1, int(request.rounds_down)
    lows = offsets if upper else [0] * len(offsets)
    highs = [last] * len(offsets) if upper else [min(offset + next_up, last) for offset in offsets]
    for end, places in (("_low", lows), ("_high", highs)):
        made.columns[f"{request.column}{end}"] = [grid.value(place) for place in places]


def _quantiles(
    measure: Measure,
    request: aggregates.Quantiles,
    scores: _Scores,
    reader: ScoreReader,
    entropy: Entropy,
    made: Release,
) -> None:
    times = measure.groups * request.of.most
    chosen = choose_many(measure, request, scores.table, scores.rows, reader, entropy)
    _charge(measure, [chosen.event], times, made)
    for one in request.asked:
        place = request.shares.index(one.quantile)
        made.columns[one.column] = [
            one.grid.value(offsets[place] // request.places) for offsets in chosen.offsets
        ]


@dataclass(frozen=True)
class _Winner:
    """The most frequent value of a group, None if there is none, its gap to the next, and a p-value."""

    value: object
    gap: float | None
    p_value: float | None
    event: Event


def _mode(
    measure: Measure, request: aggregates.Mode, scores: _Scores, entropy: Entropy, made: Release
) -> None:
    values = scores.table.select([request.key.name, "score"])
    share = measure.epsilon / measure.groups
    chosen = [
        _most_frequent(request, values.take(array_of(rows)), share, measure.delta, entropy)
        for rows in scores.rows
    ]
    _charge(measure, [choice.event for choice in chosen], measure.groups, made)
    for end, name in (("", "value"), ("_gap", "gap"), ("_p_value", "p_value")):
        made.columns[f"{request.column}{end}"] = [getattr(choice, name) for choice in chosen]


def _most_frequent(
    request: aggregates.Mode,
    scores: pa.Table,
    epsilon: Fraction,
    delta: Fraction,
    entropy: Entropy,
) -> _Winner:
    """Select the most frequent value of one group, given its scores."""
    candidates = ListedGroups(KeySpace((request.key,)), scores)
    if request.key.domain is None:
        top = private_top_k(candidates.scores, 1, epsilon, delta, entropy, groups=None, measure=False)
        if not top.candidates:
            return _Winner(None, None, None, top.event)
        return _Winner(_value(candidates, top.candidates[0]), top.gaps[0], top.p_values[0], top.event)
    if candidates.scores.count == 1:
        return _Winner(_value(candidates, 0), None, None, PermuteAndFlip(epsilon))
    chosen = permute_and_flip_with_gap(candidates.scores, epsilon, entropy, monotonic=True)
    return _Winner(_value(candidates, chosen.candidate), chosen.gap, chosen.p_value, chosen.event)


def _value(candidates: Candidates, number: int) -> object:
    return candidates.keys([number])[0][0].as_py()


def _charge(measure: Measure, events: Sequence[Event], times: int, made: Release) -> None:
    """Add the measure's event, provided that its mechanism spent exactly that for a unit in `times` groups.

    A release whose events differ from those that were charged is never returned.
    """
    if any(event.epsilon * times != measure.epsilon or event.delta != measure.delta for event in events):
        raise InternalError("a mechanism spent another share than the plan's")
    made.add(measure_event(measure))
