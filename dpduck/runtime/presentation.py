"""Released columns as they are shown: without ends of intervals that would claim more than is known.

All of it is post-processing: a function of the plan, which is public, and of released numbers alone.
"""

from __future__ import annotations

import pyarrow as pa

from dpduck.query.plan.caveats import covers
from dpduck.query.plan.model import Plan


def presented(plan: Plan, table: pa.Table) -> pa.Table:
    """Return the released rows of a plan, with columns c0, c1, ..., as they are shown.

    Where bounds on a unit may have lowered a number, the truth has no known upper end: it is NULL.
    """
    columns = dict(zip((column.name for column in plan.columns), table.columns, strict=True))
    for column, covered in covers(plan).items():
        if covered == "below" and f"{column}_high" in columns:
            columns[f"{column}_high"] = pa.nulls(table.num_rows)
    return pa.table(list(columns.values()), table.column_names)
