"""Constant folding: exact arithmetic of two constants, while planning and before the charge.

The result has the type that DuckDB gives the operator. On overflow DuckDB raises an error for any row; here
the query is refused, which depends on no row. Division by 0 gives NULL, as it does for a column.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

from sqlglot import exp

from dpduck.compiler.parse.nodes import refusal
from dpduck.compiler.private.number_domains import quotient
from dpduck.compiler.private.operands import Constant
from dpduck.compiler.write import column_names
from dpduck.kernel.catalog.types import SqlType, decimal_from_ticks, parse_number

_RULES: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "//": lambda left, right: _whole_quotient(left, right),
    "%": lambda left, right: left - right * _whole_quotient(left, right),
}


def fold_operator(symbol: str, left: Constant, right: Constant, result: SqlType, node: exp.Expr) -> Constant:
    """Fold `left symbol right` of two numbers to a constant of an integer or decimal type.

    Errors: UnsupportedSqlError if the result overflows the type.
    """
    one, two = parse_number(left.value), parse_number(right.value)
    if one is None or two is None or (symbol in ("//", "%") and two == 0):
        return Constant(None, result, is_computed=True)
    ticks = _RULES[symbol](one, two) * 10**result.scale
    low, high = result.ticks
    if ticks.denominator != 1 or not low <= ticks <= high:
        raise _too_large(node, result)
    return Constant(_value(int(ticks), result), result, is_computed=True)


def _whole_quotient(left: Fraction, right: Fraction) -> Fraction:
    """Return left / right, truncated towards zero."""
    denominator = left.denominator * right.denominator
    return Fraction(quotient(int(left * denominator), int(right * denominator)))


def _value(ticks: int, sql_type: SqlType) -> int | Decimal:
    return ticks if sql_type.kind == "integer" else decimal_from_ticks(ticks, sql_type)


def _shown(node: exp.Expr) -> str:
    text = column_names.name_of(node)
    return text if len(text) <= 60 else text[:57] + "..."


def _too_large(node: exp.Expr, sql_type: SqlType) -> Exception:
    return refusal(
        f"{_shown(node)} has no value",
        f"Of these constants it is of type {sql_type.name}, which does not hold the result.",
        "Write the result itself, or convert one of them, for example with CAST(100000 AS BIGINT).",
        node,
    )
