"""Query results as a stream of Arrow batches that the Postgres encoders can read.

Arrow cannot represent all of DuckDB's values: a TIMETZ loses its zone, a long INTERVAL and a large UHUGEINT
wrap around, BIT and BIGNUM arrive in DuckDB's internal format, a VARIANT not at all from DuckDB 1.5. Columns
of these types, and of unknown types, are cast to text by a projection around the query; structs, maps,
unions and nested lists become json there. DuckDB keeps the order of rows through a projection.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import duckdb
import pyarrow as pa

from dpduck.doors.gateway.encoding.pgtypes import element_type, pg_type
from dpduck.engines.duckdb.hardening import compute_little_ahead
from dpduck.kernel.errors import InternalError
from dpduck.kernel.plan.model import Output
from dpduck.kernel.system.python_turns import waiting

MOST_BATCH_ROWS = 8_192
BATCH_BYTES = 512 * 1024  # that a batch is meant to have
_FIXED = 16  # bytes of a value of a fixed width, at most
_VARIABLE = 256  # bytes that are assumed for any other

_CARRIED = frozenset(
    (
        *(
            "BOOLEAN",
            "TINYINT",
            "UTINYINT",
            "SMALLINT",
            "USMALLINT",
            "INTEGER",
            "UINTEGER",
            "BIGINT",
            "UBIGINT",
        ),
        *(
            "HUGEINT",
            "FLOAT",
            "DOUBLE",
            "VARCHAR",
            "BLOB",
            "UUID",
            "JSON",
            "DATE",
            "TIME",
            "TIME_NS",
            '"NULL"',
        ),
        *("TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS", "TIMESTAMP WITH TIME ZONE"),
        *("TIMESTAMPTZ", "TIMESTAMPTZ_NS", "oid", "name", "char", '"char"'),
    )
)
_CARRIED_FAMILIES = ("DECIMAL(", "ENUM(")
_FIXED_TYPES = (
    *("BOOLEAN", "TINYINT", "UTINYINT", "SMALLINT", "USMALLINT", "INTEGER", "UINTEGER", "BIGINT", "UBIGINT"),
    *("HUGEINT", "FLOAT", "DOUBLE", "DATE", "TIME", "DECIMAL("),
)
_COPY_WARNING = "Arrow output on a DB-API result"


def batches(
    cursor: duckdb.DuckDBPyConnection, sql: str, columns: Sequence[Output]
) -> Iterator[pa.RecordBatch]:
    """Run a query once and yield its rows as they arrive.

    Input: its columns, with their DuckDB types as DESCRIBE prints them.
    Errors: DuckDB's own, at the first batch or a later one.
    """
    compute_little_ahead(cursor)
    relation = cursor.sql(projection(sql, [column.type for column in columns]))
    if relation is not None:
        yield from _reader(relation, [column.type for column in columns])


def batch_rows(types: Sequence[str]) -> int:
    """How many rows a batch has, by the types of its columns alone.

    >>> batch_rows(["INTEGER", "DATE"]), batch_rows(["VARCHAR"] * 8), batch_rows(["VARCHAR"] * 10_000)
    (8192, 256, 1)
    """
    width = sum(_FIXED if _is_fixed(name) else _VARIABLE for name in types)
    return max(1, min(MOST_BATCH_ROWS, BATCH_BYTES // max(width, 1)))


def _is_fixed(duckdb_type: str) -> bool:
    return duckdb_type.startswith(_FIXED_TYPES)


def short_batches(
    cursor: duckdb.DuckDBPyConnection, sql: str, columns: Sequence[Output], values: Sequence[object]
) -> Iterator[pa.RecordBatch]:
    """As `batches`, for a query with parameters and few rows, which are all in memory."""
    cursor.execute(projection(sql, [column.type for column in columns]), values)
    _accept_copies()
    yield from _reader(cursor, [column.type for column in columns])


def batches_of(result: duckdb.DuckDBPyConnection) -> Iterator[pa.RecordBatch]:
    """The rows of a cursor that has run its query; DuckDB 2.0 then holds them all in memory.

    Errors: InternalError if a column's type needs the projection of `batches`.
    """
    types = [str(column[1]) for column in result.description or []]
    if any(_projected("c", name) != "c" for name in types):
        raise InternalError("a column of this result cannot be sent", hint="Cast it to VARCHAR.")
    _accept_copies()
    yield from _reader(result, types)


def _accept_copies() -> None:
    """Silence a warning for good, since resetting the filter would race with other threads."""
    warnings.filterwarnings("ignore", message=_COPY_WARNING, category=UserWarning)


def projection(sql: str, types: Sequence[str]) -> str:
    """The query with columns cast to text that Arrow cannot represent; unchanged if there are none.

    >>> projection("SELECT a, b FROM t", ["BIT", "DATE"])
    'SELECT CAST(c1 AS VARCHAR), c2 FROM (SELECT a, b FROM t\\n) AS t(c1, c2)'
    """
    names = [f"c{number}" for number in range(1, len(types) + 1)]
    columns = [_projected(name, duckdb_type) for name, duckdb_type in zip(names, types, strict=True)]
    if columns == names:
        return sql
    # The line break ends a comment at the end of the query.
    body = sql.rstrip().rstrip(";")
    return f"SELECT {', '.join(columns)} FROM ({body}\n) AS t({', '.join(names)})"


def _projected(name: str, duckdb_type: str) -> str:
    if duckdb_type == "VARIANT":  # DuckDB 1.5's to_json() would make it a string
        return f"CASE WHEN {name} IS NOT NULL THEN CAST(CAST({name} AS JSON) AS VARCHAR) END"
    if pg_type(duckdb_type).name == "json" and duckdb_type != "JSON":
        return f"CAST(to_json({name}) AS VARCHAR)"
    element = element_type(duckdb_type)
    if _is_carried(duckdb_type if element is None else element):
        return name
    return f"CAST({name} AS VARCHAR{'' if element is None else '[]'})"


def _is_carried(duckdb_type: str) -> bool:
    return duckdb_type in _CARRIED or duckdb_type.startswith(_CARRIED_FAMILIES)


def _reader(source: Any, types: Sequence[str]) -> Iterator[pa.RecordBatch]:
    with waiting():
        reader = source.to_arrow_reader(batch_rows(types))
    while True:
        with waiting():
            batch = next(reader, None)
        if batch is None:
            return
        yield batch
        del batch  # not kept while the next one is made
