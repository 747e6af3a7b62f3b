"""Tables of another engine without their rows, in DuckDB: what policies are declared on, and queries planned.

There is nothing in them to read. What an engine's type has no equal of in DuckDB is left out of them, and so
cannot be asked for. No key is taken over: where none is enforced, a declaration proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import duckdb

Columns = Mapping[str, str]  # names and DuckDB types, in order

_READ = """
SELECT table_name, column_name, data_type FROM duckdb_columns()
WHERE database_name = current_database() AND schema_name = 'main' AND NOT internal ORDER BY column_index
"""
_OWNED = """
SELECT count(*) FROM duckdb_functions() WHERE schema_name = 'dpduck' AND function_name = 'mirrored'
"""


class Mirror:
    """The tables of schema main. Input: a connection, whose database has no others."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    @property
    def tables(self) -> dict[str, dict[str, str]]:
        """The columns of each table, as they are now."""
        found: dict[str, dict[str, str]] = {}
        for table, column, kind in self.ask(_READ):
            found.setdefault(str(table), {})[str(column)] = str(kind)
        return found

    def renew(self, tables: Mapping[str, Columns]) -> None:
        """Make them what they are in the engine. Policies are kept by name, and stay where they still fit."""
        old = self.tables
        changed = {name for name in old if dict(tables.get(name, {})) != old[name]}
        self.run(f"DROP TABLE {_quoted(name)}" for name in sorted(changed))
        for name, columns in tables.items():
            if columns and (name not in old or name in changed):
                items = ", ".join(f"{_quoted(column)} {kind}" for column, kind in columns.items())
                self.run([f"CREATE TABLE {_quoted(name)} ({items})"])

    def claim(self, owner: str) -> bool:
        """Note whose tables these are. Output: False if they are noted as another's."""
        text = owner.replace("'", "''")
        if self.ask(_OWNED) == [(0,)]:
            self.run(["CREATE SCHEMA IF NOT EXISTS dpduck", f"CREATE MACRO dpduck.mirrored() AS '{text}'"])
        return self.ask("SELECT dpduck.mirrored()") == [(owner,)]

    def ask(self, sql: str) -> list[tuple[object, ...]]:
        """Rows of a query, as DuckDB binds it."""
        with self._connection.cursor() as cursor:
            return cursor.execute(sql).fetchall()

    def run(self, statements: Iterable[str]) -> None:
        with self._connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)

    def cursor(self) -> duckdb.DuckDBPyConnection:
        return self._connection.cursor()

    @property
    def database(self) -> str:
        """The name of the database, which score SQL writes before that of each table."""
        return str(self.ask("SELECT current_database()")[0][0])


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
