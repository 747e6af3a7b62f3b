"""One short line that says how far off the numbers of an answer may be, for who sees them alone.

Post-processing: it follows from the plan, which is public, and from released rows alone.
"""

from __future__ import annotations

from collections.abc import Callable

from dpduck.answers.intervals import Ended, open_ends, stated_errors
from dpduck.answers.results import ResultRows
from dpduck.kernel.plan.model import Plan
from dpduck.kernel.plan.names import requests_of, spoken

_MOST_NAMED = 3  # columns: of more, the first two
_UNKNOWN = "These numbers have noise; EXPLAIN says how far off they are."
COMPUTED = "Computed of noisy numbers: see EXPLAIN."


def error_line(
    rows: ResultRows,
    rounded_error: Callable[[float], str],
    ended: Ended | None = None,
) -> str | None:
    """How far off the numbers of an answer may be, at 95 %; None of an answer that has no noise.

    Where columns are many the first ones are named. The error of a number that differs from group to group is
    the largest. Of an answer that is given again it is that of its own noise, as its intervals have it.
    Input: also, how an error is written; `ended`: as of `stated_errors`.
    """
    if rows.plan is None:
        return None
    known, least = stated_errors(rows, ended), open_ends(rows)
    said = [
        f"{spoken(name)} ± {rounded_error(error)}{f' {least[name]}' if name in least else ''}"
        for name, error in known.items()
    ]
    if not said:
        return _UNKNOWN if any(map(_shows_numbers, rows.plan.blocks)) else COMPUTED
    if len(said) > _MOST_NAMED:
        said = [", ".join(said[: _MOST_NAMED - 1]) + f" and {len(said) - _MOST_NAMED + 1} more"]
    return ", ".join(said) + " (95 %)"


def _shows_numbers(block: Plan) -> bool:
    """Whether an answer shows some released number as it is, and not only in a quotient or the like."""
    released = {request.column for request in requests_of(block)}
    return any(one.computed for one in block.ends) or any(
        column in released for _, column in (*block.shown, *block.sums)
    )
