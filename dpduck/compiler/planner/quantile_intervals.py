"""How often a quantile may miss what is said of it, where released numbers decide which groups are shown."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from dpduck.compiler.block.question import AggregateQuery
from dpduck.compiler.planner.answer_sql import cut_of
from dpduck.kernel.mechanisms.private_topk import KEYS_READ
from dpduck.kernel.plan.aggregates import Aggregate, Quantile
from dpduck.kernel.plan.model import EveryKey

_DOUBT = Fraction(1, 20)


def with_doubts(question: AggregateQuery) -> list[Aggregate]:
    """Return the requests of a query; quantiles that decide which groups are shown are surer in each.

    Noise then chooses the groups that it moved most. So all intervals hold together, or as large a part of
    them as is shown, with 95 %: what an interval may miss by is part of the ranks at which its ends are
    wanted, and cannot be added when the groups are known. An extreme is in the place of an end itself,
    whether or not the query asks for its interval.
    """
    cut = cut_of(question, EveryKey())
    groups = (question.space.size or KEYS_READ) if question.grouped else 1
    doubt = _DOUBT * min(Fraction(cut.places, groups), Fraction(1))
    return [
        _with_doubt(request, doubt) if request.column in cut.columns else request
        for request in question.requests
    ]


def _with_doubt(request: Aggregate, doubt: Fraction) -> Aggregate:
    if not isinstance(request, Quantile):
        return request
    if request.extreme:
        return replace(request, doubt=doubt)
    if request.interval is None:
        return request
    return replace(request, interval=replace(request.interval, doubt=doubt))
