"""Rows on their way out, with the names and types that plain DuckDB would give them.

Rows travel as text, which casts back to the columns' types without loss, and are cast by a DuckDB of
their own, which then hands them out: as tuples, Arrow or pandas, exactly as any DuckDB result.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb
import pyarrow as pa

from dpduck.engine import Release
from dpduck.query.plan import Output

Row = Sequence[str | None]


@dataclass(frozen=True)
class Rows:
    """Public rows as text, and their columns."""

    outputs: tuple[Output, ...]
    rows: tuple[Row, ...]


def release_rows(outputs: Sequence[Output], release: Release) -> Rows:
    """The rows of a release, in the order of the outputs."""
    columns = [release.columns[output.source] for output in outputs]
    return Rows(tuple(outputs), tuple([_text(column[i]) for column in columns] for i in range(release.rows)))


def text_rows(names: Sequence[str], rows: Iterable[Row]) -> Rows:
    """Rows of VARCHAR columns."""
    return Rows(tuple(Output(name, "VARCHAR", "key") for name in names), tuple(rows))


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
    """Rows as a DuckDB cursor hands them out, on a cursor of the database given."""

    def __init__(self, rows: Rows, database: duckdb.DuckDBPyConnection) -> None:
        self._connection = database.cursor()
        lists = pa.array(rows.rows, type=pa.list_(pa.string()))
        self._table = pa.table({"fields": lists})
        self._query = f"SELECT {cast_list(rows.outputs, 'fields')} FROM answer"
        self._connection.register("answer", self._table)
        self._connection.execute(self._query)

    @property
    def description(self) -> list[tuple[Any, ...]]:
        """As in the DB-API."""
        return self._connection.description or []

    def fetchall(self) -> list[tuple[Any, ...]]:
        """The rows that were not fetched yet."""
        return self._connection.fetchall()

    def fetchone(self) -> tuple[Any, ...] | None:
        """The next row, or None."""
        return self._connection.fetchone()

    def df(self) -> Any:
        """The rows that were not fetched yet, as a pandas DataFrame."""
        return self._connection.df()

    def arrow(self) -> pa.Table:
        """All rows as an Arrow table."""
        with self._connection.cursor() as cursor:
            cursor.register("answer", self._table)
            return cursor.sql(self._query).to_arrow_table()

    def close(self) -> None:
        """Let go of the rows."""
        self._connection.close()
