"""Residual spaces: what overlapping noisy tables say together, and how exactly.

Let x be the counts of the full cells, the product of the columns' values, and M_T x the table of the columns
T. The residual of columns A is R_A x = ((x)_{i in A} (I - 11'/n_i)) M_A x: what the table of A says that no
smaller one does. Each table is a sum of residuals, and residuals of different A are orthogonal:

    M_T x = sum over A <= T of R_A x, spread evenly over the n_i values of each column i of T - A.

Theorem. Independent noise of one variance v in each cell of M_T makes the estimate of R_A x that it contains,
A <= T, one of covariance v prod_{i in T - A} n_i times the projection on the residual space of A, and the
estimates of different A from one table are uncorrelated. So the best linear unbiased estimate weighs those of
each A by their precisions, which add up over the tables that contain A.
Proof. Summing out column i adds n_i independent cells. The projections commute with that, are symmetric, and
those of different A have product 0. Gauss and Markov do the rest.

Source: Xiao, He, Zhang, Kifer, NeurIPS 2023 (arXiv 2305.08175), for Gaussian noise; the second moments are
the same for any. Columns are numbered, and sets of them are ascending tuples. No private data is here, and
noise is neither drawn nor bounded.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

Columns = tuple[int, ...]  # some of the columns, ascending
Floats = NDArray[np.float64]
Variances = Mapping[Columns, float]  # of the noise in a cell of each table, or s_A for each set of columns A
Shapes = Mapping[Columns, Mapping[int, Floats]]  # of noise that is not even along a column: its covariance
EVEN: Shapes = MappingProxyType({})


def subsets(columns: Columns) -> list[Columns]:
    """All subsets of some columns, the smaller ones first.

    >>> subsets((0, 2))
    [(), (0,), (2,), (0, 2)]
    """
    return [part for size in range(len(columns) + 1) for part in itertools.combinations(columns, size)]


def closure(tables: Iterable[Columns]) -> list[Columns]:
    """All subsets of some sets of columns, the smaller ones first, each once."""
    found = {part for table in tables for part in subsets(table)}
    return sorted(found, key=lambda part: (len(part), part))


def size_of(columns: Iterable[int], sizes: Sequence[int]) -> int:
    """The number of cells of a table."""
    return math.prod(sizes[column] for column in columns)


def precision_of(table: Columns, part: Columns, variance: float, sizes: Sequence[int]) -> float:
    """How precisely a table knows the residual of a subset of its columns: one over its variance s."""
    return 1.0 / (variance * size_of(set(table).difference(part), sizes))


def residual_variances(tables: Variances, sizes: Sequence[int]) -> dict[Columns, float]:
    """The variance s_A of each residual that the tables contain, after the best combination.

    Input: the variance of the noise in a cell of each table. A residual that is not in the result is not
    measured at all: what depends on it has no variance, and no estimate.

    >>> found = residual_variances({(0, 1): 32.0, (1,): 32.0}, (2, 3))
    >>> [round(found[part], 4) for part in ((), (0,), (1,), (0, 1))]
    [64.0, 96.0, 21.3333, 32.0]
    """
    found = dict.fromkeys(closure(tables), 0.0)
    for table, variance in tables.items():
        for part in subsets(table):
            found[part] += precision_of(table, part, variance, sizes)
    return {part: 1.0 / precision for part, precision in found.items()}


def summed_out(counts: Floats, table: Columns, part: Columns) -> Floats:
    """The table of a subset of columns, from that of all: an axis for each column that is left."""
    axes = tuple(axis for axis, column in enumerate(table) if column not in part)
    return counts.sum(axis=axes) if axes else counts


def centred(counts: Floats) -> Floats:
    """The residual of a table: its projection on what has mean 0 along each axis."""
    for axis in range(counts.ndim):
        counts = counts - counts.mean(axis=axis, keepdims=True)
    return counts


def combined(
    tables: Mapping[Columns, Floats], variances: Variances, sizes: Sequence[int]
) -> dict[Columns, Floats]:
    """The best estimate of each residual: those of all tables that contain it, weighed by precision.

    Input: noisy tables, an axis for each column, and the variance of the noise in a cell of each.
    """
    found: dict[Columns, Floats] = {}
    total: dict[Columns, float] = {}
    for table in sorted(
        tables, key=lambda one: (len(one), one)
    ):  # so that sums of floats are always the same
        for part in subsets(table):
            precision = precision_of(table, part, variances[table], sizes)
            own = precision * centred(summed_out(tables[table], table, part))
            found[part] = own if part not in found else found[part] + own
            total[part] = total.get(part, 0.0) + precision
    return {part: estimate / total[part] for part, estimate in found.items()}


def table_of(residuals: Mapping[Columns, Floats], table: Columns, sizes: Sequence[int]) -> Floats:
    """The estimate of a table. Errors: KeyError unless all of its residuals are measured."""
    counts = np.zeros([sizes[column] for column in table])
    for part in subsets(table):
        shape = [sizes[column] if column in part else 1 for column in table]
        rest = size_of(set(table).difference(part), sizes)
        counts = counts + residuals[part].reshape(shape) / rest
    return counts
