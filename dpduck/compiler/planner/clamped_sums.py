"""Decides how a sum is bounded: by a declared bound on a unit's rows, or by a clamp that is chosen privately.

It depends on public facts alone. A declared bound is taken as it is: choosing takes half of epsilon, and how
near the bound is to the totals of units only the data say. Where none is declared, the range of one row is no
bound of a total of several rows, and a sum of totals clamped to it would be too low by an unknown amount.
"""

from __future__ import annotations

from fractions import Fraction

from sqlglot import exp

from dpduck.compiler.block.question import AggregateQuery, is_bounded
from dpduck.compiler.parse.nodes import refusal
from dpduck.kernel.catalog.model import RangeDomain
from dpduck.kernel.errors.advice import BOUNDED_ROWS, PER_ROW, Hint
from dpduck.kernel.mechanisms.clamp_noise import LaplaceOfClamp
from dpduck.kernel.mechanisms.clamped_sums import can_clamp
from dpduck.kernel.plan.aggregates import Aggregate, ClampedSum, Sum
from dpduck.kernel.plan.keys import Key, unique_name

_MOST_GROUPS = 100_000  # whose totals at all levels are held in memory


def with_clamp(
    request: Aggregate, question: AggregateQuery, epsilon: Fraction, groups: int, node: exp.Expr
) -> Aggregate:
    """Return the request as it is answered.

    Input: its share of epsilon; the most groups of a unit; the query, for errors.
    Errors: UnsupportedSqlError if only a clamp could bound a sum, of too many groups.
    """
    if not isinstance(request, Sum) or is_bounded(request, question.owned, question.keys):
        return request
    ladder = request.ladder
    assert ladder is not None
    half = epsilon / 2
    if not can_clamp(half, LaplaceOfClamp(half, groups)) or (question.space.size or 0) > _MOST_GROUPS:
        if ladder.has_range:
            return request
        if request.counts:
            raise refusal(
                "rows are counted in too many groups",
                f"How many count of each unit is chosen privately, for at most {_MOST_GROUPS:,} groups.",
                Hint.of("Write ", BOUNDED_ROWS, "."),
                node,
            )
        raise refusal(
            f"{request.written.text or 'a sum'} has no public range",
            f"Without one, a clamp is chosen privately, for at most {_MOST_GROUPS:,} groups.",
            Hint.of("Write ", PER_ROW, " in the sum."),
            node,
        )
    name = unique_name("level", [key.name for key, _ in question.keys])
    return ClampedSum(
        request.column,
        request.conditions,
        request.value,
        ladder.steps,
        Key(name, "BIGINT", RangeDomain(0, ladder.steps, 1)),
        request.ticks,
        request.scale,
        request.type,
        request.each,
        request.clamping,
        request.counts,
        ladder.has_range,
        above_zero=request.clamping.lowers,
        epsilon=request.epsilon,
        written=request.written,
        nulls=request.nulls,
    )
