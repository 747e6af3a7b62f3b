"""+, -, *, /, // and % of numbers, so that none overflows or divides by zero: such a row gives NULL.

DuckDB raises an error where a result does not fit its type, and in 2.0 where a number is divided by 0.
So whole numbers and decimals are computed in a wider type, where nothing overflows, and brought back by
TRY_CAST. TRY(...) would not do: DuckDB's optimizer may move what stands inside it to the outside.

Of 128 bits there is no wider type. There a result is first estimated in doubles, and NULL from one part in
10^11 before the limit: 2^127 of HUGEINT, 38 digits of DECIMAL. One row that DuckDB refuses has a result here:
the least number % -1, which is 0.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from dpduck.catalog.types import SqlType, parse_number
from dpduck.query.parse.nodes import refusal
from dpduck.query.private import number_domains
from dpduck.query.private.casts import cast
from dpduck.query.private.constants import folded
from dpduck.query.private.operands import (
    NUMBER_HINT,
    Constant,
    ExpressionReader,
    Operand,
    in_type,
    number,
    pair_types,
    value_in,
    wrong_type,
)
from dpduck.query.private.type_rules import (
    BIGINT,
    DOUBLE,
    HUGEINT,
    INTEGER,
    MAX_WIDTH,
    NULL,
    NUMBERS,
    UHUGEINT,
    as_decimal,
    bits,
    decimal,
    is_signed,
    operand_type,
    product_type,
    remainder_type,
    sum_type,
)
from dpduck.query.tree import build
from dpduck.query.tree.nodes import Call, Comparison, Expression
from dpduck.query.write.expression import Typed

# Doubles just inside the largest HUGEINT and the largest power of ten: what lies beyond them gives NULL.
_LARGEST_HUGEINT = 1.7014118346e38
_JUST_BELOW_ONE = 1 - 1e-12


def operator(symbol: str) -> Callable[[exp.Expr, ExpressionReader], Operand]:
    """left * right and the like, of numbers."""

    def handler(node: exp.Expr, reader: ExpressionReader) -> Operand:
        left, right = reader.operand(node.this), reader.operand(node.args["expression"])
        return compute(symbol, left, right, node)

    return handler


def compute(symbol: str, left: Operand, right: Operand, node: exp.Expr) -> Operand:
    """The operator applied to two numbers. Errors: UnsupportedSqlError for other types."""
    for operand in (left, right):
        if operand.type.kind not in (*NUMBERS, "null"):
            raise wrong_type(node, operand, "numbers", NUMBER_HINT)
    first, second = pair_types(left, right)
    if first == second == NULL:
        return _null()
    first, second = (second if first == NULL else first), (first if second == NULL else second)
    both = operand_type(first, second)
    if both is None or UHUGEINT in (first, second):
        raise too_wide(first, second, node)
    result = _result_type(symbol, first, second, both, node)
    if result.kind == "float":
        return _float_operator(symbol, left, right, result, node)
    if isinstance(left, Constant) and isinstance(right, Constant):
        return folded(symbol, left, right, result, node)
    if result.kind == "integer":
        return _integer_operator(symbol, left, right, both, node)
    return _decimal_operator(symbol, left, right, (first, second), result, node)


def _result_type(symbol: str, first: SqlType, second: SqlType, both: SqlType, node: exp.Expr) -> SqlType:
    """The type of the result, for operands that are computed in the type `both`."""
    if both.kind == "float":
        return both
    if symbol == "/":
        return DOUBLE
    if both.kind == "integer":
        return both
    if symbol == "//":
        return DOUBLE
    if symbol == "%":
        return remainder_type(first, second)
    result = product_type(first, second) if symbol == "*" else sum_type(first, second)
    if result is None:
        raise _too_many_places(first, second, node)
    return result


def _null() -> Typed:
    return Typed.of(build.null(INTEGER))


def too_wide(left: SqlType, right: SqlType, node: exp.Expr) -> Exception:
    return refusal(
        f"there is no arithmetic between {left.name} and {right.name}",
        "The result may not fit any type.",
        "Convert both with CAST(x AS HUGEINT) or CAST(x AS DOUBLE).",
        node,
    )


# --- whole numbers -------------------------------------------------------------------------------


def _integer_operator(symbol: str, left: Operand, right: Operand, both: SqlType, node: exp.Expr) -> Typed:
    domain = number_domains.of_integer_operator(symbol, left, right, both)
    if symbol in ("//", "%"):
        return Typed.of(_divided(symbol, left, right, both, node), domain)
    if both == HUGEINT and HUGEINT in (left.type, right.type):
        return Typed.of(_guarded(symbol, left, right, HUGEINT, _LARGEST_HUGEINT, node), domain)
    wide = _wide_type(symbol, both)
    result = build.call(symbol, wide, in_type(left, wide, node), in_type(right, wide, node))
    return Typed.of(cast(result, wide, both), domain)


def _wide_type(symbol: str, both: SqlType) -> SqlType:
    """A type that holds the result for all values of the operands."""
    if symbol == "*" and both.name == "UBIGINT":
        return UHUGEINT
    if bits(both) < 32 or both == INTEGER or (both.name == "UINTEGER" and symbol != "*"):
        return BIGINT
    return HUGEINT


def _divided(symbol: str, left: Operand, right: Operand, both: SqlType, node: exp.Expr) -> Expression:
    """Division by 0 gives NULL; the least number divided by -1 is the only other one without a result."""
    if isinstance(right, Constant) and right.value is not None:
        divisor = value_in(right, both, node)
        if divisor == 0:
            return build.null(both)
        if divisor != -1:
            return build.call(symbol, both, in_type(left, both, node), in_type(right, both, node))
    if not is_signed(both):
        return build.call(symbol, both, in_type(left, both, node), _unless_zero(right, both, node))
    if both != HUGEINT:
        wide = BIGINT if bits(both) <= 32 else HUGEINT
        result = build.call(symbol, wide, in_type(left, wide, node), _unless_zero(right, wide, node))
        return cast(result, wide, both)
    return build.call(symbol, both, above_least(left, node), _unless_zero(right, both, node))


def _unless_zero(operand: Operand, sql_type: SqlType, node: exp.Expr) -> Expression:
    x = in_type(operand, sql_type, node)
    if isinstance(operand, Constant):
        return build.null(sql_type) if parse_number(operand.value) == 0 else x
    return build.only_where(Comparison("<>", x, build.digits(0)), x)


def above_least(operand: Operand, node: exp.Expr) -> Expression:
    """A HUGEINT that has a negative; NULL for the one that has none."""
    x, (least, _) = in_type(operand, HUGEINT, node), HUGEINT.ticks
    if isinstance(operand, Constant):
        return build.null(HUGEINT) if parse_number(operand.value) == least else x
    return build.only_where(Comparison(">", x, build.literal(least, HUGEINT)), x)


def _guarded(
    symbol: str, left: Operand, right: Operand, sql_type: SqlType, limit: float, node: exp.Expr
) -> Call:
    """The operator in a type as wide as any: NULL where the result in doubles is near the limit or beyond."""
    first, second = in_type(left, sql_type, node), in_type(right, sql_type, node)
    return _within(symbol, first, second, sql_type, limit)


def _within(symbol: str, first: Expression, second: Expression, result: SqlType, limit: float) -> Call:
    rough = build.call(symbol, DOUBLE, build.converted(first, DOUBLE), build.converted(second, DOUBLE))
    low, high = build.literal(-limit, DOUBLE), build.literal(limit, DOUBLE)
    return build.call(symbol, result, build.only_where(build.between(rough, low, high), first), second)


# --- decimals ------------------------------------------------------------------------------------
#
# Each result is cast to the type that it has: beside a constant NULL DuckDB gives decimals none.


def _decimal_operator(
    symbol: str,
    left: Operand,
    right: Operand,
    types: tuple[SqlType, SqlType],
    target: SqlType,
    node: exp.Expr,
) -> Typed:
    first, second = as_decimal(types[0]), as_decimal(types[1])
    if symbol == "*":
        return _product(left, right, first, second, target, node)
    if symbol == "%":
        rest = build.call(symbol, target, in_type(left, target, node), _unless_zero(right, target, node))
        return Typed.of(build.converted(rest, target))
    both = operand_type(first, second)
    if both is not None and both.width < MAX_WIDTH:
        wide = sum_type(target, target)
        result = build.call(symbol, wide, in_type(left, target, node), in_type(right, target, node))
        return Typed.of(build.converted(result, target))
    result = _guarded(symbol, left, right, target, _largest(target), node)
    return Typed.of(build.converted(result, target))


def _largest(sql_type: SqlType) -> float:
    return float(10.0 ** (sql_type.width - sql_type.scale) * _JUST_BELOW_ONE)


def _too_many_places(left: SqlType, right: SqlType, node: exp.Expr) -> Exception:
    one, two = as_decimal(left), as_decimal(right)
    return refusal(
        f"the product of {one.name} and {two.name} has too many places",
        f"DECIMAL has at most {MAX_WIDTH}.",
        "Convert one of them with CAST(x AS DOUBLE).",
        node,
    )


def _product(
    left: Operand, right: Operand, one: SqlType, two: SqlType, target: SqlType, node: exp.Expr
) -> Typed:
    if one.width + two.width > MAX_WIDTH:
        first, second = in_type(left, one, node), in_type(right, two, node)
        return Typed.of(build.converted(_within("*", first, second, target, _largest(target)), target))
    if target.width == one.width + two.width:
        result = build.call("*", target, in_type(left, one, node), in_type(right, two, node))
        return Typed.of(build.converted(result, target))
    # Beside a DECIMAL of 19 digits DuckDB computes in 128 bits, where 18 digits times 18 fit.
    wide = decimal(19, one.scale)
    room = decimal(min(MAX_WIDTH, wide.width + two.width), wide.scale + two.scale)
    result = build.call("*", room, in_type(left, wide, node), in_type(right, two, node))
    return Typed.of(build.converted(result, target, safe=True))


# --- floating point ------------------------------------------------------------------------------


def _float_operator(symbol: str, left: Operand, right: Operand, sql_type: SqlType, node: exp.Expr) -> Typed:
    """Infinity and NaN are results like others; only // has none for 0, and % of DECIMALs without a type."""
    first, second = in_type(left, sql_type, node), in_type(right, sql_type, node)
    exact = "float" not in (left.type.kind, right.type.kind)
    if symbol == "//" or (symbol == "%" and exact):
        second = _unless_zero(right, sql_type, node)
    domain = number_domains.of_float_operator(symbol, left, right) if sql_type == DOUBLE else None
    return Typed.of(build.call(symbol, sql_type, first, second), domain)


def negative(node: exp.Expr, reader: ExpressionReader) -> Operand:
    """-x."""
    operand = reader.operand(node.this)
    if isinstance(operand, Constant) and operand.type.kind == "integer":
        return compute("-", Constant(0, INTEGER), operand, node)
    value = number(reader, node)
    if value.type.kind != "integer":
        return Typed.of(build.call("-", value.type, value.node))
    if value.type == HUGEINT:
        return Typed.of(build.call("-", HUGEINT, above_least(value, node)))
    return compute("-", Constant(0, INTEGER), value, node)
