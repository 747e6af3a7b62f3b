"""Which noise a summary gets: of those that its statement and its budgets allow, the one of the least error.

Budgets that add up rho or mu squared price the two differently. As of queries, the one is taken there that
would have the least error at an equal price, of those whose error is at most 1.5 times the least.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from dpduck.answers.summary_preparation import PreparedSummary
from dpduck.kernel.accounting.composition import cost_of
from dpduck.kernel.accounting.events import Event
from dpduck.kernel.accounting.measures import MEASURES
from dpduck.kernel.catalog.statements import CreateSummary
from dpduck.kernel.errors import decimal_text
from dpduck.kernel.ledger import BudgetStatus
from dpduck.policies.accounts import USUAL_DELTA, most_queries
from dpduck.summaries.design import Candidate, Design, Kind, designs

_MOST_ERROR = 1.5  # times the least error, for a lower price in rho or mu^2


@dataclass(frozen=True, eq=False)
class ChosenDesign:
    """The design that is taken, of all candidates. `prices`: in rho or mu squared, by kind of noise."""

    taken: Candidate
    candidates: Sequence[Candidate]
    prices: Mapping[Kind, Fraction]

    @property
    def design(self) -> Design:
        """The design that is taken."""
        return self.taken.design


def chosen(create: CreateSummary, prepared: PreparedSummary, budgets: Sequence[BudgetStatus]) -> ChosenDesign:
    """The design of a summary. Errors: as `designs`."""
    candidates = designs(create, prepared.rows, prepared.charts)
    prices = {one.design.kind: price for one in candidates if (price := _price(one.design.event, prepared))}
    fitting = [one for one in candidates if _fits(one.design.event, budgets)] or candidates
    least = min(one.error for one in fitting)
    near = [one for one in fitting if one.error <= least * _MOST_ERROR]
    taken = min(near, key=lambda one: one.error * math.sqrt(prices.get(one.design.kind, 1)))
    return ChosenDesign(taken, candidates, prices)


def _fits(event: Event, budgets: Sequence[BudgetStatus]) -> bool:
    left = most_queries(budgets, event)
    return left is None or left[0] > 0


def _price(event: Event, prepared: PreparedSummary) -> Fraction | None:
    if prepared.accounting == "pure":
        return None
    return MEASURES[prepared.accounting].of(cost_of(event))


def plan_lines(choice: ChosenDesign, create: CreateSummary, prepared: PreparedSummary) -> list[str]:
    """What EXPLAIN says of the kinds of noise; nothing if the statement names one."""
    if create.noise != "auto":
        return []
    lines = []
    for one in choice.candidates:
        arrow = "->" if one is choice.taken else "  "
        price = ""
        if one.design.kind in choice.prices:
            measure = MEASURES[prepared.accounting]
            price = f", {measure.name} {float(choice.prices[one.design.kind]):.3g}"
        lines.append(f"  plan      {arrow} {one.design.kind} noise: error {one.error:,.2f}{price}")
    if not create.delta:
        other = designs(replace(create, delta=USUAL_DELTA), prepared.rows, prepared.charts)
        lines += [
            f"  plan         gaussian noise: error {one.error:,.2f}, with DELTA 1e-6"
            for one in other
            if one.design.kind == "gaussian"
        ]
    return lines


def cost_text(event: Event) -> str:
    """What a summary costs, in words."""
    delta = f" and delta {decimal_text(event.delta)}" if event.delta else ""
    return f"epsilon {decimal_text(event.epsilon)}{delta}"
