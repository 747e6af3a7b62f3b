"""The answer with the ends of 95 % intervals beside its released numbers, and how far off each may be.

Post-processing: both follow from the plan, which is public, and from released rows alone. The ends are those
that dp_low and dp_high would show.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import duckdb
import pyarrow as pa

from dpduck.engines.cancellation import Interrupts
from dpduck.errors import UnsupportedSqlError
from dpduck.query.plan.compound import CompoundPlan
from dpduck.query.plan.cost import expected_error
from dpduck.query.plan.model import Ends, Plan
from dpduck.runtime.explain_errors import promises_of
from dpduck.runtime.results import Result, ResultRows


def ends_of(rows: ResultRows | None) -> tuple[Ends, ...]:
    """The columns of an answer whose intervals are known, and where the ends are in `with_intervals`."""
    return rows.plan.ends if rows is not None and isinstance(rows.plan, Plan) else ()


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


def _has_ends(rows: ResultRows) -> bool:
    """Whether the query shows the ends of an interval itself, by the names that they have here."""
    names = {column.name for column in rows.columns}
    return rows.plan is not None and any({f"{name}_low", f"{name}_high"} <= names for name in names)


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
    if any(block.sets for block in rows.plan.blocks):
        return UnsupportedSqlError(
            "totals have no intervals",
            detail="Those of each grouping set have errors of their own, which EXPLAIN says.",
            hint="Use df() or arrow(); GROUP BY without ROLLUP, CUBE or GROUPING SETS has intervals.",
        )
    if isinstance(rows.plan, CompoundPlan) or not rows.plan.ends_sql:
        return UnsupportedSqlError(
            "this answer has no intervals",
            detail="It computes its rows from those of inner queries, of which the numbers have intervals.",
            hint="Ask for dp_low(n) and dp_high(n) in the inner query, or ask the inner query alone.",
        )
    return UnsupportedSqlError(
        "this answer has no intervals",
        detail="It shows no released count, sum or average as it is; a quantile has one where asked for.",
        hint="Show the number itself, as in SELECT page, count(*) AS n ...; for a median write dp_low(m).",
    )
