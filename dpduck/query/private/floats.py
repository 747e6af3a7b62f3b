"""sqrt, ln, pow and other functions of doubles.

Where the versions of DuckDB differ, the meaning is that of 2.0: sqrt(-1) is NaN, ln(0) is -infinity.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from dpduck.query.parse.nodes import refusal
from dpduck.query.private import domains
from dpduck.query.private.casts import cast
from dpduck.query.private.operands import (
    NUMBER_HINT,
    ExpressionReader,
    constant_argument,
    in_type,
    only_argument,
    wrong_type,
)
from dpduck.query.private.type_rules import BOOLEAN, DOUBLE, NUMBERS
from dpduck.query.write import emit
from dpduck.query.write.expression import Typed

_NAN = "CAST('nan' AS DOUBLE)"
_MINUS_INFINITY = "CAST('-inf' AS DOUBLE)"


def _double(reader: ExpressionReader, node: exp.Expr, part: exp.Expr) -> str:
    value = reader.operand(part)
    if value.type.kind not in (*NUMBERS, "null"):
        raise wrong_type(node, value, "a number", NUMBER_HINT)
    return in_type(value, DOUBLE, node)


def of_double(name: str) -> Callable[[exp.Expr, ExpressionReader], Typed]:
    """A function of a DOUBLE that has a result, if NaN, for each."""

    def handler(node: exp.Expr, reader: ExpressionReader) -> Typed:
        return Typed(emit.call(name, _double(reader, node, node.this)), DOUBLE)

    return handler


def square_root(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """sqrt(x): NaN below 0."""
    x = _double(reader, node, node.this)
    return Typed(emit.call("sqrt", f"(CASE WHEN {x} < 0 THEN {_NAN} ELSE {x} END)"), DOUBLE)


def logarithm(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """ln(x), log(x), log2(x), log10(x): -infinity at 0 and NaN below."""
    base, part = node.args.get("this"), node.args.get("expression")
    if isinstance(node, exp.Ln):
        return Typed(_log("ln", _double(reader, node, node.this)), DOUBLE)
    if part is None:
        return Typed(_log("log10", _double(reader, node, node.this)), DOUBLE)
    constant = constant_argument(base, node, "the base of a logarithm", "Write log(2, x), log10(x) or ln(x).")
    name = {2: "log2", 10: "log10"}.get(constant.value) if isinstance(constant.value, int) else None
    if name is None:
        raise refusal(
            "the base of a logarithm is 2 or 10",
            "DuckDB divides two logarithms.",
            "Write ln(x) / ln(3).",
            node,
        )
    return Typed(_log(name, _double(reader, node, part)), DOUBLE)


def _log(name: str, x: str) -> str:
    inside = f"(CASE WHEN {x} > 0 THEN {x} WHEN {x} < 0 THEN {_NAN} END)"
    return f"(CASE WHEN {x} = 0 THEN {_MINUS_INFINITY} ELSE {emit.call(name, inside)} END)"


def power(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """x ** y, pow(x, y), in doubles."""
    base = _double(reader, node, node.this)
    return Typed(emit.call("pow", base, _double(reader, node, node.args["expression"])), DOUBLE)


def float_test(name: str) -> Callable[[exp.Expr, ExpressionReader], Typed]:
    """isnan(x), isinf(x), isfinite(x)."""

    def handler(node: exp.Expr, reader: ExpressionReader) -> Typed:
        value = reader.typed(only_argument(node))
        kinds = NUMBERS if name == "isnan" else (*NUMBERS, "date", "timestamp")
        if value.type.kind not in kinds:
            raise wrong_type(node, value, "a number", NUMBER_HINT)
        sql = value.sql if value.type.kind in ("date", "timestamp") else cast(value.sql, value.type, DOUBLE)
        return Typed(emit.call(name, sql), BOOLEAN, domains.BOOLEANS)

    return handler
