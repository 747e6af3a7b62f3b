"""Designs for a workload by the sizes of columns alone, and what is released of an empty table."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np

from dpduck.kernel.accounting.gaussian import most_mu_squared
from dpduck.kernel.noise import Entropy
from dpduck.summaries.design import MU_SQUARED_PARTS, Design, GaussianKind, Kind
from dpduck.summaries.gaussian_plan import planned_residuals
from dpduck.summaries.kept import Contents
from dpduck.summaries.laplace_plan import planned_shares, rounded
from dpduck.summaries.linear_queries import LinearQuery, variances_of
from dpduck.summaries.release import noised
from dpduck.summaries.workload import Chart

KINDS: tuple[Kind, ...] = ("laplace", "gaussian")
DELTA = Fraction(1, 10**6)
MU_SQUARED = float(most_mu_squared(Fraction(1), DELTA))


def designed_for(
    charts: Sequence[Chart], sizes: tuple[int, ...], kind: Kind, *, most: int = 1, epsilon: str = "1"
) -> Design:
    """The design of a summary with these charts as its workload."""
    rows: Any = SimpleNamespace(sizes=sizes)
    cost = Fraction(epsilon)
    if kind == "laplace":
        return Design(rows, most, rounded(planned_shares(charts, sizes), cost))
    plan = planned_residuals(charts, sizes)
    shares = rounded(plan.shares, most_mu_squared(cost, DELTA), MU_SQUARED_PARTS)
    return Design(rows, most, shares, GaussianKind(cost, DELTA, plan.strategies))


def released_of_nothing(design: Design, entropy: Entropy) -> Contents:
    """What is released where no row is: noise alone."""
    empty = {
        table: np.zeros([design.sizes[column] for column in table], dtype=np.int64) for table in design.tables
    }
    return Contents(design, noised(empty, design, entropy))


def variance(query: LinearQuery, design: Design) -> np.ndarray:
    """The exact variance of each group."""
    found = variances_of(query, design.variances, design.sizes, design.shapes)
    assert found is not None
    return found
