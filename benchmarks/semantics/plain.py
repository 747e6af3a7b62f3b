"""What plain DuckDB makes of an expression, row by row."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import duckdb

Cell = object
_ERRORS = (duckdb.Error, UnicodeDecodeError)  # the latter where DuckDB cuts a character of its message
_ZONED = "TIMESTAMP WITH TIME ZONE"
UNREADABLE = "unreadable"  # the type of what Python has no value for: an interval of more days
_SOME = 12  # rows that are asked together where some have no value


@dataclass(frozen=True)
class Expected:
    """The type of an expression, and its values in the order of the rows.

    `raised`: rows without a value; `nulls`: the rows in which each column is NULL.
    """

    text: str
    type: str
    values: tuple[str, ...]
    raised: frozenset[int] = frozenset()
    nulls: Mapping[str, frozenset[int]] = field(default_factory=dict)

    def lacks(self, names: Iterable[str], row: int) -> bool:
        """Whether one of the columns is NULL in a row."""
        return any(row in self.nulls.get(name, ()) for name in names)

    def is_null(self, row: int) -> bool:
        """Whether the value is NULL, or there is none."""
        return self.values[row] == "None"


def shown(cell: Cell) -> str:
    """A cell as text in which NaN is equal to itself."""
    if isinstance(cell, float) and math.isnan(cell):
        return "nan"
    if isinstance(cell, datetime) and cell.tzinfo is not None:
        return repr(cell.astimezone(UTC))
    if isinstance(cell, dict):
        return f"{{{', '.join(f'{shown(key)}: {shown(value)}' for key, value in cell.items())}}}"
    if isinstance(cell, (list, tuple)):
        return f"[{', '.join(map(shown, cell))}]"
    return repr(cell)


def expected(
    texts: Sequence[str], connection: duckdb.DuckDBPyConnection, source: str
) -> list[Expected | None]:
    """What each expression is over the rows of a source with a column i; None if it is no SQL to DuckDB."""
    if not texts:
        return []
    items = ", ".join(f"({text}) AS v{number}" for number, text in enumerate(texts))
    try:
        relation = connection.sql(f"SELECT {items} FROM {source} ORDER BY i")
        types = [str(one) for one in relation.types]
        if _ZONED in types:
            items = ", ".join(map(_readable, texts, types))
            relation = connection.sql(f"SELECT {items} FROM {source} ORDER BY i")
        columns = list(zip(*relation.fetchall(), strict=True)) or [()] * len(texts)
    except (*_ERRORS, OverflowError):
        if len(texts) == 1:
            return [_one_by_one(texts[0], connection, source)]
        middle = len(texts) // 2
        return [
            one for half in (texts[:middle], texts[middle:]) for one in expected(half, connection, source)
        ]
    return [
        Expected(text, kind, tuple(shown(_in_utc(cell, kind)) for cell in column))
        for text, kind, column in zip(texts, types, columns, strict=True)
    ]


def grouped(query: str, connection: duckdb.DuckDBPyConnection) -> tuple[str, dict[str, str]] | None:
    """The type of a query's second column, and its values by the first; None if DuckDB has none."""
    try:
        relation = connection.sql(query)
        kind = str(relation.types[1])
        if kind == _ZONED:
            relation = connection.sql(f"SELECT i, timezone('UTC', v0) FROM ({query})")
        rows = relation.fetchall()
    except (*_ERRORS, OverflowError):
        return None
    return kind, {str(row): shown(_in_utc(cell, kind)) for row, cell in rows}


def _one_by_one(text: str, connection: duckdb.DuckDBPyConnection, source: str) -> Expected | None:
    try:
        ((_, kind, *_),) = connection.execute(f"DESCRIBE SELECT ({text}) AS v FROM {source}").fetchall()
    except _ERRORS:
        return None
    ((count,),) = connection.execute(f"SELECT count(*) FROM {source}").fetchall()
    values: list[str | None] = []
    # Of the least and greatest value of a column DuckDB computes some functions for each query of any row.
    connection.execute("SET disabled_optimizers = 'statistics_propagation'")
    try:
        for low in range(0, count, _SOME):
            values += _values(text, str(kind), connection, source, low, min(low + _SOME, count))
    except OverflowError:
        return Expected(text, UNREADABLE, ())
    finally:
        connection.execute("RESET disabled_optimizers")
    raised = frozenset(row for row, value in enumerate(values) if value is None)
    return Expected(text, str(kind), tuple("None" if value is None else value for value in values), raised)


def _readable(text: str, kind: str) -> str:
    """An expression whose values Python has: DuckDB 1.5 makes a time with a zone only with pytz."""
    return f"timezone('UTC', ({text}))" if kind == _ZONED else f"({text})"


def _in_utc(cell: Cell, kind: str) -> Cell:
    if kind != _ZONED or cell is None:
        return cell
    return cell.replace(tzinfo=UTC) if isinstance(cell, datetime) else f"{cell}+00"


def _values(
    text: str, kind: str, connection: duckdb.DuckDBPyConnection, source: str, low: int, high: int
) -> list[str | None]:
    """The values of rows, None where DuckDB raises an error."""
    asked = f"SELECT {_readable(text, kind)} FROM {source} WHERE i >= {low} AND i < {high} ORDER BY i"
    try:
        return [shown(_in_utc(row[0], kind)) for row in connection.execute(asked).fetchall()]
    except _ERRORS:
        if high - low == 1:
            return [None]
    middle = (low + high) // 2
    return [
        value
        for ends in ((low, middle), (middle, high))
        for value in _values(text, kind, connection, source, *ends)
    ]
