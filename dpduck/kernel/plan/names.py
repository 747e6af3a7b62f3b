"""What the aggregates of a plan are called in notices and EXPLAIN."""

from __future__ import annotations

from dpduck.kernel.plan import aggregates
from dpduck.kernel.plan.aggregates import Aggregate
from dpduck.kernel.plan.model import UNITS, Plan

_KINDS: dict[type[Aggregate], str] = {
    aggregates.Count: "count(*)",
    aggregates.ChosenCount: "count(*)",
    aggregates.Distinct: "count(DISTINCT ...)",
    aggregates.ChosenDistinct: "count(DISTINCT ...)",
    aggregates.Sum: "the sum",
    aggregates.ClampedSum: "the sum",
    aggregates.Mean: "the average",
    aggregates.Moments: "the statistic",
    aggregates.Quantile: "the quantile",
    aggregates.Quantiles: "the quantiles",
    aggregates.Mode: "the mode",
}
_COUNT = "count_star()"  # how DuckDB names a column of count(*) that has no alias


def requests_of(plan: Plan) -> list[Aggregate]:
    """Return what the query asks for, without the counts that only a selection needs."""
    requests = plan.requests
    ranked = plan.asked.ranked
    return requests if ranked is None or ranked.column == UNITS else [ranked, *requests]


def names_of(request: Aggregate, plan: Plan) -> list[str]:
    """Return the names of an aggregate in the answer; if it is not shown as it is, its form in the query."""
    written = request.written.text or _KINDS[type(request)]
    shown = [name for name, column in plan.shown if column == request.column]
    return [written if _COUNT in name else name for name in shown] or [written]


def spoken(name: str) -> str:
    """Return a column's name as people write it."""
    return name.replace(_COUNT, "count(*)")
