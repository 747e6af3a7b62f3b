"""Random row expressions over columns of every type: none fails on any row, each is of the type it claims.

Expressions go through the gate as in a query. Those that are accepted run together, on rows of extreme values
and then on single rows; where a statement fails, halves of it are tried, down to the expression at fault.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import duckdb

from dpduck.kernel.errors import DpduckError, InternalError
from dpduck.kernel.plan.expression import Typed
from dpduck.kernel.tree.duckdb import sql
from tests.fuzz.extremes import COLUMNS, CONSTANTS, FORMS
from tests.fuzz.rowwise import Rowwise
from tests.fuzz.tally import Tally
from tests.query.samples import open_samples, read

ROWS = 300
AT_ONCE = 50  # expressions of one statement
_FORGETS = duckdb.__version__.startswith("1.")
_KINDS = ("number", "number", "number", "integer", "integer", "text", "date", "moment", "test")
_DEPTHS = (1, 2, 2, 3, 3, 4)


@dataclass(frozen=True)
class Tried:
    """An accepted expression: as it was written, and its translation."""

    text: str
    value: Typed

    @property
    def sql(self) -> str:
        return sql(self.value.node)


@cache
def rows() -> duckdb.DuckDBPyConnection:
    """The rows of extreme values of this process."""
    return open_samples(ROWS)


def run(seed: str, rounds: int) -> Tally:
    """Try as many expressions; the same seed gives the same ones."""
    chance, tally = random.Random(seed), Tally()
    writer = Rowwise(chance, COLUMNS, FORMS, CONSTANTS)
    accepted: list[Tried] = []
    for number in range(rounds):
        kind = chance.choice(_KINDS)
        text = writer.test(3) if kind == "test" else writer.value(kind, chance.choice(_DEPTHS))
        found = translated(text, kind, tally)
        accepted += [] if found is None else [found]
        if len(accepted) == AT_ONCE or number == rounds - 1:
            check(accepted, rows(), tally)
            accepted = []
    return tally


def translated(text: str, kind: str, tally: Tally) -> Tried | None:
    """The expression if it is accepted, noted either way."""
    try:
        value = read(text)
    except DpduckError as error:
        if isinstance(error, InternalError):
            tally.fail(f"InternalError: {error.message}", text)
            return None
        tally.refusals[error.message] += 1
        tally.count("refused", [kind])
    except Exception as error:
        tally.fail(f"{type(error).__name__}: {str(error)[:200]}", text)
    else:
        tally.count("accepted", [kind])
        return Tried(text, value)
    return None


def check(tried: Sequence[Tried], connection: duckdb.DuckDBPyConnection, tally: Tally) -> None:
    """Run them, and note each that fails on a row or has another type than it says."""
    for one, reason in faults(tried, connection):
        tally.outcomes["accepted"] -= 1
        tally.fail(reason, f"{one.text}\n    {one.sql}")


def faults(
    tried: Sequence[Tried], connection: duckdb.DuckDBPyConnection, *, conditions: bool = True
) -> list[tuple[Tried, str]]:
    """The expressions that fail or have another type, each with the reason.

    `conditions`: each is tried in WHERE as well.
    """
    if not tried:
        return []
    try:
        wrong = _of_other_types(tried, connection)
        hashes = ", ".join(f"bit_xor(hash(({one.sql})))" for one in tried)
        connection.execute(f"SELECT {hashes} FROM t").fetchall()
        if conditions:
            _run_as_conditions(tried, connection)
    except duckdb.Error as error:
        if len(tried) == 1:
            return [(tried[0], str(error).splitlines()[0][:200])]
        middle = len(tried) // 2
        halves = tried[:middle], tried[middle:]
        return [fault for half in halves for fault in faults(half, connection, conditions=conditions)]
    return wrong


def _of_other_types(tried: Sequence[Tried], connection: duckdb.DuckDBPyConnection) -> list[tuple[Tried, str]]:
    items = ", ".join(f"({one.sql}) AS c{number}" for number, one in enumerate(tried))
    bound = connection.execute(f"DESCRIBE SELECT {items} FROM t").fetchall()
    pairs = zip(tried, (str(row[1]) for row in bound), strict=True)
    return [
        (one, f"it is of type {found}, not {one.value.type.name}")
        for one, found in pairs
        if found != one.value.type.name and not _is_nothing(one, found, connection)
    ]


def _is_nothing(one: Tried, found: str, connection: duckdb.DuckDBPyConnection) -> bool:
    """Whether it is always NULL, of which DuckDB 1.5 forgets the type: it goes with every other."""
    count = f"SELECT count({one.sql}) FROM t"
    return _FORGETS and found == "INTEGER" and connection.execute(count).fetchall() == [(0,)]


def _run_as_conditions(tried: Sequence[Tried], connection: duckdb.DuckDBPyConnection) -> None:
    """Each once more in WHERE, where DuckDB reckons with what it knows of all values of a column."""
    for one in tried:
        test = one.sql if one.value.type.kind == "boolean" else f"({one.sql}) IS NOT NULL"
        connection.execute(f"SELECT count(*) FROM t WHERE {test}").fetchall()
