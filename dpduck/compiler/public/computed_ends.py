"""The ends of the interval of what is computed of one released number, as round(sum(x)) or 1 + count(*).

A function that ascends, or descends, takes the ends of the number's interval to those of its own: the truth
is between the former just where its value is between the latter. Here are steps that do for whatever
constants: sums with one, products with one that is not 0, roundings and casts to numbers. All else has none.

Where a number is rounded, its interval also holds what is not: else that of round(x, -4) would often be of
one point, and read as if x were known.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Literal

from sqlglot import exp

from dpduck.compiler.parse.nodes import scalar, unwrap
from dpduck.compiler.public.context import Context, Relations
from dpduck.compiler.public.registry import expression, translates
from dpduck.kernel.catalog.model import fold
from dpduck.kernel.errors import UnsupportedSqlError
from dpduck.kernel.tree.answer import AnswerExpression, ComputedEnds

_ROUNDINGS = (exp.Round, exp.Floor, exp.Ceil, exp.Trunc)
_NUMBERS = exp.DataType.NUMERIC_TYPES - {exp.DType.BIT}  # DuckDB's BIT is a string
_MOST_DIGITS = 308  # before or after the point of a constant
_LARGEST = Fraction(sys.float_info.max)
_FAR = 2**53  # up to which all whole numbers are doubles
_LARGE = 2**32  # a constant with which a number of usual size may be beyond that
_FORM = "form"  # the key in `meta` of an end that is to be translated
Side = Literal["low", "high"]
_OPERATIONS: dict[type[exp.Expr], Callable[[Fraction, Fraction], Fraction]] = {
    exp.Add: lambda a, b: a + b,
    exp.Sub: lambda a, b: a - b,
    exp.Mul: lambda a, b: a * b,
    exp.Div: lambda a, b: a / b,
}


@dataclass(frozen=True)
class _Steps:
    """From one released number to an expression. `leaf`: its node; `steps`: as of `ComputedEnds`.

    `offset`: what is added to the product, if nothing is rounded.
    """

    leaf: exp.Expr
    value: AnswerExpression
    steps: tuple[tuple[Fraction, Fraction | None], ...] = ()
    offset: Fraction = Fraction(0)

    @property
    def factor(self) -> Fraction:
        return math.prod((factor for factor, _ in self.steps), start=Fraction(1))

    def then(self, factor: Fraction, unit: Fraction | None = None) -> _Steps:
        return replace(self, steps=(*self.steps, (factor, unit)), offset=self.offset * factor)

    def plus(self, constant: Fraction) -> _Steps:
        return replace(self, offset=self.offset + constant)

    @property
    def form(self) -> _Form:
        return _Form(self.factor, self.offset, any(unit is not None for _, unit in self.steps))


@dataclass(frozen=True)
class _Form:
    """What is computed of a number x, but for roundings: factor * x + offset."""

    factor: Fraction
    offset: Fraction
    is_rounded: bool

    @property
    def may_be_far(self) -> bool:
        """Whether constants make a number so large that doubles are further apart than what it is of."""
        return max(abs(self.factor), abs(self.offset)) >= _LARGE

    def unrounded(self, end: str) -> str | None:
        """The SQL of what an end becomes without roundings; None if there are none, or it is too large."""
        if not self.is_rounded or max(abs(self.factor), abs(self.offset)) > _LARGEST:
            return None
        factor, offset = (f"CAST('{float(number)!r}' AS DOUBLE)" for number in (self.factor, self.offset))
        return f"(CAST({end} AS DOUBLE) * {factor} + {offset})"


def computed_ends(
    node: exp.Expr, relations: Relations, write: Callable[[exp.Expr, Relations], str]
) -> ComputedEnds | None:
    """Return the ends of an expression that `relations` translates; None if it has none, or is its leaf.

    Input: `write` translates an expression, as `public.public_expression` does.
    """
    steps = _steps(unwrap(node), relations)
    if steps is None or steps.leaf is unwrap(node):
        return None if steps is None else steps.value.ends
    inner = steps.value.ends
    assert inner is not None
    form = steps.form

    def of(end: str, side: Side) -> str:
        text = write(node, _Replaced(relations, steps.leaf, end))
        return _end(text, end, (inner.low, inner.high), form, side)

    low, high = (inner.high, inner.low) if form.factor < 0 else (inner.low, inner.high)
    return _after(inner, steps, of(low, "low"), of(high, "high"))


def ends_in_query(
    node: exp.Expr, known: Mapping[str, tuple[str, str, ComputedEnds]]
) -> tuple[exp.Expr, exp.Expr, ComputedEnds] | None:
    """Return both ends of an expression of a query around numbers that have them, to be translated with it.

    Input: by the folded name of a column, the names of those of its ends, and how it is computed itself.
    Output: None if the expression has no ends, or is such a column; else also how it is computed.
    """
    steps = _steps(unwrap(node), _Columns(known))
    if steps is None or steps.leaf is unwrap(node):
        return None
    low, high, inner = known[fold(steps.leaf.name)]
    form = steps.form

    def of(end: str, side: Side) -> exp.Expr:
        def at_end(part: exp.Expr) -> exp.Expr:
            return _column(end) if isinstance(part, exp.Column) else part

        text = node.copy().transform(at_end)
        made = _EndOf(this=text, end=_column(end), low=_column(low), high=_column(high))
        made.meta[_FORM] = (form, side)
        return made

    low_end, high_end = (high, low) if form.factor < 0 else (low, high)
    return of(low_end, "low"), of(high_end, "high"), _after(inner, steps, "", "")


def _after(inner: ComputedEnds, steps: _Steps, low: str, high: str) -> ComputedEnds:
    descends = inner.descends != (steps.factor < 0)
    return ComputedEnds(inner.column, low, high, (*inner.steps, *steps.steps), descends)


def _end(text: str, end: str, both: tuple[str, str], form: _Form, side: Side) -> str:
    """Return the SQL of an end; NULL beyond what a type holds, and where nothing tells the noise.

    Input: the expression at the end of the number, which is `end`, of `both`.
    """
    text = f"CAST({text} AS DOUBLE)"
    whole, farther = form.unrounded(end), "least" if side == "low" else "greatest"
    text = text if whole is None else f"system.main.{farther}({text}, {whole})"
    if form.may_be_far:
        infinity = "-Infinity" if side == "low" else "Infinity"
        next_one = f"system.main.nextafter({text}, CAST('{infinity}' AS DOUBLE))"
        text = f"(CASE WHEN system.main.abs({text}) >= {_FAR} THEN {next_one} ELSE {text} END)"
    told = f"{end} IS NOT NULL AND ({both[0]} <> 0 OR {both[1]} IS NOT NULL)"
    return f"(CASE WHEN {told} THEN TRY({text}) END)"


def _column(name: str) -> exp.Column:
    return exp.column(exp.to_identifier(name, quoted=True))


class _EndOf(exp.Expression):
    """An end of an expression: `this` is the expression at an `end` of its number, of `low` and `high`."""

    arg_types = dict.fromkeys(("this", "end", "low", "high"), True)


@translates(_EndOf, arguments="this end low high")
def _translate_end(node: exp.Expr, context: Context) -> str:
    form, side = node.meta[_FORM]
    text, end, low, high = (expression(node.args[name], context) for name in ("this", "end", "low", "high"))
    return _end(text, end, (low, high), form, side)


@dataclass(frozen=True)
class _Columns:
    """Relations that know the columns of an inner query which have ends."""

    known: Mapping[str, tuple[str, str, ComputedEnds]]

    def table(self, node: exp.Table) -> str | None:
        """None: there is none in an expression."""

    def block(self, node: exp.Query) -> str | None:
        """None, as of tables."""

    def value(self, node: exp.Expr) -> AnswerExpression | None:
        known = self.known.get(fold(node.name)) if isinstance(node, exp.Column) else None
        return None if known is None else AnswerExpression("", ends=known[2])

    def constant(self, sql: str) -> None:
        """Nothing: no expression is written."""


@dataclass(frozen=True)
class _Replaced:
    """The relations of an expression, with SQL in the place of one of its nodes."""

    relations: Relations
    leaf: exp.Expr
    sql: str

    def table(self, node: exp.Table) -> str | None:
        return self.relations.table(node)

    def block(self, node: exp.Query) -> str | None:
        return self.relations.block(node)

    def value(self, node: exp.Expr) -> AnswerExpression | None:
        return AnswerExpression(self.sql) if node is self.leaf else self.relations.value(node)

    def constant(self, sql: str) -> None:
        """Nothing: the expression itself has the same constants."""


def _steps(node: exp.Expr, relations: Relations) -> _Steps | None:
    """Return how an expression is computed of one released number; None if it is not, or in other steps."""
    node = unwrap(node)
    known = relations.value(node)
    if known is not None:
        return _Steps(node, known) if known.ends is not None else None
    if isinstance(node, exp.Neg):
        return _scaled(_steps(node.this, relations), Fraction(-1))
    if isinstance(node, (exp.Cast, exp.TryCast)):
        found = _steps(node.this, relations) if node.to.this in _NUMBERS else None
        return _rounded(found, _places_of(node.to))
    if isinstance(node, _ROUNDINGS):
        places = node.args.get("decimals")
        constant = Fraction(0) if places is None else _constant(places)
        if constant is None or abs(constant) > _MOST_DIGITS:
            return None
        return _rounded(_steps(node.this, relations), int(constant))
    if type(node) in _OPERATIONS:
        return _of_operation(node, relations)
    return None


def _of_operation(node: exp.Expr, relations: Relations) -> _Steps | None:
    left, right = _constant(node.this), _constant(node.args["expression"])
    if (left is None) == (right is None) or (left is not None and isinstance(node, exp.Div)):
        return None
    found = _steps(node.this if left is None else node.args["expression"], relations)
    constant = left if right is None else right
    assert constant is not None
    if isinstance(node, (exp.Mul, exp.Div)):
        return _scaled(found, constant, divides=isinstance(node, exp.Div))
    if found is None:
        return None
    if isinstance(node, exp.Sub):
        return found.plus(-constant) if left is None else found.then(Fraction(-1)).plus(constant)
    return found.plus(constant)


def _scaled(found: _Steps | None, constant: Fraction, *, divides: bool = False) -> _Steps | None:
    if found is None or constant == 0:
        return None
    return found.then(1 / constant if divides else constant)


def _rounded(found: _Steps | None, places: int | None) -> _Steps | None:
    """Return the steps with a rounding after them. Input: to how many places; None: to none that matters."""
    if found is None or places is None:
        return found
    return found.then(Fraction(1), Fraction(10) ** -places)


def _places_of(kind: exp.DataType) -> int | None:
    if kind.this in exp.DataType.REAL_TYPES - {exp.DType.DECIMAL}:
        return None
    parts = [_constant(part.this) for part in kind.expressions]
    return int(parts[1] or 0) if len(parts) > 1 else 3 if kind.this == exp.DType.DECIMAL and not parts else 0


def _constant(node: exp.Expr) -> Fraction | None:
    """Return the value of a constant number, but for the rounding of casts; None if it is none."""
    node = unwrap(node)
    if isinstance(node, exp.Neg):
        inner = _constant(node.this)
        return None if inner is None else -inner
    if isinstance(node, exp.Cast):
        return _constant(node.this) if node.to.this in _NUMBERS else None
    if type(node) in _OPERATIONS:
        left, right = _constant(node.this), _constant(node.args["expression"])
        if left is None or right is None or (isinstance(node, exp.Div) and right == 0):
            return None
        return _OPERATIONS[type(node)](left, right)
    try:
        value = scalar(node) if isinstance(node, exp.Literal) and not node.is_string else None
    except UnsupportedSqlError:
        return None
    number = Decimal(value) if isinstance(value, (int, Decimal)) else None
    return None if number is None or abs(number.adjusted()) > _MOST_DIGITS else Fraction(number)
