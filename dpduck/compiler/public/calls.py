"""Translates calls of functions and aggregates, with DISTINCT, ORDER BY and FILTER."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sqlglot import exp

from dpduck.compiler.functions import refusals
from dpduck.compiler.functions.aggregates import ENTRIES as AGGREGATES
from dpduck.compiler.functions.aggregates import WINDOWS
from dpduck.compiler.functions.entry import nodes
from dpduck.compiler.functions.table import CALLS
from dpduck.compiler.parse.nodes import refusal
from dpduck.compiler.parse.quotients import form_of
from dpduck.compiler.public.context import Context, Seen
from dpduck.compiler.public.ordering import order_by
from dpduck.compiler.public.registry import allow, check, expression, expressions, translates
from dpduck.compiler.public.uncounted_memory import check_memory
from dpduck.kernel.tree.answer import Division
from dpduck.kernel.tree.emit import call

Rule = Callable[[exp.Expr, Context], str]

RULES: dict[str, Rule] = {}  # translations of functions without a node class that are more than a call

allow((exp.Distinct,), "expressions on")


def arguments_of(node: exp.Expr, names: tuple[str, ...]) -> list[exp.Expr]:
    """Return the arguments in DuckDB's order. Errors: UnsupportedSqlError for a gap, a misparsed call."""
    values = [node.args.get(name) for name in names]
    while values and values[-1] is None:
        values.pop()
    arguments: list[exp.Expr] = []
    for value in values:
        for item in value if isinstance(value, list) else [value]:
            if not isinstance(item, exp.Expr):
                raise refusals.of_node(node)
            arguments.append(item)
    return arguments


def write_call(name: str, arguments: list[exp.Expr], context: Context, *, nulls: str = "") -> str:
    """Return name([DISTINCT] arguments [ORDER BY ...] [IGNORE NULLS]).

    In sqlglot's tree DISTINCT and ORDER BY wrap an argument.
    """
    distinct, order, texts = "", "", list[str]()
    for argument in arguments:
        inner = argument
        if isinstance(inner, exp.Order) and not order:
            check(inner)
            order = f" ORDER BY {order_by(inner, context)}"
            inner = inner.this
        if inner is None:
            raise refusal("ORDER BY orders nothing here", "It has no argument.", "Write sum(x).", argument)
        if isinstance(inner, exp.Distinct) and not texts and not inner.args.get("on"):
            check(inner)
            if not inner.expressions:
                raise refusal("DISTINCT names no column", "It needs one.", "Write count(DISTINCT x).", inner)
            distinct = "DISTINCT "
            texts.append(expressions(inner.expressions, context))
        else:
            texts.append(expression(inner, context))
    return call(name, f"{distinct}{', '.join(texts)}{order}{nulls}")


# --- the kinds of calls --------------------------------------------------------------------------


def _listed(node: exp.Expr, context: Context, *, windowed: bool = False, nulls: str = "") -> str:
    """Translate a function that has a node class."""
    entry = CALLS.get(type(node)) or (WINDOWS.get(type(node)) if windowed else None)
    if entry is None:
        raise refusals.of_node(node)
    _check_grouping(node)
    if type(node) in AGGREGATES:
        _check_aggregate(node, entry.name, context, windowed=windowed)
    return write_call(entry.name, arguments_of(node, tuple(entry.arguments.split())), context, nulls=nulls)


def _named(node: exp.Expr, context: Context, *, windowed: bool = False, nulls: str = "") -> str:
    """Translate a function without a node class, by its name."""
    name = node.name.lower()
    if name in RULES:
        return RULES[name](node, context)
    if not node.name.isascii() or name not in CALLS:
        raise refusals.of_function(name, node)
    if name in AGGREGATES:
        _check_aggregate(node, name, context, windowed=windowed)
    return write_call(name, node.expressions, context, nulls=nulls)


def _count(node: exp.Expr, context: Context, *, windowed: bool = False, nulls: str = "") -> str:
    _check_aggregate(node, "count", context, windowed=windowed)
    if node.this is None or (isinstance(node.this, exp.Star) and not any(node.this.args.values())):
        return call("count", "*")
    return write_call("count", [node.this], context, nulls=nulls)


