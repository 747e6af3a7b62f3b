"""Arithmetic as total functions: +, -, *, /, // and % give NULL on overflow and on division by zero.

DuckDB raises an error on overflow, and since 2.0 on division by 0. So integers and decimals are computed in a
wider type, which cannot overflow, and converted back by TRY_CAST. TRY(...) would not be safe: DuckDB's
optimizer may move an expression out of it.

For 128 bits there is no wider type. There a result is first estimated in doubles, and is NULL from one part
in 10^11 below the limit: 2^127 for HUGEINT, 38 digits for DECIMAL. One operation that fails in DuckDB 1.5 has
a result here, as in 2.0: the minimum of a type % -1 is 0.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from dpduck.compiler.parse.nodes import refusal
from dpduck.compiler.private import number_domains
from dpduck.compiler.private.casts import cast
from dpduck.compiler.private.constants import fold_operator
from dpduck.compiler.private.operands import (
    NUMBER_HINT,
    Constant,
    ExpressionReader,
    Operand,
    in_type,
    number_argument,
    pair_types,
    value_in,
    wrong_type,
)
from dpduck.compiler.private.type_rules import (
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
    wider,
)
from dpduck.kernel.catalog.types import SqlType, parse_number
from dpduck.kernel.empty_database import cursor_of_nothing
from dpduck.kernel.plan.expression import Typed
from dpduck.kernel.tree import build
from dpduck.kernel.tree.duckdb import sql
from dpduck.kernel.tree.nodes import Call, Comparison, Expression, Grouped
from dpduck.kernel.tree.walk import columns_in, has_subquery

# Doubles slightly below the maximum of HUGEINT, and below 1: estimates beyond a limit give NULL.
_LARGEST_HUGEINT = 1.7014118346e38
_JUST_BELOW_ONE = 1 - 1e-12


def operator(symbol: str) -> Callable[[exp.Expr, ExpressionReader], Operand]:
    """Return the writer of an arithmetic operator."""

    def handler(node: exp.Expr, reader: ExpressionReader) -> Operand:
        left, right = reader.operand(node.this), reader.operand(node.args["expression"])
        return compute(symbol, left, right, node)

    return handler


def compute(symbol: str, left: Operand, right: Operand, node: exp.Expr) -> Operand:
    """Apply the operator to two numbers, or fold constants. Errors: UnsupportedSqlError for other types."""
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
        return fold_operator(symbol, left, right, result, node)
    if result.kind == "integer":
        return _integer_operator(symbol, left, right, both, node)
    return _decimal_operator(symbol, left, right, (first, second), result, node)


def _result_type(symbol: str, first: SqlType, second: SqlType, both: SqlType, node: exp.Expr) -> SqlType:
    """Return DuckDB's result type for operands that it converts to the type `both`."""
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
    """Return the refusal of arithmetic for which no type is wide enough."""
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
    """Return a type in which the operator cannot overflow for any operands of type `both`."""
    if symbol == "*" and both.name == "UBIGINT":
        return UHUGEINT
    if bits(both) < 32 or both == INTEGER or (both.name == "UINTEGER" and symbol != "*"):
        return BIGINT
    return HUGEINT


def _divided(symbol: str, left: Operand, right: Operand, both: SqlType, node: exp.Expr) -> Expression:
    """Return // or %, NULL for division by 0 and for the one overflow, the minimum divided by -1."""
    if isinstance(right, Constant) and right.value is not None:
        divisor = value_in(right, both, node)
        if divisor == 0:
            return build.null(both)
        if divisor != -1:
            return build.call(symbol, both, in_type(left, both, node), in_type(right, both, node))
    if not is_signed(both):
        return build.call(symbol, both, in_type(left, both, node), _unless_zero(right, both, node))
    if both == HUGEINT and symbol == "%":
        return build.call(symbol, both, in_type(left, both, node), _divisor_of_rest(right, node))
    if both != HUGEINT:
        wide = BIGINT if bits(both) <= 32 else HUGEINT
        result = build.call(symbol, wide, in_type(left, wide, node), _unless_zero(right, wide, node))
        return cast(result, wide, both)
    return build.call(symbol, both, above_least(left, node), _unless_zero(right, both, node))


def _divisor_of_rest(operand: Operand, node: exp.Expr) -> Expression:
    """Return a HUGEINT by which the rest is the same and does not overflow: 1 for -1, and NULL for 0."""
    x, one = in_type(operand, HUGEINT, node), build.literal(1, HUGEINT)
    if isinstance(operand, Constant):  # other constants overflow for no row
        return build.null(HUGEINT) if operand.value is None else one
    minus_one = build.literal(-1, HUGEINT)
    tests = ((Comparison("=", x, minus_one), one), (Comparison("<>", x, build.digits(0)), x))
    return Grouped(build.choice(*tests))


