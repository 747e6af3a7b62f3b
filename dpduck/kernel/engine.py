"""Engines: where score SQL runs once it is paid for, and what every engine must provide.

Score queries are trees of DuckDB functions that are total: no row can make one fail. An engine runs them in
DuckDB's SQL, or in its own SQL with the same meaning, and returns the same numbers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any

import duckdb
import pyarrow as pa

from dpduck.kernel.cancellation import Interrupts
from dpduck.kernel.tree.emit import GIVEN, HELD
from dpduck.kernel.tree.relations import SelectQuery

__all__ = ["GIVEN", "HELD", "Engine", "ScoreReader"]


class ScoreReader(ABC):
    """Reads the scores of one answer. Its methods may raise any exception about rows or data.

    `snapshot`: the transaction in which it reads, if DuckDB does: what is found there is what it will read.
    """

    snapshot: duckdb.DuckDBPyConnection | None = None

    @abstractmethod
    def read(self, query: SelectQuery, given: pa.Table | None = None) -> pa.Table:
        """All rows of a query. Input: rows that it may read as `GIVEN`, and that are visible nowhere else."""

    @abstractmethod
    def hold(self, query: SelectQuery) -> None:
        """Run a query once and materialize its rows in the engine, for `read` as `HELD`.

        They stay until the reader closes or materializes others, and no other session sees them. What does
        not fit into memory is kept on disk.
        """


class Engine(ABC):
    """A database of private rows on which SQL runs.

    `tells_writes`: whether the file of the policies also holds the rows, so that its state shows writes.
    """

    tells_writes = True

    @abstractmethod
    def open(self, interrupts: Interrupts) -> AbstractContextManager[ScoreReader]:
        """Open a reader, which `interrupts` can stop. Errors of its methods: Interrupted, the engine's."""

    @abstractmethod
    def check(self, query: SelectQuery) -> None:
        """Check, before anything is charged, that a reader can run a query with the same meaning.

        Errors: UnsupportedSqlError if the engine cannot; PolicyError if its tables have changed.
        """

    @abstractmethod
    def rows(self, query: SelectQuery) -> Sequence[Sequence[Any]]:
        """The rows of a query that dpduck makes itself: on public tables, or for the data owner on others."""

    @abstractmethod
    def open_public(self, sql: str) -> duckdb.DuckDBPyConnection:
        """A DuckDB connection that can run a query on public tables."""

    def close(self) -> None:  # noqa: B027 (most have nothing to close)
        """Close what the engine opened itself."""
