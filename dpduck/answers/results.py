"""Results: rows with the names and types that plain DuckDB would give them.

Released rows travel as text, which casts back to the columns' types without loss, into a separate DuckDB
database that holds nothing else. There the answer's own SQL (ORDER BY, HAVING, arithmetic, outer
queries) runs over them, and the result is returned as any DuckDB result: tuples, Arrow or pandas.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

import duckdb
import pyarrow as pa

from dpduck.engines.duckdb.carried import (
    LOST_BY_ARROW,
    LOST_BY_NUMPY,
    LOST_BY_POLARS,
    LOST_BY_PYTHON,
    LOST_WHEN_SHOWN,
    carried,
    is_lost,
    typed,
)
from dpduck.engines.duckdb.database import Database
from dpduck.engines.duckdb.hardening import compute_little_ahead, cursor_of
from dpduck.kernel.arrow.arrays import texts_of
from dpduck.kernel.arrow.strings import text_rows as released_text
from dpduck.kernel.cancellation import Interrupted, Interrupts
from dpduck.kernel.errors import UnsupportedSqlError, tell_charge
from dpduck.kernel.errors.missing import needed
from dpduck.kernel.errors.notices import Said
from dpduck.kernel.plan.compound import BLOCKS, CompoundPlan
from dpduck.kernel.plan.model import RELEASE, Filter, Output, Plan
from dpduck.kernel.tree import emit

Row = Sequence[str | None]
_ROWS_OF_HEAD = 256  # at once, where bytes are bounded: a value may be long
_SOURCE = re.compile(r" when casting from source column \S+$")  # its name is often not one of the query
_ROW = re.compile(r"\"(.+)\" does not have a column named \"\1\"")  # a row, which DuckDB reads as a struct
_ZONED = "TIMESTAMP WITH TIME ZONE"


@dataclass(frozen=True)
class Shape:
    """Columns, and SQL over them as a table for the answer; None: they are the answer."""

    columns: tuple[Output, ...]
    sql: str | None = None
    name: str = RELEASE

    def query(self, source: str, row: str | None = None) -> str:
        """The answer as SQL.

        Input: SQL of a relation with columns c0, c1, ..., or, with `row`, with that list of strings per row.
        """
        typed = f"SELECT {cast_list(self.columns, row)} FROM {source}"
        return typed if self.sql is None else f'WITH "{self.name}" AS ({typed}) {self.sql}'


@dataclass(frozen=True)
class ResultRows:
    """Public rows: a table with columns c0, c1, ... that cast to those of the shape, such as text.

    `charged`: the exact epsilon, as text, that was spent on them; `notices`: for the user; `fresh`: private
    rows were read for them; `replayed`: they are of an earlier answer; `columns`: of the answer, with
    DuckDB's types, if known; `plan`: by which they were released, if they were; `errors`: what the error of
    each column stays within at 95 %, where the plan does not say it; `noise`: the plan with the noise that
    the numbers have, which are of an earlier answer; None of those of a summary.
    """

    shape: Shape
    table: pa.Table
    charged: str = "0"
    notices: tuple[Said, ...] = ()
    fresh: bool = False
    replayed: bool = False
    columns: tuple[Output, ...] = ()
    plan: Plan | CompoundPlan | None = field(default=None, compare=False, repr=False)
    errors: Mapping[str, float] | None = field(default=None, compare=False, repr=False)
    noise: Plan | CompoundPlan | None = field(default=None, compare=False, repr=False)

    @property
    def count(self) -> int:
        """The number of rows before the shape's SQL is applied."""
        return int(self.table.num_rows)

    @cached_property
    def rows(self) -> tuple[tuple[str | None, ...], ...]:
        """The rows as text."""
        return tuple(released_text(self.table))


@dataclass(frozen=True)
class PublicRows:
    """A query on public tables, to be run on the engine that has them. `notices`: for the user."""

    sql: str
    notices: tuple[Said, ...] = ()


