"""Which residuals a summary measures with Gaussian noise, with which parts of mu squared, by which matrices.

A residual A with the part q_A of mu^2 has the variance s_A = m^2 p_A / q_A, where p_A is how far one row
moves what is measured of it (`strategies.length_of`, in units of the residual). Let v_A be the sum over
charts of their weight times their factor of s_A. Then sum_A v_A s_A is least for q_A in proportion to
sqrt(p_A v_A) (Lagrange; Xiao, He, Zhang, Kifer, NeurIPS 2023). The objective is that of Laplace noise,

    sum over charts q of weight_q log(mean variance of q),

so that no chart starves: with the weights weight_q / variance_q the sum bounds it from above and touches it,
as the logarithm is concave, so that each round lowers it. For the same reason a matrix that lowers p_A v_A
lowers it, whatever else is as it was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from dpduck.summaries.linear_queries import CellQuery, Grouping, table_query
from dpduck.summaries.residuals import Columns, Floats, closure
from dpduck.summaries.strategies import (
    MOST_FITTED,
    Strategy,
    fitted,
    is_small_enough,
    length_of,
    scale_of,
)
from dpduck.summaries.workload import Chart, matrix_of

_ROUNDS = 60  # of weights
_FITS = 6  # rounds of matrices
_LEAST_GAIN = 0.01  # of p_A v_A, for which a matrix is not that of even noise


@dataclass(frozen=True, eq=False)
class ResidualPlan:
    """The parts of mu squared, which sum to 1, by residual; and the matrices that are fitted."""

    shares: Mapping[Columns, float]
    strategies: Mapping[Columns, Mapping[int, Strategy]]


def planned_residuals(charts: Sequence[Chart], sizes: Sequence[int]) -> ResidualPlan:
    """The plan for a workload. A residual that no chart needs is not measured."""
    planner = _Planner(charts, sizes)
    planner.weigh()
    for _ in range(_FITS):
        if not planner.fit():
            break
        planner.weigh()
    return planner.plan()


def shares_for(lengths: Floats, needs: Floats) -> Floats:
    """The parts of mu squared, which sum to 1. Input: p_A and v_A of each residual."""
    roots = np.sqrt(lengths * needs)
    return np.asarray(roots / roots.sum())


def length_in_units(part: Columns, sizes: Sequence[int], strategies: Mapping[int, Strategy]) -> float:
    """p_A: how far one row moves what is measured of a residual, squared, in units of the residual."""
    own = {part: strategies}
    return length_of(part, sizes, own) / scale_of(part, sizes, own) ** 2


@dataclass
class _Planner:
    """The plan so far. `needs`: v_A of each residual for the present weights of charts."""

    charts: Sequence[Chart]
    sizes: Sequence[int]
    strategies: dict[Columns, dict[int, Strategy]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        parts = closure(chart.columns for chart in self.charts)
        found = matrix_of(self.charts, parts)
        kept = [place for place, part in enumerate(parts) if found[:, place].max(initial=0.0) > 0]
        self.parts = [parts[place] for place in kept]
        self.matrix = found[:, kept]
        self.lengths = np.array([length_in_units(part, self.sizes, {}) for part in self.parts])
        self.weights = np.array([chart.weight for chart in self.charts])
        self.products = [_Product.of(chart, self.sizes) for chart in self.charts]

    def weigh(self) -> None:
        """Weights of charts and parts of mu squared that fit each other."""
        losses = np.ones(len(self.weights))
        for _ in range(_ROUNDS):
            self.of_chart = self.weights / losses
            self.needs = self.of_chart @ self.matrix
            self.shares = shares_for(self.lengths, self.needs)
            losses = self.matrix @ (self.lengths / self.shares)

    def fit(self) -> bool:
        """Fit the matrices, each to what charts ask now. Output: whether any was changed."""
        pairs = [(place, column) for place, part in enumerate(self.parts) for column in part]
        return sum(self._fit(place, column) for place, column in pairs) > 0

    def _fit(self, place: int, column: int) -> bool:
        part = self.parts[place]
        askers = [number for number in range(len(self.charts)) if self.matrix[number, place] > 0]
        products = [self.products[number] for number in askers]
        if self.sizes[column] > MOST_FITTED or any(one is None for one in products):
            return False
        asked = [one for one in products if one is not None]
        if all(one.is_each(column) for one in asked):
            return False  # even noise is the best
        own = self.strategies.get(part, {})
        factors = [
            self.matrix[number, place] / one.factor(column, own.get(column))
            for number, one in zip(askers, asked, strict=True)
        ]
        gram = sum(
            self.of_chart[number] * factor * one.gram(column)
            for number, factor, one in zip(askers, factors, asked, strict=True)
        )
        strategy = fitted(np.asarray(gram))
        if strategy is None or not is_small_enough(part, self.sizes, {**own, column: strategy}):
            return False
        length = length_in_units(part, self.sizes, {**own, column: strategy})
        new = [factor * one.factor(column, strategy) for factor, one in zip(factors, asked, strict=True)]
        need = float(np.dot(self.of_chart[askers], new))
        if length * need > (1 - _LEAST_GAIN) * self.lengths[place] * self.needs[place]:
            return False
        self.strategies[part] = {**own, column: strategy}
        self.lengths[place], self.needs[place] = length, need
        self.matrix[askers, place] = new
        return True

    def plan(self) -> ResidualPlan:
        """The plan as it is."""
        return ResidualPlan(dict(zip(self.parts, self.shares.tolist(), strict=True)), self.strategies)


@dataclass(frozen=True, eq=False)
class _Product:
    """A chart of which each group is a product, by its columns."""

    of_column: Mapping[int, Grouping]
    _grams: dict[int, Floats] = field(default_factory=dict)

    @classmethod
    def of(cls, chart: Chart, sizes: Sequence[int]) -> _Product | None:
        query = table_query(chart.columns, sizes) if chart.query is None else chart.query
        if isinstance(query, CellQuery):
            return None
        return cls(dict(zip(query.columns, query.of_column, strict=True)))

    def is_each(self, column: int) -> bool:
        """Whether each value of a column is a group."""
        return self.of_column[column].is_each

    def factor(self, column: int, strategy: Strategy | None) -> float:
        """The mean over groups of what a column contributes to the variance."""
        one = self.of_column[column]
        if strategy is None:
            return float(np.maximum(one.squares - one.totals**2 / one.size, 0.0).mean())
        return float(one.spread(strategy.shape).mean())

    def gram(self, column: int) -> Floats:
        """The mean square of what its groups ask along a column: values x values."""
        if column not in self._grams:
            one = self.of_column[column]
            same = (one.group[:, None] == one.group) & (one.group >= 0)
            self._grams[column] = same * np.outer(one.weights, one.weights) / one.groups
        return self._grams[column]
