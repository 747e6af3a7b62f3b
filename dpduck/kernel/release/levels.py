"""Levels of totals of groups, by the columns of their keys, which are public."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from dpduck.kernel.accounting.events import BoundedSums
from dpduck.kernel.errors import InternalError
from dpduck.kernel.mechanisms.levels import Tree, noisy_leaves
from dpduck.kernel.mechanisms.margins import Margins, noisy_cells
from dpduck.kernel.noise import Entropy
from dpduck.kernel.plan.keys import Places
from dpduck.kernel.plan.model import Levels

Integers = NDArray[np.int64]


def noisy_groups(
    numbers: Sequence[int],
    columns: Sequence[pa.Array],
    levels: Levels,
    epsilon: Fraction,
    entropy: Entropy,
    *,
    bound: int,
    groups: int,
) -> tuple[Sequence[int], BoundedSums]:
    """Measure the totals of all levels, and return the whole numbers of groups that fit them best.

    Input: the number of each group, and a column for each key; `bound` and `groups` as of `noisy_totals`.
    Errors: InternalError if the groups are not those of the levels.
    """
    if levels.shape:
        cells = _cells_of(columns, levels.shape)
        table = np.empty(len(numbers), dtype=object)
        table[cells] = list(numbers)
        margins = Margins(levels.shape, levels.places)
        made = noisy_cells(table.reshape(levels.shape), margins, epsilon, entropy, bound=bound, groups=groups)
        return made.cells.ravel()[cells].tolist(), made.event
    tree = tree_of(columns, levels.places)
    if tree.sizes != levels.sizes:
        raise InternalError("the levels have other sizes than in the plan")
    fitted = noisy_leaves(numbers, tree, epsilon, entropy, bound=bound, groups=groups)
    return fitted.leaves, fitted.event


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
        _, cells = np.unique(cells * size + _values(columns[place]), return_inverse=True)
    return cells


def _cells_of(columns: Sequence[pa.Array], shape: tuple[int, ...]) -> Integers:
    """The place of each group among all combinations of values. Errors: InternalError if two share one."""
    values = [_values(column) for column in columns]
    found = np.ravel_multi_index(values, shape, mode="clip")
    known = [int(each.max()) + 1 for each in values] == list(shape)
    if not known or not np.array_equal(np.sort(found), np.arange(math.prod(shape))):
        raise InternalError("the groups are not all combinations of their keys")
    return found


def _values(column: pa.Array) -> Integers:
    """The values of a key, by the order in which they first come; NULL is one."""
    values: Integers = column.dictionary_encode(null_encoding="encode").indices.to_numpy().astype(np.int64)
    return values
