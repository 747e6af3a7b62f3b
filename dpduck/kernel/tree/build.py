"""Short constructors for nodes."""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import date, datetime
from decimal import Decimal

from dpduck.kernel.catalog.model import Column
from dpduck.kernel.catalog.types import READ_AS_TEXT, SqlType, Value, decimal_from_ticks, parse_type
from dpduck.kernel.tree import emit
from dpduck.kernel.tree.nodes import (
    BOOLEAN,
    VARCHAR,
    AggregateCall,
    Call,
    Choice,
    ColumnRef,
    Comparison,
    Connective,
    Conversion,
    Expression,
    Grouped,
    Literal,
    Membership,
    Negation,
    NullTest,
    RangeTest,
)

_INTEGER, _BIGINT = parse_type("INTEGER"), parse_type("BIGINT")
_DATE, _TIMESTAMP = parse_type("DATE"), parse_type("TIMESTAMP")
_INTEGER_LIMIT = 2**31
UTC = "+00"  # the offset of all constants with a time zone, which then mean the same in every session

# DuckDB gives bare digits these types in a comparison; constants of wider types are written in a CAST.
_PLAIN_DIGITS = frozenset({"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER"})

TRUE, FALSE, UNKNOWN = (Literal(value, BOOLEAN) for value in (True, False, None))


# --- constants -----------------------------------------------------------------------------------


def literal(value: Value, sql_type: SqlType) -> Literal:
    """Return a constant of the type, in any context. Input: a value of that type, as `convert` returns it."""
    if isinstance(value, bool):
        return TRUE if value else FALSE
    if isinstance(value, str):
        return Literal(value, VARCHAR)
    if isinstance(value, datetime):
        is_zoned = sql_type.is_zoned
        return Literal(value.isoformat(" ") + UTC * is_zoned, sql_type if is_zoned else _TIMESTAMP)
    if isinstance(value, date):
        return Literal(value.isoformat(), _DATE)
    return Literal(format(value, "f") if isinstance(value, Decimal) else repr(value), sql_type)


def typed(text: str, sql_type: SqlType) -> Literal:
    """Return the constant that a text denotes in DuckDB, of a type whose values Python lacks in part."""
    return Literal(text, sql_type)


def compared(value: Value, sql_type: SqlType) -> Literal:
    """Return a constant to compare with a value of the type: bare digits if possible; they parse faster."""
    is_plain = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    if is_plain and sql_type.name in _PLAIN_DIGITS:
        assert isinstance(value, int)
        return digits(value)
    return literal(value, sql_type)


def digits(value: int) -> Literal:
    """Return an integer constant as bare digits, with the type that DuckDB gives them: INTEGER or BIGINT."""
    return Literal(value, _INTEGER if value < _INTEGER_LIMIT else _BIGINT)


def in_ticks(ticks: int, sql_type: SqlType) -> Literal:
    """Return an integer or decimal constant, by the number of units of its last place."""
    exact = ticks if sql_type.kind == "integer" else decimal_from_ticks(ticks, sql_type)
    return literal(exact, sql_type)


def string(text: str) -> Literal:
    return Literal(text, VARCHAR)


def null(sql_type: SqlType) -> Literal:
    return Literal(None, sql_type)


# --- columns -------------------------------------------------------------------------------------


def column(alias: str, column: Column) -> ColumnRef:
    """Return a column, or a field of one, of the item of FROM with that alias."""
    return ColumnRef(alias, column.name, parse_type(column.type), path=column.path)


# --- calls ---------------------------------------------------------------------------------------


def call(function: str, result: SqlType, *arguments: Expression) -> Call:
    """Return a call of a built-in DuckDB function. Input: `result`: the type of its result."""
    return Call(function, arguments, result)


def count_rows() -> AggregateCall:
    """count(*)."""
    return AggregateCall("count", (), _BIGINT)


def is_short(text: Expression) -> Comparison:
    """Whether a string has at most `LONGEST_TEXT` bytes: DuckDB cannot spill the value of one row to disk."""
    return Comparison("<=", call("strlen", _BIGINT, text), digits(emit.LONGEST_TEXT))


def one_zero(number: Expression) -> Choice:
    """Return a floating point number with one zero and one NaN.

    DuckDB takes 0.0 and -0.0 for equal, and all NaN, but CAST and division tell them apart: which of them a
    group or an order shows would depend on the rows around.
    """
    nan, zero = literal(math.nan, number.type), literal(0.0, number.type)
    is_nan = call("isnan", BOOLEAN, number)
    return choice((is_nan, nan), (Comparison("=", number, zero), zero), otherwise=number)


def only_short(text: Expression) -> Grouped:
    """Return a string of at most `LONGEST_TEXT` bytes; NULL for a longer one."""
    return only_where(is_short(text), text)


def sortable(value: Expression) -> Expression:
    """Return a value that is equal to another only if no function tells them apart, and fits into memory."""
    if value.type.kind == "float":
        return one_zero(value)
    return only_short(value) if value.type.kind == "text" else value


# --- conditions ----------------------------------------------------------------------------------


def compare(left: Expression, symbol: str, right: Expression) -> Grouped:
    return Grouped(Comparison(symbol, left, right))


def negated(value: Expression) -> Grouped:
    return Grouped(Negation(value))


def is_null(value: Expression) -> NullTest:
    return NullTest(value)


def is_present(value: Expression) -> NullTest:
    return NullTest(value, negated=True)


def between(value: Expression, low: Expression, high: Expression) -> RangeTest:
    return RangeTest(value, low, high)


def one_of(value: Expression, members: Iterable[Expression]) -> Membership:
    return Membership(value, tuple(members))


def all_of(*links: Expression) -> Connective:
    return Connective("AND", links)


def any_of(*links: Expression) -> Connective:
    return Connective("OR", links)


# --- branches and conversions --------------------------------------------------------------------


def choice(
    *branches: tuple[Expression, Expression], otherwise: Expression | None = None, of: SqlType | None = None
) -> Choice:
    """Return a CASE of type `of`; by default the type of the first value."""
    return Choice(branches, otherwise, of or branches[0][1].type)


def as_read(value: Expression) -> Expression:
    """Return a public value as it is read: as text if Python lacks some values of its type."""
    return converted(value, VARCHAR) if value.type.kind in READ_AS_TEXT else value


def only_where(test: Expression, value: Expression) -> Grouped:
    """Return the value where the test is true, else NULL."""
    return Grouped(Choice(((test, value),), None, value.type))


def converted(value: Expression, target: SqlType, *, safe: bool = False) -> Conversion:
    """Return a CAST, or a TRY_CAST if `safe`."""
    return Conversion(value, target, safe)
