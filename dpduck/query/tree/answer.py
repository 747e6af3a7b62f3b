"""What public SQL makes of released columns, and what it was made of: nobody needs to search its text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class AnswerExpression:
    """An expression over released columns, in SQL.

    `column`: the released column that it is as it stands, None if it is more. `reads`: all that it is made
    of. `windowed`: it looks at other rows, by OVER. `ranged`: it holds a BETWEEN, whose operand DuckDB
    writes twice.
    """

    sql: str
    column: str | None = None
    reads: frozenset[str] = frozenset()
    windowed: bool = False
    ranged: bool = False
