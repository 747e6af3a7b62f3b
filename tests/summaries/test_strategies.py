"""Fitted matrices: exact whole numbers of full rank, and what they do to variances and estimates."""

from __future__ import annotations

import itertools
from functools import reduce

import numpy as np
import pytest

from dpduck.summaries.linear_queries import CellQuery, Grouping, ProductQuery, table_query, variances_of
from dpduck.summaries.residuals import Columns, size_of, subsets, table_of
from dpduck.summaries.strategies import (
    Strategy,
    fitted,
    is_small_enough,
    length_of,
    measured,
    residual_of,
    scale_of,
    shapes_of,
)
from tests.summaries.charts import bands

SIZES = (2, 3, 4)
DRAW = np.random.default_rng(4)


def halves(size: int) -> np.ndarray:
    """What a query for the lower half asks, and one for a third, as mean squares."""
    low, third = (np.arange(size) < size // part for part in (2, 3))
    return np.outer(low, low) + np.outer(third, third).astype(float)


ALONG_TWO = {
    (0, 1, 2): {1: fitted(halves(3)), 2: fitted(halves(4))},
    (2,): {2: fitted(halves(4))},
    (1, 2): {1: fitted(halves(3)), 2: fitted(halves(4))},
}


def matrix_of(part: Columns) -> np.ndarray:
    """The matrix of a residual over the cells of its own table."""
    own = ALONG_TWO.get(part, {})
    parts = [
        own[column].matrix if column in own else SIZES[column] * np.eye(SIZES[column]) - 1 for column in part
    ]
    return reduce(np.kron, parts, np.ones((1, 1)))


@pytest.mark.parametrize("size", [3, 5, 16, 85])
def test_a_fitted_matrix_is_whole_and_of_full_rank(size: int) -> None:
    strategy = fitted(halves(size))
    assert strategy is not None
    assert strategy.matrix.dtype == np.int64
    assert (strategy.matrix.sum(axis=1) == 0).all()
    assert np.linalg.matrix_rank(strategy.matrix.astype(float)) == size - 1
    assert strategy.length == max((strategy.matrix[:, place] ** 2).sum() for place in range(size))
    inverse = np.linalg.pinv((strategy.matrix.T @ strategy.matrix).astype(float))
    scale = scale_of((0,), (size,), {(0,): {0: strategy}})
    assert strategy.shape / scale**2 == pytest.approx(inverse, abs=1e-9 * np.abs(inverse).max())


def test_what_is_asked_has_less_noise_for_the_same_cost() -> None:
    """The mean variance of bands of 85 ages, times how far a row moves what is measured."""
    asked = bands((0, 8, 18, 28, 38, 48, 58, 68))
    gram = asked.T @ asked / len(asked)
    strategy, even = fitted(gram), np.eye(85) - 1 / 85
    assert strategy is not None
    scale = scale_of((0,), (85,), {(0,): {0: strategy}})
    cost = strategy.length / scale**2 * np.trace(gram @ strategy.shape)
    assert cost < 0.4 * even.diagonal().max() * np.trace(gram @ even)


@pytest.mark.parametrize(
    "matrix", [[[1, 0, 0], [0, -1, 1]], [[1, -1, 0]], [[1, -1, 0], [2, -2, 0]], [[1, 1, -1]]]
)
def test_a_matrix_that_measures_too_little_is_refused(matrix: list[list[int]]) -> None:
    """A pseudo-inverse would say that what is not measured has no variance."""
    with pytest.raises(ValueError):
        Strategy(np.array(matrix))


def test_nothing_is_fitted_to_nothing() -> None:
    assert fitted(np.zeros((4, 4))) is None
    assert fitted(np.ones((4, 4))) is None  # all values alike, which the smaller residuals say
    assert fitted(np.eye(2)) is None


def test_numbers_stay_small() -> None:
    ten = tuple([4] * 10)
    strategy = fitted(halves(4))
    assert strategy is not None
    assert is_small_enough((0, 1, 2), ten, {0: strategy, 1: strategy})
    assert not is_small_enough(tuple(range(4)), ten, dict.fromkeys(range(4), strategy))


@pytest.mark.parametrize("part", [part for part in subsets((0, 1, 2)) if part])
def test_how_far_one_row_moves_what_is_measured(part: Columns) -> None:
    """By brute force over all cells; m rows in the cell of the longest column move it m times as far."""
    whole = matrix_of(part)
    longest = max((whole[:, cell] ** 2).sum() for cell in range(whole.shape[1]))
    assert length_of(part, SIZES, ALONG_TWO) == longest
    three = max(
        ((whole[:, list(cells)].sum(axis=1)) ** 2).sum()
        for cells in itertools.combinations_with_replacement(range(whole.shape[1]), 3)
    )
    assert three == 9 * longest


@pytest.mark.parametrize("part", [part for part in subsets((0, 1, 2)) if part])
def test_what_is_measured_is_the_matrix_times_the_table(part: Columns) -> None:
    counts = DRAW.integers(0, 100, [SIZES[column] for column in part])
    found = measured(counts, part, ALONG_TWO)
    assert found.dtype == np.int64
    assert (found.reshape(-1) == matrix_of(part) @ counts.reshape(-1)).all()


def test_tables_are_put_together_again_without_noise() -> None:
    x = DRAW.integers(0, 100, SIZES)
    residuals = {}
    for part in subsets((0, 1, 2)):
        counts = x.sum(axis=tuple(axis for axis in range(3) if axis not in part))
        residuals[part] = residual_of(measured(counts, part, ALONG_TWO).astype(float), part, ALONG_TWO)
    assert table_of(residuals, (0, 1, 2), SIZES) == pytest.approx(x)


QUERIES = [
    table_query((0, 1, 2), SIZES),
    ProductQuery((1, 2), (Grouping(np.array([0, 0, -1]), 1), Grouping(np.array([1, 0, 0, 1]), 2))),
    ProductQuery((1, 2), (Grouping.each(3), Grouping(np.array([0, 0, -1, 0]), 1, np.array([1.0, 2, 9, -3])))),
    CellQuery((1, 2), DRAW.integers(-1, 2, (3, 4)), DRAW.normal(size=(3, 4)), 2),
    CellQuery((0, 2), DRAW.integers(-1, 3, (2, 4)), np.ones((2, 4)), 3),
    CellQuery((0, 1, 2), DRAW.integers(-1, 9, (2, 3, 4)), np.ones((2, 3, 4)), 9),
]


@pytest.mark.parametrize("query", QUERIES)
def test_variances_are_those_of_the_estimator(query: ProductQuery | CellQuery) -> None:
    """The estimate is linear in what is measured: its variance is the sum of the squares of its weights."""
    noise = {part: 1.0 + len(part) + 0.1 * sum(part) for part in subsets((0, 1, 2))}  # of each number
    variances = {part: v / scale_of(part, SIZES, ALONG_TWO) ** 2 for part, v in noise.items()}
    brute = np.zeros(query.groups)
    for part in noise:
        shape = [SIZES[column] for column in part]
        for place in range(size_of(part, SIZES)):
            one = np.zeros(size_of(part, SIZES))
            one[place] = 1.0
            residuals = {other: np.zeros([SIZES[i] for i in other]) for other in noise}
            residuals[part] = residual_of(one.reshape(shape), part, ALONG_TWO)
            brute += noise[part] * query.estimates(residuals, SIZES) ** 2
    found = variances_of(query, variances, SIZES, shapes_of(ALONG_TWO))
    assert found == pytest.approx(brute)
    if 2 in query.columns:
        assert variances_of(query, variances, SIZES) != pytest.approx(brute)
