"""The replies to one client's messages after its authentication, as bytes, without a socket.

Each message is answered by the method that `_ANSWERS` lists for it. Describing a query only plans it;
only Execute and a simple Query run one, once for each portal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from sqlglot import exp

from dpduck.compiler.parse.bind import Parameter
from dpduck.compiler.parse.postgres_names import postgres_name
from dpduck.compiler.parse.split import StatementText, split
from dpduck.doors.gateway import commands as c
from dpduck.doors.gateway.command_readers import command_of
from dpduck.doors.gateway.encoding.client_encoding import decoded, encoded_reply
from dpduck.doors.gateway.encoding.parameters import decode, oid_of_duckdb
from dpduck.doors.gateway.encoding.pgtypes import BY_NAME
from dpduck.doors.gateway.errors import ProtocolError, internal_fault
from dpduck.doors.gateway.execution import StatementOutcome, StatementRunner, placed
from dpduck.doors.gateway.pg_catalog.reading import read
from dpduck.doors.gateway.portals import Portal, PreparedObjects, Statement
from dpduck.doors.gateway.protocol import messages as m
from dpduck.doors.gateway.protocol import replies
from dpduck.doors.gateway.protocol.signals import FLUSH, WORK
from dpduck.doors.gateway.protocol.states import State, Transition
from dpduck.doors.gateway.protocol.wire import Wire
from dpduck.doors.gateway.router import Queries, examples
from dpduck.doors.gateway.variables import Variables
from dpduck.kernel.errors import DpduckError, ParameterError, SqlSyntaxError

_SHORT = 2_000  # characters or bytes handled without `WORK`


class Conversation:
    """The conversation with one client.

    Input: `watch`: called with each finished statement; `reload`: has the server read its data again
        (default: refuses).

    `running` executes its statements.
    """

    def __init__(
        self,
        wire: Wire,
        queries: Queries,
        variables: Variables,
        watch: Callable[[StatementOutcome], None],
        reload: Callable[[], None] | None = None,
    ) -> None:
        self._wire = wire
        self._queries = queries
        self._prepared = PreparedObjects(wire.holding)
        self._variables = variables
        wire.codec = lambda: variables.encoding.codec
        self.running = StatementRunner(queries, variables, self._prepared, watch, reload)

    def work(self, data: bytes) -> Iterator[bytes]:
        """Process bytes of the client and yield replies. A malformed message ends the conversation."""
        failure: DpduckError | None = None
        try:
            for message in self._wire.receive(data):
                if self._wire.state is not State.SKIPPING:
                    yield from map(self._in_client_encoding, self._hear(message))
        except ProtocolError as error:
            failure = error
        if failure is not None:
            yield replies.error(failure, severity="FATAL")

    def greet(self) -> bytes:
        """The parameters sent after authentication."""
        return self._in_client_encoding(replies.parameters(self.running.reported))

    def ready(self) -> bytes:
        """ReadyForQuery."""
        return replies.ready(self.running.status)

    def close(self) -> None:
        """Drop all portals and statements, and leave the data."""
        self._prepared.drop_portals()
        self._prepared.drop_statements()
        self._queries.close()

    # --- messages --------------------------------------------------------------------------------

    def _hear(self, message: m.Message) -> Iterator[bytes]:
        answer = _ANSWERS.get(type(message))
        if answer is None:
            return
        failure: DpduckError | None = None
        try:
            with self.running.turn():
                yield from answer(self, message)
        except DpduckError as error:
            failure = error
        except Exception:
            failure = internal_fault()
        if failure is not None:
            yield self._failed(failure)
            self._wire.tell(Transition.FAILED)

    def _query(self, message: m.Query) -> Iterator[bytes]:
        failure: DpduckError | None = None
        try:
            if len(message.sql) > _SHORT:
                yield WORK
            pieces = split(message.sql)
            if not pieces:
                yield replies.NO_STATEMENT
            for piece in pieces:
                yield from self._run_once(piece)
        except DpduckError as error:
            failure = error
        except Exception:
            failure = internal_fault()
        if failure is not None:
            yield self._failed(failure)
        yield self.ready()
        yield FLUSH

    def _run_once(self, piece: StatementText) -> Iterator[bytes]:
        portal = portal_of(statement_of(piece, self._queries), self._prepared)
        try:
            yield from self.running.run(portal, describe=True)
        finally:
            portal.close()

    def _parse(self, message: m.Parse) -> Iterator[bytes]:
        if len(message.sql) > _SHORT or "$" in message.sql:  # parameters are found by planning
            yield WORK
        pieces = split(message.sql)
        if len(pieces) > 1:
            raise SqlSyntaxError(
                "a prepared statement is one statement", hint="Send each statement by itself."
            )
        statement = statement_of(pieces[0], self._queries, message.types) if pieces else Statement(None)
        self._prepared.put_statement(message.name, statement)
        yield replies.PARSED

    def _bind(self, message: m.Bind) -> Iterator[bytes]:
        statement = self._prepared.statement(message.statement)
        count = len(statement.types)
        size = sum(map(len, filter(None, message.values)))
        if size > _SHORT:
            yield WORK
        if len(message.values) != count:
            raise ProtocolError(f"the statement takes {count} parameters, and {len(message.values)} came")
        formats = message.formats if len(message.formats) > 1 else (message.formats or (0,)) * count
        encoding = self._variables.encoding
        values: list[Parameter] = [
            decode(oid, bool(form), decoded(oid, bool(form), value, encoding))
            for oid, form, value in zip(statement.types, formats, message.values, strict=True)
        ]
        portal = portal_of(statement, self._prepared)
        if portal.statement is statement:
            portal.values, portal.size = values, size
        portal.formats = message.result_formats
        self._prepared.put_portal(message.portal, portal)
        yield replies.BOUND

    def _describe_statement(self, message: m.DescribeStatement) -> Iterator[bytes]:
        statement = self._prepared.statement(message.name)
        if not self.running.knows(statement, statement.examples):
            yield WORK
        columns = self.running.columns(statement, statement.examples)
        statement.described = columns
        yield replies.parameter_types(statement.types)
        yield replies.NO_COLUMNS if columns is None else replies.columns(columns, [0] * len(columns))

    def _describe_portal(self, message: m.DescribePortal) -> Iterator[bytes]:
        portal = self._prepared.portal(message.name)
        if not self.running.knows(portal.statement, portal.values):
            yield WORK
        columns = portal.described = self.running.columns(portal.statement, portal.values)
        if columns is None:
            yield replies.NO_COLUMNS
        else:
            yield replies.columns(columns, portal.column_formats(columns))

    def _execute(self, message: m.Execute) -> Iterator[bytes]:
        portal = self._prepared.portal(message.portal)
        if portal.statement.piece is None:
            yield replies.NO_STATEMENT
        else:
            yield from self.running.run(portal, message.limit)

    def _close_statement(self, message: m.CloseStatement) -> Iterator[bytes]:
        self._prepared.drop_statement(message.name)
        yield replies.CLOSED

    def _close_portal(self, message: m.ClosePortal) -> Iterator[bytes]:
        self._prepared.drop_portal(message.name)
        yield replies.CLOSED

    def _sync(self, _: m.Sync) -> Iterator[bytes]:
        if self.running.status == "I":  # portals end with their transaction
            self._prepared.drop_portals(held=False)
        yield self.ready()
        yield FLUSH

    def _flush(self, _: m.Flush) -> Iterator[bytes]:
        yield FLUSH

    def _call(self, _: m.FunctionCall) -> Iterator[bytes]:
        yield self._failed(SqlSyntaxError("functions are called in a query", hint="Write SELECT ...."))
        yield self.ready()
        yield FLUSH

    # --- helpers ---------------------------------------------------------------------------------

    def _in_client_encoding(self, reply: bytes) -> bytes:
        return encoded_reply(reply, self._variables.encoding)

    def _failed(self, failure: DpduckError) -> bytes:
        self.running.fail()
        return replies.error(failure)


_ANSWERS: Mapping[type[m.Message], Callable[[Conversation, Any], Iterator[bytes]]] = {
    m.Query: Conversation._query,
    m.Parse: Conversation._parse,
    m.Bind: Conversation._bind,
    m.DescribeStatement: Conversation._describe_statement,
    m.DescribePortal: Conversation._describe_portal,
    m.Execute: Conversation._execute,
    m.CloseStatement: Conversation._close_statement,
    m.ClosePortal: Conversation._close_portal,
    m.Sync: Conversation._sync,
    m.Flush: Conversation._flush,
    m.FunctionCall: Conversation._call,
}


# Statements that are prepared, by a message of the client or by PREPARE, and the values of EXECUTE.


_CONSTANT = "EXECUTE takes constants"


def statement_of(piece: StatementText, queries: Queries, declared: Sequence[int] = ()) -> Statement:
    """Prepare one statement. Input: the types that its client declares for its parameters.

    Errors: those of parsing the statement.
    """
    command = command_of(piece)
    if isinstance(command, c.Prepare):
        return Statement(piece, command, prepares=_prepared(command, queries))
    if command is not None and not isinstance(command, (c.CopyOut, c.DeclareCursor)):
        return Statement(piece, command)
    with placed(piece, command):
        wanted = queries.parameters(piece.text if command is None else command.sql)
    said = [*declared[: len(wanted)], *[0] * (len(wanted) - len(declared))]
    types = tuple(oid or oid_of_duckdb(one.type) for oid, one in zip(said, wanted, strict=True))
    return Statement(piece, command, types, examples(wanted, types))


def _prepared(command: c.Prepare, queries: Queries) -> Statement:
    """The statement that PREPARE names. Errors: SqlSyntaxError, ParameterError."""
    pieces = split(command.sql)
    with placed(None, command):
        inner = statement_of(pieces[0], queries, [_oid_of(name) for name in command.types])
    if len(pieces) != 1 or isinstance(inner.command, (c.Prepare, c.ExecutePrepared)):
        raise SqlSyntaxError("PREPARE takes one query", hint="Write PREPARE name AS SELECT ....")
    return inner


def _oid_of(name: str) -> int:
    """The OID of a type, as it is written in PREPARE. Errors: ParameterError."""
    cast = read(f"SELECT NULL::{name}").expressions[0]
    short = postgres_name(cast)
    if short not in BY_NAME:
        raise ParameterError(f"there is no type {name[:60]}", hint="Leave out the types.")
    return BY_NAME[short].oid


def portal_of(statement: Statement, prepared: PreparedObjects) -> Portal:
    """What runs when a statement does: for EXECUTE, the statement that it names, with its values.

    Errors: NoStatementError; SqlSyntaxError, ParameterError for values that do not fit.
    """
    command = statement.command
    if not isinstance(command, c.ExecutePrepared):
        return Portal(statement)
    named = prepared.statement(command.name)
    texts = _values(command.values)
    if len(texts) != len(named.types):
        raise ParameterError(f"the statement takes {len(named.types)} parameters, and {len(texts)} came")
    values: list[Parameter] = [
        decode(oid, False, None if text is None else text.encode())
        for oid, text in zip(named.types, texts, strict=True)
    ]
    return Portal(named, values, size=sum(len(text or "") for text in texts))


def _values(written: str) -> list[str | None]:
    """The texts of constants; None for NULL. Errors: SqlSyntaxError.

    >>> _values("1, -2.5, 'it''s', NULL, true, date '2024-01-01'")
    ['1', '-2.5', "it's", None, 'true', '2024-01-01']
    """
    if not written.strip():
        return []
    return [_constant(item) for item in read(f"SELECT {written}").expressions]


def _constant(node: exp.Expr) -> str | None:
    match node:
        case exp.Paren() | exp.Cast():
            return _constant(node.this)
        case exp.Null():
            return None
        case exp.Boolean():
            return "true" if node.this else "false"
        case exp.Literal():
            return str(node.this)
        case exp.Neg(this=exp.Literal(is_string=False) as number):
            return f"-{number.this}"
    raise SqlSyntaxError(_CONSTANT, hint="Write EXECUTE name (1, 'a').")
