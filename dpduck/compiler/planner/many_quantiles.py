"""Decides which quantiles share epsilon: those of the same values, which recursion answers together.

That is so whatever the account: for two quantiles the error is about that of each apart, for more it is
less, in epsilon as in rho, where recursion costs more rho at the same epsilon. A quantile with an interval
stays apart: its ends are wanted at ranks that the parts of a recursion, which noise divides, do not have.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from fractions import Fraction

from dpduck.kernel.plan.aggregates import Aggregate, Quantile, Quantiles


def together(requests: Sequence[Aggregate]) -> tuple[Aggregate, ...]:
    """Return the requests, those that share epsilon as one, in the place of the first of them."""
    alike: dict[Hashable, list[Aggregate]] = {}
    for number, request in enumerate(requests):
        alike.setdefault(_values_of(request) or number, []).append(request)
    return tuple(_as_one(found) for found in alike.values())


def _values_of(request: Aggregate) -> Hashable:
    """What is the same for quantiles of the same values: all but which of them, as what, and its name.

    None of others, of quantiles with intervals, and of the least and largest value.
    """
    if not isinstance(request, Quantile) or request.interval is not None or request.extreme:
        return None
    return replace(request, column="", quantile=Fraction(0), type="")


def _as_one(requests: Sequence[Aggregate]) -> Aggregate:
    quantiles = tuple(request for request in requests if isinstance(request, Quantile))
    if len(quantiles) < 2:
        return requests[0]
    first = quantiles[0]
    shares = [request.epsilon for request in quantiles if request.epsilon is not None]
    epsilon = sum(shares, Fraction(0)) if shares else None
    return Quantiles(first.column, first.conditions, quantiles, epsilon=epsilon)
