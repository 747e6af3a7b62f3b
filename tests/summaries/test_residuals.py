"""The algebra of overlapping tables: exact by hand, and against generalized least squares over all cells."""

from collections.abc import Sequence
from functools import reduce

import numpy as np
import pytest

from dpduck.summaries.linear_queries import (
    CellQuery,
    Grouping,
    LinearQuery,
    ProductQuery,
    counted,
    needed,
    table_query,
    variances_of,
)
from dpduck.summaries.residuals import Columns, combined, residual_variances, size_of, summed_out, table_of

SIZES = (2, 3, 4)
CLOSE = 1e-9


def matrix(table: Columns, sizes: Sequence[int]) -> np.ndarray:
    """Cells of a table x full cells."""
    parts = [np.eye(n) if i in table else np.ones((1, n)) for i, n in enumerate(sizes)]
    return reduce(np.kron, parts)


def dense(one: Grouping) -> np.ndarray:
    """Groups x values."""
    return np.stack([np.where(one.group == group, one.weights, 0.0) for group in range(one.groups)])


def weights(query: LinearQuery, sizes: Sequence[int]) -> np.ndarray:
    """Groups x full cells."""
    if isinstance(query, ProductQuery):
        own = dict(zip(query.columns, map(dense, query.of_column), strict=True))
        return reduce(np.kron, [own.get(i, np.ones((1, n))) for i, n in enumerate(sizes)])
    of_group = [np.where(query.group == group, query.weight, 0.0) for group in range(query.groups)]
    rows = [
        one.reshape([sizes[i] if i in query.columns else 1 for i in range(len(sizes))]) for one in of_group
    ]
    return np.stack([np.broadcast_to(one, sizes).reshape(-1) for one in rows])


def least_squares(
    noisy: dict[Columns, np.ndarray], variances: dict[Columns, float], sizes: Sequence[int]
) -> tuple[np.ndarray, np.ndarray]:
    """The estimate of the full cells and its covariance, up to what the tables do not tell."""
    tables = list(noisy)
    scale = {table: variances[table] ** 0.5 for table in tables}
    b = np.vstack([matrix(table, sizes) / scale[table] for table in tables])
    y = np.concatenate([noisy[table].reshape(-1) / scale[table] for table in tables])
    covariance = np.linalg.pinv(b.T @ b, rcond=1e-10)
    return covariance @ b.T @ y, covariance


def queries(rng: np.random.Generator) -> list[LinearQuery]:
    some, all_of_them = rng.integers(-1, 2, SIZES[1]), rng.integers(0, 3, SIZES[2])
    by_product = ProductQuery(
        (1, 2), (Grouping(some, 2), Grouping(all_of_them, 3, rng.normal(size=SIZES[2])))
    )
    group = rng.integers(-1, 3, (SIZES[0], SIZES[1]))
    return [by_product, CellQuery((0, 1), group, rng.normal(size=group.shape), 3), table_query((), SIZES)]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(
    "variances",
    [
        {(0, 1): 3.0, (1, 2): 5.0},
        {(0, 1): 3.0, (1, 2): 5.0, (1,): 2.0, (): 7.0},
        {(0, 1, 2): 1.0, (0, 1): 9.0},
    ],
    ids=["two", "four", "joint"],
)
def test_estimates_are_those_of_least_squares(variances: dict[Columns, float], seed: int) -> None:
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 50, SIZES).astype(float)
    noisy = {}
    for table in variances:
        counts = summed_out(x, (0, 1, 2), table)
        noisy[table] = counts + rng.normal(size=counts.shape)
    cells, covariance = least_squares(noisy, variances, SIZES)
    residuals, found = combined(noisy, variances, SIZES), residual_variances(variances, SIZES)
    for query in queries(rng):
        w = weights(query, SIZES)
        assert np.allclose(query.estimates(residuals, SIZES), w @ cells, atol=CLOSE)
        variance = variances_of(query, found, SIZES)
        assert variance is not None
        assert np.allclose(variance, np.diag(w @ covariance @ w.T), atol=CLOSE)


@pytest.mark.parametrize("seed", range(5))
def test_without_noise_all_is_exact(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 50, SIZES).astype(float)
    tables = {table: summed_out(x, (0, 1, 2), table) for table in ((0, 1), (1, 2), (2,))}
    residuals = combined(tables, dict.fromkeys(tables, 1.0), SIZES)
    assert np.allclose(table_of(residuals, (1, 2), SIZES), tables[1, 2])
    query = queries(rng)[0]
    assert isinstance(query, ProductQuery)
    assert np.allclose(query.estimates(residuals, SIZES), counted(query, (0, 1, 2), x))


@pytest.mark.parametrize("seed", range(10))
def test_a_product_is_the_same_as_cells(seed: int) -> None:
    rng = np.random.default_rng(seed)
    product = ProductQuery((0, 2), (Grouping.each(2), Grouping(np.array([0, 1, 0, -1]), 2)))
    group = np.array([[0, 1, 0, -1], [2, 3, 2, -1]])
    cells = CellQuery((0, 2), group, np.ones((2, 4)), 4)
    residuals = {part: rng.normal(size=[SIZES[i] for i in part]) for part in ((), (0,), (2,), (0, 2))}
    residuals = combined({(0, 2): table_of(residuals, (0, 2), SIZES)}, {(0, 2): 1.0}, SIZES)
    assert np.allclose(product.estimates(residuals, SIZES), cells.estimates(residuals, SIZES))
    one, other = product.coefficients(SIZES), cells.coefficients(SIZES)
    assert all(np.allclose(one[part], other[part]) for part in one)


def test_what_is_not_measured_has_no_variance() -> None:
    """A pseudo-inverse would say 0."""
    found = residual_variances({(0, 1): 1.0, (2,): 1.0}, SIZES)
    assert variances_of(table_query((0, 2), SIZES), found, SIZES) is None
    assert variances_of(table_query((0, 1), SIZES), found, SIZES) is not None
    whole = ProductQuery(
        (0, 2), (Grouping.each(2), Grouping(np.zeros(4, dtype=int), 1))
    )  # does not depend on (0, 2)
    assert needed(whole, SIZES) == [(), (0,)]
    assert variances_of(whole, found, SIZES) is not None


def test_table_a_of_the_paper_sheet_one_table() -> None:
    """2 x 3 cells, noise of scale 1 in each: totals add up 6, 3 and 2 cells of variance 2."""
    sizes = (2, 3)
    found = residual_variances({(0, 1): 2.0}, sizes)
    each = {part: variances_of(table_query(part, sizes), found, sizes) for part in ((), (0,), (1,), (0, 1))}
    assert {part: v.tolist() for part, v in each.items() if v is not None} == {
        (): pytest.approx([12.0]),
        (0,): pytest.approx([6.0] * 2),
        (1,): pytest.approx([4.0] * 3),
        (0, 1): pytest.approx([2.0] * 6),
    }


def test_table_a_of_the_paper_sheet_two_tables() -> None:
    sizes = (2, 3)
    found = residual_variances({(0, 1): 32.0, (1,): 32.0}, sizes)
    assert found == {(): 64.0, (0,): 96.0, (1,): pytest.approx(64 / 3), (0, 1): 32.0}
    for part in ((1,), (0, 1)):
        variance = variances_of(table_query(part, sizes), found, sizes)
        assert variance == pytest.approx(np.full(size_of(part, sizes), 64 / 3))
