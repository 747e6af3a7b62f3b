"""DuckDB as the engine: each answer is read on a cursor of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import duckdb
import pyarrow as pa

from dpduck.engines import GIVEN, HELD, Engine, Reader
from dpduck.interrupts import Interrupts

_GIVEN_NAME = GIVEN.rpartition(".")[2]


class DuckEngine(Engine):
    """The database of a connection. Temporary tables are of one cursor, and need no right to write."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    @contextmanager
    def open(self, interrupts: Interrupts) -> Iterator[Reader]:
        with self._connection.cursor() as cursor:
            yield DuckReader(cursor, interrupts)

    def check(self, sql: str) -> None:
        """Score SQL is written for DuckDB."""

    def rows(self, sql: str) -> Sequence[Sequence[Any]]:
        with self._connection.cursor() as cursor:
            return cursor.execute(sql).fetchall()

    def open_public(self, sql: str) -> duckdb.DuckDBPyConnection:  # noqa: ARG002 (all tables are here)
        return self._connection.cursor()


class DuckReader(Reader):
    def __init__(self, cursor: duckdb.DuckDBPyConnection, interrupts: Interrupts) -> None:
        self._cursor = cursor
        self._interrupts = interrupts

    def read(self, sql: str, given: pa.Table | None = None) -> pa.Table:
        with self._interrupts.during(self._cursor):
            if given is None:
                return self._cursor.sql(sql).to_arrow_table()
            self._cursor.register(_GIVEN_NAME, given)
            try:
                return self._cursor.sql(sql).to_arrow_table()
            finally:
                self._cursor.unregister(_GIVEN_NAME)

    def hold(self, sql: str) -> None:
        with self._interrupts.during(self._cursor):
            self._cursor.execute(f"CREATE OR REPLACE TEMP TABLE {HELD} AS {sql}")
