"""What a call of an aggregate says: its name and argument, its FILTER, its bounds and its epsilon."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from sqlglot import exp

from dpduck.compiler.block.rows import SourceRows
from dpduck.compiler.block.value_bounds import Clamp
from dpduck.compiler.functions.expressions import conditions
from dpduck.compiler.functions.table import CALLS
from dpduck.compiler.parse.dialect import AggregateTerms
from dpduck.compiler.parse.nodes import is_literal, refusal, scalar, unwrap
from dpduck.compiler.write import call_names
from dpduck.kernel.accounting.amounts import parse_epsilon
from dpduck.kernel.errors.advice import PER_ROW, WithBounds
from dpduck.kernel.tree.nodes import Expression

_OF_PAIRS = (exp.CovarPop, exp.CovarSamp, exp.Corr, exp.RegrSlope, exp.RegrIntercept, exp.RegrR2)
_WITH_SHARES = (exp.Quantile, exp.ApproxQuantile, exp.PercentileCont, exp.PercentileDisc)


@dataclass(frozen=True)
class AggregateClause:
    """One aggregate call: its node, the conditions of FILTER, and its bounds and epsilon, if it sets them."""

    node: exp.Expr
    conditions: tuple[Expression, ...]
    clamp: Clamp | None = None
    epsilon: Fraction | None = None


def read_call(node: exp.Expr, rows: SourceRows) -> AggregateClause:
    """Return a call with its FILTER, bounds and epsilon. Errors: UnsupportedSqlError, ParameterError."""
    call = AggregateClause(node, ())
    while isinstance(call.node, (exp.Filter, AggregateTerms)):
        terms, inside = call.node.args, call.node.this
        if isinstance(call.node, exp.Filter):
            call = replace(call, conditions=conditions(terms["expression"].this, rows))
        if terms.get("per") is not None:
            clamp = Clamp.read(terms["low"], terms["high"], total=terms["per"] == "group")
            call = replace(call, clamp=clamp)
        if terms.get("epsilon") is not None:
            call = replace(call, epsilon=_epsilon(terms["epsilon"]))
        call = replace(call, node=inside)
    return call


def is_list(node: exp.Expr) -> bool:
    """Whether the node is a call of an aggregate that asks for a list of quantiles."""
    while isinstance(node, (exp.Filter, AggregateTerms)):
        node = node.this
    if isinstance(node, exp.WithinGroup):
        share = node.this.this
    else:
        share = node.args.get("expression") or node.args.get("quantile")
    return isinstance(share, exp.Expr) and isinstance(unwrap(share), exp.Array)


def only_argument(node: exp.Expr) -> exp.Expr:
    arguments = node.expressions if isinstance(node, exp.Anonymous) else [node.this]
    if isinstance(arguments[0] if arguments else None, exp.Distinct):
        raise refusal(
            f"{name_of(node)}(DISTINCT ...) is not supported",
            "Whether one person's value counts would depend on the values of others.",
            f"Write {name_of(node)}(x).",
            node,
        )
    if len(arguments) != 1 or not isinstance(arguments[0], exp.Expr):
        raise refusal(
            f"{name_of(node)} takes one argument",
            "It is a column or an expression.",
            f"Write {name_of(node)}(x).",
            node,
        )
    return arguments[0]


def name_of(node: exp.Expr) -> str:
    """Return the name of an aggregate in errors, as it is written."""
    node = _without_nulls(node)
    written = node.meta.get("name")
    return written.lower() if isinstance(written, str) else function_of(node)


def function_of(node: exp.Expr) -> str:
    """Return DuckDB's most common name of an aggregate, by which it is known here."""
    node = _without_nulls(node)
    if isinstance(node, exp.Anonymous):
        return str(node.this).lower()
    if isinstance(node, exp.Count):
        return "count"
    call = CALLS.get(type(node))
    return call.name if call is not None else call_names.short_name_of(node).lower()


def _without_nulls(node: exp.Expr) -> exp.Expr:
    while isinstance(node, (exp.IgnoreNulls, exp.RespectNulls, exp.WithinGroup)):
        node = node.this
    return node


def with_bounds(node: exp.Expr) -> WithBounds | None:
    """Return how bounds are written in a call; None if it takes none, as it has two arguments."""
    if isinstance(node, (exp.WithinGroup, *_OF_PAIRS)):
        return None
    argument = node.this
    is_alone = isinstance(argument, exp.Column) and not isinstance(node, _WITH_SHARES)
    inside = argument.sql("duckdb") if is_alone else "..."
    return WithBounds(f"{name_of(node)}({inside}, {PER_ROW.form})")


def name_of_call(node: exp.Expr) -> str:
    """Return what a call of an aggregate, with FILTER and bounds or not, is called in errors."""
    while isinstance(node, (exp.Filter, AggregateTerms)):
        node = node.this
    of_values = isinstance(node, exp.Count) and isinstance(node.this, exp.Distinct)
    return f"{name_of(node)}({'DISTINCT ' if of_values else ''}x)"


def is_number(node: exp.Expr) -> bool:
    node = unwrap(node)
    return isinstance(node, exp.Literal) and not node.is_string


def _epsilon(node: exp.Expr) -> Fraction:
    """Read the value of epsilon => 0.2. Errors: UnsupportedSqlError, ParameterError."""
    if not is_literal(node):
        raise refusal(
            "epsilon is a constant", "It is paid before a row is read.", "Write epsilon => 0.2.", node
        )
    return parse_epsilon(scalar(node))
