"""The dp_ functions: from one call's arguments to an evaluation with its cost.

A row is a unit here, and the caller is responsible for what the rows are. A function's `prepare` checks the
arguments and the number of listed candidates, which is public by contract, and determines the cost; only
after the charge does the evaluation's `run` read scores or values, and draw noise.
"""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from dpduck.doors.extension.functions import above, chosen, ranked, values
from dpduck.doors.extension.functions.calls import CallOutcome as CallOutcome
from dpduck.doors.extension.functions.calls import Evaluation as Evaluation
from dpduck.doors.extension.functions.calls import Function as Function

FUNCTIONS: Sequence[Function] = (
    Function(
        "top_k",
        'STRUCT(rank INTEGER, "index" BIGINT, gap DOUBLE)[]',
        pa.list_(ranked.ROW),
        ranked.prepare_top_k,
    ),
    Function(
        "top_k_counts",
        'STRUCT(rank INTEGER, "index" BIGINT, gap DOUBLE, "count" DOUBLE, low DOUBLE, high DOUBLE)[]',
        pa.list_(ranked.COUNT_ROW),
        ranked.prepare_top_k_counts,
    ),
    Function(
        "above",
        'STRUCT("index" BIGINT, gap DOUBLE, estimate DOUBLE, low DOUBLE, high DOUBLE, epsilon_used DOUBLE)[]',
        pa.list_(above.ROW),
        above.prepare_above,
    ),
    Function(
        "select", 'STRUCT("index" BIGINT, gap DOUBLE, p_value DOUBLE)', chosen.WINNER, chosen.prepare_select
    ),
    Function("mode", "VARCHAR", pa.string(), values.prepare_mode),
    Function("quantile", "VARCHAR", pa.string(), values.prepare_quantile),
)
