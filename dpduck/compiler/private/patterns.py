"""LIKE and regular expressions with constant patterns, of bounded cost."""

from __future__ import annotations

import re
from collections.abc import Callable

from sqlglot import exp

from dpduck.compiler.parse.constant_calls import folded
from dpduck.compiler.parse.nodes import if_a_text, refusal
from dpduck.compiler.private import domains
from dpduck.compiler.private.operands import ExpressionReader, constant_argument, constant_of
from dpduck.compiler.private.regex import MAX_PATTERN as MAX_REGEX
from dpduck.compiler.private.regex import Pattern, PatternError, count_references, read_pattern
from dpduck.compiler.private.strings import guard_growth, string_argument, string_constant
from dpduck.compiler.private.type_rules import BIGINT, BOOLEAN, INTEGER, VARCHAR
from dpduck.kernel.errors import UnsupportedSqlError
from dpduck.kernel.plan.expression import Typed
from dpduck.kernel.tree import build
from dpduck.kernel.tree.nodes import Comparison, Expression, Literal

MAX_PATTERN = 1_000
MAX_PATTERN_WILDCARDS = 20
MAX_REPLACED = 1_000  # bytes of a string in which all matches of a pattern that looks ahead are replaced

_HINT = "Write regexp_matches(x, '^a[0-9]+'), or LIKE 'a%'."


# --- LIKE ----------------------------------------------------------------------------------------


