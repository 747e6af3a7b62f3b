"""Translates SQL over public relations: tables that the data owner published, and released rows.

It is post-processing and costs nothing, but an analyst's text never reaches DuckDB: each node of the parsed
query is translated by an allow-list (`registry`), functions by their qualified names, and a node, argument,
function or type that is not listed is refused.

    public_query(tree, relations)        a query over public tables and blocks that the caller translates
    public_expression(node, relations)   one expression, over columns that the caller translates
    constant_limit, nulls_suffix         LIMIT and OFFSET as numbers, and the position of NULL in ORDER BY
"""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from dpduck.compiler.parse.nodes import refusal
from dpduck.compiler.public import expressions as _expressions  # noqa: F401 (registers translations)
from dpduck.compiler.public import patterns as _patterns  # noqa: F401 (registers translations)
from dpduck.compiler.public import registry
from dpduck.compiler.public import rules as _rules  # noqa: F401 (registers translations)
from dpduck.compiler.public.computed_ends import computed_ends
from dpduck.compiler.public.context import Block, Context, Relations, Seen
from dpduck.compiler.public.expansion import check_filters
from dpduck.compiler.public.ordering import nulls_suffix
from dpduck.compiler.public.queries import constant_limit
from dpduck.compiler.public.registry import ALLOWED
from dpduck.kernel.tree.answer import AnswerExpression

__all__ = [
    "ALLOWED",
    "MAX_SQL",
    "Relations",
    "constant_limit",
    "nulls_suffix",
    "public_expression",
    "public_query",
]

MAX_SQL = 200_000  # characters of a translation


def public_query(node: exp.Query, relations: Relations) -> str:
    """Translate a query.

    Input: a parsed query whose parameters are bound and whose CTEs are inlined; `relations` resolves
    its tables.
    Output: SQL whose columns have the names, types and values of the query in plain DuckDB.
    Errors: UnsupportedSqlError, UnknownNameError, and those of `relations`.
    """
    check_filters(node)
    return _bounded(lambda context: registry.query(node, context), Context(relations))


def public_expression(node: exp.Expr, relations: Relations) -> AnswerExpression:
    """Translate one expression over the rows of a release.

    Input: `relations.value` translates each key and aggregate. It is not called for the function of a window,
    such as sum in sum(count(*)) OVER (), which is computed from the released rows.
    Output: SQL in which names that `relations` does not translate are quoted.
    Errors: UnsupportedSqlError, also for an aggregate that `relations` does not translate.
    """
    text, seen = _written(node, relations)
    return AnswerExpression(
        text,
        seen.column,
        frozenset(seen.reads),
        seen.windowed,
        seen.ranged,
        tuple(seen.divisions),
        tuple(seen.differences),
        computed_ends(node, relations, lambda node, relations: _written(node, relations)[0]),
    )


def _written(node: exp.Expr, relations: Relations) -> tuple[str, Seen]:
    context = Context(relations, Block(released=True))
    return _bounded(lambda context: registry.expression(node, context), context), context.seen


def _bounded(write: Callable[[Context], str], context: Context) -> str:
    """Return the translation, and pass its constant expressions to `relations`.

    Errors: UnsupportedSqlError if it is too long with its aliases expanded, nested too deeply, or recursive.
    """
    text: str | None = None
    try:
        text = write(context)
    except RecursionError:
        text = None
    if text is None or len(text) > MAX_SQL:
        raise refusal(
            "the query is too large",
            f"Written in full, with what its aliases stand for, it has more than {MAX_SQL:,} characters or "
            "is nested too deeply.",
            "Split it, or shorten its lists of constants.",
        )
    for constant in context.seen.constants:
        context.relations.constant(constant)
    return text
