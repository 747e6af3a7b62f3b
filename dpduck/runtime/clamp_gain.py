"""What a private clamp would gain where a policy bounds totals: the plan of the same query with that clamp.

Declared bounds may be far above what people usually have, which nothing public tells. So this says up to
which clamp there is less noise, and leaves the choice to who knows the data.
"""

from __future__ import annotations

from dpduck.errors.advice import Audience, SetTo
from dpduck.query.plan.aggregates import ClampedSum, Count, Sum
from dpduck.query.plan.compound import CompoundPlan
from dpduck.query.plan.cost import expected_error, width_per_clamp
from dpduck.query.plan.model import Plan
from dpduck.query.plan.names import names_of

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
    own = {name: width for block in plan.blocks for name, width in expected_error(block).items()}
    said = [
        f"{name} +-{width:,.3g} times the clamp in place of +-{_plain(own[name])}: "
        f"less noise for a clamp below {_plain(own[name] / width)}"
        for name, width in _clamped(other).items()
        if name in own and own[name] > _LEAST * width
    ]
    setting = SetTo("dp_clamp", "'private'").text(audience)
    return [f"  clamp     with {setting}: {'; '.join(said[:_MOST_NAMED])}"] if said else []


def _plain(number: float) -> str:
    return f"{number:,.0f}" if number >= 1000 else f"{number:,.4g}"


def _clamped(plan: Plan | CompoundPlan) -> dict[str, float]:
    """The half-width of each sum with a private clamp, in clamps, by its name."""
    return {
        name: width_per_clamp(measure)
        for block in plan.blocks
        for measure in block.measures
        if isinstance(measure.request, ClampedSum)
        for name in names_of(measure.request, block)
    }
