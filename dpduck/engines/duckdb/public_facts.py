"""Facts about public tables, read from the database while a query is planned.

A plan relies on them: which keys there are, and that a join does not multiply rows. So they are read once
more before the query is charged, unless the state of the file shows that nothing was written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa

from dpduck.engines.duckdb.database import Database
from dpduck.engines.duckdb.hardening import cursor_of
from dpduck.kernel.arrow.arrays import array_of, texts_of
from dpduck.kernel.cancellation import Interrupts
from dpduck.kernel.catalog.model import Column, Table, ValuesDomain
from dpduck.kernel.catalog.types import ConversionError, parse_type, public_value
from dpduck.kernel.plan.public_facts import Lists
from dpduck.kernel.system.python_turns import waiting
from dpduck.kernel.system.recent import Recent
from dpduck.kernel.tree import build
from dpduck.kernel.tree.duckdb import sql
from dpduck.kernel.tree.emit import row_alias, short_name
from dpduck.kernel.tree.nodes import ColumnRef, Comparison, SortKey
from dpduck.kernel.tree.relations import SelectItem, SelectQuery, TableScan
from dpduck.kernel.tree.walk import scans_of

Rows = Sequence[tuple[Any, ...]]

MAX_VALUES = 100_000
_MOST_QUERIES, _MOST_LISTED = 32, 10_000  # whose rows are kept, and of how many values
_DOMAIN_KINDS = ("integer", "decimal", "text", "date", "timestamp", "boolean")


class ListRows:
    """The rows of the last queries on lists alone: to explain a query, it is planned several times."""

    def __init__(self) -> None:
        self._rows = Recent[Rows](_MOST_QUERIES)

    def get(self, query: SelectQuery, lists: Lists, find: Callable[[], Rows]) -> Rows:
        """The rows of a query, found if they are not known."""
        if sum(map(len, lists.values())) > _MOST_LISTED:
            return find()
        key = sql(query), tuple((name, tuple(values)) for name, values in lists.items())
        rows = self._rows.get(key)
        if rows is None:
            rows = self._rows[key] = find()
        return rows


class PublicFacts:
    """Queries the public tables of a connection.

    Input: `interrupts`: what can stop it; `rows`: runs SQL on a remote engine that has them; `of_lists`:
    rows that lists alone gave before, which are always the same.
    """

    def __init__(
        self,
        connection: Database,
        interrupts: Interrupts | None = None,
        rows: Callable[[SelectQuery], Sequence[Sequence[Any]]] | None = None,
        of_lists: ListRows | None = None,
    ) -> None:
        self._connection = connection
        self._interrupts = interrupts or Interrupts()
        self._elsewhere = rows
        self._of_lists = ListRows() if of_lists is None else of_lists
        self._unique: dict[tuple[Table, tuple[str, ...]], bool] = {}
        self._counts: dict[Table, int] = {}
        self._values: dict[tuple[Table, str], ValuesDomain | None] = {}
        self._answers: list[tuple[SelectQuery, Lists, Rows]] = []
        self._open: ExitStack | None = None  # within `at_once`
        self._cursor: duckdb.DuckDBPyConnection | None = None

    @contextmanager
    def at_once(self, snapshot: duckdb.DuckDBPyConnection | None = None) -> Iterator[None]:
        """Read with one cursor, or in a transaction: to make a cursor takes longer than most reads."""
        with ExitStack() as self._open:
            self._cursor = snapshot
            try:
                yield
            finally:
                self._open = self._cursor = None

    @contextmanager
    def _reader(self) -> Iterator[duckdb.DuckDBPyConnection]:
        if self._open is None:
            with cursor_of(self._connection) as cursor:
                yield cursor
            return
        if self._cursor is None:
            self._cursor = self._open.enter_context(cursor_of(self._connection))
        yield self._cursor

    def still_hold(self, snapshot: duckdb.DuckDBPyConnection | None) -> bool:
        """Whether all that was read is as it was. Input: the transaction in which DuckDB reads, if it does.

        Errors: duckdb.Error if a table is gone.
        """
        with self.at_once(snapshot):
            return all(_is_same(query, rows, self._ask(query, lists)) for query, lists, rows in self._answers)

    def is_unique(self, table: Table, columns: tuple[str, ...]) -> bool:
        """Whether no two rows are equal in all the columns; a NULL equals nothing."""
        asked = (table, columns)
        if asked not in self._unique:
            self._unique[asked] = self._holds_once(table, columns)
        return self._unique[asked]

    def _holds_once(self, table: Table, columns: tuple[str, ...]) -> bool:
        rows = self._rows_of(table)
        keys = tuple(_column(rows, table.column(name)) for name in columns)
        many = Comparison(">", build.count_rows(), build.digits(1))
        times = (SelectItem(build.count_rows(), "times"),)
        present = tuple(map(build.is_present, keys))
        return not self._rows(SelectQuery(times, rows, present, keys, (many,), limit=1))

    def values(self, table: Table, column: str) -> ValuesDomain | None:
        """The distinct values, sorted."""
        asked = (table, column)
        if asked not in self._values:
            self._values[asked] = self._read_values(table, column)
        return self._values[asked]

    def _read_values(self, table: Table, column: str) -> ValuesDomain | None:
        found = table.column(column)
        sql_type = parse_type(found.type)
        if sql_type.kind not in _DOMAIN_KINDS:
            return None
        source = self._rows_of(table)
        value = _column(source, found)
        ordered = (SortKey(value),)
        present = (build.is_present(value),)
        rows = self._rows(
            SelectQuery(
                (build.as_read(value),), source, present, (value,), order_by=ordered, limit=MAX_VALUES + 1
            )
        )
        if not 0 < len(rows) <= MAX_VALUES:
            return None
        try:
            return ValuesDomain(tuple(public_value(row[0], sql_type) for row in rows))
        except ConversionError:
            return None

    def count(self, table: Table) -> int:
        """The number of rows."""
        if table not in self._counts:
            [[rows]] = self._rows(SelectQuery((build.count_rows(),), self._rows_of(table)))
            self._counts[table] = rows
        return self._counts[table]

    def rows(self, query: SelectQuery, lists: Lists) -> Rows | None:
        """The rows of a query on public tables and lists; None if the tables are in a remote engine."""
        tables = list(scans_of(query))
        if any(not table.public for table in tables):
            raise ValueError("facts are read from public tables only")
        if self._elsewhere is not None and tables:
            return None
        if not tables:
            return self._of_lists.get(query, lists, partial(self._from_duckdb, query, lists))
        return self._noted(query, lists)

    def _noted(self, query: SelectQuery, lists: Lists) -> Rows:
        rows = self._ask(query, lists)
        self._answers.append((query, lists, rows))
        return rows

    def _ask(self, query: SelectQuery, lists: Lists) -> Rows:
        with waiting():
            if self._elsewhere is not None:
                return [tuple(row) for row in self._elsewhere(query)]
            return self._from_duckdb(query, lists)

    def _from_duckdb(self, query: SelectQuery, lists: Lists) -> Rows:
        with self._reader() as cursor, self._interrupts.during(cursor):
            for name, values in lists.items():
                numbers = array_of(np.arange(len(values), dtype=np.int64))
                cursor.register(short_name(name), pa.table({"i": numbers, "v": texts_of(values)}))
            try:
                return cursor.execute(sql(query)).fetchall()
            finally:
                for name in lists:
                    cursor.unregister(short_name(name))

    def _rows_of(self, table: Table) -> TableScan:
        if not table.public:
            raise ValueError("facts are read from public tables only")
        return TableScan(table, row_alias(table))

    def _rows(self, query: SelectQuery) -> Rows:
        return self._noted(query, {})


def _is_same(query: SelectQuery, before: Rows, now: Rows) -> bool:
    """Whether two answers to a query are the same: rows in any order; how many, where LIMIT cuts them off."""
    return Counter(before) == Counter(now) or (len(before) == len(now) == query.limit)


def _column(rows: TableScan, column: Column) -> ColumnRef:
    return build.column(rows.alias, column)
