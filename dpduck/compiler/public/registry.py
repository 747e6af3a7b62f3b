"""The registry of translations over public relations, and the allow-list of the arguments of each node.

The arguments of functions are in the function table; those of syntax stand beside its translation.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from sqlglot import exp

from dpduck.compiler.functions import refusals
from dpduck.compiler.functions.aggregates import ENTRIES as AGGREGATES
from dpduck.compiler.functions.aggregates import WINDOWS
from dpduck.compiler.functions.entry import nodes
from dpduck.compiler.functions.table import LEAVES, SCALARS
from dpduck.compiler.parse.nodes import unwrap
from dpduck.compiler.public.context import Context
from dpduck.kernel.tree.emit import call

Translation = Callable[[exp.Expr, Context], str]
Registered = TypeVar("Registered", bound=Translation)

TRANSLATIONS: dict[type[exp.Expr], Translation] = {}

# Allowed arguments by node class; a class without a translation of its own is translated with its parent.
ALLOWED: dict[type[exp.Expr], frozenset[str]] = {
    **LEAVES,
    **{kind: entry.allowed for kind, entry in nodes(SCALARS | AGGREGATES | WINDOWS) if entry.is_public},
}


def allow(kinds: tuple[type[exp.Expr], ...], arguments: str = "") -> None:
    """Allow these arguments, separated by blanks, on nodes of these classes."""
    for kind in kinds:
        ALLOWED[kind] = frozenset(arguments.split())


def translates(*kinds: type[exp.Expr], arguments: str | None = None) -> Callable[[Registered], Registered]:
    """Register the translation of expressions of these classes, and arguments that are in no table."""

    def register(translation: Registered) -> Registered:
        if arguments is not None:
            allow(kinds, arguments)
        TRANSLATIONS.update(dict.fromkeys(kinds, translation))
        return translation

    return register


# Nodes whose operands may be evaluated on some rows only, or on none.
_BRANCHING = (exp.And, exp.Or, exp.Case, exp.Coalesce, exp.Filter, exp.If, exp.Window)
_REFERENCE_NODES = (exp.Column, exp.Window, exp.Grouping, exp.GroupingId)
_LITERALS = (exp.Literal, exp.Boolean, exp.Null)

QUERIES: dict[type[exp.Expr], Translation] = {}


def translates_query(*kinds: type[exp.Expr], arguments: str) -> Callable[[Translation], Translation]:
    """Register the translation of queries of these classes, and their arguments."""

    def register(translation: Translation) -> Translation:
        allow(kinds, arguments)
        QUERIES.update(dict.fromkeys(kinds, translation))
        return translation

    return register


def query(node: exp.Expr, context: Context) -> str:
    """Translate a query, without parentheses around it, unless the caller translates it."""
    context.seen.references += 1
    known = context.relations.block(node) if isinstance(node, exp.Query) else None
    if known is not None:
        check_release(node)
        return known
    translation = QUERIES.get(type(node))
    if translation is None:
        raise refusals.of_node(node)
    check(node)
    return translation(node, context)


def expression(node: exp.Expr, context: Context) -> str:
    """Translate an expression, unless the caller translates it."""
    known = context.relations.value(node)
    if known is not None:
        context.seen.add(known, whole=context.depth == 0)
        return known.sql
    translation = TRANSLATIONS.get(type(node))
    if translation is None:
        raise refusals.of_node(node)
    check(node)
    seen = context.seen
    references, constants = seen.references, len(seen.constants)
    seen.references += isinstance(node, _REFERENCE_NODES)
    inside = context.deeper(node)
    text = translation(node, replace(inside, conditional=True) if isinstance(node, _BRANCHING) else inside)
    if not context.conditional and not isinstance(node, _LITERALS):
        _record_constant(node, text, context, references, constants)
    return text


def _record_constant(node: exp.Expr, text: str, context: Context, references: int, constants: int) -> None:
    """Record an expression without references, in place of its operands, and 1 // c of a constant divisor.

    The divisor 0 fails for any dividend. Input: the numbers of references and constants before this one.
    """
    seen = context.seen
    if seen.references == references:
        seen.constants[constants:] = [text]
    elif isinstance(node, exp.IntDiv) and isinstance(unwrap(node.expression), exp.Literal):
        seen.constants.append(call("//", "1", expression(unwrap(node.expression), context)))


def expressions(nodes: list[exp.Expr], context: Context) -> str:
    """Translate a list of expressions, separated by commas."""
    return ", ".join(expression(node, context) for node in nodes)


def check(node: exp.Expr) -> None:
    """Refuse a node whose class is not allowed, or that has an argument that is not allowed."""
    allowed = ALLOWED.get(type(node))
    if allowed is None:
        raise refusals.of_node(node)
    for name, value in node.args.items():
        if name not in allowed and value is not None and value is not False and value != []:
            raise refusals.of_argument(node, name)


# Refuses arguments that only public SQL translates, in a block that the caller translates.
#
# The validator allows what any translation supports. The translation of a release would ignore these
# arguments silently. Subqueries in it are computed for each person apart, with their named windows.


_ONLY_HERE: dict[type[exp.Expr], tuple[str, ...]] = {
    exp.Select: ("windows",),
    exp.Max: ("count",),
    exp.Min: ("count",),
}


def check_release(node: exp.Expr) -> None:
    """Refuse a block of the caller with arguments that only public SQL translates."""
    for part in node.walk():
        for name in _ONLY_HERE.get(type(part), ()):
            if part.args.get(name) and (part is node or name != "windows"):
                raise refusals.of_argument(part, name)
