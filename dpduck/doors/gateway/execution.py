"""Execution of one connection's statements, one at a time: the only place where a query is run.

Statements about the connection take effect here; queries go to `Queries`. A statement that another thread
has stopped ends in one place, with what was charged for it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial

import pyarrow as pa

from dpduck.compiler.parse.bind import Parameter
from dpduck.compiler.parse.split import StatementText, split
from dpduck.doors.gateway import commands as c
from dpduck.doors.gateway.encoding.client_encoding import encoded_lines, encoded_rows
from dpduck.doors.gateway.encoding.copy_out import copy_messages
from dpduck.doors.gateway.errors import (
    CanceledError,
    NoTransactionError,
    PortalError,
    TransactionError,
    internal_fault,
)
from dpduck.doors.gateway.portals import Portal, PreparedObjects, Statement
from dpduck.doors.gateway.protocol import replies
from dpduck.doors.gateway.protocol.signals import WORK
from dpduck.doors.gateway.roles import check_reload
from dpduck.doors.gateway.router import Queries, RowStream
from dpduck.doors.gateway.sendable import check_sendable
from dpduck.doors.gateway.session_commands import SessionCommands, shown_columns
from dpduck.doors.gateway.variables import Variables, seconds_of
from dpduck.kernel.errors import (
    DpduckError,
    SqlSyntaxError,
    UnsupportedSqlError,
    is_charged,
    tell_charge,
)
from dpduck.kernel.errors.notices import brief_of
from dpduck.kernel.ledger import Role
from dpduck.kernel.plan.model import Output

_TAGS_WITH_COUNTS = ("SELECT", "WITH", "FROM", "VALUES", "TABLE", "(")
_TEXT = "VARCHAR"
_WITH_ROWS = (c.ShowParameter, c.Reload)  # statements about the connection that are answered by rows
_RELOADED = (Output("pg_reload_conf", "BOOLEAN"),)


@dataclass(frozen=True)
class StatementOutcome:
    """The outcome of a statement, for the log and the metrics. `piece`: None if it was not parsed."""

    piece: StatementText | None
    seconds: float
    sqlstate: str = "00000"
    charged: str = "0"
    fresh: bool = False
    replayed: bool = False


class StatementRunner:
    """Runs statements for one client.

    Input: `watch`: called with each finished statement; `reload`: has the server read its data again.
    `status`: of the transaction, I: none, T: in one, E: in a failed one. `started`: when the current
    statement began, by the monotonic clock. `number`: of the message that is being answered, or was last.
    """

    def __init__(
        self,
        queries: Queries,
        variables: Variables,
        prepared: PreparedObjects,
        watch: Callable[[StatementOutcome], None],
        reload: Callable[[], None] | None = None,
    ) -> None:
        self.started: float | None = None
        self.number = 0
        self._queries = queries
        self._variables = variables
        self._prepared = prepared
        self._session = SessionCommands(queries, variables, prepared)
        self._watch = watch
        self._reload = reload or partial(check_reload, Role.ANALYST)
        queries.service.begin()
        self._why = ""
        self._lock = threading.Lock()  # guards `interrupts`, the reason, and the two flags below
        self._busy = False
        self._over = False

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Answer a message while the block runs. Earlier stops do not apply to it."""
        self._begin(busy=True)
        try:
            yield
        finally:
            self._begin(busy=False)

    @property
    def is_stopped(self) -> bool:
        """Whether what runs was stopped."""
        return self._queries.interrupts.stopped

    def follow(self) -> None:
        """Go over to the current version of the data; while a message is being answered, do nothing."""
        with self._lock:
            if not self._busy:
                self._queries.follow()

    def stop(self, why: str, number: int | None = None) -> None:
        """Stop the work of the message that is being answered, if there is one. Called from another thread.

        Input: `number`: the message to stop, if another one may be answered by now.
        """
        with self._lock:
            if self._busy and number in (None, self.number):
                self._why = why
                self._queries.interrupts.stop()

    def stop_again(self) -> None:
        """Repeat a `stop`, since DuckDB forgets one that comes just before its query begins."""
        with self._lock:
            if self._busy and self._queries.interrupts.stopped:
                self._queries.interrupts.stop()

    def end(self, why: str) -> None:
        """Stop what runs, and allow nothing else to begin. Called from another thread."""
        with self._lock:
            self._why, self._over = why, True
            self._queries.interrupts.stop()

    @property
    def status(self) -> str:
        """The status of the transaction: I, T or E."""
        return self._session.status

    def fail(self) -> None:
        """Let a transaction fail, if there is one."""
        self._session.fail()

    @property
    def seconds_allowed(self) -> float:
        """The statement timeout that the client set; 0: only the server's applies."""
        return seconds_of(self._variables.get("statement_timeout"))

    @property
    def reported(self) -> dict[str, str]:
        """The settings that are reported to the client: dpduck's own too, so that a pool can restore them."""
        return self._variables.reported | self._queries.service.settings.all_shown()

    def knows(self, statement: Statement, values: Sequence[Parameter]) -> bool:
        """Whether `columns` needs no planning."""
        if statement.piece is None or statement.command is not None:
            return not isinstance(statement.command, (c.Fetch, c.ExecutePrepared))
        return self._queries.known_columns(statement.piece.text, values) is not None

    def columns(self, statement: Statement, values: Sequence[Parameter]) -> tuple[Output, ...] | None:
        """The columns of the result; None if there are none. Nothing is run or charged."""
        if isinstance(statement.command, c.ShowParameter):
            return shown_columns(statement.command.name)
        if isinstance(statement.command, c.Reload):
            return _RELOADED
        if isinstance(statement.command, c.ExecutePrepared):
            named = self._prepared.statement(statement.command.name)
            return self.columns(named, named.examples)
        if isinstance(statement.command, c.Fetch) and statement.command.tag == "FETCH":
            cursor = self._prepared.portal(statement.command.name)
            return self.columns(cursor.statement, cursor.values)
        if statement.piece is None or statement.command is not None:
            return None
        with placed(statement.piece):
            return self._queries.columns(statement.piece.text, values)

    def run(self, portal: Portal, limit: int = 0, *, describe: bool = False) -> Iterator[bytes]:
        """Run a portal, once, or send more of its rows; yields the replies.

        Input: `limit`: the largest number of rows to send now (0: all); `describe`: send the columns too.
        Errors: any DpduckError; its `charged` says what was charged.
        """
        self.started, fetches = time.monotonic(), portal.begun
        failure: DpduckError | None = None
        try:
            with placed(portal.statement.piece):
                yield from self._replies(portal, limit, describe=describe)
        except DpduckError as error:
            failure = error
        except Exception:
            failure = internal_fault()
        finally:
            failure = self._ended(portal, failure, fetches=fetches)
        if failure is not None:
            raise failure

    # --- a statement -----------------------------------------------------------------------------

    def _begin(self, *, busy: bool) -> None:
        with self._lock:
            self._busy = busy
            self.number += busy
            if busy:
                self._queries.follow()
            if not self._over:
                self._queries.interrupts.clear()

    def _notices(self, answer: RowStream) -> Iterator[bytes]:
        """The notices of an answer, unless the client wants none."""
        if self._variables.shows("NOTICE"):
            yield from replies.notices(brief_of(answer.notices))

    def _rows(self, portal: Portal, limit: int, *, describe: bool = False) -> Iterator[bytes]:
        answer, statement = portal.answer, portal.statement
        assert answer is not None
        assert statement.piece is not None
        if portal.sent == 0:
            yield from self._notices(answer)
        if describe and answer.columns is not None:
            yield replies.columns(answer.columns, portal.column_formats(answer.columns))
        before = portal.sent
        yield from self._encoded(portal, portal.rows(limit))
        if limit and portal.sent - before == limit and portal.has_more:
            yield replies.SUSPENDED
        else:
            yield replies.complete(_tag(statement.piece, portal.sent - before))

    def _replies(self, portal: Portal, limit: int, *, describe: bool) -> Iterator[bytes]:
        statement, fetches = portal.statement, portal.begun
        self._check_stopped()
        self._check_transaction(statement)
        portal.begun = True
        if fetches:
            yield from self._work()
            yield from self._more(portal, limit)
        elif statement.command is None or isinstance(statement.command, _WITH_ROWS):
            yield from self._asked(portal, statement.command)
            yield from self._rows(portal, limit, describe=describe)
        else:
            yield from self._said(portal, statement.command, describe=describe)

    def _work(self) -> Iterator[bytes]:
        """Continue where waiting is allowed. Errors: CanceledError if it was stopped before that came."""
        yield WORK
        self._check_stopped()

    def _more(self, portal: Portal, limit: int) -> Iterator[bytes]:
        """More rows of a portal that has run."""
        command = portal.statement.command
        if portal.answer is None or not (command is None or isinstance(command, _WITH_ROWS)):
            raise PortalError("the portal has run", hint="Bind the statement again to run it again.")
        yield from self._rows(portal, limit)

    def _asked(self, portal: Portal, command: c.ConnectionCommand | None) -> Iterator[bytes]:
        """Answer a portal, by a replay without waiting if possible."""
        match command:
            case c.ShowParameter(name=name):
                portal.answer = self._session.shown(name)
            case c.Reload():
                self._reload()
                portal.answer = RowStream(_RELOADED, [pa.record_batch({_RELOADED[0].name: [True]})])
            case _:
                portal.answer = self._again(portal)
        if portal.answer is None:
            yield from self._work()
            portal.answer = self._answer(portal)

    def _said(self, portal: Portal, command: c.ConnectionCommand, *, describe: bool) -> Iterator[bytes]:
        """Execute a statement about the connection, or about prepared statements and cursors."""
        match command:
            case c.CopyOut():
                yield from self._work()
                yield from self._copy(portal, command)
            case c.DeclareCursor():
                yield from self._work()
                yield self._declare(portal, command)
            case c.Fetch():
                yield from self._work()
                yield from self._fetch(portal, command, describe=describe)
            case c.CreateView():
                yield from self._work()
                with placed(None, command):
                    self._session.create_view(command)
                yield replies.complete(command.tag)
            case c.Prepare():
                assert portal.statement.prepares is not None
                self._prepared.put_statement(command.name, portal.statement.prepares)
                yield replies.complete(command.tag)
            case _:
                yield from self._session.run(command)

    def _ended(self, portal: Portal, failure: DpduckError | None, *, fetches: bool) -> DpduckError | None:
        """Finish a statement. Output: its failure, which becomes another one if it was stopped.

        Input: `fetches`: its charge was reported before.
        """
        started, self.started = self.started or 0.0, None
        answer = portal.answer
        if failure is not None:
            failure = self._told(failure, "0" if answer is None else answer.charged)
        done = StatementOutcome(portal.statement.piece, time.monotonic() - started)
        if failure is not None:
            fresh = failure.charged != "0"
            charged = "0" if fetches else failure.charged
            self._watch(replace(done, sqlstate=failure.sqlstate, charged=charged, fresh=fresh))
        elif not fetches:
            if answer is not None:
                done = replace(done, charged=answer.charged, fresh=answer.fresh, replayed=answer.replayed)
            self._watch(done)
        return failure

    def _told(self, failure: DpduckError, charged: str) -> DpduckError:
        """The failure to report: with earlier charges, and as a cancellation if the statement was stopped."""
        tell_charge(failure, charged)
        if not self._queries.interrupts.stopped:
            return failure
        said = "The charge stays." if is_charged(failure.charged) else None
        return CanceledError(self._why, detail=said, charged=failure.charged)

    def _check_stopped(self) -> None:
        if self._queries.interrupts.stopped:
            raise CanceledError(self._why)

    def _check_transaction(self, statement: Statement) -> None:
        command = statement.command
        ends = isinstance(command, c.Commit) or (isinstance(command, c.Savepoint) and command.goes_back)
        if self.status == "E" and not ends:
            raise TransactionError(
                "the transaction has failed, and takes no statement until it ends", hint="ROLLBACK"
            )

    def _again(self, portal: Portal) -> RowStream | None:
        """The replay of an answer that the connection received before, if it needs no waiting."""
        assert portal.statement.piece is not None
        answer = self._queries.replayed(portal.statement.piece.text, portal.values)
        if answer is not None:
            check_sendable(portal, answer.columns)
        return answer

    def _answer(self, portal: Portal) -> RowStream:
        assert portal.statement.piece is not None
        text = portal.statement.piece.text
        if portal.promised or len(portal.formats) > 1 or self._variables.encoding.codec is not None:
            columns = self._queries.columns(text, portal.values)
            check_sendable(portal, columns)
            self._check_names(columns)
        return self._queries.run(text, portal.values)

    def _copy(self, portal: Portal, command: c.CopyOut) -> Iterator[bytes]:
        with placed(None, command):
            self._check_copy(portal, command)
            answer = self._queries.run(command.sql, portal.values).only(command.picks, command.most)
        portal.answer = answer
        if answer.columns is None:
            raise SqlSyntaxError("COPY takes a query", hint="Write COPY (SELECT ...) TO STDOUT.")
        counted = _Counted(answer.batches)
        yield from self._notices(answer)
        yield replies.copy_out(int(command.options.format == "binary"), len(answer.columns))
        names, types = [o.name for o in answer.columns], [o.type for o in answer.columns]
        for lines in copy_messages(counted, types, names, command.options):
            yield encoded_lines(lines, self._variables.encoding)
        yield replies.COPIED
        yield replies.complete(f"COPY {counted.rows}")

    # --- the client's encoding -------------------------------------------------------------------

    def _encoded(self, portal: Portal, rows: Iterator[bytes]) -> Iterator[bytes]:
        """Rows as the client reads them. Errors: UntranslatableError, after the charge."""
        answer, encoding = portal.answer, self._variables.encoding
        if encoding.codec is None or answer is None or answer.columns is None:
            return rows
        types = [column.type for column in answer.columns]
        formats = portal.column_formats(answer.columns)
        return (encoded_rows(some, types, formats, encoding) for some in rows)

    def _check_names(self, columns: Sequence[Output] | None) -> None:
        """Errors: UntranslatableError if the client cannot read the name of a column."""
        for column in columns or ():
            self._variables.encoding.check_name(column.name)

    def _check_copy(self, portal: Portal, command: c.CopyOut) -> None:
        """Errors: UnsupportedSqlError, UntranslatableError, before anything is charged."""
        if self._variables.encoding.codec is None:
            return
        if command.options.format == "binary":
            raise UnsupportedSqlError(
                "COPY in binary format is in UTF8 only", hint="SET client_encoding = 'UTF8'"
            )
        self._check_names(self._queries.columns(command.sql, portal.values))

    # --- cursors ---------------------------------------------------------------------------------

    def _declare(self, portal: Portal, command: c.DeclareCursor) -> bytes:
        """Declare a cursor: a named portal, which runs and is charged when its first rows are fetched."""
        if self.status == "I" and not command.holds:
            raise NoTransactionError("a cursor lives in a transaction", hint="BEGIN, or add WITH HOLD.")
        with placed(None, command):
            columns = self._queries.columns(command.sql, portal.values)
        self._check_names(columns)
        if columns is None:
            raise SqlSyntaxError("a cursor takes a query", hint="Write DECLARE name CURSOR FOR SELECT ....")
        statement = Statement(split(command.sql)[0], types=portal.statement.types, described=columns)
        formats = (1,) if command.binary else ()
        named = Portal(statement, portal.values, formats, portal.size, command.holds)
        self._prepared.put_portal(command.name, named)
        return replies.complete(command.tag)

    def _fetch(self, portal: Portal, command: c.Fetch, *, describe: bool) -> Iterator[bytes]:
        cursor = self._prepared.portal(command.name)
        if not cursor.begun:
            cursor.begun = True
            portal.answer = cursor.answer = self._answer(cursor)
            yield from self._notices(cursor.answer)
        answer = cursor.answer
        if answer is None or answer.columns is None:
            raise PortalError(f"the cursor {command.name[:60]!r} has failed", hint="Declare it again.")
        shown = command.tag == "FETCH"
        cursor.formats = portal.formats or cursor.formats
        if describe and shown:
            yield replies.columns(answer.columns, cursor.column_formats(answer.columns))
        before = cursor.sent
        rest = cursor.rows(command.most or 0) if command.most != 0 else iter(())
        for rows in self._encoded(cursor, rest):
            if shown:
                yield rows
        yield replies.complete(f"{command.tag} {cursor.sent - before}")


class _Counted:
    """Counts the rows of batches that pass through."""

    def __init__(self, batches: Iterable[pa.RecordBatch]) -> None:
        self._batches = batches
        self.rows = 0

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        for batch in self._batches:
            self.rows += batch.num_rows
            yield batch


def _tag(piece: StatementText, rows: int) -> str:
    """The command tag of a query."""
    word = piece.words[0].text.upper()
    return f"SELECT {rows}" if word in _TAGS_WITH_COUNTS else word


@contextmanager
def placed(piece: StatementText | None, command: c.ConnectionCommand | None = None) -> Iterator[None]:
    """Shift the position in an error from a part to the whole text that the client sent."""
    shift = 0 if piece is None else piece.start
    if isinstance(command, (c.CopyOut, c.DeclareCursor, c.CreateView, c.Prepare)):
        shift += command.shift
    try:
        yield
    except DpduckError as error:
        if error.position is not None:
            error.position += shift
        raise
