"""Released columns as they are shown: without ends of intervals that would claim more than is known.

All of it is post-processing: a function of the plan, which is public, and of released numbers alone.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from dpduck.query.plan.aggregates import ChosenDistinct
from dpduck.query.plan.caveats import covers
from dpduck.query.plan.cost import interval_factors
from dpduck.query.plan.model import Plan

Floats = NDArray[np.float64]


def presented(plan: Plan, table: pa.Table) -> pa.Table:
    """Return the released rows of a plan, with columns c0, c1, ..., as they are shown.

    Where noise chooses the groups that are shown, the intervals of what it chose by are wider. Where bounds
    on a unit may have lowered a number, the truth has no known upper end: it is NULL.
    """
    columns = dict(zip((column.name for column in plan.columns), table.columns, strict=True))
    requests = (measure.request for measure in plan.measures)
    sure = {f"{request.column}_high" for request in requests if isinstance(request, ChosenDistinct)}
    for column, factor in interval_factors(plan).items():
        if f"{column}_low" in columns:
            value = _floats(columns[column])
            for end, rounding in (("_low", np.floor), ("_high", np.ceil)):
                if f"{column}{end}" not in sure:  # an upper end that is the size of a domain holds anyway
                    ends = _floats(columns[f"{column}{end}"])
                    columns[f"{column}{end}"] = _array(_widened(value, ends, factor, rounding))
    for column, covered in covers(plan).items():
        if covered == "below" and f"{column}_high" in columns:
            columns[f"{column}_high"] = pa.nulls(table.num_rows)
    return pa.table(list(columns.values()), table.column_names)


def _widened(value: Floats, ends: Floats, factor: float, rounding: np.ufunc) -> Floats:
    """Return ends that are further from a number, rounded outwards to 1/100 of their distance or less."""
    distance = factor * (ends - value)
    with np.errstate(divide="ignore", invalid="ignore"):
        step = np.power(10.0, np.floor(np.log10(np.abs(distance) / 100)))
        wide: Floats = rounding((value + distance) / step) * step
    return np.where(distance == 0, ends, wide)


def _floats(column: pa.ChunkedArray) -> Floats:
    """Return numbers, or their texts, as floats; NULL as NaN."""
    floats: Floats = column.cast(pa.float64()).to_numpy()
    return floats


def _array(floats: Floats) -> pa.Array:
    return pa.array(floats, pa.float64(), from_pandas=True)
