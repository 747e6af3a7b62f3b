"""A cursor: runs statements of a session, and holds the answer of the last one.

Two kinds of methods read an answer. `fetchone`, `fetchmany`, `fetchall` and iteration go on where the one
before stopped, as in the DB-API. All others, and what Jupyter and terminals show, are of the whole answer,
however often they are called: they move nothing and cost nothing, as they read released rows alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import pyarrow as pa

from dpduck.answers.arguments import text_of
from dpduck.answers.error_line import COMPUTED, error_line
from dpduck.answers.intervals import ended_if_short, ends_of, errors_of, groups_of, with_intervals
from dpduck.answers.results import PublicRows, Result, ResultRows
from dpduck.answers.service import Parameters, Service
from dpduck.doors.connection.display import ShownAnswer, ShownExplanation
from dpduck.doors.connection.door import door, showing
from dpduck.doors.console.plus_minus import rounded_error
from dpduck.doors.console.tables import MAX_ROWS
from dpduck.kernel.catalog.statements import PolicyStatement
from dpduck.kernel.errors import DpduckError, ParameterError, UnsupportedSqlError
from dpduck.kernel.errors.advice import Audience
from dpduck.kernel.errors.missing import needed
from dpduck.kernel.errors.notices import Brief, Said, brief_of, full_text

if TYPE_CHECKING:
    from dpduck.doors.connection.connection import Connection

_BATCH = 1_000_000  # rows, as in DuckDB


class Cursor:
    """Runs statements one after another, as a cursor of the DB-API, and of DuckDB, does.

    `charged`: the exact epsilon, as text, that the last statement was charged. `arraysize`: how many rows
    `fetchmany` returns. `rowcount`: -1, as the number of rows is not known before they are fetched.
    """

    arraysize = 1
    rowcount = -1
    lastrowid = None

    def __init__(self, service: Service, connection: Connection | None = None) -> None:
        self._service = service
        self._owner = connection
        self._result: Result | None = None
        self._rows: ResultRows | None = None
        self._is_closed = False
        self.charged = "0"
        self._notices: tuple[Said, ...] = ()

    # --- statements ------------------------------------------------------------------------------

    @door
    def execute(self, sql: str | PolicyStatement | Any, params: Parameters = None) -> Self:
        """Run one statement: SELECT, EXPLAIN, SET, SHOW, or for the owner one or more policy statements.

        Several policy statements take effect as a whole or not at all.
        A SELECT is charged before any private row is read.

        Input: the text of a statement, an expression of Ibis, or a policy as an object; `params`: the values
            of ? or $1 in order, or of $name by name.
        Errors: any DpduckError; its `charged` says what was charged.
        """
        self._check_open()
        self._close_result()
        self.charged, self._notices = "0", ()
        try:
            statement = sql if isinstance(sql, PolicyStatement) else _text(sql, "the statement")
            rows = self._service.run(statement, params)
        except DpduckError as error:
            self.charged = error.charged
            raise
        self.charged = rows.charged if isinstance(rows, ResultRows) else "0"
        remarks = () if self.connection is None else self.connection.take_remarks()
        self._notices = (*remarks, *rows.notices)
        interrupts = self._service.interrupts
        if isinstance(rows, PublicRows):
            open_public = partial(self._service.open_public, rows.sql)
            self._result = Result(rows.sql, open_public, interrupts=interrupts)
        else:
            self._result = Result.of_rows(rows, self._service.scratch, interrupts)
            self._rows = rows
        return self

    @door
    def executemany(self, sql: str, params: object = None) -> Self:
        """Refuse to run one statement many times: each would be a charge of its own.

        Errors: UnsupportedSqlError.
        """
        del sql, params
        raise UnsupportedSqlError(
            "executemany does not run a query many times",
            detail="Each run would be a charge of its own, and only the last answer would be kept.",
            hint="Call execute for each, or ask once with IN (...) or GROUP BY.",
        )

    @door
    def explain(self, sql: str | Any, params: Parameters = None) -> ShownExplanation:
        """What a query would do, cost and be worth. Charges nothing and reads no private row.

        Input and errors: as of `execute`.
        """
        self._check_open()
        return ShownExplanation(**vars(self._service.explain(_text(sql, "the query"), params)))

    @property
    def notices(self) -> list[str]:
        """All there was to say of the last statement; the answer itself shows what weighs most, in short."""
        return self.notices_for(Audience.SQL)

    def notices_for(self, audience: Audience) -> list[str]:
        """The notices in the words of an audience."""
        return [full_text(notice, audience) for notice in self._notices]

    def brief_for(self, audience: Audience = Audience.SQL, *, errors: bool = False) -> Brief:
        """What is shown of the notices to an audience. Input: whether errors are shown beside numbers."""
        if not errors or self._rows is None:
            return brief_of(self._notices, audience)
        names = [column.name for column in self._rows.columns]
        beside = {*(names[place] for place in ends_of(self._rows)), *errors_of(self._rows)}
        brief = brief_of(self._notices, audience, beside)
        is_plain = self.error_line == COMPUTED  # numbers that look as if they were exact
        return replace(brief, lines=(*brief.lines, COMPUTED)) if is_plain else brief

    @property
    def error_line(self) -> str | None:
        """How far off the numbers of the answer may be, in one line; None if there is no noise in it."""
        rows, service = self._rows, self._service
        if rows is None:
            return None
        return error_line(
            rows, rounded_error, lambda: ended_if_short(rows, service.scratch, service.interrupts)
        )

    @property
    def connection(self) -> Connection | None:
        """The connection that this is a cursor of."""
        return self._owner

    # --- the rows, one after another -------------------------------------------------------------

    @property
    def description(self) -> list[tuple[Any, ...]] | None:
        """Names and types of the last answer's columns, as in the DB-API; None if there is none."""
        return None if self._result is None else self._result.description

    @door
    def fetchone(self) -> tuple[Any, ...] | None:
        """The next row, or None. Errors: ParameterError if there is no answer."""
        return self._last().fetchone()

    @door
    def fetchmany(self, size: int | None = None) -> list[tuple[Any, ...]]:
        """The next rows, at most `size` (default: `arraysize`); none if all were fetched."""
        return self._last().fetchmany(self.arraysize if size is None else size)

    @door
    def fetchall(self) -> list[tuple[Any, ...]]:
        """The rows that were not fetched yet."""
        return self._last().fetchall()

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        while (row := self.fetchone()) is not None:
            yield row

    # --- the whole answer ------------------------------------------------------------------------

    @door
    def arrow(self) -> pa.Table:
        """The whole answer as an Arrow table."""
        return self._last().arrow()

    @showing
    def df(self) -> Any:
        """The whole answer as a pandas DataFrame (needs pandas)."""
        return self._last().df()

    @showing
    def pl(self) -> Any:
        """The whole answer as a polars DataFrame (needs polars)."""
        return self._last().pl()

    fetchdf = df
    fetch_df = df
    fetch_arrow_table = arrow
    to_arrow_table = arrow

    @showing
    def fetchnumpy(self) -> dict[str, Any]:
        """The whole answer as NumPy arrays, by the names of its columns."""
        return self._last().numpy()

    @door
    def fetch_record_batch(self, rows_per_batch: int = _BATCH) -> pa.RecordBatchReader:
        """The whole answer as Arrow record batches of at most so many rows."""
        return self._last().batches(rows_per_batch)

    @showing
    def intervals(self) -> pa.Table:
        """The answer, and beside each released number the ends of its 95 % interval.

        Output: the columns of the answer, and for column `n` also `n_low` and `n_high`. `notices` and
            EXPLAIN say what an interval covers where that is less than the true number.
        Errors: UnsupportedSqlError if the answer has no interval.
        """
        self._last()
        return with_intervals(self._rows, self._service.scratch, self._service.interrupts)

    @showing
    def box(self, width: int | None = None, rows: int = MAX_ROWS) -> str:
        """The answer as the command line draws it: a box in which each released number has its error.

        Input: how many columns of a terminal it may take (None: any), and how many rows it shows: of more,
            the first and the last half.
        """
        self._last()
        return self._shown().box(width, rows)

    @showing
    def shown_table(self, *, intervals: bool = False) -> pa.Table:
        """The answer for `console.tables.render`, which writes each value as DuckDB does.

        Input: whether the ends of intervals stand beside the numbers, as of `intervals`, whose errors it has.
        """
        result = self._last()
        if not intervals:
            return result.shown()
        return with_intervals(self._rows, self._service.scratch, self._service.interrupts, shown=True)

    @showing
    def plot(self, x: str | None = None, y: str | None = None) -> Any:
        """A picture of the answer: bars with error bars, or a line with a band for dates (needs matplotlib).

        Input: the columns of the groups (default: the first key), and of the number
            (default: the first that is released).
        Output: the axes of matplotlib, which may be changed.
        Errors: UnsupportedSqlError if the answer has no interval; ParameterError for other columns.
        """
        from dpduck.doors.page.pictures import draw_answer

        table = self.shown_table(intervals=True)
        return draw_answer(table, x, y, groups_of(self._rows))

    def __repr__(self) -> str:
        return self._shown().text() or super().__repr__()

    def _repr_html_(self) -> str | None:
        """What Jupyter shows: the answer with its errors, its cost, and what remains."""
        return self._shown().html()

    def _shown(self) -> ShownAnswer:
        return ShownAnswer(self._result, self._rows, self._service, self.brief_for(errors=True), self.charged)

    # --- its end ---------------------------------------------------------------------------------

    def close(self) -> None:
        """Close the cursor. What was charged is on record already."""
        self._close_result()
        self._is_closed = True

    def setinputsizes(self, sizes: object) -> None:
        """Do nothing, as the DB-API allows."""

    def setoutputsize(self, size: int, column: int | None = None) -> None:
        """Do nothing, as the DB-API allows."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _check_open(self) -> None:
        """Errors: ParameterError."""
        if self._is_closed or (self._owner is not None and self._owner._is_closed):
            raise ParameterError("the connection or cursor is closed", hint="Open another one.")

    def _last(self) -> Result:
        self._check_open()
        if self._result is None:
            raise ParameterError(
                "there is no result",
                detail="No statement has run, or the last one was refused.",
                hint="Call execute first.",
            )
        return self._result

    def _close_result(self) -> None:
        if self._result is not None:
            self._result.close()
            self._result = self._rows = None


def _text(statement: object, name: str) -> str:
    """The text of a statement; an expression of Ibis as the SQL that it means. Errors: ParameterError."""
    if type(statement).__module__.startswith("ibis."):
        return str(needed("ibis").to_sql(statement, dialect="duckdb"))
    return text_of(statement, name)