def _unless_zero(operand: Operand, sql_type: SqlType, node: exp.Expr) -> Expression:
    x = in_type(operand, sql_type, node)
    if isinstance(operand, Constant):
        return build.null(sql_type) if parse_number(operand.value) == 0 else x
    return build.only_where(Comparison("<>", x, build.digits(0)), x)


def above_least(operand: Operand, node: exp.Expr) -> Expression:
    """Return a HUGEINT with NULL for the minimum, whose negative overflows."""
    x, (least, _) = in_type(operand, HUGEINT, node), HUGEINT.ticks
    if isinstance(operand, Constant):
        return build.null(HUGEINT) if parse_number(operand.value) == least else x
    return build.only_where(Comparison(">", x, build.literal(least, HUGEINT)), x)


def _guarded(
    symbol: str, left: Operand, right: Operand, sql_type: SqlType, limit: float, node: exp.Expr
) -> Call:
    """Apply the operator in a 128-bit type: NULL where the result in doubles is near the limit or beyond."""
    first, second = in_type(left, sql_type, node), in_type(right, sql_type, node)
    return _within(symbol, first, second, sql_type, limit)


def _within(symbol: str, first: Expression, second: Expression, result: SqlType, limit: float) -> Call:
    rough = build.call(symbol, DOUBLE, build.converted(first, DOUBLE), build.converted(second, DOUBLE))
    low, high = build.literal(-limit, DOUBLE), build.literal(limit, DOUBLE)
    return build.call(symbol, result, build.only_where(build.between(rough, low, high), first), second)


# --- decimals ------------------------------------------------------------------------------------
#
# Each result is cast to its own type, since DuckDB infers no DECIMAL beside a constant NULL.


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
        first, second = _factor(left, one, node), _factor(right, two, node)
        return Typed.of(build.converted(_within("*", first, second, target, _largest(target)), target))
    if target.width == one.width + two.width:
        result = build.call("*", target, in_type(left, one, node), in_type(right, two, node))
        return Typed.of(build.converted(result, target))
    # With an operand of 19 digits DuckDB computes in 128 bits, which hold the product of 18 digits and 18.
    wide = decimal(19, one.scale)
    room = decimal(min(MAX_WIDTH, wide.width + two.width), wide.scale + two.scale)
    result = build.call("*", room, in_type(left, wide, node), in_type(right, two, node))
    return Typed.of(build.converted(result, target, safe=True))


def _factor(operand: Operand, sql_type: SqlType, node: exp.Expr) -> Expression:
    """Return a factor as a DECIMAL. A HUGEINT of 39 digits is cut to 38: by 0 it is 0, else too large."""
    if operand.type != HUGEINT:
        return in_type(operand, sql_type, node)
    x, most = in_type(operand, HUGEINT, node), 10**MAX_WIDTH - 1
    low, high = build.literal(-most, HUGEINT), build.literal(most, HUGEINT)
    cut = build.choice((Comparison("<", x, low), low), (Comparison(">", x, high), high), otherwise=x)
    return build.converted(Grouped(cut), sql_type)


# --- floating point ------------------------------------------------------------------------------


def _float_operator(symbol: str, left: Operand, right: Operand, sql_type: SqlType, node: exp.Expr) -> Typed:
    """Apply the operator to floats: infinity and NaN are results, but // by 0 gives NULL.

    So does % by 0 of two DECIMALs that are too wide for a DECIMAL and become DOUBLEs.
    """
    first, second = in_type(left, sql_type, node), in_type(right, sql_type, node)
    exact = "float" not in (left.type.kind, right.type.kind)
    if symbol == "//" or (symbol == "%" and exact):
        second = _unless_zero(right, sql_type, node)
    domain = number_domains.of_float_operator(symbol, left, right) if sql_type == DOUBLE else None
    return Typed.of(build.call(symbol, sql_type, first, second), domain)


def negative(node: exp.Expr, reader: ExpressionReader) -> Operand:
    """Translate -x."""
    operand = reader.operand(node.this)
    if isinstance(operand, Constant) and operand.type.kind == "integer":
        return compute("-", Constant(0, INTEGER), operand, node)
    value = number_argument(reader, node)
    if value.type.kind != "integer":
        return Typed.of(build.call("-", value.type, value.node))
    if value.type == HUGEINT:
        return Typed.of(build.call("-", HUGEINT, above_least(value, node)))
    if _is_least(value):
        wide = wider(value.type)
        return Typed.of(build.call("-", wide, cast(value.node, value.type, wide)))
    return compute("-", Constant(0, INTEGER), value, node)


def _is_least(value: Typed) -> bool:
    """Whether an integer is the least of its type whatever the row, of which DuckDB makes a wider type."""
    if not is_signed(value.type) or any(columns_in(value.node)) or has_subquery(value.node):
        return False
    with cursor_of_nothing() as cursor:
        found = cursor.execute(f"SELECT {sql(value.node)}").fetchone()
    return found == (value.type.ticks[0],)
