"""Parses statements about what a session has: cursors, temporary views, statements that SQL prepares."""

from __future__ import annotations

from dpduck.compiler.parse.split import StatementText, Word
from dpduck.doors.gateway.commands import (
    CloseCursor,
    ConnectionCommand,
    CreateView,
    DeclareCursor,
    DropView,
    ExecutePrepared,
    Fetch,
    Prepare,
)
from dpduck.kernel.errors import SqlSyntaxError, UnsupportedSqlError

_CURSOR_KINDS = ("BINARY", "ASENSITIVE", "INSENSITIVE", "NO", "SCROLL")
_TEMPORARY = ("TEMP", "TEMPORARY")


def read_declare(piece: StatementText) -> ConnectionCommand | None:
    words = piece.words
    upper = ["" if word.quoted else word.text.upper() for word in words]
    cursor = upper.index("CURSOR") if "CURSOR" in upper else len(upper)
    query = cursor + 1 + 2 * (upper[cursor + 2 : cursor + 3] == ["HOLD"])
    if len(words) <= query + 1 or upper[query] != "FOR" or set(upper[2:cursor]) - set(_CURSOR_KINDS):
        raise SqlSyntaxError(
            "this DECLARE statement is not understood", hint="Write DECLARE name CURSOR FOR SELECT ...."
        )
    start, holds = words[query + 1].start, upper[cursor + 1] == "WITH"
    binary = "BINARY" in upper[:cursor]
    return DeclareCursor(
        name=_folded(words[1]), sql=piece.text[start:], shift=start, binary=binary, holds=holds
    )


def read_fetch(piece: StatementText) -> ConnectionCommand | None:
    """Errors: UnsupportedSqlError for a direction other than forward."""
    *said, name = piece.words[1:] or (piece.words[0],)
    way = [word.text.upper() for word in said]
    way = way[:-1] if way[-1:] in (["FROM"], ["IN"]) else way
    way = way[1:] if way[:1] == ["FORWARD"] and len(way) > 1 else way
    if way in ([], ["NEXT"], ["FORWARD"]):
        most: int | None = 1
    elif way == ["ALL"]:
        most = None
    elif len(way) == 1 and way[0].isascii() and way[0].isdigit():
        most = int(way[0])
    else:
        raise UnsupportedSqlError("a cursor only goes forward", hint="Write FETCH FORWARD 100 FROM name.")
    return Fetch(name=_folded(name), most=most, tag=piece.words[0].text.upper())


def read_close(piece: StatementText) -> ConnectionCommand | None:
    if len(piece.words) != 2:
        raise SqlSyntaxError("CLOSE takes one name", hint="Write CLOSE name.")
    if piece.starts("CLOSE", "ALL"):
        return CloseCursor(name=None, tag="CLOSE CURSOR ALL")
    return CloseCursor(name=_folded(piece.words[1]))


def read_create(piece: StatementText) -> ConnectionCommand | None:
    """CREATE TEMP VIEW; None for anything else that is created. Errors: SqlSyntaxError."""
    words = piece.words
    upper = ["" if word.quoted else word.text.upper() for word in words]
    replaces = upper[1:3] == ["OR", "REPLACE"]
    start = 3 if replaces else 1
    if upper[start] not in _TEMPORARY or upper[start + 1 : start + 2] != ["VIEW"]:
        return None
    name, start = words[start + 2 : start + 3], start + 3
    listed = _listed(upper, start)
    query = start + listed + 1
    if not name or upper[start + listed : query] != ["AS"] or query >= len(words):
        raise SqlSyntaxError(
            "this CREATE statement is not understood", hint="Write CREATE TEMP VIEW name AS SELECT ...."
        )
    columns = tuple(_folded(word) for word in words[start + 1 : start + listed - 1 : 2])
    shift = words[query].start
    sql = piece.text[shift:]
    return CreateView(name=_folded(name[0]), columns=columns, sql=sql, replaces=replaces, shift=shift)


def _listed(upper: list[str], start: int) -> int:
    """How many tokens a list in parentheses has; 0 if there is none."""
    if upper[start : start + 1] != ["("]:
        return 0
    return upper.index(")", start) + 1 - start if ")" in upper[start:] else len(upper) - start


def read_drop(piece: StatementText) -> ConnectionCommand | None:
    """DROP VIEW name; None for anything else that is dropped."""
    words = piece.words
    if not piece.starts("DROP", "VIEW"):
        return None
    if_exists = [word.text.upper() for word in words[2:4]] == ["IF", "EXISTS"] and len(words) > 4
    name = words[4 if if_exists else 2 :]
    if len(name) != 1:
        raise SqlSyntaxError("DROP VIEW takes the name of one view", hint="Write DROP VIEW name.")
    return DropView(name=_folded(name[0]), if_exists=if_exists)


def read_prepare(piece: StatementText) -> ConnectionCommand | None:
    words = piece.words
    upper = ["" if word.quoted else word.text.upper() for word in words]
    listed = _listed(upper, 2)
    begin = 2 + listed + 1
    if upper[begin - 1 : begin] != ["AS"] or begin >= len(words):
        raise SqlSyntaxError(
            "this PREPARE statement is not understood", hint="Write PREPARE name (int) AS SELECT ... $1."
        )
    inside = piece.text[words[2].end : words[begin - 2].start] if listed else ""
    types = tuple(part.strip().lower() for part in inside.split(",") if part.strip())
    shift = words[begin].start
    return Prepare(name=_folded(words[1]), types=types, sql=piece.text[shift:], shift=shift)


def read_execute(piece: StatementText) -> ConnectionCommand | None:
    words = piece.words
    if len(words) < 2 or (len(words) > 2 and (words[2].text != "(" or words[-1].text != ")")):
        raise SqlSyntaxError("this EXECUTE statement is not understood", hint="Write EXECUTE name (1, 'a').")
    values = piece.text[words[2].end : words[-1].start] if len(words) > 2 else ""
    return ExecutePrepared(name=_folded(words[1]), values=values)


def read_lock(_: StatementText) -> ConnectionCommand | None:
    raise UnsupportedSqlError(
        "tables are not locked",
        detail="Nothing is written, and a query reads one state of the data. Dumps would list private rows.",
        hint="Leave out LOCK TABLE. COPY (SELECT ...) TO STDOUT copies an answer, or a public table.",
    )


def _folded(word: Word) -> str:
    return word.text if word.quoted else word.text.lower()
