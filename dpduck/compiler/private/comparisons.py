"""Predicates: comparisons, IN, BETWEEN and IS, and AND, OR and NOT of them.

The translation keeps three-valued logic: it is NULL wherever DuckDB's result is NULL, which matters under
NOT. A constant is coerced to the type of the other operand while planning, so that rows are not cast.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import datetime
from fractions import Fraction

from sqlglot import exp

from dpduck.compiler.parse.constant_calls import folded
from dpduck.compiler.parse.nodes import if_a_text, refusal, unwrap
from dpduck.compiler.private import datetimes, domains, intervals, lists
from dpduck.compiler.private.casts import cast
from dpduck.compiler.private.operands import (
    Constant,
    ExpressionReader,
    Operand,
    as_typed,
    constant_of,
    in_type,
    literal,
    value_in,
)
from dpduck.compiler.private.type_rules import BIGINT, BOOLEAN, DOUBLE, NULL, NUMBERS, TIMESTAMP, common_type
from dpduck.compiler.write import call_names, column_names
from dpduck.kernel.catalog.types import Value, decimal_from_ticks, parse_number
from dpduck.kernel.errors import UnsupportedSqlError
from dpduck.kernel.plan.expression import Typed
from dpduck.kernel.tree import build
from dpduck.kernel.tree.duckdb import in_order, sql
from dpduck.kernel.tree.nodes import Expression, Grouped, Literal

MAX_IN_VALUES = 10_000
MAX_CONDITION_SQL = 1_000_000  # characters of a chain of AND or OR

SYMBOLS: dict[type[exp.Expr], str] = {
    exp.EQ: "=",
    exp.NEQ: "<>",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.GT: ">",
    exp.GTE: ">=",
    exp.NullSafeEQ: "IS NOT DISTINCT FROM",
    exp.NullSafeNEQ: "IS DISTINCT FROM",
}
_DAY = 86_400_000_000  # microseconds
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_UNEQUAL = ("<>", "IS DISTINCT FROM")
_NULL_SAFE = ("IS NOT DISTINCT FROM", "IS DISTINCT FROM")
_EXACT = ("integer", "decimal")
_COMPARABLE = (*NUMBERS, "text", "boolean", "date", "timestamp")
_IDENTIFIERS = ("UUID",)  # opaque key types: columns may be tested for equality only


def condition_value(node: Expression) -> Typed:
    """Return a predicate as a BOOLEAN value with its domain."""
    return Typed(node, BOOLEAN, domains.BOOLEANS)


def comparison(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """Translate =, <>, <, <=, >, >= and IS [NOT] DISTINCT FROM of two values with a common type."""
    equality = _key_equality(node, reader)
    if equality is not None:
        return condition_value(equality)
    span = _of_span(node, reader)
    if span is not None:
        return condition_value(span)
    left, right = reader.compared(node.this), reader.compared(node.args["expression"])
    return condition_value(compare(left, SYMBOLS[type(node)], right, node))


def _of_span(node: exp.Expr, reader: ExpressionReader) -> Expression | None:
    """Return the comparison of x - y with a constant INTERVAL; None for another one. Both are timestamps.

    It compares microseconds, as DuckDB does: an INTERVAL of 1 day equals one of 24 hours.
    """
    sides = [unwrap(node.this), unwrap(node.args["expression"])]
    symbol = SYMBOLS[type(node)]
    if isinstance(sides[0], exp.Interval):
        sides, symbol = sides[::-1], _MIRRORED.get(symbol, symbol)
    span, interval = sides
    if not isinstance(span, exp.Sub) or not isinstance(interval, exp.Interval) or span.find(exp.Interval):
        return None
    length = intervals.interval_of(interval)
    if length.months:
        return None
    unit = exp.Var(this="microsecond")
    gap = exp.DateDiff(this=span.this.copy(), expression=span.args["expression"].copy(), unit=unit)
    microseconds = length.days * _DAY + length.microseconds
    return compare(datetimes.date_diff(gap, reader), symbol, Constant(microseconds, BIGINT), node)


def _key_equality(node: exp.Expr, reader: ExpressionReader) -> Expression | None:
    """Return the equality of two columns of one opaque key type, or None for another comparison."""
    sides = [unwrap(node.this), unwrap(node.args["expression"])]
    if not isinstance(node, exp.EQ) or not all(isinstance(side, exp.Column) for side in sides):
        return None
    left, right = (reader.raw(side) for side in sides)
    if isinstance(left, Constant) or isinstance(right, Constant):
        return None
    if left.type != right.type or left.type.name not in _IDENTIFIERS:
        return None
    return build.compare(left.node, "=", right.node)


def compare(left: Operand, symbol: str, right: Operand, node: exp.Expr) -> Expression:
    """Return the comparison as a predicate. Errors: UnsupportedSqlError if the types have no common type."""
    if isinstance(left, Constant) and isinstance(right, Constant) and _folds(left, symbol, right):
        return _fold_comparison(left, symbol, right)
    if isinstance(right, Constant):
        return _compare_constant(as_typed(left), symbol, right, node)
    if isinstance(left, Constant):
        return _compare_constant(right, _MIRRORED.get(symbol, symbol), left, node)
    target = common_type(left.type, right.type)
    if target is None or target.kind not in (*_COMPARABLE, "null"):
        raise _incomparable(left, right, node)
    if target == NULL:
        return build.UNKNOWN
    return build.compare(in_type(left, target), symbol, in_type(right, target))


def _incomparable(left: Operand, right: Operand, node: exp.Expr) -> UnsupportedSqlError:
    return refusal(
        f"{_display_name(left)} and {_display_name(right)} cannot be compared",
        f"Their types are {left.type.name} and {right.type.name}; a conversion may fail on a private row.",
        "Convert one of them, for example with CAST(x AS VARCHAR), which fails on none.",
        node,
    )


def _display_name(operand: Operand) -> str:
    return operand.name if isinstance(operand, Typed) and operand.name else "the values"


# --- with a constant -----------------------------------------------------------------------------


def _compare_constant(value: Typed, symbol: str, constant: Constant, node: exp.Expr) -> Expression:
    if constant.value is None:
        return _compare_null(value, symbol)
    if value.type.kind not in _COMPARABLE:
        raise _incomparable(value, constant, node)
    number = _exact_number(constant)
    if value.type.kind in _EXACT and number is not None:
        return _compare_number(value, symbol, number)
    value = _as_double_beside(value, [constant])
    if value.type.kind == "date" and isinstance(constant.value, datetime):
        as_timestamp = cast(value.node, value.type, TIMESTAMP)
        return build.compare(as_timestamp, symbol, literal(constant, TIMESTAMP))
    return build.compare(value.node, symbol, _converted(value, constant, node))


def _exact_number(constant: Constant) -> Fraction | None:
    """Return the number of an integer or decimal constant; None for others, such as strings to be coerced."""
    return parse_number(constant.value) if constant.type.kind in _EXACT else None


def _as_double_beside(value: Typed, constants: list[Constant]) -> Typed:
    """Convert a number to DOUBLE if one of the constants is a DOUBLE, such as 1e3."""
    if value.type.kind in NUMBERS and any(constant.type == DOUBLE for constant in constants):
        return Typed(cast(value.node, value.type, DOUBLE), DOUBLE, named=value.named)
    return value


def _compare_null(value: Typed, symbol: str) -> Expression:
    if symbol not in _NULL_SAFE:
        return build.UNKNOWN
    test = build.is_present if symbol in _UNEQUAL else build.is_null
    return Grouped(test(value.node))


def _converted(value: Typed, constant: Constant, node: exp.Expr) -> Literal:
    """Coerce the constant to the type of the value. Errors: UnsupportedSqlError, as for text and a number."""
    number_for_text = value.type.kind == "text" and not isinstance(constant.value, str)
    if not number_for_text:
        return build.compared(value_in(constant, value.type, node), value.type)
    name = _display_name(value).rpartition(".")[2] if value.column else "x"
    kind = "DOUBLE" if constant.type.kind == "decimal" else constant.type.name
    raise refusal(
        f"{_display_name(value)} cannot be compared with this constant",
        f"It is of type {value.type.name}: text is written in single quotes.",
        f"Write a constant of that type, or convert it with TRY_CAST({name} AS {kind}).",
        node,
    )


def _compare_number(value: Typed, symbol: str, number: Fraction) -> Expression:
    """Compare with the constant rounded to the value's type, in the direction that keeps the result.

    For integers, x < 2.5 is x < 3, and x = 2.5 is never true. So no row is converted to a wider type.
    """
    count = number * 10**value.type.scale
    equal = symbol in ("=", "<>", *_NULL_SAFE)
    if equal and count.denominator != 1:
        return _constant_truth(value, symbol, truth=symbol in _UNEQUAL)
    bound = math.ceil(count) if symbol in ("<", ">=") else math.floor(count)
    low, high = value.type.ticks
    if not low <= bound <= high:
        return _constant_truth(value, symbol, truth=_holds_outside(symbol, above=bound > high))
    number_value: Value = bound if value.type.kind == "integer" else decimal_from_ticks(bound, value.type)
    return build.compare(value.node, symbol, build.compared(number_value, value.type))


def _holds_outside(symbol: str, *, above: bool) -> bool:
    """Whether comparison with a constant above (or below) the range of a type holds for all its values."""
    return symbol in _UNEQUAL or symbol in (("<", "<=") if above else (">", ">="))


def _constant_truth(value: Typed, symbol: str, *, truth: bool) -> Expression:
    """Return a predicate with one result for all values, and NULL for NULL unless it is NULL-safe."""
    constant = build.TRUE if truth else build.FALSE
    if symbol in _NULL_SAFE:
        return constant
    return build.only_where(build.is_present(value.node), constant)


_CONSTANT_TESTS: dict[str, Callable[[Fraction, Fraction], bool]] = {
    "=": lambda left, right: left == right,
    "<>": lambda left, right: left != right,
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
}


def _folds(left: Constant, symbol: str, right: Constant) -> bool:
    """Whether a comparison of constants is folded: of numbers, as in 1 = 0, which tools write for FALSE."""
    return symbol in _CONSTANT_TESTS and {left.type.kind, right.type.kind} <= {*NUMBERS, "null"}


def _fold_comparison(left: Constant, symbol: str, right: Constant) -> Literal:
    one, two = parse_number(left.value), parse_number(right.value)
    if one is None or two is None:
        return build.UNKNOWN
    return build.TRUE if _CONSTANT_TESTS[symbol](one, two) else build.FALSE


# --- IN, BETWEEN, IS -----------------------------------------------------------------------------


def between(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """Translate x BETWEEN low AND high."""
    value = reader.compared(node.this)
    low = compare(value, ">=", reader.compared(node.args["low"]), node)
    high = compare(value, "<=", reader.compared(node.args["high"]), node)
    return condition_value(Grouped(build.all_of(low, high)))


def in_list(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """Translate x IN (constants); NULL in the list makes a result other than TRUE unknown, as in SQL."""
    field = node.args.get("field")
    if field is not None and constant_of(folded(node.this)) is not None:  # 'a' IN tags
        return lists.contains(exp.ArrayContains(this=field, expression=node.this), reader)
    if isinstance(unwrap(node.this), exp.Tuple):
        return condition_value(_rows_in_list(node, reader))
    constants = [constant_of(folded(item)) for item in node.expressions]
    if any(node.args.get(name) for name in ("query", "unnest", "field")) or not _is_list(node.expressions):
        raise refusal(
            "IN takes a list of constants",
            "It has one value or more, each of them a constant.",
            "Write WHERE region IN ('north', 'south'), or FALSE for an empty list.",
            node,
        )
    if None in constants:
        raise _computed(node, node.expressions[constants.index(None)])
    if not len(constants) <= MAX_IN_VALUES:
        raise refusal(
            f"IN takes at most {MAX_IN_VALUES} constants",
            f"The list has {len(constants)}.",
            "Use BETWEEN or several queries.",
            node,
        )
    value = as_typed(reader.compared(node.this))
    return condition_value(_in_list(value, [c for c in constants if c is not None], node))


def check_member(node: exp.In, reader: ExpressionReader) -> None:
    """Refuse x IN (SELECT 'text') of a value of another type, as DuckDB does.

    A text in a list takes the type of the value. Input: IN over the list that such a query was read as.
    """
    value, constants = as_typed(reader.compared(node.this)), map(constant_of, map(folded, node.expressions))
    texts = [one for one in constants if one is not None and isinstance(one.value, str)]
    if texts and value.type.kind not in ("text", "enum") and value.type != NULL:
        raise refusal(
            f"{_display_name(value)} cannot be compared with a query of a text",
            f"It is of type {value.type.name}; in IN (SELECT ...) DuckDB does not compare that with VARCHAR.",
            "Write the text itself, IN ('...'), which takes that type, or cast it in the query.",
            node,
        )


def _is_list(items: list[exp.Expr]) -> bool:
    """Whether a list has values, and not the rows of a query."""
    return bool(items) and not any(isinstance(item, (exp.Query, exp.Values)) for item in items)


def _computed(node: exp.Expr, item: exp.Expr) -> UnsupportedSqlError:
    """Return the refusal of a list with a value that is no constant as it is written."""
    value, other = column_names.name_of(node.this), column_names.name_of(item)
    return refusal(
        "IN takes a list of constants",
        f"{other} is no constant as it is written.",
        f"Write {value} = {other}, joined with the other comparisons by OR.{if_a_text(item)}",
        node,
    )


def _rows_in_list(node: exp.Expr, reader: ExpressionReader) -> Expression:
    """Translate (a, b) IN ((1, 'x'), ...). As in DuckDB, a NULL equals a NULL in a row of values."""
    parts = unwrap(node.this).expressions
    tests = []
    for item in node.expressions:
        row = unwrap(item)
        constants = (
            [constant_of(folded(one)) for one in row.expressions] if isinstance(row, exp.Tuple) else []
        )
        if len(constants) != len(parts) or None in constants:
            raise refusal(
                "IN takes a list of rows of constants",
                f"Each has a constant for each of the {len(parts)} values on the left.",
                "Write WHERE (region, age) IN (('north', 30), ('south', 40)).",
                node,
            )
        same = SYMBOLS[exp.NullSafeEQ]
        pairs = zip(parts, constants, strict=True)
        tests.append(
            build.all_of(*(compare(reader.compared(part), same, one, node) for part, one in pairs if one))
        )
    if not 0 < len(tests) * len(parts) <= MAX_IN_VALUES:
        raise refusal(
            f"IN takes at most {MAX_IN_VALUES} constants",
            f"The list has {len(tests) * len(parts)}.",
            "Use several queries.",
            node,
        )
    return Grouped(build.any_of(*map(Grouped, tests)))


def _in_list(value: Typed, constants: list[Constant], node: exp.Expr) -> Expression:
    if value.type == NULL:
        return build.UNKNOWN
    if value.type.kind not in _COMPARABLE:
        raise _incomparable(value, constants[0], node)
    known = [constant for constant in constants if constant.value is not None]
    value = _as_double_beside(value, known)
    literals = [_converted(value, constant, node) for constant in known if _may_equal(value, constant)]
    if literals:
        test: Expression = Grouped(build.one_of(value.node, in_order(literals)))
    else:
        test = _constant_truth(value, "=", truth=False)
    return test if len(known) == len(constants) else Grouped(build.any_of(test, build.UNKNOWN))


def _may_equal(value: Typed, constant: Constant) -> bool:
    """Whether a value of the type can equal the constant: false for one that the type cannot represent."""
    if value.type.kind == "date" and isinstance(constant.value, datetime):
        return constant.value.time() == datetime.min.time()
    number = _exact_number(constant)
    if value.type.kind not in _EXACT or number is None:
        return True
    low, high = value.type.ticks
    count = number * 10**value.type.scale
    return bool(count.denominator == 1 and low <= count <= high)


def is_predicate(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """Translate x IS NULL for any value, and x IS TRUE and x IS FALSE for a predicate."""
    wanted = unwrap(node.args["expression"])
    if isinstance(wanted, exp.Null):
        return condition_value(Grouped(build.is_null(as_typed(reader.raw(node.this)).node)))
    if isinstance(wanted, exp.Boolean):
        truth = build.TRUE if wanted.this else build.FALSE
        return condition_value(build.compare(reader.condition(node.this), "IS NOT DISTINCT FROM", truth))
    raise refusal(
        "IS takes NULL, TRUE or FALSE", "Nothing else is a state of a row.", "Write x IS NULL.", node
    )


# --- AND, OR, NOT --------------------------------------------------------------------------------


def chain(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """Join the operands of a chain of ANDs (or ORs), without repeats and in a canonical order."""
    join = build.all_of if isinstance(node, exp.And) else build.any_of
    parts = in_order(chain_operands(node, reader))
    return condition_value(Grouped(join(*parts)) if len(parts) > 1 else parts[0])


def chain_operands(node: exp.Expr, reader: ExpressionReader) -> list[Expression]:
    """The links of a chain as conditions, found without recursion along it; of another expression, itself."""
    kind = type(node)
    found: list[Expression] = []
    size = 0
    stack = [node]
    while stack:
        operand = unwrap(stack.pop())
        if kind in (exp.And, exp.Or) and type(operand) is kind:
            stack += [operand.args["expression"], operand.this]
            continue
        found.append(reader.condition(operand))
        size += len(sql(found[-1]))
        if size > MAX_CONDITION_SQL:
            raise refusal(
                "the condition is too long",
                f"Written out it may have {MAX_CONDITION_SQL:,} characters.",
                "Use a shorter one.",
                node,
            )
    return found


def negation(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """Translate NOT x."""
    return condition_value(build.negated(reader.condition(node.this)))


def not_a_condition(node: exp.Expr, value: Typed) -> UnsupportedSqlError:
    """Return the refusal of a value that is not BOOLEAN where a predicate is expected."""
    name = value.name or call_names.short_name_of(node)
    return refusal(
        f"{name} is not a condition",
        f"It is of type {value.type.name}; only a BOOLEAN stands alone.",
        "Compare it with a constant, for example x = 1.",
        node,
    )
