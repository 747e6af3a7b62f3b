"""What else the Python Database API 2.0 (PEP 249) asks of a module: its style, types and constructors.

The types of columns are DuckDB's own, so that code which compares them with either module's is right.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, time
from typing import Any

import duckdb

apilevel = "2.0"
threadsafety = 2  # threads may share the module and a connection, each with a cursor of its own
paramstyle = "qmark"

_TYPES: Any = duckdb  # which has no types of these
STRING = _TYPES.STRING
NUMBER = _TYPES.NUMBER
DATETIME = _TYPES.DATETIME
BINARY = _TYPES.BINARY
ROWID = _TYPES.ROWID

Date = date
Time = time
Timestamp = datetime
DateFromTicks: Callable[[float], date] = date.fromtimestamp
TimestampFromTicks: Callable[[float], datetime] = datetime.fromtimestamp
Binary = bytes


def TimeFromTicks(ticks: float) -> time:  # noqa: N802 (the name is that of the API)
    """The time of day, in the zone of this machine, of seconds since the epoch."""
    return datetime.fromtimestamp(ticks).time()
