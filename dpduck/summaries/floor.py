"""Whether a summary could tell anything at all: its least epsilon, from public facts alone.

How many rows there are is private. What is public is that nobody counts for more than m rows, and that
fewer than 10^10 people are alive. Were all of them in the rows, spread evenly over the n cells of a table
of the summary, each cell would have 10^10 m / n. If the half-width of each cell is larger than that, for
each table that was asked for, then no number says anything, whoever is in the rows, unless they are in
few of the cells. Such a summary costs epsilon and room for nothing, so it is refused, before its charge.
FORCE is the owner's word for one whose rows are known to be in few cells.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from dpduck.kernel.accounting.gaussian import most_mu_squared
from dpduck.summaries.answers import QUANTILE
from dpduck.summaries.design import Design
from dpduck.summaries.linear_queries import table_query, variances_of
from dpduck.summaries.residuals import Columns, size_of

PEOPLE = 10**10  # more than are alive
_FIGURES = 2  # of the epsilon that is proposed


def cell_width(design: Design, table: Columns) -> float:
    """What the estimate of each cell of a table stays within at 95 %."""
    query = table_query(table, design.sizes)
    variances = variances_of(query, design.variances, design.sizes, design.shapes)
    assert variances is not None
    return QUANTILE * float(np.sqrt(variances.max())) + 0.5


def least_epsilon(design: Design) -> Fraction | None:
    """An epsilon with which some cells could tell something; None if those of the design can.

    It takes as much noise off each cell as is needed.
    """
    excess = float("inf")
    for table in _asked(design):
        rows = PEOPLE * (design.most or 1) / size_of(table, design.sizes)
        excess = min(excess, cell_width(design, table) / rows)
        if excess <= 1:
            return None
    if design.gaussian is None:
        return _rounded_up(float(design.event.epsilon) * excess)
    wanted = float(most_mu_squared(design.gaussian.epsilon, design.gaussian.delta)) * excess**2
    epsilon = float(design.gaussian.epsilon)
    while most_mu_squared(_rounded_up(epsilon), design.gaussian.delta) < wanted:
        epsilon *= 1.1
    return _rounded_up(epsilon)


def _asked(design: Design) -> Iterator[Columns]:
    """The tables that are no part of another, the smallest first."""
    whole = [table for table in design.tables if not any({*table} < {*other} for other in design.tables)]
    yield from sorted(whole, key=lambda table: size_of(table, design.sizes))


def _rounded_up(epsilon: float) -> Fraction:
    """An epsilon that is easily written, and not below.

    >>> [str(float(_rounded_up(one))) for one in (0.00123, 0.1, 2.71)]
    ['0.0013', '0.1', '2.8']
    """
    places = _FIGURES - 1
    text = f"{epsilon:.{places}e}"
    step = Fraction(10) ** (int(text.partition("e")[2]) - places)
    return -(-Fraction(epsilon).limit_denominator(10**15) // step) * step
