"""+, -, *, /, // and % of numbers, so that none overflows or divides by zero: such a row gives NULL.

DuckDB raises an error where a result does not fit its type, and in 2.0 where a number is divided by 0.
So whole numbers and decimals are computed in a wider type, where nothing overflows, and brought back by
TRY_CAST. TRY(...) would not do: DuckDB's optimizer may move what stands inside it to the outside.

Of 128 bits there is no wider type. There a result is first estimated in doubles, and NULL from one part in
10^11 before the limit: 2^127 of HUGEINT, 38 digits of DECIMAL. One row that DuckDB refuses has a result here:
the least number % -1, which is 0.
"""

from __future__ import annotations

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
from dpduck.query.write import emit
from dpduck.query.write.expression import Typed

OPERATORS: dict[type[exp.Expr], str] = {
    exp.Add: "+",
    exp.Sub: "-",
    exp.Mul: "*",
    exp.Div: "/",
    exp.IntDiv: "//",
    exp.Mod: "%",
}

# Doubles just inside the largest HUGEINT and the largest power of ten: what lies beyond them gives NULL.
_LARGEST_HUGEINT = 1.7014118346e38
_JUST_BELOW_ONE = 1 - 1e-12


def operator(node: exp.Expr, reader: ExpressionReader) -> Operand:
    """left + right and the like, of numbers."""
    left, right = reader.operand(node.this), reader.operand(node.args["expression"])
    return compute(OPERATORS[type(node)], left, right, node)


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
    return Typed("CAST(NULL AS INTEGER)", INTEGER)


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
        return Typed(_divided(symbol, left, right, both, node), both, domain)
    if both == HUGEINT and HUGEINT in (left.type, right.type):
        return Typed(_guarded(symbol, left, right, HUGEINT, _LARGEST_HUGEINT, node), HUGEINT, domain)
    wide = _wide_type(symbol, both)
    sql = emit.call(symbol, in_type(left, wide, node), in_type(right, wide, node))
    return Typed(cast(sql, wide, both), both, domain)


def _wide_type(symbol: str, both: SqlType) -> SqlType:
    """A type that holds the result for all values of the operands."""
    if symbol == "*" and both.name == "UBIGINT":
        return UHUGEINT
    if bits(both) < 32 or both == INTEGER or (both.name == "UINTEGER" and symbol != "*"):
        return BIGINT
    return HUGEINT


def _divided(symbol: str, left: Operand, right: Operand, both: SqlType, node: exp.Expr) -> str:
    """Division by 0 gives NULL; the least number divided by -1 is the only other one without a result."""
    if isinstance(right, Constant) and right.value is not None:
        divisor = value_in(right, both, node)
        if divisor == 0:
            return f"CAST(NULL AS {both.name})"
        if divisor != -1:
            return emit.call(symbol, in_type(left, both, node), in_type(right, both, node))
    if not is_signed(both):
        return emit.call(symbol, in_type(left, both, node), _unless_zero(right, both, node))
    if both != HUGEINT:
        wide = BIGINT if bits(both) <= 32 else HUGEINT
        sql = emit.call(symbol, in_type(left, wide, node), _unless_zero(right, wide, node))
        return cast(sql, wide, both)
    return emit.call(symbol, above_least(left, node), _unless_zero(right, both, node))


def _unless_zero(operand: Operand, sql_type: SqlType, node: exp.Expr) -> str:
    sql = in_type(operand, sql_type, node)
    if isinstance(operand, Constant):
        return f"CAST(NULL AS {sql_type.name})" if parse_number(operand.value) == 0 else sql
    return f"(CASE WHEN {sql} <> 0 THEN {sql} END)"


def above_least(operand: Operand, node: exp.Expr) -> str:
    """A HUGEINT that has a negative; NULL for the one that has none."""
    sql, (least, _) = in_type(operand, HUGEINT, node), HUGEINT.ticks
    if isinstance(operand, Constant):
        return f"CAST(NULL AS {HUGEINT.name})" if parse_number(operand.value) == least else sql
    return f"(CASE WHEN {sql} > {emit.literal(least, HUGEINT)} THEN {sql} END)"


def _guarded(
    symbol: str, left: Operand, right: Operand, sql_type: SqlType, limit: float, node: exp.Expr
) -> str:
    """The operator in a type as wide as any: NULL where the result in doubles is near the limit or beyond."""
    first, second = in_type(left, sql_type, node), in_type(right, sql_type, node)
    return _within(symbol, first, second, limit)


def _within(symbol: str, first: str, second: str, limit: float) -> str:
    rough = emit.call(symbol, f"CAST({first} AS DOUBLE)", f"CAST({second} AS DOUBLE)")
    low, high = emit.literal(-limit, DOUBLE), emit.literal(limit, DOUBLE)
    return emit.call(symbol, f"(CASE WHEN {rough} BETWEEN {low} AND {high} THEN {first} END)", second)


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
        sql = emit.call(symbol, in_type(left, target, node), _unless_zero(right, target, node))
        return Typed(f"CAST({sql} AS {target.name})", target)
    both = operand_type(first, second)
    if both is not None and both.width < MAX_WIDTH:
        sql = emit.call(symbol, in_type(left, target, node), in_type(right, target, node))
        return Typed(f"CAST({sql} AS {target.name})", target)
    sql = _guarded(symbol, left, right, target, _largest(target), node)
    return Typed(f"CAST({sql} AS {target.name})", target)


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
        return Typed(f"CAST({_within('*', first, second, _largest(target))} AS {target.name})", target)
    if target.width == one.width + two.width:
        sql = emit.call("*", in_type(left, one, node), in_type(right, two, node))
        return Typed(f"CAST({sql} AS {target.name})", target)
    # Beside a DECIMAL of 19 digits DuckDB computes in 128 bits, where 18 digits times 18 fit.
    wide = decimal(19, one.scale)
    sql = emit.call("*", in_type(left, wide, node), in_type(right, two, node))
    return Typed(f"TRY_CAST({sql} AS {target.name})", target)


# --- floating point ------------------------------------------------------------------------------


def _float_operator(symbol: str, left: Operand, right: Operand, sql_type: SqlType, node: exp.Expr) -> Typed:
    """Infinity and NaN are results like others; only // has none for 0, and % of DECIMALs without a type."""
    first, second = in_type(left, sql_type, node), in_type(right, sql_type, node)
    exact = "float" not in (left.type.kind, right.type.kind)
    if symbol == "//" or (symbol == "%" and exact):
        second = _unless_zero(right, sql_type, node)
    domain = number_domains.of_float_operator(symbol, left, right) if sql_type == DOUBLE else None
    return Typed(emit.call(symbol, first, second), sql_type, domain)


def negative(node: exp.Expr, reader: ExpressionReader) -> Operand:
    """-x."""
    operand = reader.operand(node.this)
    if isinstance(operand, Constant) and operand.type.kind == "integer":
        return compute("-", Constant(0, INTEGER), operand, node)
    value = number(reader, node)
    if value.type.kind != "integer":
        return Typed(emit.call("-", value.sql), value.type)
    if value.type == HUGEINT:
        return Typed(emit.call("-", above_least(value, node)), HUGEINT)
    return compute("-", Constant(0, INTEGER), value, node)
