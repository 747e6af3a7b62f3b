"""Everyday questions beside plain SQL: the plan's answer without noise, and policies that leave no row out.

Two things keep even a noiseless answer from being that of plain SQL. Groups of a public domain are there
without rows, which `existing` takes away again; and quantiles and keys that few have mean something
else, as a notice says. `Difference` is a line of the file that names those.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import duckdb
import pyarrow as pa

from dpduck import policies
from dpduck.answers.blocks import together
from dpduck.answers.results import Result, ResultRows, shape_of
from dpduck.compiler.compile import AnyPlan
from dpduck.engines.duckdb.engine import DuckEngine
from dpduck.kernel.cancellation import Interrupts
from dpduck.kernel.plan.keys import key_column
from dpduck.kernel.plan.model import EveryKey, Plan, PublicPlan
from dpduck.kernel.release import Release, release
from tests.query import quiet
from tests.query.shop import statement
from tests.questions import Tables
from tests.sources import Seeded

RANK, NO_VALUES = "rank", "no values"
_NEAR_IN_RANK = 0.05  # of a quantile: the next values of a small group are at most so far away
_DOMAIN = re.compile(r"ALTER TABLE (\w+) ALTER COLUMN (\w+) SET PRIVACY DOMAIN")
Row = tuple[object, ...]
Names = Sequence[str]


@dataclass(frozen=True)
class Difference:
    """Columns of a question whose noiseless numbers are not plain SQL's (`*`: its rows), and why: `RANK`,
    `NO_VALUES`, or words of a notice of the answer."""

    columns: frozenset[str]
    reason: str


def differences(file: Path) -> dict[int, list[Difference]]:
    """The lines of the file, by the numbers of the questions."""
    found: dict[int, list[Difference]] = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            number, columns, reason = line.split("; ")
            found.setdefault(int(number), []).append(Difference(frozenset(columns.split(", ")), reason))
    return found


def protect(tables: Tables, connection: duckdb.DuckDBPyConnection, *, nulls: bool) -> None:
    """Set the policies of the tables, whose bounds on rows are those of the data, or larger.

    `nulls`: domains have NULL where columns have it. As other values are in them, no row is left out.
    """
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


def releases(plan: AnyPlan, connection: duckdb.DuckDBPyConnection, *, seed: str = "") -> list[Release]:
    """The release of each block of a plan."""
    return (
        [] if isinstance(plan, PublicPlan) else [released(one, connection, seed=seed) for one in plan.blocks]
    )


def answer(
    plan: AnyPlan, made: Sequence[Release], connection: duckdb.DuckDBPyConnection, *, existing: bool
) -> tuple[Names, list[Row]]:
    """The names and rows of the answer that is made of the releases of a plan.

    Input: `existing`: only of groups that have rows.
    """
    if isinstance(plan, PublicPlan):
        return _fetched(Result(plan.sql, connection.cursor))
    tables = []
    for block, one in zip(plan.blocks, made, strict=True):
        table = one.table([column.name for column in block.columns])
        tables.append(_existing(block, table, connection) if existing else table)
    if isinstance(plan, Plan):
        shown = ResultRows(shape_of(quiet.loud(plan)), tables[0])
        return _fetched(Result.of_rows(shown, quiet.scratch()))
    tables += [connection.sql(rows.sql).to_arrow_table() for rows in plan.public]
    return _fetched(Result.of_rows(ResultRows(shape_of(plan), together(plan, tables)), quiet.scratch()))


def _fetched(result: Result) -> tuple[Names, list[Row]]:
    return [str(column[0]) for column in result.description], result.fetchall()


def _existing(block: Plan, table: pa.Table, connection: duckdb.DuckDBPyConnection) -> pa.Table:
    """The rows of a release whose keys some score SQL has."""
    if not block.keys or not isinstance(block.selection, EveryKey):
        return table
    present = {key for sql in _score_sql(block) for key in _keys(block, sql, connection)}
    names = [column.name for column in block.columns]
    places = [names.index(key_column(number)) for number in range(len(block.keys))]
    shown = zip(*(_texts(table.column(place)) for place in places), strict=True)
    return table.filter(pa.array([key in present for key in shown], pa.bool_()))


def _score_sql(block: Plan) -> list[str]:
    parts = [block.selection.score_sql, *(measure.score_sql for measure in block.measures)]
    return [part for part in parts if part]


def _keys(block: Plan, sql: str, connection: duckdb.DuckDBPyConnection) -> Iterator[tuple[str | None, ...]]:
    table = connection.sql(sql).to_arrow_table()
    return zip(*(_texts(table.column(key.name)) for key in block.keys), strict=True)


def _texts(column: pa.ChunkedArray) -> list[str | None]:
    """Values as DuckDB writes them, in which a release has its keys: times of UTC without their zone."""
    is_time = isinstance(column.type, pa.TimestampType)
    values = pa.table({"x": column.cast(pa.timestamp("us")) if is_time else column})
    with quiet.scratch().cursor() as connection:
        connection.register("given", values)
        found = connection.execute("SELECT CAST(x AS VARCHAR) FROM given").fetchall()
    return [text for (text,) in found]


# --- comparison --------------------------------------------------------------------------------------------


def agree(
    names: Names, found: Sequence[Row], plain: Sequence[Row], known: Sequence[Difference], *, ordered: bool
) -> bool:
    """Whether an answer is that of plain SQL, but for the differences that are known."""
    if any("*" in one.columns for one in known):
        return True
    reasons = {names.index(column): one.reason for one in known for column in one.columns}
    if not ordered:
        exact = [place for place in range(len(names)) if place not in reasons]
        found, plain = (sorted(rows, key=lambda row: _order(row, exact)) for rows in (found, plain))
    if RANK in reasons.values() and ordered:  # they may be what the rows are ordered by
        found, plain = (sorted(rows, key=lambda row: repr(row[0])) for rows in (found, plain))
    return len(found) == len(plain) and all(
        _same(*cells, reasons.get(place))
        for rows in zip(found, plain, strict=True)
        for place, cells in enumerate(zip(*rows, strict=True))
    )


def _order(row: Row, exact: Sequence[int]) -> list[tuple[str, str]]:
    """A key that sorts rows by the cells that are exact, as far as possible."""
    return [quiet._sort_key(row[place]) for place in exact]


def _same(answered: object, plain: object, reason: str | None) -> bool:
    if quiet.is_same_cell(answered, plain):
        return True
    if isinstance(answered, list) and isinstance(plain, list) and len(answered) == len(plain):
        return all(_same(*pair, reason) for pair in zip(answered, plain, strict=True))
    if (
        reason == RANK
        and isinstance(answered, int | float | Decimal)
        and isinstance(plain, int | float | Decimal)
    ):
        return math.isclose(answered, plain, rel_tol=_NEAR_IN_RANK)
    if reason == NO_VALUES:
        return plain is None and answered == 0
    return reason not in (None, RANK, NO_VALUES)
