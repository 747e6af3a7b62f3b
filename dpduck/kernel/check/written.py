"""Rows that a query writes itself: VALUES, series and lists, whose text is all that says what they read."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from dpduck.kernel.check.functions import SCALARS

C = "\x01"  # a constant
_NAME, _TYPE = r'"(?:[^"]|"")*"', r"[A-Z_0-9]+(?: WITH TIME ZONE)?(?:\([0-9, ]*\))?"
_NAMES = rf"{_NAME}(?:, {_NAME})*"
_ROWS, _READS = (
    rf"\x02<((?:{_NAMES})?)>",
    rf"\x03<(?:{_NAMES})?>",
)  # rows with, an expression of these columns
_VALUE = rf"(?:{C}|{_NAME}|{_READS})"
_ITEM = rf"{_VALUE}(?: AS {_NAME})?"
_SCALAR = rf"system\.main\.\"?(?:{'|'.join(map(re.escape, sorted(SCALARS)))})\"?"
_SERIES = r"(?:generate_series|range|unnest)"


def _rows(names: str = "") -> str:
    return f"\x02<{names}>"


def _quoted(name: str) -> str:
    return f'"{name}"'


def _values(text: str) -> str:
    """Rows of constants, whose columns DuckDB calls col0, col1, ..."""
    return _rows(", ".join(_quoted(f"col{number}") for number in range(text.partition(")")[0].count(C))))


def _computed(found: re.Match[str]) -> str:
    """An expression: of the columns in it, else a constant."""
    names = re.findall(_NAME, found[0])
    return f"\x03<{', '.join(names)}>" if names else C


def _selected(found: re.Match[str]) -> str:
    """Items, if they read no columns but those of their rows: another is of what stands beside the text."""
    items, names = found[1], re.findall(_NAME, found[2] or "")
    read = re.findall(_NAME, re.sub(rf" AS {_NAME}", "", items))
    shown = re.findall(rf"({_NAME})(?:, |$)", items)
    return found[0] if {*read} - {*names} else _rows(", ".join(shown))


_RULES: list[tuple[str, str | Callable[[re.Match[str]], str]]] = [
    (rf"CAST\({C} AS {_TYPE}\)|\b(?:DATE|TIME[A-Z_]*) {C}|-{C}|\b[0-9][0-9.]*\b|\b(?:NULL|TRUE|FALSE)\b", C),
    (rf"system\.main\.list_value\({C}(?:, {C})*\)|(?<!FROM )system\.main\.{_SERIES}\({C}(?:, {C})*\)", C),
    (rf"CAST\((?:{_NAME}|{_READS}) AS {_TYPE}\)|{_SCALAR}\({_VALUE}(?:, {_VALUE})*\)", _computed),
    (rf"\(SELECT ({_ITEM}(?:, {_ITEM})*)(?: FROM {_ROWS})?\)", _selected),
    (rf"\(SELECT \* FROM {_ROWS}\)", lambda found: _rows(found[1])),
    (rf"\(VALUES (?:\({C}(?:, {C})*\)(?:, )?)+\)", lambda found: _values(found[0])),
    (rf"FROM system\.main\.({_SERIES})\({C}(?:, {C})*\)", lambda found: f"FROM {_rows(_quoted(found[1]))}"),
    (rf"{_ROWS} AS (?:{_NAME}|\w+)\(({_NAMES})\)", lambda found: _rows(found[2])),
    (rf"{_ROWS} AS (?:{_NAME}|\w+)(?!\()", lambda found: _rows(found[1])),
]


@lru_cache(maxsize=256)
def reads_no_table(text: str) -> bool:
    """Whether a text is of rows of constants. Lemma: it is if these rules make it rows, as none reads a
    table, or a column that is not of its own rows.

    >>> reads_no_table('(SELECT system.main.last_day("x") AS "y" FROM (VALUES (1), (2)) AS "v"("x"))')
    True
    >>> reads_no_table('(SELECT system.main.last_day("x") AS "y" FROM (VALUES (1), (2)) AS "v"("z"))')
    False
    >>> reads_no_table('(SELECT * FROM "t")'), reads_no_table('(SELECT (SELECT 1 FROM t) FROM (VALUES (1)))')
    (False, False)
    """
    before, text = "", re.sub(rf"[\x01-\x03]|({_NAME})|'(?:[^']|'')*'", lambda found: found[1] or C, text)
    while text != before:
        before = text
        for rule, short in _RULES:
            text = re.sub(rule, short, text)
    return re.fullmatch(_ROWS, text) is not None
