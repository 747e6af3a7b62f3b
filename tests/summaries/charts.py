"""Dashboards of 12 charts on two tables, by the sizes of their columns: noise depends on nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dpduck.summaries.linear_queries import Grouping, ProductQuery

AGES = 85


def bands(starts: Sequence[int], values: int = AGES) -> np.ndarray:
    """Groups x values: the band of each value, by the first value of each band, of which the first is 0."""
    ends = [*starts[1:], values]
    found = np.zeros((len(starts), values))
    for place, (start, end) in enumerate(zip(starts, ends, strict=True)):
        found[place, start:end] = 1
    return found


def one(values: Sequence[int], size: int) -> np.ndarray:
    """One group: some values."""
    found = np.zeros((1, size))
    found[0, list(values)] = 1
    return found


def grouping(matrix: np.ndarray) -> Grouping:
    """Groups x values, of which each is in one group at most, as a grouping."""
    return Grouping(np.where(matrix.any(axis=0), matrix.argmax(axis=0), -1), len(matrix))


@dataclass(frozen=True)
class Dashboard:
    """`fine`: the sizes of the columns; `cells`: of each column the matrix of its cells x values.

    `charts`: each by column the matrix of its groups x values.
    """

    names: tuple[str, ...]
    fine: tuple[int, ...]
    cells: tuple[np.ndarray, ...]
    charts: tuple[Mapping[str, np.ndarray], ...]

    @property
    def sizes(self) -> tuple[int, ...]:
        return tuple(len(one) for one in self.cells)

    def query(self, chart: Mapping[str, np.ndarray]) -> ProductQuery:
        """A chart over cells, none of which a group cuts."""
        columns, weights = [], []
        for place, name in enumerate(self.names):
            if name in chart:
                cells = self.cells[place]
                own = chart[name] @ cells.T / cells.sum(axis=1)
                assert np.allclose(own @ cells, chart[name]), "a group cuts a cell"
                columns.append(place)
                weights.append(grouping(own))
        return ProductQuery(tuple(columns), tuple(weights))

    def sliced(self, name: str, value: int) -> list[ProductQuery]:
        """The charts that do not mention a column, with one of its values."""
        size = self.fine[self.names.index(name)]
        return [self.query({**chart, name: one([value], size)}) for chart in self.charts if name not in chart]

    @property
    def queries(self) -> list[ProductQuery]:
        return [self.query(chart) for chart in self.charts]


ADULT_AGES = (0, 8, 18, 28, 38, 48, 58, 68)
_ED, _MA, _SEX = np.eye(16), np.eye(7), np.eye(2)
ADULT = Dashboard(
    ("age", "education", "marital", "sex"),
    (AGES, 16, 7, 2),
    (bands((0, 8, 13, 18, 28, 38, 48, 58, 68)), _ED, _MA, _SEX),
    (
        {},
        {"age": one(range(8, 28), AGES)},
        {"sex": _SEX},
        {"education": _ED},
        {"marital": _MA},
        {"age": bands(ADULT_AGES)},
        {"education": _ED, "sex": _SEX},
        {"marital": _MA, "sex": _SEX},
        {"education": _ED, "age": one(range(13), AGES), "sex": one([0], 2)},
        {"marital": _MA, "age": one(range(13), AGES)},
        {"age": bands(ADULT_AGES), "marital": one([0, 1], 7), "sex": one([1], 2)},
        {"age": bands(ADULT_AGES), "education": _ED, "sex": one([1], 2)},
    ),
)

_PAGE, _REGION, _MONTH = np.eye(20), np.eye(8), np.eye(12)
SHOP = Dashboard(
    ("page", "region", "age", "month"),
    (20, 8, AGES, 12),
    (_PAGE, _REGION, bands((0, 2, 8, 18, 19, 28, 38, 48, 58, 68)), _MONTH),
    (
        {},
        {"month": one([8, 9, 10], 12)},
        {"page": _PAGE},
        {"region": _REGION},
        {"age": bands(ADULT_AGES)},
        {"month": _MONTH},
        {"page": _PAGE, "month": _MONTH},
        {"region": _REGION, "month": _MONTH},
        {"page": _PAGE, "region": one([0], 8), "age": one(range(2, 19), AGES)},
        {"month": _MONTH, "page": one([0, 1, 2], 20), "region": one([0, 1], 8)},
        {"age": bands(ADULT_AGES), "page": one([0], 20)},
        {"page": _PAGE, "region": _REGION, "month": one(range(5, 12), 12)},
    ),
)
