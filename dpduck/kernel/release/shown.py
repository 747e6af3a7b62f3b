"""The groups that are released, in an order that reveals nothing.

The order in which an engine returned rows, or a mechanism processed them, may depend on their counts. So
released groups are ordered as a mechanism ranked them, if that ranking is its release; otherwise as in their
domains, or by their keys.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from dpduck.kernel.arrow.arrays import vector_of
from dpduck.kernel.plan.keys import KeySpace
from dpduck.kernel.release import domain_keys

Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Shown:
    """A column for each key. Without keys there is one group."""

    columns: tuple[pa.Array, ...] = ()
    size: int = 1

    @classmethod
    def every(cls, space: KeySpace) -> Shown:
        """All groups of public domains, in the order of the domains."""
        return cls._of(domain_keys.all_groups(space))

    @classmethod
    def ranked(cls, columns: Sequence[pa.Array]) -> Shown:
        """Groups in the order of noisy scores, if that order is released with them."""
        return cls._of(columns)

    @classmethod
    def by_key(cls, columns: Sequence[pa.Array], numbers: Integers | None = None) -> tuple[Shown, Integers]:
        """Distinct groups sorted by their keys.

        Input: optionally, a number for each that is released with it.
        Output: the numbers in the same order.
        """
        order = _order(columns)
        shown = cls._of([column.take(order) for column in columns])
        return shown, np.zeros(shown.size, np.int64) if numbers is None else numbers[vector_of(order)]

    @classmethod
    def _of(cls, columns: Sequence[pa.Array]) -> Shown:
        return cls(tuple(columns), len(columns[0]))


def _order(columns: Sequence[pa.Array]) -> pa.Array:
    """The row order by ascending values, NULL last. Input: columns of types that keys may have."""
    names = [f"k{i}" for i in range(len(columns))]
    table = pa.table(list(columns), names)
    return pc.sort_indices(table, sort_keys=[(name, "ascending") for name in names])
