"""The operands of operators and functions: constants, which are folded while planning, and row values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction
from typing import Protocol

from sqlglot import exp

from dpduck.compiler.parse.constant_calls import folded_date
from dpduck.compiler.parse.nodes import TIMESTAMPS, refusal, scalar, unwrap
from dpduck.compiler.private.casts import cast
from dpduck.compiler.private.type_rules import (
    BOOLEAN,
    DATE,
    INTEGER,
    NULL,
    NUMBERS,
    TIMESTAMP,
    TIMESTAMPTZ,
    VARCHAR,
    common_type,
    holds,
    literal_type,
)
from dpduck.compiler.write import call_names
from dpduck.kernel.catalog.types import ConversionError, Scalar, SqlType, Value, convert
from dpduck.kernel.errors import UnsupportedSqlError
from dpduck.kernel.plan.expression import Columns, Typed
from dpduck.kernel.tree import build
from dpduck.kernel.tree.nodes import Expression

NUMBER_HINT = "Convert text with CAST(x AS DOUBLE), and use date_diff for dates."


@dataclass(frozen=True)
class Constant:
    """A constant: its exact value, and its type where no other operand coerces it.

    `is_computed`: folded from other constants, whose types fix its own, so that it is not coerced.
    """

    value: Scalar
    type: SqlType
    is_computed: bool = False


Operand = Typed | Constant


class ExpressionReader(Protocol):
    """Translates the expressions of one block. Its errors: UnsupportedSqlError, UnknownNameError."""

    @property
    def columns(self) -> Columns:
        """The columns in scope."""
        ...

    def raw(self, node: exp.Expr) -> Operand:
        """Return the operand that a node denotes, of any type."""
        ...

    def operand(self, node: exp.Expr) -> Operand:
        """Return the operand in a type that functions accept: an ENUM becomes VARCHAR."""
        ...

    def compared(self, node: exp.Expr) -> Operand:
        """Return the operand for a comparison: as `operand`, but without a test of the width of decimals."""
        ...

    def typed(self, node: exp.Expr) -> Typed:
        """Return the operand as a typed expression: a constant in its own type."""
        ...

    def condition(self, node: exp.Expr) -> Expression:
        """Return a BOOLEAN expression."""
        ...

    def range_of(self, node: exp.Expr) -> tuple[Fraction, Fraction] | None:
        """Return the public range of a number as (low, high), or None."""
        ...


def constant_of(node: exp.Expr) -> Constant | None:
    """Return the constant that a literal node denotes; None for any other node.

    Errors: UnsupportedSqlError for a number out of the range of every type, or an invalid date.
    """
    node = unwrap(node)
    if isinstance(node, exp.DateFromParts):
        node = folded_date(node)
    if isinstance(node, exp.Neg):
        return _negative(node)
    if isinstance(node, exp.Literal):
        return Constant(str(node.this), VARCHAR) if node.is_string else _number(node, "")
    if isinstance(node, exp.Boolean):
        return Constant(bool(node.this), BOOLEAN)
    if isinstance(node, exp.Null):
        return Constant(None, NULL)
    if type(node) is exp.Cast and isinstance(node.this, exp.Literal) and node.this.is_string:
        return _datetime(node)
    return None


def _negative(node: exp.Neg) -> Constant | None:
    inner = unwrap(node.this)
    if isinstance(inner, exp.Literal) and not inner.is_string:
        return _number(inner, "-")
    return None


def _number(node: exp.Literal, sign: str) -> Constant:
    value = scalar(exp.Neg(this=node.copy()) if sign else node)
    sql_type = literal_type(sign + str(node.this))
    if sql_type is None:
        raise refusal(
            "this number is too large",
            "No type of DuckDB holds it.",
            "Write a number of up to 38 digits.",
            node,
        )
    return Constant(value, sql_type)


def _datetime(node: exp.Cast) -> Constant | None:
    """Read DATE, TIMESTAMP and TIMESTAMPTZ literals; the last are in UTC if they do not say an offset."""
    if node.to.this not in (exp.DType.DATE, *TIMESTAMPS) or node.to.expressions:
        return None
    value = scalar(node)
    if not isinstance(value, datetime):
        return Constant(value, DATE)
    return Constant(value, TIMESTAMPTZ if node.to.this == exp.DType.TIMESTAMPTZ else TIMESTAMP)


def literal(constant: Constant, sql_type: SqlType, node: exp.Expr | None = None) -> Expression:
    """Return the constant as a literal of the type. Errors: UnsupportedSqlError if it has no such value."""
    if constant.value is None:
        return build.null(sql_type)
    return build.literal(value_in(constant, sql_type, node), sql_type)


def value_in(constant: Constant, sql_type: SqlType, node: exp.Expr | None = None) -> Value:
    """Convert the constant to the type exactly. Errors: UnsupportedSqlError if it has no such value."""
    try:
        return convert(constant.value, sql_type)
    except ConversionError as error:
        reason = str(error)
    raise refusal(
        f"the constant {_shown(constant.value)} is not a value of type {sql_type.name}",
        f"{reason}.",
        "Write a constant of that type.",
        node,
    )


def _shown(value: Scalar) -> str:
    text = f"'{value}'" if isinstance(value, (str, date)) else str(value)
    return text if len(text) <= 40 else text[:37] + "..."


def typed_constant(constant: Constant) -> Typed:
    """Return the constant in its own type. NULL is written as an INTEGER, as DuckDB does, with type NULL."""
    if constant.type == NULL:
        return Typed(build.null(INTEGER), NULL)
    return Typed(literal(constant, constant.type), constant.type)


def as_typed(operand: Operand) -> Typed:
    """Return the operand with its type: a constant in its own type."""
    return typed_constant(operand) if isinstance(operand, Constant) else operand


def in_type(operand: Operand, sql_type: SqlType, node: exp.Expr | None = None) -> Expression:
    """Convert the operand to the type: a constant exactly, a row value by a cast that is NULL on failure."""
    if isinstance(operand, Constant):
        return literal(operand, sql_type, node)
    if operand.type == NULL:
        return build.null(sql_type)
    return cast(operand.node, operand.type, sql_type)


def coerced_type(constant: Constant, other: SqlType) -> SqlType:
    """Return the type of a constant beside a row value, whose integer type an integer literal adopts."""
    value = constant.value
    adapts = constant.type.kind == other.kind == "integer" and not constant.is_computed
    if adapts and isinstance(value, int) and holds(other, value):
        return other
    return constant.type


def pair_types(left: Operand, right: Operand) -> tuple[SqlType, SqlType]:
    """Return the types of two operands, after a constant is coerced to the type of a row value."""
    if isinstance(left, Constant) and isinstance(right, Typed):
        return coerced_type(left, right.type), right.type
    if isinstance(right, Constant) and isinstance(left, Typed):
        return left.type, coerced_type(right, left.type)
    return left.type, right.type


def common_type_of(operands: list[Operand], node: exp.Expr) -> SqlType:
    """Return the common type of operands, as of the branches of CASE.

    A string literal beside dates or numbers is coerced to their type, as in DuckDB.
    Errors: UnsupportedSqlError if there is no common type.
    """
    types = [operand.type for operand in operands if isinstance(operand, Typed)]
    constants = [operand for operand in operands if isinstance(operand, Constant)]
    found = NULL
    for sql_type in types:
        found = _required_common_type(found, sql_type, node)
    strings_adapt = found.kind not in ("null", "text")
    for constant in constants:
        if not (strings_adapt and isinstance(constant.value, str)):
            found = _required_common_type(found, coerced_type(constant, found), node)
    return found


def _required_common_type(left: SqlType, right: SqlType, node: exp.Expr) -> SqlType:
    both = common_type(left, right)
    if both is None:
        raise refusal(
            f"values of type {left.name} and {right.name} do not go together",
            f"They have no common type in {call_names.short_name_of(node)}.",
            f"Convert one of them, for example with CAST(x AS {_suggested_type(left, right).name}).",
            node,
        )
    return both


def _suggested_type(left: SqlType, right: SqlType) -> SqlType:
    if left.kind == "other":
        return right
    return left if "text" not in (left.kind, right.kind) else VARCHAR


def only_argument(node: exp.Expr) -> exp.Expr:
    """Return the argument of a unary function. Errors: UnsupportedSqlError if there is not exactly one."""
    arguments = node.expressions if isinstance(node, exp.Anonymous) else [node.this]
    if len(arguments) != 1:
        raise refusal(
            f"{call_names.short_name_of(node)} takes one argument",
            f"It was given {len(arguments)}.",
            "Write one.",
            node,
        )
    argument: exp.Expr = arguments[0]
    return argument


def number_argument(reader: ExpressionReader, node: exp.Expr) -> Typed:
    """Return the only argument, a number; NULL is an INTEGER. Errors: UnsupportedSqlError for other types."""
    value = reader.typed(only_argument(node))
    if value.type == NULL:
        return Typed(value.node, INTEGER)
    if value.type.kind not in NUMBERS:
        raise wrong_type(node, value, "a number", NUMBER_HINT)
    return value


def wrong_type(node: exp.Expr, value: Operand, wanted: str, hint: str) -> UnsupportedSqlError:
    """Return the refusal of an argument whose type a function does not accept."""
    name = value.name if isinstance(value, Typed) and value.name else "The argument"
    return refusal(
        f"{call_names.short_name_of(node)} takes {wanted}",
        f"{name} is of type {value.type.name}.",
        hint,
        node,
    )


def constant_argument(node: exp.Expr | None, call: exp.Expr, what: str, hint: str) -> Constant:
    """Return an argument that must be a constant. Errors: UnsupportedSqlError if it is none, or missing."""
    constant = None if node is None else constant_of(node)
    if constant is None:
        raise refusal(
            f"{what} must be a constant",
            "What is computed for each row could otherwise take long, or fail, on one row alone.",
            hint,
            call,
        )
    return constant
