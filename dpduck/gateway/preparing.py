"""Statements that are prepared, by a message of the client or by PREPARE, and the values of EXECUTE."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from dpduck.errors import ParameterError, SqlSyntaxError
from dpduck.gateway import commands as c
from dpduck.gateway.command_readers import command_of
from dpduck.gateway.encoding.parameters import decode, oid_of_duckdb
from dpduck.gateway.encoding.pgtypes import BY_NAME
from dpduck.gateway.execution import placed
from dpduck.gateway.pg_catalog.reading import read
from dpduck.gateway.portals import Portal, PreparedObjects, Statement
from dpduck.gateway.router import Queries, examples
from dpduck.query.parse.bind import Parameter
from dpduck.query.parse.postgres_names import postgres_name
from dpduck.query.parse.split import StatementText, split

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