def _check_aggregate(node: exp.Expr, name: str, context: Context, *, windowed: bool) -> None:
    """Refuse an aggregate over released rows, unless a window computes it, or one that may exhaust memory."""
    context.seen.references += 1
    if context.block.released and not windowed:
        raise refusal(
            "this aggregate cannot be computed from the released rows",
            "Each group is one row of the answer here.",
            "Aggregate in an outer SELECT: SELECT max(n) FROM (SELECT page, count(*) AS n FROM ...).",
            node,
        )
    if not context.block.released:
        check_memory(node, name, lambda query: context.relations.block(query) is not None)


_BITWISE = (exp.BitwiseAnd, exp.BitwiseOr, exp.BitwiseLeftShift, exp.BitwiseRightShift)
_OPERATORS = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.IntDiv, exp.Mod, exp.Pow, exp.DPipe, exp.Neg, *_BITWISE)


def _check_grouping(node: exp.Expr) -> None:
    """Refuse the few operators whose precedence differs between the parser and DuckDB."""
    parent = node.parent
    # The parser keeps the position of the name in abs(x); @x has none.
    spread = isinstance(node, exp.Abs) and "start" not in node.meta and isinstance(node.this, exp.Binary)
    loose = isinstance(node, exp.BitwiseNot) and isinstance(parent, _OPERATORS)
    mixed = isinstance(node, exp.DPipe) and isinstance(parent, _BITWISE)
    mixed = mixed or (isinstance(node, _BITWISE) and isinstance(parent, exp.DPipe))
    if spread or loose or mixed:
        raise refusal(
            "this combination of operators is ambiguous",
            "Without parentheses ~, @, ||, &, | and shifts are grouped in different ways.",
            "Put parentheses around each of them: (~a) & b.",
            node,
        )


translates(*(kind for kind, _ in nodes(CALLS)))(_listed)


@translates(exp.Div, exp.IntDiv)
def _division(node: exp.Expr, context: Context) -> str:
    """Translate a / b or a // b, and note which released columns are divided by which."""
    _check_grouping(node)
    texts, reads, adds_up = [], [], False
    for operand in arguments_of(node, ("this", "expression")):
        inside = replace(context, seen=Seen())
        texts.append(expression(operand, inside))
        reads.append(frozenset(inside.seen.reads))
        adds_up = inside.seen.windowed
        context.seen.join(inside.seen)
    dividend, divisor = reads
    context.seen.divisions.append(Division(dividend, divisor, *form_of(node), adds_up))
    return call(CALLS[type(node)].name, *texts)


translates(exp.Anonymous, arguments="this expressions")(_named)
translates(exp.Count, arguments="this big_int")(_count)  # sqlglot marks every count() of DuckDB as big_int


# --- modifiers of a call -------------------------------------------------------------------------


@translates(exp.IgnoreNulls, exp.RespectNulls, arguments="this")
def _nulls(node: exp.Expr, context: Context) -> str:
    return function(node, context, windowed=False)


@translates(exp.Filter, arguments="this expression")
def _filter(node: exp.Expr, context: Context) -> str:
    return function(node, context, windowed=False)


def function(node: exp.Expr, context: Context, *, windowed: bool) -> str:
    """Translate the function of a window or a filter, never by `relations`, which has whole aggregates."""
    check(node)
    if isinstance(node, exp.Filter):
        where = node.args["expression"]
        if not isinstance(where, exp.Where):
            raise refusals.of_node(node)
        check(where)
        inner = function(node.this, context.deeper(node), windowed=windowed)
        return f"{inner} FILTER (WHERE {expression(where.this, context)})"
    nulls = ""
    if isinstance(node, (exp.IgnoreNulls, exp.RespectNulls)):
        # The parser adds IGNORE NULLS to any_value(x), whose default it is.
        word = " IGNORE NULLS" if isinstance(node, exp.IgnoreNulls) else " RESPECT NULLS"
        nulls = "" if isinstance(node.this, exp.AnyValue) else word
        node = node.this
        check(node)
    write = _listed
    if isinstance(node, (exp.Count, exp.Anonymous)):
        write = _count if isinstance(node, exp.Count) else _named
    return write(node, context.deeper(node), windowed=windowed, nulls=nulls)


@translates(exp.Grouping, exp.GroupingId, arguments="expressions")
def _grouping(node: exp.Expr, context: Context) -> str:
    return f"GROUPING({expressions(node.expressions, context)})"
