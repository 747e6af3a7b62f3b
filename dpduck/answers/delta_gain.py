"""What a delta would gain: the plan of the same query with Gaussian noise, from public facts alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from dpduck.answers.explain_errors import clamped_errors, of_sets
from dpduck.kernel.errors import decimal_text
from dpduck.kernel.errors.advice import Audience, SetTo
from dpduck.kernel.plan.compound import CompoundPlan
from dpduck.kernel.plan.cost import error_of_totals, expected_error
from dpduck.kernel.plan.model import Plan
from dpduck.kernel.plan.names import spoken
from dpduck.kernel.plan.prices import event_of

EXAMPLE = Fraction(1, 10**6)
_NOTED = 0.9  # times the error: what gains less is not said
_MOST_NAMED = 4  # numbers


@dataclass(frozen=True)
class WithDelta:
    """The plan of a query with `EXAMPLE` as its delta, which the budgets allow.

    `prices`: what it costs of budgets that add up something else than epsilon, by their names.
    """

    plan: Plan | CompoundPlan
    prices: tuple[tuple[str, Fraction], ...] = ()


@dataclass(frozen=True)
class _Width:
    """The half-width of a number at 95 %: in its own unit, or in clamps."""

    size: float
    in_clamps: bool = False

    def __str__(self) -> str:
        return f"+-{self.size:,.4g}{' clamps' if self.in_clamps else ''}"


def lines_of(
    plan: Plan | CompoundPlan,
    other: WithDelta,
    prices: Sequence[tuple[str, Fraction]] = (),
    audience: Audience = Audience.SQL,
) -> list[str]:
    """Return a line of EXPLAIN, if a delta makes any number clearly more exact.

    Input: `prices`: of the plan without a delta, as those of the other one.
    """
    own, found = _widths(plan), _widths(other.plan)
    pairs = [(name, found[name], own[name]) for name in own if name in found]
    if not any(new.in_clamps == old.in_clamps and new.size < _NOTED * old.size for _, new, old in pairs):
        return []
    named = ", ".join(f"{name} {new} in place of {old}" for name, new, old in pairs[:_MOST_NAMED])
    before, cost = dict(prices), event_of(other.plan)
    paid = [
        f"{name} {float(price):.4g} in place of {float(before.get(name, price)):.4g}"
        for name, price in other.prices
    ]
    paid = paid or [f"epsilon {decimal_text(cost.epsilon)} and delta {decimal_text(cost.delta)}"]
    return [f"  delta     with {SetTo('dp_delta', '1e-6').text(audience)}: {named}, for {', '.join(paid)}"]


def _widths(plan: Plan | CompoundPlan) -> dict[str, _Width]:
    """Return the error of each number by its name; of several with one name, that of the last.

    Each grouping set has numbers of its own, since one plan may be noisy where another one is not.
    """
    found: dict[str, _Width] = {}
    for block in plan.blocks:
        totals = partial(error_of_totals, block)
        errors = of_sets(block, totals) if block.sets else expected_error(block)
        found |= {spoken(name): _Width(size) for name, size in errors.items()}
        clamped = clamped_errors(block)
        found |= {name: _Width(size, in_clamps=True) for name, size in clamped.items()}
    return found
