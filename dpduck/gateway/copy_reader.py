"""Parses COPY (query) TO STDOUT, with the options of today and those from before PostgreSQL 9."""

from __future__ import annotations

import re
from dataclasses import replace

from dpduck.errors import DpduckError, ParameterError, SqlSyntaxError, UnsupportedSqlError
from dpduck.gateway.commands import CopyOut
from dpduck.gateway.encoding.copy_out import CopyOptions
from dpduck.query.parse.split import StatementText, Word

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