def like(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """Translate x [NOT] LIKE or ILIKE with a constant pattern."""
    constant = constant_of(folded(node.args["expression"]))
    pattern = None if constant is None else constant.value
    if constant is not None and pattern is None:
        return Typed.of(build.UNKNOWN, domains.BOOLEANS)
    if not isinstance(pattern, str) or "\0" in pattern:
        raise refusal(
            "LIKE takes a constant pattern",
            "One that is made of columns may take long on a row.",
            "Write name LIKE 'A%', and name LIKE 'A%' OR name LIKE 'B%' for LIKE ANY."
            + if_a_text(node.args["expression"]),
            node,
        )
    function, wanted, *flags = _like_call(_bounded_pattern(pattern, node))
    x = string_argument(reader, node, node.this).node
    form: Expression = build.string(wanted)
    if isinstance(node, exp.ILike):
        # Lower-casing both sides lets DuckDB use its linear matcher; its own ILIKE always backtracks.
        x, form = (build.call("lower", VARCHAR, one) for one in (x, form))
    test = build.call(function, BOOLEAN, x, form, *map(build.string, flags))
    return Typed.of(build.negated(test) if node.args.get("negate") else test, domains.BOOLEANS)


def _bounded_pattern(pattern: str, node: exp.Expr) -> str:
    """Return the pattern with runs of % merged. Errors: UnsupportedSqlError if matching may be slow."""
    pattern = re.sub("%+", "%", pattern)
    most = MAX_PATTERN if _is_linear(pattern) else MAX_REGEX
    if len(pattern) <= most and pattern.count("%") <= MAX_PATTERN_WILDCARDS:
        return pattern
    raise refusal(
        "this LIKE pattern is too costly",
        f"It may have {most} characters and {MAX_PATTERN_WILDCARDS} wildcards %; more may take long on a "
        "private row.",
        "Write a simpler pattern, or join several LIKE with AND.",
        node,
    )


def _is_linear(pattern: str) -> bool:
    """Whether DuckDB's LIKE matches in linear time. With '_', DuckDB 1.5 backtracks at each '%'."""
    return "_" not in pattern or pattern.count("%") <= 1


def _like_call(pattern: str) -> tuple[str, ...]:
    """Return the function that matches the pattern in linear time, and its arguments after the string.

    >>> _like_call("a%"), _like_call("%a_c%")
    (('~~', 'a%'), ('regexp_full_match', '.*a.c.*', 's'))
    """
    if _is_linear(pattern):
        return "~~", pattern
    return "regexp_full_match", "".join(map(_regex_of, pattern)), "s"


def _regex_of(character: str) -> str:
    """Return a character of a LIKE pattern as a regular expression.

    Letters get no backslash: ILIKE lower-cases the pattern, which would change \\S to \\s.
    """
    known = {"%": ".*", "_": "."}.get(character)
    if known is not None:
        return known
    special = character.isascii() and not character.isalnum() and character.isprintable()
    return "\\" + character if special else character


# --- regular expressions -------------------------------------------------------------------------


def regexp_test(name: str) -> Callable[[exp.Expr, ExpressionReader], Typed]:
    """Return the writer of regexp_matches(x, p [, flags]), regexp_full_match(x, p [, flags]), SIMILAR TO."""

    def handler(node: exp.Expr, reader: ExpressionReader) -> Typed:
        flags = node.args.get("flag") or node.args.get("options")
        pattern, _ = _pattern(node.args.get("expression"), node)
        arguments = [build.string(pattern), *_flags(flags, "ics", node)]
        test = build.call(name, BOOLEAN, string_argument(reader, node, node.this).node, *arguments)
        return Typed.of(test, domains.BOOLEANS)

    return handler


def regexp_extract(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """Translate regexp_extract(x, p [, group]): '' where nothing matches."""
    pattern, known = _pattern(node.args.get("expression"), node)
    hint = "Write regexp_extract(x, '([0-9]+)', 1)."
    group = constant_argument(node.args.get("group"), node, "the group", hint).value
    if not isinstance(group, int) or isinstance(group, bool) or not 0 <= group <= known.groups:
        raise refusal(
            f"the group is a whole number from 0 to {known.groups}",
            "The pattern has no more groups.",
            hint,
            node,
        )
    arguments = [build.string(pattern), build.literal(group, INTEGER)]
    x = string_argument(reader, node, node.this).node
    return Typed.of(build.call("regexp_extract", VARCHAR, x, *arguments))


def regexp_replace(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """Translate regexp_replace(x, p, r [, flags]): the first match, or all with 'g'."""
    pattern, known = _pattern(node.args.get("expression"), node)
    hint = "Write regexp_replace(x, '[0-9]+', '#', 'g')."
    new = string_constant(node.args.get("replacement"), node, "the replacement", hint)
    try:
        literal, references = count_references(new, known.groups)
    except PatternError as error:
        reason = str(error)
    else:
        reason = ""
    if reason:
        raise refusal("this replacement is not supported", f"{reason}.", hint, node)
    flags = _flags(node.args.get("modifiers"), "icsg", node)
    x = string_argument(reader, node, node.this).node
    if any("g" in str(flag.value) for flag in flags):
        x = _replaced_everywhere(x, known, literal, references, node)
    elif references > 1:
        x = guard_growth(x, 1, references, node)
    arguments = [build.string(pattern), build.string(new), *flags]
    return Typed.of(build.call("regexp_replace", VARCHAR, x, *arguments))


def _replaced_everywhere(
    x: Expression, known: Pattern, literal: int, references: int, node: exp.Expr
) -> Expression:
    if references == 0:
        x = guard_growth(x, known.shortest, literal, node)
    elif references > 1 or literal:
        x = guard_growth(x, 1, literal + references, node)
    if not known.looks_ahead:
        return x
    length = build.call("strlen", BIGINT, x)
    return build.only_where(Comparison("<=", length, build.digits(MAX_REPLACED)), x)


def _pattern(node: exp.Expr | None, call: exp.Expr) -> tuple[str, Pattern]:
    value = constant_argument(node, call, "a regular expression", _HINT).value
    if not isinstance(value, str) or "\0" in value:
        raise _bad_pattern("it is not text", call)
    try:
        return value, read_pattern(value)
    except PatternError as error:
        reason = str(error)
    raise _bad_pattern(reason, call)


def _bad_pattern(reason: str, call: exp.Expr) -> UnsupportedSqlError:
    return refusal(
        "this regular expression is not supported",
        f"{reason[:1].upper()}{reason[1:]}.",
        "Use characters, ., [a-z], (...), |, ^, $, \\b, \\d, \\w, \\s, *, +, ? and {n,m}.",
        call,
    )


def _flags(node: exp.Expr | None, known: str, call: exp.Expr) -> list[Literal]:
    if node is None:
        return []
    value = constant_argument(node, call, "the flags of a regular expression", _HINT).value
    if not isinstance(value, str) or not set(value) <= set(known) or len(value) > len(known):
        raise refusal(
            "these flags are not supported",
            f"Flags are the letters {', '.join(known)}.",
            "Write 'i' to ignore case.",
            call,
        )
    return [build.string(value)]
