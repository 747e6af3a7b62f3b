"""Functions of numbers in Spark SQL."""

from __future__ import annotations

from sqlglot import exp

from dpduck.engines.spark.sql.casts import cast, converted, type_of
from dpduck.engines.spark.sql.nodes import (
    EngineCall,
    Function,
    Unavailable,
    Value,
    call,
    either,
    infix,
    number,
    present,
    text,
)
from dpduck.kernel.catalog.types import SqlType

_WHOLE_DOUBLE = "4503599627370496"  # 2^52: from here on a DOUBLE has no fraction


def _aligned(called: EngineCall) -> list[exp.Expr]:
    """The arguments in the type of the result, as DuckDB converts them."""
    return [
        argument.sql if argument.type == called.type else cast(argument, called.type, False)
        for argument in called.arguments
    ]


def in_result_type(sql: exp.Expr, sql_type: SqlType) -> exp.Expr:
    return exp.Cast(this=sql, to=type_of(sql_type))


def arithmetic(kind: type[exp.Expr]) -> Function:
    """+, - and * of numbers. Decimals keep their types: the result has room for both."""

    def write(called: EngineCall) -> exp.Expr:
        sqls = called.sqls if called.type.kind == "decimal" else _aligned(called)
        return in_result_type(infix(kind, *sqls), called.type)

    return write


def _divide(called: EngineCall) -> exp.Expr:
    """By a constant: what a division by 0 gives differs."""
    divisor = called.arguments[1]
    if called.type.kind != "float" or divisor.constant is None or float(divisor.constant) == 0:
        raise Unavailable("a division by anything but a constant is not available")
    return in_result_type(infix(exp.Div, *_aligned(called)), called.type)


def _integer_divide(called: EngineCall) -> exp.Expr:
    """Towards zero, of whole numbers. Spark's own gives 64 bits: of more, the multiple below is divided."""
    left, right = _whole(called)
    if called.type.name != "HUGEINT":
        return in_result_type(infix(exp.IntDiv, left, right), called.type)
    multiple = infix(exp.Sub, left, infix(exp.Mod, left, right))
    return in_result_type(infix(exp.Div, converted(multiple, "decimal(38, 0)"), right), called.type)


def _remainder(called: EngineCall) -> exp.Expr:
    if called.type.kind == "float":
        raise Unavailable("the remainder of a DOUBLE is not available")
    sqls = _aligned(called) if called.type.kind == "decimal" else _whole(called)
    return in_result_type(infix(exp.Mod, *sqls), called.type)


def _whole(called: EngineCall) -> list[exp.Expr]:
    if called.type.kind != "integer":
        raise Unavailable(f"{called.name} of {called.type.name} is not available")
    return _aligned(called)


def _sum(called: EngineCall) -> exp.Expr:
    """In 38 digits: Spark's own sum of whole numbers has 64 bits."""
    [value] = called.arguments
    if value.type.kind not in ("integer", "decimal"):
        raise Unavailable(f"a sum of {value.type.name} is not available")
    wide = converted(value.sql, f"decimal(38, {value.type.scale})")
    return in_result_type(exp.Sum(this=wide), called.type)


def _extreme(name: str) -> Function:
    return lambda called: call(name, *_aligned(called)) if len(called.arguments) > 1 else _aligned(called)[0]


def _min_or_max(name: str) -> Function:
    return lambda called: call(name, *called.sqls)


def negated(value: Value) -> exp.Expr:
    """-x. Spark's own keeps 34 digits of a decimal, and raises an error where it had more."""
    if value.type.kind == "decimal" or value.type.name == "HUGEINT":
        return infix(exp.Sub, converted(text("0"), "decimal(1, 0)"), value.sql)
    return exp.Paren(this=exp.Neg(this=exp.Paren(this=value.sql.copy())))


def _absolute(called: EngineCall) -> exp.Expr:
    [value] = called.arguments
    if value.type.kind == "decimal" or value.type.name == "HUGEINT":
        negative = infix(exp.LT, value.sql, number(0))
        return in_result_type(either((negative, negated(value)), otherwise=value.sql), called.type)
    return in_result_type(call("abs", *_aligned(called)), called.type)


def _sign(called: EngineCall) -> exp.Expr:
    """-1, 0 or 1; of NaN 0."""
    [value] = called.arguments
    zero = converted(text("0"), "double") if value.type.kind == "float" else number(0)
    less, more = infix(exp.LT, value.sql, zero), infix(exp.GT, value.sql, zero)
    if value.type.kind == "float":
        more = infix(exp.And, more, exp.Not(this=call("isnan", value.sql.copy())))
    null = exp.Paren(this=exp.Is(this=value.sql.copy(), expression=exp.Null()))
    return in_result_type(
        either((null, exp.Null()), (less, number(-1)), (more, number(1)), otherwise=number(0)), called.type
    )


def _rounded_down(name: str) -> Function:
    """floor and ceil: of a DOUBLE Spark gives a BIGINT, which does not hold all of them."""

    def write(called: EngineCall) -> exp.Expr:
        [value] = called.arguments
        return floor_or_ceil(name, value, called.type)

    return write


def floor_or_ceil(name: str, value: Value, result: SqlType) -> exp.Expr:
    if value.type.kind == "decimal":
        return in_result_type(call(name, value.sql), result)
    if value.type.name != "DOUBLE":
        raise Unavailable(f"{name} of {value.type.name} is not available")
    inside = infix(exp.LT, call("abs", value.sql.copy()), converted(text(_WHOLE_DOUBLE), "double"))
    return either((inside, converted(call(name, value.sql.copy()), "double")), otherwise=value.sql)


def _round(called: EngineCall) -> exp.Expr:
    """Half away from zero: decimals to any places, doubles to none."""
    value, *rest = called.arguments
    places = int(rest[0].constant or "0") if rest else 0
    if value.type.kind == "decimal" and places >= 0:
        return in_result_type(call("round", value.sql, number(places)), called.type)
    if value.type.name == "DOUBLE" and not rest:
        return call("round", value.sql)
    raise Unavailable(f"round of {value.type.name} to these places is not available")


def _truncate(called: EngineCall) -> exp.Expr:
    """Towards zero."""
    value, *rest = called.arguments
    if rest or value.type.kind not in ("decimal", "float"):
        raise Unavailable("trunc to places is not available")
    zero = converted(text("0"), "double") if value.type.kind == "float" else number(0)
    negative = infix(exp.LT, value.sql, zero)
    up, down = (floor_or_ceil(name, value, called.type) for name in ("ceil", "floor"))
    return either((negative, up), otherwise=down)


def _isnan(called: EngineCall) -> exp.Expr:
    """Of NULL Spark says that it is none."""
    [value] = called.arguments
    return either((present(value.sql), call("isnan", value.sql)))


def doubles(called: EngineCall) -> list[exp.Expr]:
    """Arguments of type DOUBLE."""
    if any(argument.type.name != "DOUBLE" for argument in called.arguments):
        raise Unavailable(f"{called.name} of anything but a DOUBLE is not available")
    return called.sqls


FUNCTIONS: dict[str, Function] = {
    "*": arithmetic(exp.Mul),
    "/": _divide,
    "//": _integer_divide,
    "%": _remainder,
    "sum": _sum,
    "min": _min_or_max("min"),
    "max": _min_or_max("max"),
    "least": _extreme("least"),
    "greatest": _extreme("greatest"),
    "abs": _absolute,
    "sign": _sign,
    "floor": _rounded_down("floor"),
    "ceil": _rounded_down("ceil"),
    "round": _round,
    "trunc": _truncate,
    "isnan": _isnan,
}
