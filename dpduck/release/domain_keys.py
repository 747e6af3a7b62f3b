"""The product of public domains: all groups, ordered with the last key varying fastest.

The index of a group is its position in that order. Groups need not be listed to compute it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from dpduck.arrow.arrays import array_of
from dpduck.catalog.model import Domain, RangeDomain, ValuesDomain, ticks
from dpduck.catalog.types import parse_type
from dpduck.mechanisms.grid import Grid
from dpduck.query.write.keys import Key
from dpduck.scores import SCORE_LIMIT

Integers = NDArray[np.int64]
Group = tuple[object, ...]  # one value for each key


def are_known(keys: Sequence[Key]) -> bool:
    """Whether all groups are public."""
    return all(key.domain is not None for key in keys)


def domain_of(key: Key) -> Domain:
    """The key's domain, which it must have."""
    if key.domain is None:
        raise ValueError("the key has no domain")
    return key.domain


def size_of(keys: Sequence[Key]) -> int:
    """The number of groups."""
    return math.prod(domain_of(key).size for key in keys)


def at(keys: Sequence[Key], place: int) -> Group:
    """The group at an index."""
    values = []
    for key in reversed(keys):
        domain = domain_of(key)
        place, number = divmod(place, domain.size)
        values.append(domain.value(number) if isinstance(domain, RangeDomain) else domain.values[number])
    return tuple(reversed(values))


def places_of(keys: Sequence[Key], columns: Sequence[pa.Array]) -> Integers:
    """The indices of groups whose keys are given as columns."""
    places = np.zeros(len(columns[0]), dtype=np.int64)
    for key, column in zip(keys, columns, strict=True):
        places = places * domain_of(key).size + numbers_of(key, column)
    return places


def all_groups(keys: Sequence[Key]) -> list[pa.Array]:
    """A column for each key, with all groups in order."""
    size, inner = size_of(keys), 1
    columns = []
    for key in reversed(keys):
        domain = domain_of(key)
        values = _values(domain)
        if domain.size != size:
            values = values.take(array_of(np.arange(size) // inner % domain.size))
        columns.append(values)
        inner *= domain.size
    return columns[::-1]


def numbers_of(key: Key, column: pa.Array) -> Integers:
    """The index of each value within the key's domain."""
    domain = domain_of(key)
    if isinstance(domain, RangeDomain):
        sql_type = parse_type(key.type)
        largest = max(abs(ticks(domain.low)), abs(ticks(domain.high))) * 10**sql_type.scale
        if largest >= SCORE_LIMIT or is_text(key):  # not for a grid of 64 bits
            values = map(int, column.to_pylist()) if is_text(key) else column.to_pylist()
            return np.array([domain.offset(value) for value in values], dtype=np.int64)
        return Grid.of(sql_type, domain.low, domain.high, domain.step).nearest(column)
    numbers = {str(value) if is_text(key) else value: number for number, value in enumerate(domain)}
    return np.array([numbers[value] for value in column.to_pylist()], dtype=np.int64)


def is_text(key: Key) -> bool:
    """Whether score SQL returns the key as a string, since Arrow has no type for its largest numbers."""
    return key.type == "UHUGEINT"


def _values(domain: Domain) -> pa.Array:
    """All values of a domain, in order."""
    if isinstance(domain, ValuesDomain) or not isinstance(domain.low, int):
        return _listed(domain)
    if max(abs(ticks(domain.low)), abs(ticks(domain.high))) >= SCORE_LIMIT:
        return _listed(domain)
    return array_of(domain.low + int(domain.step) * np.arange(domain.size, dtype=np.int64))


@lru_cache(maxsize=8)
def _listed(domain: Domain) -> pa.Array:
    if isinstance(domain, ValuesDomain):
        return _array(list(domain.values))
    return _array([domain.value(number) for number in range(domain.size)])


def _array(values: list[object]) -> pa.Array:
    try:
        return pa.array(values)
    except (pa.ArrowInvalid, OverflowError):  # integers beyond 64 bits
        return pa.array([str(value) for value in values])
