"""WHERE as freshly written SQL that no row can make fail.

Every predicate is total (literals are converted to the column's type while planning, so nothing is
cast per row), deterministic, and of bounded cost. SQL's third truth value is kept: where plain DuckDB
says NULL, so does the translation, which matters under NOT.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from fractions import Fraction

from sqlglot import exp

from dpduck.catalog import Column
from dpduck.query import emit
from dpduck.query.nodes import is_literal, refusal, scalar, unwrap
from dpduck.query.scope import Scope, type_of
from dpduck.sqltypes import ConversionError, Scalar, SqlType, Value, convert, decimal_from_ticks, parse_number

MAX_IN_VALUES = 1_000
MAX_PATTERN = 1_000
MAX_PATTERN_WILDCARDS = 20

# DuckDB 1.5 matches a pattern that has '_' by backtracking, with cost length ** (number of '%').
MAX_PATTERN_WILDCARDS_WITH_BLANKS = 2

_SYMBOLS: dict[type[exp.Expr], str] = {
    exp.EQ: "=",
    exp.NEQ: "<>",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.GT: ">",
    exp.GTE: ">=",
}
_MIRRORED = {"=": "=", "<>": "<>", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_ORDERED_KINDS = ("integer", "decimal", "float", "text", "enum", "boolean", "date", "timestamp")


def predicate(node: exp.Expr, scope: Scope) -> str:
    """A condition on one row, as SQL.

    Errors: UnsupportedSqlError, before any row is read.
    """
    node = unwrap(node)
    if isinstance(node, exp.Column):
        return _boolean_column(node, scope)
    translate = _TRANSLATIONS.get(type(node))
    if translate is None:
        raise refusal(
            "a condition is expected in WHERE",
            "Conditions are comparisons with a constant, IN, LIKE, IS NULL, and AND, OR and NOT of them.",
            "Write, for example, WHERE amount > 10 AND region = 'north'.",
            node,
        )
    return translate(node, scope)


def compare(column: Column, symbol: str, value: Scalar, scope: Scope, node: exp.Expr | None = None) -> str:
    """The comparison of a column with a constant, which is first converted to the column's type."""
    if value is None:
        return emit.UNKNOWN
    sql_type = type_of(column)
    if sql_type.kind in ("integer", "decimal"):
        number = parse_number(value)
        if number is not None:
            return _compare_number(column, sql_type, symbol, number, scope)
    if sql_type.kind == "enum":
        sql_type = SqlType("VARCHAR", "text")
    literal = emit.literal(_converted(value, sql_type, column, node), sql_type)
    return f"{_text_of(column, scope)} {symbol} {literal}"


def one_of(column: Column, values: list[Scalar], scope: Scope, node: exp.Expr | None = None) -> str:
    """Whether the column is one of the constants; NULL in the list makes the rest unknown, as in SQL."""
    sql_type = type_of(column)
    known = [value for value in values if value is not None and _may_equal(value, sql_type)]
    target = SqlType("VARCHAR", "text") if sql_type.kind == "enum" else sql_type
    literals = [emit.literal(_converted(value, target, column, node), target) for value in known]
    test = (
        f"{_text_of(column, scope)} IN ({', '.join(literals)})"
        if literals
        else _constant(column, scope, truth=False)
    )
    return test if None not in values else f"({test} OR {emit.UNKNOWN})"


def _text_of(column: Column, scope: Scope) -> str:
    """The column, an ENUM as its text: plain DuckDB compares it with a string in this way."""
    sql = scope.sql(column)
    return f"CAST({sql} AS VARCHAR)" if type_of(column).kind == "enum" else sql


def _converted(value: Scalar, sql_type: SqlType, column: Column, node: exp.Expr | None) -> Value:
    try:
        return convert(value, sql_type)
    except ConversionError as error:
        reason = str(error)
    raise refusal(
        f"column {column.name} cannot be compared with this constant",
        f"The column is of type {column.type}: {reason}.",
        "Write a constant of that type.",
        node,
    )


def _may_equal(value: Scalar, sql_type: SqlType) -> bool:
    """False for a number that the type cannot hold, which no row equals."""
    number = parse_number(value)
    if sql_type.kind not in ("integer", "decimal") or number is None:
        return True
    low, high = sql_type.ticks
    count = number * 10**sql_type.scale
    return bool(count.denominator == 1 and low <= count <= high)


