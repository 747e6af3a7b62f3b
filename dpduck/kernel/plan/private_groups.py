"""Where in how many groups a unit counts can be chosen privately, and why not elsewhere.

All of it is a function of the plan, which is public.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from dpduck.kernel.mechanisms.chosen_groups import can_choose_groups
from dpduck.kernel.plan.aggregates import Aggregate, Count
from dpduck.kernel.plan.model import EveryKey, FoundKeys, Measure, Plan

FEWEST = 4  # groups that a unit may be in: one choice of 2, for a tenth of epsilon

# Why a number has no private choice: a bound on groups holds; keys are found in private rows, which needs
# one; totals add up groups; groups are ranked; it is no count; a unit may be in too few groups; epsilon
# is too small.
NoChoice = Literal["bound", "found", "totals", "ranks", "kind", "few", "epsilon"]


def can_be_chosen(request: Aggregate, epsilon: Fraction, groups: int) -> bool:
    """Return whether in how many groups a unit counts can be chosen for a number of all groups of a domain.

    Input: its share of epsilon; the most groups that a unit may be in.
    """
    if not isinstance(request, Count) or groups < FEWEST:
        return False
    return can_choose_groups(epsilon, groups, request.rows or 1)


def why_not(request: Aggregate, plan: Plan) -> NoChoice | None:
    """Return why a number that a plan has without the choice has none; None if there is nothing to choose.

    Input: not a `ChosenCount`.
    """
    if not plan.keys or plan.asked.one_row:
        return None
    if plan.asked.most is not None:
        return "bound"
    if plan.sets:
        return "totals"
    if not isinstance(plan.selection, EveryKey):
        return "found" if isinstance(plan.selection, FoundKeys) else "ranks"
    measure = next((one for one in plan.measures if request in one.requests), None)
    if measure is None or measure.groups == 1:
        return None
    if not isinstance(request, Count):
        return "kind"
    if measure.groups < FEWEST:
        return "few"
    return "ranks" if plan.cut.columns else "epsilon"


def would_be_chosen(plan: Plan) -> bool:
    """Return whether a count of a plan without the choice would have it, if the query asked for it."""
    is_asked, ranks = plan.asked.private_groups, plan.sets or plan.cut.columns
    if is_asked or ranks or plan.asked.most is not None or not isinstance(plan.selection, EveryKey):
        return False
    return any(map(_can_be_chosen, plan.measures))


def _can_be_chosen(measure: Measure) -> bool:
    return can_be_chosen(measure.request, measure.epsilon, measure.groups)
