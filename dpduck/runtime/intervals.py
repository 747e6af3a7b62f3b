"""The answer with the ends of 95 % intervals beside its released numbers, and how far off each may be.

Post-processing: both follow from the plan, which is public, and from released rows alone. The ends are those
that dp_low and dp_high would show.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

import duckdb
import numpy as np
import pyarrow as pa

from dpduck.arrow.arrays import floats_of
from dpduck.engines.cancellation import Interrupts
from dpduck.errors import UnsupportedSqlError
from dpduck.errors.advice import Hint
from dpduck.errors.notices import Notice, Rank
from dpduck.query.block.question import key_column
from dpduck.query.plan.aggregates import Quantile, Quantiles
from dpduck.query.plan.compound import CompoundPlan, column_name
from dpduck.query.plan.cost import expected_error
from dpduck.query.plan.coverage import covers
from dpduck.query.plan.model import Output, Plan
from dpduck.runtime.explain_errors import promises_of
from dpduck.runtime.results import Result, ResultRows


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
    for block in () if rows is None or rows.plan is None else rows.plan.blocks:
        below = {column for column, covered in covers(block).items() if covered == "below"}
        found |= {name: "or higher" for name, column in block.shown if column in below}
        computed = ((one.name, one.computed) for one in block.ends if one.computed is not None)
        found |= {
            name: "or lower" if own.descends else "or higher" for name, own in computed if own.column in below
        }
    return found


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


def of_missing_ends(plan: Plan | CompoundPlan, columns: Sequence[Output]) -> tuple[Hint | Notice, ...]:
    """Notices of which numbers an answer has no ends of intervals, though they are asked for.

    Input: the columns of the answer.
    """
    names = {column.name for column in columns}
    shown = [(block, name, column) for block in plan.blocks for name, column in block.shown]
    ended = {name for _, name, _ in shown if f"{name}_low" in names}
    if not ended and not (isinstance(plan, Plan) and plan.ends):
        why = _why_none(plan)
        reason, hint = why.reason or "", why.hint or ""
        return (
            Notice(Rank.UNCERTAIN, f"No intervals: {reason[:1].lower()}{reason[1:]}", hint=Hint.of(hint)),
        )
    bare = [name for block, name, column in shown if column in _quantiles_alone(block)]
    words = (f"{name} has no {name}_low and {name}_high: dp_low({name}) asks for them." for name in bare)
    return tuple(map(Hint.of, dict.fromkeys(words)))


def _quantiles_alone(block: Plan) -> set[str]:
    """The quantiles without an interval, which would take a share of their epsilon."""
    each = (one.asked if isinstance(one, Quantiles) else (one,) for one in block.requests)
    return {one.column for some in each for one in some if isinstance(one, Quantile) and one.interval is None}


def errors_of(rows: ResultRows | None) -> Mapping[str, float]:
    """What the error of each released number stays within at 95 %, by the names of columns, as of EXPLAIN.

    None of totals: those of each grouping set have another one, which `errors_of_totals` says.
    """
    if rows is None or rows.plan is None or any(block.sets for block in rows.plan.blocks):
        return {}
    if rows.errors is not None:
        return rows.errors
    found: dict[str, float] = {}
    for block in rows.plan.blocks:
        for name, error in expected_error(block).items():
            found[name] = max(error, found.get(name, 0.0))
    return found


def measured_errors(rows: ResultRows) -> dict[str, float]:
    """The largest distance from each released number to an end of its interval, by its name in the answer."""
    if rows.plan is None:
        return {}
    columns = dict(zip((one.name for one in rows.shape.columns), rows.table.columns, strict=False))
    found: dict[str, float] = {}
    for number, block in enumerate(rows.plan.blocks, 1):
        for name, column in () if block.sets else block.shown:
            own = column if isinstance(rows.plan, Plan) else column_name(number, column)
            value, low, high = (columns.get(f"{own}{end}") for end in ("", "_low", "_high"))
            if value is not None and low is not None and high is not None:
                width = _largest(value, low, high)
                found |= {} if width is None else {name: max(width, found.get(name, 0.0))}
    return found


def _largest(value: pa.ChunkedArray, low: pa.ChunkedArray, high: pa.ChunkedArray) -> float | None:
    """The largest distance to an end that is known; None if there is none, as of dates.

    An only end that is 0 says that the number is not below, and nothing of its noise.
    """
    with suppress(pa.ArrowInvalid, pa.ArrowNotImplementedError):
        numbers, lows, highs = (floats_of(one) for one in (value, low, high))
        noisy = np.where((lows == 0) & np.isnan(highs), np.nan, lows)
        distances = np.abs([noisy - numbers, highs - numbers])
        known = distances[np.isfinite(distances)]
        return float(known.max()) if known.size else None
    return None


def errors_of_totals(rows: ResultRows | None) -> list[str]:
    """What the error of each released number of each grouping set stays within, in words; mostly nothing.

    Of an earlier answer, whose noise may be another one, its notices say it.
    """
    blocks = () if rows is None or rows.plan is None or rows.replayed else rows.plan.blocks
    return [f"{promise}." for block in blocks if block.sets for promise in promises_of(block)]


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
            detail="The totals of each grouping set have an error of their own; EXPLAIN says it.",
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
