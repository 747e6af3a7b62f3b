"""Totals of units by group and level, as score SQL gives them, for mechanisms that choose a clamp."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from dpduck.kernel.arrow.columns import tick_integers
from dpduck.kernel.mechanisms.clamped_sums import Totals
from dpduck.kernel.plan.aggregates import ClampedSum


def totals_of(size: int, owners: NDArray[np.int64], table: pa.Table, request: ClampedSum) -> Totals:
    """The totals of so many groups. Input: the group of each row of the table, by index."""
    names = (request.level.name, "score0", "score1", "score2")
    columns = (tick_integers(table.column(name).combine_chunks()) for name in names)
    return Totals(size, owners.tolist(), *columns)
