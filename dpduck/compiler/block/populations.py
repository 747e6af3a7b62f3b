"""Aggregates whose intervals hold for the population that the units of a table are a sample of.

A session asks for them with SET dp_interval = 'population'. The interval of an average then needs the
variance of the values, so it is read as a statistic of moments; a proportion, of values that are one of two,
does not, as its own size says it. Of quantiles see `mechanisms.quantile_intervals`. Sums and counts have no
value in a population, or none that noisy sums tell.
"""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from dpduck.compiler.parse.nodes import refusal
from dpduck.kernel.errors.advice import Hint, SetTo
from dpduck.kernel.mechanisms.populations import FOURTH, STATISTICS
from dpduck.kernel.plan.aggregates import Aggregate, Axis, Mean, Moments, Quantile

_TICKS_OF_SQUARES, _TICKS_OF_FOURTH_POWERS = 2**30, 2**20  # the weights of 2^46 rows fit a sum


def of_population(request: Aggregate) -> Aggregate:
    """Return the request with an interval for the population, if it has one; else as it is."""
    match request:
        case Mean() if _is_proportion(request):
            return replace(request, population=True)
        case Mean(value=value, low=low, high=high, rows=rows, clamping=clamping):
            axis = Axis(value, low, high, _TICKS_OF_SQUARES, clamping)
            return Moments(request.column, request.conditions, "avg", (axis,), rows, population=True)
        case Moments(statistic=statistic, axes=axes) if statistic in STATISTICS:
            if statistic in FOURTH:
                axes = tuple(replace(axis, ticks=_TICKS_OF_FOURTH_POWERS) for axis in axes)
            return replace(request, axes=axes, population=True)
    return request


def _is_proportion(request: Mean) -> bool:
    """Whether every value is one of the ends of the range."""
    return request.value.type.kind == "integer" and request.high - request.low == 1


def check_population(request: Aggregate, name: str, node: exp.Expr) -> None:
    """Refuse dp_low and dp_high of what has no interval for a population. Errors: UnsupportedSqlError."""
    if isinstance(request, Quantile) or (isinstance(request, (Mean, Moments)) and request.population):
        return
    raise refusal(
        f"{name} of this number is not known for a population",
        "Averages, quantiles, variances, covariances and regression lines have such an interval; counts, "
        "sums and correlations have one for the table.",
        Hint.of("Write ", SetTo("dp_interval", "'table'"), f", or leave {name} out."),
        node,
    )
