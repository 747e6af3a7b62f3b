"""Below the data line: scores in, released columns out. Each part of a plan has one mechanism.

The selection says which groups there are; every measure then gives each of them a number. A group
without scores counts as 0, so that nothing shows whether it has rows.
"""

from __future__ import annotations

import math
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
from dpduck.events import Composed, Event, SparseVector
from dpduck.grid import Grid
from dpduck.mechanisms.additive import noisy_counts, private_key_counts
from dpduck.mechanisms.averages import noisy_means
from dpduck.mechanisms.partitions import select_partitions
from dpduck.mechanisms.private_topk import private_top_k
from dpduck.mechanisms.quantile import ValueCounts, quantile
from dpduck.mechanisms.selection import permute_and_flip
from dpduck.mechanisms.sparse_vector import above_threshold
from dpduck.mechanisms.sums import noisy_sums
from dpduck.mechanisms.topk import top_k
from dpduck.mechanisms.topk_counts import top_k_counts
from dpduck.noise import Entropy
from dpduck.quantities import EPSILON_PLACES
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
    """What leaves: the released columns, by name, and the events of the mechanisms that made them.

    `used`: what the release itself shows as used, where a mechanism may stop early; else None.
    """

    columns: Columns = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    used: Event | None = None

    @property
    def event(self) -> Event:
        """The release as one event."""
        return self.events[0] if len(self.events) == 1 else Composed.of(*self.events)

    def rows(self, names: Sequence[str]) -> list[list[str | None]]:
        """The released columns of these names as rows of text, which casts back without loss."""
        columns = [self.columns[name] for name in names]
        return [[_text(value) for value in row] for row in zip(*columns, strict=True)]


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
        selected = top_k(scores, selection.k, selection.epsilon, entropy)
        made.events.append(selected.event)
        numbers = selected.candidates
    else:
        top = top_k_counts(scores, selection.k, selection.epsilon, entropy, groups=selection.groups)
        made.events += _parts(top.event)
        _put_counts(made.columns, selection.counted, top.counts, top.low, top.high, top.gaps)
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
    made.events += _parts(top.event)
    if selection.counted is not None:
        _put_counts(made.columns, selection.counted, top.counts or (), top.low, top.high, top.gaps)
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
        made.events.append(chosen.event)
        return [candidates.value(number) for number in chosen.candidates]
    shown = private_key_counts(counts, selection.epsilon, selection.delta, entropy, groups=groups)
    made.events.append(shown.event)
    _put_counts(made.columns, selection.counted, shown.counts, -shown.half_width, shown.half_width)
    return [candidates.value(number) for number in shown.candidates]


def _above(
    selection: KeysAbove, candidates: Candidates, counts: Integers, entropy: Entropy, made: Release
) -> list[Group]:
    above = above_threshold(
        candidates.in_order(counts), selection.threshold, selection.k, selection.epsilon, entropy
    )
    made.events.append(above.event)
    made.used = SparseVector(_recordable(above.epsilon_used), k=selection.k)
    if selection.counted is not None:
        made.columns[selection.counted] = [round(estimate) for estimate in above.estimates]
        made.columns[f"{selection.counted}_low"] = list(above.lows)
        made.columns[f"{selection.counted}_high"] = list(above.highs)
        made.columns[f"{selection.counted}_gap"] = list(above.gaps)
    return [candidates.at(place) for place in above.candidates]


def _recordable(epsilon: Fraction) -> Fraction:
    """Rounded up to what the ledger records exactly."""
    return Fraction(math.ceil(epsilon * 10**EPSILON_PLACES), 10**EPSILON_PLACES)


def _parts(event: Event) -> list[Event]:
    return list(event.parts) if isinstance(event, Composed) else [event]


def _put_counts(
    columns: Columns,
    name: str,
    counts: Sequence[float],
    low: float,
    high: float,
    gaps: Sequence[float] | None = None,
) -> None:
    """A released number, the ends of its interval, and its gap to the next."""
    columns[name] = [round(count) for count in counts]
    columns[f"{name}_low"] = [float(count + low) for count in counts]
    columns[f"{name}_high"] = [float(count + high) for count in counts]
    columns[f"{name}_gap"] = list(gaps) if gaps is not None else [None] * len(counts)


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
    made.events.append(noisy.event)
    unit = Fraction(1, 10**request.scale)
    whole = parse_type(request.type).kind != "float"
    name, width = request.column, float(noisy.half_width * unit)
    made.columns[name] = [
        _number(ticks, request.scale) if whole else float(ticks * unit) for ticks in noisy.sums
    ]
    made.columns[f"{name}_low"] = [float(ticks * unit) - width for ticks in noisy.sums]
    made.columns[f"{name}_high"] = [float(ticks * unit) + width for ticks in noisy.sums]
    made.columns[f"{name}_gap"] = [None] * len(totals)


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
    made.events.append(noisy.event)
    low, width = request.low, request.high - request.low
    name = request.column
    made.columns[name] = [float(low + width * share) for share in noisy.shares]
    made.columns[f"{name}_low"] = [float(low) + float(width) * share for share in noisy.lows]
    made.columns[f"{name}_high"] = [float(low) + float(width) * share for share in noisy.highs]
    made.columns[f"{name}_gap"] = [None] * len(high)


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


def _mode(measure: Measure, request: requests.Mode, scores: _Scores, entropy: Entropy, made: Release) -> None:
    name = request.key.name
    counts = scores_of(scores.table.column("score").combine_chunks(), "score")
    winners: list[object] = []
    events: list[Event] = []
    share = measure.epsilon / measure.groups
    for rows in scores.rows:
        own = scores.table.select([name]).take(pa.array(rows))
        candidates = candidates_of([request.key], own)
        if request.key.domain is None:
            top = private_top_k(counts[rows], 1, share, measure.delta, entropy, groups=None, measure=False)
            winners.append(candidates.value(top.candidates[0])[0] if top.candidates else None)
            events.append(top.event)
        else:
            chosen = permute_and_flip(candidates.scores(counts[rows]), share, entropy, monotonic=True)
            winners.append(candidates.value(chosen.candidate)[0])
            events.append(chosen.event)
    _charge(measure, events, measure.groups, made)
    made.columns[request.column] = winners


def _charge(measure: Measure, events: Sequence[Event], times: int, made: Release) -> None:
    """Note the measure's event, if its mechanism really spent that much for a unit in `times` of the groups.

    A release whose events differ from those that were charged never leaves.
    """
    if any(event.epsilon * times != measure.epsilon or event.delta != measure.delta for event in events):
        raise InternalError("a mechanism spent another share than the plan's")
    made.events.append(measure_event(measure))
