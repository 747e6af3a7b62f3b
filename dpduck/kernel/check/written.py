"""Rows that a query writes itself: VALUES, series and lists, whose text is all that says what they read."""

from __future__ import annotations

import re
from functools import lru_cache

C, R = "\x01", "\x02"  # a constant, and rows
_NAME, _TYPE = r'"(?:[^"]|"")*"', r"[A-Z_0-9]+(?: WITH TIME ZONE)?(?:\([0-9, ]*\))?"
_CAST, _FUNCTION = rf"CAST\({_NAME} AS {_TYPE}\) AS {_NAME}", r"system\.main\."
_RULES = [
    (rf"CAST\({C} AS {_TYPE}\)|\b(?:DATE|TIME[A-Z_]*) {C}|-{C}|\b[0-9][0-9.]*\b|\b(?:NULL|TRUE|FALSE)\b", C),
    (rf"{_FUNCTION}list_value\({C}(?:, {C})*\)", C),
    (rf"\(SELECT {_FUNCTION}unnest\({C}\) AS {_NAME}\)|\(SELECT (?:\*|{_CAST}(?:, {_CAST})*) FROM {R}\)", R),
    (rf"\(VALUES (?:\({C}(?:, {C})*\)(?:, )?)+\)", R),
    (rf"{_FUNCTION}(?:generate_series|range|unnest)\({C}(?:, {C})*\)", R),
    (rf"{R} AS (?:{_NAME}|\w+)(?:\({_NAME}(?:, {_NAME})*\))?", R),
]


@lru_cache(maxsize=256)
def reads_no_table(text: str) -> bool:
    """Whether a text is of rows of constants. Lemma: it is if these rules make it rows, as none reads a
    table.

    >>> reads_no_table('(SELECT * FROM (VALUES (1), (2)) AS "v"("x"))'), reads_no_table('(SELECT * FROM "t")')
    (True, False)
    """
    before, text = "", re.sub(rf"[{C}{R}]|({_NAME})|'(?:[^']|'')*'", lambda found: found[1] or C, text)
    while text != before:
        before = text
        for rule, short in _RULES:
            text = re.sub(rule, short, text)
    return text == R
