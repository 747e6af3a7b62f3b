"""A real PostgreSQL that says what it would send, byte for byte, and what our encoders make of it."""

from __future__ import annotations

import atexit
from collections.abc import Sequence
from contextlib import ExitStack
from functools import cache

import duckdb
import psycopg
import pyarrow as pa
import pytest

from dpduck.doors.gateway.encoding.encode import field
from dpduck.doors.gateway.encoding.rows import batches
from dpduck.kernel.plan.model import Output
from tests.ledger.server import BINARIES, running_server

Session = psycopg.Connection[tuple[object, ...]]


def postgres_session() -> Session:
    """One session for all modules of a process: a server takes a second to start."""
    if BINARIES is None:
        pytest.skip("PostgreSQL is not installed here (Debian: apt-get install postgresql)")
    return _session()


@cache
def _session() -> Session:
    until_exit = ExitStack()
    atexit.register(until_exit.close)
    server = until_exit.enter_context(running_server())
    session = until_exit.enter_context(psycopg.connect(server.url("postgres"), autocommit=True))
    session.execute("SET TimeZone = 'UTC'")
    return session


def postgres_bytes(session: Session, sql: str, form: int, count: int = 1) -> list[bytes | None]:
    """The first column of a query's rows, as Postgres sends them in that format."""
    result = session.pgconn.exec_params(sql.encode(), [], result_format=form)
    assert result.ntuples >= count, result.error_message
    return [result.get_value(row, 0) for row in range(result.ntuples)]


def columns_of(connection: duckdb.DuckDBPyConnection, sql: str) -> list[Output]:
    return [Output(row[0], row[1]) for row in connection.execute(f"DESCRIBE {sql}").fetchall()]


def rows_of(
    connection: duckdb.DuckDBPyConnection, sql: str
) -> tuple[list[str], list[str], list[pa.RecordBatch]]:
    """The types, names and batches of a query's answer."""
    columns = columns_of(connection, sql)
    read = list(batches(connection.cursor(), sql, columns))
    return [column.type for column in columns], [column.name for column in columns], read


def our_bytes(connection: duckdb.DuckDBPyConnection, sql: str, form: int) -> list[bytes | None]:
    """The first column of a query's rows, as we send them."""
    types, _, read = rows_of(connection, sql)
    return [value for batch in read for value in field(batch.column(0), types[0], form).to_pylist()]


def lines(data: bytes) -> Sequence[bytes]:
    """The bodies of messages, which all have one tag."""
    bodies = []
    while data:
        size = int.from_bytes(data[1:5], "big")
        bodies.append(data[5 : 1 + size])
        data = data[1 + size :]
    return bodies
