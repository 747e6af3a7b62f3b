"""What an operator or function works on: constants, whose value is known, and values of a row."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction
from typing import Protocol

from sqlglot import exp

from dpduck.catalog.types import ConversionError, Scalar, SqlType, Value, convert
from dpduck.errors import UnsupportedSqlError
from dpduck.query.parse.nodes import refusal, scalar, unwrap
from dpduck.query.private.casts import cast
from dpduck.query.private.type_rules import (
    BOOLEAN,
    DATE,
    INTEGER,
    NULL,
    NUMBERS,
    TIMESTAMP,
    VARCHAR,
    common_type,
    holds,
    literal_type,
)
from dpduck.query.tree import build
from dpduck.query.tree.nodes import Expression
from dpduck.query.write import call_names
from dpduck.query.write.expression import Columns, Typed

_UTC = re.compile(r"(?:Z|\+00(?::?00)?)$")

NUMBER_HINT = "Convert text with CAST(x AS DOUBLE), and use date_diff for dates."


@dataclass(frozen=True)
class Constant:
    """A constant: its exact value, and the type that it has where nothing else decides.

    `is_computed`: of other constants, which decide its type wherever it stands.
    """

    value: Scalar
    type: SqlType
    is_computed: bool = False


Operand = Typed | Constant


class ExpressionReader(Protocol):
    """The translator of one block's expressions. Errors of each: UnsupportedSqlError, UnknownNameError."""

    @property
    def columns(self) -> Columns:
        """The columns that the block can see."""
        ...

    def raw(self, node: exp.Expr) -> Operand:
        """The value of a node, of any type."""
        ...

    def operand(self, node: exp.Expr) -> Operand:
        """The value of a node in a type that functions read: an ENUM is text."""
        ...

    def compared(self, node: exp.Expr) -> Operand:
        """The same to be compared and no more: a column as it is."""
        ...

    def typed(self, node: exp.Expr) -> Typed:
        """The same, with a constant written out in its own type."""
        ...

    def condition(self, node: exp.Expr) -> Expression:
        """A BOOLEAN."""
        ...

    def ends(self, node: exp.Expr) -> tuple[Fraction, Fraction] | None:
        """The public range of a number, if it has one."""
        ...


def constant_of(node: exp.Expr) -> Constant | None:
    """The constant that a node writes, or None if it writes none.

    Errors: UnsupportedSqlError for a date or a number that no type holds.
    """
    node = unwrap(node)
    if isinstance(node, exp.Neg):
        return _negative(node)
    if isinstance(node, exp.Literal):
        return Constant(str(node.this), VARCHAR) if node.is_string else _number(node, "")
    if isinstance(node, exp.Boolean):
        return Constant(bool(node.this), BOOLEAN)
    if isinstance(node, exp.Null):
        return Constant(None, NULL)
    if type(node) is exp.Cast and isinstance(node.this, exp.Literal) and node.this.is_string:
        return _moment(node)
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


def _moment(node: exp.Cast) -> Constant | None:
    """DATE and TIMESTAMP '...', and what is compared with TIMESTAMPTZ '...+00': columns have times in UTC."""
    if node.to.this == exp.DType.TIMESTAMPTZ and _UTC.search(node.this.name) and _is_compared(node):
        node = exp.cast(exp.Literal.string(_UTC.sub("", node.this.name)), exp.DType.TIMESTAMP)
    if (
        node.to.this not in (exp.DType.DATE, exp.DType.TIMESTAMPNTZ, exp.DType.TIMESTAMP)
        or node.to.expressions
    ):
        return None
    value = scalar(node)
    return Constant(value, TIMESTAMP if isinstance(value, datetime) else DATE)


def _is_compared(node: exp.Expr) -> bool:
    parent = node.parent
    while isinstance(parent, exp.Paren):
        parent = parent.parent
    return isinstance(parent, (exp.Predicate, exp.Between, exp.In))


def literal(constant: Constant, sql_type: SqlType, node: exp.Expr | None = None) -> Expression:
    """The constant as a value of the type. Errors: UnsupportedSqlError if it is none."""
    if constant.value is None:
        return build.null(sql_type)
    return build.literal(value_in(constant, sql_type, node), sql_type)


