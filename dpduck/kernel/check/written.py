"""Rows that a query writes itself: VALUES, series and lists, whose text is all that says what they read."""

from __future__ import annotations

import re
from functools import lru_cache

from dpduck.kernel.empty_database import functions_of_values, has_meaning, views_of_nothing

_SERIES = frozenset({"generate_series", "range", "unnest"})
# What may stand before a bracket besides a function: words of SQL, and DECIMAL of a type.
_WORDS = frozenset(
    """ALL AND AS BETWEEN BY CASE CAST COALESCE DECIMAL DISTINCT ELSE EXCEPT EXISTS FILTER FROM HAVING IN
    INTERSECT IS JOIN LIKE LIMIT NOT ON OR OVER SELECT THEN TRY_CAST UNION USING VALUES WHEN WHERE""".split()  # noqa: SIM905
)
_NAME = r'"(?:[^"]|"")*"'
_CALLED = re.compile(rf"(AS |system\.main\.)?({_NAME}|\w+) ?\(")
_MENTIONED = re.compile(rf"({_NAME})|\w+")


@lru_cache(maxsize=256)
def reads_no_table(text: str) -> bool:
    """Whether a text is of rows of constants. Lemma: it is if it means something in a database that is empty
    and beside nothing, calls only functions of values, and names no view of what a database holds.

    >>> reads_no_table('(SELECT system.main.abs("x") AS "y" FROM (VALUES (1), (2)) AS "v"("x"))')
    True
    >>> reads_no_table('(SELECT "x" FROM (VALUES (1)) AS "v"("z"))'), reads_no_table('(SELECT * FROM "t")')
    (False, False)
    >>> reads_no_table('(SELECT * FROM system.main.duckdb_tables())')
    False
    """
    bare = re.sub(rf"({_NAME})|'(?:[^']|'')*'", lambda found: found[1] or "''", text)
    if not all(_is_pure(*found) for found in _CALLED.findall(bare)):
        return False
    names = {found[0].strip('"').lower() for found in _MENTIONED.finditer(bare)}
    return names.isdisjoint(views_of_nothing()) and has_meaning(text)


def _is_pure(before: str, name: str) -> bool:
    """Whether what stands before a bracket is a function of values, a word, or a name that is given."""
    if before == "system.main.":
        return name.strip('"') in functions_of_values() | _SERIES
    return before == "AS " or name.upper() in _WORDS
