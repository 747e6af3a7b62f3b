"""Reads statistics of second moments over private rows: variances, covariances, correlations and lines.

They need what an average needs: a public range of each argument.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from sqlglot import exp

from dpduck.compiler.block.aggregate_calls import AggregateClause, function_of, name_of, only_argument
from dpduck.compiler.block.written import written
from dpduck.compiler.parse.nodes import refusal, unwrap
from dpduck.compiler.private.bounds import Bounds
from dpduck.kernel.errors import UnsupportedSqlError
from dpduck.kernel.plan.aggregates import Aggregate, Axis, Count, Moments
from dpduck.kernel.tree import build

if TYPE_CHECKING:
    from dpduck.compiler.block.aggregates import Aggregates

NODES = (
    exp.Stddev,
    exp.StddevSamp,
    exp.StddevPop,
    exp.Variance,
    exp.VariancePop,
    exp.CovarPop,
    exp.CovarSamp,
    exp.Corr,
    exp.RegrSlope,
    exp.RegrIntercept,
    exp.RegrR2,
)
_OTHER_NAMES = {"stddev": "stddev_samp", "variance": "var_samp"}
_TICKS = {1: 2**30, 2: 2**20}  # by the number of arguments: the weights of 2^46 rows fit a sum
_LARGEST = Fraction(10) ** 30  # of ranges: their powers are doubles then, and not 0

_FAR = (
    "It divides high powers of distances from a noisy mean by powers of a noisy variance: of most data noise "
    "would be larger than it is."
)
_SPREAD = "Write stddev(x), and quantile_cont(x, [0.05, 0.5, 0.95]) for the shape."
REFUSED = {
    "skewness": (_FAR, _SPREAD),
    "kurtosis": (_FAR, _SPREAD),
    "kurtosis_pop": (_FAR, _SPREAD),
    "mad": (
        "It is a median of distances from another median, and a person who moves that moves all distances.",
        "Write stddev(x), or half of the distance between the quartiles: quantile_cont(x, [0.25, 0.75]).",
    ),
}


def refused(call: exp.Expr, node: exp.Expr) -> UnsupportedSqlError:
    """Return the error for a statistic that is not supported. Input: its call, of a function in `REFUSED`."""
    return refusal(f"the aggregate {name_of(call)} is not supported", *REFUSED[function_of(call)], node)


def statistic(reader: Aggregates, call: AggregateClause, column: str) -> tuple[Aggregate, ...]:
    """Read a statistic of one argument, or of a pair (y, x)."""
    asked = function_of(call.node)
    name = _OTHER_NAMES.get(asked, asked)
    arguments = _pair(call) if "expression" in call.node.arg_types else (only_argument(call.node),)
    axes = tuple(_axis(reader, unwrap(argument), call, _TICKS[len(arguments)]) for argument in arguments)
    rows = None if call.clamp is not None and call.clamp.total else reader.rows_bound
    return (Moments(column, call.conditions, name, axes, rows),)


def _axis(reader: Aggregates, argument: exp.Expr, call: AggregateClause, ticks: int) -> Axis:
    value = reader.number(argument, call)
    bounds = reader.public_range(argument, value, call)
    _check_range(bounds, call)
    clamping = reader.clamping(argument, value, call, bounds)
    return Axis(value, bounds.low, bounds.high, ticks, clamping, written(argument).text)


def _check_range(bounds: Bounds, call: AggregateClause) -> None:
    """Refuse a range of which powers are not doubles."""
    width, end = bounds.high - bounds.low, max(abs(bounds.low), abs(bounds.high))
    if width >= 1 / _LARGEST and end <= _LARGEST and float(width) > float(end) * 2.0**-40:
        return
    reason = "Squares of its width are computed in doubles" if width else "It is one number"
    raise refusal(
        f"the range is too {'wide' if end > _LARGEST else 'narrow'} for {name_of(call.node)}",
        f"{reason}.",
        "Write greatest(least(x, 100), 0), or declare such a PRIVACY DOMAIN.",
        call.node,
    )


def _pair(call: AggregateClause) -> tuple[exp.Expr, exp.Expr]:
    """Return the two arguments of a call. Errors: UnsupportedSqlError if it bounds them as one."""
    first, second, name = call.node.this, call.node.args.get("expression"), name_of(call.node)
    if not isinstance(first, exp.Expr) or isinstance(first, exp.Distinct) or not isinstance(second, exp.Expr):
        raise refusal(
            f"{name} takes two arguments",
            "They are columns or expressions.",
            f"Write {name}(y, x).",
            call.node,
        )
    if call.clamp is not None:
        raise refusal(
            f"{name} takes no contribution bounds",
            "It has two arguments, and they would be bounds of one.",
            f"Write {name}(y, x) of columns with a PRIVACY DOMAIN, or of expressions with a range.",
            call.node,
        )
    return first, second


def _beside(reader: Aggregates, call: AggregateClause, other: exp.Expr) -> AggregateClause:
    """Return the call with the condition that the other argument, a number, is not NULL."""
    value = reader.number(unwrap(other), call)
    return replace(call, conditions=(*call.conditions, build.is_present(value.node)))


def count_of_pairs(reader: Aggregates, call: AggregateClause, column: str) -> tuple[Aggregate, ...]:
    """regr_count(y, x): the rows, or units, that have both."""
    for argument in _pair(call):
        call = _beside(reader, call, argument)
    return (Count(column, call.conditions, rows=reader.rows_bound, type="UINTEGER"),)


def mean_of_x(reader: Aggregates, call: AggregateClause, column: str) -> tuple[Aggregate, ...]:
    """regr_avgx(y, x)."""
    y, x = _pair(call)
    return (reader.mean_of(x, _beside(reader, call, y), column),)


def mean_of_y(reader: Aggregates, call: AggregateClause, column: str) -> tuple[Aggregate, ...]:
    """regr_avgy(y, x)."""
    y, x = _pair(call)
    return (reader.mean_of(y, _beside(reader, call, x), column),)
