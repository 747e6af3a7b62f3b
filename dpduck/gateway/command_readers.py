"""Parses statements about the connection: transactions and settings here, others where `_READERS` says."""

from __future__ import annotations

from dpduck.errors import SqlSyntaxError
from dpduck.gateway.commands import (
    Begin,
    Commit,
    ConnectionCommand,
    Deallocate,
    Discard,
    NoEffect,
    Reload,
    Savepoint,
    SetParameter,
    ShowParameter,
)
from dpduck.gateway.copy_reader import read_copy
from dpduck.gateway.object_readers import (
    read_close,
    read_create,
    read_declare,
    read_drop,
    read_execute,
    read_fetch,
    read_lock,
    read_prepare,
)
from dpduck.query.parse.split import StatementText, Word

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
