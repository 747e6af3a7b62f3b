"""Intervals and p-values of the difference of two released numbers: dp_low(b - a), dp_p_value(b - a).

They follow from the intervals of both numbers, and cost nothing more: MOVER (Newcombe 1998; Zou, Donner
2008). Where both deviate independently, the squares of the distances add up: the lower end is d - sqrt((b -
b_low)^2 + (a_high - a)^2), and with proportions by the score method it is Newcombe's interval. The noises of
two aggregates are always independent. What units are sampled is so where no unit counts in both; else the
distances themselves add up, as for numbers that deviate together in the worst way.

The p-value is that of no difference, two-sided. It is 5 % where the interval just touches 0. A law that is
symmetric and log-concave, as of noise, of sampling, and of both, exceeds t times its 95 % point with
probability at most 0.05^t for t >= 1, since the logarithm of that probability is concave in t and 0 at 0; and
at most 1 - 0.95 t for t <= 1, since its density falls from 0 on.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from dpduck.compiler.block.one_value import has_one_value
from dpduck.compiler.block.privacy_units import Owned
from dpduck.compiler.block.question import released
from dpduck.compiler.parse.nodes import refusal
from dpduck.kernel.errors import UnsupportedSqlError
from dpduck.kernel.errors.advice import PER_GROUP, Hint
from dpduck.kernel.plan.aggregates import Aggregate
from dpduck.kernel.tree import emit
from dpduck.kernel.tree.answer import AnswerExpression
from dpduck.kernel.tree.nodes import Comparison, Expression, Literal, Negation
from dpduck.kernel.tree.walk import ungrouped

_ENDS = ("", "_low", "_high")


@dataclass(frozen=True)
class NumberEnds:
    """SQL of a number and of the ends of its interval."""

    value: str
    low: str
    high: str


def difference(first: NumberEnds, second: NumberEnds, bound: str, *, independent: bool) -> str:
    """Return SQL of the low or high end of first - second, or of its p_value; NULL if a number is."""
    value = emit.call("-", first.value, second.value)
    below = _together(_gap(first.value, first.low), _gap(second.high, second.value), independent=independent)
    above = _together(_gap(first.high, first.value), _gap(second.value, second.low), independent=independent)
    if bound == "low":
        return emit.call("-", value, below)
    if bound == "high":
        return emit.call("+", value, above)
    size = emit.call("abs", value)
    reach = f"CASE WHEN {value} >= 0 THEN {below} ELSE {above} END"
    times = emit.call("/", f"CAST({size} AS DOUBLE)", f"CASE WHEN {reach} > 0 THEN {reach} END")
    far = emit.call("pow", "CAST(0.05 AS DOUBLE)", times)
    near = emit.call("-", "CAST(1 AS DOUBLE)", emit.call("*", "CAST(0.95 AS DOUBLE)", times))
    return f"CASE WHEN {times} >= 1 THEN {far} ELSE {near} END"


def _gap(one: str, other: str) -> str:
    return emit.call("-", f"CAST({one} AS DOUBLE)", f"CAST({other} AS DOUBLE)")


def _together(first: str, second: str, *, independent: bool) -> str:
    if not independent:
        return emit.call("+", first, second)
    squares = (emit.call("*", gap, gap) for gap in (first, second))
    return emit.call("sqrt", emit.call("+", *squares))


def bound_of_difference(
    first: Aggregate, second: Aggregate, bound: str, owned: Owned, *, for_population: bool
) -> AnswerExpression:
    """Return the low or high end of the difference of two released numbers, or its p_value."""
    intervals = [[released(f"{one.column}{end}") for end in _ENDS] for one in (first, second)]
    independent = not for_population or _share_no_unit(first, second, owned)
    one, other = (NumberEnds(*(column.sql for column in columns)) for columns in intervals)
    sql = difference(one, other, bound, independent=independent)
    reads = (column.reads for columns in intervals for column in columns)
    pair = (first.column, second.column)
    return AnswerExpression(f"({sql})", reads=frozenset().union(*reads), differences=(pair,))


def clamps_apart(node: exp.Expr) -> UnsupportedSqlError:
    """The refusal of an interval for sums whose clamps are chosen one by one: what each lost is not known."""
    return refusal(
        "the difference of sums without a bound on a person's total has no interval",
        "Each is clamped where noise chooses, and loses an unknown amount, which noise does not cover.",
        Hint.of(
            "Write it as one sum: sum(x - y, ",
            PER_GROUP,
            ") AS d, dp_low(d), dp_high(d); of rows that differ, sum(CASE WHEN a THEN x ELSE -x END, ",
            PER_GROUP,
            ").",
        ),
        node,
    )


def _share_no_unit(first: Aggregate, second: Aggregate, owned: Owned) -> bool:
    """Whether no unit counts in both: filters ask for different values of what a unit has one value of."""
    return any(
        _exclude(ungrouped(one), ungrouped(other), owned)
        for one in first.conditions
        for other in second.conditions
    )


def _exclude(one: Expression, other: Expression, owned: Owned) -> bool:
    if isinstance(one, Comparison) and isinstance(other, Comparison):
        ends = one.right, other.right
        if one.symbol == other.symbol == "=" and one.left == other.left and has_one_value(one.left, owned):
            return all(isinstance(end, Literal) for end in ends) and ends[0] != ends[1]
        return False
    whole, part = (other, one) if isinstance(other, Negation) else (one, other)
    if not isinstance(whole, Negation) or isinstance(part, Negation):
        return False
    return ungrouped(whole.value) == part and has_one_value(part, owned)