def value_in(constant: Constant, sql_type: SqlType, node: exp.Expr | None = None) -> Value:
    """The constant as a value of the type, exactly. Errors: UnsupportedSqlError."""
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


def standing_alone(constant: Constant) -> Typed:
    """The constant in its own type; NULL alone is an INTEGER, as in DuckDB."""
    if constant.type == NULL:
        return Typed(build.null(INTEGER), NULL)
    return Typed(literal(constant, constant.type), constant.type)


def in_type(operand: Operand, sql_type: SqlType, node: exp.Expr | None = None) -> Expression:
    """The operand in the type: a constant exactly, a value by a cast that gives NULL where it must fail."""
    if isinstance(operand, Constant):
        return literal(operand, sql_type, node)
    if operand.type == NULL:
        return build.null(sql_type)
    return cast(operand.node, operand.type, sql_type)


def type_beside(constant: Constant, other: SqlType) -> SqlType:
    """The type of a constant beside a value: a whole number takes an integer type that holds it."""
    value = constant.value
    adapts = constant.type.kind == other.kind == "integer" and not constant.is_computed
    if adapts and isinstance(value, int) and holds(other, value):
        return other
    return constant.type


def pair_types(left: Operand, right: Operand) -> tuple[SqlType, SqlType]:
    """The types of two operands, with a constant's type chosen beside the other."""
    if isinstance(left, Constant) and isinstance(right, Typed):
        return type_beside(left, right.type), right.type
    if isinstance(right, Constant) and isinstance(left, Typed):
        return left.type, type_beside(right, left.type)
    return left.type, right.type


def common_type_of(operands: list[Operand], node: exp.Expr) -> SqlType:
    """The type of a CASE or function that gives one of the operands. Errors: UnsupportedSqlError.

    Text written beside dates or numbers is read as one of them, as in DuckDB.
    """
    types = [operand.type for operand in operands if isinstance(operand, Typed)]
    constants = [operand for operand in operands if isinstance(operand, Constant)]
    found = NULL
    for sql_type in types:
        found = _joined(found, sql_type, node)
    texts_adapt = found.kind not in ("null", "text")
    for constant in constants:
        if not (texts_adapt and isinstance(constant.value, str)):
            found = _joined(found, type_beside(constant, found), node)
    return found


def _joined(left: SqlType, right: SqlType, node: exp.Expr) -> SqlType:
    both = common_type(left, right)
    if both is None:
        raise refusal(
            f"values of type {left.name} and {right.name} do not go together",
            f"They have no common type in {call_names.short_name_of(node)}.",
            f"Convert one of them, for example with CAST(x AS {_suggested(left, right).name}).",
            node,
        )
    return both


def _suggested(left: SqlType, right: SqlType) -> SqlType:
    if left.kind == "other":
        return right
    return left if "text" not in (left.kind, right.kind) else VARCHAR


def only_argument(node: exp.Expr) -> exp.Expr:
    """The argument of a function of one. Errors: UnsupportedSqlError."""
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


def number(reader: ExpressionReader, node: exp.Expr) -> Typed:
    """The only argument, which is a number; NULL is an INTEGER. Errors: UnsupportedSqlError."""
    value = reader.typed(only_argument(node))
    if value.type == NULL:
        return Typed(value.node, INTEGER)
    if value.type.kind not in NUMBERS:
        raise wrong_type(node, value, "a number", NUMBER_HINT)
    return value


def wrong_type(node: exp.Expr, value: Operand, wanted: str, hint: str) -> UnsupportedSqlError:
    """The refusal of an argument whose type a function does not take."""
    name = value.name if isinstance(value, Typed) and value.name else "The argument"
    return refusal(
        f"{call_names.short_name_of(node)} takes {wanted}",
        f"{name} is of type {value.type.name}.",
        hint,
        node,
    )


def constant_argument(node: exp.Expr | None, call: exp.Expr, what: str, hint: str) -> Constant:
    """An argument that must be a constant. Errors: UnsupportedSqlError."""
    constant = None if node is None else constant_of(node)
    if constant is None:
        raise refusal(
            f"{what} must be a constant",
            "What is computed for each row could otherwise take long, or fail, on one row alone.",
            hint,
            call,
        )
    return constant
