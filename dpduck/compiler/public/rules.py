"""Translates functions that are more than a call: rearranged arguments, a bounded cost, or a macro's body."""

from __future__ import annotations

import re

from sqlglot import exp

from dpduck.compiler.functions import refusals
from dpduck.compiler.functions.aggregates import OF_LISTS
from dpduck.compiler.parse.nodes import refusal, unwrap
from dpduck.compiler.public.calls import RULES, Rule, arguments_of, write_call
from dpduck.compiler.public.context import Context
from dpduck.compiler.public.expansion import is_atomic, repeatable
from dpduck.compiler.public.registry import check, expression, translates
from dpduck.kernel.tree.emit import call, string

MAX_PADDING = 1_000  # characters


@translates(exp.Trim)
def _trim(node: exp.Expr, context: Context) -> str:
    names = {"LEADING": "ltrim", "TRAILING": "rtrim"}
    name = names.get(str(node.args.get("position") or "BOTH").upper(), "trim")
    return write_call(name, arguments_of(node, ("this", "expression")), context)


@translates(exp.DateTrunc, exp.TimestampTrunc)
def _date_trunc(node: exp.Expr, context: Context) -> str:
    return call("date_trunc", _unit(node.args.get("unit"), node), expression(node.this, context))


@translates(exp.DateDiff)
def _date_diff(node: exp.Expr, context: Context) -> str:
    first, last = expression(node.args["expression"], context), expression(node.this, context)
    return call("date_diff", _unit(node.args.get("unit"), node), first, last)


@translates(exp.Extract)
def _extract(node: exp.Expr, context: Context) -> str:
    return call("date_part", _unit(node.this, node), expression(node.args["expression"], context))


def _unit(unit: object, node: exp.Expr) -> str:
    if isinstance(unit, (exp.Var, exp.Literal)):
        check(unit)
        return string(unit.name.lower())
    raise refusal(
        "the unit of time must be a constant", "It is a word such as 'month'.", "Write 'month'.", node
    )


@translates(exp.Log)
def _log(node: exp.Expr, context: Context) -> str:
    """Translate log, log2 and log10.

    The parser reads log2(x) as log(2, x), whose result differs in the last digit. Only the length of the name
    in the text distinguishes them.
    """
    start, end = node.meta.get("start"), node.meta.get("end")
    length = end - start + 1 if isinstance(start, int) and isinstance(end, int) else 0
    name = {len("log2"): "log2", len("log10"): "log10"}.get(length)
    base = node.this if isinstance(node.this, exp.Literal) else None
    if name is not None and base is not None and name == f"log{base.name}":
        return call(name, expression(node.args["expression"], context))
    return write_call("log", arguments_of(node, ("this", "expression")), context)


@translates(exp.UnixToTime)
def _from_epoch(node: exp.Expr, context: Context) -> str:
    """Translate to_timestamp(x), epoch_ms(x) and make_timestamp(x), which differ in the scale of the node."""
    scale = node.args.get("scale")
    name = {"": "to_timestamp", "3": "epoch_ms", "6": "make_timestamp"}.get(
        "" if scale is None else scale.name
    )
    if name is None:
        raise refusals.of_node(node)
    return call(name, expression(node.this, context))


@translates(exp.ArraySort)
def _list_sort(node: exp.Expr, context: Context) -> str:
    descending = isinstance(node.args.get("asc"), exp.Boolean) and not node.args["asc"].this
    nulls = node.args.get("nulls_first")
    first = isinstance(nulls, exp.Boolean) and bool(nulls.this)
    order, place = "'DESC'" if descending else "'ASC'", "'NULLS FIRST'" if first else "'NULLS LAST'"
    return call("list_sort", expression(node.this, context), order, place)


@translates(exp.Pad)
def _pad(node: exp.Expr, context: Context) -> str:
    width = unwrap(node.args["expression"])
    digits = width.name if isinstance(width, exp.Literal) and not width.is_string else ""
    if not digits.isdigit() or int(digits[:9]) > MAX_PADDING or node.args.get("fill_pattern") is None:
        raise refusal(
            f"padding takes a constant width of at most {MAX_PADDING}, and a filler",
            "A wide one can take all memory.",
            "Write lpad(x, 10, ' ').",
            node,
        )
    name = "lpad" if node.args.get("is_left") else "rpad"
    return write_call(name, arguments_of(node, ("this", "expression", "fill_pattern")), context)


