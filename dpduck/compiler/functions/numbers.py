"""Arithmetic, and functions of numbers and their bits."""

from __future__ import annotations

from sqlglot import exp

from dpduck.compiler.functions.entry import (
    TRANSLATED,
    Entries,
    SparkCall,
    SqlFunction,
    public_calls,
    public_names,
)
from dpduck.compiler.private import bounds, conditionals, datetime_bounds, floats, rounding
from dpduck.compiler.private.arithmetic import negative, operator
from dpduck.compiler.private.intervals import sum_or_difference
from dpduck.compiler.private.type_rules import bits
from dpduck.kernel.catalog.types import SqlType

_BINARY = "this expression"
_MANY = "this expressions"
_ROUNDED = bounds.of_rounding
_greatest, _least = conditionals.extreme("greatest"), conditionals.extreme("least")


def _own_bits(number: exp.Expr, sql_type: SqlType) -> exp.Expr:
    """Mask an integer to the bits of its own type: Spark counts 64, where the sign fills the others."""
    if bits(sql_type) == 64:
        return number
    mask = exp.Literal.number(2 ** bits(sql_type) - 1)
    return exp.BitwiseAnd(this=exp.cast(number, exp.DType.BIGINT), expression=mask)


ENTRIES: Entries = {
    exp.Add: SqlFunction("+", sum_or_difference("+"), _BINARY, range=bounds.of_sum),
    exp.Sub: SqlFunction("-", sum_or_difference("-"), _BINARY, range=datetime_bounds.of_days),
    exp.Mul: SqlFunction("*", operator("*"), _BINARY, range=bounds.of_product),
    exp.Div: SqlFunction("/", operator("/"), _BINARY, "typed safe", range=bounds.of_quotient),
    exp.IntDiv: SqlFunction("//", operator("//"), _BINARY, range=bounds.of_whole_quotient),
    exp.Mod: SqlFunction("%", operator("%"), _BINARY),
    exp.Pow: SqlFunction("**", floats.power, _BINARY, range=bounds.of_power),
    exp.Neg: SqlFunction(TRANSLATED, negative, range=bounds.of_negative),
    exp.Abs: SqlFunction("abs", rounding.absolute, range=bounds.of_absolute),
    exp.Sign: SqlFunction("sign", rounding.sign),
    exp.Floor: SqlFunction("floor", rounding.floor_or_ceil("floor"), range=_ROUNDED),
    exp.Ceil: SqlFunction("ceil", rounding.floor_or_ceil("ceil"), range=_ROUNDED),
    exp.Round: SqlFunction("round", rounding.rounded, "this decimals", range=_ROUNDED),
    exp.Trunc: SqlFunction("trunc", rounding.truncated, "this decimals", range=_ROUNDED),
    exp.Sqrt: SqlFunction(
        "sqrt", floats.square_root, range=bounds.of_root, spark=SparkCall("sqrt", "doubles")
    ),
    exp.Cbrt: SqlFunction("cbrt", floats.of_double("cbrt")),
    exp.Exp: SqlFunction("exp", floats.of_double("exp"), range=bounds.of_root),
    exp.Ln: SqlFunction("ln", floats.logarithm),
    exp.Log: SqlFunction(TRANSLATED, floats.logarithm, _BINARY),
    exp.IsNan: SqlFunction("isnan", floats.float_test("isnan")),
    exp.IsInf: SqlFunction("isinf", floats.float_test("isinf")),
    exp.Greatest: SqlFunction("greatest", _greatest, _MANY, "ignore_nulls", range=bounds.of_greatest),
    exp.Least: SqlFunction("least", _least, _MANY, "ignore_nulls", range=bounds.of_least),
    exp.BitwiseNot: SqlFunction("~"),
    exp.BitwiseAnd: SqlFunction("&", None, _BINARY),
    exp.BitwiseOr: SqlFunction("|", None, _BINARY),
    exp.BitwiseXor: SqlFunction("xor", None, _BINARY),
    exp.BitwiseLeftShift: SqlFunction("<<", None, _BINARY),
    exp.BitwiseRightShift: SqlFunction(">>", None, _BINARY),
    exp.Getbit: SqlFunction("get_bit", None, _BINARY, "zero_is_msb"),
    **public_calls(
        "acos acosh asin asinh atan atanh cos cosh cot degrees factorial radians sin sinh tan tanh"
    ),
    **public_calls("to_binary"),
    **public_calls("atan2", _BINARY),
    **public_calls("pi", ""),
    "isfinite": SqlFunction("isfinite", floats.float_test("isfinite")),
    "bit_count": SqlFunction("bit_count", rounding.bit_count, spark=SparkCall("bit_count", _own_bits)),
    **public_names(
        """
        bin even format_bytes formatreadabledecimalsize formatreadablesize gamma gcd
        greatest_common_divisor lcm least_common_multiple lgamma multiply nextafter signbit to_base unbin
        """
    ),
}
