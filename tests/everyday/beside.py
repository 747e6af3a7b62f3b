"""Everyday questions beside plain SQL: the plan's answer without noise, and policies whose bounds cut nothing.

Two things keep even a noiseless answer from being that of plain SQL. Groups of a public domain are there
without rows, which `existing` takes away again; and quantiles, extremes and units in place of rows mean
something else, as a notice says. `Difference` is a line of the file that names those.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pyarrow as pa

from dpduck import policies
from dpduck.engines.cancellation import Interrupts
from dpduck.engines.duckdb.engine import DuckEngine
from dpduck.query.block.question import key_column
from dpduck.query.compile import AnyPlan
from dpduck.query.plan.model import EveryKey, Plan, PublicPlan
from dpduck.release import Release, release
from dpduck.runtime.blocks import together
from dpduck.runtime.results import Result, ResultRows, shape_of
from tests.query import quiet
from tests.query.shop import statement
from tests.questions import Tables
from tests.sources import Seeded

_ROWS = re.compile(r"ALTER TABLE (\w+) SET PRIVACY CONTRIBUTION \(rows = (\d+)\)")
_DOMAIN = re.compile(r"ALTER TABLE (\w+) ALTER COLUMN (\w+) SET PRIVACY DOMAIN")
Row = tuple[object, ...]


@dataclass(frozen=True)
class Difference:
    """A question whose noiseless answer is not plain SQL's in some columns (all: `*`), and why: words of a
    notice of the answer, which say so."""

    number: int
    columns: frozenset[str]
    notice: str


def differences(file: Path) -> dict[int, Difference]:
    """The lines of a file, by the numbers of the questions: `number; column, column; words of a notice`."""
    found = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            number, columns, notice = line.split("; ")
            found[int(number)] = Difference(int(number), frozenset(columns.split(", ")), notice)
    return found


def protect(tables: Tables, connection: duckdb.DuckDBPyConnection, *, nulls: bool) -> None:
    """Set the policies of the tables. `nulls`: domains have NULL where columns have it, so that no row is left
    out."""
    for text in tables.policies():
        found = _DOMAIN.search(text)
        is_nullable = nulls and found is not None and _has_nulls(connection, found[1], found[2])
        policies.execute(connection, statement(f"{text} OR NULL" if is_nullable else text))


def _has_nulls(connection: duckdb.DuckDBPyConnection, table: str, column: str) -> bool:
    [[missing]] = connection.execute(f"SELECT count(*) FROM {table} WHERE {column} IS NULL").fetchall()
    return bool(missing)


# --- answers -----------------------------------------------------------------------------------------------


def released(made: Plan, connection: duckdb.DuckDBPyConnection, *, seed: str = "") -> Release:
    """The release of one block: with noise of a seed, or without."""
    plan = made if seed else quiet.loud(made)
    with DuckEngine(connection).open(Interrupts()) as reader:
        return release(plan, reader, Seeded(seed or "quiet"))


def answer(plan: AnyPlan, connection: duckdb.DuckDBPyConnection, *, existing: bool) -> list[Row]:
    """The answer without noise. `existing`: only of groups that have rows."""
    if isinstance(plan, PublicPlan):
        return connection.execute(plan.sql).fetchall()
    tables = []
    for block in plan.blocks:
        table = released(block, connection).table([column.name for column in block.columns])
        tables.append(_existing(block, table, connection) if existing else table)
    if isinstance(plan, Plan):
        shown = ResultRows(shape_of(quiet.loud(plan)), tables[0])
        return Result.of_rows(shown, duckdb.connect()).fetchall()
    tables += [connection.sql(rows.sql).to_arrow_table() for rows in plan.public]
    return Result.of_rows(ResultRows(shape_of(plan), together(plan, tables)), duckdb.connect()).fetchall()


def _existing(block: Plan, table: pa.Table, connection: duckdb.DuckDBPyConnection) -> pa.Table:
    """The rows of a release whose keys some score SQL has."""
    if not block.keys or not isinstance(block.selection, EveryKey):
        return table
    present = {key for sql in _score_sql(block) for key in _keys(block, sql, connection)}
    names = [column.name for column in block.columns]
    places = [names.index(key_column(number)) for number in range(len(block.keys))]
    shown = list(zip(*(_texts(table.column(place)) for place in places), strict=True))
    return table.filter(pa.array([key in present for key in shown], pa.bool_()))


def _score_sql(block: Plan) -> list[str]:
    parts = [block.selection.score_sql, *(measure.score_sql for measure in block.measures)]
    return [part for part in parts if part]


def _keys(block: Plan, sql: str, connection: duckdb.DuckDBPyConnection) -> Iterator[tuple[str | None, ...]]:
    table = connection.sql(sql).to_arrow_table()
    columns = [_texts(table.column(key.name)) for key in block.keys]
    return zip(*columns, strict=True)


def _texts(column: pa.ChunkedArray) -> list[str | None]:
    """Values as DuckDB writes them, so that a release's text is the same as its key."""
    values = pa.table({"x": column})
    if isinstance(column.type, pa.TimestampType):  # a release has times of UTC without their zone
        values = pa.table({"x": column.cast(pa.timestamp("us"))})
    found = duckdb.sql("SELECT CAST(x AS VARCHAR) FROM values").fetchall()
    del values
    return [text for (text,) in found]


# --- comparison --------------------------------------------------------------------------------------------


def without(rows: Sequence[Row], names: Sequence[str], columns: frozenset[str]) -> list[Row]:
    """The rows without some columns; without sums that are 0 or NULL, which a release does not tell apart."""
    kept = [place for place, name in enumerate(names) if name not in columns]
    return [tuple(row[place] for place in kept) for row in rows]
