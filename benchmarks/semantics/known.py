"""The differences from plain DuckDB that are wanted, each with its reason."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.semantics.rows import FAR


@dataclass(frozen=True)
class Difference:
    """One expression that differs at a place. `kind`: of what: type, value, failed or answered.

    `rows`: those that differ; `found`, `expected`: the cells of the first.
    """

    place: str
    door: str
    kind: str
    text: str
    found: str
    expected: str
    rows: tuple[int, ...] = ()


@dataclass(frozen=True)
class Known:
    """A kind of difference that is wanted, and why."""

    name: str
    reason: str
    holds: Callable[[Difference], bool]


_PRIVATE = ("WHERE", "key", "aggregate", "FILTER")
_ZONED = re.compile(r"\btz\b|TIMESTAMPTZ|ZONE", re.IGNORECASE)


def _is_far(one: Difference) -> bool:
    return one.kind == "value" and one.place in (*_PRIVATE, "HAVING") and min(one.rows) >= FAR


KNOWN: tuple[Known, ...] = (
    Known(
        "far ends",
        "Over private rows a value beyond what all functions take (docs/SQL.md) is NULL: none may fail on a row.",
        _is_far,
    ),
)


def known(difference: Difference) -> Known | None:
    """The entry of the table that a difference is of."""
    return next((one for one in KNOWN if one.holds(difference)), None)
