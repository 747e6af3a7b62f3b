"""Which groups a notice is of: by their keys where they are few, else by their number.

Post-processing: keys are released.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from dpduck.kernel.plan.keys import key_column
from dpduck.kernel.plan.model import Plan

_MOST_NAMED = 2
_LONGEST = 24  # letters of what names a group


def short_where(plan: Plan, table: pa.Table, rows: NDArray[np.bool_]) -> str:
    """In which groups something is so, after a blank. Input: the released columns, and the groups."""
    found = np.flatnonzero(rows)
    names = [_name(plan, table, int(row)) for row in found[:_MOST_NAMED]]
    if len(found) <= _MOST_NAMED and all(_is_short(name) for name in names) and not plan.sets:
        return f" for {' and '.join(names)}"
    return f" in {len(found):,}/{len(rows):,} groups"


def _name(plan: Plan, table: pa.Table, row: int) -> str:
    places = {column.name: place for place, column in enumerate(plan.columns)}
    keys = (table.column(places[key_column(number)])[row].as_py() for number, _ in enumerate(plan.keys))
    return "/".join("NULL" if key is None else str(key) for key in keys)


def _is_short(name: str) -> bool:
    """Whether a name is read at a glance, and does nothing to a terminal."""
    return bool(name.strip()) and len(name) <= _LONGEST and name.isprintable()
