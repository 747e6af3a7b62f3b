"""Which quantiles have intervals: those of which the query asks for dp_low or dp_high.

Unlike the interval of a count, which follows from its noise, that of a quantile is selected, and has two
thirds of its epsilon. So a query that does not ask for it does not pay for it.
"""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from dpduck.compiler.block.aggregate_calls import is_list
from dpduck.compiler.parse.nodes import refusal
from dpduck.kernel.mechanisms.quantile_intervals import IntervalKind
from dpduck.kernel.plan.aggregates import Aggregate, Mode, Quantile

_NUMBERS = ("integer", "decimal", "float")


def with_interval(request: Aggregate, *, population: bool) -> Aggregate:
    """Return a quantile with an interval; any other request as it is."""
    return replace(request, interval=IntervalKind(population)) if isinstance(request, Quantile) else request


def check_one(argument: exp.Expr, name: str, node: exp.Expr) -> None:
    """Refuse a list of quantiles, which has no interval as a whole. Errors: UnsupportedSqlError."""
    if is_list(argument):
        raise refusal(
            f"{name} takes one quantile",
            "A list has no ends, but each of its quantiles has.",
            "Write quantile_cont(x, 0.25) AS q, dp_low(q), dp_high(q).",
            node,
        )


def check_bound(request: Aggregate, bound: str, name: str, node: exp.Expr) -> None:
    """Refuse bounds that what is selected from the data does not have. Errors: UnsupportedSqlError."""
    if isinstance(request, Mode) and bound in ("low", "high"):
        raise refusal(
            f"{name} takes a number",
            "The value that comes most often has no interval; dp_gap says how far it is ahead.",
            "Leave it out.",
            node,
        )
    if isinstance(request, Quantile) and bound not in ("low", "high"):
        raise refusal(
            f"{name} takes a count, a sum or an average",
            "A quantile is selected by its rank, not among groups or values that compete.",
            "Write dp_low and dp_high, the ends of its interval.",
            node,
        )


def check_difference(first: Aggregate, second: Aggregate, bound: str, node: exp.Expr) -> None:
    """Refuse bounds of a difference that quantiles in it do not have. Errors: UnsupportedSqlError."""
    quantiles = [one for one in (first, second) if isinstance(one, Quantile)]
    if quantiles and bound == "p_value":
        raise refusal(
            "the difference of quantiles has no p-value",
            "How likely a quantile deviates by an amount depends on values that are not known.",
            "Write dp_low and dp_high of the difference: whether 0 is between them says as much.",
            node,
        )
    for one in quantiles:
        if one.value.type.kind not in _NUMBERS:
            raise refusal(
                "the difference of quantiles that are no numbers has no interval",
                f"They are of type {one.type}.",
                "Write dp_low and dp_high of each.",
                node,
            )
