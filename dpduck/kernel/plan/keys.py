"""The keys of candidates: columns of the score SQL, before the column `score`."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from dpduck.kernel.catalog.model import Domain, RangeDomain, fold
from dpduck.kernel.catalog.types import Value

Group = tuple[Value | None, ...]  # one value for each key
Places = tuple[int, ...]  # indices of some of the keys

_RESERVED = ("score", "units")  # columns of score SQL that are not keys


def key_column(number: int) -> str:
    """Return the name of a key's released column. Input: the key's index."""
    return f"k{number}"


@dataclass(frozen=True)
class Key:
    """One column of candidates. `domain` None: its values come from private rows, which costs a delta.

    `or_null`: whether NULL, which no domain contains, is a candidate as well; it is the last one.
    `declared`, `declared_null`: the same before the conditions of the query narrowed it. `alias`: what the
    select list calls an expression, for people.
    """

    name: str  # the column's name in the score SQL
    type: str  # its DuckDB type
    domain: Domain | None
    declared: Domain | None = None
    or_null: bool = False
    declared_null: bool = False
    alias: str = field(default="", compare=False, repr=False)

    @property
    def size(self) -> int | None:
        """The number of values, with NULL; None if they come from private rows."""
        return None if self.domain is None else self.domain.size + self.or_null

    @property
    def is_narrowed(self) -> bool:
        """Whether the conditions of the query leave fewer values than were declared."""
        return (self.domain, self.or_null) != (self.declared or self.domain, self.declared_null)


@dataclass(frozen=True)
class JointKeys:
    """Keys that determine one another in part: their places among the keys, and their combinations."""

    places: tuple[int, ...]
    combinations: tuple[Group, ...]

    def only(self, places: Iterable[int]) -> int:
        """Return how many combinations there are of some of the keys. Input: their places."""
        kept = [number for number, place in enumerate(self.places) if place in set(places)]
        return len({tuple(values[number] for number in kept) for values in self.combinations})


@dataclass(frozen=True)
class KeySpace:
    """The candidates of a query: all combinations of its keys' values, of joint keys those that exist."""

    keys: tuple[Key, ...]
    joint: tuple[JointKeys, ...] = ()

    @property
    def is_known(self) -> bool:
        """Whether all candidates are public."""
        return all(key.domain is not None for key in self.keys)

    @property
    def size(self) -> int | None:
        """The number of candidates; None if they come from private rows."""
        return self.size_of(range(len(self.keys)))

    def size_of(self, places: Iterable[int]) -> int | None:
        """Return the number of combinations of some of the keys, None if it is unknown. Input: places."""
        wanted = set(places)
        sizes = [joint.only(wanted) for joint in self.joint if wanted & set(joint.places)]
        for place in wanted.difference(*(joint.places for joint in self.joint)):
            size = self.keys[place].size
            if size is None:
                return None
            sizes.append(size)
        return math.prod(sizes)

    def most_merged(self, places: Iterable[int]) -> int:
        """Return how many candidates, which must be known, may share their values of some of the keys."""
        kept = set(places)
        numbers = []
        for joint in self.joint:
            own = [number for number, place in enumerate(joint.places) if place in kept]
            shared = Counter(tuple(values[number] for number in own) for values in joint.combinations)
            numbers.append(max(shared.values(), default=0))
        others = set(range(len(self.keys))).difference(kept, *(joint.places for joint in self.joint))
        return math.prod([*numbers, *(self.keys[place].size or 0 for place in others)])

    def groups(self) -> Iterator[Group]:
        """Yield all candidates, which must be known, with the last key varying fastest."""
        joint = {one.places[0]: _factor(one.combinations, one.places) for one in self.joint}
        covered = {place for one in self.joint for place in one.places}
        factors = [
            joint.get(place) or _factor(_members(key), (place,))
            for place, key in enumerate(self.keys)
            if place in joint or place not in covered
        ]
        for parts in itertools.product(*factors):
            values = dict(itertools.chain.from_iterable(parts))
            yield tuple(values[place] for place in range(len(self.keys)))


def _factor(combinations: Iterable[Group], places: tuple[int, ...]) -> list[list[tuple[int, Value | None]]]:
    return [list(zip(places, group, strict=True)) for group in combinations]


def _members(key: Key) -> Iterator[Group]:
    domain = key.domain
    if isinstance(domain, RangeDomain):
        yield from ((domain.value(offset),) for offset in range(domain.size))
    else:
        yield from ((value,) for value in domain or ())
    if key.or_null:
        yield (None,)


def unique_name(name: str, taken: Iterable[str]) -> str:
    """Return a unique name for a key in the score SQL: its own name unless that is taken.

    >>> unique_name("page", []), unique_name("page", ["Page"]), unique_name("score", [])
    ('page', 'page_2', 'key')
    """
    used = {fold(other) for other in taken} | set(_RESERVED)
    first = "key" if not name or fold(name) in _RESERVED else name
    name, number = first, 1
    while fold(name) in used:
        number += 1
        name = f"{first}_{number}"
    return name
