"""The tree of nested levels of groups, from the columns of their keys, which are public."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from dpduck.mechanisms.levels import Tree
from dpduck.query.write.keys import Places

Integers = NDArray[np.int64]


def tree_of(columns: Sequence[pa.Array], levels: Sequence[Places]) -> Tree:
    """Return the tree whose leaves are the groups in their order.

    Input: a column for each key; the keys of each level, coarsest first, the last of which are all.
    """
    size = len(columns[0])
    cells = [_cells(columns, places, size) for places in levels[:-1]] + [np.arange(size)]
    parents = []
    for above, below in pairwise(cells):
        found = np.zeros(int(below.max()) + 1, dtype=np.int64)
        found[below] = above
        parents.append(tuple(found.tolist()))
    return Tree(int(cells[0].max()) + 1, tuple(parents))


def _cells(columns: Sequence[pa.Array], places: Places, size: int) -> Integers:
    """The number of the cell of each group: equal for those with the same values of some keys."""
    cells = np.zeros(size, dtype=np.int64)
    for place in places:
        values = columns[place].dictionary_encode(null_encoding="encode").indices.to_numpy()
        _, cells = np.unique(cells * size + values, return_inverse=True)
    return cells
