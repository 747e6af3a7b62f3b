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
from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction

from sqlglot import exp

from dpduck.errors import UnsupportedSqlError
from dpduck.query.parse.nodes import scalar, unwrap
from dpduck.query.public.context import Relations
from dpduck.query.tree.answer import AnswerExpression, ComputedEnds

_ROUNDINGS = (exp.Round, exp.Floor, exp.Ceil, exp.Trunc)
_NUMBERS = exp.DataType.NUMERIC_TYPES - {exp.DType.BIT}  # DuckDB's BIT is a string
_MOST_DIGITS = 308  # before or after the point of a constant
_LARGEST = Fraction(sys.float_info.max)
_FAR = 2**53  # up to which all whole numbers are doubles
_LARGE = 2**32  # a constant with which a number of usual size may be beyond that
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

    @property
    def may_be_far(self) -> bool:
        """Whether constants make a number so large that doubles are further apart than what it is of."""
        return max(abs(self.factor), abs(self.offset)) >= _LARGE

    def then(self, factor: Fraction, unit: Fraction | None = None) -> _Steps:
        return replace(self, steps=(*self.steps, (factor, unit)), offset=self.offset * factor)

    def plus(self, constant: Fraction) -> _Steps:
        return replace(self, offset=self.offset + constant)

    def unrounded(self, end: str) -> str | None:
        """The SQL of what an end becomes without roundings; None if there are none, or it is too large."""
        if all(unit is None for _, unit in self.steps) or max(abs(self.factor), abs(self.offset)) > _LARGEST:
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
    descends = steps.factor < 0

    def of(end: str, farther: str, side: str) -> str:
        """The expression of an end; NULL beyond what a type holds, and where nothing tells the noise.

        Input: `farther`: which of the rounded end and the other is it; `side`: the infinity that is there.
        """
        text = f"CAST({write(node, _Replaced(relations, steps.leaf, end))} AS DOUBLE)"
        whole = steps.unrounded(end)
        text = text if whole is None else f"system.main.{farther}({text}, {whole})"
        if steps.may_be_far:
            next_one = f"system.main.nextafter({text}, CAST('{side}' AS DOUBLE))"
            text = f"(CASE WHEN system.main.abs({text}) >= {_FAR} THEN {next_one} ELSE {text} END)"
        told = f"{end} IS NOT NULL AND ({inner.low} <> 0 OR {inner.high} IS NOT NULL)"
        return f"(CASE WHEN {told} THEN TRY({text}) END)"

    low, high = (inner.high, inner.low) if descends else (inner.low, inner.high)
    return ComputedEnds(
        inner.column,
        of(low, "least", "-Infinity"),
        of(high, "greatest", "Infinity"),
        (*inner.steps, *steps.steps),
        inner.descends != descends,
    )


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
