"""Counts that a query asks of a table of cells, as weights: their estimates, and their exact variances.

A query has groups, and each group is a sum of cells with weights. Where conditions and keys each read one
column, the groups are products of groups of each column's values (`ProductQuery`); otherwise each cell has a
group and a weight (`CellQuery`).

Theorem. The estimate of w on the table of T has the variance

    sum over A <= T of s_A |P_A w|^2 / prod_{i in T - A} n_i,

where P_A projects on the residual space of A; of a product w that is
s_A prod_{i in A} (|w_i|^2 - (1'w_i)^2 / n_i) prod_{i in T - A} (1'w_i / n_i)^2.
Where the noise of a residual is not even (`strategies`), |P_A w|^2 is w' (x) K_i w, with the covariance K_i
of each column i of A, which is I - 11' / n_i where it is even.
Proof. The table is the sum of its residuals, each spread evenly (see `residuals`), and residuals of different
A are uncorrelated with covariances s_A P_A, or s_A (x) K_i.
A residual that a query depends on and that is not measured makes it unanswerable: a variance of 0 for it
would be a pseudo-inverse's lie.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from dpduck.summaries.residuals import EVEN, Columns, Floats, Shapes, Variances, size_of, subsets, summed_out

Integers = NDArray[np.int64]

_MOST_CELLS = 1_000_000  # of a table on which a difference is taken
_NOTHING = 1e-12  # a share of the weights' square below which they do not depend on a residual


@dataclass(frozen=True, eq=False)
class Grouping:
    """Which group each value of a column is in, -1 for none, of so many groups, and with which weight.

    `weight`: None if each value counts once.
    """

    group: Integers
    groups: int
    weight: Floats | None = None

    @classmethod
    def each(cls, size: int) -> Grouping:
        """Each value is a group."""
        return cls(np.arange(size), size)

    @property
    def size(self) -> int:
        """The number of values."""
        return len(self.group)

    @property
    def weights(self) -> Floats:
        """The weight of each value, 0 if it is in no group."""
        weight = np.ones(self.size) if self.weight is None else self.weight
        return np.where(self.group >= 0, weight, 0.0)

    @property
    def totals(self) -> Floats:
        """The sum of the weights in each group."""
        return self._summed(self.weights)

    @property
    def squares(self) -> Floats:
        """The sum of the squares of the weights in each group."""
        return self._summed(self.weights**2)

    def _summed(self, values: Floats) -> Floats:
        kept = self.group >= 0
        return np.asarray(np.bincount(self.group[kept], values[kept], self.groups), dtype=np.float64)

    def spread(self, shape: Floats) -> Floats:
        """The variance of each group's total, of weights that noise of a covariance is added to."""
        if self.is_each:
            return np.asarray(np.diagonal(shape) * self.weights**2)
        kept = np.flatnonzero(self.group >= 0)
        weights, group = self.weights[kept], self.group[kept]
        together = (weights[:, None] * shape[np.ix_(kept, kept)] * weights) * (group[:, None] == group)
        return np.asarray(np.bincount(group, together.sum(axis=1), self.groups), dtype=np.float64)

    @property
    def is_each(self) -> bool:
        """Whether each value is a group, in order."""
        return self.groups == self.size and bool((self.group == np.arange(self.size)).all())

    def added_up(self, table: Floats) -> Floats:
        """A table with values along its first axis, with the groups along its last one."""
        if self.weight is None and self.is_each:
            return np.moveaxis(table, 0, -1)
        kept = self.group >= 0
        flat = table.reshape(self.size, -1)[kept] * self.weights[kept, None]
        sums = np.zeros((self.groups, flat.shape[1]))
        np.add.at(sums, self.group[kept], flat)
        return np.moveaxis(sums.reshape(self.groups, *table.shape[1:]), 0, -1)


