"""Intervals of 95 % hold for 95 of 100 numbers that are fixed beforehand, one cell or many."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

from dpduck.mechanisms.additive import half_width
from dpduck.noise import discrete_laplace
from dpduck.summaries.answers import QUANTILE
from dpduck.summaries.laplace_plan import planned_shares, rounded, variances_of_noise
from dpduck.summaries.linear_queries import ProductQuery, variances_of
from dpduck.summaries.residuals import combined, residual_variances
from dpduck.summaries.workload import Chart, opened
from tests.depth import depth
from tests.sources import Seeded
from tests.summaries.charts import ADULT, SHOP, Dashboard


def held(dashboard: Dashboard, queries: Sequence[ProductQuery], runs: int) -> list[float]:
    """How often the interval of each chart's groups holds 0, which is what noise alone estimates."""
    sizes = dashboard.sizes
    charts = [Chart.of(query, sizes) for query in queries]
    shares = rounded(planned_shares(opened(charts, sizes), sizes), Fraction(1))
    noise = variances_of_noise(shares, 1)
    found = residual_variances(noise, sizes)
    widths = []
    for query in queries:
        variance = variances_of(query, found, sizes)
        assert variance is not None
        widths.append(QUANTILE * np.sqrt(variance) + 0.5)
    hits, entropy = np.zeros(len(queries)), Seeded("intervals", str(sizes))
    for _ in range(runs):
        tables = {}
        for table, share in shares.items():
            shape = [sizes[column] for column in table]
            tables[table] = discrete_laplace(share, int(np.prod(shape)), entropy).reshape(shape).astype(float)
        residuals = combined(tables, noise, sizes)
        for place, (query, width) in enumerate(zip(queries, widths, strict=True)):
            hits[place] += (np.abs(np.rint(query.estimates(residuals, sizes))) <= width).mean()
    return (hits / runs).tolist()


@pytest.mark.parametrize("dashboard", [ADULT, SHOP], ids=["adult", "shop"])
def test_intervals_hold_as_often_as_they_say(dashboard: Dashboard) -> None:
    """The mean over charts within a percent; those of few cells, which are not normal, within four."""
    found = held(dashboard, dashboard.queries, depth(2000, 300))
    assert 0.94 <= np.mean(found) <= 0.965
    assert min(found) > 0.91


def test_the_interval_of_one_cell_is_that_of_its_law() -> None:
    """A normal one of the same variance would be too narrow far out, and too wide near."""
    share = Fraction(1, 5)
    noise = np.abs(discrete_laplace(share, 100_000, Seeded("one cell")))
    assert 0.945 < (noise <= half_width(share)).mean() < 0.965
