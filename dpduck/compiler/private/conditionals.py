"""Expressions that return one of their operands (CASE, IF, coalesce, nullif, greatest, least), and CAST."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from dpduck.compiler.parse.nodes import refusal
from dpduck.compiler.private import cast_domains, casts, comparisons, domains, number_domains
from dpduck.compiler.private.operands import (
    Constant,
    ExpressionReader,
    Operand,
    as_typed,
    common_type_of,
    in_type,
    typed_constant,
)
from dpduck.compiler.private.type_rules import INTEGER, MAX_WIDTH, NULL
from dpduck.kernel.catalog.types import SqlType, parse_type
from dpduck.kernel.plan.expression import Typed
from dpduck.kernel.tree import build
from dpduck.kernel.tree.nodes import Expression, FirstPresent, Grouped, Literal

_NULL = Constant(None, NULL)

_TYPES: dict[exp.DType, str] = {
    exp.DType.TINYINT: "TINYINT",
    exp.DType.SMALLINT: "SMALLINT",
    exp.DType.INT: "INTEGER",
    exp.DType.BIGINT: "BIGINT",
    exp.DType.INT128: "HUGEINT",
    exp.DType.UTINYINT: "UTINYINT",
    exp.DType.USMALLINT: "USMALLINT",
    exp.DType.UINT: "UINTEGER",
    exp.DType.UBIGINT: "UBIGINT",
    exp.DType.UINT128: "UHUGEINT",
    exp.DType.FLOAT: "FLOAT",
    exp.DType.DOUBLE: "DOUBLE",
    exp.DType.TEXT: "VARCHAR",
    exp.DType.VARCHAR: "VARCHAR",
    exp.DType.CHAR: "VARCHAR",
    exp.DType.BOOLEAN: "BOOLEAN",
    exp.DType.DATE: "DATE",
    exp.DType.TIMESTAMP: "TIMESTAMP",
    exp.DType.TIMESTAMPNTZ: "TIMESTAMP",
    exp.DType.DATETIME: "TIMESTAMP",
    exp.DType.TIMESTAMPTZ: "TIMESTAMP WITH TIME ZONE",
}


def _case_of(conditions: list[Expression], values: list[Operand], node: exp.Expr) -> Typed:
    """Return a CASE expression. Input: one value more than conditions; the last is that of ELSE."""
    target = common_type_of(values, node)
    if target == NULL:
        target = INTEGER
    *chosen, otherwise = (in_type(value, target, node) for value in values)
    branches = zip(conditions, chosen, strict=True)
    found = Grouped(build.choice(*branches, otherwise=otherwise, of=target))
    return Typed(found, target, domains.of_branches(values, target))


def case(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """Translate CASE WHEN ... END, and CASE x WHEN y ..., which compares x with each y."""
    tests, values = [], []
    subject = None if node.this is None else reader.operand(node.this)
    for branch in node.args["ifs"]:
        if subject is None:
            tests.append(reader.condition(branch.this))
        else:
            tests.append(comparisons.compare(subject, "=", reader.operand(branch.this), branch))
        values.append(reader.operand(branch.args["true"]))
    default = node.args.get("default")
    values.append(_NULL if default is None else reader.operand(default))
    return _case_of(tests, values, node)


def if_(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """Translate if(condition, x, y)."""
    otherwise = node.args.get("false")
    if otherwise is None:
        raise refusal(
            "if takes a condition and two values",
            "DuckDB has no other form.",
            "Write if(x > 1, 'a', 'b').",
            node,
        )
    values = [reader.operand(node.args["true"]), reader.operand(otherwise)]
    return _case_of([reader.condition(node.this)], values, node)


def coalesce(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """Translate coalesce(...) and ifnull(x, y)."""
    values = [reader.operand(part) for part in (node.this, *node.expressions)]
    target = common_type_of(values, node)
    if target == NULL:
        return typed_constant(_NULL)
    found = FirstPresent(tuple(in_type(value, target, node) for value in values), target)
    return Typed(found, target, domains.of_branches(values, target))


def nullif(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """Translate nullif(x, y)."""
    value, other = reader.typed(node.this), reader.operand(node.args["expression"])
    test = comparisons.compare(value, "=", other, node)
    found = build.choice((test, Literal(None, NULL)), otherwise=value.node, of=value.node.type)
    return Typed(Grouped(found), value.type, value.domain)


def extreme(name: str) -> Callable[[exp.Expr, ExpressionReader], Typed]:
    """Return the writer of greatest(...) or least(...), which ignore NULL."""

    def handler(node: exp.Expr, reader: ExpressionReader) -> Typed:
        parts = [reader.operand(part) for part in (node.this, *node.expressions)]
        target = common_type_of(parts, node)
        if target == NULL:
            return typed_constant(_NULL)
        found = build.call(name, target, *(in_type(part, target, node) for part in parts))
        return Typed(found, target, number_domains.of_extreme(name, parts, target))

    return handler


# --- CAST ----------------------------------------------------------------------------------------


def cast(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """Translate CAST(x AS type), x::type and TRY_CAST(x AS type): each gives NULL where the cast fails."""
    operand = reader.raw(node.this)
    if operand.type.kind == "decimal":
        operand = reader.operand(node.this)
    value = as_typed(operand)
    target = type_of(node.args["to"], node)
    if not casts.allowed(value.type, target):
        raise refusal(
            f"{value.name or 'this value'} cannot be converted to {target.name}",
            f"It is of type {value.type.name}.",
            "Write CAST(x AS TIMESTAMP) AT TIME ZONE 'UTC'."
            if target.is_zoned
            else "Convert numbers, text and BOOLEAN among each other, and dates, timestamps and text.",
            node,
        )
    if value.type == NULL:
        return Typed(in_type(value, target), target)
    domain = cast_domains.of_cast(value.domain, value.type, target)
    return Typed(casts.cast(value.node, value.type, target), target, domain)


def date(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """Translate date(x), which is CAST(x AS DATE)."""
    return cast(exp.Cast(this=node.this, to=exp.DataType(this=exp.DType.DATE)), reader)


def type_of(node: exp.Expr, call: exp.Expr) -> SqlType:
    """Return the target type of a CAST. Errors: UnsupportedSqlError for a type that is not supported."""
    if node.this == exp.DType.DECIMAL:
        return _decimal(node, call)
    name = _TYPES.get(node.this) if isinstance(node.this, exp.DType) else None
    if name is None or node.expressions:
        raise refusal(
            "this type is not supported",
            "Values are read as whole numbers, DECIMAL, DOUBLE, VARCHAR, BOOLEAN, DATE or TIMESTAMP, also "
            "WITH TIME ZONE.",
            "Write CAST(x AS INTEGER), for example.",
            call,
        )
    return parse_type(name)


def _decimal(node: exp.Expr, call: exp.Expr) -> SqlType:
    numbers = [str(parameter.this) for parameter in node.expressions]
    width, scale = (*map(int, numbers), 0)[:2] if numbers and all(n.isdigit() for n in numbers) else (0, 0)
    if len(numbers) > 2 or not 1 <= width <= MAX_WIDTH or scale > width:
        raise refusal(
            "this DECIMAL is not supported",
            f"It has 1 to {MAX_WIDTH} digits, and no more of them after the point.",
            "Write DECIMAL(18, 2).",
            call,
        )
    return parse_type(f"DECIMAL({width},{scale})")
