"""Reads quantiles and modes of private rows: a median, the lowest and highest values, a list of quantiles."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from sqlglot import exp

from dpduck.compiler.block.aggregate_calls import AggregateClause, name_of, only_argument, with_bounds
from dpduck.compiler.block.key_types import check_key_type, column_of
from dpduck.compiler.block.left_out import may_differ
from dpduck.compiler.block.missing import together
from dpduck.compiler.block.missing_range import no_range
from dpduck.compiler.block.value_bounds import ends_of, example_grid, grid_of
from dpduck.compiler.parse.nodes import is_literal, refusal, scalar, unwrap
from dpduck.compiler.write.result_types import quantile_type
from dpduck.kernel.catalog.model import RangeDomain
from dpduck.kernel.catalog.types import parse_number
from dpduck.kernel.errors.advice import PER_ROW, Hint
from dpduck.kernel.plan.aggregates import Aggregate, Mode, Quantile
from dpduck.kernel.plan.expression import Typed
from dpduck.kernel.plan.grid_sql import candidate_type
from dpduck.kernel.plan.keys import Key, unique_name

if TYPE_CHECKING:
    from dpduck.compiler.block.aggregates import Aggregates

MAX_QUANTILES = 100
_PARTS = 1 << 16  # of the most weight of a unit, which its rows share; of more rows some have none


def median(of: Aggregates, call: AggregateClause, column: str) -> tuple[Aggregate, ...]:
    """median(x)."""
    return (_quantile(of, only_argument(call.node), Fraction(1, 2), call, column, discrete=False),)


def minimum(of: Aggregates, call: AggregateClause, column: str) -> tuple[Aggregate, ...]:
    """min(x), as far out as noise lets it be seen."""
    return (_quantile(of, only_argument(call.node), Fraction(0), call, column, discrete=True),)


def maximum(of: Aggregates, call: AggregateClause, column: str) -> tuple[Aggregate, ...]:
    """max(x), the same from above."""
    return (_quantile(of, only_argument(call.node), Fraction(1), call, column, discrete=True),)


def quantile(of: Aggregates, call: AggregateClause, column: str) -> tuple[Aggregate, ...]:
    """quantile_cont(x, 0.5), or of a list."""
    share = call.node.args.get("quantile") or call.node.args.get("expression")
    discrete = not isinstance(call.node, exp.PercentileCont)
    return _quantiles(of, call.node.this, share, call, column, discrete=discrete)


def within_group(of: Aggregates, call: AggregateClause, column: str) -> tuple[Aggregate, ...]:
    """percentile_cont(0.5) WITHIN GROUP (ORDER BY x)."""
    inner, order = call.node.this, call.node.args["expression"].expressions
    if not isinstance(inner, (exp.PercentileCont, exp.PercentileDisc, exp.Mode)) or len(order) != 1:
        raise refusal(
            "this WITHIN GROUP is not supported", "Only quantiles are.", "Write median(x).", call.node
        )
    value, descending = order[0].this, bool(order[0].args.get("desc"))
    if isinstance(inner, exp.Mode):
        return mode(of, replace(call, node=exp.Mode(this=value)), column)
    discrete = isinstance(inner, exp.PercentileDisc)
    return _quantiles(of, value, inner.this, call, column, discrete=discrete, mirrored=descending)


def _quantiles(
    of: Aggregates,
    argument: exp.Expr,
    share: exp.Expr | None,
    call: AggregateClause,
    column: str,
    *,
    discrete: bool,
    mirrored: bool = False,
) -> tuple[Aggregate, ...]:
    share = None if share is None else unwrap(share)
    if isinstance(share, exp.Array):
        if not 0 < len(share.expressions) <= MAX_QUANTILES:
            raise refusal(
                f"a list has 1 to {MAX_QUANTILES} quantiles",
                "Each costs a share of epsilon.",
                "Ask for fewer.",
                call.node,
            )
        shares = [_share(unwrap(node), call.node) for node in share.expressions]
        return tuple(
            _quantile(of, argument, 1 - q if mirrored else q, call, f"{column}_{i}", discrete=discrete)
            for i, q in enumerate(shares)
        )
    q = _share(share, call.node)
    return (_quantile(of, argument, 1 - q if mirrored else q, call, column, discrete=discrete),)


def _quantile(
    of: Aggregates, argument: exp.Expr, q: Fraction, call: AggregateClause, column: str, *, discrete: bool
) -> Quantile:
    value = of.value(argument, call)
    if call.clamp is not None and call.clamp.total:
        raise refusal(
            f"{name_of(call.node)} takes no contribution_bounds_per_group",
            "A quantile is a value, not a total.",
            Hint.of("Write ", PER_ROW, "."),
            call.node,
        )
    argument = unwrap(argument)
    domain = _grid(of, argument, of.with_values(value), call)
    clamping = of.clamping(argument, value, call, ends_of(domain))
    answer = value.type.name if discrete else quantile_type(value.type)
    key = Key(unique_name(column_of(value), ()), candidate_type(value.type).name, domain)
    rows = None if of.owned.one_row else of.rows_bound
    parts = None if of.owned.one_row else max(_PARTS // (rows or 1), 1)
    return Quantile(column, call.conditions, value, key, domain, q, answer, rows, parts, clamping)


def mode(of: Aggregates, call: AggregateClause, column: str) -> tuple[Aggregate, ...]:
    """mode(x)."""
    value = of.with_values(of.value(only_argument(call.node), call))
    check_key_type(value, call.node)
    key = Key(unique_name(column_of(value), ()), value.type.name, value.domain)
    partial = key.domain is not None and may_differ(value, of.owned)
    return (Mode(column, call.conditions, value, key, partial),)


def _grid(of: Aggregates, argument: exp.Expr, value: Typed, call: AggregateClause) -> RangeDomain:
    """Return the grid of a quantile. One that is missing is noted, and reading goes on with any other."""
    grid = grid_of(argument, value, call.clamp, of, of.tests_of(call))
    if grid is not None:
        return grid
    of.missing.append(no_range(value, argument, of, bounded=with_bounds(call.node)))
    other = example_grid(value.type)
    if other is None:
        raise together(of.missing)
    return other


def _share(node: exp.Expr | None, call: exp.Expr) -> Fraction:
    number = parse_number(scalar(node)) if node is not None and is_literal(node) else None
    if number is None or not 0 < number < 1 or number.denominator > 10_000:
        raise refusal(
            "the quantile must be a constant between 0 and 1",
            "It may have up to four decimal places.",
            "Write quantile_cont(x, 0.25), or quantile_cont(x, [0.25, 0.75]).",
            call,
        )
    return number
