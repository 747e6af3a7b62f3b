"""Public SQL over released columns, with the columns that it reads: no code has to search its text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Division:
    """A division in an expression: the released columns that its dividend and its divisor read.

    `factor`: by what the quotient of two of them is multiplied, as text; None: it is of another form.
    `is_all`: it is the whole expression, but for rounding.
    """

    dividend: frozenset[str]
    divisor: frozenset[str]
    factor: str | None = ""
    is_all: bool = True


@dataclass(frozen=True)
class AnswerExpression:
    """An expression over released columns, in SQL.

    `column`: the released column, if the expression is that column alone, else None. `reads`: all released
    columns that it reads. `windowed`: it contains a window function, so it reads other rows. `ranged`: it
    contains BETWEEN, whose operand DuckDB duplicates. `divisions`: those it contains. `differences`: the
    pairs of released numbers of whose differences it contains ends of intervals, or p-values.
    """

    sql: str
    column: str | None = None
    reads: frozenset[str] = frozenset()
    windowed: bool = False
    ranged: bool = False
    divisions: tuple[Division, ...] = ()
    differences: tuple[tuple[str, str], ...] = ()