@translates(exp.Format)
def _format(node: exp.Expr, context: Context) -> str:
    return _formatted("format", [node.this, *node.expressions], node, context)


def _formatted(name: str, arguments: list[exp.Expr], node: exp.Expr, context: Context) -> str:
    """Translate format and printf. A width pads its field, so widths are constant and bounded."""
    text = arguments[0] if arguments else None
    is_literal = isinstance(text, exp.Literal) and text.is_string
    if not is_literal or re.search(r"[0-9]{4}|\*|\{[^}]*\{", text.name if text is not None else ""):
        raise refusal(
            f"{name} takes a constant text with widths below 1000",
            "A wide field can take all memory.",
            "Write format('{} %', round(x, 1)).",
            node,
        )
    return write_call(name, arguments, context)


def _printf(node: exp.Expr, context: Context) -> str:
    return _formatted("printf", node.expressions, node, context)


def _age(node: exp.Expr, context: Context) -> str:
    """Translate age(a, b). age(a) is refused: it reads the clock."""
    if len(node.expressions) != 2:
        raise refusals.of_function("age", node)
    return write_call("age", node.expressions, context)


# --- macros of DuckDB ----------------------------------------------------------------------------
# Their bodies call functions by unqualified names, which a user's macro may replace, so they are inlined.


@translates(exp.Nullif)
def _nullif(node: exp.Expr, context: Context) -> str:
    value, other = expression(node.this, context), expression(node.args["expression"], context)
    if is_atomic(value):
        return call("nullif", value, other)
    repeatable(value, node)
    return f"(CASE WHEN {value} = {other} THEN NULL ELSE {value} END)"


def _of_list(name: str) -> Rule:
    def rule(node: exp.Expr, context: Context) -> str:
        argument = node.expressions[0] if isinstance(node, exp.Anonymous) and node.expressions else node.this
        if not isinstance(argument, exp.Expr) or len(node.expressions) > 1:
            raise refusals.of_function(f"list_{name}", node)
        return call("list_aggregate", expression(argument, context), string(name))

    return rule


translates(exp.ArrayMax)(_of_list("max"))
translates(exp.ArrayMin)(_of_list("min"))


@translates(exp.ArrayAppend)
def _appended(node: exp.Expr, context: Context) -> str:
    item = call("list_value", expression(node.args["expression"], context))
    return call("list_concat", expression(node.this, context), item)


@translates(exp.ArrayPrepend)
def _prepended(node: exp.Expr, context: Context) -> str:
    item = call("list_value", expression(node.args["expression"], context))
    return call("list_concat", item, expression(node.this, context))


@translates(exp.ArrayToString)
def _joined(node: exp.Expr, context: Context) -> str:
    items = repeatable(f"CAST({expression(node.this, context)} AS VARCHAR[])", node)
    text = call("list_aggregate", items, "'string_agg'", expression(node.args["expression"], context))
    return f"(CASE WHEN {call('len', items)} = 0 THEN '' ELSE {text} END)"


@translates(exp.SplitPart)
def _split_part(node: exp.Expr, context: Context) -> str:
    parts = [
        repeatable(expression(node.args[name], context), node) for name in ("this", "delimiter", "part_index")
    ]
    known = " AND ".join(f"{part} IS NOT NULL" for part in parts)
    part = call("array_extract", call("string_split", *parts[:2]), parts[2])
    return f"(CASE WHEN {known} THEN COALESCE({part}, '') END)"


def _one_argument(node: exp.Expr) -> exp.Expr:
    if len(node.expressions) != 1:
        raise refusals.of_function(node.name.lower(), node)
    argument: exp.Expr = node.expressions[0]
    return argument


def _days_in_month(node: exp.Expr, context: Context) -> str:
    return call("day", call("last_day", expression(_one_argument(node), context)))


RULES.update({f"list_{name}": _of_list(name) for name in OF_LISTS})
RULES.update(
    {
        "printf": _printf,
        "age": _age,
        "days_in_month": _days_in_month,
    }
)
