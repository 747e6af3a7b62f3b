"""Route a query of a connection to the catalog, public tables or the engine, and stream its rows back.

text -> is it about the catalog? -> PublicCatalog
             otherwise           -> Service: public rows as they are, private ones charged and drawn
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from functools import partial
from typing import TypeVar

import duckdb
import pyarrow as pa

from dpduck.answers.error_line import error_line
from dpduck.answers.intervals import ended_if_short
from dpduck.answers.results import PublicRows, ResultRows, describe, telling
from dpduck.answers.service import Service
from dpduck.compiler.parse.bind import Parameter, Parameters, Single
from dpduck.compiler.parse.effort import reading
from dpduck.compiler.parse.parameters import ParameterType, parameters_of
from dpduck.doors.console.plus_minus import rounded_error
from dpduck.doors.gateway.encoding.pgtypes import BUILTINS, ELEMENTS, pg_type
from dpduck.doors.gateway.encoding.rows import batches, batches_of, short_batches
from dpduck.doors.gateway.errors import internal_fault
from dpduck.doors.gateway.pg_catalog import Asker, PublicCatalog
from dpduck.doors.gateway.query_cache import CachedAnswer
from dpduck.doors.gateway.served_data import ServedData, ServedVersion
from dpduck.engines.duckdb.hardening import cursor_of
from dpduck.kernel.cancellation import Interrupts
from dpduck.kernel.catalog.model import Table
from dpduck.kernel.errors import DpduckError, UnknownNameError, tell_charge
from dpduck.kernel.errors.notices import Said
from dpduck.kernel.plan.model import Output, Plan
from dpduck.kernel.system.recent import Recent

T = TypeVar("T")

TYPE_NAMES = {kind.oid: kind.name for kind in BUILTINS}

_MOST_ROWS = 1_000  # of an answer that is cached, or computed in memory
_MOST_BYTES = 1024 * 1024  # of a cached answer
_MOST_STREAMS = 64  # cached answers that a connection was sent last
_MOST_TEXT = 10_000  # characters of a cached text

# An example value of each type, for planning a query before its parameters have values.
_EXAMPLES: dict[str, Single] = {
    "bool": True,
    "int2": 1,
    "int4": 1,
    "int8": 1,
    "oid": 1,
    "float4": 1.0,
    "float8": 1.0,
    "numeric": Decimal(1),
    "date": date(2000, 1, 1),
    "timestamp": datetime(2000, 1, 1),
    "timestamptz": datetime(2000, 1, 1),
}


@dataclass(frozen=True)
class RowStream:
    """A result as a stream of rows.

    `columns`: with DuckDB's types, None if there are no rows; `notices`: for the client;
    `charged`: exact epsilon; `fresh`: private rows were read.
    """

    columns: tuple[Output, ...] | None
    batches: Iterable[pa.RecordBatch]
    notices: tuple[Said, ...] = ()
    charged: str = "0"
    fresh: bool = False
    replayed: bool = False

    def only(self, names: Sequence[str] | None, most: int | None) -> RowStream:
        """The same with these columns only and at most `most` rows; None: all. Errors: UnknownNameError."""
        if names is None or self.columns is None:
            return self
        places = {column.name: place for place, column in enumerate(self.columns)}
        missing = next((name for name in names if name not in places), None)
        if missing is not None:
            raise UnknownNameError(f"the answer has no column {missing[:60]}")
        picked = [places[name] for name in names]
        columns = tuple(self.columns[place] for place in picked)
        return replace(self, columns=columns, batches=_some(self.batches, picked, most))


class Queries:
    """Answers the queries of one connection, about the version of the data that it is at.

    Input: `data`: of the server; `service_of`: makes the connection's service for a version of it; `asker`:
        returns the client's present settings.
    """

    def __init__(
        self,
        data: ServedData,
        service_of: Callable[[ServedVersion], Service],
        asker: Callable[[], Asker],
    ) -> None:
        self._served = data
        self._service_of = service_of
        self._asker = asker
        self._answers = data.answers
        self._streams = Recent[tuple[ResultRows, RowStream]](_MOST_STREAMS)
        self._version = data.enter()
        self.service = service_of(self._version)

    def follow(self) -> None:
        """Go over to the current version of the data, between two messages."""
        if self._served.is_current(self._version):
            return
        left, self._version = self._version, self._served.enter()
        self._streams.clear()
        self.service.close()
        self.service = self._service_of(self._version)
        left.leave()

    def close(self) -> None:
        """Leave the version that the connection is at."""
        self.service.close()
        self._version.leave()

    @property
    def interrupts(self) -> Interrupts:
        """The running work of the connection."""
        return self.service.interrupts

    def parameters(self, sql: str) -> tuple[ParameterType, ...]:
        """The parameters that a query takes. Errors: those of parsing it."""
        if "$" not in sql and "?" not in sql:
            return ()
        with reading(sql, self.interrupts.check):
            if self._concerns_catalog(sql):
                prepared = self._catalog().prepare(sql, self._asker())
                return tuple(ParameterType(kind) for kind in prepared.parameters)
            return parameters_of(sql, self.service.catalog())

    def columns(self, sql: str, params: Sequence[Parameter]) -> tuple[Output, ...] | None:
        """The columns of an answer; None if it has none. Charges nothing and runs nothing.

        Errors: as `run`, except those of the ledger.
        """
        if self._concerns_catalog(sql):
            return self._catalog().prepare(sql, self._asker()).columns
        return self.service.columns(sql, _bound(params))

    def known_columns(self, sql: str, params: Sequence[Parameter]) -> tuple[Output, ...] | None:
        """As `columns`, if no planning is needed; else None."""
        return self.service.known_columns(sql, _bound(params)) if self._is_private(sql) else None

    def replayed(self, sql: str, params: Sequence[Parameter] = ()) -> RowStream | None:
        """As `run`, for a query that this connection has replayed before.

        Output: None for any other query; then nothing has happened.
        """
        rows = self.service.replayed(sql, _bound(params)) if self._is_private(sql) else None
        if rows is None or rows.count > _MOST_ROWS:
            return None
        last = self._streams.get(id(rows))
        if last is not None and last[0] is rows:
            return last[1]
        if self._version.query_cache.peek(("released", rows.shape, rows.rows)) is None:
            return None
        stream = self._released(sql, None, rows)
        if isinstance(stream.batches, CachedAnswer):  # which can be sent again
            self._streams[id(rows)] = (rows, stream)
        return stream

    def run(self, sql: str, params: Sequence[Parameter] = ()) -> RowStream:
        """Answer a query, once. Errors: any DpduckError; its `charged` says what was charged."""
        if self._concerns_catalog(sql):
            query, cursor = self._catalog().open(sql, self._asker(), list(params))
            return RowStream(query.columns, batches_of(cursor))
        bound = _bound(params)
        rows = self.service.run(sql, bound)
        if isinstance(rows, PublicRows):
            return self._public(rows)
        failure: DpduckError | None = None
        try:
            return self._released(sql, bound, rows)
        except DpduckError as error:
            failure = error
        except Exception:
            failure = internal_fault()
        tell_charge(failure, rows.charged)
        raise failure

    def _is_private(self, sql: str) -> bool:
        """Whether the text is known not to be about the catalog."""
        return self._version.query_cache.peek(("concerns", sql)) is False

    def _concerns_catalog(self, sql: str) -> bool:
        if len(sql) > _MOST_TEXT:
            with reading(sql, self.interrupts.check):
                return self._version.catalog.concerns(sql)
        version = self._version
        return bool(version.query_cache.get(("concerns", sql), lambda: version.catalog.concerns(sql)))

    def _catalog(self) -> PublicCatalog:
        """What tools are shown: tables, views, and summaries as tables of synthetic rows."""
        synthetic: tuple[Table, ...] = ()
        with suppress(DpduckError):  # which the next query of data tells
            synthetic = self.service.synthetic_tables()
        return self._version.showing(synthetic)

    def _public(self, rows: PublicRows) -> RowStream:
        if len(rows.sql) > _MOST_TEXT:
            columns = describe(rows.sql, self._version.source.connection)
        else:
            columns = self.service.public_columns(rows)
        batches = self._batches(cursor_of(self._version.source.connection), rows.sql, columns, "0")
        return RowStream(columns, batches, rows.notices)

    def _released(self, sql: str, params: Parameters, rows: ResultRows) -> RowStream:
        columns = rows.columns or self.service.columns(sql, params)
        if columns is None:
            return RowStream(None, iter(()), rows.notices, rows.charged, rows.fresh, rows.replayed)
        made, errors = self._made(rows, columns), error_line(rows, rounded_error, partial(self._ended, rows))
        notices = rows.notices if errors is None else (errors, *rows.notices)
        return RowStream(columns, made, notices, rows.charged, rows.fresh, rows.replayed)

    def _ended(self, rows: ResultRows) -> pa.Table | None:
        """The answer with the ends of its intervals, if it is short; that of a replay is cached."""
        if not rows.replayed or rows.count > _MOST_ROWS or not isinstance(rows.plan, Plan):
            return ended_if_short(rows, self._answers, self.interrupts)
        key = ("ended", rows.shape, rows.plan.ends_sql, rows.rows)
        find = partial(ended_if_short, rows, self._answers, self.interrupts)
        return self._version.query_cache.get(key, find)

    def _made(self, rows: ResultRows, columns: Sequence[Output]) -> Iterable[pa.RecordBatch]:
        """The answer computed from released rows; that of a short replay is cached, since it is repeated."""
        if not rows.replayed or rows.count > _MOST_ROWS:
            return self._evaluated(rows, columns)
        key = ("released", rows.shape, rows.rows)
        kept = self._version.query_cache.peek(key)
        if isinstance(kept, CachedAnswer):
            return kept
        few = self._few(rows, columns)
        if few is None:
            return self._many(rows, columns)
        if sum(batch.nbytes for batch in few) > _MOST_BYTES:
            return few
        return self._version.query_cache.get(key, lambda: CachedAnswer(few))

    def _evaluated(self, rows: ResultRows, columns: Sequence[Output]) -> Iterator[pa.RecordBatch]:
        few = None if rows.count > _MOST_ROWS else self._few(rows, columns)
        yield from self._many(rows, columns) if few is None else few

    def _few(self, rows: ResultRows, columns: Sequence[Output]) -> list[pa.RecordBatch] | None:
        """The answer computed from few rows: as a parameter, they take half the time of a table.

        Output: None if the answer has more rows than are computed in memory: joined with themselves, a
        hundred rows are a million.
        """
        sql = rows.shape.query("(SELECT unnest(CAST(? AS VARCHAR[][])) AS row)", "row")
        limited = f"SELECT * FROM ({sql}\n) LIMIT {_MOST_ROWS + 1}"
        given = [[list(row) for row in rows.rows]]
        with self._answers.cursor() as cursor, telling(rows.charged), self.interrupts.during(cursor):
            made = list(short_batches(cursor, limited, columns, given))
        return None if sum(batch.num_rows for batch in made) > _MOST_ROWS else made

    def _many(self, rows: ResultRows, columns: Sequence[Output]) -> Iterator[pa.RecordBatch]:
        cursor = self._answers.cursor()
        cursor.register("fields", rows.table)
        return self._batches(cursor, rows.shape.query("fields"), columns, rows.charged)

    def _batches(
        self, cursor: duckdb.DuckDBPyConnection, sql: str, columns: Sequence[Output], charged: str
    ) -> Iterator[pa.RecordBatch]:
        """Stream rows that are public already. Errors: UnsupportedSqlError."""
        with cursor, telling(charged), self.interrupts.during(cursor):
            yield from batches(cursor, sql, columns)


def _some(
    batches: Iterable[pa.RecordBatch], picked: Sequence[int], most: int | None
) -> Iterator[pa.RecordBatch]:
    """Selected columns of the first rows."""
    left = most
    for batch in batches:
        if left is not None:
            batch = batch.slice(0, left)
            left -= batch.num_rows
        yield batch.select(picked)


def examples(wanted: Sequence[ParameterType], oids: Sequence[int]) -> list[Parameter]:
    """An example value for each parameter, for planning a query without values. Input: their types."""
    return [_example(one, oid) for one, oid in zip(wanted, oids, strict=True)]


def _example(wanted: ParameterType, oid: int) -> Parameter:
    if wanted.example is not None and pg_type(wanted.type).oid == oid:
        return wanted.example
    element = ELEMENTS.get(oid)
    if element is not None:
        return [_EXAMPLES.get(element.name, "")]
    return _EXAMPLES.get(TYPE_NAMES.get(oid, ""), "")


def _bound(params: Sequence[Parameter]) -> Parameters:
    return list(params) or None
