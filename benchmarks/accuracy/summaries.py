"""Private summaries: exact deviations of two dashboards, with both noises, beside those of the design.

Noise depends on the sizes of tables alone: adult4 has 9 bands of age, 16, 7 and 2 values, and shop4 has 20
pages, 8 regions, 10 bands of age and 12 months. Each has twelve charts (`tests/summaries/charts.py`). Fresh
answers are twelve histograms with Laplace noise of epsilon / 12 each. All of it is exact, at epsilon 1 and
delta 1e-6.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np

from benchmarks.accuracy import Table
from dpduck.summaries.design import Design
from dpduck.summaries.gaussian_plan import length_in_units, shares_for
from dpduck.summaries.linear_queries import LinearQuery, table_query
from dpduck.summaries.measures import spread_of
from dpduck.summaries.residuals import Columns, residual_variances
from dpduck.summaries.workload import Chart, matrix_of, opened, tables_of
from tests.summaries.charts import ADULT, SHOP, Dashboard
from tests.summaries.simulated import KINDS, MU_SQUARED, designed_for, variance

DASHBOARDS = (("adult4", ADULT, "marital"), ("shop4", SHOP, "region"))
CLICKS = (0, 1, 5, 20, 100)
ROWS = (1, 2, 5, 10, 20, 40, 60)
PARTS: tuple[Columns, ...] = ((), (0,), (1,), (0, 1))
# As published with the design: deviations of noise, and gains over fresh answers.
PUBLISHED_B = {
    ("adult4", "laplace", "charts"): "11.81, 23.93, 1.99",
    ("adult4", "laplace", "open"): "10.48, 15.86, 1.93",
    ("adult4", "gaussian", "charts"): "11.11, 13.17, 1.54",
    ("adult4", "gaussian", "open"): "11.35, 12.85, 1.50",
    ("shop4", "laplace", "charts"): "15.15, 24.38, 1.29",
    ("shop4", "laplace", "open"): "14.67, 21.21, 1.27",
    ("shop4", "gaussian", "charts"): "14.22, 22.30, 1.24",
    ("shop4", "gaussian", "open"): "15.21, 21.26, 1.15",
}
PUBLISHED_SLICED = {
    ("adult4", "laplace"): "1.38, 3.04, 10.3, 38.1, 187",
    ("adult4", "gaussian"): "1.34, 2.33, 6.28, 21.1, 100",
    ("shop4", "laplace"): "1.20, 2.42, 7.66, 27.8, 136",
    ("shop4", "gaussian"): "1.11, 1.93, 5.26, 17.8, 84.6",
}
PUBLISHED_C = {
    ("adult4", "laplace"): "13.2, 8.0, 12.3",
    ("adult4", "gaussian"): "12.8, 11.6, 11.4",
    ("shop4", "laplace"): "28.1, 15.1, 8.4",
    ("shop4", "gaussian"): "14.3, 13.5, 12.7",
}
PUBLISHED_E = "14.2, 28.4, 71.1, 142, 284, 569, 853"


def tables() -> Sequence[Table]:
    """Tables A, B, C, E and F of the design, as far as they follow from sizes alone."""
    return [by_hand(), dashboards(), sliced(), open_tables(), rows_of_units(), sums()]


# --- by hand -------------------------------------------------------------------------------------


def by_hand() -> Table:
    """Table A: 2 x 3 cells, all four tables with equal weight."""
    charts = [Chart.of_table(part, (2, 3)) for part in PARTS]
    lengths = np.array([length_in_units(part, (2, 3), {}) for part in PARTS])
    least = lengths / shares_for(lengths, matrix_of(charts, PARTS).sum(axis=0)) / MU_SQUARED
    even = designed_for(charts, (2, 3), "gaussian")
    laplace = designed_for(charts, (2, 3), "laplace")
    two = residual_variances({(0, 1): 32.0, (1,): 32.0}, (2, 3))
    rows = [
        ("laplace, one table", "12, 6, 4, 2 (continuous)", _four(laplace)),
        (
            "two tables: total, sex, region, both",
            "64, 96, 21.3333, 32",
            _numbers(two[part] for part in PARTS),
        ),
        ("gaussian, sum: total, sex, region, both", "42.1659, 47.1429, 44.4468, 49.6930", _numbers(least)),
        ("gaussian, even", "46.3702, 34.7777, 33.3047, 24.9785", _four(even)),
    ]
    return Table("A", "variances: total, sex, region, cell", (("plan", "design", "here"), *rows))


def _four(design: Design) -> str:
    return _numbers(float(variance(table_query(part, (2, 3)), design)[0]) for part in PARTS)


def _numbers(values: Any, digits: int = 4) -> str:
    return ", ".join(f"{float(value):.{digits}f}".rstrip("0").rstrip(".") for value in values)


# --- dashboards ----------------------------------------------------------------------------------


def workload(dashboard: Dashboard, what: str) -> list[Chart]:
    """The charts of a dashboard, alone or with all tables of three columns."""
    charts = [Chart.of(query, dashboard.sizes) for query in dashboard.queries]
    return opened(charts, dashboard.sizes) if what == "open" else charts


def deviations(design: Design, queries: Sequence[LinearQuery]) -> np.ndarray:
    """The deviation of a cell of each chart."""
    return np.sqrt([variance(query, design).mean() for query in queries])


def gain(errors: np.ndarray, histograms: int) -> float:
    """Over as many histograms that share epsilon 1."""
    return float(np.exp(np.log(math.sqrt(2) * histograms / errors).mean()))


def dashboards() -> Table:
    """Table B: asked once."""
    rows = [("table", "noise", "workload", "rms, max, gain (design)", "rms, max, gain")]
    for (name, dashboard, _), kind, what in itertools.product(DASHBOARDS, KINDS, ("charts", "open")):
        found = deviations(designed_for(workload(dashboard, what), dashboard.sizes, kind), dashboard.queries)
        own = f"{math.sqrt((found**2).mean()):.2f}, {found.max():.2f}, {gain(found, 12):.2f}"
        rows.append((name, kind, what, PUBLISHED_B[name, kind, what], own))
    return Table("B", "12 charts asked once: deviations, and gain over 12 histograms", tuple(rows))


def sliced() -> Table:
    """Table B: one slicer, after so many clicks."""
    rows = [("table", "noise", "gains (design)", "gains")]
    for (name, dashboard, column), kind in itertools.product(DASHBOARDS, KINDS):
        every = np.eye(dashboard.fine[dashboard.names.index(column)])
        by_value = [
            dashboard.query({**chart, column: every}) for chart in dashboard.charts if column not in chart
        ]
        charts = [*workload(dashboard, "charts"), *(Chart.of(query, dashboard.sizes) for query in by_value)]
        design = designed_for(charts, dashboard.sizes, kind)
        first = deviations(design, dashboard.queries)
        again = deviations(design, dashboard.sliced(column, 0))
        gains = [
            gain(np.concatenate([first, *([again] * clicks)]), 12 + clicks * len(again)) for clicks in CLICKS
        ]
        rows.append((name, kind, PUBLISHED_SLICED[name, kind], ", ".join(f"{one:.3g}" for one in gains)))
    return Table("B, sliced", f"gain after {', '.join(map(str, CLICKS))} clicks on a slicer", tuple(rows))


def open_tables() -> Table:
    """Table C: all tables of three columns, none of them declared."""
    rows = [("table", "noise", "1-, 2-, 3-way (design, 10 seeds)", "1-, 2-, 3-way")]
    for (name, dashboard, _), kind in itertools.product(DASHBOARDS, KINDS):
        design = designed_for(tables_of(3, dashboard.sizes), dashboard.sizes, kind)
        errors = []
        for ways in (1, 2, 3):
            found = [
                variance(table_query(part, dashboard.sizes), design)
                for part in itertools.combinations(range(4), ways)
            ]
            errors.append(math.sqrt(np.concatenate(found).mean()))
        rows.append((name, kind, PUBLISHED_C[name, kind], _numbers(errors, 1)))
    return Table("C", "deviations of all cells of tables that nobody declared", tuple(rows))


# --- rows of units, and sums ---------------------------------------------------------------------


def rows_of_units() -> Table:
    """Table E: noise grows with the number of rows of a unit that count."""
    design = designed_for(workload(SHOP, "charts"), SHOP.sizes, "gaussian")
    found = []
    for most in ROWS:
        errors = deviations(replace(design, most=most), SHOP.queries)
        found.append(f"{math.sqrt((errors**2).mean()):.3g}")
    rows = (("rows", "design", "here"), (", ".join(map(str, ROWS)), PUBLISHED_E, ", ".join(found)))
    return Table("E", "rms of the 12 charts of shop4 with Gaussian noise, by rows of a person", rows)


def sums() -> Table:
    """Table F: sums of a measure from 0 to 100 by page, 5 rows of a person, half of mu squared."""
    plain = designed_for(workload(SHOP, "charts"), SHOP.sizes, "gaussian")
    halves = {part: share / 2 for part, share in plain.shares.items()}
    query, rows = table_query((0,), SHOP.sizes), [("sums", "design", "here")]
    for what, published, centre in (("centred", "7,285", 5000), ("uncentred", "10,304", 0)):
        measure: Any = SimpleNamespace(
            ends=(0, 10_000), scale=2, centre=centre, has_gaps=False, reach=max(centre, 10_000 - centre)
        )
        own: Any = SimpleNamespace(sizes=SHOP.sizes, measures=(measure,))
        design = Design(own, 5, halves, plain.gaussian, (halves,))
        rows.append((what, published, f"{math.sqrt(spread_of(0, query, design).of_sum.mean()):,.0f}"))
    return Table("F", "deviation of the sum of a measure by page", tuple(rows))
