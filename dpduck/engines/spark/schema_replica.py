"""The schema replica: a remote engine's tables without rows, in DuckDB, for policies and planning.

Columns whose type has no equal in DuckDB are left out, and so cannot be queried. Keys are not copied: a
declaration that the engine does not enforce proves nothing.
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


class SchemaReplica:
    """The tables of schema `main`. Input: a connection whose database has no other tables."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    @property
    def tables(self) -> dict[str, dict[str, str]]:
        """The present columns of each table."""
        found: dict[str, dict[str, str]] = {}
        for table, column, kind in self.ask(_READ):
            found.setdefault(str(table), {})[str(column)] = str(kind)
        return found

    def renew(self, tables: Mapping[str, Columns]) -> None:
        """Make the tables those of the engine. Policies are stored by name, and stay where they still fit."""
        old = self.tables
        changed = {name for name in old if dict(tables.get(name, {})) != old[name]}
        self.run(f"DROP TABLE {_quoted(name)}" for name in sorted(changed))
        for name, columns in tables.items():
            if columns and (name not in old or name in changed):
                items = ", ".join(f"{_quoted(column)} {kind}" for column, kind in columns.items())
                self.run([f"CREATE TABLE {_quoted(name)} ({items})"])

    def claim(self, owner: str) -> bool:
        """Store which database these tables replicate. Output: False if another one is stored already."""
        text = owner.replace("'", "''")
        if self.ask(_OWNED) == [(0,)]:
            self.run(["CREATE SCHEMA IF NOT EXISTS dpduck", f"CREATE MACRO dpduck.mirrored() AS '{text}'"])
        return self.ask("SELECT dpduck.mirrored()") == [(owner,)]

    def ask(self, sql: str) -> list[tuple[object, ...]]:
        """Run a query in DuckDB."""
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
