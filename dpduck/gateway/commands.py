"""Statements about the connection itself, which clients of Postgres send: transactions, settings, COPY.

None of them reads a table. Any other statement is a query, and handled elsewhere.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from dpduck.errors import DpduckError, ParameterError, SqlSyntaxError, UnsupportedSqlError
from dpduck.gateway.encoding.copy_out import CopyOptions
from dpduck.query.parse.split import StatementText, Word

_BEGINS = (("BEGIN",), ("START", "TRANSACTION"))
_COMMITS = (("COMMIT",), ("END",))
_ROLLBACKS = (("ROLLBACK",), ("ABORT",))
# Savepoints keep and undo nothing, since each query is independent of all others.
_SAVEPOINTS = (("SAVEPOINT",), ("RELEASE",), ("ROLLBACK", "TO"))
_NAMES_OF_TWO_WORDS = {
    ("TIME", "ZONE"): "timezone",
    ("NAMES",): "client_encoding",
    ("SESSION", "AUTHORIZATION"): "session_authorization",
    ("TRANSACTION", "ISOLATION", "LEVEL"): "transaction_isolation",
}
_ON = ("TRUE", "ON", "1")


@dataclass(frozen=True, kw_only=True)
class ConnectionCommand:
    """A statement about the connection. `tag`: its command tag in the reply."""

    tag: str


@dataclass(frozen=True, kw_only=True)
class Begin(ConnectionCommand):
    """BEGIN, which has no effect but on the transaction status."""

    tag: str = "BEGIN"


@dataclass(frozen=True, kw_only=True)
class Commit(ConnectionCommand):
    """COMMIT or ROLLBACK. `rolls_back`: whether it is a ROLLBACK."""

    tag: str = "COMMIT"
    rolls_back: bool = False


@dataclass(frozen=True, kw_only=True)
class Savepoint(ConnectionCommand):
    """SAVEPOINT and its relatives. `goes_back`: it is a ROLLBACK TO."""

    goes_back: bool = False


@dataclass(frozen=True, kw_only=True)
class SetParameter(ConnectionCommand):
    """SET name = value. `value`: None for DEFAULT."""

    name: str
    value: str | None
    tag: str = "SET"


@dataclass(frozen=True, kw_only=True)
class ShowParameter(ConnectionCommand):
    """SHOW name."""

    name: str
    tag: str = "SHOW"


@dataclass(frozen=True, kw_only=True)
class Deallocate(ConnectionCommand):
    """DEALLOCATE name, or ALL (None)."""

    name: str | None
    tag: str = "DEALLOCATE"


@dataclass(frozen=True, kw_only=True)
class Discard(ConnectionCommand):
    """DISCARD ALL, a part of it, or RESET ALL."""


@dataclass(frozen=True, kw_only=True)
class NoEffect(ConnectionCommand):
    """A statement without effect."""


@dataclass(frozen=True, kw_only=True)
class CopyOut(ConnectionCommand):
    """COPY (query) TO STDOUT.

    `shift`: the offset of the query in the statement; `picks`: the wanted columns of its answer, and
    `most`: the number of its rows; None for all of them.
    """

    sql: str
    options: CopyOptions
    shift: int = 0
    picks: tuple[str, ...] | None = None
    most: int | None = None
    tag: str = "COPY"


@dataclass(frozen=True, kw_only=True)
class DeclareCursor(ConnectionCommand):
    """DECLARE name CURSOR FOR query. `binary`: of its rows; `holds`: it outlives the transaction."""

    name: str
    sql: str
    shift: int = 0
    binary: bool = False
    holds: bool = False
    tag: str = "DECLARE CURSOR"


@dataclass(frozen=True, kw_only=True)
class Fetch(ConnectionCommand):
    """FETCH, or MOVE, which returns no rows. `most`: the number of rows, None for all remaining."""

    name: str
    most: int | None = 1
    tag: str = "FETCH"


@dataclass(frozen=True, kw_only=True)
class CloseCursor(ConnectionCommand):
    """CLOSE name, or ALL (None)."""

    name: str | None
    tag: str = "CLOSE CURSOR"


def command_of(piece: StatementText) -> ConnectionCommand | None:
    """Parse a statement about the connection; None if it is a query.

    Errors: SqlSyntaxError, UnsupportedSqlError, ParameterError.
    """
    reader = _READERS.get(piece.words[0].text.upper()) if not piece.words[0].quoted else None
    return None if reader is None else reader(piece)


def _starts(piece: StatementText, forms: tuple[tuple[str, ...], ...]) -> bool:
    return any(piece.starts(*form) for form in forms)


def _transaction(piece: StatementText) -> ConnectionCommand | None:
    if _starts(piece, _SAVEPOINTS) or piece.starts("ROLLBACK", "TRANSACTION", "TO"):
        word = piece.words[0].text.upper()
        return Savepoint(tag=word, goes_back=word == "ROLLBACK")
    if _starts(piece, _BEGINS):
        return Begin()
    return Commit(rolls_back=_starts(piece, _ROLLBACKS))


def _set(piece: StatementText) -> ConnectionCommand | None:
    words = [word for word in piece.words[1:] if word.quoted or word.text.upper() not in ("SESSION", "LOCAL")]
    upper = [word.text.upper() for word in words]
    if upper[:1] == ["CHARACTERISTICS"] or upper[:1] == ["TRANSACTION"] or upper[:1] == ["CONSTRAINTS"]:
        return NoEffect(tag="SET")
    for said, setting in _NAMES_OF_TWO_WORDS.items():
        if tuple(upper[: len(said)]) == said:
            return SetParameter(name=setting, value=_value(words[len(said) :]))
    parts = _name_end(words)
    if len(words) <= parts or words[parts].text.upper() not in ("=", "TO"):
        raise SqlSyntaxError("this SET statement is not understood", hint="Write SET name = value.")
    name = "".join(word.text for word in words[:parts])
    return SetParameter(name=name.lower(), value=_value(words[parts + 1 :]))


def _name_end(words: list[Word]) -> int:
    """How many tokens a setting's name has: myapp.user has three."""
    end = 1
    while end + 1 < len(words) and words[end].text == "." and not words[end].quoted:
        end += 2
    return end


