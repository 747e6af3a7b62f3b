"""Plans of summaries: the two dashboards, their errors beside those of fresh answers, and simulated noise."""

import time
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

from dpduck.summaries.laplace_plan import planned_shares, rounded, variances_of_noise
from dpduck.summaries.linear_queries import table_query
from dpduck.summaries.residuals import residual_variances
from dpduck.summaries.workload import Chart, opened, tables_of
from tests.summaries.charts import ADULT, SHOP, Dashboard

ONE = Fraction(1)


def errors(dashboard: Dashboard, charts: Sequence[Chart], workload: Sequence[Chart]) -> np.ndarray:
    """The standard deviation of a cell of each chart, at epsilon 1, from discrete noise and exact shares."""
    shares = rounded(planned_shares(workload, dashboard.sizes), ONE)
    found = residual_variances(variances_of_noise(shares, 1), dashboard.sizes)
    return np.sqrt([chart.variance(found) for chart in charts])


def gain(errors: np.ndarray, charts: int) -> float:
    """Against as many histograms that share epsilon 1."""
    return float(np.exp(np.log(np.sqrt(2) * charts / errors).mean()))


@pytest.mark.parametrize(
    ("dashboard", "rms", "gained", "gained_open"),
    [(ADULT, 11.81, 1.99, 1.93), (SHOP, 15.15, 1.29, 1.27)],
    ids=["adult", "shop"],
)
def test_the_gain_of_a_dashboard(dashboard: Dashboard, rms: float, gained: float, gained_open: float) -> None:
    charts = [Chart.of(query, dashboard.sizes) for query in dashboard.queries]
    alone = errors(dashboard, charts, charts)
    assert np.sqrt((alone**2).mean()) < rms * 1.03
    assert gain(alone, 12) > gained * 0.97
    assert gain(errors(dashboard, charts, opened(charts, dashboard.sizes)), 12) > gained_open * 0.97


@pytest.mark.parametrize(
    ("dashboard", "name", "asked", "gains"),
    [
        (ADULT, "marital", (12, 20, 52, 172, 812), (1.38, 3.04, 10.3, 38.1, 187)),
        (SHOP, "region", (12, 19, 47, 152, 712), (1.20, 2.42, 7.66, 27.8, 136)),
    ],
    ids=["adult", "shop"],
)
def test_the_gain_of_a_slicer(
    dashboard: Dashboard, name: str, asked: Sequence[int], gains: Sequence[float]
) -> None:
    place = dashboard.names.index(name)
    every = np.eye(dashboard.fine[place])
    charts = [Chart.of(query, dashboard.sizes) for query in dashboard.queries]
    sliced = [Chart.of(query, dashboard.sizes) for query in dashboard.sliced(name, 0)]
    by_value = [dashboard.query({**chart, name: every}) for chart in dashboard.charts if name not in chart]
    workload = [*charts, *(Chart.of(query, dashboard.sizes) for query in by_value)]
    found = errors(dashboard, [*charts, *sliced], workload)
    for clicks, queries, gained in zip((0, 1, 5, 20, 100), asked, gains, strict=True):
        assert queries == 12 + clicks * len(sliced)
        all_of_them = np.concatenate([found[:12], *([found[12:]] * clicks)])
        assert gain(all_of_them, queries) > gained * 0.97


@pytest.mark.parametrize("dashboard", [ADULT, SHOP], ids=["adult", "shop"])
def test_planning_is_quick(dashboard: Dashboard) -> None:
    charts = [Chart.of(query, dashboard.sizes) for query in dashboard.queries]
    took = []
    for _ in range(3):
        start = time.process_time()
        planned_shares(opened(charts, dashboard.sizes), dashboard.sizes)
        took.append(time.process_time() - start)
    assert min(took) < 0.5


def test_one_small_table_is_measured_alone() -> None:
    """2 x 3 cells with all four tables asked alike: the joint table has all of epsilon."""
    charts = [Chart.of(table_query(part, (2, 3)), (2, 3)) for part in ((), (0,), (1,), (0, 1))]
    assert planned_shares(charts, (2, 3)) == {(0, 1): pytest.approx(1.0)}


def test_a_plan_is_the_same_each_time() -> None:
    charts = tables_of(2, SHOP.sizes)
    assert planned_shares(charts, SHOP.sizes) == planned_shares(charts, SHOP.sizes)


@pytest.mark.parametrize("epsilon", [Fraction(1), Fraction(1, 3 * 10**3) * 3, Fraction(7, 10**9)])
def test_shares_are_exact_parts(epsilon: Fraction) -> None:
    shares = rounded({(0,): 0.2, (1,): 0.3, (0, 1): 0.5}, epsilon)
    assert sum(shares.values()) == epsilon
    assert all(share * 10**9 == int(share * 10**9) for share in shares.values())


def test_a_table_that_is_left_with_nothing_is_left_out() -> None:
    assert rounded({(0,): 0.1, (1,): 0.9}, Fraction(1, 10**9)) == {(1,): Fraction(1, 10**9)}


def test_the_chart_of_a_table_is_that_of_its_query() -> None:
    for part in ((), (1,), (0, 2), (0, 1, 2)):
        one, other = Chart.of_table(part, (2, 3, 4)), Chart.of(table_query(part, (2, 3, 4)), (2, 3, 4))
        assert one.coefficients == pytest.approx(other.coefficients)
