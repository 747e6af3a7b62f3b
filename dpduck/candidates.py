"""The candidates of a grouped query: keys with scores, listed or implied by a public domain."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from dpduck.catalog import Domain, RangeDomain
from dpduck.grid import Grid
from dpduck.query.plan import Key
from dpduck.scores import PlainScores
from dpduck.sqltypes import parse_type

Integers = NDArray[np.int64]


@dataclass(frozen=True, repr=False)
class Candidates:
    """The keys that the score SQL returned, numbered from 0, then those of the domain that it did not.

    A key of the domain without a row has score 0, and is a candidate like any other; the keys are
    never listed in full for that.
    """

    key: Key
    keys: pa.Array
    counts: Integers

    @property
    def scores(self) -> PlainScores:
        """The score vector over all candidates."""
        domain = self.key.domain
        return PlainScores(self.counts, 0 if domain is None else domain.size - len(self.counts))

    def value(self, number: int) -> object:
        """The key of one candidate."""
        if number < len(self.keys):
            return self.keys[number].as_py()
        rank = number - len(self.keys)
        domain = self.key.domain
        if isinstance(domain, RangeDomain):
            return domain.value(_absent(self._occupied, rank))
        return self._unlisted[rank]

    def histogram(self, domain: Domain) -> tuple[list[object], Integers]:
        """All keys of the domain in its own order, and their counts."""
        if isinstance(domain, RangeDomain):
            counts = np.zeros(domain.size, dtype=np.int64)
            counts[self._offsets(domain)] = self.counts
            return [domain.value(offset) for offset in range(domain.size)], counts
        listed = dict(zip(self.keys.to_pylist(), self.counts.tolist(), strict=True))
        return list(domain), np.array([listed.get(value, 0) for value in domain], dtype=np.int64)

    def _offsets(self, domain: RangeDomain) -> Integers:
        return Grid.of(parse_type(self.key.type), domain.low, domain.high, domain.step).nearest(self.keys)

    @cached_property
    def _occupied(self) -> Integers:
        domain = self.key.domain
        return np.sort(self._offsets(domain)) if isinstance(domain, RangeDomain) else self.counts[:0]

    @cached_property
    def _unlisted(self) -> list[object]:
        listed = set(self.keys.to_pylist())
        return [value for value in self.key.domain or () if value not in listed]  # type: ignore[union-attr]


def _absent(occupied: Integers, rank: int) -> int:
    """The number that has `rank` smaller numbers not in the ascending array `occupied`.

    >>> [_absent(np.array([0, 2, 3]), rank) for rank in range(3)]
    [1, 4, 5]
    """
    return rank + int(np.searchsorted(occupied - np.arange(len(occupied)), rank, side="right"))