def _value(words: list[Word]) -> str | None:
    """The value of a setting as it is stored: a list is joined with commas."""
    if not words:
        raise SqlSyntaxError("this SET statement has no value", hint="Write SET name = value.")
    if [word.text.upper() for word in words if not word.quoted] == ["DEFAULT"]:
        return None
    return "".join(", " if word.text == "," and not word.quoted else word.text for word in words)


def _show(piece: StatementText) -> ConnectionCommand | None:
    words = [word.text.lower() for word in piece.words[1:]]
    if words[:1] in (["privacy"], ["all"], ["tables"]) or not words:
        return None
    if words == ["time", "zone"]:
        return ShowParameter(name="timezone")
    return ShowParameter(
        name="_".join(words[:2]) if words[:2] == ["transaction", "isolation"] else "".join(words)
    )


def _reset(piece: StatementText) -> ConnectionCommand | None:
    if piece.starts("RESET", "ALL"):
        return Discard(tag="RESET")
    words = list(piece.words[1:])
    if not words:
        raise SqlSyntaxError("RESET takes a name", hint="Write RESET dp_epsilon.")
    return SetParameter(name="".join(word.text for word in words).lower(), value=None)


def _deallocate(piece: StatementText) -> ConnectionCommand | None:
    names = [word for word in piece.words[1:] if word.quoted or word.text.upper() != "PREPARE"]
    if len(names) != 1:
        raise SqlSyntaxError("DEALLOCATE takes one name", hint="Write DEALLOCATE name.")
    return Deallocate(name=None if names[0].text.upper() == "ALL" and not names[0].quoted else names[0].text)


def _discard(_: StatementText) -> ConnectionCommand | None:
    return Discard(tag="DISCARD ALL")


def _no_effect(piece: StatementText) -> ConnectionCommand | None:
    return NoEffect(tag=piece.words[0].text.upper())


# --- COPY ----------------------------------------------------------------------------------------

# The COPY that DuckDB's shell sends for a statement that cannot be a subquery.
_NAME = re.compile(r'"((?:[^"]|"")+)"')
_WRAPPED = re.compile(rf"COPY \(SELECT ({_NAME.pattern}(?:, {_NAME.pattern})*) FROM \(")
_WRAPPED_END = re.compile(r"\) AS __unnamed_subquery\s+(?:LIMIT ([0-9]{1,18}))?\)$", re.ASCII)
_LONGEST_END = 60
_ALONE = re.compile(r"\s*(?:SHOW|EXPLAIN)\b|.*?\bDIFFERENTIAL_PRIVACY\b", re.IGNORECASE | re.DOTALL)


def _copy(piece: StatementText) -> ConnectionCommand | None:
    words = piece.words
    end = _source_end(words)
    if [word.text.upper() for word in words[end : end + 2]] != ["TO", "STDOUT"]:
        raise UnsupportedSqlError(
            "COPY only goes TO STDOUT",
            detail="Nothing is written to a table, or to a file of the server.",
            hint="Write COPY (SELECT ...) TO STDOUT.",
        )
    options = _options(words[end + 2 :])
    wrapped = _wrapped(piece.text[: words[end].start].rstrip())
    if wrapped is not None:
        return replace(wrapped, options=options)
    sql, shift = _copied(piece, end)
    return CopyOut(sql=sql, options=options, shift=shift)


