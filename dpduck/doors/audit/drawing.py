"""Draw answers of the same query on a database and a neighbour, to estimate its epsilon.

A draw is a whole answer: charged, drawn, released and converted to rows; or, ten times as fast, the release
alone, in order, from which everything else is computed. Reads of private rows are cached, since they are the
same each time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

import duckdb
import pyarrow as pa

from dpduck.answers.claimed_bounds import ComparedBound, claims_of
from dpduck.answers.pipeline import ReleaseRequest
from dpduck.answers.results import Result, ResultRows
from dpduck.answers.service import PlanningWorkspace, Service
from dpduck.compiler.parse.statements import Select, parse
from dpduck.doors.audit.bounds import ALPHA, Bound, View, epsilon_bound, whole
from dpduck.doors.audit.doors import ANALYST, Place, opened
from dpduck.engines.duckdb.hardening import scratch_of_process
from dpduck.engines.source import Source
from dpduck.kernel.cancellation import Interrupts
from dpduck.kernel.engine import Engine, ScoreReader
from dpduck.kernel.errors import DpduckError
from dpduck.kernel.ledger import open_ledger
from dpduck.kernel.ledger.session import Session
from dpduck.kernel.noise import SystemEntropy
from dpduck.kernel.plan.model import Plan
from dpduck.kernel.release import release
from dpduck.kernel.tree.relations import SelectQuery

_ROWS, _MOST_CELLS = 3, 8  # of an answer that are examined individually
_MOST_CHARGES = 2_000  # on one ledger, so that it stays quick


class CachingEngine(Engine):
    """An engine whose reads are cached, on data that does not change."""

    def __init__(self, engine: Engine, reader: ScoreReader) -> None:
        self.tells_writes = engine.tells_writes
        self._engine = engine
        self._reader = _CachingReader(reader)

    def open(self, interrupts: Interrupts) -> AbstractContextManager[ScoreReader]:  # noqa: ARG002
        return self._lent()

    @contextmanager
    def _lent(self) -> Iterator[ScoreReader]:
        yield self._reader

    def check(self, query: SelectQuery) -> None:
        self._engine.check(query)

    def rows(self, query: SelectQuery) -> Sequence[Sequence[Any]]:
        return self._engine.rows(query)

    def open_public(self, sql: str) -> duckdb.DuckDBPyConnection:
        return self._engine.open_public(sql)


class _CachingReader(ScoreReader):
    def __init__(self, reader: ScoreReader) -> None:
        self._reader = reader
        self._tables: dict[Hashable, pa.Table] = {}
        self._wanted: SelectQuery | None = None
        self._held: SelectQuery | None = None

    def read(self, query: SelectQuery, given: pa.Table | None = None) -> pa.Table:
        key = (self._wanted, query, None if given is None else repr(given.to_pydict()))
        if key not in self._tables:
            if self._wanted is not None and self._held != self._wanted:
                self._reader.hold(self._wanted)
                self._held = self._wanted
            self._tables[key] = self._reader.read(query, given)
        return self._tables[key]

    def hold(self, query: SelectQuery) -> None:
        self._wanted = query
        if self._held != query:
            self._reader.hold(query)  # it may fail, and must each time
            self._held = query


def _rows_of(plan: Plan, reader: ScoreReader) -> Iterator[tuple[Hashable, ...]]:
    """The rows of one release of one block."""
    made = release(plan, reader, SystemEntropy())
    table = made.table([column.name for column in plan.columns])
    yield from zip(*(map(_plain, column.to_pylist()) for column in table.columns), strict=True)


class Drawer:
    """Draws answers of one database."""

    def __init__(
        self, source: Source, reader: ScoreReader, place: Place, answers: duckdb.DuckDBPyConnection
    ) -> None:
        self._engine = CachingEngine(source.engine, reader)
        self._source = replace(source, elsewhere=self._engine)
        self._workspace = PlanningWorkspace.of(source, ANALYST, answers)
        self._settings = replace(place.settings, replay=False)
        self._answers = answers
        self._charges = 0
        self._requests: dict[str, ReleaseRequest] = {}
        self._service = self._fresh()

    def _fresh(self) -> Service:
        session = Session(open_ledger(None), "audit", ANALYST)
        return Service(self._source, session, self._settings, self._workspace)

    def claim(self, sql: str) -> tuple[Fraction, Fraction] | None:
        """The epsilon and delta that a query claims to cost; None if nothing."""
        explained = self._service.explain(sql)
        found = Fraction(explained.epsilon), Fraction(explained.delta)
        return found if any(found) else None

    def release(self, sql: str) -> Hashable:
        """One release as its rows in order, or that there was an error."""
        request, rows = self._request(sql), ("error",)
        with suppress(Exception), self._engine.open(Interrupts()) as reader:
            return tuple(row for block in request.plan.blocks for row in _rows_of(block, reader))
        return rows

    def relied_on(self, sql: str) -> list[tuple[str, ComparedBound]]:
        """What the noise of a query relies on, computed and claimed, each with the kind of the score."""
        if self.claim(sql) is None:
            return []
        request = self._request(sql)
        claims = [claim for block in request.plan.blocks for claim in claims_of(block)]
        return [(claim.kind, one) for claim in claims for one in claim.compared(request.bounds.catalog)]

    def _request(self, sql: str) -> ReleaseRequest:
        """The request for a query on private rows."""
        if sql not in self._requests:
            select = parse(sql)
            assert isinstance(select, Select)
            request = self._workspace.preparation.request(sql, select, None, self._settings)
            assert isinstance(request, ReleaseRequest)
            self._requests[sql] = request
        return self._requests[sql]

    def draw(self, sql: str) -> Hashable:
        """One answer as its rows in order, or its error."""
        self._charges += 1
        if self._charges % _MOST_CHARGES == 0:
            self._service = self._fresh()
        try:
            rows = self._service.run(sql)
        except DpduckError as error:
            return "error", str(error)
        assert isinstance(rows, ResultRows)
        result = Result.of_rows(rows, self._answers)
        found = tuple(tuple(map(_plain, row)) for row in result.fetchall())
        result.close()
        return found


@contextmanager
def drawing(place: Place) -> Iterator[Drawer]:
    """Draw answers of a database."""
    with ExitStack() as stack:
        source = stack.enter_context(opened(place))
        answers = stack.enter_context(scratch_of_process())
        reader = stack.enter_context(source.engine.open(Interrupts()))
        yield Drawer(source, reader, place, answers)


def _plain(cell: object) -> Hashable:
    """A cell that can be compared: numbers as they are, anything else as text."""
    if isinstance(cell, (int, float)) and not isinstance(cell, bool):
        return cell
    return repr(cell)


@dataclass(frozen=True)
class Verdict:
    """The result of draws for a query that claims epsilon and delta. `draws`: on each side."""

    query: str
    neighbour: str
    epsilon: Fraction
    delta: Fraction
    bound: Bound
    draws: int

    @property
    def ratio(self) -> float:
        """The bound relative to the claim."""
        return self.bound.epsilon / float(self.epsilon)

    @property
    def tells(self) -> bool:
        """Whether the draws were enough to show anything."""
        return self.bound.epsilon > 0


def measure(
    one: Callable[[], Hashable], two: Callable[[], Hashable], draws: int, until: float | None = None
) -> tuple[list[Hashable], list[Hashable]]:
    """Draw both alternately. Input: `draws`: how many of each; `until`: when to stop, by `time.monotonic`."""
    samples: tuple[list[Hashable], list[Hashable]] = ([], [])
    while len(samples[0]) < draws and (until is None or time.monotonic() < until):
        samples[0].append(one())
        samples[1].append(two())
    return samples


def judged(
    sql: str,
    neighbour: str,
    claim: tuple[Fraction, Fraction],
    samples: tuple[Sequence[Hashable], Sequence[Hashable]],
    alpha: Fraction = ALPHA,
) -> Verdict:
    """The bound that samples give, with the claim: epsilon and delta."""
    epsilon, delta = claim
    bound = epsilon_bound(*samples, delta, views=views_of(samples[0]), alpha=alpha)
    return Verdict(sql, neighbour, epsilon, delta, bound, len(samples[0]))


def views_of(sample: Sequence[Hashable]) -> list[View]:
    """Views of answers: all, the number of rows, strings with and without order, some cells, totals."""
    widths = [len(rows[0]) for rows in sample if _is_table(rows)]  # type: ignore[index]
    places = [(row, column) for column in range(max(widths, default=0)) for row in range(_ROWS)]
    cells: list[View] = [partial(_cell, row=row, column=column) for row, column in places[:_MOST_CELLS]]
    totals: list[View] = [partial(_total, column=column) for column in range(min(max(widths, default=0), 3))]
    return [whole, _size, _words, _unordered, *cells, *totals]


def _is_table(rows: Hashable) -> bool:
    return isinstance(rows, tuple) and bool(rows) and isinstance(rows[0], tuple)


def _size(rows: Any) -> Hashable:
    return len(rows) if rows[:1] != ("error",) else rows


def _words(rows: Any) -> tuple[Hashable, ...]:
    """The rows without their numbers."""
    if rows[:1] == ("error",):
        return tuple(rows)
    return tuple(tuple(cell for cell in row if isinstance(cell, str)) for row in rows)


def _unordered(rows: Any) -> Hashable:
    return frozenset(_words(rows))


def _total(rows: Any, column: int) -> Hashable:
    """The sum of a column, to which one unit may contribute in many rows."""
    cells = [row[column] for row in rows if rows[:1] != ("error",)]
    return "none" if any(isinstance(cell, str) for cell in cells) else sum(cells)


def _cell(rows: Any, row: int, column: int) -> Hashable:
    if rows[:1] == ("error",) or row >= len(rows) or column >= len(rows[row]):
        return "none"
    found: Hashable = rows[row][column]
    return found
