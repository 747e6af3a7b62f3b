"""The answer with the ends of 95 % intervals beside its released numbers, and how far off each may be.

Post-processing: both follow from the plan, which is public, and from released rows alone. The ends are those
that dp_low and dp_high would show.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

import duckdb
import numpy as np
import pyarrow as pa

from dpduck.answers.caveat_words import short_list
from dpduck.answers.explain_errors import ErrorsOfSets, promises_of
from dpduck.answers.results import Result, ResultRows
from dpduck.answers.total_averages import errors_of_averages
from dpduck.kernel.arrow.arrays import floats_of
from dpduck.kernel.cancellation import Interrupts
from dpduck.kernel.errors import UnsupportedSqlError
from dpduck.kernel.errors.advice import Hint
from dpduck.kernel.errors.notices import Notice, Rank
from dpduck.kernel.plan.aggregates import Quantile, Quantiles
from dpduck.kernel.plan.compound import CompoundPlan, column_name
from dpduck.kernel.plan.cost import expected_error, without_interval
from dpduck.kernel.plan.coverage import covers
from dpduck.kernel.plan.keys import key_column
from dpduck.kernel.plan.model import Plan

Ended = Callable[[], pa.Table | None]  # what gives the columns of `with_intervals`, if they are few

_MOST_ROWS = 1_000  # of an answer that is computed with its ends to say the largest error
_ROUNDED = 1.02  # times that ends are further off than the error that they say, at most


def ends_of(rows: ResultRows | None) -> dict[int, tuple[int, int]]:
    """The places of both ends in `with_intervals`, by that of the number whose interval it is."""
    if rows is None or not isinstance(rows.plan, Plan):
        return {}
    return {one.place: (one.low, one.high) for one in rows.plan.ends}


def with_intervals(
    rows: ResultRows | None,
    database: duckdb.DuckDBPyConnection,
    interrupts: Interrupts,
    most: int | None = None,
    most_bytes: int | None = None,
    *,
    shown: bool = False,
) -> pa.Table:
    """The columns of an answer, and `n_low` and `n_high` for each `n` of `ends_of`, unless it has them.

    Input: a database that holds nothing else; at most how many rows (None: all) and bytes, if they are to be
        `shown` (see `Result.shown`).
    Errors: UnsupportedSqlError if there is no interval.
    """
    if rows is not None and isinstance(rows.plan, Plan) and rows.plan.ends:
        shape = replace(rows.shape, sql=rows.plan.ends_sql)
    elif rows is not None and _has_ends(rows):
        shape = rows.shape
    else:
        raise _no_interval(rows)
    result = Result.of_rows(replace(rows, shape=shape), database, interrupts)
    try:
        return result.shown(most, most_bytes) if shown else result.arrow()
    finally:
        result.close()


def ended_if_short(
    rows: ResultRows, database: duckdb.DuckDBPyConnection, interrupts: Interrupts
) -> pa.Table | None:
    """The columns of `with_intervals` of an answer of few rows; None of others, and without ends.

    Input: as of `with_intervals`.
    """
    with suppress(UnsupportedSqlError):
        table = with_intervals(rows, database, interrupts, _MOST_ROWS + 1, shown=True)
        return table if table.num_rows <= _MOST_ROWS else None
    return None


def known_ends(
    rows: ResultRows | None, whole: pa.Table, ends: Mapping[int, tuple[int, int]]
) -> dict[int, tuple[int, int]]:
    """The places of `ends_of`, without those of numbers that have no ends here, but an error that is known.

    Input: the columns of `with_intervals`.
    """
    errors = {} if rows is None or rows.errors is None else rows.errors
    return {
        place: both
        for place, both in ends.items()
        if whole.column_names[place] not in errors
        or any(whole.column(end).null_count < whole.num_rows for end in both)
    }


def open_ends(rows: ResultRows | None) -> dict[str, str]:
    """The columns of an answer of which the truth may be further off, as bounds may have lowered a number.

    Output: "or higher" or "or lower", by the name of the column.
    """
    found: dict[str, str] = {}
    plan = None if rows is None else rows.noise or rows.plan
    if rows is None or plan is None:
        return {}
    for number, block in enumerate(plan.blocks, 1):
        below = {column for column, covered in covers(block).items() if covered == "below"}
        below = {column for column in below if block.sets or not _has_highs(rows, number, column)}
        found |= {name: "or higher" for name, column in block.shown if column in below}
        computed = ((one.name, one.computed) for one in block.ends if one.computed is not None)
        found |= {
            name: "or lower" if own.descends else "or higher" for name, own in computed if own.column in below
        }
    return found


def _has_highs(rows: ResultRows, number: int, column: str) -> bool:
    """Whether the upper ends of a number are known: what may have lowered it has not, or values are few."""
    value, _, high = _of_number(rows, number, column)
    return value is not None and high is not None and value.null_count == high.null_count < len(high)


class ErrorsBeside(NamedTuple):
    """An answer with how far off its numbers are: the fields of `console.with_errors.NumbersWithErrors`."""

    whole: pa.Table
    width: int
    ends: Mapping[int, tuple[int, int]]
    errors: Mapping[str, float]
    open_ends: Mapping[str, str]


def shown_with_errors(
    rows: ResultRows | None, width: int, ended: Callable[[], pa.Table], alone: Callable[[], pa.Table]
) -> ErrorsBeside:
    """Return an answer with how far off its numbers are.

    Input: how many columns it has itself; what gives the columns of `with_intervals`, and of it alone.
    """
    ends = ends_of(rows)
    table = ended() if ends else alone()
    ends = dict(known_ends(rows, table, ends))
    return ErrorsBeside(table, width or table.num_columns, ends, errors_of(rows), open_ends(rows))


def groups_of(rows: ResultRows | None) -> list[str]:
    """The columns of an answer that say of which group a row is: its keys, or all but released numbers."""
    if rows is None or rows.plan is None:
        return []
    released = {name: column for block in rows.plan.blocks for name, column in block.shown}
    places = range(max(len(block.keys) for block in rows.plan.blocks))
    keys = {key_column(place) for place in places}
    names = [column.name for column in rows.columns]
    shown = [name for name in names if released.get(name) in keys]
    return shown or [name for name in names if name not in released]


def _has_ends(rows: ResultRows) -> bool:
    """Whether the query shows the ends of an interval itself, by the names that they have here."""
    names = {column.name for column in rows.columns}
    return rows.plan is not None and any({f"{name}_low", f"{name}_high"} <= names for name in names)


def of_missing_ends(rows: ResultRows) -> tuple[Hint | Notice, ...]:
    """Notices of which numbers an answer has no ends of intervals, though they are asked for.

    Where its errors are known otherwise, which is said too, it is columns that it lacks and no interval.
    """
    plan, names = rows.plan, {column.name for column in rows.columns}
    if plan is None:
        return ()
    shown = [(block, name, column) for block in plan.blocks for name, column in block.shown]
    ended = {name for _, name, _ in shown if f"{name}_low" in names}
    if not ended and not (isinstance(plan, Plan) and plan.ends):
        why, stated = _why_none(plan), list(stated_errors(rows))
        reason, hint = why.reason or "", why.hint or ""
        what = f"No columns of ends for {short_list(stated)}" if stated else "No intervals"
        sentence = f"{what}: {reason[:1].lower()}{reason[1:]}"
        return (Notice(Rank.UNCERTAIN, sentence, hint=Hint.of(hint)),)
    bare = [name for block, name, column in shown if column in _quantiles_alone(block)]
    words = (f"{name} has no {name}_low and {name}_high: dp_low({name}) asks for them." for name in bare)
    return tuple(map(Hint.of, dict.fromkeys(words)))


def _quantiles_alone(block: Plan) -> set[str]:
    """The quantiles without an interval, which would take a share of their epsilon."""
    each = (one.asked if isinstance(one, Quantiles) else (one,) for one in block.requests)
    return {one.column for some in each for one in some if isinstance(one, Quantile) and one.interval is None}


def errors_of(rows: ResultRows | None) -> Mapping[str, float]:
    """What the error of each released number stays within at 95 %, by the names of columns, as of EXPLAIN.

    None of totals: those of each grouping set have another one, which `errors_of_totals` says. None of what
    is said to have no interval.
    """
    if rows is None or rows.plan is None or any(block.sets for block in rows.plan.blocks):
        return {}
    if rows.errors is not None:
        return rows.errors
    found: dict[str, float] = {}
    for number, block in enumerate(rows.plan.blocks, 1):
        columns = dict(block.shown)
        columns |= {one.name: one.computed.column for one in block.ends if one.computed is not None}
        none = without_interval(block) | _without_ends(rows, number, block)
        for name, error in expected_error(block).items():
            if columns.get(name) not in none:
                found[name] = max(error, found.get(name, 0.0))
    return found


def _without_ends(rows: ResultRows, number: int, block: Plan) -> set[str]:
    """The released numbers of a block of which no row has an end, though there are columns of them."""
    found = set()
    for _, column in block.shown:
        _, *both = _of_number(rows, number, column)
        ends = [one for one in both if one is not None]
        if rows.count and ends and all(one.null_count == rows.count for one in ends):
            found.add(column)
    return found


def _of_number(rows: ResultRows, number: int, column: str) -> list[pa.ChunkedArray | None]:
    """A released number of a block, and both its ends, as far as they are there."""
    own = column if isinstance(rows.plan, Plan) else column_name(number, column)
    places = {one.name: place for place, one in enumerate(rows.shape.columns)}
    found = [places.get(f"{own}{end}") for end in ("", "_low", "_high")]
    return [None if place is None else rows.table.column(place) for place in found]


def stated_errors(rows: ResultRows, ended: Ended | None = None) -> dict[str, float]:
    """What the error of each number of an answer stays within, in the order of its columns, as far as known.

    It is the largest distance from a number that is shown to an end of its interval; what is known beforehand
    where ends say nothing else, as they are rounded outwards.
    Input: what gives the columns of `with_intervals`; where there are none the groups that an answer leaves
        out count, too.
    """
    expected = dict(errors_of(rows)) | largest_errors_of_totals(rows)
    measured = {name: max(widths) for name, widths in _measured_widths(rows).items()}
    whole = ended() if ended is not None and _differ_by_row(rows) else None
    measured |= {} if whole is None else _shown_widths(rows, whole)
    known = {name: _stated(measured.get(name), error) for name, error in expected.items()}
    known = measured | (expected if rows.errors is not None else known)
    names = [column.name for column in rows.columns]
    return {
        name: known[name]
        for name in dict.fromkeys(names or known)
        if math.isfinite(known.get(name, math.inf))
    }


def _stated(measured: float | None, expected: float) -> float:
    if measured is None or expected <= measured <= _ROUNDED * expected:
        return expected
    return measured


def _measured_widths(rows: ResultRows) -> dict[str, tuple[float, float]]:
    """The least and the largest distance from each released number to an end that is further off, by name."""
    if rows.plan is None:
        return {}
    found: dict[str, tuple[float, float]] = {}
    for number, block in enumerate(rows.plan.blocks, 1):
        for name, column in () if block.sets else block.shown:
            value, low, high = _of_number(rows, number, column)
            if value is not None and low is not None and high is not None:
                widths = [*_widths(value, low, high), *found.get(name, ())]
                found |= {name: (min(widths), max(widths))} if widths else {}
    return found


def _differ_by_row(rows: ResultRows) -> bool:
    """Whether the error of what an answer shows is another one than of all that was released for it."""
    if not isinstance(rows.plan, Plan) or not rows.plan.ends or not rows.count:
        return False
    widths = _measured_widths(rows)
    if any(one.name not in widths for one in rows.plan.ends):
        return True
    return rows.count > 1 and any(most > _ROUNDED * least for least, most in widths.values())


def _shown_widths(rows: ResultRows, whole: pa.Table) -> dict[str, float]:
    """The largest distance from each number that is shown to an end. Input: as `with_intervals` gives it."""
    found: dict[str, float] = {}
    for place, (low, high) in ends_of(rows).items():
        widths = _widths(*(whole.column(one) for one in (place, low, high)))
        found |= {whole.column_names[place]: max(widths)} if widths else {}
    return found


def _widths(value: pa.ChunkedArray, low: pa.ChunkedArray, high: pa.ChunkedArray) -> list[float]:
    """The distances of numbers to the ends that are further off, where that is known; none of dates.

    An only end that is 0 says that the number is not below, and nothing of its noise.
    """
    with suppress(pa.ArrowInvalid, pa.ArrowNotImplementedError):
        numbers, lows, highs = (floats_of(one) for one in (value, low, high))
        noisy = np.where((lows == 0) & np.isnan(highs), np.nan, lows)
        with np.errstate(invalid="ignore"):  # from infinity to infinity: not known
            distances = np.fmax(np.abs(noisy - numbers), np.abs(highs - numbers))
        known: list[float] = distances[np.isfinite(distances)].tolist()
        return known
    return []


def errors_of_totals(rows: ResultRows | None) -> list[str]:
    """What the error of each released number of each grouping set stays within, in words; mostly nothing."""
    return [
        f"{promise}."
        for block, averages in (() if rows is None else _with_averages(rows))
        for promise in promises_of(block, averages)
    ]


def largest_errors_of_totals(rows: ResultRows) -> dict[str, float]:
    """What the errors of the totals of all grouping sets stay within, by their names in the answer."""
    found: dict[str, float] = {}
    for block, averages in _with_averages(rows):
        errors = expected_error(block)
        for name, column in block.shown:
            own = [width for (_, of), width in averages.items() if of == column]
            if own or name in errors:
                found[name] = max([*own, errors.get(name, 0.0)])
    return found


def _with_averages(rows: ResultRows) -> Iterator[tuple[Plan, ErrorsOfSets]]:
    """The blocks that have grouping sets, with the noise that their numbers have, and the errors of averages.

    None of what a summary answers.
    """
    columns = dict(zip((one.name for one in rows.shape.columns), rows.table.columns, strict=False))
    for number, block in enumerate(() if rows.noise is None else rows.noise.blocks, 1):
        if block.sets and rows.count:
            is_alone = isinstance(rows.noise, Plan)
            names = (one.name for one in block.columns)
            own = {name: columns[name if is_alone else column_name(number, name)] for name in names}
            yield block, errors_of_averages(block, own)


def _no_interval(rows: ResultRows | None) -> UnsupportedSqlError:
    if rows is None or rows.plan is None:
        return UnsupportedSqlError(
            "this answer has no intervals",
            detail="No private rows were read for it, so its numbers are exact.",
            hint="Use df() or arrow().",
        )
    return _why_none(rows.plan)


def _why_none(plan: Plan | CompoundPlan) -> UnsupportedSqlError:
    """Why an answer of a plan has no interval."""
    if any(block.sets for block in plan.blocks):
        return UnsupportedSqlError(
            "totals have no intervals",
            detail="Those of each grouping set have an error of their own, which EXPLAIN says.",
            hint="Use df() or arrow(); GROUP BY without ROLLUP, CUBE or GROUPING SETS has intervals.",
        )
    if isinstance(plan, CompoundPlan) or not plan.ends_sql:
        return UnsupportedSqlError(
            "this answer has no intervals",
            detail="Its rows are computed from those of an inner query.",
            hint="Select dp_low(n) AS n_low, dp_high(n) AS n_high in it and around it, or ask it alone.",
        )
    if _has_ends_of(plan):
        return UnsupportedSqlError(
            "this answer has no intervals",
            detail="Groups that show the same are made one row by DISTINCT.",
            hint="Leave DISTINCT out, or show the keys of the groups.",
        )
    return UnsupportedSqlError(
        "this answer has no intervals",
        detail="It shows no count, sum or average as it is; of a quantile ask for one.",
        hint="Show the number, or round(n), n / 1000 and the like; for a median write dp_low(m).",
    )


def _has_ends_of(plan: Plan) -> bool:
    """Whether the ends of some number that the answer shows are released."""
    known = {column.name for column in plan.columns}
    return any(f"{column}_low" in known for _, column in plan.shown)
