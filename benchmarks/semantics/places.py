"""Where an expression stands in a query, and what its answer is then if it means what it means in DuckDB."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from benchmarks.semantics.doors import Door
from benchmarks.semantics.plain import Expected
from benchmarks.semantics.rows import COLUMNS, FAR, UNITS_OF_A_ROW

Cells = dict[str, str | None]  # by the number of a row; None: the answer has no such row
PUBLIC = "public table"
_WORD = re.compile(r"\b[a-z]+\b")
_TIMES = frozenset({"d", "e", "ts", "tt", "tz"})
_NO_KEYS = ("x", "y", "f", "l")  # of types that are no keys


@dataclass(frozen=True)
class Place(ABC):
    """A place. `size`: how many expressions one query may have there; `every`: one in so many is asked."""

    name: str
    size: int
    every: int
    of_people: ClassVar[bool] = True

    def takes(self, one: Expected) -> bool:  # noqa: ARG002 (other places look at it)
        """Whether an expression may stand here."""
        return True

    @abstractmethod
    def query(self, pack: Sequence[Expected]) -> str:
        """A query with the expressions: the number of a row, and a column for each."""

    @abstractmethod
    def type_of(self, one: Expected) -> str:
        """The type of an expression's column."""

    @abstractmethod
    def cells(self, one: Expected, pack: Sequence[Expected], door: Door) -> Cells:
        """The cells of an expression's column in a query with others, as the door shows them."""

    def may_lack(self, pack: Sequence[Expected], row: int) -> bool:  # noqa: ARG002 (other places look at it)
        """Whether an answer for expressions may be without a row."""
        return False

    def is_same(self, found: str | None, expected: str | None) -> bool:
        """Whether a cell is the expected one."""
        return found == expected


def _condition(one: Expected) -> str:
    return f"({one.text})" if one.type == "BOOLEAN" else f"({one.text}) IS NOT NULL"


def _holds(one: Expected, row: int) -> bool:
    return one.values[row] == "True" if one.type == "BOOLEAN" else not one.is_null(row)


def _counts(one: Expected, door: Door) -> Cells:
    return {str(row): door.number(UNITS_OF_A_ROW * _holds(one, row)) for row in range(len(one.values))}


class _Counted(Place):
    """Rows that meet a condition are counted."""

    def type_of(self, one: Expected) -> str:  # noqa: ARG002
        return "BIGINT"

    def cells(self, one: Expected, pack: Sequence[Expected], door: Door) -> Cells:  # noqa: ARG002
        return _counts(one, door)


class Where(_Counted):
    """A row that does not meet the condition is no group to plain SQL, and one of 0 here, or none."""

    def is_same(self, found: str | None, expected: str | None) -> bool:
        return found == expected or (found is None and str(expected).strip("'") == "0")

    def query(self, pack: Sequence[Expected]) -> str:
        (one,) = pack
        return f"SELECT i, count(*) AS v0 FROM hidden WHERE {_condition(one)} GROUP BY i"


class Filter(_Counted):
    def query(self, pack: Sequence[Expected]) -> str:
        items = [f"count(*) FILTER (WHERE {_condition(one)}) AS v{turn}" for turn, one in enumerate(pack)]
        return f"SELECT i, {', '.join(items)} FROM hidden GROUP BY i"


class Having(_Counted):
    """The columns of the condition are keys: a group is a row that meets it."""

    def takes(self, one: Expected) -> bool:
        return not set(columns_of(one.text)) & set(_NO_KEYS) and not one.raised

    def query(self, pack: Sequence[Expected]) -> str:
        (one,) = pack
        keys = ", ".join(("i", *_keys_of(pack)))
        return (
            f"SELECT i, count(*) AS v0 FROM hidden GROUP BY {keys} HAVING {_condition(one)} AND count(*) > 1"
        )

    def cells(self, one: Expected, pack: Sequence[Expected], door: Door) -> Cells:  # noqa: ARG002
        counts = _counts(one, door)
        return {row: count if _holds(one, int(row)) else None for row, count in counts.items()}

    def may_lack(self, pack: Sequence[Expected], row: int) -> bool:
        return _is_no_group(pack, row)


