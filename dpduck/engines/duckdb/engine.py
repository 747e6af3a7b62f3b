"""DuckDB as the engine: each answer is read on its own cursor."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import duckdb
import pyarrow as pa

from dpduck.engines.duckdb.database import Database
from dpduck.engines.duckdb.hardening import cursor_of
from dpduck.kernel.cancellation import Interrupts
from dpduck.kernel.engine import Engine, ScoreReader
from dpduck.kernel.system.python_turns import waiting
from dpduck.kernel.tree.duckdb import sql
from dpduck.kernel.tree.emit import GIVEN, HELD, short_name
from dpduck.kernel.tree.relations import SelectQuery

_GIVEN_NAME = short_name(GIVEN)
_ANY_TABLE = "SELECT table_oid FROM duckdb_tables() LIMIT 1"


class DuckEngine(Engine):
    """The database of a connection. Temporary tables belong to one cursor, and need no write access.

    All reads of an answer see one snapshot of the data, from when the reader was opened, in a transaction
    that is rolled back.
    """

    def __init__(self, connection: Database) -> None:
        self._connection = connection

    @contextmanager
    def open(self, interrupts: Interrupts) -> Iterator[ScoreReader]:
        with cursor_of(self._connection) as cursor:
            if interrupts.followed:
                _count_progress(cursor)
            cursor.begin()
            cursor.execute(_ANY_TABLE).fetchall()  # a transaction sees what is there when it first reads
            try:
                yield DuckReader(cursor, interrupts)
            finally:
                cursor.rollback()

    def check(self, query: SelectQuery) -> None:
        """Score SQL is DuckDB's SQL already, so there is nothing to check."""

    def rows(self, query: SelectQuery) -> Sequence[Sequence[Any]]:
        with cursor_of(self._connection) as cursor:
            return cursor.execute(sql(query)).fetchall()

    def open_public(self, sql: str) -> duckdb.DuckDBPyConnection:  # noqa: ARG002 (one database)
        return cursor_of(self._connection)


def _count_progress(cursor: duckdb.DuckDBPyConnection) -> None:
    """Let DuckDB track its progress without printing. The caller's own connection may forbid the setting."""
    with suppress(duckdb.Error):
        cursor.execute("SET enable_progress_bar = true")
        cursor.execute("SET enable_progress_bar_print = false")


class DuckReader(ScoreReader):
    def __init__(self, cursor: duckdb.DuckDBPyConnection, interrupts: Interrupts) -> None:
        self.snapshot = self._cursor = cursor
        self._interrupts = interrupts

    def read(self, query: SelectQuery, given: pa.Table | None = None) -> pa.Table:
        text = sql(query)
        with waiting(), self._interrupts.during(self._cursor, self._cursor.query_progress):
            if given is None:
                return self._cursor.sql(text).to_arrow_table()
            self._cursor.register(_GIVEN_NAME, given)
            try:
                return self._cursor.sql(text).to_arrow_table()
            finally:
                self._cursor.unregister(_GIVEN_NAME)

    def hold(self, query: SelectQuery) -> None:
        with waiting(), self._interrupts.during(self._cursor, self._cursor.query_progress):
            self._cursor.execute(f"CREATE OR REPLACE TEMP TABLE {HELD} AS {sql(query)}")
