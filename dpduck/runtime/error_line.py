"""One short line that says how far off the numbers of an answer may be, for who sees them alone.

Post-processing: it follows from the plan, which is public, and from released rows alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from dpduck.query.plan.model import Plan
from dpduck.query.plan.names import requests_of, spoken
from dpduck.runtime.intervals import errors_of, largest_errors_of_totals, measured_errors, open_ends
from dpduck.runtime.results import ResultRows

_MOST_NAMED = 3  # columns: of more, the first two
_ROUNDED = 1.02  # times that ends are further off than the error that they say, at most
_UNKNOWN = "These numbers have noise; EXPLAIN says how far off they are."
COMPUTED = "Computed of noisy numbers: see EXPLAIN."


def error_line(rows: ResultRows, rounded_error: Callable[[float], str]) -> str | None:
    """How far off the numbers of an answer may be, at 95 %; None of an answer that has no noise.

    Where columns are many the first ones are named. The error of a number that differs from group to group is
    the largest. Of an answer that is given again it is that of its own noise, as its intervals have it.
    Input: also, how an error is written.
    """
    if rows.plan is None:
        return None
    expected, measured = _expected(rows), measured_errors(rows)
    known = measured | expected
    if rows.replayed and rows.errors is None:
        known |= {name: error for name, error in measured.items() if _is_another(error, expected.get(name))}
    least, shown = open_ends(rows), [column.name for column in rows.columns]
    said = [
        f"{spoken(name)} ± {rounded_error(known[name])}{f' {least[name]}' if name in least else ''}"
        for name in dict.fromkeys(shown or known)
        if math.isfinite(known.get(name, math.inf))
    ]
    if not said:
        return _UNKNOWN if any(map(_shows_numbers, rows.plan.blocks)) else COMPUTED
    if len(said) > _MOST_NAMED:
        said = [", ".join(said[: _MOST_NAMED - 1]) + f" and {len(said) - _MOST_NAMED + 1} more"]
    return ", ".join(said) + " (95 %)"


def _is_another(measured: float, expected: float | None) -> bool:
    """Whether an error is not the one that is known beforehand, which ends show rounded outwards."""
    return expected is None or not expected <= measured <= _ROUNDED * expected


def _shows_numbers(block: Plan) -> bool:
    """Whether an answer shows some released number as it is, and not only in a quotient or the like."""
    released = {request.column for request in requests_of(block)}
    return any(one.computed for one in block.ends) or any(
        column in released for _, column in (*block.shown, *block.sums)
    )


def _expected(rows: ResultRows) -> dict[str, float]:
    """The errors that are known beforehand, and of totals those of the set that has the largest."""
    return dict(errors_of(rows)) | largest_errors_of_totals(rows)
