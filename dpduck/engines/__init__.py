"""Where score SQL runs once it is paid for: what an engine must be able to do, whatever it is.

Scores are asked for by trees of DuckDB's functions that are total: no row can make one fail. An engine runs
what is written of them in DuckDB's SQL, or its own SQL of the same meaning, and returns the same numbers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any

import duckdb
import pyarrow as pa

from dpduck.engines.cancellation import Interrupts
from dpduck.query.tree.emit import GIVEN, HELD
from dpduck.query.tree.relations import SelectQuery

__all__ = ["GIVEN", "HELD", "Engine", "ScoreReader"]


class ScoreReader(ABC):
    """Reads the scores of one answer. What is wrong with a row, or with the data, is its own exception."""

    @abstractmethod
    def read(self, query: SelectQuery, given: pa.Table | None = None) -> pa.Table:
        """All rows of a query. Input: rows that it may read as `GIVEN`, which nothing else shows."""

    @abstractmethod
    def hold(self, query: SelectQuery) -> None:
        """Compute a query once, and keep its rows where the data is, for `read` as `HELD`.

        They stay until the reader closes or holds others, and nobody else sees them. What does not fit in
        memory is kept on disk.
        """


class Engine(ABC):
    """A place where private rows are, and SQL runs.

    `tells_writes`: whether the file of the policies is that of the rows, and so shows when they were written.
    """

    tells_writes = True

    @abstractmethod
    def open(self, interrupts: Interrupts) -> AbstractContextManager[ScoreReader]:
        """A reader, which `interrupts` can stop. Errors of its methods: Interrupted, and the engine's own."""

    @abstractmethod
    def check(self, query: SelectQuery) -> None:
        """Make sure, before anything is charged, that a reader can run a query with the meaning that it has.

        Errors: UnsupportedSqlError where the engine cannot; PolicyError where its tables have changed.
        """

    @abstractmethod
    def rows(self, query: SelectQuery) -> Sequence[Sequence[Any]]:
        """The rows of a query of dpduck's own: on public tables, or by the data owner on others."""

    @abstractmethod
    def open_public(self, sql: str) -> duckdb.DuckDBPyConnection:
        """A DuckDB on which a query on public tables runs."""

    def close(self) -> None:  # noqa: B027 (most have nothing to let go of)
        """Let go of what the engine opened itself."""
