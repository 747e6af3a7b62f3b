"""SQL on scores that an engine holds: it says what mechanisms must know of them, and names the winners.

A mechanism needs how many candidates have each score. A winner is then a score and a rank, drawn
uniformly, among the candidates of that score, which may stand in any order: it is found by its rank, all
winners in one query, so that the order is one order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dpduck.catalog.model import RangeDomain, ValuesDomain
from dpduck.catalog.types import parse_type
from dpduck.query.plan import grid_sql
from dpduck.query.write.emit import GIVEN, HELD, call, identifier, literal
from dpduck.query.write.keys import Key

_BIGINT = parse_type("BIGINT")
_HELD = f"{HELD} AS h"


def sizes() -> str:
    """How many candidates have each `score`: their `size`."""
    return f"SELECT h.score, {call('count', '*')} AS size FROM {_HELD} GROUP BY h.score"


def members(keys: Sequence[Key]) -> str:
    """The candidates of given `score` and `rank`, from 0, with these."""
    ranked = (
        f"SELECT {_keys(keys)}, h.score, {call('row_number')} OVER (PARTITION BY h.score) AS place "
        f"FROM {_HELD} JOIN (SELECT DISTINCT g.score FROM {GIVEN} AS g) AS g ON h.score = g.score"
    )
    return _of_given(keys, ranked, "h.score = g.score AND ")


def members_of(keys: Sequence[Key], score: int) -> str:
    """As `members`, where all are of one score: without a sort, so for a score that many have."""
    ranked = (
        f"SELECT {_keys(keys)}, h.score, {call('row_number')} OVER () AS place "
        f"FROM {_HELD} WHERE h.score = {literal(score, _BIGINT)}"
    )
    return _of_given(keys, ranked, "")


def of_given(keys: Sequence[Key], scores: str) -> str:
    """Rows of score SQL whose keys are among given ones, after the `number` of these.

    Input: given keys are columns k0, k1, ..., as values or as text.
    """
    same = [
        f"t.{identifier(key.name)} IS NOT DISTINCT FROM CAST(g.k{i} AS {_exported(key)})"
        for i, key in enumerate(keys)
    ]
    return f"SELECT g.number, t.* FROM ({scores}) AS t JOIN {GIVEN} AS g ON {' AND '.join(same)}"


def _exported(key: Key) -> str:
    """The type in which score SQL hands the key out."""
    return "VARCHAR" if key.type == "UHUGEINT" else key.type


@dataclass(frozen=True)
class Digit:
    """One digit of the place of a candidate among the groups of public domains.

    The number of its value in the domain of `key`, without what is below `width`; from a list of values, one
    value is one digit.
    """

    key: Key
    width: int

    @property
    def is_value(self) -> bool:
        """Whether SQL has the value itself in place of its number."""
        return isinstance(self.key.domain, ValuesDomain)

    @property
    def sql(self) -> str:
        """The digit of a row h."""
        value = f"h.{identifier(self.key.name)}"
        if not isinstance(self.key.domain, RangeDomain):
            return value
        number = grid_sql.number(value, self.key.domain, parse_type(self.key.type))
        return number if self.width == 1 else call("//", number, literal(self.width, _BIGINT))

    def literal(self, number: int) -> str:
        """The digit as SQL of the same type."""
        if isinstance(self.key.domain, ValuesDomain):
            return literal(self.key.domain.values[number], parse_type(self.key.type))
        return literal(number, _BIGINT)


def occupied(digits: Sequence[Digit], known: Sequence[Sequence[int]]) -> str:
    """How many candidates there are with each combination of digits: columns d0, d1, ..., `size`.

    Input: the values that count of all digits but the last.
    """
    within = [
        f"{digit.sql} IN ({', '.join(map(digit.literal, values))})"
        for digit, values in zip(digits, known, strict=False)
    ]
    items = ", ".join(f"{digit.sql} AS d{i}" for i, digit in enumerate(digits))
    text = f"SELECT {items}, {call('count', '*')} AS size FROM {_HELD}"
    text += f" WHERE {' AND '.join(within)}" if within else ""
    return f"{text} GROUP BY {', '.join(digit.sql for digit in digits)}"


def _of_given(keys: Sequence[Key], ranked: str, same: str) -> str:
    names = ", ".join(f"h.k{i}" for i in range(len(keys)))
    place = call("+", "g.rank", "1")
    return (
        f"SELECT {names}, h.score, g.rank FROM ({ranked}) AS h JOIN {GIVEN} AS g ON {same}h.place = {place}"
    )


def _keys(keys: Sequence[Key]) -> str:
    """The keys under names that nothing else has."""
    return ", ".join(f"h.{identifier(key.name)} AS k{i}" for i, key in enumerate(keys))
