"""The candidates of a grouped query, by index. Indices reveal scores, and are never released (see `shown`).

A group of public domains without rows has score 0, and is a candidate like any other.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from dpduck.kernel.arrow.arrays import array_of, texts_of
from dpduck.kernel.arrow.columns import scores_of, tick_integers
from dpduck.kernel.arrow.strings import text
from dpduck.kernel.plan.keys import Key, KeySpace
from dpduck.kernel.release import domain_keys
from dpduck.kernel.release.domain_keys import Group
from dpduck.kernel.scores import SCORE_LIMIT, GroupedScores, PlainScores

Integers = NDArray[np.int64]

_MOST = SCORE_LIMIT // 4


class Candidates(ABC):
    """Groups with scores: first those with rows, then those of the domains without. Its repr is hidden."""

    def __init__(self, space: KeySpace, listed: int) -> None:
        self._space = space
        self._listed = listed
        self._missing = 0 if space.size is None else space.size - listed

    def __repr__(self) -> str:
        return f"<{type(self).__name__}, hidden>"

    @property
    @abstractmethod
    def scores(self) -> PlainScores | GroupedScores:
        """The score vector over all candidates."""

    def keys(self, numbers: Sequence[int]) -> list[pa.Array]:
        """The keys of these candidates, in this order. Input: distinct indices chosen by a mechanism."""
        wanted = np.array(numbers, dtype=np.int64)
        has_rows = wanted < self._listed
        columns = self._found(wanted[has_rows])
        if has_rows.all():
            return columns
        found = iter(zip(*(column.to_pylist() for column in columns), strict=True))
        missing = iter(self._without_rows((wanted[~has_rows] - self._listed).tolist()))
        groups = [next(found) if has else next(missing) for has in has_rows.tolist()]
        return [texts_of([text(value) for value in values]) for values in zip(*groups, strict=True)]

    @abstractmethod
    def _found(self, numbers: Integers) -> list[pa.Array]:
        """The keys of groups with rows."""

    @abstractmethod
    def _without_rows(self, ranks: Sequence[int]) -> list[Group]:
        """The groups of the domains without rows, by their rank among these."""


class ListedGroups(Candidates):
    """Candidates whose groups with rows are listed in a table: their keys, and `score`.

    `sums`: the scores are sums in ticks, of any size and sign.
    """

    def __init__(self, space: KeySpace, table: pa.Table, *, sums: bool = False) -> None:
        table = of_candidates(space, table)
        super().__init__(space, table.num_rows)
        self._columns = key_columns(space.keys, table)
        scores = table.column("score").combine_chunks()
        self._counts = _clamped(scores) if sums else scores_of(scores, "score")

    @property
    def scores(self) -> PlainScores:
        return PlainScores(self._counts, self._missing)

    def _found(self, numbers: Integers) -> list[pa.Array]:
        return [column.take(array_of(numbers)) for column in self._columns]

    def _without_rows(self, ranks: Sequence[int]) -> list[Group]:
        return [domain_keys.at(self._space, _missing(self._places, rank)) for rank in ranks]

    @cached_property
    def _places(self) -> Integers:
        return np.sort(domain_keys.places_of(self._space, self._columns))


def _clamped(sums: pa.Array) -> Integers:
    """Sums in ticks as scores. Clamping does not fail for any sum, and moves no two further apart."""
    return np.array([min(max(ticks, -_MOST), _MOST) for ticks in tick_integers(sums)], dtype=np.int64)


def of_candidates(space: KeySpace, table: pa.Table) -> pa.Table:
    """The rows of score SQL whose keys are a candidate.

    The SQL tests each key alone. A row whose joint keys are no combination has a value outside of the domain
    of a column, or belongs to a public row that came after the query was planned.
    """
    if not space.joint or not table.num_rows:
        return table
    return table.filter(array_of(domain_keys.places_of(space, key_columns(space.keys, table)) >= 0))


def key_columns(keys: Sequence[Key], table: pa.Table) -> list[pa.Array]:
    """The keys in the result of score SQL; ENUMs as strings, and times in UTC without their zone."""
    return [_plain(table.column(i).combine_chunks()) for i in range(len(keys))]


def _plain(column: pa.Array) -> pa.Array:
    if pa.types.is_timestamp(column.type):
        return column.view(pa.timestamp(column.type.unit))
    return column.cast(pa.string()) if pa.types.is_dictionary(column.type) else column


def _missing(places: Integers, rank: int) -> int:
    """The number of that rank, from 0, among those not in the ascending array.

    >>> [_missing(np.array([0, 2, 3]), rank) for rank in range(3)]
    [1, 4, 5]
    """
    return rank + int(np.searchsorted(places - np.arange(len(places)), rank, side="right"))
