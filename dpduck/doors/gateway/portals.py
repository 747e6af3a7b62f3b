"""Prepared statements and portals: a statement, its parameter values, and its remaining rows."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import pyarrow as pa

from dpduck.compiler.parse.bind import Parameter
from dpduck.compiler.parse.split import StatementText
from dpduck.doors.gateway.commands import ConnectionCommand
from dpduck.doors.gateway.encoding.encode import data_rows
from dpduck.doors.gateway.errors import (
    NoPortalError,
    NoStatementError,
    PortalExistsError,
    ProtocolError,
    StatementExistsError,
    TooManyError,
    no_room,
)
from dpduck.doors.gateway.query_cache import CachedAnswer
from dpduck.doors.gateway.router import RowStream
from dpduck.doors.gateway.shares import Holding
from dpduck.kernel.plan.model import Output

ROWS_AT_ONCE = 8192
BYTES_AT_ONCE = 64 * 1024  # of rows in Arrow; as messages they take up to some three times as much
MOST = 10_000  # prepared statements of one connection
MOST_PORTALS = 500  # each may keep a DuckDB query open
MOST_TEXT = 4_000_000  # characters of all its statements
MOST_VALUES = 64 * 1024 * 1024  # bytes of the parameter values in all its portals
_WORD = 256  # bytes that each word of a statement takes, about
_FREE = 256 * 1024  # bytes of a connection's statements, or values, for which no room is asked


@dataclass
class Statement:
    """A prepared statement.

    `piece`: None for an empty text; `command`: set if it is about the connection; `types`: the OIDs of its
    parameters; `examples`: a value for each, for planning; `described`: the columns that were announced to
    the client, and which the result must have; `prepares`: the statement that PREPARE names.
    """

    piece: StatementText | None
    command: ConnectionCommand | None = None
    types: tuple[int, ...] = ()
    examples: Sequence[Parameter] = ()
    described: tuple[Output, ...] | None = None
    prepares: Statement | None = None


@dataclass
class Portal:
    """A statement with its parameter values, which runs once.

    `formats`: of its columns, as requested; `size`: bytes of its values; `described`: the columns that were
    announced to the client, and which the result must have; `begun`: whether it has run.
    """

    statement: Statement
    values: Sequence[Parameter] = ()
    formats: tuple[int, ...] = ()
    size: int = 0
    holds: bool = False  # outlives the transaction
    described: tuple[Output, ...] | None = None
    begun: bool = False
    answer: RowStream | None = None
    sent: int = 0
    _left: Iterator[pa.RecordBatch] | None = field(default=None, repr=False)
    _waiting: pa.RecordBatch | None = field(default=None, repr=False)

    @property
    def promised(self) -> list[tuple[Output, ...]]:
        """The columns that were announced to the client."""
        return [told for told in (self.statement.described, self.described) if told is not None]

    def column_formats(self, columns: Sequence[Output]) -> tuple[int, ...]:
        """The format of each column. Errors: ProtocolError."""
        if len(self.formats) <= 1:
            return (self.formats or (0,)) * len(columns)
        if len(self.formats) != len(columns):
            raise ProtocolError(f"there are {len(columns)} columns, and {len(self.formats)} formats")
        return self.formats

    def rows(self, limit: int = 0) -> Iterator[bytes]:
        """The next rows as messages. Input: how many at most, 0 for all remaining."""
        answer = self.answer
        if answer is None or answer.columns is None:
            return
        types = [column.type for column in answer.columns]
        formats = self.column_formats(answer.columns)
        if isinstance(answer.batches, CachedAnswer) and not limit and self._left is None:
            self._left, self.sent = iter(()), answer.batches.rows
            yield answer.batches.data_rows(types, formats)
            return
        left = limit or ROWS_AT_ONCE
        while left and (batch := self._take(left)) is not None:
            self.sent += batch.num_rows
            left -= batch.num_rows if limit else 0
            yield data_rows(batch, types, formats)

    @property
    def has_more(self) -> bool:
        """Whether rows remain; the next batch is computed to find out."""
        if self._waiting is None:
            self._waiting = self._next()
        return self._waiting is not None

    def close(self) -> None:
        """Drop the rows."""
        if isinstance(self._left, Generator):
            self._left.close()
        self.answer, self._left, self._waiting = None, None, None

    def _take(self, most: int) -> pa.RecordBatch | None:
        """The next rows, at most so many, and few enough to be sent at once."""
        batch, self._waiting = self._waiting or self._next(), None
        if batch is None:
            return None
        most = min(most, rows_at_once(batch))
        if batch.num_rows > most:
            self._waiting = batch.slice(most)
            return batch.slice(0, most)
        return batch

    def _next(self) -> pa.RecordBatch | None:
        if self.answer is None:
            return None
        if self._left is None:
            self._left = iter(self.answer.batches)
        return next((batch for batch in self._left if batch.num_rows), None)


def rows_at_once(batch: pa.RecordBatch) -> int:
    """How many rows of a batch become messages at once, so that what waits for a slow reader is bounded."""
    width = batch.nbytes / batch.num_rows
    return max(1, min(ROWS_AT_ONCE, int(BYTES_AT_ONCE / max(width, 1))))


class PreparedObjects:
    """The prepared statements and portals of one connection; an unnamed one replaces the last unnamed one.

    Input: `holding`: where room is asked for them.
    """

    def __init__(self, holding: Holding | None = None) -> None:
        self._holding = holding or Holding()
        self._statements: dict[str, Statement] = {}
        self._portals: dict[str, Portal] = {}

    def put_statement(self, name: str, statement: Statement) -> None:
        """Store a prepared statement. Errors: StatementExistsError, TooManyError, NoRoomError."""
        if name and name in self._statements:
            raise StatementExistsError(
                f"there is a prepared statement {name[:60]!r} already", hint="Close it first."
            )
        _check_room(self._statements, MOST)
        others = [other for key, other in self._statements.items() if key != name]
        _check_size(_length(statement) + sum(map(_length, others)), MOST_TEXT)
        self._hold("statements", sum(map(_memory, [statement, *others])))
        self._statements[name] = statement

    def statement(self, name: str) -> Statement:
        """Look up a prepared statement. Errors: NoStatementError."""
        if name not in self._statements:
            raise NoStatementError(f"there is no prepared statement {name[:60]!r}")
        return self._statements[name]

    def drop_statement(self, name: str) -> None:
        """Drop a statement, if it exists."""
        if self._statements.pop(name, None) is not None:
            self._hold("statements", sum(map(_memory, self._statements.values())))

    def drop_statements(self) -> None:
        """Drop all statements."""
        self._statements.clear()
        self._hold("statements", 0)

    def put_portal(self, name: str, portal: Portal) -> None:
        """Store a portal. Errors: PortalExistsError, TooManyError, NoRoomError."""
        if name and name in self._portals:
            raise PortalExistsError(f"there is a portal {name[:60]!r} already", hint="Close it first.")
        self.drop_portal(name)
        _check_room(self._portals, MOST_PORTALS)
        size = portal.size + sum(kept.size for kept in self._portals.values())
        _check_size(size, MOST_VALUES)
        self._hold("values", size)
        self._portals[name] = portal

    def portal(self, name: str) -> Portal:
        """Look up a portal. Errors: NoPortalError."""
        if name not in self._portals:
            raise NoPortalError(f"there is no portal {name[:60]!r}")
        return self._portals[name]

    def drop_portal(self, name: str) -> None:
        """Drop a portal, if it exists."""
        portal = self._portals.pop(name, None)
        if portal is not None:
            portal.close()
            if portal.size:
                self._hold("values", sum(kept.size for kept in self._portals.values()))

    def drop_portals(self, *, held: bool = True) -> None:
        """Drop all portals, or all that do not outlive the transaction."""
        for name, portal in list(self._portals.items()):
            if held or not portal.holds:
                self.drop_portal(name)

    def _hold(self, purpose: str, size: int) -> None:
        """Errors: NoRoomError."""
        if not self._holding.resize(purpose, size if size > _FREE else 0):
            raise no_room()


def _memory(statement: Statement) -> int:
    """Bytes that it takes, about."""
    if statement.piece is None:
        return 0
    return 4 * len(statement.piece.text) + _WORD * len(statement.piece.words)


def _length(statement: Statement) -> int:
    """The number of characters of its text."""
    return 0 if statement.piece is None else len(statement.piece.text)


def _check_size(size: int, most: int) -> None:
    if size > most:
        raise TooManyError(
            "what this connection keeps is too long", detail=f"It is at most {most}.", hint="Close some."
        )


def _check_room(kept: Mapping[str, object], most: int) -> None:
    if len(kept) >= most:
        raise TooManyError(f"a connection keeps at most {most} of these", hint="Close some.")
