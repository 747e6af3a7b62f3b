"""The doors by which a query is asked, with noise at zero: Python, and the conversation of the gateway."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from unittest.mock import patch

import duckdb

import dpduck
from benchmarks.semantics.plain import Expected, shown
from benchmarks.semantics.rows import POLICIES, open_rows
from dpduck.doors.gateway.encoding.pgtypes import pg_type
from dpduck.kernel.errors import DpduckError, InternalError
from dpduck.kernel.noise import SystemEntropy
from dpduck.kernel.noise.entropy import Words
from tests.gateway import wiring
from tests.gateway.oracle import our_bytes
from tests.gateway.talking import House
from tests.sources import HALF, Quiet

EPSILON, DELTA = "20", "1e-6"


class Refused(Exception):  # noqa: N818 (an outcome, as is the other)
    """A query is refused, and nothing was charged."""


class Failed(Exception):  # noqa: N818
    """A query failed otherwise."""


@dataclass(frozen=True)
class Answer:
    """The types of an answer's columns after the first, and its rows by the cell of the first."""

    types: tuple[str, ...]
    rows: Mapping[str, tuple[str, ...]]


class Door(Protocol):
    """A way to ask. `type_of`, `values_of`: what it shows of a type, and of the values of an expression."""

    name: str

    def ask(self, query: str) -> Answer: ...
    def type_of(self, name: str) -> str: ...
    def values_of(self, one: Expected, source: str) -> tuple[str, ...]: ...
    def number(self, value: int) -> str: ...


def _copied(connection: duckdb.DuckDBPyConnection, folder: Path) -> Path:
    """The rows in a file, of which is known whether it has changed: what is public is read once."""
    file = folder / "rows.duckdb"
    connection.execute(f"ATTACH '{file}' AS copy; COPY FROM DATABASE memory TO copy; DETACH copy")
    return file


def _by_first(rows: Iterable[tuple[str, tuple[str, ...]]]) -> dict[str, tuple[str, ...]]:
    """The cells of each row by the first one. Errors: Failed."""
    found: dict[str, tuple[str, ...]] = {}
    for first, cells in rows:
        if first in found:
            raise Failed(f"row {first} is there twice")
        found[first] = cells
    return found


class Python:
    """A connection of Python."""

    name = "Python"

    def __init__(self, connection: duckdb.DuckDBPyConnection, folder: Path) -> None:
        self._db = dpduck.connect(_copied(connection, folder), epsilon=EPSILON)
        for statement in (*POLICIES, f"SET dp_delta = {DELTA}"):
            self._db.execute(statement)

    def close(self) -> None:
        self._db.close()

    def ask(self, query: str) -> Answer:
        try:
            cursor = self._db.execute(query)
            types = tuple(str(column[1]) for column in cursor.description or ())
            rows = cursor.fetchall()
        except DpduckError as error:
            raise _kind_of(str(error), isinstance(error, InternalError)) from None
        except Exception as error:
            raise Failed(f"{type(error).__name__}: {error}") from None
        return Answer(types[1:], _by_first((str(row[0]), tuple(map(shown, row[1:]))) for row in rows))

    def type_of(self, name: str) -> str:
        return name

    def values_of(self, one: Expected, source: str) -> tuple[str, ...]:  # noqa: ARG002
        return one.values

    def number(self, value: int) -> str:
        return str(value)


class Gateway:
    """A conversation of the gateway, whose fields are text."""

    name = "gateway"

    def __init__(self, connection: duckdb.DuckDBPyConnection, folder: Path) -> None:
        file = _copied(connection, folder)
        with dpduck.connect(file) as owner:
            for statement in POLICIES:
                owner.execute(statement)
        self._plain, self._house = connection, House(file)
        self._talk = self._house.talk(EPSILON)
        self._talk.ask(f"SET dp_delta = {DELTA}")

    def close(self) -> None:
        self._house.close()

    def ask(self, query: str) -> Answer:
        charges = self._talk.charges
        replies = self._talk.ask(query)
        if any(kind == "E" for kind, _ in replies):
            fields = wiring.error_of(replies)
            text = f"{fields.get('M')} {fields.get('D', '')}"
            raise _kind_of(text, self._talk.charges != charges)
        types = tuple(str(oid) for _, oid, _ in wiring.columns_of(replies))
        rows = ((str(row[0]), tuple(map(repr, row[1:]))) for row in wiring.rows_of(replies))
        return Answer(types[1:], _by_first(rows))

    def type_of(self, name: str) -> str:
        return str(pg_type(name).oid)

    def values_of(self, one: Expected, source: str) -> tuple[str, ...]:
        if one.raised:
            rows = [f"SELECT ({one.text}) FROM {source} WHERE i = {row}" for row in range(len(one.values))]
            sent = [
                None if row in one.raised else our_bytes(self._plain, text, 0)[0]
                for row, text in enumerate(rows)
            ]
        else:
            sent = our_bytes(self._plain, f"SELECT ({one.text}) FROM {source} ORDER BY i", 0)
        return tuple(repr(None if cell is None else cell.decode()) for cell in sent)

    def number(self, value: int) -> str:
        return repr(str(value))


def _kind_of(text: str, is_failure: bool) -> Exception:
    if is_failure or "Nothing was charged" not in text:
        return Failed(text.splitlines()[0])
    return Refused(text.splitlines()[0])


@contextmanager
def no_noise() -> Iterator[None]:
    """Each draw is the median of its noise, 0."""

    def words(_: SystemEntropy, count: int) -> Words:
        return Quiet(HALF).words(count)

    with patch.object(SystemEntropy, "words", words):
        yield


@contextmanager
def opened(name: str) -> Iterator[tuple[duckdb.DuckDBPyConnection, Door]]:
    """Rows of plain DuckDB, and a door to the same rows."""
    with no_noise(), tempfile.TemporaryDirectory() as folder, open_rows() as connection:
        door = (Python if name == "Python" else Gateway)(connection, Path(folder))
        try:
            yield connection, door
        finally:
            door.close()
