"""Errors and intervals are what they are said to be, of noise that is drawn and combined as in a release."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

from dpduck.kernel.mechanisms.additive import half_width
from dpduck.kernel.noise import SystemEntropy, discrete_laplace
from dpduck.summaries.answers import QUANTILE
from dpduck.summaries.design import Kind
from dpduck.summaries.linear_queries import ProductQuery
from dpduck.summaries.workload import Chart, opened
from tests.depth import depth
from tests.sources import Seeded
from tests.summaries.charts import ADULT, SHOP, Dashboard
from tests.summaries.simulated import KINDS, designed_for, released_of_nothing, variance

both_dashboards = pytest.mark.parametrize("dashboard", [ADULT, SHOP], ids=["adult", "shop"])
both_kinds = pytest.mark.parametrize("kind", KINDS)


@both_kinds
@both_dashboards
def test_simulated_errors_are_the_exact_ones(dashboard: Dashboard, kind: Kind) -> None:
    """The noise that is drawn, through estimates, against variances: all runs of 12 charts.

    Of 20 runs the ratio of the root mean squares had a standard deviation of 0.041 and 0.020.
    """
    sizes = dashboard.sizes
    charts = [Chart.of(query, sizes) for query in dashboard.queries]
    design = designed_for(opened(charts, sizes), sizes, kind)
    exact = [variance(query, design).mean() for query in dashboard.queries]
    squares, entropy = [], SystemEntropy()
    for _ in range(depth(2000, 500)):
        residuals = released_of_nothing(design, entropy).residuals
        squares.append([(query.estimates(residuals, sizes) ** 2).mean() for query in dashboard.queries])
    ratio = np.sqrt((np.mean(squares, axis=0) / exact).mean())
    assert 0.95 < ratio < 1.05  # 6 standard deviations
    assert not 0.95 < ratio * 1.12 < 1.05


def held(dashboard: Dashboard, queries: Sequence[ProductQuery], runs: int, kind: Kind) -> list[float]:
    """How often the interval of each chart's groups holds 0, which is what noise alone estimates."""
    sizes = dashboard.sizes
    design = designed_for(opened([Chart.of(query, sizes) for query in queries], sizes), sizes, kind)
    widths = [QUANTILE * np.sqrt(variance(query, design)) + 0.5 for query in queries]
    hits, entropy = np.zeros(len(queries)), Seeded("intervals", str(sizes), kind)
    for _ in range(runs):
        residuals = released_of_nothing(design, entropy).residuals
        for place, (query, width) in enumerate(zip(queries, widths, strict=True)):
            hits[place] += (np.abs(np.rint(query.estimates(residuals, sizes))) <= width).mean()
    return (hits / runs).tolist()


@both_kinds
@both_dashboards
def test_intervals_hold_as_often_as_they_say(dashboard: Dashboard, kind: Kind) -> None:
    """The mean over charts within a percent; those of few cells, which are not normal, within four."""
    found = held(dashboard, dashboard.queries, depth(2000, 300), kind)
    assert 0.94 <= np.mean(found) <= 0.965
    assert min(found) > 0.91


def test_the_interval_of_one_cell_is_that_of_its_law() -> None:
    """A normal one of the same variance would be too narrow far out, and too wide near."""
    share = Fraction(1, 5)
    noise = np.abs(discrete_laplace(share, 100_000, Seeded("one cell")))
    assert 0.945 < (noise <= half_width(share)).mean() < 0.965
