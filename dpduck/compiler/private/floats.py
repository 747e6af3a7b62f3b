"""Functions of doubles, such as sqrt, ln and pow, as total functions.

Where versions of DuckDB differ, the result is that of 2.0: sqrt(-1) is NaN, ln(0) is -infinity.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from dpduck.compiler.parse.nodes import refusal
from dpduck.compiler.private import domains
from dpduck.compiler.private.casts import cast
from dpduck.compiler.private.operands import (
    NUMBER_HINT,
    ExpressionReader,
    constant_argument,
    in_type,
    only_argument,
    wrong_type,
)
from dpduck.compiler.private.type_rules import BOOLEAN, DOUBLE, NUMBERS
from dpduck.kernel.plan.expression import Typed
from dpduck.kernel.tree import build
from dpduck.kernel.tree.nodes import Comparison, Expression, Grouped, Literal

_NAN, _MINUS_INFINITY = Literal("nan", DOUBLE), Literal("-inf", DOUBLE)
_ZERO = build.digits(0)


def _double(reader: ExpressionReader, node: exp.Expr, part: exp.Expr) -> Expression:
    value = reader.operand(part)
    if value.type.kind not in (*NUMBERS, "null"):
        raise wrong_type(node, value, "a number", NUMBER_HINT)
    return in_type(value, DOUBLE, node)


def of_double(name: str) -> Callable[[exp.Expr, ExpressionReader], Typed]:
    """Return the writer of a function that is total on doubles, where its result may be NaN."""

    def handler(node: exp.Expr, reader: ExpressionReader) -> Typed:
        return Typed.of(build.call(name, DOUBLE, _double(reader, node, node.this)))

    return handler


def square_root(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """Translate sqrt(x): NaN below 0."""
    x = _double(reader, node, node.this)
    inside = Grouped(build.choice((Comparison("<", x, _ZERO), _NAN), otherwise=x))
    return Typed.of(build.call("sqrt", DOUBLE, inside))


def logarithm(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """Translate ln(x), log(x), log2(x) and log10(x): -infinity at 0 and NaN below."""
    base, part = node.args.get("this"), node.args.get("expression")
    if isinstance(node, exp.Ln):
        return Typed.of(_log("ln", _double(reader, node, node.this)))
    if part is None:
        return Typed.of(_log("log10", _double(reader, node, node.this)))
    constant = constant_argument(base, node, "the base of a logarithm", "Write log(2, x), log10(x) or ln(x).")
    name = {2: "log2", 10: "log10"}.get(constant.value) if isinstance(constant.value, int) else None
    if name is None:
        raise refusal(
            "the base of a logarithm is 2 or 10",
            "DuckDB divides two logarithms.",
            "Write ln(x) / ln(3).",
            node,
        )
    return Typed.of(_log(name, _double(reader, node, part)))


def _log(name: str, x: Expression) -> Grouped:
    inside = Grouped(build.choice((Comparison(">", x, _ZERO), x), (Comparison("<", x, _ZERO), _NAN)))
    logarithm = build.call(name, DOUBLE, inside)
    return Grouped(build.choice((Comparison("=", x, _ZERO), _MINUS_INFINITY), otherwise=logarithm))


def power(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """Translate x ** y and pow(x, y), computed in doubles."""
    base = _double(reader, node, node.this)
    return Typed.of(build.call("pow", DOUBLE, base, _double(reader, node, node.args["expression"])))


def float_test(name: str) -> Callable[[exp.Expr, ExpressionReader], Typed]:
    """Return the writer of isnan(x), isinf(x) or isfinite(x)."""

    def handler(node: exp.Expr, reader: ExpressionReader) -> Typed:
        value = reader.typed(only_argument(node))
        kinds = NUMBERS if name == "isnan" else (*NUMBERS, "date", "timestamp")
        if value.type.kind not in kinds:
            raise wrong_type(node, value, "a number", NUMBER_HINT)
        is_datetime = value.type.kind in ("date", "timestamp")
        x = value.node if is_datetime else cast(value.node, value.type, DOUBLE)
        return Typed.of(build.call(name, BOOLEAN, x), domains.BOOLEANS)

    return handler
