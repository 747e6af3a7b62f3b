"""What to make of released numbers that are not above their noise.

Privacy: post-processing. All is a function of the plan and of the released columns alone: numbers, the ends
of their intervals, and for an average or another statistic the lower end of the interval of the number of its
values. That number is the total of the noisy sums of which it is computed (see `mechanisms.averages` and
`moments`), so it is released and stored with it, and a replayed answer says the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from dpduck.answers.at_ends import of_ends_of_ranges
from dpduck.answers.caveat_words import listed, short_list
from dpduck.answers.named_groups import short_where
from dpduck.answers.quantile_intervals import of_ends, of_extremes
from dpduck.kernel.arrow.arrays import vector_of
from dpduck.kernel.errors.advice import NO_HINT, Hint, SetTo
from dpduck.kernel.errors.notices import Notice, Rank
from dpduck.kernel.plan.aggregates import (
    Aggregate,
    ChosenCount,
    ChosenDistinct,
    ClampedSum,
    Count,
    Distinct,
    Mean,
    Moments,
    Quantile,
)
from dpduck.kernel.plan.cost import units_of_clamp, without_interval
from dpduck.kernel.plan.model import UNITS, EveryKey, KeysAbove, LargestKeys, Plan
from dpduck.kernel.plan.names import names_of, requests_of, spoken

Floats = NDArray[np.float64]
Rows = NDArray[np.bool_]


@dataclass(frozen=True)
class BesideNoise:
    """The released columns as an answer shows them, and what to say of their noise."""

    table: pa.Table
    notices: tuple[Notice, ...]


def beside_noise(plan: Plan, table: pa.Table, *, noisy_averages: bool) -> BesideNoise:
    """Replace averages of what may be no values at all by NULL, and say where numbers are mere noise.

    Input: the released columns, as values or as text; `noisy_averages`: averages stay as they are.
    """
    if table.num_rows == 0:
        return BesideNoise(table, _of_nothing(plan))
    released = _Released(plan, table)
    averages = _unsure_averages(released)
    if noisy_averages:
        table = _with_sure_totals(released)
    for column, unsure in () if noisy_averages else averages:
        table = _without(table, released.places[column], unsure)
    say = _of_shown_averages if noisy_averages else _of_averages
    said = say(released, averages)
    of_sums = (
        *_of_few_units(released),
        *_of_numbers(released),
        *_of_divisors(released),
        *_of_empty_groups(released),
        *_of_unsure_ranks(released),
        *_of_chosen(plan),
    )
    at_ends = of_ends_of_ranges(plan, released.numbers, partial(_short_where, released))
    return BesideNoise(
        table,
        (*said, *of_sums, *of_ends(plan, table), *of_extremes(plan, table), *at_ends),
    )


@dataclass(frozen=True)
class _Released:
    """The released columns of a plan by name."""

    plan: Plan
    table: pa.Table

    @property
    def places(self) -> dict[str, int]:
        return {column.name: place for place, column in enumerate(self.plan.columns)}

    @property
    def requests(self) -> list[Aggregate]:
        """The aggregates whose numbers are released, other than the counts that only a selection needs."""
        requests = self.plan.requests
        ranked, counted = self.plan.asked.ranked, self.plan.selection.counted
        return requests if ranked is None or counted in (None, UNITS) else [ranked, *requests]

    def numbers(self, name: str) -> Floats:
        """A column as doubles; NULL is NaN."""
        column = self.table.column(self.places[name]).combine_chunks()
        values = column.cast(pa.float64())
        return np.array(values.to_pylist(), np.float64) if values.null_count else vector_of(values)

    def known(self, request: Aggregate) -> Rows:
        """The rows in which an aggregate is of some values for sure; all but for averages and statistics."""
        if not isinstance(request, (Mean, Moments)):
            return np.ones(self.table.num_rows, np.bool_)
        return ~(self.numbers(request.values_low) <= 0)

    def lacks(self, column: str, why: str) -> Rows:
        """The rows in which noise is as large as the `number` of values, or else as their `spread`.

        A statistic says so by the lower end of the number of its values, which then is 0 (see
        `mechanisms.deviations.Estimates`).
        """
        request = next(one for one in self.requests if one.column == column)
        assert isinstance(request, (Mean, Moments))
        divides = isinstance(request, Moments) and request.statistic != "avg"
        spread: Rows = (self.numbers(request.values_low) == 0) & divides
        return spread if why == "spread" else ~spread

    def may_be_zero(self, name: str) -> Rows:
        """The rows in which the interval of a number contains 0; none without one, and none of quantiles."""
        request = next((one for one in self.requests if one.column == name), None)
        if f"{name}_low" not in self.places or isinstance(request, Quantile):
            return np.zeros(self.table.num_rows, np.bool_)
        return (self.numbers(f"{name}_low") <= 0) & (self.numbers(f"{name}_high") >= 0)


def _unsure_averages(released: _Released) -> Sequence[tuple[str, Rows]]:
    """The columns of averages, with the rows in which the number of values may be 0."""
    found = []
    for request in released.requests:
        if isinstance(request, (Mean, Moments)):
            unsure = ~released.known(request)
            found += [(request.column, unsure)] if unsure.any() else []
    return found


def _with_sure_totals(released: _Released) -> pa.Table:
    """The same table, in which averages of several groups are of as many values as they seem to be."""
    table, places = released.table, released.places
    for request in released.requests:
        if isinstance(request, Mean) and request.adds_up:
            seeming = table.column(places[request.values])
            place = places[request.values_low]
            table = table.set_column(place, table.column_names[place], seeming)
    return table


def _without(table: pa.Table, place: int, rows: Rows) -> pa.Table:
    """The same table with NULL in some rows of a column. Intervals stay: they hold however few the values."""
    column = table.column(place).combine_chunks()
    kept = pa.array(column.to_pylist(), column.type, mask=rows)
    return table.set_column(place, table.column_names[place], kept)


def _of_shown_averages(released: _Released, averages: Sequence[tuple[str, Rows]]) -> tuple[Notice, ...]:
    """What to say of averages and statistics that are shown: of some there is no noise to show either."""
    found = []
    for why, begins, ends in (
        ("number", "There may be no values for {}", "noise is as large as their number"),
        ("spread", "Mere noise, or NULL, may stand for {}", "noise is as large as the spread of values"),
    ):
        parts = [(column, unsure & released.lacks(column, why)) for column, unsure in averages]
        if parts := [(column, rows) for column, rows in parts if rows.any()]:
            columns = [column for column, _ in parts]
            where = _where(released.plan, np.any([rows for _, rows in parts], axis=0))
            some = _short_where(released, np.any([rows for _, rows in parts], axis=0))
            short = f"{begins.format(_short_names(released.plan, columns))}{some}."
            whole = f"{begins.format(_names(released.plan, columns))}{where}: {ends}."
            found.append(_unsure(short, whole))
    return tuple(found)


def _of_averages(released: _Released, averages: Sequence[tuple[str, Rows]]) -> tuple[Notice, ...]:
    if not averages:
        return ()
    plan = released.plan
    columns = [column for column, _ in averages]
    rows = np.any([unsure for _, unsure in averages], axis=0)
    where = _where(plan, rows)
    by_number, by_spread = (
        any((unsure & released.lacks(column, why)).any() for column, unsure in averages)
        for why in ("number", "spread")
    )
    large = "the number of values" * by_number + " or their spread" * (by_number and by_spread)
    when = " where" if plan.sets else f"{where}, as"  # totals may be known where their groups are not
    short = f"Noise hides {_short_names(plan, columns)}{_short_where(released, rows)}."
    noise = f"noise is as large as {large or 'the spread of values'}"
    said = f"NULL stands for {_names(plan, columns)}{when} {noise}."
    hint = Hint.of(SetTo("dp_noisy_averages", "on"), " shows the noise.")
    if all(np.isnan(released.numbers(column)[unsure]).all() for column, unsure in averages):
        hint = Hint.of("More epsilon helps.")  # there is no other number to show
    return (_unsure(short, said, hint),)


def _of_numbers(released: _Released) -> tuple[Notice, ...]:
    """A notice of the numbers of which most are smaller than the half-width of their intervals.

    One average that is suffices: unlike counts, those of other groups may have much less noise. Averages of
    what may be no values have a notice of their own.
    """
    plan, noisy = released.plan, []
    for request in released.requests:
        rows = _less_than_noise(request, released) & released.known(request)
        least = 1 if isinstance(request, (Mean, Moments)) else len(rows) // 2 + 1
        noisy += [(request.column, rows)] if int(rows.sum()) >= least else []
    if not noisy:
        return ()
    columns = [column for column, _ in noisy]
    rows = np.any([rows for _, rows in noisy], axis=0)
    where = _where(plan, rows)
    asked = [measure.request for measure in plan.measures]
    sampled = any(isinstance(request, (Mean, Moments)) and request.population for request in asked)
    cause = "Noise, or noise with sampling, is" if sampled else "Noise is"
    help = "More epsilon, or fewer and larger groups, help." if plan.keys else "More epsilon helps."
    larger = f"{cause} larger than {_names(plan, columns)}{where}."
    short = f"Noise exceeds {_short_names(plan, columns)}{_short_where(released, rows)}."
    return (replace(_unsure(short, larger, Hint.of(help)), columns=tuple(_named(plan, columns))),)


def _of_empty_groups(released: _Released) -> tuple[Notice, ...]:
    """Return a notice of groups of a public domain that may have no rows at all, and are shown.

    So it may be where the interval of each count, and of each sum, holds 0.
    """
    plan = released.plan
    shown = plan.shows_all and isinstance(plan.selection, EveryKey) and not plan.asked.noisy_filter
    if not plan.keys or not shown:
        return ()
    empty, named, counted = np.ones(released.table.num_rows, np.bool_), "", False
    for request in released.requests:
        if f"{request.column}_low" not in released.places or isinstance(request, (Quantile, Mean, Moments)):
            continue
        lows, highs = (released.numbers(f"{request.column}{end}") for end in ("_low", "_high"))
        empty &= (lows <= 0) & (highs >= 0)
        if isinstance(request, (Count, ChosenCount, Distinct, ChosenDistinct)):
            named = named or names_of(request, plan)[0]
        counted = True
    number = int(empty.sum())
    if not counted or not number:
        return ()
    short = f"{number:,}/{released.table.num_rows:,} groups may be empty."
    rows = f"{number:,} of {released.table.num_rows:,} groups may have no rows."
    sure = f", HAVING dp_low({named}) >= 1 nearly all" if named else ""
    hint = Hint.of(f"HAVING count(*) > 0 leaves out half of such groups{sure}.")
    return (_unsure(short, rows, hint),)


def _of_unsure_ranks(released: _Released) -> tuple[Notice, ...]:
    """Return a notice of counts and sums without an interval, as noise may have put their groups on top."""
    plan = released.plan
    if not isinstance(plan.selection, LargestKeys):
        return ()
    for request in released.requests:
        if f"{request.column}_low" in released.places and not isinstance(request, (Quantile, Mean, Moments)):
            lows, highs = (released.numbers(f"{request.column}{end}") for end in ("_low", "_high"))
            unsure = np.isnan(lows) & np.isnan(highs)
            if unsure.any():
                name = names_of(request, plan)[0]
                whole = (
                    f"{name}{_where(plan, unsure)} has no interval and may be far too high: noise may have"
                )
                short = f"{short_list([name])} may be far too high{_short_where(released, unsure)}."
                hint = Hint.of("More epsilon, or fewer groups to choose among, help.")
                return (_unsure(short, f"{whole} put such groups among the largest.", hint),)
    return ()


def _of_chosen(plan: Plan) -> tuple[Notice, ...]:
    """Return a notice of numbers that have no interval, as noise chooses by them which groups are shown."""
    columns = sorted(without_interval(plan))
    if not columns:
        return ()
    has, itself = ("have", "they were") if columns[1:] else ("has", "it was")
    chosen = f"no interval, as {itself} used to choose what is shown."
    short = f"{_short_names(plan, columns)} {has} {chosen}"
    whole = f"{_names(plan, columns)} {has} {chosen} Noise may be the reason that a group is there."
    hint = Hint.of("Ask for all groups, of which the intervals are released.")
    return (_unsure(short, whole, hint),)


def _less_than_noise(request: Aggregate, released: _Released) -> Rows:
    """The rows in which a number is smaller than its noise; no number is counted below 0 but by noise.

    The noise of an average is also taken for large if its interval fills most of its range.
    """
    if f"{request.column}_low" not in released.places or isinstance(request, Quantile):
        return np.zeros(released.table.num_rows, np.bool_)
    lows, highs = (released.numbers(f"{request.column}{end}") for end in ("_low", "_high"))
    values = released.numbers(request.column)
    size = values if isinstance(request, (Count, ChosenCount, Distinct, ChosenDistinct)) else np.abs(values)
    widths = values - lows if isinstance(request, ChosenDistinct) else (highs - lows) / 2
    rows: Rows = widths > size
    if isinstance(request, Mean):
        rows |= highs - lows > float(request.high - request.low) / 2
    return rows


def chosen_privately(plan: Plan, table: pa.Table) -> dict[str, float]:
    """What was chosen privately for numbers, by the names of these: a clamp, a number of values or of groups.

    Input: the released columns, as values or as text.
    """
    if table.num_rows == 0:
        return {}
    released = _Released(plan, table)
    return {
        name: float(released.numbers(request.chosen)[0])
        for request in released.requests
        if isinstance(request, (ChosenCount, ChosenDistinct, ClampedSum))
        for name in names_of(request, plan)
    }


def _of_few_units(released: _Released) -> tuple[Notice, ...]:
    """Notices that sums with a private clamp may be all but 0, whatever the totals of units are.

    So it is where none of them is as many clamps as it takes units: the walk then stops at once.
    """
    plan, found = released.plan, dict[int, list[str]]()
    for measure in plan.measures:
        if isinstance(request := measure.request, ClampedSum):
            few, sums = units_of_clamp(measure), np.abs(released.numbers(request.column))
            if (sums < few * float(released.numbers(request.chosen)[0])).all():
                found.setdefault(few, []).append(request.column)
    return tuple(_all_but_0(columns, few, plan) for few, columns in found.items())


def _all_but_0(columns: Sequence[str], few: int, plan: Plan) -> Notice:
    names, are = _names(plan, columns), "are" if columns[1:] else "is"
    behind = "in each group" if plan.keys else "behind it"
    return _unsure(
        f"{_short_names(plan, columns)} may be all but 0 whatever the truth is.",
        f"{names} {are} less than {few:,} times the clamp, as if fewer units than that were "
        f"{behind}: then nearly all of each total is cut, and {names} {are} all but 0 whatever the truth is.",
    )


def _of_divisors(released: _Released) -> tuple[Notice, ...]:
    """A notice of each quotient by noise: all numbers in the divisor are not clear of theirs."""
    plan, found = released.plan, dict[Notice, None]()
    for quotient in plan.quotients:
        unsure = [released.may_be_zero(column) for column in sorted(quotient.divisor)]
        rows = np.all(unsure, axis=0)
        if rows.all() or (rows.any() and not quotient.adds_up):  # a total is more than its noise if one is
            names, where = _names(plan, sorted(quotient.divisor)), _where(plan, rows)
            divides = f"{spoken(quotient.name)} divides by mere noise"
            short = f"{divides}{_short_where(released, rows)}."
            found[_unsure(short, f"{divides}{where}: noise is as large as {names}.")] = None
    return tuple(found)


def _of_nothing(plan: Plan) -> tuple[Notice, ...]:
    """A notice for no rows, if a threshold leaves none."""
    if isinstance(plan.selection, KeysAbove):
        return (_unsure(f"No group has a noisy count of {plan.selection.threshold:,} or more."),)
    if plan.space.is_known:
        return ()
    return (
        _unsure(
            "No group has enough units to be shown.",
            "No group has enough units for its keys, which are found in private rows, to be shown.",
            Hint.of("More epsilon or delta shows smaller groups."),
        ),
    )


def _where(plan: Plan, rows: Rows) -> str:
    kind = "groups that totals are of" if plan.sets else "groups"
    return f" in {int(rows.sum()):,} of {len(rows):,} {kind}" if plan.keys else ""


def _short_where(released: _Released, rows: Rows) -> str:
    """In which groups it is so, or in how many, if not in all."""
    plan = released.plan
    return short_where(plan, released.table, rows) if plan.keys and not rows.all() else ""


def _names(plan: Plan, columns: Sequence[str]) -> str:
    """What aggregates are called, by their released columns."""
    return listed(_named(plan, columns), "and")


def _short_names(plan: Plan, columns: Sequence[str]) -> str:
    """What the first aggregates are called."""
    return short_list(_named(plan, columns))


def _named(plan: Plan, columns: Sequence[str]) -> list[str]:
    """The names of aggregates, by their released columns."""
    requests = {request.column: request for request in requests_of(plan)}
    return list(dict.fromkeys(names_of(requests[column], plan)[0] for column in columns))


def _unsure(sentence: str, detail: str = "", hint: Hint = NO_HINT) -> Notice:
    return Notice(Rank.UNCERTAIN, sentence, "" if detail == sentence else detail, hint)
