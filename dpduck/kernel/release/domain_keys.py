"""The groups of public keys: all combinations, ordered with the last key varying fastest.

Keys that are joint vary together, in the place of the first of them. The index of a group is its position in
that order. Groups need not be listed to compute it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from dpduck.kernel.arrow.arrays import array_of, texts_of
from dpduck.kernel.catalog.model import Domain, RangeDomain, ValuesDomain, ticks
from dpduck.kernel.catalog.types import parse_type
from dpduck.kernel.mechanisms.grid import Grid
from dpduck.kernel.plan.keys import JointKeys, Key, KeySpace
from dpduck.kernel.scores import SCORE_LIMIT

Integers = NDArray[np.int64]
Group = tuple[object, ...]  # one value for each key


def domain_of(key: Key) -> Domain:
    """The key's domain, which it must have."""
    if key.domain is None:
        raise ValueError("the key has no domain")
    return key.domain


def size_of_key(key: Key) -> int:
    """The number of the key's values, with NULL, which must be known."""
    return domain_of(key).size + key.or_null


def size_of(space: KeySpace) -> int:
    """The number of groups, which must be known."""
    size = space.size
    if size is None:
        raise ValueError("the keys have no domain")
    return size


def at(space: KeySpace, place: int) -> Group:
    """The group at an index."""
    values: dict[int, object] = {}
    for factor in reversed(_factors(space)):
        place, number = divmod(place, factor.size)
        values |= zip(factor.places, factor.at(number), strict=True)
    return tuple(values[i] for i in range(len(space.keys)))


def places_of(space: KeySpace, columns: Sequence[pa.Array]) -> Integers:
    """The indices of groups whose keys are given as columns; -1 for a combination that does not exist."""
    places = np.zeros(len(columns[0]), dtype=np.int64)
    exists = np.ones(len(columns[0]), dtype=bool)
    for factor in _factors(space):
        numbers = factor.numbers([columns[place] for place in factor.places])
        exists &= numbers >= 0
        places = places * factor.size + numbers
    return np.where(exists, places, -1)


