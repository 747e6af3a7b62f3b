"""What a summary is planned for: charts with weights, and each chart's dependence on the residuals."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from dpduck.summaries.linear_queries import LinearQuery, table_query
from dpduck.summaries.residuals import EVEN, Columns, Floats, Shapes, closure, subsets

_FEW = 5  # columns of which all tables of three are answered, too, beside a declared workload
_OPEN = 3.0  # the charts of a declared workload weigh so many times as much as everything else together


@dataclass(frozen=True, eq=False)
class Chart:
    """A query of the workload. `coefficients`: the mean over its groups of the factor of s_A, for each A, if
    noise is even. `query`: None for the whole table of the columns."""

    columns: Columns
    coefficients: Mapping[Columns, float]
    weight: float = 1.0
    query: LinearQuery | None = None

    @classmethod
    def of(cls, query: LinearQuery, sizes: Sequence[int], weight: float = 1.0) -> Chart:
        """The chart of a query, whose groups all count alike."""
        return cls(query.columns, _means(query, sizes), weight, query)

    @classmethod
    def of_table(cls, columns: Columns, sizes: Sequence[int], weight: float = 1.0) -> Chart:
        """The whole table of some columns."""
        means = {
            part: math.prod(1 - 1 / sizes[i] if i in part else 1 / sizes[i] ** 2 for i in columns)
            for part in subsets(columns)
        }
        return cls(columns, means, weight)

    def under(self, shapes: Shapes, sizes: Sequence[int]) -> Chart:
        """The chart where noise has other covariances."""
        if not any(part in self.coefficients for part in shapes):
            return self
        query = table_query(self.columns, sizes) if self.query is None else self.query
        return replace(self, coefficients=_means(query, sizes, shapes))

    def variance(self, variances: Mapping[Columns, float]) -> float:
        """The mean variance of its groups; infinite where a residual is not measured. Input: s_A of each."""
        return sum(c * variances.get(part, np.inf) for part, c in self.coefficients.items() if c > 0)


def _means(query: LinearQuery, sizes: Sequence[int], shapes: Shapes = EVEN) -> dict[Columns, float]:
    return {part: float(one.mean()) for part, one in query.coefficients(sizes, shapes).items()}


def ways(columns: int, most: int) -> list[Columns]:
    """All sets of at least 1 and at most so many columns."""
    return [part for part in closure([tuple(range(columns))]) if 1 <= len(part) <= most]


def tables_of(most: int, sizes: Sequence[int], weight: float = 1.0) -> list[Chart]:
    """Charts of all tables of at most so many columns, which together have a weight."""
    found = ways(len(sizes), most)
    return [Chart.of_table(part, sizes, weight / len(found)) for part in found]


def opened(charts: Sequence[Chart], sizes: Sequence[int]) -> list[Chart]:
    """A declared workload, and all tables of 3 columns (of 2, beside many) with a quarter of all weight.

    It makes every other question of so many columns answerable.
    """
    most = min(len(sizes), 3 if len(sizes) <= _FEW else 2)
    others = ways(len(sizes), most)
    own = sum(chart.weight for chart in charts)
    weight = own / _OPEN / len(others)
    return [*charts, *(Chart.of_table(part, sizes, weight) for part in others)]


def matrix_of(charts: Sequence[Chart], parts: Sequence[Columns]) -> Floats:
    """The coefficients as charts x residuals."""
    return np.array([[chart.coefficients.get(part, 0.0) for part in parts] for chart in charts])
