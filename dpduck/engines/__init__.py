"""Where score SQL runs once it is paid for: what an engine must be able to do, whatever it is.

Score SQL is written in DuckDB's dialect, from functions that are total: no row can make one fail. An
engine runs it, or its own SQL of the same meaning, and returns the same numbers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import AbstractContextManager

import pyarrow as pa

from dpduck.interrupts import Interrupts
from dpduck.query.held import GIVEN, HELD

__all__ = ["GIVEN", "HELD", "Engine", "Reader"]


class Reader(ABC):
    """Reads the scores of one answer. What is wrong with a row, or with the data, is its own exception."""

    @abstractmethod
    def read(self, sql: str, given: pa.Table | None = None) -> pa.Table:
        """All rows of a query. Input: SQL; public rows that it may read as `GIVEN`."""

    @abstractmethod
    def hold(self, sql: str) -> None:
        """Compute a query once, and keep its rows where the data is, for `read` as `HELD`.

        They stay until the reader closes or holds others, and nobody else sees them. What does not fit in
        memory is kept on disk.
        """


class Engine(ABC):
    """A place where private rows are, and SQL runs."""

    @abstractmethod
    def open(self, interrupts: Interrupts) -> AbstractContextManager[Reader]:
        """A reader, which `interrupts` can stop. Errors of its methods: Interrupted, and the engine's own."""
