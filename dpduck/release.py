"""Below the data line: scores in, released columns out. Each part of a plan has one mechanism.

The selection says which groups there are; every measure then gives each of them a number. A group
without scores counts as 0, so that nothing shows whether it has rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from dpduck.candidates import Candidates, Group, candidates_of
from dpduck.columns import scores_of, tick_integers
from dpduck.errors import InternalError
from dpduck.events import Composed, Event, PermuteAndFlip
from dpduck.grid import Grid
from dpduck.mechanisms.additive import noisy_counts, private_key_counts
from dpduck.mechanisms.averages import noisy_means
from dpduck.mechanisms.partitions import select_partitions
from dpduck.mechanisms.peeling import gumbel_top_k
from dpduck.mechanisms.private_topk import PrivateTop, private_top_k
from dpduck.mechanisms.quantile import ValueCounts, quantile
from dpduck.mechanisms.selection import permute_and_flip_with_gap
from dpduck.mechanisms.sums import noisy_sums
from dpduck.mechanisms.topk import top_k
from dpduck.mechanisms.topk_above import TopAbove, top_k_above
from dpduck.mechanisms.topk_counts import TopKCounts, top_k_counts
from dpduck.noise import Entropy
from dpduck.query import requests
from dpduck.query.plan import (
    RANK,
    EveryKey,
    FoundKeys,
    KeysAbove,
    LargestKeys,
    Measure,
    OneGroup,
    Plan,
)
from dpduck.query.price import measure_event
from dpduck.query.question import key_column
from dpduck.sqltypes import parse_type

Integers = NDArray[np.int64]
Read = Callable[[str], pa.Table]
Columns = dict[str, list[object]]


@dataclass
class Release:
    """What leaves: the released columns, by name, and the events of the mechanisms that made them."""

    columns: Columns = field(default_factory=dict)
    _events: list[Event] = field(default_factory=list)
    _used: list[Event] = field(default_factory=list)

    def add(self, event: Event, used: Event | None = None) -> None:
        """Note what a mechanism did, and what its release shows as used if that may be less."""
        self._events += _parts(event)
        self._used += _parts(used or event)

    @property
    def event(self) -> Event:
        """The release as one event."""
        return _one(self._events)

    @property
    def used(self) -> Event | None:
        """What the release itself shows as used; None if all was."""
        return _one(self._used) if self._used != self._events else None

    def rows(self, names: Sequence[str]) -> list[list[str | None]]:
        """The released columns of these names as rows of text, which casts back without loss."""
        columns = [self.columns[name] for name in names]
        return [[_text(value) for value in row] for row in zip(*columns, strict=True)]


def _parts(event: Event) -> list[Event]:
    return list(event.parts) if isinstance(event, Composed) else [event]


def _one(events: Sequence[Event]) -> Event:
    return events[0] if len(events) == 1 else Composed.of(*events)


def _text(value: object) -> str | None:
    if value is None:
        return None
    return repr(value) if isinstance(value, float) else str(value)


def release(plan: Plan, read: Read, entropy: Entropy) -> Release:
    """Run the plan's mechanisms on the scores that `read` returns for its score SQL."""
    made = Release()
    groups = _select(plan, read, entropy, made)
    for number, _ in enumerate(plan.keys):
        made.columns[key_column(number)] = [group[number] for group in groups]
    for measure in plan.measures:
        _measure(measure, _Scores.read(measure, plan, groups, read), entropy, made)
    return made


# --- which groups --------------------------------------------------------------------------------


