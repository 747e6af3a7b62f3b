"""The keys of candidates: columns of the score SQL, before the column `score`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dpduck.catalog.model import Domain, fold

_RESERVED = ("score", "units")  # columns of score SQL that are not keys


@dataclass(frozen=True)
class Key:
    """One column of candidates. `domain` None: its values come from private rows, which costs a delta."""

    name: str  # the column's name in the score SQL
    type: str  # its DuckDB type
    domain: Domain | None


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