def _compare_number(column: Column, sql_type: SqlType, symbol: str, number: Fraction, scope: Scope) -> str:
    """Round the constant to the type's grid in the direction that keeps the meaning.

    For integers, x < 2.5 is x < 3 and x = 2.5 is never true: no row is converted to a wider type.
    """
    count = number * 10**sql_type.scale
    if symbol in ("=", "<>") and count.denominator != 1:
        return _constant(column, scope, truth=symbol == "<>")
    bound = math.ceil(count) if symbol in ("<", ">=") else math.floor(count)
    low, high = sql_type.ticks
    if not low <= bound <= high:
        return _constant(column, scope, truth=_holds_outside(symbol, above=bound > high))
    value: Value = bound if sql_type.kind == "integer" else decimal_from_ticks(bound, sql_type)
    return f"{scope.sql(column)} {symbol} {emit.literal(value, sql_type)}"


def _holds_outside(symbol: str, *, above: bool) -> bool:
    """Whether all values of a type compare so with a constant above (or below) all of them."""
    return symbol == "<>" or symbol in (("<", "<=") if above else (">", ">="))


def _constant(column: Column, scope: Scope, *, truth: bool) -> str:
    """The same truth for every row that has a value, and NULL for NULL."""
    word = "TRUE" if truth else "FALSE"
    return f"(CASE WHEN {scope.sql(column)} IS NOT NULL THEN {word} END)"


def _boolean_column(node: exp.Column, scope: Scope) -> str:
    column = scope.resolve(node)
    if type_of(column).kind == "boolean":
        return scope.sql(column)
    raise refusal(
        f"column {column.name} is not a condition",
        f"It is of type {column.type}; only a BOOLEAN column stands alone.",
        "Compare it with a constant.",
        node,
    )


def _chain(node: exp.Expr, scope: Scope) -> str:
    """All links of a chain of ANDs (or ORs), in order and without recursion along it."""
    kind, word = (exp.And, " AND ") if isinstance(node, exp.And) else (exp.Or, " OR ")
    links: list[str] = []
    stack = [node]
    while stack:
        link = stack.pop()
        if type(link) is kind:
            stack += [link.args["expression"], link.this]
        else:
            links.append(predicate(link, scope))
    return f"({word.join(links)})"


def _not(node: exp.Expr, scope: Scope) -> str:
    return f"(NOT {predicate(node.this, scope)})"


def _comparison(node: exp.Expr, scope: Scope) -> str:
    return _compare_operands(node.this, _SYMBOLS[type(node)], node.args["expression"], scope, node)


def _compare_operands(left: exp.Expr, symbol: str, right: exp.Expr, scope: Scope, node: exp.Expr) -> str:
    left, right = unwrap(left), unwrap(right)
    if isinstance(left, exp.Column) and isinstance(right, exp.Column):
        return _compare_columns(left, symbol, right, scope)
    if isinstance(left, exp.Column) and is_literal(right):
        return compare(scope.resolve(left), symbol, scalar(right), scope, left)
    if is_literal(left) and isinstance(right, exp.Column):
        return compare(scope.resolve(right), _MIRRORED[symbol], scalar(left), scope, right)
    if is_literal(left) and is_literal(right):
        return _compare_constants(scalar(left), symbol, scalar(right), node)
    raise refusal(
        "a comparison takes a column and a constant",
        "An expression over a private row may fail, or take long, on that row alone, and so reveal it.",
        "Move the arithmetic to the constant: x > 5 instead of x - 5 > 0.",
        node,
    )


def _compare_columns(left: exp.Column, symbol: str, right: exp.Column, scope: Scope) -> str:
    first, second = scope.resolve(left), scope.resolve(right)
    if first.type == second.type and type_of(first).kind in _ORDERED_KINDS:
        return f"{scope.sql(first)} {symbol} {scope.sql(second)}"
    raise refusal(
        f"columns {first.name} and {second.name} cannot be compared",
        f"Their types are {first.type} and {second.type}; a conversion may fail on a private row.",
        "Compare columns of the same simple type.",
        left,
    )


_CONSTANT_TESTS: dict[str, Callable[[Fraction, Fraction], bool]] = {
    "=": lambda left, right: left == right,
    "<>": lambda left, right: left != right,
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
}


def _compare_constants(left: Scalar, symbol: str, right: Scalar, node: exp.Expr) -> str:
    """1 = 1 and 1 = 0, which tools write for true and false."""
    if not isinstance(left, str) and not isinstance(right, str):
        numbers = parse_number(left), parse_number(right)
        if numbers[0] is not None and numbers[1] is not None:
            return "TRUE" if _CONSTANT_TESTS[symbol](numbers[0], numbers[1]) else "FALSE"
    raise refusal(
        "constants other than numbers cannot be compared with each other",
        "The result is the same for every row.",
        "Write TRUE or FALSE, or compare a column.",
        node,
    )


