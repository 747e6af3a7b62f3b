"""EXPLAIN: what a query would do, cost and be worth, from public facts only."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from datetime import datetime

from dpduck.errors import decimal_text
from dpduck.events import Composed
from dpduck.query.plan import CountPlan, HistogramPlan, Key, ModePlan, Plan, QuantilePlan, TopKPlan
from dpduck.query.price import event_of, expected_error, mechanism_of, rank_error


@dataclass(frozen=True)
class Explanation:
    """A plan for people (str) and programs (fields). Nothing was charged and nothing read for it.

    `epsilon` and `delta` are exact text; `expected_error` maps each released count to the half-width
    that noise stays within with probability 0.95; `score_sql` runs on a plain DuckDB connection to the
    same file; `replayed` is None: no stored answer is used.
    """

    epsilon: str
    delta: str
    mechanism: str
    expected_error: dict[str, float]
    score_sql: str
    text: str
    replayed: datetime | None = None

    def __str__(self) -> str:
        return self.text


def explain(plan: Plan) -> Explanation:
    """Explain a plan."""
    event = event_of(plan)
    return Explanation(
        decimal_text(event.epsilon),
        decimal_text(event.delta),
        mechanism_of(plan),
        expected_error(plan),
        plan.score_sql,
        "\n".join([_title(plan), *_facts(plan), "  score SQL", textwrap.indent(plan.score_sql, "    ")]),
    )


def _title(plan: Plan) -> str:
    match plan:
        case TopKPlan(key=key, k=k):
            return f"noisy top-k: the {k} largest of {_candidates(key)}"
        case HistogramPlan(key=key):
            return f"histogram: a noisy count for each of {_candidates(key)}"
        case ModePlan(key=key):
            return f"permute-and-flip: the most frequent of {_candidates(key)}"
        case QuantilePlan(grid=grid, quantile=q):
            name = "the median" if float(q) == 0.5 else f"the {float(q):g} quantile"
            return f"permute-and-flip: {name} on a grid of {grid.size:,} points"
        case CountPlan():
            return "count: one number with discrete Laplace noise"
    return type(plan).__name__


def _candidates(key: Key) -> str:
    if key.domain is None:
        return f"the values of {key.name} found in private rows"
    return f"the {key.domain.size:,} public values of {key.name}"


def _facts(plan: Plan) -> list[str]:
    event = event_of(plan)
    cost = f"epsilon {decimal_text(event.epsilon)}"
    if event.delta:
        cost += f", delta {decimal_text(event.delta)}"
    lines = [f"  cost      {cost}"]
    if isinstance(event, Composed):
        shares = " and ".join(
            f"{decimal_text(part.epsilon)} {'measures' if i else 'selects'}"
            for i, part in enumerate(event.parts)
        )
        lines.append(f"  split     {shares}")
    lines.append(f"  counts    distinct {plan.table.unit}, in {plan.table.schema}.{plan.table.name}")
    if isinstance(plan, HistogramPlan):
        lines.append(f"  bound     one {plan.table.unit} may be in up to {plan.groups:,} groups")
    for column, width in expected_error(plan).items():
        lines.append(f"  error     {column} is within {width:,.0f} of the truth with probability 95 %")
    rank = rank_error(plan)
    if rank is not None:
        lines.append(f"  error     {_rank_error(plan, rank)} with probability 95 %")
    return lines


def _rank_error(plan: Plan, rank: float) -> str:
    if isinstance(plan, ModePlan):
        return f"its count is at most {rank:,.0f} below the largest"
    return f"its rank is off by at most {rank:,.0f} units"