@dataclass(frozen=True, eq=False)
class ProductQuery:
    """Groups that are products: for each of some columns, the groups of its values.

    The number of groups is the product of those of all columns, the last varying fastest.
    """

    columns: Columns
    of_column: tuple[Grouping, ...]

    @property
    def groups(self) -> int:
        """The number of groups."""
        return math.prod(one.groups for one in self.of_column)

    def coefficients(self, sizes: Sequence[int], shapes: Shapes = EVEN) -> dict[Columns, Floats]:  # noqa: ARG002 (as of `CellQuery`)
        """The factor of s_A in the variance of each group, for each A of the table's columns."""
        inside, outside = [], []
        for one in self.of_column:
            total = one.totals
            inside.append(np.maximum(one.squares - total**2 / one.size, 0.0))
            outside.append((total / one.size) ** 2)
        found = {}
        for part in subsets(self.columns):
            own = shapes.get(part, {})
            factors = [
                (one.spread(own[column]) if column in own else inside[place])
                if column in part
                else outside[place]
                for place, (column, one) in enumerate(zip(self.columns, self.of_column, strict=True))
            ]
            found[part] = reduce(np.multiply.outer, factors, np.ones(())).reshape(-1)
        return found

    def estimates(self, residuals: Mapping[Columns, Floats], sizes: Sequence[int]) -> Floats:
        """The estimate of each group. Errors: KeyError if a residual that it depends on is not measured."""
        found = np.zeros([one.groups for one in self.of_column])
        for part, coefficient in self.coefficients(sizes).items():
            if not _matters(coefficient):
                continue
            term = residuals[part]
            for column, one in zip(self.columns, self.of_column, strict=True):
                if column in part:  # the axes that are done come last
                    term = one.added_up(term)
                else:
                    term = np.multiply.outer(term, one.totals / one.size)
            found += term
        return found.reshape(-1)


@dataclass(frozen=True, eq=False)
class CellQuery:
    """Groups of the cells of a table.

    `group`: of each cell, an axis for each of `columns`; -1 for none. `weight`: of each cell in its group.
    """

    columns: Columns
    group: Integers
    weight: Floats
    groups: int

    def coefficients(self, sizes: Sequence[int], shapes: Shapes = EVEN) -> dict[Columns, Floats]:
        """As of `ProductQuery`: by inclusion and exclusion, since the squares of projections on all residuals
        within B add up to that of the sums over the columns that are not in B."""
        sums = {part: self._sums(part, sizes) for part in subsets(self.columns)}
        within = {
            part: np.bincount(one.group, one.weight**2, self.groups) / self._rest(part, sizes)
            for part, one in sums.items()
        }
        found = {}
        for part in within:
            rest = self._rest(part, sizes)
            if shapes.get(part):
                found[part] = self._spread(sums[part], part, sizes, shapes[part]) / rest**2
                continue
            signed = ((-1) ** (len(part) - len(inner)) * within[inner] for inner in subsets(part))
            found[part] = np.maximum(sum(signed), 0.0) / rest
        return found

    def _rest(self, part: Columns, sizes: Sequence[int]) -> int:
        return size_of(set(self.columns).difference(part), sizes)

    def _sums(self, part: Columns, sizes: Sequence[int]) -> _WeightSums:
        """The weights of each group, summed over the columns that are not in a part."""
        kept = np.flatnonzero(self.group.reshape(-1) >= 0)
        group, weight = self.group.reshape(-1)[kept], self.weight.reshape(-1)[kept]
        places = np.unravel_index(kept, self.group.shape) if self.columns else ()
        cell = np.zeros(len(kept), dtype=np.int64)
        for column, place in zip(self.columns, places, strict=True):
            if column in part:
                cell = cell * sizes[column] + place
        cells = size_of(part, sizes)
        known, owner = np.unique(group * cells + cell, return_inverse=True)
        return _WeightSums(
            known // cells, known % cells, np.bincount(owner, weight, len(known)).astype(np.float64)
        )

    def _spread(
        self, sums: _WeightSums, part: Columns, sizes: Sequence[int], shapes: Mapping[int, Floats]
    ) -> Floats:
        """The variance of each group's weights where noise is not even along some columns.

        That of few cells by their pairs, that of many by multiplying along each column.
        """
        lengths = [sizes[column] for column in part]
        covariances = [shapes.get(column) for column in part]
        bounds = np.searchsorted(sums.group, np.arange(self.groups + 1))
        found = np.zeros(self.groups)
        for group in range(self.groups):
            own = slice(bounds[group], bounds[group + 1])
            cell, weight = sums.cell[own], sums.weight[own]
            if len(cell) ** 2 <= math.prod(lengths):
                found[group] = weight @ _among(np.unravel_index(cell, lengths), lengths, covariances) @ weight
                continue
            whole = np.zeros(math.prod(lengths))
            whole[cell] = weight
            spread = whole.reshape(lengths)
            for axis, covariance in enumerate(covariances):
                if covariance is None:
                    spread = spread - spread.mean(axis=axis, keepdims=True)
                else:
                    spread = np.moveaxis(np.tensordot(covariance, spread, axes=(1, axis)), 0, axis)
            found[group] = whole @ spread.reshape(-1)
        return np.maximum(found, 0.0)

    def estimates(self, residuals: Mapping[Columns, Floats], sizes: Sequence[int]) -> Floats:
        """As of `ProductQuery`."""
        found = np.zeros(self.groups)
        kept = self.group >= 0
        for part, coefficient in self.coefficients(sizes).items():
            if not _matters(coefficient):
                continue
            shape = [sizes[column] if column in part else 1 for column in self.columns]
            rest = size_of(set(self.columns).difference(part), sizes)
            cells = np.broadcast_to(residuals[part].reshape(shape) / rest, self.group.shape)
            found += np.bincount(self.group[kept], (cells * self.weight)[kept], self.groups)
        return found


