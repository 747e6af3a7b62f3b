"""Released rows with the names and types that plain DuckDB would give them.

A release is written as text and cast to the column types by a DuckDB of its own, which then hands the
rows out: as tuples, Arrow or pandas, exactly as any DuckDB result.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import duckdb
import pyarrow as pa

from dpduck.engine import Release
from dpduck.query.plan import Output

Row = list[str | None]


def rows_of(outputs: Sequence[Output], release: Release) -> list[Row]:
    """The released rows as text, in the order of the outputs."""
    columns = [release.columns[output.source] for output in outputs]
    return [[_text(column[i]) for column in columns] for i in range(release.rows)]


def cast_list(outputs: Sequence[Output], row: str) -> str:
    """The select list that turns a row of text, a list named `row`, into typed columns."""
    return ", ".join(
        f'CAST({row}[{i}] AS {output.type}) AS "{output.name.replace(chr(34), chr(34) * 2)}"'
        for i, output in enumerate(outputs, 1)
    )


def _text(value: object) -> str | None:
    if value is None:
        return None
    return repr(value) if isinstance(value, float) else str(value)


class Result:
    """The last result of a connection."""

    def __init__(self) -> None:
        self._connection = duckdb.connect(":memory:")
        self._cursor: duckdb.DuckDBPyConnection | None = None
        self.show_nothing()

    def show(self, outputs: Sequence[Output], release: Release) -> None:
        """Hold a release."""
        self._rows = rows_of(outputs, release)
        rows = pa.array(self._rows, type=pa.list_(pa.string()))
        self._hold(pa.table({"row": rows}), cast_list(outputs, '"row"'))

    def show_text(self, name: str, lines: Sequence[str]) -> None:
        """Hold lines of text."""
        self.show_table(pa.table({name: pa.array(lines, pa.string())}))

    def show_table(self, table: pa.Table) -> None:
        """Hold a table of text."""
        self._rows = [list(row.values()) for row in table.to_pylist()]
        self._hold(table, "*")

    def show_nothing(self) -> None:
        """Hold a result without rows, as after a SET."""
        self.show_text("status", [])

    def _hold(self, table: pa.Table, select_list: str) -> None:
        self._close_cursor()
        self._table = table
        self._query = f"SELECT {select_list} FROM answer"

    def _opened(self) -> duckdb.DuckDBPyConnection:
        """The cursor on the rows, opened when they are first asked for."""
        if self._cursor is None:
            # A cursor of its own: a result that is not read to its end owns its connection.
            self._cursor = self._connection.cursor()
            self._cursor.register("answer", self._table)
            self._cursor.execute(self._query)
        return self._cursor

    def _close_cursor(self) -> None:
        if self._cursor is not None:
            self._cursor.close()
            self._cursor = None

    @property
    def description(self) -> list[tuple[Any, ...]]:
        """As in the DB-API; empty without a result."""
        return self._opened().description or []

    def fetchall(self) -> list[tuple[Any, ...]]:
        """The rows that were not fetched yet."""
        return self._opened().fetchall()

    def fetchone(self) -> tuple[Any, ...] | None:
        """The next row, or None."""
        return self._opened().fetchone()

    def df(self) -> Any:
        """As a pandas DataFrame: the rows that were not fetched yet."""
        return self._opened().df()

    def arrow(self) -> pa.Table:
        """As an Arrow table, from the first row."""
        with self._connection.cursor() as cursor:
            cursor.register("answer", self._table)
            return cursor.sql(self._query).to_arrow_table()

    def text_rows(self) -> list[Row]:
        """All rows as text, which casts back to the columns' types."""
        return self._rows

    def close(self) -> None:
        """Let go of the result."""
        self._close_cursor()
        self._connection.close()
