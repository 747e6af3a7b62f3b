"""The candidates of a grouped question: groups with scores, listed or implied by public domains."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from dpduck.catalog import RangeDomain, ValuesDomain, ticks
from dpduck.grid import Grid
from dpduck.query.keys import Key
from dpduck.scores import SCORE_LIMIT, PlainScores
from dpduck.sqltypes import parse_type

Integers = NDArray[np.int64]
Group = tuple[object, ...]  # one value for each key


@dataclass(frozen=True, repr=False)
class Candidates:
    """The groups that score SQL returned, numbered from 0, then those of the domains that it did not.

    A group of the domains without a row has score 0, and is a candidate like any other; the groups are
    never listed in full for that. The place of a group is its number in the product of the domains, in
    their own order, the last key first.
    """

    keys: tuple[Key, ...]
    columns: tuple[pa.Array, ...]

    @property
    def listed(self) -> int:
        """The number of groups that score SQL returned."""
        return len(self.columns[0])

    def scores(self, counts: Integers) -> PlainScores:
        """The score vector over all candidates."""
        return PlainScores(counts, 0 if not self._known else self.size - self.listed)

    def value(self, number: int) -> Group:
        """The keys of one candidate."""
        if number < self.listed:
            return tuple(column[number].as_py() for column in self.columns)
        return self.at(_absent(self._occupied, number - self.listed))

    def in_order(self, values: Integers) -> Integers:
        """A number for each group of the domains, in their order: its value, 0 for one without a row."""
        numbers = np.zeros(self.size, dtype=np.int64)
        numbers[self.places] = values
        return numbers

    def at(self, place: int) -> Group:
        """The keys of the group at a place."""
        values = []
        for key in reversed(self.keys):
            domain = key.domain
            assert domain is not None
            place, offset = divmod(place, domain.size)
            values.append(domain.value(offset) if isinstance(domain, RangeDomain) else domain.values[offset])
        return tuple(reversed(values))

    @cached_property
    def size(self) -> int:
        """The number of groups of the domains."""
        return math.prod(key.domain.size for key in self.keys if key.domain is not None)

    @property
    def _known(self) -> bool:
        return all(key.domain is not None for key in self.keys)

    @cached_property
    def places(self) -> Integers:
        """The place of each listed group."""
        places = np.zeros(self.listed, dtype=np.int64)
        for key, column in zip(self.keys, self.columns, strict=True):
            assert key.domain is not None
            places = places * key.domain.size + _offsets(key, column)
        return places

    @cached_property
    def _occupied(self) -> Integers:
        return np.sort(self.places)

    @cached_property
    def groups(self) -> list[Group]:
        """The keys of the listed groups."""
        return list(zip(*(column.to_pylist() for column in self.columns), strict=True))


def _offsets(key: Key, column: pa.Array) -> Integers:
    """The number of each value within the key's domain."""
    domain = key.domain
    if isinstance(domain, RangeDomain):
        sql_type = parse_type(key.type)
        largest = max(abs(ticks(domain.low)), abs(ticks(domain.high))) * 10**sql_type.scale
        if largest >= SCORE_LIMIT or _is_text(key):  # not for a grid of 64 bits
            values = map(int, column.to_pylist()) if _is_text(key) else column.to_pylist()
            return np.array([domain.offset(value) for value in values], dtype=np.int64)
        return Grid.of(sql_type, domain.low, domain.high, domain.step).nearest(column)
    assert isinstance(domain, ValuesDomain)
    numbers = {str(value) if _is_text(key) else value: number for number, value in enumerate(domain)}
    return np.array([numbers[value] for value in column.to_pylist()], dtype=np.int64)


def _is_text(key: Key) -> bool:
    """Whether score SQL hands the key out as text: Arrow has no type for the largest numbers."""
    return key.type == "UHUGEINT"


def _absent(occupied: Integers, rank: int) -> int:
    """The number that has `rank` smaller numbers not in the ascending array `occupied`.

    >>> [_absent(np.array([0, 2, 3]), rank) for rank in range(3)]
    [1, 4, 5]
    """
    return rank + int(np.searchsorted(occupied - np.arange(len(occupied)), rank, side="right"))


def candidates_of(keys: Sequence[Key], scores: pa.Table) -> Candidates:
    """The candidates in the first columns of what score SQL returned."""
    columns = (scores.column(i).combine_chunks() for i in range(len(keys)))
    return Candidates(tuple(keys), tuple(_plain(column) for column in columns))


def _plain(column: pa.Array) -> pa.Array:
    return column.cast(pa.string()) if pa.types.is_dictionary(column.type) else column
