"""Parses statements about the connection: transactions and settings here, others where `_READERS` says."""

from __future__ import annotations

import re
from dataclasses import replace

from dpduck.compiler.parse.split import StatementText, Word
from dpduck.doors.gateway.commands import (
    Begin,
    Commit,
    ConnectionCommand,
    CopyOut,
    Deallocate,
    Discard,
    NoEffect,
    Reload,
    Savepoint,
    SetParameter,
    ShowParameter,
)
from dpduck.doors.gateway.encoding.copy_out import CopyOptions
from dpduck.doors.gateway.object_readers import (
    read_close,
    read_create,
    read_declare,
    read_drop,
    read_execute,
    read_fetch,
    read_lock,
    read_prepare,
)
from dpduck.kernel.errors import DpduckError, ParameterError, SqlSyntaxError, UnsupportedSqlError

# Parses COPY (query) TO STDOUT, with the options of today and those from before PostgreSQL 9.


# The COPY that DuckDB's shell sends for a statement that cannot be a subquery.
_NAME = re.compile(r'"((?:[^"]|"")+)"')
_WRAPPED = re.compile(rf"COPY \(SELECT ({_NAME.pattern}(?:, {_NAME.pattern})*) FROM \(")
_WRAPPED_END = re.compile(r"\) AS __unnamed_subquery\s+(?:LIMIT ([0-9]{1,18}))?\)$", re.ASCII)
_LONGEST_END = 60
_ALONE = re.compile(r"\s*(?:SHOW|EXPLAIN)\b|.*?\bDIFFERENTIAL_PRIVACY\b", re.IGNORECASE | re.DOTALL)


def read_copy(piece: StatementText) -> CopyOut:
    words = piece.words
    end = _source_end(words)
    upper = [word.text.upper() for word in words[end : end + 2]]
    if upper != ["TO", "STDOUT"] and upper != ["TO", "STDIN"]:
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


_BEGINS = (("BEGIN",), ("START", "TRANSACTION"))
_ENDS = {(): False, ("AND", "CHAIN"): True, ("AND", "NO", "CHAIN"): False}  # whether the next one begins
_MOST_NAME = 63  # bytes of a savepoint's name: as in Postgres, others are cut
_FORMS = "Write BEGIN, COMMIT or ROLLBACK, AND CHAIN after these, or ROLLBACK TO name."
_RELOAD = ("pg_reload_conf", "(", ")")
_NAMES_OF_TWO_WORDS = {
    ("TIME", "ZONE"): "timezone",
    ("NAMES",): "client_encoding",
    ("SESSION", "AUTHORIZATION"): "session_authorization",
    ("TRANSACTION", "ISOLATION", "LEVEL"): "transaction_isolation",
}


def command_of(piece: StatementText) -> ConnectionCommand | None:
    """Parse a statement about the connection; None if it is a query.

    Errors: SqlSyntaxError, UnsupportedSqlError, ParameterError.
    """
    reader = _READERS.get(piece.words[0].text.upper()) if not piece.words[0].quoted else None
    return None if reader is None else reader(piece)


def _starts(piece: StatementText, forms: tuple[tuple[str, ...], ...]) -> bool:
    return any(piece.starts(*form) for form in forms)


def _transaction(piece: StatementText) -> ConnectionCommand | None:
    if _starts(piece, _BEGINS):
        return Begin()
    word, rest = piece.words[0].text.upper(), list(piece.words[1:])
    if word == "SAVEPOINT":
        return Savepoint(tag=word, name=_savepoint(rest))
    if word == "RELEASE":
        return Savepoint(tag=word, name=_savepoint(_without(rest, "SAVEPOINT")), releases=True)
    rest = _without(rest, "WORK", "TRANSACTION")
    if word == "ROLLBACK" and _upper(rest[:1]) == ("TO",):
        return Savepoint(tag=word, name=_savepoint(_without(rest[1:], "SAVEPOINT")), goes_back=True)
    chains = _ENDS.get(_upper(rest))
    if word == "START" or chains is None:
        raise SqlSyntaxError(f"this {word} statement is not understood", hint=_FORMS)
    return Commit(rolls_back=word in ("ROLLBACK", "ABORT"), chains=chains)


def _savepoint(words: list[Word]) -> str:
    """The name of a savepoint. Errors: SqlSyntaxError."""
    if len(words) != 1:
        raise SqlSyntaxError("a savepoint has one name", hint="Write SAVEPOINT name.")
    name = words[0].text if words[0].quoted else words[0].text.lower()
    return name.encode()[:_MOST_NAME].decode(errors="ignore")


def _without(words: list[Word], *noise: str) -> list[Word]:
    """Words without a first one that says nothing."""
    return words[1:] if words and _upper(words[:1])[0] in noise else words


def _upper(words: list[Word]) -> tuple[str, ...]:
    """Unquoted words in upper case; a quoted one is none of SQL's."""
    return tuple("" if word.quoted else word.text.upper() for word in words)


def _set(piece: StatementText) -> ConnectionCommand | None:
    words = [word for word in piece.words[1:] if word.quoted or word.text.upper() not in ("SESSION", "LOCAL")]
    is_local = piece.starts("SET", "LOCAL")
    upper = [word.text.upper() for word in words]
    if upper[:1] == ["CHARACTERISTICS"] or upper[:1] == ["TRANSACTION"] or upper[:1] == ["CONSTRAINTS"]:
        return NoEffect(tag="SET")
    for said, setting in _NAMES_OF_TWO_WORDS.items():
        if tuple(upper[: len(said)]) == said:
            return SetParameter(name=setting, value=_value(words[len(said) :]), is_local=is_local)
    parts = _name_end(words)
    if len(words) <= parts or words[parts].text.upper() not in ("=", "TO"):
        raise SqlSyntaxError("this SET statement is not understood", hint="Write SET name = value.")
    name = "".join(word.text for word in words[:parts])
    return SetParameter(name=name.lower(), value=_value(words[parts + 1 :]), is_local=is_local)


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
    if words[:1] in (["privacy"], ["tables"]) or words == ["all", "tables"] or not words:
        return None
    if words == ["time", "zone"]:
        return ShowParameter(name="timezone")
    return ShowParameter(
        name="_".join(words[:2]) if words[:2] == ["transaction", "isolation"] else "".join(words)
    )


def _select(piece: StatementText) -> ConnectionCommand | None:
    """A query, but for the one function that has an effect."""
    words = [word.text.lower() for word in piece.words[1 : len(_RELOAD) + 3]]
    return Reload() if tuple(words) in (_RELOAD, ("pg_catalog", ".", *_RELOAD)) else None


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


_READERS = {
    **dict.fromkeys(
        ("BEGIN", "START", "COMMIT", "END", "ROLLBACK", "ABORT", "SAVEPOINT", "RELEASE"), _transaction
    ),
    "SELECT": _select,
    "SET": _set,
    "SHOW": _show,
    "RESET": _reset,
    "DEALLOCATE": _deallocate,
    "DISCARD": _discard,
    **dict.fromkeys(("UNLISTEN", "CHECKPOINT"), _no_effect),
    "COPY": read_copy,
    "DECLARE": read_declare,
    **dict.fromkeys(("FETCH", "MOVE"), read_fetch),
    "CLOSE": read_close,
    "CREATE": read_create,
    "DROP": read_drop,
    "PREPARE": read_prepare,
    "EXECUTE": read_execute,
    "LOCK": read_lock,
}
