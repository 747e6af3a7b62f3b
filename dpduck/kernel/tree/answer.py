"""Public SQL over released columns, with the columns that it reads: no code has to search its text."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from fractions import Fraction

_MOST = Fraction(sys.float_info.max)


@dataclass(frozen=True)
class ComputedEnds:
    """The ends of the interval of a number that ascends or descends with one released number, in SQL.

    `column`: the released number; `steps`: by what each step multiplies it, and to multiples of what it is
    rounded then, if to any. `descends`: the truth is below where that of the released number is above.
    """

    column: str
    low: str
    high: str
    steps: tuple[tuple[Fraction, Fraction | None], ...] = ()
    descends: bool = False

    def error(self, error: float) -> float:
        """Return what the error stays within. Input: the same of the released number.

        What is rounded to multiples of m moves by multiples of it, and by less than one more.

        >>> ComputedEnds("n", "", "", ((Fraction(1, 100), Fraction(1)),)).error(310.0)
        4.0
        """
        if not math.isfinite(error):
            return error
        exact = Fraction(error)
        for factor, unit in self.steps:
            exact *= abs(factor)
            exact = exact if unit is None else math.ceil(exact / unit) * unit
        return float(exact) if exact <= _MOST else math.inf


@dataclass(frozen=True)
class Division:
    """A division in an expression: the released columns that its dividend and its divisor read.

    `factor`: by what the quotient of two of them is multiplied, as text; None: it is of another form.
    `is_all`: it is the whole expression, but for rounding. `adds_up`: the divisor reads other rows, as
    sum(n) OVER () does.
    """

    dividend: frozenset[str]
    divisor: frozenset[str]
    factor: str | None = ""
    is_all: bool = True
    adds_up: bool = False


@dataclass(frozen=True)
class AnswerExpression:
    """An expression over released columns, in SQL.

    `column`: the released column, if the expression is that column alone, else None. `reads`: all released
    columns that it reads. `windowed`: it contains a window function, so it reads other rows. `ranged`: it
    contains BETWEEN, whose operand DuckDB duplicates. `divisions`: those it contains. `differences`: the
    pairs of released numbers of whose differences it contains ends of intervals, or p-values. `ends`: those
    of its interval, if it is computed of one released number alone, such as round(sum(x) / 1000).
    """

    sql: str
    column: str | None = None
    reads: frozenset[str] = frozenset()
    windowed: bool = False
    ranged: bool = False
    divisions: tuple[Division, ...] = ()
    differences: tuple[tuple[str, str], ...] = ()
    ends: ComputedEnds | None = None
