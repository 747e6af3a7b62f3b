"""Facts about public tables, read from the database while a query is planned."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import duckdb

from dpduck.catalog.model import Table, ValuesDomain
from dpduck.catalog.types import parse_type
from dpduck.engines.cancellation import Interrupts
from dpduck.engines.duckdb.hardening import cursor_of
from dpduck.query.write import emit

MAX_VALUES = 100_000
_DOMAIN_KINDS = ("integer", "decimal", "text", "date", "timestamp", "boolean")


class PublicFacts:
    """Asks the public tables of a connection.

    Input: `interrupts`: what can stop it; `rows`: runs SQL where they are, if elsewhere.
    """

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        interrupts: Interrupts | None = None,
        rows: Callable[[str], Sequence[Sequence[Any]]] | None = None,
    ) -> None:
        self._connection = connection
        self._interrupts = interrupts or Interrupts()
        self._elsewhere = rows
        self._unique: dict[tuple[Table, tuple[str, ...]], bool] = {}

    def is_unique(self, table: Table, columns: tuple[str, ...]) -> bool:
        """Whether no two rows agree in all the columns; a NULL agrees with nothing."""
        asked = (table, columns)
        if asked not in self._unique:
            self._unique[asked] = self._holds_once(table, columns)
        return self._unique[asked]

    def _holds_once(self, table: Table, columns: tuple[str, ...]) -> bool:
        names = [emit.identifier(table.column(name).name) for name in columns]
        present = " AND ".join(f"{name} IS NOT NULL" for name in names)
        repeated = (
            f"SELECT 1 FROM {self._name(table)} WHERE {present} GROUP BY {', '.join(names)} "
            f"HAVING {emit.call('count', '*')} > 1 LIMIT 1"
        )
        return not self._rows(repeated)

    def values(self, table: Table, column: str) -> ValuesDomain | None:
        """The distinct values, sorted."""
        found = table.column(column)
        if parse_type(found.type).kind not in _DOMAIN_KINDS:
            return None
        name = emit.identifier(found.name)
        rows = self._rows(
            f"SELECT {name} FROM {self._name(table)} WHERE {name} IS NOT NULL GROUP BY {name} "
            f"ORDER BY {name} LIMIT {MAX_VALUES + 1}"
        )
        if not 0 < len(rows) <= MAX_VALUES:
            return None
        return ValuesDomain(tuple(row[0] for row in rows))

    def _name(self, table: Table) -> str:
        if not table.public:
            raise ValueError("facts are read from public tables only")
        return emit.table_name(table)

    def _rows(self, sql: str) -> Sequence[Sequence[Any]]:
        if self._elsewhere is not None:
            return self._elsewhere(sql)
        with cursor_of(self._connection) as cursor, self._interrupts.during(cursor):
            return cursor.execute(sql).fetchall()
