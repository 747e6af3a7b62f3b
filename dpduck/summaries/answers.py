"""The released columns of a plan, computed from a summary: estimates, and intervals from exact variances.

Everything is post-processing of what was released. Estimates are rounded to whole numbers and stay as they
are below 0: clipped before they are summed, they would be biased. An interval is that of a normal number of
the exact variance, and half more for rounding; where the estimate is one noisy cell, it is that of its law.
Where noise chooses which groups are shown, intervals allow for it here: see `summaries.chosen`.

The interval of a difference is made of those of both numbers as if their noises were independent (see
`compiler.block.differences`), but those of one summary are not: where two parts add up to a total that is
known better, each is too high by what the other is too low. So both intervals are wider, by as much as the
difference deviates more than it would: by sqrt(2) at most, since deviations of s and t make one of s + t at
most. Where they go together, so that it deviates less, the interval stays wider than it need be.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
import pyarrow as pa

from dpduck.kernel.catalog.types import decimal_from_ticks, parse_type
from dpduck.kernel.mechanisms.additive import half_width
from dpduck.kernel.plan.aggregates import Aggregate, Count, Mean, Sum
from dpduck.kernel.plan.model import Plan
from dpduck.kernel.release import Release
from dpduck.kernel.release.rounding import rounded_to_noise
from dpduck.kernel.release.shown import Shown
from dpduck.summaries.chosen import doubt_of
from dpduck.summaries.design import Design
from dpduck.summaries.kept import Contents
from dpduck.summaries.linear_queries import LinearQuery, ProductQuery, difference_of, variances_of
from dpduck.summaries.measures import (
    DOUBT,
    NORMAL,
    CellSpread,
    Spread,
    means,
    of_difference,
    quantile_of,
    spread_of,
    sums_and_numbers,
)
from dpduck.summaries.questions import AskedOfCells
from dpduck.summaries.residuals import Floats, size_of

QUANTILE = NORMAL
_ROUNDING = 0.5
_FINEST = 1e-9


@dataclass(frozen=True, eq=False)
class Served:
    """A plan that a summary serves: the questions of its released columns, and how exact each is.

    `widths`: the half-width of the interval of each group, by the released columns, for a number that is
    fixed beforehand; of a mean, times the number of values, at the worst mean. `shown`: the same of what is
    shown, which is wider where noise chooses that. `spreads`: of sums and means of measures, and of other
    means. `factors`: by which intervals are wider, of numbers whose difference has one.
    """

    plan: Plan
    questions: Mapping[str, AskedOfCells]
    widths: Mapping[str, Floats]
    shown: Mapping[str, Floats]
    spreads: Mapping[str, Spread | CellSpread] = field(default_factory=dict)
    factors: Mapping[str, Floats] = field(default_factory=dict)

    @property
    def half_widths(self) -> dict[str, float]:
        """The largest half-width of each released column, for a number that is fixed beforehand."""
        return _largest(self.widths)

    @property
    def errors(self) -> dict[str, float]:
        """The largest half-width of what is shown of each released column but means."""
        return {name: width for name, width in _largest(self.shown).items() if not self.is_mean(name)}

    @property
    def errors_of_means(self) -> dict[str, float]:
        """The same of means, times the number of values."""
        return {name: width for name, width in _largest(self.shown).items() if self.is_mean(name)}

    def is_mean(self, column: str) -> bool:
        """Whether a released column has means, whose error follows from how many values there are."""
        return any(isinstance(one, Mean) and one.column == column for one in self.plan.requests)

    def tick(self, column: str) -> float:
        """How finely a released column is rounded: counts to whole numbers, means not at all."""
        request = next(one for one in self.plan.requests if one.column == column)
        if isinstance(request, Mean):
            return _FINEST
        return 10.0**-request.scale if isinstance(request, Sum) else 1.0

    def table(self, contents: Contents) -> pa.Table:
        """The released columns as c0, c1, ...."""
        design, made = contents.design, Release()
        shown = Shown.every(self.plan.space) if self.plan.keys else Shown()
        for place, values in enumerate(shown.columns):
            made.columns[f"k{place}"] = values
        for request in self.plan.requests:
            question, widths = self.questions[request.column], self.shown[request.column]
            if question.measure is not None:
                self._put_measure(request, question, contents, made)
                continue
            estimates = question.query.estimates(contents.residuals, design.sizes)
            if question.number is not None:
                assert isinstance(request, Mean)
                numbers = question.number.estimates(contents.residuals, design.sizes)
                self._put_means(request, question, estimates, numbers, design, made)
                continue
            counts = np.rint(question.arranged(estimates)).astype(np.int64)
            if isinstance(request, Sum):
                _put_sum(request, counts.tolist(), widths, made)
                continue
            made.put(request.column, counts, counts - widths, counts + widths)
            if isinstance(request, Count) and request.is_unsigned:
                made.columns[request.column] = np.clip(counts, 0, 2**32 - 1)
        return made.table([column.name for column in self.plan.columns])

    def _put_measure(
        self, request: Aggregate, question: AskedOfCells, contents: Contents, made: Release
    ) -> None:
        """Release sums or means of a measure."""
        assert question.measure is not None
        spread = self.spreads[request.column]
        assert isinstance(spread, Spread)
        sums, numbers = sums_and_numbers(question.measure, question.query, contents, spread)
        if isinstance(request, Sum):
            scaled = question.arranged(sums) * 10.0**request.scale
            _put_sum(request, list(map(round, scaled.tolist())), self.shown[request.column], made)
            return
        assert isinstance(request, Mean)
        self._put_means(request, question, sums, numbers, contents.design, made)

    def _put_means(
        self,
        request: Mean,
        question: AskedOfCells,
        sums: Floats,
        numbers: Floats,
        design: Design,
        made: Release,
    ) -> None:
        """Release means, from the sums and the numbers of values."""
        noise, quantile = self.spreads[request.column], quantile_of(design)
        reach = quantile_of(design, doubt_of(self.plan, request.column))
        found = means((float(request.low), float(request.high)), sums, numbers, noise, reach)
        made.put(request.column, *rounded_to_noise(*(question.arranged(one).tolist() for one in found)))
        if request.column in self.factors:
            _widen(made, request.column, self.factors[request.column])
        lowest = numbers - quantile * np.sqrt(noise.of_number)
        made.columns[request.values_low] = question.arranged(lowest)
        if request.adds_up:
            made.columns[request.values] = question.arranged(numbers)
            made.columns[request.total] = question.arranged(sums)


def _put_sum(request: Sum, ticks: Sequence[int], widths: Floats, made: Release) -> None:
    """Release sums, of which the half-widths are in the unit of the values."""
    exact = [Fraction(one, 10**request.scale) for one in ticks]
    near = np.array([float(one) for one in exact])
    values: list[object] = [float(one) for one in exact]
    if parse_type(request.type).kind != "float":
        kind = parse_type(f"DECIMAL(38,{request.scale})")
        values = [decimal_from_ticks(one, kind) if request.scale else one for one in ticks]
    made.put(request.column, values, (near - widths).tolist(), (near + widths).tolist())


def _widen(made: Release, column: str, factor: Floats) -> None:
    """Make the intervals of a released mean wider."""
    number = np.array([float(one) for one in made.columns[column]])
    for end in ("low", "high"):
        name = f"{column}_{end}"
        made.columns[name] = number + factor * (np.array(made.columns[name], dtype=np.float64) - number)


def served(plan: Plan, questions: Mapping[str, AskedOfCells], design: Design) -> Served:
    """How exact the answers to questions are, each of which the design has measured."""
    widths: dict[str, Floats] = {}
    shown: dict[str, Floats] = {}
    spreads: dict[str, Spread | CellSpread] = {}
    for column, question in questions.items():
        request = next(one for one in plan.requests if one.column == column)
        if question.measure is not None:
            spreads[column] = spread_of(question.measure, question.query, design)
        elif question.number is not None:
            spreads[column] = CellSpread.of(question.query, question.number, design)
        noise, doubt = spreads.get(column), doubt_of(plan, column)
        widths[column] = question.arranged(_half_widths(request, question, noise, design, DOUBT))
        shown[column] = widths[column]
        if doubt < DOUBT:
            shown[column] = question.arranged(_half_widths(request, question, noise, design, doubt))
    factors = _factors(plan, questions, design)
    for column, factor in factors.items():
        shown[column] = shown[column] * factor
    return Served(plan, questions, widths, shown, spreads, factors)


def _factors(plan: Plan, questions: Mapping[str, AskedOfCells], design: Design) -> dict[str, Floats]:
    """Return by how much the intervals of numbers are wider, whose differences are asked for."""
    found: dict[str, Floats] = {}
    for pair in plan.apart:
        first, second = (questions[column] for column in pair)
        factor = _factor(first, second, design)
        for column in pair:
            found[column] = np.maximum(factor, found.get(column, np.ones(1)))
    return found


def _factor(first: AskedOfCells, second: AskedOfCells, design: Design) -> Floats:
    """Return how many times more the difference of two numbers deviates than if they were independent."""
    if any(one.measure is not None or one.number is not None for one in (first, second)):
        return np.full(1, math.sqrt(2))
    both = difference_of(first.query, second.query, design.sizes)
    if both is None:
        return np.full(1, math.sqrt(2))
    one, other, apart = (
        variances_of(query, design.variances, design.sizes, design.shapes)
        for query in (first.query, second.query, both)
    )
    if one is None or other is None or apart is None:
        return np.full(1, math.sqrt(2))
    sums = np.where(one + other > 0, one + other, 1.0)
    return first.arranged(np.sqrt(np.clip(apart / sums, 1.0, 2.0)))


def _half_widths(
    request: Aggregate,
    question: AskedOfCells,
    noise: Spread | CellSpread | None,
    design: Design,
    doubt: float,
) -> Floats:
    """The half-widths of intervals that miss so often, at most; of means times the number of values."""
    if isinstance(request, Mean):
        assert noise is not None
        ends = (of_difference(noise, float(end)) for end in (request.low, request.high))
        return np.asarray(quantile_of(design, doubt) * np.sqrt(np.maximum(*ends)))
    if question.measure is not None:
        assert noise is not None
        scale = design.rows.measures[question.measure].scale
        return np.asarray(quantile_of(design, doubt) * np.sqrt(noise.of_sum) + _ROUNDING / 10**scale)
    variances = variances_of(question.query, design.variances, design.sizes, design.shapes)
    assert variances is not None
    own = _widths(question.query, variances, design, doubt)
    return own / 10**request.scale if isinstance(request, Sum) else own


def _largest(widths: Mapping[str, Floats]) -> dict[str, float]:
    return {column: float(each.max(initial=0.0)) for column, each in widths.items()}


def is_measured(query: LinearQuery, design: Design) -> bool:
    """Whether a design has measured all that a query depends on."""
    return variances_of(query, design.variances, design.sizes) is not None


def _widths(query: LinearQuery, variances: Floats, design: Design, doubt: float) -> Floats:
    """The half-widths of intervals that miss so often, in whole numbers but for rounding."""
    reach = QUANTILE if doubt == DOUBT else quantile_of(design, doubt)
    normal = reach * np.sqrt(variances) + _ROUNDING
    if design.gaussian is not None or len(design.shares) > 1 or not isinstance(query, ProductQuery):
        return normal
    if any(one.weight is not None for one in query.of_column):
        return normal
    [(table, share)] = design.shares.items()
    cells = np.ones(query.groups) * size_of(set(table).difference(query.columns), design.sizes)
    for place, one in enumerate(query.of_column):
        shape = [1] * len(query.of_column)
        shape[place] = one.groups
        sizes = np.broadcast_to(one.totals.reshape(shape), [other.groups for other in query.of_column])
        cells = cells * sizes.reshape(-1)
    return np.where(cells == 1, float(half_width(share / design.bound, 1 - doubt)), normal)


def whole_width(width: float) -> int:
    """A half-width as people are told it."""
    return math.ceil(width)
