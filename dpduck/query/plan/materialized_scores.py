"""SQL on scores that an engine holds: it says what mechanisms must know of them, and names the winners.

A mechanism needs how many candidates have each score. A winner is then a score and a rank, drawn
uniformly, among the candidates of that score, which may stand in any order: it is found by its rank, all
winners in one query, so that the order is one order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dpduck.catalog.model import RangeDomain, ValuesDomain
from dpduck.catalog.types import SqlType, parse_type
from dpduck.query.plan import grid_sql
from dpduck.query.tree import build
from dpduck.query.tree.build import call, literal
from dpduck.query.tree.emit import GIVEN, HELD
from dpduck.query.tree.nodes import ColumnRef, Comparison, Expression, Literal, Star, WindowCall
from dpduck.query.tree.relations import (
    DerivedTable,
    JoinedTables,
    ReaderTable,
    Relation,
    SelectItem,
    SelectQuery,
)
from dpduck.query.write.keys import Key

_BIGINT, _VARCHAR = parse_type("BIGINT"), parse_type("VARCHAR")
_HELD, _GIVEN = ReaderTable(HELD, "h"), ReaderTable(GIVEN, "g")
_SIZE = SelectItem(build.count_rows(), "size")
_NUMBER = call("row_number", _BIGINT)


def _held(name: str, sql_type: SqlType = _BIGINT) -> ColumnRef:
    return ColumnRef("h", name, sql_type, is_ours=True)


def _given(name: str, sql_type: SqlType = _BIGINT) -> ColumnRef:
    return ColumnRef("g", name, sql_type, is_ours=True)


_SCORE = _held("score")


def sizes() -> SelectQuery:
    """How many candidates have each `score`: their `size`."""
    return SelectQuery((_SCORE, _SIZE), _HELD, group_by=(_SCORE,))


def members(keys: Sequence[Key]) -> SelectQuery:
    """The candidates of given `score` and `rank`, from 0, with these."""
    wanted = SelectQuery((_given("score"),), _GIVEN, distinct=True)
    same = Comparison("=", _SCORE, _given("score"))
    source = JoinedTables(_HELD, "JOIN", DerivedTable(wanted, "g"), (same,))
    place = SelectItem(WindowCall(_NUMBER, (_SCORE,), ()), "place")
    return _of_given(keys, SelectQuery((*_keys(keys), _SCORE, place), source), same)


def members_of(keys: Sequence[Key], score: int) -> SelectQuery:
    """As `members`, where all are of one score: without a sort, so for a score that many have."""
    place = SelectItem(WindowCall(_NUMBER, (), ()), "place")
    test = Comparison("=", _SCORE, literal(score, _BIGINT))
    return _of_given(keys, SelectQuery((*_keys(keys), _SCORE, place), _HELD, (test,)))


def of_given(keys: Sequence[Key], scores: SelectQuery) -> SelectQuery:
    """Rows of score SQL whose keys are among given ones, after the `number` of these.

    Input: given keys are columns k0, k1, ..., as values or as text.
    """
    same = [
        Comparison(
            "IS NOT DISTINCT FROM",
            ColumnRef("t", key.name, _exported(key)),
            build.converted(_given(f"k{i}", _exported(key)), _exported(key)),
        )
        for i, key in enumerate(keys)
    ]
    source = JoinedTables(DerivedTable(scores, "t"), "JOIN", _GIVEN, tuple(same))
    return SelectQuery((_given("number"), Star("t")), source)


def _exported(key: Key) -> SqlType:
    """The type in which score SQL hands the key out."""
    return _VARCHAR if key.type == "UHUGEINT" else parse_type(key.type)


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
    def node(self) -> Expression:
        """The digit of a row h."""
        value = _key(self.key)
        if not isinstance(self.key.domain, RangeDomain):
            return value
        number = grid_sql.number(value, self.key.domain, parse_type(self.key.type))
        return number if self.width == 1 else call("//", _BIGINT, number, literal(self.width, _BIGINT))

    def literal(self, number: int) -> Literal:
        """The digit as a constant of the same type."""
        if isinstance(self.key.domain, ValuesDomain):
            return literal(self.key.domain.values[number], parse_type(self.key.type))
        return literal(number, _BIGINT)


def occupied(digits: Sequence[Digit], known: Sequence[Sequence[int]]) -> SelectQuery:
    """How many candidates there are with each combination of digits: columns d0, d1, ..., `size`.

    Input: the values that count of all digits but the last.
    """
    within = [
        build.one_of(digit.node, map(digit.literal, values))
        for digit, values in zip(digits, known, strict=False)
    ]
    items = [SelectItem(digit.node, f"d{i}") for i, digit in enumerate(digits)]
    return SelectQuery((*items, _SIZE), _HELD, tuple(within), tuple(digit.node for digit in digits))


def _of_given(keys: Sequence[Key], ranked: SelectQuery, *same: Expression) -> SelectQuery:
    names = [_held(f"k{i}", _exported(key)) for i, key in enumerate(keys)]
    place = call("+", _BIGINT, _given("rank"), build.digits(1))
    test = Comparison("=", _held("place"), place)
    source: Relation = JoinedTables(DerivedTable(ranked, "h"), "JOIN", _GIVEN, (*same, test))
    return SelectQuery((*names, _SCORE, _given("rank")), source)


def _keys(keys: Sequence[Key]) -> list[SelectItem]:
    """The keys under names that nothing else has."""
    return [SelectItem(_key(key), f"k{i}") for i, key in enumerate(keys)]


def _key(key: Key) -> ColumnRef:
    return ColumnRef("h", key.name, _exported(key))
