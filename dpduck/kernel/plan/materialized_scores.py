"""SQL over materialized scores: it counts candidates by score, and looks up the winners.

A mechanism needs only the number of candidates of each score. It returns each winner as a score and a
uniformly drawn rank among the candidates of that score, in an arbitrary order. One query looks up all
winners, so that all ranks refer to the same order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dpduck.kernel.catalog.model import RangeDomain, ValuesDomain
from dpduck.kernel.catalog.types import SqlType, parse_type
from dpduck.kernel.plan import grid_sql
from dpduck.kernel.plan.keys import Key
from dpduck.kernel.tree import build
from dpduck.kernel.tree.build import call, literal
from dpduck.kernel.tree.emit import GIVEN, HELD
from dpduck.kernel.tree.nodes import ColumnRef, Comparison, Expression, Grouped, Star, WindowCall
from dpduck.kernel.tree.relations import (
    DerivedTable,
    JoinedTables,
    ReaderTable,
    Relation,
    SelectItem,
    SelectQuery,
)

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
    """Count the candidates of each score. Columns: `score`, `size`."""
    return SelectQuery((_SCORE, _SIZE), _HELD, group_by=(_SCORE,))


def members(keys: Sequence[Key]) -> SelectQuery:
    """Look up candidates by `score` and `rank` (from 0), the columns of the rows that the query is sent with.

    Columns: k0, k1, ..., `score`, `rank`.
    """
    wanted = SelectQuery((_given("score"),), _GIVEN, distinct=True)
    same = Comparison("=", _SCORE, _given("score"))
    source = JoinedTables(_HELD, "JOIN", DerivedTable(wanted, "g"), (same,))
    place = SelectItem(WindowCall(_NUMBER, (_SCORE,), ()), "place")
    return _of_given(keys, SelectQuery((*_keys(keys), _SCORE, place), source), same)


def members_of(keys: Sequence[Key], score: int) -> SelectQuery:
    """Look up candidates as `members`, all of one score: without a sort, hence for a frequent score."""
    place = SelectItem(WindowCall(_NUMBER, (), ()), "place")
    test = Comparison("=", _SCORE, literal(score, _BIGINT))
    return _of_given(keys, SelectQuery((*_keys(keys), _SCORE, place), _HELD, (test,)))


def of_given(keys: Sequence[Key], scores: SelectQuery) -> SelectQuery:
    """Select the rows of score SQL whose keys are among the rows that the query is sent with.

    Input: those rows have the keys k0, k1, ..., as values or as text, and a `number`.
    Columns: `number`, then those of the score SQL.
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
    """Return the type of the key's column in score SQL."""
    return _VARCHAR if key.type == "UHUGEINT" else parse_type(key.type)


@dataclass(frozen=True)
class Digit:
    """One digit of a candidate's index among the combinations of the keys' public domains.

    For a range it is the index of the key's value in the domain divided by `width`; for a list of values
    the value itself stands for the digit.
    """

    key: Key
    width: int

    @property
    def is_value(self) -> bool:
        """Whether SQL uses the value itself instead of its index."""
        return isinstance(self.key.domain, ValuesDomain)

    @property
    def node(self) -> Expression:
        """The digit of a materialized row (alias h), as an expression."""
        value = _key(self.key)
        domain = self.key.domain
        if not isinstance(domain, RangeDomain):
            return value
        number = grid_sql.number(value, domain, parse_type(self.key.type))
        if self.key.or_null:
            number = build.choice((build.is_null(value), literal(domain.size, _BIGINT)), otherwise=number)
        return number if self.width == 1 else call("//", _BIGINT, number, literal(self.width, _BIGINT))

    def is_one_of(self, numbers: Sequence[int]) -> Expression:
        """Return the condition that the digit has one of these values. Input: indices in the domain."""
        domain = self.key.domain
        if not isinstance(domain, ValuesDomain):
            return build.one_of(self.node, [literal(number, _BIGINT) for number in numbers])
        sql_type = parse_type(self.key.type)
        values = [literal(domain.values[number], sql_type) for number in numbers if number < domain.size]
        tests = [build.one_of(self.node, values)] if values else []
        return Grouped(build.any_of(*tests, *[build.is_null(self.node)] * (len(values) < len(numbers))))


def occupied(digits: Sequence[Digit], known: Sequence[Sequence[int]]) -> SelectQuery:
    """Count the materialized candidates by their digits. Columns: d0, d1, ..., `size`.

    Input: `known`: the values to which each digit but the last is restricted.
    """
    within = [digit.is_one_of(values) for digit, values in zip(digits, known, strict=False)]
    items = [SelectItem(digit.node, f"d{i}") for i, digit in enumerate(digits)]
    return SelectQuery((*items, _SIZE), _HELD, tuple(within), tuple(digit.node for digit in digits))


def _of_given(keys: Sequence[Key], ranked: SelectQuery, *same: Expression) -> SelectQuery:
    names = [_held(f"k{i}", _exported(key)) for i, key in enumerate(keys)]
    place = call("+", _BIGINT, _given("rank"), build.digits(1))
    test = Comparison("=", _held("place"), place)
    source: Relation = JoinedTables(DerivedTable(ranked, "h"), "JOIN", _GIVEN, (*same, test))
    return SelectQuery((*names, _SCORE, _given("rank")), source)


def _keys(keys: Sequence[Key]) -> list[SelectItem]:
    """Return the keys as columns k0, k1, ..., which do not collide with other names."""
    return [SelectItem(_key(key), f"k{i}") for i, key in enumerate(keys)]


def _key(key: Key) -> ColumnRef:
    return ColumnRef("h", key.name, _exported(key))