def _select(plan: Plan, read: Read, entropy: Entropy, made: Release) -> list[Group]:
    match plan.selection:
        case OneGroup():
            return [()]
        case EveryKey():
            every = candidates_of(plan.keys, pa.table({key.name: [] for key in plan.keys}))
            return [every.at(place) for place in range(every.size)]
    scores = read(plan.selection.score_sql)
    candidates = candidates_of(plan.keys, scores)
    counts = scores_of(scores.column("score").combine_chunks(), "score")
    known = all(key.domain is not None for key in plan.keys)
    match plan.selection:
        case LargestKeys() as selection if known:
            return _largest(selection, candidates, counts, entropy, made)
        case LargestKeys() as selection:
            return _largest_found(selection, candidates, counts, entropy, made)
        case FoundKeys() as selection:
            return _found(selection, candidates, counts, entropy, made)
        case KeysAbove() as selection:
            return _above(selection, candidates, counts, entropy, made)
    raise InternalError("a selection of this kind has no mechanism")


def _largest(
    selection: LargestKeys, candidates: Candidates, counts: Integers, entropy: Entropy, made: Release
) -> list[Group]:
    scores = candidates.scores(counts)
    if selection.counted is None:
        select = gumbel_top_k if selection.gumbel else top_k
        selected = select(scores, selection.k, selection.epsilon, entropy)
        made.add(selected.event)
        numbers = selected.candidates
    else:
        top = top_k_counts(scores, selection.k, selection.epsilon, entropy, groups=selection.groups)
        made.add(top.event)
        _put_ranked(made.columns, selection.counted, top)
        numbers = top.candidates
    made.columns[RANK] = list(range(1, len(numbers) + 1))
    return [candidates.value(number) for number in numbers]


def _largest_found(
    selection: LargestKeys, candidates: Candidates, counts: Integers, entropy: Entropy, made: Release
) -> list[Group]:
    top = private_top_k(
        counts,
        selection.k,
        selection.epsilon,
        selection.delta,
        entropy,
        groups=selection.groups,
        measure=selection.counted is not None,
    )
    made.add(top.event)
    if selection.counted is not None:
        _put_ranked(made.columns, selection.counted, top)
    made.columns[RANK] = list(range(1, len(top.candidates) + 1))
    return [candidates.value(number) for number in top.candidates]


def _found(
    selection: FoundKeys, candidates: Candidates, counts: Integers, entropy: Entropy, made: Release
) -> list[Group]:
    groups = selection.groups
    if groups is None:
        raise InternalError("a selection of found keys needs a bound on groups")
    if selection.counted is None:
        chosen = select_partitions(counts, selection.epsilon, selection.delta, entropy, groups=groups)
        made.add(chosen.event)
        return [candidates.value(number) for number in chosen.candidates]
    shown = private_key_counts(counts, selection.epsilon, selection.delta, entropy, groups=groups)
    made.add(shown.event)
    _put_counts(made.columns, selection.counted, shown.counts, -shown.half_width, shown.half_width)
    return [candidates.value(number) for number in shown.candidates]


def _above(
    selection: KeysAbove, candidates: Candidates, counts: Integers, entropy: Entropy, made: Release
) -> list[Group]:
    top = top_k_above(
        candidates.scores(counts),
        selection.threshold,
        selection.k,
        selection.epsilon,
        entropy,
        measure=selection.counted is not None,
        groups=selection.groups,
    )
    made.add(top.event, top.used)
    if selection.counted is not None:
        _put_ranked(made.columns, selection.counted, top)
    made.columns[RANK] = list(range(1, len(top.candidates) + 1))
    return [candidates.value(number) for number in top.candidates]


def _put_counts(columns: Columns, name: str, counts: Sequence[float], low: float, high: float) -> None:
    """Released counts, and the ends of their intervals."""
    lows, highs = [count + low for count in counts], [count + high for count in counts]
    _put(columns, name, [round(count) for count in counts], lows, highs)


def _put_ranked(columns: Columns, name: str, top: TopKCounts | PrivateTop | TopAbove) -> None:
    """Released counts of a ranking, with the gap after each, and how sure its rank is."""
    found = top.found
    _put(columns, name, [round(count) for count in found.counts], found.lows, found.highs)
    columns[f"{name}_gap"], columns[f"{name}_p_value"] = list(top.gaps), list(top.p_values)


