"""What a private clamp would gain where a policy bounds totals: the plan of the same query with that clamp.

Declared bounds may be far above what people usually have, which nothing public tells. So this says up to
which clamp there is less noise, and leaves the choice to who knows the data.
"""

from __future__ import annotations

import math
from functools import partial

from dpduck.answers.explain_errors import clamped_errors, of_sets
from dpduck.kernel.errors.advice import Audience, SetTo
from dpduck.kernel.plan.aggregates import Count, Sum
from dpduck.kernel.plan.compound import CompoundPlan
from dpduck.kernel.plan.cost import bound_of, error_of_totals, expected_error, places_of
from dpduck.kernel.plan.model import Plan
from dpduck.kernel.plan.names import requests_of

_LEAST = 4  # below a clamp of so much there is little to gain
_MOST_NAMED = 4  # numbers


def may_gain(plan: Plan | CompoundPlan) -> bool:
    """Whether a plan has totals whose bound may be a declared one."""
    requests = [measure.request for block in plan.blocks for measure in block.measures]
    return any(isinstance(one, Sum) or (isinstance(one, Count) and one.rows is not None) for one in requests)


def lines_of(plan: Plan | CompoundPlan, other: Plan | CompoundPlan, audience: Audience) -> list[str]:
    """Return a line of EXPLAIN, if any clamp below the declared bound makes a number more exact.

    Input: `other`: the plan of the same query with private clamps.
    """
    own = {name: width for block in plan.blocks for name, width in _errors(block).items()}
    clamped = {name: width for block in other.blocks for name, width in clamped_errors(block).items()}
    bounds = {name: bound for block in plan.blocks for name, bound in _bounds(block).items()}
    said = [
        f"{name} +-{width:,.3g} times the clamp in place of +-{_plain(own[name])}: "
        f"less noise for a clamp below {_plain(min(own[name] / width, bounds.get(name, math.inf)))}"
        for name, width in clamped.items()
        if name in own and own[name] > _LEAST * width
    ]
    setting = SetTo("dp_clamp", "'private'").text(audience)
    return [f"  clamp     with {setting}: {'; '.join(said[:_MOST_NAMED])}"] if said else []


def _plain(number: float) -> str:
    return f"{number:,.0f}" if number >= 1000 else f"{number:,.4g}"


def _errors(block: Plan) -> dict[str, float]:
    """Return the error of each number by its name; of grouping sets as `of_sets` does."""
    return of_sets(block, partial(error_of_totals, block)) if block.sets else expected_error(block)


def _bounds(block: Plan) -> dict[str, float]:
    """Return what a policy lets one unit move a number of a group by, by the names that `_errors` has."""
    bounds = {
        request.column: bound / 10 ** places_of(request)
        for request in requests_of(block)
        if (bound := bound_of(request)) is not None
    }
    if block.sets:
        return of_sets(block, lambda _: bounds)
    return {name: bounds[column] for name, column in block.shown if column in bounds}