def shape_of(plan: Plan | CompoundPlan) -> Shape:
    """The columns that a plan releases, and the answer's SQL."""
    return Shape(plan.columns, plan.answer_sql, RELEASE if isinstance(plan, Plan) else BLOCKS)


def describe(sql: str, database: Database) -> tuple[Output, ...]:
    """The columns of a query, which is bound but not run. Errors: UnsupportedSqlError."""
    with cursor_of(database) as cursor:
        _run(cursor, f"DESCRIBE {sql}", "0")
        return tuple(Output(str(row[0]), str(row[1])) for row in cursor.fetchall())


def evaluate(
    condition: str, columns: Sequence[Output], rows: Sequence[Row], database: duckdb.DuckDBPyConnection
) -> list[bool] | None:
    """Whether each row of public values meets a condition on them; None if DuckDB cannot tell.

    Input: SQL over the columns, as of table `answer`; an empty database.
    """
    table = pa.table({"row": pa.array(rows, type=pa.list_(pa.string()))})
    typed = f'(SELECT {cast_list(columns, "row")} FROM fields) AS "{RELEASE}"'
    with database.cursor() as cursor, suppress(duckdb.Error):
        cursor.register("fields", table)
        return [met for (met,) in cursor.execute(f"SELECT ({condition}) IS TRUE FROM {typed}").fetchall()]
    return None


def unmet(
    filters: Sequence[Filter], rows: ResultRows, database: duckdb.DuckDBPyConnection, interrupts: Interrupts
) -> Filter | None:
    """The first filter of a block that no released group meets; None if all are met, or DuckDB cannot tell.

    Input: the filters of a block that has released groups; the rows of the answer; a database that holds
        nothing else.
    """
    with (
        telling(rows.charged),
        database.cursor() as cursor,
        interrupts.during(cursor),
        suppress(duckdb.Error),
    ):
        cursor.register("fields", rows.table)
        for one in filters:
            if cursor.execute(replace(rows.shape, sql=one.sql).query("fields")).fetchone() is None:
                return one
    return None


def _run(connection: duckdb.DuckDBPyConnection, sql: str, charged: str) -> None:
    """Run SQL over public rows, whose errors may be shown. Errors: UnsupportedSqlError."""
    with telling(charged):
        connection.execute(sql)


def told(error: duckdb.Error) -> str:
    """What may be shown of DuckDB's error over public rows, without a full stop."""
    if isinstance(error, duckdb.OutOfMemoryException):
        return "Out of Memory Error"  # its text would reveal how much memory others use
    return _SOURCE.sub("", str(error).strip().splitlines()[0].rstrip("."))


def advice_of(reason: str, advice: str) -> str:
    """What to do where DuckDB says a reason, as `told` gives it. Input: what helps with types."""
    row = _ROW.search(reason)
    if row is not None:
        return f"A whole row is no value here. Write {row[1]}.*, or columns of {row[1]} by their names."
    if reason.startswith("Binder Error: Referenced column"):
        return "Check the name: columns of a subquery are called as it calls them."
    if reason.startswith("Conversion Error"):
        return f"{advice} TRY_CAST gives NULL for what cannot be converted."
    is_of_value = reason.startswith(("Invalid Input Error", "Out of Range Error", "Not implemented Error"))
    return "Check the values that the query computes with." if is_of_value else advice


@contextmanager
def telling(charged: str = "0") -> Iterator[None]:
    """Translate DuckDB's errors over public rows, and say of a stop what was charged by then.

    Errors: UnsupportedSqlError; Interrupted.
    """
    reason = None
    try:
        yield
    except Interrupted as stop:
        tell_charge(stop, charged)
        raise
    except duckdb.Error as error:
        reason = told(error)
    if reason is None:
        return
    raise UnsupportedSqlError(
        "DuckDB cannot compute this from the released or public rows",
        detail=f"It says: {reason}.",
        hint=advice_of(reason, "Check the types of what the query computes with."),
        charged=charged,
    )


