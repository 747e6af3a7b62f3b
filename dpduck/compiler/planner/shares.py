"""Divides a budget: between the aggregates of a block, and between the blocks of a query."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpduck.kernel.accounting.amounts import DELTA_PLACES
from dpduck.kernel.plan.cost import weight
from dpduck.kernel.plan.model import Plan

_SHARES = 10_000  # epsilon is divided in multiples of one such part


@dataclass(frozen=True)
class Share:
    """What one block may spend."""

    epsilon: Fraction
    delta: Fraction = Fraction(0)


def divided(epsilon: Fraction, weights: Sequence[float]) -> list[Fraction]:
    """Divide epsilon in proportion to the square roots of the weights; the shares add up to it exactly."""
    return _in_proportion(epsilon, [math.sqrt(weight) for weight in weights])


def _in_proportion(epsilon: Fraction, sizes: Sequence[float]) -> list[Fraction]:
    if not sizes:
        return []
    steps = [max(1, math.floor(_SHARES * size / sum(sizes))) for size in sizes]
    steps[steps.index(max(steps))] += _SHARES - sum(steps)
    return [epsilon * step / _SHARES for step in steps]


def shares_of(plans: Sequence[Plan], epsilon: Fraction, delta: Fraction) -> tuple[Share, ...]:
    """Divide a budget between blocks, each of which was planned as if it had all of it.

    Epsilon is divided as if all aggregates stood in one SELECT, so that the sum of all errors is least.
    Delta is divided between the blocks that spend it: to find keys in private rows, or on Gaussian noise.
    """
    parts = _equal_parts(delta, sum(map(_spends_delta, plans)))
    deltas = [next(parts) if _spends_delta(plan) else Fraction(0) for plan in plans]
    return tuple(map(Share, _in_proportion(epsilon, list(map(_size, plans))), deltas))


def _equal_parts(delta: Fraction, number: int) -> Iterator[Fraction]:
    """Yield parts that add up to delta, each a decimal that the ledger can record, as it may be the only one
    that is spent: with its own part a block may have less noise without Gaussian noise."""
    if number:
        part = Fraction(delta * 10**DELTA_PLACES // number, 10**DELTA_PLACES)
        yield delta - part * (number - 1)
        yield from itertools.repeat(part, number - 1)


def _spends_delta(plan: Plan) -> bool:
    return plan.selection.delta > 0 or any(measure.delta > 0 for measure in plan.measures)


def _size(plan: Plan) -> float:
    """The sum of the square roots of the weights of a block's parts; what selects its groups is a part."""
    roots = [math.sqrt(weight(measure.request, measure.groups)) for measure in plan.measures]
    return sum(roots) + (max(roots, default=1.0) if plan.selection.epsilon else 0.0)
