"""What is found out about an answer's SQL before anything is charged for it, in an empty database.

DuckDB binds it, which gives the columns of the answer; constants are computed; and all of it runs on rows
that are made up, beside those of public tables. What fails on each of these would be charged for nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from threading import Event, Timer

import duckdb
import pyarrow as pa

from dpduck.answers.made_up_rows import MadeUpRows, made_up_rows
from dpduck.answers.results import Shape, advice_of, describe, shape_of, told
from dpduck.compiler.public.unknown_conditions import passing_unknown
from dpduck.engines.duckdb.hardening import cursor_of
from dpduck.kernel.cancellation import Interrupts
from dpduck.kernel.errors import UnsupportedSqlError
from dpduck.kernel.plan.compound import CompoundPlan
from dpduck.kernel.plan.model import RELEASE, Output, Plan

# What types alone decide, and DuckDB says as it runs.
_OF_TYPES = ("Unimplemented type for cast", "Invalid type specifier")
_OF_ROWS = "More than one row"  # which conditions would leave out
_MOST_SECONDS = 20  # of all that runs on made-up rows, which are few


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
            hint=advice_of(reason, "Write another one."),
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
    plan: Plan | CompoundPlan,
    database: duckdb.DuckDBPyConnection,
    interrupts: Interrupts,
    beside: Sequence[pa.Table] = (),
) -> None:
    """Run the answer's SQL on made-up rows, and refuse what fails on each of several tables of them.

    What has a result on one of these may have one on what is released. Several released numbers may also go
    together as made-up ones do not: as parts of a total, or quantiles in order. So what has a result where
    they are NULL is refused only for its types, or if it has none once conditions on numbers leave rows. What
    cannot be tried in a time that is long for so few rows is refused.
    Input: an empty database; the rows of the plan's public tables, as text.
    Errors: UnsupportedSqlError; Interrupted.
    """
    if isinstance(plan, Plan) and plan.plain:
        return
    with cursor_of(database) as cursor, interrupts.during(cursor), _stopping(cursor) as stopped:
        is_single = isinstance(plan, Plan) and len(plan.requests) == 1
        trial = _Rehearsal(shape_of(plan), lambda: made_up_rows(plan, beside), cursor, stopped, is_single)
        reason = trial.reason_of_all() or trial.reason_behind_conditions()
    interrupts.check()
    if reason is None and stopped.is_set():
        raise UnsupportedSqlError(
            "DuckDB takes too long to compute this",
            detail=f"It was not done after {_MOST_SECONDS} seconds with a few made-up rows.",
            hint="Ask for less, and compute with the answer.",
        )
    if reason is not None:
        raise UnsupportedSqlError(
            "DuckDB cannot compute this from any released rows",
            detail=f"It says: {reason}.",
            hint=advice_of(reason, "Check the types of what the query computes with."),
        )


@dataclass(frozen=True)
class _Rehearsal:
    """SQL over released columns, and made-up tables on which a cursor tries it until it is stopped.

    `is_single`: there is one released number in each row.
    """

    shape: Shape
    tables: Callable[[], Iterator[MadeUpRows]]
    cursor: duckdb.DuckDBPyConnection
    stopped: Event
    is_single: bool

    def reason_of_all(self) -> str | None:
        """Return what DuckDB says first if it fails on all tables; None if it does not."""
        nulls, reasons, has_value = None, list[str](), False
        for made_up in self.tables():
            failed = self._failure(self.shape, made_up.numbers)
            if self.stopped.is_set():
                break
            if failed is None:
                return None
            reasons.append(failed)
            if not _is_of_types(failed) and made_up.nulls is not nulls:
                nulls = made_up.nulls
                has_value |= self._failure(self.shape, nulls) is None
            if has_value and not self._is_of_all(reasons):
                return None
        return reasons[0] if reasons else None

    def _is_of_all(self, reasons: Sequence[str]) -> bool:
        """Whether a failure has nothing to do with the number of a row: it is the same for each."""
        return self.is_single and len(set(reasons)) == 1

    def reason_behind_conditions(self) -> str | None:
        """Return what DuckDB says if it fails wherever conditions on numbers leave rows; None if it does not.

        So it does if it fails where numbers, and so conditions on them, are unknown and let rows through, and
        in the same way with some numbers.
        """
        passing = None if self.shape.sql is None else passing_unknown(self.shape.sql)
        if passing is None:
            return None
        shape, nulls, reasons = replace(self.shape, sql=passing), None, set[str]()
        for made_up in self.tables():
            if made_up.nulls is nulls:
                continue
            nulls = made_up.nulls
            failed = self._failure(shape, nulls)
            if failed is None or _OF_ROWS in failed or self.stopped.is_set():
                return None
            reasons.add(failed)
        found = (self._failure(self.shape, made_up.numbers) for made_up in self.tables())
        return next((failed for failed in found if failed in reasons), None)

    def _failure(self, shape: Shape, table: pa.Table) -> str | None:
        """Return what DuckDB says if SQL fails on these rows; None if not, or if they are no such rows."""
        if self.stopped.is_set():
            return None
        reason = None
        try:
            self.cursor.register("fields", table)
            self.cursor.execute(f"EXPLAIN ANALYZE {shape.query('fields')}").fetchall()
        except (duckdb.OutOfMemoryException, duckdb.InterruptException):
            return None
        except duckdb.Error as error:
            reason = told(error)
        with suppress(duckdb.Error):  # a made-up value is no value of its type
            self.cursor.execute(replace(shape, sql=None).query("fields")).fetchall()
            return reason
        return None


def _is_of_types(reason: str) -> bool:
    return any(one in reason for one in _OF_TYPES)


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
