"""What the 95 % interval of a released number covers, from public facts alone."""

from __future__ import annotations

from typing import Literal, get_args

from dpduck.kernel.plan import aggregates
from dpduck.kernel.plan.aggregates import Aggregate
from dpduck.kernel.plan.caveat_kinds import (
    AddsUnits,
    CapsWeights,
    ClampsTotals,
    CountsUnits,
    CutRows,
    CutTotals,
    CutValues,
    WeighsUnits,
)
from dpduck.kernel.plan.model import Plan
from dpduck.kernel.plan.names import requests_of
from dpduck.kernel.plan.request_caveats import of_request

# What the 95 % interval of a released number covers: the number of plain SQL; the same if there were no NULL
# that a caveat names; or, without these, if each unit had one row, or if all values were in their declared
# domains; the same from below only, as bounds can but lower it; or the noise alone, as bounds can move the
# number either way.
Covers = Literal["both", "present", "units", "domain", "below", "noise"]


def covers(plan: Plan) -> dict[str, Covers]:
    """Return for each released column that has an interval what this covers."""
    known = {request.column: _covers(request, plan) for request in requests_of(plan)}
    return {column: covered for column, covered in known.items() if covered is not None}


def uncut_from(request: Aggregate, plan: Plan) -> int | None:
    """Return the number that is chosen privately from which on nothing of a unit is left out; None without.

    A unit is in no more groups than the most of a count, so that the interval is that of the count itself.
    """
    if isinstance(request, aggregates.ChosenCount) and _covers(request.of, plan) != "below":
        return request.most
    return None


def most_values(request: Aggregate) -> int | None:
    """Return how many distinct values there are, if all are in their declared domain; None if unknown."""
    if not isinstance(request, aggregates.Distinct | aggregates.ChosenDistinct):
        return None
    domain = request.value.domain
    return request.size if request.size is not None or domain is None else domain.size


def _ends_at_domain(request: Aggregate) -> bool:
    """Whether only a declared domain says how many distinct values there are, of a unit or of all."""
    match request:
        case aggregates.Distinct(by_domain=True):
            return True
        case aggregates.Distinct(size=None):
            return most_values(request) is not None
    return False


def covers_of_differences(plan: Plan) -> dict[str, Covers]:
    """Return for each end of the interval of a difference, by its name in the answer, what this covers.

    What moves one of both numbers one way may move the difference either way.
    """
    known = covers(plan)
    found: dict[str, Covers] = {}
    for name, pair in plan.differences:
        each: list[Covers] = [known.get(column, "both") for column in pair]
        least = max(each, key=get_args(Covers).index)
        found[name] = "noise" if least == "below" else least
    return found


def _covers(request: Aggregate, plan: Plan) -> Covers | None:
    if isinstance(request, aggregates.Mode):
        return None
    if isinstance(request, aggregates.Quantile) and request.interval is None:
        return None
    leaves_out = plan.asked.not_in or request.column in plan.asked.of_null_units
    if isinstance(request, aggregates.ChosenDistinct) and request.size is None:
        return "below"
    if isinstance(request, aggregates.ChosenCount):
        return "below"
    found = list(of_request(request, plan))
    clamping = getattr(request, "clamping", aggregates.Clamping(lowers=True))
    is_cut = plan.asked.most is not None or plan.asked.is_cut or clamping.by_call
    if is_cut or any(isinstance(one, CutRows | CutValues | CutTotals | ClampsTotals) for one in found):
        below = clamping.lowers and not isinstance(request, aggregates.Mean | aggregates.Quantile)
        return "below" if below else "noise"
    if any(isinstance(one, CountsUnits | AddsUnits | WeighsUnits | CapsWeights) for one in found):
        return "units"
    if clamping.by_domain or _ends_at_domain(request):
        return "domain"
    return "present" if leaves_out else "both"