def text_shape(names: Sequence[str]) -> Shape:
    """Columns of VARCHAR."""
    return Shape(tuple(Output(name, "VARCHAR") for name in names))


def text_rows(names: Sequence[str], rows: Iterable[Row]) -> ResultRows:
    """Rows of VARCHAR columns."""
    return ResultRows(text_shape(names), text_table(rows, len(names)))


def text_table(rows: Iterable[Row], width: int) -> pa.Table:
    """Rows of text as a table with columns c0, c1, ...."""
    columns = list(zip(*rows, strict=True)) or [()] * width
    return pa.table([texts_of(column) for column in columns], [f"c{i}" for i in range(width)])


def cast_list(outputs: Sequence[Output], row: str | None) -> str:
    """The select list of typed columns, from c0, c1, ..., or from a list of strings named `row`."""
    return ", ".join(
        f'CAST({f"c{i}" if row is None else f"{row}[{i + 1}]"} AS {output.type}) AS "{_doubled(output.name)}"'
        for i, output in enumerate(outputs)
    )


def _doubled(name: str) -> str:
    return name.replace('"', '""')


def _in_utc(cell: object) -> object:
    """A time with a zone, of one without. DuckDB gives text where Python has no such year."""
    if isinstance(cell, str):
        return f"{cell}+00"
    return cell.replace(tzinfo=UTC) if isinstance(cell, datetime) else cell


