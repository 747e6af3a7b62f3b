"""One database of a DuckDB connection: what opens the cursors that read it.

DuckDB shares one instance among all connections of a process to one path, also when the path has come to
name another file. A server that goes over to that file opens it beside the old one, so each is attached to an
instance of its own. A connection is in a database of its choice, but not so its cursors: each of them starts
in the one that the instance was made with.
"""

from __future__ import annotations

from typing import Protocol

import duckdb

from dpduck.kernel.tree import emit


class Database(Protocol):
    """What is asked of a DuckDB connection: cursors, and statements at once."""

    def cursor(self) -> duckdb.DuckDBPyConnection: ...

    def execute(self, query: str) -> duckdb.DuckDBPyConnection: ...

    def close(self) -> None: ...


class AttachedDatabase:
    """A database, attached to an instance in memory that holds nothing else. `name`: of the database."""

    def __init__(
        self, instance: duckdb.DuckDBPyConnection, place: str, name: str, *, read_only: bool = True
    ) -> None:
        """Input: `place`: as DuckDB attaches it. Errors: duckdb.Error."""
        self._instance = instance
        self.name = name
        self._use = f"USE {emit.identifier(name)}"
        how = " (READ_ONLY)" if read_only else ""
        instance.execute(f"ATTACH {emit.string(place)} AS {emit.identifier(name)}{how}")
        instance.execute(self._use)

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """A cursor that reads the database."""
        cursor = self._instance.cursor()
        cursor.execute(self._use)
        return cursor

    def execute(self, query: str) -> duckdb.DuckDBPyConnection:
        """Run a statement on the connection itself."""
        return self._instance.execute(query)

    def close(self) -> None:
        """Let go of the instance, which is closed when no cursor is open any more.

        DuckDB would close the cursors with it, while a client still reads rows from them.
        """
        del self._instance