def _put(
    columns: Columns,
    name: str,
    values: Sequence[object],
    lows: Sequence[float | None],
    highs: Sequence[float | None],
) -> None:
    """Released numbers, and the ends of their intervals; they have no rank."""
    columns[name] = list(values)
    columns[f"{name}_low"] = [None if low is None else float(low) for low in lows]
    columns[f"{name}_high"] = [None if high is None else float(high) for high in highs]
    columns[f"{name}_gap"] = columns[f"{name}_p_value"] = [None] * len(values)


# --- what about them -----------------------------------------------------------------------------


@dataclass(frozen=True, repr=False)
class _Scores:
    """What score SQL returned for a measure. `owners`: for each row, the number of its group, or -1."""

    table: pa.Table
    size: int
    owners: Integers

    @classmethod
    def read(cls, measure: Measure, plan: Plan, groups: list[Group], read: Read) -> _Scores:
        table = read(measure.score_sql)
        if not plan.keys:
            return cls(table, 1, np.zeros(table.num_rows, dtype=np.int64))
        candidates = candidates_of(plan.keys, table)
        if isinstance(plan.selection, EveryKey):
            return cls(table, len(groups), candidates.places)
        number = {group: i for i, group in enumerate(groups)}
        owners = np.array([number.get(group, -1) for group in candidates.groups], dtype=np.int64)
        return cls(table, len(groups), owners)

    def one_each(self, column: str) -> list[int]:
        """A column of whole numbers (or decimals, in their last place), one for each group, else 0."""
        numbers = [0] * self.size
        values = tick_integers(self.table.column(column).combine_chunks())
        for owner, value in zip(self.owners.tolist(), values, strict=True):
            if owner >= 0:
                numbers[owner] = value
        return numbers

    @property
    def rows(self) -> list[Integers]:
        """The rows of each group."""
        order = np.argsort(self.owners, kind="stable")
        ends = np.searchsorted(self.owners[order], np.arange(self.size + 1))
        return [order[ends[i] : ends[i + 1]] for i in range(self.size)]


def _measure(measure: Measure, scores: _Scores, entropy: Entropy, made: Release) -> None:
    match measure.request:
        case requests.Count(rows=rows):
            _count(measure, scores, rows or 1, entropy, made)
        case requests.Distinct(values=values):
            _count(measure, scores, values, entropy, made)
        case requests.Sum() as request:
            _sum(measure, request, scores, entropy, made)
        case requests.Mean() as request:
            _mean(measure, request, scores, entropy, made)
        case requests.Quantile() as request:
            _quantile(measure, request, scores, entropy, made)
        case requests.Mode() as request:
            _mode(measure, request, scores, entropy, made)
        case _:
            raise InternalError("a request of this kind has no mechanism")


def _count(measure: Measure, scores: _Scores, most: int, entropy: Entropy, made: Release) -> None:
    counts = np.array(scores.one_each("score"), dtype=np.int64)
    noisy = noisy_counts(counts, measure.epsilon, entropy, groups=measure.groups * most)
    _charge(measure, [noisy.event], 1, made)
    name = measure.request.column
    _put_counts(made.columns, name, noisy.counts, -noisy.half_width, noisy.half_width)


def _sum(measure: Measure, request: requests.Sum, scores: _Scores, entropy: Entropy, made: Release) -> None:
    totals = scores.one_each("score")
    bound = max(request.bound, 1)
    noisy = noisy_sums(totals, measure.epsilon, entropy, bound=bound, groups=measure.groups)
    made.add(noisy.event)
    unit = Fraction(1, 10**request.scale)
    whole = parse_type(request.type).kind != "float"
    width = float(noisy.half_width * unit)
    values = [_number(ticks, request.scale) if whole else float(ticks * unit) for ticks in noisy.sums]
    lows, highs = ([float(ticks * unit) + end for ticks in noisy.sums] for end in (-width, width))
    _put(made.columns, request.column, values, lows, highs)


