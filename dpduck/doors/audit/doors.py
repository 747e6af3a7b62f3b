"""The interfaces through which queries are run, and everything observable at each, as lines of text."""

from __future__ import annotations

import re
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path

import duckdb

from dpduck.answers.service import PlanningWorkspace, Service
from dpduck.answers.settings import Settings
from dpduck.doors.connection import Connection
from dpduck.doors.extension.register import register
from dpduck.engines.duckdb.hardening import scratch_of_process
from dpduck.engines.source import Source, open_source
from dpduck.kernel.catalog.statements import PolicyStatement
from dpduck.kernel.errors import DpduckError
from dpduck.kernel.ledger import open_ledger
from dpduck.kernel.ledger.session import Session
from dpduck.kernel.tree.emit import string

ANALYST = "audit"
_FAILED = "failed while reading private data"  # the constant text of every such error
_CLOCK = re.compile(r"\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d(\.\d+)?)?)?")


@dataclass(frozen=True)
class Transcript:
    """What was observed, in order: the name and text of each observation."""

    lines: tuple[tuple[str, str], ...]

    def difference(self, other: Transcript) -> str | None:
        """The name of the first observation that differs, or None."""
        for (name, one), (also, two) in zip(self.lines, other.lines, strict=False):
            if name != also or one != two:
                return name if name == also else f"{name} and {also}"
        return None if len(self.lines) == len(other.lines) else "how much there is"

    @property
    def failed(self) -> bool:
        """Whether a query failed after it was charged."""
        return any(_FAILED in text for name, text in self.lines if name == "error")

    @property
    def refused(self) -> str | None:
        """Why the query was refused, if it was."""
        text = self.lines[0][1] if self.lines and self.lines[0][0] == "error" else None
        return None if self.failed else text

    def __str__(self) -> str:
        return "\n".join(f"{name}: {text}" for name, text in self.lines)


@dataclass(frozen=True)
class Place:
    """A database to query. Input: policies that its file does not contain; the cost of each query."""

    file: Path
    policies: tuple[PolicyStatement, ...] = ()
    epsilon: Fraction = Fraction(20)
    delta: Fraction = Fraction(1, 10**6)

    @property
    def settings(self) -> Settings:
        return Settings(self.epsilon, self.delta)


class Talk(ABC):
    """A conversation with one database."""

    @abstractmethod
    def ask(self, sql: str) -> Transcript:
        """Run a query and record everything observable."""


class AuditDoor(ABC):
    """An interface through which queries are run."""

    name: str

    @abstractmethod
    def open(self, place: Place) -> AbstractContextManager[Talk]:
        """Begin a conversation."""


class Notes:
    """Observations without the present time and the file's location, in which neighbours always differ."""

    def __init__(self, place: Place) -> None:
        self._folder = str(place.file.parent)
        self._lines: list[tuple[str, str]] = []

    def add(self, name: str, value: object) -> None:
        """Record an observation."""
        text = timeless(value if isinstance(value, str) else repr(value))
        self._lines.append((name, text.replace(self._folder, "")))

    def take(self, act: Callable[[], None]) -> None:
        """Run a function; if it raises an error, record everything in that error."""
        failure: Exception | None = None
        try:
            act()
        except Exception as error:
            failure = error
        if failure is not None:
            self.add("error", _said(failure))

    def add_entries(self, entries: Sequence[Mapping[str, object]]) -> None:
        """Record charges without their times."""
        self.add("ledger", [{k: v for k, v in entry.items() if k != "at"} for entry in entries])

    def transcript(self) -> Transcript:
        return Transcript(tuple(self._lines))


def _said(error: Exception) -> str:
    parts: list[object] = [type(error).__name__, str(error), error.__cause__, error.__context__]
    if isinstance(error, DpduckError):
        parts += [error.sqlstate, error.message, error.detail, error.hint, error.position, error.charged]
    return " | ".join(str(part) for part in parts)


def timeless(text: str) -> str:
    """The text with times of today or yesterday replaced."""
    now = datetime.now(UTC)
    days = {f"{now:%Y-%m-%d}", f"{now - timedelta(days=1):%Y-%m-%d}"}
    return _CLOCK.sub(lambda found: "<now>" if found[0][:10] in days else found[0], text)


# --- Python --------------------------------------------------------------------------------------


class PythonDoor(AuditDoor):
    """`dpduck.connect`. Input: `thorough`: also run the query again, and EXPLAIN it."""

    name = "Python"

    def __init__(self, *, thorough: bool = True) -> None:
        self._thorough = thorough

    @contextmanager
    def open(self, place: Place) -> Iterator[PythonTalk]:
        with opened(place) as source, scratch_of_process() as database:
            workspace = PlanningWorkspace.of(source, ANALYST, database)
            yield PythonTalk(place, source, workspace, thorough=self._thorough)

    @contextmanager
    def beside(self, place: Place, other: PythonTalk) -> Iterator[PythonTalk]:
        """A conversation with a neighbour that reuses the plans of another conversation."""
        with opened(place) as source:
            yield PythonTalk(place, source, other.workspace, thorough=self._thorough)