def _wrapped(text: str) -> CopyOut | None:
    """The inner statement, with the columns and rows that are wanted of its answer.

    >>> found = _wrapped('COPY (SELECT "unit" FROM (SHOW PRIVACY) AS __unnamed_subquery  LIMIT 2)')
    >>> found.sql, found.picks, found.most
    ('SHOW PRIVACY', ('unit',), 2)
    """
    start, end = _WRAPPED.match(text), _WRAPPED_END.search(text, max(0, len(text) - _LONGEST_END))
    if start is None or end is None or not _ALONE.match(text, start.end()):
        return None
    picks = tuple(name.replace('""', '"') for name in _NAME.findall(start[1]))
    sql = text[start.end() : end.start()]
    most = None if end[1] is None else int(end[1])
    return CopyOut(sql=sql, options=CopyOptions(), shift=start.end(), picks=picks, most=most)


def _source_end(words: tuple[Word, ...]) -> int:
    """The index of the token after a COPY's source: a query in parentheses, or a table and its columns."""
    depth = 0
    for number, word in enumerate(words[1:], 1):
        if not word.quoted and word.text == "(":
            depth += 1
        elif not word.quoted and word.text == ")":
            depth -= 1
        elif not word.quoted and not depth and word.text.upper() in ("TO", "FROM"):
            return number
    raise SqlSyntaxError("this COPY statement is not complete", hint="Write COPY (SELECT ...) TO STDOUT.")


def _copied(piece: StatementText, end: int) -> tuple[str, int]:
    """The query to copy, and its offset in the statement."""
    words = piece.words
    if words[1].text == "(" and not words[1].quoted:
        start, stop = words[1].end, words[end - 1].start
        return piece.text[start:stop], start
    name = next((n for n in range(1, end) if words[n].text == "(" and not words[n].quoted), end)
    table = piece.text[words[1].start : words[name - 1].end]
    columns = piece.text[words[name].end : words[end - 1].start] if name < end else "*"
    return f"SELECT {columns} FROM {table}", 0


def _options(words: tuple[Word, ...]) -> CopyOptions:
    """Parse the options of a COPY. Errors: ParameterError."""
    said = list(words)
    if said and said[0].text.upper() == "WITH" and not said[0].quoted:
        said = said[1:]
    listed = bool(said) and said[0].text == "(" and not said[0].quoted
    pairs = _listed_options(said[1:-1]) if listed else _plain_options(said)
    try:
        return CopyOptions.read(pairs)
    except DpduckError:
        raise
    except (KeyError, TypeError, ValueError):
        pass
    raise ParameterError(
        "an option of COPY is not understood", hint="Write COPY (SELECT ...) TO STDOUT (FORMAT csv, HEADER)."
    )


def _listed_options(words: list[Word]) -> dict[str, str]:
    """Options such as (FORMAT csv, HEADER true, DELIMITER ';')."""
    groups: list[list[Word]] = [[]]
    for word in words:
        if word.text == "," and not word.quoted:
            groups.append([])
        else:
            groups[-1].append(word)
    return {g[0].text.lower(): " ".join(w.text for w in g[1:]) or "true" for g in groups if g}


def _plain_options(words: list[Word]) -> dict[str, str]:
    """Options in the syntax before Postgres 9: BINARY, or CSV HEADER DELIMITER ';'."""
    found: dict[str, str] = {}
    rest = [word for word in words if word.quoted or word.text.upper() != "AS"]
    while rest:
        name = rest.pop(0).text.lower()
        if name in ("csv", "binary", "text"):
            found["format"] = name
        elif rest and rest[0].quoted:
            found[name] = rest.pop(0).text
        else:
            found[name] = "true"
    return found


# --- cursors -------------------------------------------------------------------------------------


def _declare(piece: StatementText) -> ConnectionCommand | None:
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


def _fetch(piece: StatementText) -> ConnectionCommand | None:
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


def _close(piece: StatementText) -> ConnectionCommand | None:
    if len(piece.words) != 2:
        raise SqlSyntaxError("CLOSE takes one name", hint="Write CLOSE name.")
    if piece.starts("CLOSE", "ALL"):
        return CloseCursor(name=None, tag="CLOSE CURSOR ALL")
    return CloseCursor(name=_folded(piece.words[1]))


def _folded(word: Word) -> str:
    return word.text if word.quoted else word.text.lower()


_CURSOR_KINDS = ("BINARY", "ASENSITIVE", "INSENSITIVE", "NO", "SCROLL")

_READERS = {
    **dict.fromkeys(
        ("BEGIN", "START", "COMMIT", "END", "ROLLBACK", "ABORT", "SAVEPOINT", "RELEASE"), _transaction
    ),
    "SET": _set,
    "SHOW": _show,
    "RESET": _reset,
    "DEALLOCATE": _deallocate,
    "DISCARD": _discard,
    **dict.fromkeys(("UNLISTEN", "CHECKPOINT"), _no_effect),
    "COPY": _copy,
    "DECLARE": _declare,
    **dict.fromkeys(("FETCH", "MOVE"), _fetch),
    "CLOSE": _close,
}