class Aggregate(_Counted):
    """Values that are true, or not NULL, are counted."""

    def query(self, pack: Sequence[Expected]) -> str:
        calls = [f"count_if({one.text})" if one.type == "BOOLEAN" else f"count({one.text})" for one in pack]
        items = [f"{text} AS v{turn}" for turn, text in enumerate(calls)]
        return f"SELECT i, {', '.join(items)} FROM hidden GROUP BY i"

    def type_of(self, one: Expected) -> str:
        return "HUGEINT" if one.type == "BOOLEAN" else "BIGINT"


class Key(Place):
    """A value is a key beside the number of its row; NULL is in no group."""

    def query(self, pack: Sequence[Expected]) -> str:
        (one,) = pack
        return f"SELECT i, ({one.text}) AS v0, count(*) AS n FROM hidden GROUP BY ALL HAVING count(*) > 1"

    def type_of(self, one: Expected) -> str:
        return one.type

    def cells(self, one: Expected, pack: Sequence[Expected], door: Door) -> Cells:  # noqa: ARG002
        values = door.values_of(one, "shown")
        return {str(row): None if cell == "None" else cell for row, cell in enumerate(values)}

    def is_same(self, found: str | None, expected: str | None) -> bool:
        return found == expected or (found == "None" and expected is None)


class Public(Place):
    """A row of a public table."""

    of_people = False

    def takes(self, one: Expected) -> bool:
        return not one.raised

    def query(self, pack: Sequence[Expected]) -> str:
        items = ", ".join(f"({one.text}) AS v{turn}" for turn, one in enumerate(pack))
        return f"SELECT i, {items} FROM shown"

    def type_of(self, one: Expected) -> str:
        return one.type

    def cells(self, one: Expected, pack: Sequence[Expected], door: Door) -> Cells:  # noqa: ARG002
        return {str(row): cell for row, cell in enumerate(door.values_of(one, "shown"))}


class Released(Public):
    """A row of an answer whose keys are the columns of all expressions of the query."""

    def takes(self, one: Expected) -> bool:
        return not one.raised and not set(columns_of(one.text)) & set(_NO_KEYS)

    def query(self, pack: Sequence[Expected]) -> str:
        names = ", ".join(("i", *_keys_of(pack)))
        inner = f"SELECT {names}, count(*) AS n FROM hidden GROUP BY ALL HAVING count(*) > 1"
        items = ", ".join(f"({one.text}) AS v{turn}" for turn, one in enumerate(pack))
        return f"SELECT i, {items} FROM ({inner}) AS answer"

    def may_lack(self, pack: Sequence[Expected], row: int) -> bool:
        return _is_no_group(pack, row)


def _keys_of(pack: Sequence[Expected]) -> list[str]:
    return list(dict.fromkeys(name for one in pack for name in columns_of(one.text) if name != "i"))


def _is_no_group(pack: Sequence[Expected], row: int) -> bool:
    """Whether a row has a key that is beyond its domain: NULL, of some types, or a far time."""
    keys = _keys_of(pack)
    return pack[0].lacks(keys, row) or (row >= FAR and not _TIMES.isdisjoint(keys))


@lru_cache(4096)
def columns_of(text: str) -> tuple[str, ...]:
    """The columns that an expression names, each once."""
    bare = re.sub(r"'(?:[^']|'')*'", "''", text)
    return tuple(name for name in dict.fromkeys(_WORD.findall(bare)) if name in COLUMNS)


PLACES: tuple[Place, ...] = (
    Where("WHERE", 1, 24),
    Key("key", 1, 24),
    Aggregate("aggregate", 48, 1),
    Having("HAVING", 1, 48),
    Filter("FILTER", 48, 1),
    Public(PUBLIC, 48, 1),
    Released("released answer", 24, 1),
)