class PythonTalk(Talk):
    """Each query runs in a session of its own, on a ledger of its own."""

    def __init__(self, place: Place, source: Source, workspace: PlanningWorkspace, *, thorough: bool) -> None:
        self.workspace = workspace
        self.data = source.connection
        self.is_file = source.files is not None
        self._place = place
        self._thorough = thorough
        self._service = Service(
            source, Session(open_ledger(None), "audit", ANALYST), place.settings, workspace
        )
        self._db = Connection(source.connection.cursor(), self._service)

    def ask(self, sql: str) -> Transcript:
        notes = Notes(self._place)
        with open_ledger(None) as ledger:
            self._service.session = Session(ledger, "audit", ANALYST)
            notes.take(lambda: self._answer(notes, sql))
            if self._thorough:
                notes.take(lambda: self._answer(notes, sql))
                notes.take(lambda: notes.add("explained", str(self._db.explain(sql))))
            notes.add("notices", self._db.notices)
            notes.take(lambda: notes.add("budgets", self._db.budget().to_pylist()))
            notes.add_entries(self._db.ledger().to_pylist())
        return notes.transcript()

    def _answer(self, notes: Notes, sql: str) -> None:
        self._db.execute(sql)
        notes.add("charged", self._db.charged)
        notes.add("columns", [column[:2] for column in self._db.description or ()])
        notes.add("rows", self._db.fetchall())


@contextmanager
def opened(place: Place) -> Iterator[Source]:
    """The data, opened for an analyst."""
    source = open_source(place.file, read_only=True, policies=place.policies)
    try:
        yield source
    finally:
        source.connection.close()


# --- a plain DuckDB connection -------------------------------------------------------------------


class RegisterDoor(AuditDoor):
    """`dpduck.register`: FROM dp('...') on a plain connection, and the reports dp_budget and dp_ledger."""

    name = "register"

    @contextmanager
    def open(self, place: Place) -> Iterator[Talk]:
        with duckdb.connect(str(place.file), read_only=True) as connection:
            settings = place.settings
            ledger = place.file.with_name("register.ledger")
            register(
                connection, session="audit", ledger=ledger, epsilon=settings.epsilon, delta=settings.delta
            )
            yield RegisterTalk(place, connection)


class RegisterTalk(Talk):
    """FROM dp('...') for a query; SQL that calls dp_ functions runs as it is, with its values masked.

    The functions return only numbers and keys, so that only types and shapes are compared.
    """

    def __init__(self, place: Place, connection: duckdb.DuckDBPyConnection) -> None:
        self._place = place
        self._connection = connection

    def ask(self, sql: str) -> Transcript:
        notes, calls = Notes(self._place), _FUNCTION.search(sql) is not None
        text = sql if calls else f"FROM dp({string(sql)})"
        notes.take(lambda: self._answer(notes, text, masked=calls))
        if not calls:
            notes.take(lambda: self._answer(notes, text))
        for report in ("dp_budget", "dp_ledger"):
            notes.take(lambda report=report: self._report(notes, report, masked=calls))  # type: ignore[misc]
        return notes.transcript()

    def _answer(self, notes: Notes, sql: str, *, masked: bool = False) -> None:
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            self._connection.execute(sql)
            rows = self._connection.fetchall()
        notes.add("columns", [column[:2] for column in self._connection.description or ()])
        notes.add("rows", shape_of(rows) if masked else rows)
        notes.add("warnings", [str(one.message) for one in warned])

    def _report(self, notes: Notes, report: str, *, masked: bool) -> None:
        """Record a report of the session; masked, if a call may give back a part of its charge."""
        rows = self._connection.execute(f"FROM {report}() LIMIT 50").fetchall()
        shown = [[cell for cell in row if not isinstance(cell, datetime)] for row in rows]
        notes.add(report, shape_of(shown) if masked else shown)


_FUNCTION = re.compile(r"\bdp_(top_k|top_k_counts|mode|median|quantile|above|select)\b")


def shape_of(value: object) -> object:
    """A value without numbers and strings: the fields of a struct, the shape of a list's first item."""
    if isinstance(value, dict):
        return list(value)
    if isinstance(value, tuple):
        return tuple(map(shape_of, value))
    if isinstance(value, list):
        return [shape_of(one) for one in value[:1]]
    return None if value is None else type(value).__name__