class Result:
    """Rows with the interface of a DuckDB cursor.

    Input: `open_cursor` opens one that can run the query; `charged`: what it cost, for errors;
        `interrupts` can stop it.
    Errors: UnsupportedSqlError if DuckDB cannot compute the answer from the rows.
    """

    def __init__(
        self,
        query: str,
        open_cursor: Callable[[], duckdb.DuckDBPyConnection],
        charged: str = "0",
        interrupts: Interrupts | None = None,
    ) -> None:
        self._query, self._charged = query, charged
        self._open = open_cursor
        self._interrupts = interrupts or Interrupts()
        self._connection = open_cursor()
        with telling(charged), self._interrupts.during(self._connection):
            _run(self._connection, query, charged)
        self.description = self._connection.description or []  # as in the DB-API
        self._zoned = {i for i, column in enumerate(self.description) if str(column[1]) == _ZONED}
        self._rows: duckdb.DuckDBPyConnection | None = None

    @classmethod
    def of_rows(
        cls, rows: ResultRows, database: duckdb.DuckDBPyConnection, interrupts: Interrupts | None = None
    ) -> Result:
        """The answer computed from released rows. Input: a database that holds nothing else."""
        table = rows.table

        def open_cursor() -> duckdb.DuckDBPyConnection:
            cursor = database.cursor()
            cursor.register("fields", table)
            return cursor

        return cls(rows.shape.query("fields"), open_cursor, rows.charged, interrupts)

    def fetchall(self) -> list[tuple[Any, ...]]:
        """The remaining rows."""
        return [self._aware(row) for row in self._opened().fetchall()]

    def fetchone(self) -> tuple[Any, ...] | None:
        """The next row, or None."""
        row = self._opened().fetchone()
        return None if row is None else self._aware(row)

    def fetchmany(self, size: int) -> list[tuple[Any, ...]]:
        """The next rows, at most so many."""
        return [self._aware(row) for row in self._opened().fetchmany(size)]

    def _opened(self) -> duckdb.DuckDBPyConnection:
        """The cursor whose rows are fetched. DuckDB can make no Python value of a time with a zone by itself.

        So it is read as a TIMESTAMP in UTC.
        """
        if self._rows is None:
            query = carried(self._query, self.description, LOST_BY_PYTHON) if self._is_beyond_python() else ""
            self._rows = self._connection if not (self._zoned or query) else self._open()
            if self._zoned or query:
                names = [f"c{i}" for i in range(len(self.description))]
                utc = emit.string("UTC")
                items = (
                    emit.call("timezone", utc, name) if i in self._zoned else name
                    for i, name in enumerate(names)
                )
                query = f"SELECT {', '.join(items)} FROM ({query or self._query}) AS t({', '.join(names)})"
                with telling(self._charged), self._interrupts.during(self._rows):
                    _run(self._rows, query, self._charged)
        return self._rows

    def _is_beyond_python(self) -> bool:
        """Whether an interval is longer than Python's longest timedelta, which ends the reading of rows."""
        if not any(is_lost(column[1], LOST_BY_PYTHON) for column in self.description):
            return False
        with self._open() as cursor, suppress(duckdb.Error):
            try:
                cursor.execute(self._query).fetchall()
            except OverflowError:
                return True
        return False

    def _aware(self, row: tuple[Any, ...]) -> tuple[Any, ...]:
        if not self._zoned:
            return row
        return tuple(_in_utc(cell) if i in self._zoned else cell for i, cell in enumerate(row))

    def df(self) -> Any:
        """All rows as a pandas DataFrame. Errors: ParameterError without pandas."""
        needed("pandas")
        return self._in_numpy(lambda cursor: cursor.df())

    def pl(self) -> Any:
        """All rows as a polars DataFrame. Errors: ParameterError without polars."""
        polars = needed("polars")
        return polars.from_arrow(self._table(carried(self._query, self.description, LOST_BY_POLARS)))

    def numpy(self) -> dict[str, Any]:
        """All rows as NumPy arrays, by column."""
        return dict(self._in_numpy(lambda cursor: cursor.fetchnumpy()))

    def arrow(self) -> pa.Table:
        """All rows as an Arrow table. What Arrow has no value for is text."""
        return self._table(carried(self._query, self.description, LOST_BY_ARROW))

    def batches(self, rows: int) -> pa.RecordBatchReader:
        """All rows as record batches of at most so many."""
        table = self.arrow()
        return pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=rows))

    def shown(self, most: int | None = None, most_bytes: int | None = None) -> pa.Table:
        """All rows, or the first ones, for `console.tables` to show as DuckDB writes them.

        Input: bytes after which no more rows are read: what comes is that large, or not much larger.
        """
        query = carried(self._query, self.description, LOST_WHEN_SHOWN)
        return typed(self._table(query, most, most_bytes), self.description, LOST_WHEN_SHOWN)

    def _table(self, query: str, most: int | None = None, most_bytes: int | None = None) -> pa.Table:
        with telling(self._charged), self._open() as cursor, self._interrupts.during(cursor):
            if most_bytes is not None:
                compute_little_ahead(cursor)
            relation = cursor.sql(query)
            relation = relation if most is None else relation.limit(most)
            if most_bytes is None:
                return relation.to_arrow_table()
            reader = relation.to_arrow_reader(_ROWS_OF_HEAD)
            size, batches = 0, []
            for batch in reader:
                batches.append(batch)
                size += batch.nbytes
                if size > most_bytes:
                    break
            return pa.Table.from_batches(batches, reader.schema)

    def _in_numpy(self, read: Callable[[duckdb.DuckDBPyConnection], Any]) -> Any:
        """What a cursor reads by way of NumPy; with columns as text where NumPy cannot hold a value."""
        with telling(self._charged):
            lost = suppress(duckdb.NotSupportedError, duckdb.ConversionException)
            with lost, self._again(self._query) as cursor:
                return read(cursor)
            with self._again(carried(self._query, self.description, LOST_BY_NUMPY)) as cursor:
                return read(cursor)

    @contextmanager
    def _again(self, query: str) -> Iterator[duckdb.DuckDBPyConnection]:
        """A cursor that has run the query."""
        with self._open() as cursor, self._interrupts.during(cursor):
            _run(cursor, query, self._charged)
            yield cursor

    def close(self) -> None:
        """Release the cursor."""
        for cursor in filter(None, (self._connection, self._rows)):
            cursor.close()