def _between(node: exp.Expr, scope: Scope) -> str:
    low = _compare_operands(node.this, ">=", node.args["low"], scope, node)
    high = _compare_operands(node.this, "<=", node.args["high"], scope, node)
    return f"({low} AND {high})"


def _in(node: exp.Expr, scope: Scope) -> str:
    operand, items = unwrap(node.this), node.expressions
    if not isinstance(operand, exp.Column) or not all(is_literal(item) for item in items):
        raise refusal(
            "IN takes a column and a list of constants",
            "A list that depends on private rows would reveal them.",
            "Write WHERE region IN ('north', 'south').",
            node,
        )
    if not 0 < len(items) <= MAX_IN_VALUES:
        raise refusal(
            f"IN takes at most {MAX_IN_VALUES} constants",
            f"The list has {len(items)}.",
            "Use BETWEEN or several queries.",
            node,
        )
    return one_of(scope.resolve(operand), [scalar(item) for item in items], scope, node)


def _like(node: exp.Expr, scope: Scope) -> str:
    operand, pattern_node = unwrap(node.this), unwrap(node.args["expression"])
    column = scope.resolve(operand) if isinstance(operand, exp.Column) else None
    pattern = scalar(pattern_node) if is_literal(pattern_node) else None
    if column is None or not isinstance(pattern, str) or type_of(column).kind not in ("text", "enum"):
        raise refusal(
            "LIKE takes a text column and a constant pattern",
            "A pattern made from private rows, or an expression, may fail or take long on a row.",
            "Write WHERE name LIKE 'A%'.",
            node,
        )
    text = _text_of(column, scope)
    quoted = emit.string(_bounded_pattern(pattern, node))
    if isinstance(node, exp.ILike):
        # Lower-casing both sides lets DuckDB use its linear matcher; its own ILIKE always backtracks.
        text, quoted = emit.call("lower", text), emit.call("lower", quoted)
    test = emit.call("~~", text, quoted)
    return f"(NOT {test})" if node.args.get("negate") else test


def _bounded_pattern(pattern: str, node: exp.Expr) -> str:
    """The pattern with runs of % joined, refused when matching it could take long."""
    pattern = re.sub("%+", "%", pattern)
    most = MAX_PATTERN_WILDCARDS_WITH_BLANKS if "_" in pattern else MAX_PATTERN_WILDCARDS
    if len(pattern) <= MAX_PATTERN and pattern.count("%") <= most:
        return pattern
    raise refusal(
        "this LIKE pattern is too costly",
        f"It may have {MAX_PATTERN} characters and {MAX_PATTERN_WILDCARDS} wildcards %, or "
        f"{MAX_PATTERN_WILDCARDS_WITH_BLANKS} beside a wildcard _; more may take long on a private row.",
        "Write a simpler pattern, or join several LIKE with AND.",
        node,
    )


def _is(node: exp.Expr, scope: Scope) -> str:
    operand, wanted = unwrap(node.this), unwrap(node.args["expression"])
    if isinstance(wanted, exp.Null):
        column = scope.resolve(operand) if isinstance(operand, exp.Column) else None
        return f"({predicate(operand, scope) if column is None else scope.sql(column)} IS NULL)"
    if isinstance(wanted, exp.Boolean):
        word = "TRUE" if wanted.this else "FALSE"
        return f"({predicate(operand, scope)} IS NOT DISTINCT FROM {word})"
    raise refusal(
        "IS takes NULL, TRUE or FALSE", "Nothing else is a state of a row.", "Write x IS NULL.", node
    )


def _truth(node: exp.Expr, _: Scope) -> str:
    return "TRUE" if node.this else "FALSE"


def _unknown(_: exp.Expr, __: Scope) -> str:
    return emit.UNKNOWN


_TRANSLATIONS: dict[type[exp.Expr], Callable[[exp.Expr, Scope], str]] = {
    exp.And: _chain,
    exp.Or: _chain,
    exp.Not: _not,
    **dict.fromkeys(_SYMBOLS, _comparison),
    exp.Between: _between,
    exp.In: _in,
    exp.Like: _like,
    exp.ILike: _like,
    exp.Is: _is,
    exp.Boolean: _truth,
    exp.Null: _unknown,
}