def _number(ticks: int, scale: int) -> object:
    if scale == 0:
        return ticks
    return Decimal((int(ticks < 0), tuple(map(int, str(abs(ticks)))), -scale))


def _mean(measure: Measure, request: requests.Mean, scores: _Scores, entropy: Entropy, made: Release) -> None:
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
    lows, highs = (
        [float(low) + float(width) * share for share in shares] for shares in (noisy.lows, noisy.highs)
    )
    _put(made.columns, request.column, [float(low + width * share) for share in noisy.shares], lows, highs)


def _quantile(
    measure: Measure, request: requests.Quantile, scores: _Scores, entropy: Entropy, made: Release
) -> None:
    domain = request.grid
    grid = Grid.of(parse_type(request.key.type), domain.low, domain.high, domain.step)
    column = scores.table.column(request.key.name).combine_chunks()
    offsets = grid.nearest(column)
    counts = scores_of(scores.table.column("score").combine_chunks(), "score")
    # One unit is in at most `groups` of the samples, with at most `rows` values in each.
    times = measure.groups * (request.rows or 1)
    samples = [ValueCounts(offsets[rows], counts[rows]) for rows in scores.rows]
    chosen = [
        quantile(sample, grid.points, request.quantile, measure.epsilon / times, entropy)
        for sample in samples
    ]
    _charge(measure, [choice.event for choice in chosen], times, made)
    made.columns[request.column] = [domain.value(choice.offset) for choice in chosen]


@dataclass(frozen=True)
class _Winner:
    """The most frequent value of a group, None if there is none, its gap to the next, and how sure it is."""

    value: object
    gap: float | None
    p_value: float | None
    event: Event


def _mode(measure: Measure, request: requests.Mode, scores: _Scores, entropy: Entropy, made: Release) -> None:
    counts = scores_of(scores.table.column("score").combine_chunks(), "score")
    share = measure.epsilon / measure.groups
    chosen = [
        _most_frequent(
            request, scores.table.take(pa.array(rows)), counts[rows], share, measure.delta, entropy
        )
        for rows in scores.rows
    ]
    _charge(measure, [choice.event for choice in chosen], measure.groups, made)
    for end, name in (("", "value"), ("_gap", "gap"), ("_p_value", "p_value")):
        made.columns[f"{request.column}{end}"] = [getattr(choice, name) for choice in chosen]


def _most_frequent(
    request: requests.Mode,
    scores: pa.Table,
    counts: Integers,
    epsilon: Fraction,
    delta: Fraction,
    entropy: Entropy,
) -> _Winner:
    """Of one group: its own scores in, the winner out."""
    candidates = candidates_of([request.key], scores.select([request.key.name]))
    if request.key.domain is None:
        top = private_top_k(counts, 1, epsilon, delta, entropy, groups=None, measure=False)
        if not top.candidates:
            return _Winner(None, None, None, top.event)
        return _Winner(candidates.value(top.candidates[0])[0], top.gaps[0], top.p_values[0], top.event)
    vector = candidates.scores(counts)
    if vector.count == 1:
        return _Winner(candidates.value(0)[0], None, None, PermuteAndFlip(epsilon))
    chosen = permute_and_flip_with_gap(vector, epsilon, entropy, monotonic=True)
    return _Winner(candidates.value(chosen.candidate)[0], chosen.gap, chosen.p_value, chosen.event)


def _charge(measure: Measure, events: Sequence[Event], times: int, made: Release) -> None:
    """Note the measure's event, if its mechanism really spent that much for a unit in `times` of the groups.

    A release whose events differ from those that were charged never leaves.
    """
    if any(event.epsilon * times != measure.epsilon or event.delta != measure.delta for event in events):
        raise InternalError("a mechanism spent another share than the plan's")
    made.add(measure_event(measure))
