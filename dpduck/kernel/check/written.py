"""Rows that a query writes itself: VALUES, series and lists of constants, whose text is all that says what they read.

Lemma: a text of the grammar below names no table, so its rows are the same for all databases.

    rows   := ( query ) [AS name [names]] | function ( constants ) [AS name [names]]
    query  := SELECT items FROM rows | VALUES constants
    items  := * | CAST("name" AS type) AS "name", ...
    query  := SELECT unnest(constants) AS "name"
"""

from __future__ import annotations

import re
from functools import lru_cache

_TOKEN = re.compile(
    r"""\s*(?:('(?:[^']|'')*')|("(?:[^"]|"")*")|((?:system\.main\.)?[A-Za-z_][A-Za-z_0-9]*)|([0-9.]+(?:[eE][+-]?[0-9]+)?)|([(),*\[\]:+-]))"""
)
_BUILT_IN = "system.main."  # what no macro replaces
_FUNCTIONS = frozenset(_BUILT_IN + name for name in ("generate_series", "range", "unnest"))
_LIST = _BUILT_IN + "list_value"
_CONSTANT_WORDS = frozenset({"CAST", "AS", "NULL", "TRUE", "FALSE", "INTERVAL", "ARRAY"})


@lru_cache(maxsize=256)
def reads_no_table(text: str) -> bool:
    """Whether the text of rows is of the grammar.

    >>> reads_no_table('(SELECT * FROM (VALUES (1), (2)) AS "v"("x"))'), reads_no_table('(SELECT * FROM "t")')
    (True, False)
    """
    tokens, place = [], 0
    text = text.strip()
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            return False
        tokens.append(match[0].strip())
        place = match.end()
    try:
        return _rows(tokens, 0) == len(tokens)
    except (IndexError, ValueError):
        return False


def _rows(tokens: list[str], at: int) -> int:
    if tokens[at] == "(":
        at = _expect(tokens, _query(tokens, at + 1), ")")
    elif tokens[at] in _FUNCTIONS:
        at = _constants(tokens, _expect(tokens, at + 1, "("))
    else:
        raise ValueError
    if at < len(tokens) and tokens[at] == "AS":
        at += 2
        if at < len(tokens) and tokens[at] == "(":
            while tokens[at] != ")":
                at += 1
            at += 1
    return at


def _query(tokens: list[str], at: int) -> int:
    if tokens[at] == "VALUES":
        while tokens[at] in ("VALUES", ","):
            at = _constants(tokens, _expect(tokens, at + 1, "("))
        return at
    at = _expect(tokens, at, "SELECT")
    if tokens[at] == "*":
        return _rows(tokens, _expect(tokens, at + 1, "FROM"))
    if tokens[at] == _BUILT_IN + "unnest":
        return _expect(tokens, _constants(tokens, _expect(tokens, at + 1, "(")), "AS") + 1
    while tokens[at] != "FROM":
        at = _expect(tokens, _expect(tokens, at, "CAST"), "(")
        if not tokens[at].startswith('"'):
            raise ValueError
        at = _constants(tokens, _expect(tokens, at + 1, "AS"))
        at = _expect(tokens, at, "AS") + 1
        at += tokens[at] == ","
    return _rows(tokens, at + 1)


def _constants(tokens: list[str], at: int) -> int:
    """The place after the parenthesis that closes; between, there are constants and their types alone."""
    depth = 1
    while depth:
        token = tokens[at]
        depth += (token == "(") - (token == ")")
        is_word = token[0].isalpha() or token[0] == "_"
        if token[0] == '"' or (is_word and token not in _CONSTANT_WORDS and not token.isupper() and token != _LIST):
            raise ValueError
        if token in ("SELECT", "FROM", "WITH", "TABLE", "VALUES"):
            raise ValueError
        if is_word and tokens[at + 1] == "(" and token not in ("CAST", "DECIMAL", _LIST):  # no function
            raise ValueError
        at += 1
    return at


def _expect(tokens: list[str], at: int, token: str) -> int:
    if tokens[at] != token:
        raise ValueError
    return at + 1
