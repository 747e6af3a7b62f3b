"""Plans of Gaussian noise: the figures by hand, the two dashboards, eight columns, and what is attained."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np
import pytest

from dpduck.kernel.accounting.gaussian import most_mu_squared
from dpduck.kernel.mechanisms.gaussian import rounded_variance
from dpduck.summaries import gaussian_plan
from dpduck.summaries.gaussian_plan import (
    ResidualPlan,
    length_in_units,
    planned_residuals,
    shares_for,
)
from dpduck.summaries.linear_queries import Grouping, ProductQuery, table_query, variances_of
from dpduck.summaries.residuals import Columns, size_of, subsets
from dpduck.summaries.strategies import scale_of, shapes_of
from dpduck.summaries.workload import Chart, matrix_of, opened, tables_of
from tests.summaries.charts import ADULT, SHOP, Dashboard, bands, grouping, one

DELTA = Fraction(1, 10**6)
MU_SQUARED = float(most_mu_squared(Fraction(1), DELTA))
PARTS: list[Columns] = [(), (0,), (1,), (0, 1)]


def variances(plan: ResidualPlan, sizes: Sequence[int]) -> dict[Columns, float]:
    """s_A of each residual, at epsilon 1, without rounding."""
    return {
        part: length_in_units(part, sizes, plan.strategies.get(part, {})) / (share * MU_SQUARED)
        for part, share in plan.shares.items()
    }


def errors(plan: ResidualPlan, charts: Sequence[Chart], sizes: Sequence[int]) -> np.ndarray:
    own = variances(plan, sizes)
    return np.sqrt([chart.under(shapes_of(plan.strategies), sizes).variance(own) for chart in charts])


def gain(errors: np.ndarray, charts: int) -> float:
    return float(np.exp(np.log(np.sqrt(2) * charts / errors).mean()))


def by_hand(s: Mapping[Columns, float]) -> list[float]:
    """The variances of the total, a region, a sex, and a cell of 2 x 3 cells."""
    found = [variances_of(table_query(part, (2, 3)), s, (2, 3)) for part in ((), (1,), (0,), (0, 1))]
    return [float(one[0]) for one in found if one is not None]


def test_two_columns_by_hand() -> None:
    """Total, sex, region and cells of 2 x 3, alike: the sum of variances least, and their logarithms."""
    charts = [Chart.of_table(part, (2, 3)) for part in PARTS]
    lengths = np.array([length_in_units(part, (2, 3), {}) for part in PARTS])
    needs = matrix_of(charts, PARTS).sum(axis=0)
    least = dict(zip(PARTS, lengths / shares_for(lengths, needs) / MU_SQUARED, strict=True))
    assert [least[part] for part in PARTS] == pytest.approx([42.1659, 47.1429, 44.4468, 49.6930], abs=2e-4)
    assert by_hand(least) == pytest.approx([42.1659, 34.3163, 34.1129, 27.7625], abs=2e-4)
    even = variances(planned_residuals(charts, (2, 3)), (2, 3))
    assert by_hand(even) == pytest.approx([46.3702, 33.3047, 34.7777, 24.9785], abs=2e-3)
    spent = sum(length_in_units(part, (2, 3), {}) / s for part, s in even.items())
    assert spent == pytest.approx(MU_SQUARED, rel=1e-12)


@pytest.mark.parametrize("dashboard", [ADULT, SHOP], ids=["adult", "shop"])
def test_the_cost_is_attained_by_a_cell(dashboard: Dashboard) -> None:
    """The mean square by which a row of one full cell moves all that is measured, by the noise of each."""
    plan = planned_residuals(
        [Chart.of(query, dashboard.sizes) for query in dashboard.queries], dashboard.sizes
    )
    own, cost = variances(plan, dashboard.sizes), np.zeros(())
    for part, s in own.items():
        fitted, diagonal = plan.strategies.get(part, {}), np.ones(())
        for column, size in enumerate(dashboard.sizes):
            even = np.full(size, 1 - 1 / size)
            scale = scale_of((column,), dashboard.sizes, {(column,): fitted})
            moved = (fitted[column].matrix ** 2).sum(axis=0) / scale**2 if column in fitted else even
            diagonal = np.multiply.outer(diagonal, moved if column in part else np.ones(size))
        cost = cost + diagonal / s
    assert cost.max() <= MU_SQUARED * (1 + 1e-12)
    assert cost.max() > MU_SQUARED * (0.5 if plan.strategies else 1 - 1e-12)


def test_the_cost_of_even_noise_is_that_of_every_cell() -> None:
    sizes = (2, 3, 4)
    own = variances(planned_residuals(tables_of(3, sizes), sizes), sizes)
    for cell in itertools.product(*map(range, sizes)):
        u = np.zeros(sizes)
        u[cell] = 1
        cost = 0.0
        for part, s in own.items():
            table = u.sum(axis=tuple(axis for axis in range(3) if axis not in part))
            for axis in range(table.ndim):
                table = table - table.mean(axis=axis, keepdims=True)
            cost += float((table**2).sum()) / s
        assert cost == pytest.approx(MU_SQUARED, rel=1e-9)


@pytest.mark.parametrize(
    ("dashboard", "rms", "gained", "gained_open"),
    [(ADULT, 10.48, 1.63, 1.56), (SHOP, 12.58, 1.36, 1.30)],
    ids=["adult", "shop"],
)
def test_the_gain_of_a_dashboard(dashboard: Dashboard, rms: float, gained: float, gained_open: float) -> None:
    """Without a diagonal that is evened out: 11.11 and 14.22. The best matrix of all full cells: 10.03."""
    charts = [Chart.of(query, dashboard.sizes) for query in dashboard.queries]
    alone = errors(planned_residuals(charts, dashboard.sizes), charts, dashboard.sizes)
    assert np.sqrt((alone**2).mean()) < rms * 1.01
    assert gain(alone, 12) > gained * 0.98
    wide = planned_residuals(opened(charts, dashboard.sizes), dashboard.sizes)
    assert gain(errors(wide, charts, dashboard.sizes), 12) > gained_open * 0.98
    every = [Chart.of_table(part, dashboard.sizes) for part in subsets((0, 1, 2))]
    assert np.isfinite(errors(wide, every, dashboard.sizes)).all()


@pytest.mark.slow
def test_fitted_matrices_make_up_for_fine_columns() -> None:
    """85 ages where bands are asked: 21.3 with even noise, 11.65 with fitted matrices."""
    sizes = (85, 16, 7, 2)
    queries = []
    for chart in ADULT.charts:
        places = [place for place, name in enumerate(ADULT.names) if name in chart]
        queries.append(ProductQuery(tuple(places), tuple(grouping(chart[ADULT.names[i]]) for i in places)))
    charts = [Chart.of(query, sizes) for query in queries]
    plan = planned_residuals(charts, sizes)
    assert np.sqrt((errors(plan, charts, sizes) ** 2).mean()) < 11.8
    even = ResidualPlan(plan.shares, {})
    assert np.sqrt((errors(even, charts, sizes) ** 2).mean()) > 18


def test_a_matrix_is_kept_only_if_it_helps() -> None:
    """The objective with matrices is at most that without any, for random workloads."""
    draw = np.random.default_rng(11)
    sizes = (5, 4, 3)
    for _ in range(20):
        charts = []
        for _ in range(4):
            columns = tuple(sorted(draw.choice(3, draw.integers(1, 4), replace=False).tolist()))
            groupings = tuple(Grouping(draw.integers(-1, 2, sizes[i]), 2) for i in columns)
            charts.append(Chart.of(ProductQuery(columns, groupings), sizes, float(draw.uniform(0.1, 3))))
        charts = [chart for chart in charts if max(chart.coefficients.values()) > 0]
        workload = opened(charts, sizes)
        plan = planned_residuals(workload, sizes)
        even = planned_residuals([Chart(c.columns, c.coefficients, c.weight) for c in workload], sizes)
        weights = np.array([chart.weight for chart in workload])
        fine, plain = (
            weights @ np.log(errors(one, workload, sizes)) for one in (plan, ResidualPlan(even.shares, {}))
        )
        assert fine <= plain + 1e-6


def eight(ways: int) -> tuple[list[Chart], tuple[int, ...]]:
    sizes = (9, 16, 7, 2, 9, 15, 6, 2)
    return tables_of(ways, sizes), sizes


def test_eight_columns_are_planned() -> None:
    charts, sizes = eight(3)
    ages = ProductQuery((0, 5), (grouping(one(range(2, 5), 9)), Grouping.each(15)))
    young = ProductQuery((0, 1), (grouping(bands((0, 4), 9)), grouping(one(range(8), 16))))
    for workload in (
        charts,
        opened([*charts, *(Chart.of(query, sizes, 9.0) for query in (ages, young))], sizes),
    ):
        plan = planned_residuals(workload, sizes)
        assert sum(plan.shares.values()) == pytest.approx(1)
    assert plan.strategies


@pytest.mark.slow
def test_of_many_fine_columns_what_would_take_too_long_is_left_even() -> None:
    """Four of 128 values with a band asked of each pair; `benchmarks summaries` has the seconds."""
    sizes = (128, 128, 128, 128, 6, 5, 4, 3)
    half = grouping(bands(tuple(range(0, 128, 16)), 128))
    pairs = itertools.combinations(range(4), 2)
    charts = [Chart.of(ProductQuery(pair, (half, half)), sizes) for pair in pairs]
    plan = planned_residuals(opened(charts, sizes), sizes)
    tried = sum(sizes[column] ** 3 for own in plan.strategies.values() for column in own)
    assert 0 < tried <= gaussian_plan._MOST_WORK
    assert len(plan.strategies) < len(plan.shares)


def test_a_plan_is_the_same_each_time() -> None:
    charts = opened([Chart.of(query, SHOP.sizes) for query in SHOP.queries], SHOP.sizes)
    first, again = (planned_residuals(charts, SHOP.sizes) for _ in range(2))
    assert first.shares == again.shares
    for part, own in first.strategies.items():
        assert all((one.matrix == again.strategies[part][column].matrix).all() for column, one in own.items())


def test_a_column_of_one_value_is_no_residual() -> None:
    plan = planned_residuals(tables_of(2, (1, 3)), (1, 3))
    assert set(plan.shares) == {(), (1,)}
    assert size_of((0, 1), (1, 3)) == 3


def test_rounding_adds_a_twelfth() -> None:
    assert rounded_variance(100.0) == pytest.approx(100 + 1 / 12)