@dataclass(frozen=True, eq=False)
class _WeightSums:
    """Weights by group and cell of some columns, ascending."""

    group: Integers
    cell: Integers
    weight: Floats


def _among(
    places: tuple[NDArray[np.intp], ...], lengths: Sequence[int], covariances: Sequence[Floats | None]
) -> Floats:
    """The covariances among a few cells. Input: the place of each along each column."""
    found = np.ones((len(places[0]), len(places[0])))
    for place, size, covariance in zip(places, lengths, covariances, strict=True):
        if covariance is None:
            found = found * ((place[:, None] == place) - 1.0 / size)
        else:
            found = found * covariance[np.ix_(place, place)]
    return found


LinearQuery = ProductQuery | CellQuery


def with_one_more(query: LinearQuery) -> LinearQuery:
    """The same query, in which each cell weighs 1 more; of a product one column at most has weights."""
    if isinstance(query, CellQuery):
        return replace(query, weight=query.weight + 1)
    weighted = next((at for at, one in enumerate(query.of_column) if one.weight is not None), 0)
    of_column = list(query.of_column)
    own = of_column[weighted]
    weight = np.ones(own.size) if own.weight is None else own.weight
    of_column[weighted] = replace(own, weight=weight + 1)
    return replace(query, of_column=tuple(of_column))


def difference_of(first: LinearQuery, second: LinearQuery, sizes: Sequence[int]) -> CellQuery | None:
    """The difference of two numbers of each group; None if cells are many, or one in different groups."""
    columns = tuple(sorted({*first.columns, *second.columns}))
    if type(first) is not type(second) or size_of(columns, sizes) > _MOST_CELLS:
        return None
    (group, weight), (other, less) = (_on_cells(one, columns, sizes) for one in (first, second))
    if first.groups != second.groups or ((group >= 0) & (other >= 0) & (group != other)).any():
        return None
    return CellQuery(columns, np.maximum(group, other), weight - less, first.groups)


def _on_cells(query: LinearQuery, columns: Columns, sizes: Sequence[int]) -> tuple[Integers, Floats]:
    """Return the group of each cell of a larger table, and its weight there."""
    shape = [sizes[column] for column in columns]
    if isinstance(query, CellQuery):
        own = [sizes[column] if column in query.columns else 1 for column in columns]
        group, weight = query.group.reshape(own), query.weight.reshape(own)
    else:
        group, weight = np.zeros([1] * len(columns), dtype=np.int64), np.ones([1] * len(columns))
        for column, one in zip(query.columns, query.of_column, strict=True):
            own = [one.size if other == column else 1 for other in columns]
            place = one.group.reshape(own)
            group = np.where((group < 0) | (place < 0), -1, group * one.groups + place)
            weight = weight * one.weights.reshape(own)
    group = np.broadcast_to(group, shape)
    return group, np.where(group >= 0, np.broadcast_to(weight, shape), 0.0)


def table_query(columns: Columns, sizes: Sequence[int]) -> ProductQuery:
    """The whole table of some columns: each cell is a group."""
    return ProductQuery(columns, tuple(Grouping.each(sizes[column]) for column in columns))


def needed(query: LinearQuery, sizes: Sequence[int]) -> list[Columns]:
    """The residuals on which some group of a query depends."""
    return [part for part, one in query.coefficients(sizes).items() if _matters(one)]


def variances_of(
    query: LinearQuery, variances: Variances, sizes: Sequence[int], shapes: Shapes = EVEN
) -> Floats | None:
    """The variance of each group's estimate; None if a residual that it depends on is not measured.

    Input: the variance s_A of each residual, and the covariance of its noise where that is not even.
    """
    found = np.zeros(query.groups)
    for part, coefficient in query.coefficients(sizes, shapes).items():
        if _matters(coefficient):
            if part not in variances:
                return None
            found += variances[part] * coefficient
    return found


def counted(query: ProductQuery, table: Columns, counts: Floats) -> Floats:
    """The groups of a table without noise. Input: a table that has the query's columns."""
    term = summed_out(counts, table, query.columns)
    for one in query.of_column:
        term = one.added_up(term)
    return np.asarray(term).reshape(-1)


def _matters(coefficient: Floats) -> bool:
    return bool(coefficient.max(initial=0.0) > _NOTHING)
