"""Reads the measures of a private summary: numbers of rows whose sums and means its cells answer.

A row adds a whole number of ticks of its value, clamped to its public range before anything is added up.
Where each row has a value, this is v - c, with c the middle of the range, so that a row moves a sum by half
of the range; the sum of values is that plus c times the number of rows. Where a row may have NULL or NaN, two
sums are kept, of v - low and of high - v, which together move by the range: they say how many values there
are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from sqlglot import exp

from dpduck.compiler.block.aggregates import Aggregates
from dpduck.compiler.block.missing import together
from dpduck.compiler.block.null_keys import may_be_null
from dpduck.compiler.block.privacy_units import Owned
from dpduck.compiler.block.value_bounds import in_ticks
from dpduck.compiler.parse.nodes import refusal
from dpduck.compiler.planner.score_sql import total_of_row
from dpduck.kernel.catalog.types import parse_type
from dpduck.kernel.plan.aggregates import Mean, Sum
from dpduck.kernel.plan.expression import Typed
from dpduck.kernel.tree import build
from dpduck.kernel.tree.nodes import ColumnRef, Expression, Literal
from dpduck.kernel.tree.walk import has_subquery

_MOST_TICKS = 2**50  # of a range, so that sums of many are exact in doubles but for rounding


@dataclass(frozen=True)
class MeasureColumn:
    """A number of rows. `low` and `high`: its public range; in ticks, of which 10^scale are 1, `ends`.

    `has_gaps`: a row may have no number. `row`: what a row adds to each sum that is kept, in ticks.
    """

    name: str
    value: Typed
    low: Fraction
    high: Fraction
    ends: tuple[int, int]
    scale: int
    has_gaps: bool
    row: tuple[Expression, ...]

    @property
    def centre(self) -> int:
        """c, in ticks."""
        return sum(self.ends) // 2

    @property
    def reach(self) -> int:
        """How far one row moves what is kept, in ticks: all sums together, in L1, and so in L2."""
        least, most = self.ends
        return most - least if self.has_gaps else max(most - self.centre, self.centre - least)


def read_measures(
    names: Sequence[str], calls: Sequence[exp.Expr], aggregates: Aggregates, owned: Owned
) -> tuple[MeasureColumn, ...]:
    """Read measures. Input: their texts, and in turns sum(x) and avg(x) of each. Errors: as of these."""
    found: list[MeasureColumn] = []
    for number, name in enumerate(names):
        total, mean = (
            aggregates.read(calls[2 * number + place], f"m{number}_{place}")[0] for place in (0, 1)
        )
        if aggregates.missing:
            raise together(aggregates.missing)
        assert isinstance(total, Sum)
        assert isinstance(mean, Mean)
        measure = _measure(name, total, mean, owned, calls[2 * number])
        if any(one.value.node == measure.value.node for one in found):
            raise refusal(
                f"the summary has the measure {name} twice",
                "Both have the same sums.",
                "Leave one out.",
                None,
            )
        found.append(measure)
    return tuple(found)


def _measure(name: str, total: Sum, mean: Mean, owned: Owned, node: exp.Expr) -> MeasureColumn:
    low, high = (in_ticks(end, total.scale) for end in (mean.low, mean.high))
    least, most = (int(end.scaleb(total.scale)) for end in (low, high))
    if most - least > _MOST_TICKS or has_subquery(total.value.node):
        raise refusal(
            f"{name} cannot be a measure",
            "Its range has too many values to be added up exactly, or it is a subquery.",
            "Declare a narrower PRIVACY DOMAIN, or round it.",
            node,
        )
    row, tests = total_of_row(replace(total, low=low, high=high, each=(low, high)))
    is_column = isinstance(total.value.node, ColumnRef)  # an expression may make NULL of numbers
    has_gaps = not is_column or may_be_null(total.value.node, owned.rows) or len(tests) > 1
    ticks, scale = parse_type(total.ticks), total.scale

    def constant(number: int) -> Literal:
        return Literal(f"{in_ticks(Fraction(number, 10**scale), scale):f}", ticks)

    if has_gaps:
        beside = [(build.negated(test), constant(0)) for test in tests]
        parts = [build.call("-", ticks, row, constant(least)), build.call("-", ticks, constant(most), row)]
        rows: tuple[Expression, ...] = tuple(build.choice(*beside, otherwise=part) for part in parts)
    else:
        rows = (build.call("-", ticks, row, constant((least + most) // 2)),)
    return MeasureColumn(name, total.value, mean.low, mean.high, (least, most), scale, has_gaps, rows)
