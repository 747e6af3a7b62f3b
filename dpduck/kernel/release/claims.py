"""How many values each group has at each level, where units claim them in turns: from pairs as scores."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dpduck.kernel.mechanisms.claims import Pairs, claimed_by_level
from dpduck.kernel.plan.aggregates import ChosenDistinct

Integers = NDArray[np.int64]


def claimed(request: ChosenDistinct, groups: Integers, scores: Sequence[Integers], size: int) -> Integers:
    """The counts of values for each of `size` groups (rows) and each level of a request (columns).

    Input: of each pair the number of its group, and its three scores: the turn of the unit, the place of the
        value among the unit's own, and the name of the value.
    """
    return claimed_by_level(Pairs(groups, *scores), size, request.levels)
