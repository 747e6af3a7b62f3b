"""Translates LIKE, regular expressions and replacements, of bounded cost.

Patterns of LIKE are constants: DuckDB prepares them once, and matches in linear time unless they hold '_'.
"""

from __future__ import annotations

import re

from sqlglot import exp

from dpduck.compiler.functions import refusals
from dpduck.compiler.parse.constant_calls import folded
from dpduck.compiler.parse.nodes import refusal, unwrap
from dpduck.compiler.public.calls import arguments_of, write_call
from dpduck.compiler.public.context import Context
from dpduck.compiler.public.registry import check, expression, translates
from dpduck.kernel.tree.emit import call, string

MAX_PATTERN = 1_000  # characters
MAX_WILDCARDS = 20  # '%' in a pattern
MAX_BACKTRACKING = 3  # '%' in a pattern that DuckDB 1.5 matches in time length ** (number of '%')
MAX_GROWTH = 100_000  # factor by which all replacements of a statement may lengthen a string

_LIKE: dict[type[exp.Expr], tuple[str, str]] = {
    exp.Like: ("~~", "like_escape"),
    exp.ILike: ("~~*", "ilike_escape"),
}


def _constant(node: exp.Expr | None) -> str | None:
    """Return the value of a string literal, or of several joined; None for any other expression."""
    literal = folded(node) if node is not None else None
    return str(literal.this) if isinstance(literal, exp.Literal) and literal.is_string else None


# --- LIKE and GLOB -------------------------------------------------------------------------------


@translates(*_LIKE)
def _like(node: exp.Expr, context: Context) -> str:
    """Translate LIKE and ILIKE. DuckDB's ILIKE backtracks, so it becomes LIKE of both in lower case."""
    value = expression(node.this, context)
    if isinstance(unwrap(node.args["expression"]), exp.Null):
        return _negated(node, call("~~", value, "NULL"))
    pattern = string(_pattern(node, "%", backtracking="_"))
    if isinstance(node, exp.ILike):
        value, pattern = call("lower", value), call("lower", pattern)
    return _negated(node, call("~~", value, pattern))


@translates(exp.Escape, arguments="this expression")
def _escape(node: exp.Expr, context: Context) -> str:
    like = node.this
    if type(like) not in _LIKE:
        raise refusals.of_node(node)
    check(like)
    pattern, mark = string(_pattern(like, "%", backtracking="")), expression(node.args["expression"], context)
    return _negated(like, call(_LIKE[type(like)][1], expression(like.this, context), pattern, mark))


@translates(exp.Glob, arguments="this expression")
def _glob(node: exp.Expr, context: Context) -> str:
    return call("~~~", expression(node.this, context), string(_pattern(node, "*", backtracking="")))


def _negated(node: exp.Expr, test: str) -> str:
    return f"(NOT {test})" if node.args.get("negate") else test


def _pattern(node: exp.Expr, wildcard: str, *, backtracking: str) -> str:
    """Return the constant pattern. If it contains `backtracking`, DuckDB 1.5 backtracks at each wildcard;
    every pattern contains an empty one.

    Errors: UnsupportedSqlError for a pattern that is not constant, or too costly.
    """
    pattern = _constant(node.args["expression"])
    if pattern is None:
        raise refusal(
            f"{node.key.upper()} takes a constant pattern",
            "A pattern made of columns may take very long.",
            "Write x LIKE 'a%', x LIKE 'a%' OR x LIKE 'b%' for LIKE ANY, or starts_with(x, y), "
            "contains(x, y) for what is in columns.",
            node,
        )
    pattern = re.sub(f"{re.escape(wildcard)}+", wildcard, pattern) if backtracking else pattern
    most = MAX_BACKTRACKING if backtracking in pattern else MAX_WILDCARDS
    if len(pattern) > MAX_PATTERN or pattern.count(wildcard) > most:
        raise refusal(
            "this pattern is too costly",
            f"It may have {MAX_PATTERN} characters and {MAX_WILDCARDS} wildcards {wildcard}, or "
            f"{MAX_BACKTRACKING} in GLOB, with ESCAPE or beside a wildcard _.",
            "Write a simpler pattern, or join several LIKE with AND.",
            node,
        )
    return pattern


# --- regular expressions -------------------------------------------------------------------------


@translates(exp.RegexpLike)
def _matches(node: exp.Expr, context: Context) -> str:
    if "start" not in node.meta:  # an operator, not a call
        raise refusal(
            "the operator ~ is not supported",
            "DuckDB 2.0 looks for the pattern anywhere, versions before it match the whole text.",
            "Write regexp_matches(text, 'pattern') or regexp_full_match(text, 'pattern').",
            node,
        )
    return _regexp("regexp_matches", node, ("flag",), context)


@translates(exp.RegexpFullMatch)
def _matches_whole(node: exp.Expr, context: Context) -> str:
    return _regexp("regexp_full_match", node, ("options",), context)


@translates(exp.SimilarTo)
def _similar(node: exp.Expr, context: Context) -> str:
    return _regexp("regexp_full_match", node, (), context)


@translates(exp.RegexpExtract)
def _extract(node: exp.Expr, context: Context) -> str:
    return _regexp("regexp_extract", node, ("group", "parameters"), context)


@translates(exp.RegexpExtractAll)
def _extract_all(node: exp.Expr, context: Context) -> str:
    return _regexp("regexp_extract_all", node, ("group", "parameters"), context)


def _regexp(name: str, node: exp.Expr, options: tuple[str, ...], context: Context) -> str:
    pattern = _constant(node.args["expression"])
    if pattern is not None and len(pattern) > MAX_PATTERN:
        raise refusal("this pattern is too long", f"It may have {MAX_PATTERN} characters.", "Split it.", node)
    if (
        pattern is not None and not context.conditional
    ):  # DuckDB may read it when there are rows, which is after the charge
        context.seen.constants.append(call("regexp_matches", "''", string(pattern)))
    return write_call(name, arguments_of(node, ("this", "expression", *options)), context)


# --- replacements --------------------------------------------------------------------------------


@translates(exp.Replace)
def _replace(node: exp.Expr, context: Context) -> str:
    _check_growth(node)
    return write_call("replace", arguments_of(node, ("this", "expression", "replacement")), context)


@translates(exp.RegexpReplace)
def _regexp_replace(node: exp.Expr, context: Context) -> str:
    _check_growth(node)
    return _regexp("regexp_replace", node, ("replacement", "modifiers"), context)


def _check_growth(node: exp.Expr) -> None:
    """Refuse replacements that together may lengthen a string by more than `MAX_GROWTH`."""
    if _growth(node) == 1:
        return
    growth = 1
    for other in node.root().find_all(exp.Replace, exp.RegexpReplace):
        growth *= _growth(other)
        if growth > MAX_GROWTH:
            raise refusal(
                "the replacements make texts too long",
                f"Together they may make a text {MAX_GROWTH:,} times as long; more can take all memory.",
                "Replace by shorter texts.",
                node,
            )


def _growth(node: exp.Expr) -> int:
    """Return the factor by which a replacement may lengthen a string."""
    new = _constant(node.args.get("replacement"))
    if new is None:
        raise refusal(
            "the replacement is a constant text",
            "One of any length could take all memory.",
            "Write replace(x, 'a', 'b').",
            node,
        )
    if isinstance(node, exp.Replace):
        old = _constant(node.args["expression"]) or " "
        return -(-len(new.encode()) // len(old.encode())) or 1
    if node.args.get("modifiers") is None:  # the first match only
        return 1 + new.count("\\")
    return len(new.encode()) + 1 if new else 1