def all_groups(space: KeySpace) -> list[pa.Array]:
    """A column for each key, with all groups in order."""
    size, inner = size_of(space), 1
    columns: dict[int, pa.Array] = {}
    for factor in reversed(_factors(space)):
        for place, values in zip(factor.places, factor.columns(), strict=True):
            repeated = array_of(np.arange(size) // inner % factor.size)
            columns[place] = values if factor.size == size else values.take(repeated)
        inner *= factor.size
    return [columns[place] for place in range(len(space.keys))]


# --- factors of the product ----------------------------------------------------------------------


class _Factor(ABC):
    """One key, or joint keys: their places among the keys, and the number of their combinations."""

    places: tuple[int, ...]
    size: int

    @abstractmethod
    def at(self, number: int) -> Group:
        """The combination of that index."""

    @abstractmethod
    def numbers(self, columns: Sequence[pa.Array]) -> Integers:
        """The index of each combination; -1 if it does not exist."""

    @abstractmethod
    def columns(self) -> list[pa.Array]:
        """All combinations, a column for each key."""


class _OneKey(_Factor):
    def __init__(self, place: int, key: Key) -> None:
        self._key, self._domain = key, domain_of(key)
        self.places, self.size = (place,), size_of_key(key)

    def at(self, number: int) -> Group:
        domain = self._domain
        if number == domain.size:
            return (None,)
        return (domain.value(number) if isinstance(domain, RangeDomain) else domain.values[number],)

    def numbers(self, columns: Sequence[pa.Array]) -> Integers:
        return numbers_of(self._key, columns[0])

    def columns(self) -> list[pa.Array]:
        values = _values(self._domain)
        return [pa.concat_arrays([values, pa.nulls(1, values.type)]) if self._key.or_null else values]


class _Joint(_Factor):
    def __init__(self, joint: JointKeys, keys: Sequence[Key]) -> None:
        self._combinations = joint.combinations
        self._texts = [is_text(keys[place]) for place in joint.places]
        self.places, self.size = joint.places, len(joint.combinations)

    def at(self, number: int) -> Group:
        return self._combinations[number]

    def numbers(self, columns: Sequence[pa.Array]) -> Integers:
        numbers = {self._as_read(group): number for number, group in enumerate(self._combinations)}
        groups = zip(*(column.to_pylist() for column in columns), strict=True)
        return np.array([numbers.get(group, -1) for group in groups], dtype=np.int64)

    def _as_read(self, group: Group) -> Group:
        """A combination with its keys as score SQL returns them."""
        pairs = zip(group, self._texts, strict=True)
        return tuple(str(value) if as_text and value is not None else value for value, as_text in pairs)

    def columns(self) -> list[pa.Array]:
        return [_array(list(values)) for values in zip(*self._combinations, strict=True)]


def _factors(space: KeySpace) -> list[_Factor]:
    """The factors, each in the place of its first key."""
    joint = [_Joint(one, space.keys) for one in space.joint]
    covered = {place for one in joint for place in one.places}
    single = [_OneKey(place, key) for place, key in enumerate(space.keys) if place not in covered]
    return sorted((*joint, *single), key=lambda factor: factor.places[0])


def numbers_of(key: Key, column: pa.Array) -> Integers:
    """The index of each value within the key's domain; NULL comes after its last one."""
    if not column.null_count:
        return _numbers_of(key, column)
    numbers = np.full(len(column), domain_of(key).size, dtype=np.int64)
    numbers[column.is_valid().to_numpy(zero_copy_only=False)] = _numbers_of(key, column.drop_null())
    return numbers


def _numbers_of(key: Key, column: pa.Array) -> Integers:
    domain = domain_of(key)
    if isinstance(domain, RangeDomain):
        sql_type = parse_type(key.type)
        largest = max(abs(ticks(domain.low)), abs(ticks(domain.high))) * 10**sql_type.scale
        if largest >= SCORE_LIMIT or is_text(key):  # not for a grid of 64 bits
            values = map(int, column.to_pylist()) if is_text(key) else column.to_pylist()
            return np.array([domain.offset(value) for value in values], dtype=np.int64)
        if domain.size == 1:  # a grid has two points at least
            return np.zeros(len(column), dtype=np.int64)
        return Grid.of(sql_type, domain.low, domain.high, domain.step).nearest(column)
    numbers = {str(value) if is_text(key) else value: number for number, value in enumerate(domain)}
    return np.array([numbers[value] for value in column.to_pylist()], dtype=np.int64)


def is_text(key: Key) -> bool:
    """Whether score SQL returns the key as a string, since Arrow has no type for its largest numbers."""
    return key.type == "UHUGEINT"


def _values(domain: Domain) -> pa.Array:
    """All values of a domain, in order."""
    if isinstance(domain, ValuesDomain) or not isinstance(domain.low, int):
        return _listed(domain, _kinds(domain))
    if max(abs(ticks(domain.low)), abs(ticks(domain.high))) >= SCORE_LIMIT:
        return _listed(domain, _kinds(domain))
    return array_of(domain.low + int(domain.step) * np.arange(domain.size, dtype=np.int64))


def _kinds(domain: Domain) -> tuple[type, ...]:
    """The types of a domain's values: 0 = FALSE = 0.0 in Python, so that equal domains may differ in them."""
    values = domain.values if isinstance(domain, ValuesDomain) else (domain.low,)
    return tuple(dict.fromkeys(map(type, values)))


@lru_cache(maxsize=8)
def _listed(domain: Domain, kinds: tuple[type, ...]) -> pa.Array:  # noqa: ARG001 (of what is remembered)
    if isinstance(domain, ValuesDomain):
        return _array(list(domain.values))
    return _array([domain.value(number) for number in range(domain.size)])


def _array(values: list[object]) -> pa.Array:
    kinds = set(map(type, values))
    if kinds == {str}:
        return texts_of(values)  # type: ignore[arg-type]
    if kinds == {int} and max(map(abs, values)) < SCORE_LIMIT:  # type: ignore[arg-type]
        return array_of(np.array(values, np.int64))
    try:
        return pa.array(values)
    except (pa.ArrowInvalid, OverflowError):  # integers beyond 64 bits
        return pa.array([None if value is None else str(value) for value in values])
