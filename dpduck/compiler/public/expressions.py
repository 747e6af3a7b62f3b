"""Translates expressions. Each operator is parenthesized or a call, so that precedence cannot change it."""

from __future__ import annotations

import re

from sqlglot import exp
from sqlglot.expressions import apply_index_offset

from dpduck.compiler.functions import refusals
from dpduck.compiler.functions.entry import words
from dpduck.compiler.parse.dialect import Dpduck
from dpduck.compiler.parse.nodes import refusal, unwrap
from dpduck.compiler.private.comparisons import SYMBOLS
from dpduck.compiler.public.context import Block, Context
from dpduck.compiler.public.expansion import is_atomic, repeatable
from dpduck.compiler.public.registry import allow, check, expression, expressions, translates
from dpduck.compiler.public.types import type_name
from dpduck.kernel.catalog.model import fold
from dpduck.kernel.tree.emit import call, identifier, string

_NUMBER = re.compile(r"([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
_WHOLE = re.compile(r"-?[0-9]{1,9}")

# Names that DuckDB resolves to a function if there is no such column; a user's macro may replace it.
_VALUE_NAMES = words(
    """
    current_catalog current_database current_date current_role current_schema current_time
    current_timestamp current_user localtime localtimestamp session_user user
    """
)


# --- names ---------------------------------------------------------------------------------------


@translates(exp.Column)
def _column(node: exp.Expr, context: Context) -> str:
    qualifiers = [node.args.get(name) for name in ("catalog", "db", "table")]
    parts = [part for part in (*qualifiers, node.this) if part is not None]
    if not all(isinstance(part, exp.Identifier) for part in parts):
        raise refusals.of_node(node.this)
    names, fields = named_column([part.name for part in parts], context.block)
    text = _unqualified(names[0], node, context) if len(names) == 1 else ".".join(map(identifier, names))
    for name in fields:
        text = call("struct_extract", text, string(name))
    return text


def named_column(names: list[str], block: Block) -> tuple[list[str], list[str]]:
    """Split a dotted name into a column, qualified if the name is, and the struct fields after it."""
    if len(names) >= 3 and _names_a_table(names[0], names[1], block):
        return names[1:3], names[3:]
    last = 2 if len(names) > 1 and _names_rows(names[0], block) else 1
    return names[:last], names[last:]


def _names_rows(name: str, block: Block) -> bool:
    """Whether `name.` qualifies columns of a FROM item; else it is a column, and a struct field follows."""
    return any(source.name == fold(name) for enclosing in block.enclosing() for source in enclosing.sources)


def _names_a_table(schema: str, table: str, block: Block) -> bool:
    """Whether `schema.table.` qualifies columns of a table in FROM that has no alias."""
    wanted = ("main" if fold(schema) == "public" else fold(schema), fold(table))
    return any(
        (source.schema, source.name) == wanted
        for enclosing in block.enclosing()
        for source in enclosing.sources
    )


def _unqualified(name: str, node: exp.Expr, context: Context) -> str:
    """Translate an unqualified name. One that is also a table or a function is qualified, to be a column.

    DuckDB reads the name of a table as a struct of its row, and `user` as a call: macros may replace both.
    """
    folded, block = fold(name), context.block
    doubtful = folded in _VALUE_NAMES or any(
        folded == source.name for enclosing in block.enclosing() for source in enclosing.sources
    )
    if not doubtful or (block.sees_aliases and folded in block.aliases):
        return identifier(name)
    alias = block.sources[0].alias if len(block.sources) == 1 else None
    if alias is not None:
        return f"{identifier(alias)}.{identifier(name)}"
    raise refusal(
        f"the name {name} is ambiguous",
        "It could be a column, the rows of a table, or a function of the server.",
        f"Say which column is meant: t.{name}, with the table's name or alias before it.",
        node,
    )


@translates(exp.Dot, arguments="this expression")
def _field(node: exp.Expr, context: Context) -> str:
    name = node.expression
    if not isinstance(name, exp.Identifier):
        raise refusal(
            "a qualified function is not supported",
            "Functions that may be called need no schema, and take the value in parentheses.",
            "Write lower(name) instead of name.lower().",
            node,
        )
    return call("struct_extract", expression(node.this, context), string(name.name))


# --- constants -----------------------------------------------------------------------------------


@translates(exp.Literal)
def _literal(node: exp.Expr, _: Context) -> str:
    text = str(node.this)
    if node.args.get("is_string"):
        return string(text)
    if not _NUMBER.fullmatch(text):
        raise refusal("this number is not supported", "It has digits only.", "Write 1000 or 0.5.", node)
    return text


@translates(exp.Boolean)
def _truth(node: exp.Expr, _: Context) -> str:
    return "TRUE" if node.this else "FALSE"


@translates(exp.Null)
def _null(_: exp.Expr, __: Context) -> str:
    return "NULL"


@translates(exp.Paren)
def _paren(node: exp.Expr, context: Context) -> str:
    return expression(node.this, context)


@translates(exp.Neg)
def _negative(node: exp.Expr, context: Context) -> str:
    """Translate -x. A minus before a numeric literal is part of it, as in DuckDB; any other is a call."""
    inner = expression(node.this, context)
    if isinstance(node.this, exp.Literal) and not node.this.is_string:
        return f"-{inner}"
    return call("-", inner)


_UNITS: dict[str, tuple[str, str]] = {
    "YEAR": ("to_years", "INTEGER"),
    "MONTH": ("to_months", "INTEGER"),
    "DAY": ("to_days", "INTEGER"),
    "HOUR": ("to_hours", "BIGINT"),
    "MINUTE": ("to_minutes", "BIGINT"),
    "SECOND": ("to_seconds", "DOUBLE"),
    "MILLISECOND": ("to_milliseconds", "DOUBLE"),
    "MICROSECOND": ("to_microseconds", "BIGINT"),
    "WEEK": ("to_weeks", "INTEGER"),
    "QUARTER": ("to_quarters", "INTEGER"),
    "DECADE": ("to_decades", "INTEGER"),
    "CENTURY": ("to_centuries", "INTEGER"),
    "MILLENNIUM": ("to_millennia", "INTEGER"),
}
_PLURALS = {f"{unit}S": unit for unit in _UNITS} | {"CENTURIES": "CENTURY", "MILLENNIA": "MILLENNIUM"}


@translates(exp.Interval)
def _interval(node: exp.Expr, context: Context) -> str:
    """Translate INTERVAL n DAY to a qualified to_days(n): DuckDB's own call may be replaced by a macro."""
    amount, unit = node.this, node.args.get("unit")
    if isinstance(amount, exp.Literal) and unit is None:
        return f"CAST({string(str(amount.this))} AS INTERVAL)"
    word = unit.name.upper() if isinstance(unit, exp.Var) else ""
    entry = _UNITS.get(_PLURALS.get(word, word))
    broken = isinstance(amount, exp.Literal) and not _WHOLE.fullmatch(str(amount.this))
    if entry is None or amount is None or broken:
        raise refusal(
            "this interval is not supported",
            "Versions of DuckDB read fractions of a unit in different ways.",
            "Write INTERVAL 3 DAY, INTERVAL (n) MONTH or INTERVAL '1 month 2 days'.",
            node,
        )
    function, kind = entry
    number = f"CAST({expression(amount, context)} AS DOUBLE)"
    return call(function, number if kind == "DOUBLE" else f"CAST({call('trunc', number)} AS {kind})")


# --- conditions ----------------------------------------------------------------------------------

_CONDITIONS = (*SYMBOLS, exp.In, exp.Between, exp.Like, exp.ILike, exp.Not)


@translates(*SYMBOLS)
def _comparison(node: exp.Expr, context: Context) -> str:
    if isinstance(node.this, _CONDITIONS) or isinstance(node.args["expression"], _CONDITIONS):
        raise refusal(
            "a comparison of comparisons needs parentheses",
            "Without them = and == are grouped in different ways.",
            "Write (a = b) = (c = d).",
            node,
        )
    left, right = expression(node.this, context), expression(node.args["expression"], context)
    _record_texts(left, [node.args["expression"]], context)
    _record_texts(right, [node.this], context)
    return f"({left} {SYMBOLS[type(node)]} {right})"


def _record_texts(value: str, others: list[exp.Expr], context: Context) -> None:
    """Record that each text that a released column is compared with is a value of that column's type.

    A row may be decided by another condition before, so that the query fails for some rows only.
    """
    if context.block.released and is_atomic(value):
        texts = [other for other in map(unwrap, others) if isinstance(other, exp.Literal) and other.is_string]
        context.seen.constants += [f"({value} = {string(str(one.this))})" for one in texts]


@translates(exp.And, exp.Or)
def _chain(node: exp.Expr, context: Context) -> str:
    """Translate a chain of ANDs (or ORs), in order and without recursion along it."""
    kind, word = (exp.And, " AND ") if isinstance(node, exp.And) else (exp.Or, " OR ")
    operands: list[str] = []
    stack = [node]
    while stack:
        operand = stack.pop()
        if type(operand) is kind:
            check(operand)
            stack += [operand.args["expression"], operand.this]
        else:
            operands.append(expression(operand, context))
    return f"({word.join(operands)})"


@translates(exp.Not)
def _not(node: exp.Expr, context: Context) -> str:
    return f"(NOT {expression(node.this, context)})"


@translates(exp.Is)
def _is(node: exp.Expr, context: Context) -> str:
    wanted = unwrap(node.args["expression"])
    if not isinstance(wanted, (exp.Null, exp.Boolean)):
        raise refusal(
            "IS takes NULL, TRUE or FALSE",
            "Other values are compared with = or IS NOT DISTINCT FROM.",
            "Write x IS NULL.",
            node,
        )
    return f"({expression(node.this, context)} IS {expression(wanted, context)})"


@translates(exp.Between)
def _between(node: exp.Expr, context: Context) -> str:
    low, high = expression(node.args["low"], context), expression(node.args["high"], context)
    seen, seen.ranged = context.seen, False
    value = expression(node.this, context)
    _record_texts(value, [node.args["low"], node.args["high"]], context)
    within, seen.ranged = seen.ranged, True
    if not within:
        return f"({value} BETWEEN {low} AND {high})"
    repeatable(value, node)
    return f"({value} >= {low} AND {value} <= {high})"


@translates(exp.Case)
def _case(node: exp.Expr, context: Context) -> str:
    value = "" if node.this is None else expression(node.this, context)
    compared = "" if is_atomic(value) else f"{repeatable(value, node)} = "
    words = ["CASE"] if compared or not value else ["CASE", value]
    for branch in node.args["ifs"]:
        check(branch)
        condition, result = branch.this, branch.args["true"]
        words.append(f"WHEN {compared}{expression(condition, context)} THEN {expression(result, context)}")
    if node.args.get("default") is not None:
        words.append(f"ELSE {expression(node.args['default'], context)}")
    return f"({' '.join(words)} END)"


@translates(exp.If)
def _if(node: exp.Expr, context: Context) -> str:
    parts = [node.this, node.args.get("true"), node.args.get("false")]
    condition, yes, no = ("NULL" if part is None else expression(part, context) for part in parts)
    return f"(CASE WHEN {condition} THEN {yes} ELSE {no} END)"


@translates(exp.Coalesce)
def _coalesce(node: exp.Expr, context: Context) -> str:
    return f"COALESCE({expressions([node.this, *node.expressions], context)})"


# --- casts, lists, structs -----------------------------------------------------------------------


@translates(exp.Cast)
def _cast(node: exp.Expr, context: Context) -> str:
    return f"CAST({expression(node.this, context)} AS {type_name(node.args['to'])})"


@translates(exp.TryCast)
def _try_cast(node: exp.Expr, context: Context) -> str:
    return f"TRY_CAST({expression(node.this, context)} AS {type_name(node.args['to'])})"


@translates(exp.Tuple, arguments="expressions")
def _row(node: exp.Expr, context: Context) -> str:
    return call("row", expressions(node.expressions, context))


@translates(exp.Array, arguments="expressions value_constructor")
def _list(node: exp.Expr, context: Context) -> str:
    if any(isinstance(item, exp.Query) for item in node.expressions):
        raise refusal(
            "ARRAY of a subquery is not supported",
            "An aggregate makes a list, too, and says its order.",
            "Write (SELECT list(x ORDER BY x) FROM t).",
            node,
        )
    return call("list_value", *(expression(item, context) for item in node.expressions))


@translates(exp.Struct, arguments="expressions")
def _struct(node: exp.Expr, context: Context) -> str:
    fields = []
    for field in node.expressions:
        name = field.this if isinstance(field, exp.PropertyEQ) else None
        named = isinstance(name, exp.Identifier) or (isinstance(name, exp.Literal) and name.is_string)
        if name is None or not named:
            raise refusal(
                "a struct needs names for its fields",
                "They become the names of its parts.",
                "Write {'a': 1, 'b': x}, or row(1, x).",
                node,
            )
        check(field)
        fields.append(f"{identifier(name.name)} := {expression(field.args['expression'], context)}")
    return call("struct_pack", *fields)


allow((exp.PropertyEQ,), "this expression")


@translates(exp.ToMap, arguments="this")
def _map(node: exp.Expr, context: Context) -> str:
    struct = node.this
    entries = struct.expressions if isinstance(struct, exp.Struct) else [node]
    if not all(isinstance(entry, exp.PropertyEQ) for entry in entries):
        raise refusals.of_node(node)
    keys, values = [], []
    for entry in entries:
        check(entry)
        keys.append(expression(entry.this, context))
        values.append(expression(entry.args["expression"], context))
    return call("map", call("list_value", *keys), call("list_value", *values)) if keys else call("map")


@translates(exp.Bracket, arguments="this expressions")
def _element(node: exp.Expr, context: Context) -> str:
    """Translate x[i] of a list, struct or string. For a map there is map_extract_value(m, key)."""
    # The parser normalizes constant indexes to base 0; the same function restores DuckDB's base of 1.
    indexes = apply_index_offset(node.this, node.expressions, Dpduck.INDEX_OFFSET, dialect=Dpduck)
    if len(indexes) != 1:
        raise refusals.of_node(node)
    index, value = indexes[0], expression(node.this, context)
    if isinstance(index, exp.Slice):
        return _slice(index, value, context)
    return call("array_extract", value, expression(index, context))


allow((exp.Slice,), "this expression step")


def _slice(node: exp.Slice, value: str, context: Context) -> str:
    check(node)
    ends = [node.args.get("this"), node.args.get("expression")]
    steps = [node.args["step"]] if node.args.get("step") is not None else []
    if steps and None in ends:
        raise refusal(
            "a slice with a step needs both ends",
            "The ends depend on the sign of the step.",
            "Write l[1:10:2].",
            node,
        )
    first, last = (
        default if end is None else expression(end, context)
        for end, default in zip(ends, ("1", "-1"), strict=True)
    )
    return call("array_slice", value, first, last, *(expression(step, context) for step in steps))


@translates(exp.In)
def _in(node: exp.Expr, context: Context) -> str:
    value, query = expression(node.this, context), node.args.get("query")
    if query is not None:
        if not isinstance(query, exp.Query):  # without SELECT, DuckDB reads IN as contains()
            raise refusals.of_node(node)
        return f"({value} IN {expression(query, context)})"
    if node.args.get("field") is not None:
        return call("contains", expression(node.args["field"], context), value)
    if not node.expressions:
        raise refusals.of_node(node)
    _record_texts(value, node.expressions, context)
    return f"({value} IN ({expressions(node.expressions, context)}))"
