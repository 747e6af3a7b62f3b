"""What is found out about an answer's SQL before anything is charged for it, in an empty database.

DuckDB binds it, which gives the columns of the answer; constants are computed; and all of it runs on rows
that are made up. What fails on each of these would be charged for nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from threading import Event, Timer

import duckdb
import pyarrow as pa

from dpduck.engines.cancellation import Interrupts
from dpduck.engines.duckdb.hardening import cursor_of
from dpduck.errors import UnsupportedSqlError
from dpduck.query.plan.compound import CompoundPlan
from dpduck.query.plan.model import RELEASE, Output, Plan
from dpduck.runtime.made_up_rows import made_up_rows
from dpduck.runtime.results import Shape, describe, shape_of, told

# What types alone decide, and DuckDB says as it runs.
_OF_TYPES = ("Unimplemented type for cast", "Invalid type specifier")
_MOST_SECONDS = 0.5  # of all that runs on made-up rows
_SOURCE = re.compile(r" when casting from source column \S+$")  # its name is not one of the query


def check_shape(shape: Shape, database: duckdb.DuckDBPyConnection) -> tuple[Output, ...]:
    """Let DuckDB bind the answer's SQL before anything is charged, to check its types.

    Input: an empty database.
    Output: the columns of the answer.
    Errors: UnsupportedSqlError.
    """
    return describe(shape.query("(SELECT CAST(NULL AS VARCHAR[]) AS row)", "row"), database)


def check_constants(
    plan: Plan | CompoundPlan, database: duckdb.DuckDBPyConnection, interrupts: Interrupts
) -> None:
    """Compute constant expressions before anything is charged: if one fails, no answer could be given.

    So are constants as values of the released columns that they are compared with.
    Input: an empty database. Errors: UnsupportedSqlError; Interrupted.
    """
    reason = None
    parts: list[Plan | CompoundPlan] = [*plan.blocks]
    if isinstance(plan, CompoundPlan):
        parts.append(plan)
    for part in parts:
        if part.constants and reason is None:
            with cursor_of(database) as cursor, interrupts.during(cursor):
                reason = _reason_of_constants(part, cursor)
            interrupts.check()
    if reason is not None:
        raise UnsupportedSqlError(
            "a constant in this query has no value",
            detail=f"DuckDB says: {reason}.",
            hint="Write another one. TRY_CAST gives NULL for what cannot be converted.",
        )


def _reason_of_constants(plan: Plan | CompoundPlan, cursor: duckdb.DuckDBPyConnection) -> str | None:
    """Return what DuckDB says of a constant that fails; None if none does, or one is no value by itself."""
    items = ", ".join(f"system.main.hash({sql})" for sql in plan.constants)
    source = ""
    if isinstance(plan, Plan):
        cursor.register("fields", next(made_up_rows(plan)).numbers.slice(0, 1))
        source = f' FROM (SELECT 1) LEFT JOIN ({Shape(plan.columns).query("fields")}) AS "{RELEASE}" ON TRUE'
    try:
        cursor.execute(f"SELECT {items}{source}").fetchall()
    except (duckdb.DataError, duckdb.InvalidInputException, duckdb.OutOfMemoryException) as error:
        return told(error)
    except duckdb.Error:
        return None
    return None


def check_answer(
    plan: Plan | CompoundPlan, database: duckdb.DuckDBPyConnection, interrupts: Interrupts
) -> None:
    """Run the answer's SQL on made-up rows, and refuse what fails on each of several tables of them.

    What has a result on one of these may have one on what is released. Released numbers may also go together
    as made-up ones do not: as parts of a total, or quantiles in order. So what has a result where they are
    NULL is refused only for its types. What takes long is not waited for.
    Input: an empty database. Errors: UnsupportedSqlError; Interrupted.
    """
    if isinstance(plan, Plan) and plan.plain:
        return
    shape, reason, nulls = shape_of(plan), None, None
    with cursor_of(database) as cursor, interrupts.during(cursor), _stopping(cursor) as stopped:
        for made_up in made_up_rows(plan):
            failed = None if stopped.is_set() else _failure(shape, made_up.numbers, cursor)
            if failed is not None and not _is_of_types(failed) and made_up.nulls is not nulls:
                nulls = made_up.nulls
                failed = _failure(shape, nulls, cursor) and failed
            if failed is None:
                interrupts.check()
                return
            reason = reason or failed
    if reason is not None:
        raise UnsupportedSqlError(
            "DuckDB cannot compute this from any released rows",
            detail=f"It says: {_SOURCE.sub('', reason)}.",
            hint="Check the types of what the query computes with. "
            "TRY_CAST gives NULL for what cannot be converted.",
        )


def _is_of_types(reason: str) -> bool:
    return any(one in reason for one in _OF_TYPES)


def _failure(shape: Shape, table: pa.Table, cursor: duckdb.DuckDBPyConnection) -> str | None:
    """Return what DuckDB says if SQL fails on these rows; None if it does not, or they are no such rows."""
    reason = None
    try:
        cursor.register("fields", table)
        cursor.execute(f"EXPLAIN ANALYZE {shape.query('fields')}").fetchall()
    except (duckdb.OutOfMemoryException, duckdb.InterruptException):
        return None
    except duckdb.Error as error:
        reason = told(error)
    with suppress(duckdb.Error):  # a made-up value is no value of its type
        cursor.execute(replace(shape, sql=None).query("fields")).fetchall()
        return reason
    return None


@contextmanager
def _stopping(cursor: duckdb.DuckDBPyConnection) -> Iterator[Event]:
    """Stop what a cursor runs after a time. Output: an event that is set then."""
    stopped = Event()

    def stop() -> None:
        stopped.set()
        cursor.interrupt()

    timer = Timer(_MOST_SECONDS, stop)
    timer.daemon = True
    timer.start()
    try:
        yield stopped
    finally:
        timer.cancel()
        timer.join()  # the cursor is closed next
