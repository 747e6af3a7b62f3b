"""Expressions of score SQL: each a frozen node that knows the type that DuckDB gives it.

Nodes are equal where they are of one class and have equal parts. What is written of a node, and its hash,
are kept on it, so that a node that stands in several places is written and hashed once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dpduck.catalog.types import SqlType, parse_type

if TYPE_CHECKING:
    from dpduck.query.tree.relations import SelectQuery

BOOLEAN, VARCHAR = parse_type("BOOLEAN"), parse_type("VARCHAR")
NULL = SqlType('"NULL"', "null")  # the type of NULL alone; it goes with every other


class Node:
    """A part of a tree. Its subclasses are frozen dataclasses."""

    __slots__ = ("_hash", "_text")
    __match_args__: tuple[str, ...] = ()
    _hash: int
    _text: str

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(self) is not type(other) or hash(self) != hash(other):
            return False
        return all(getattr(self, name) == getattr(other, name) for name in self.__match_args__)

    def __hash__(self) -> int:
        try:
            found = self._hash
        except AttributeError:
            found = hash((type(self), *(getattr(self, name) for name in self.__match_args__)))
            object.__setattr__(self, "_hash", found)
        return found


class Condition(Node):
    """An expression that is true, false or NULL."""

    __slots__ = ()

    @property
    def type(self) -> SqlType:
        return BOOLEAN


# --- leaves --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class ColumnRef(Node):
    """A column of what is called `table` in FROM. `is_ours`: a name that score SQL gives, without quotes."""

    table: str
    name: str
    type: SqlType
    is_ours: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Literal(Node):
    """A constant of a type: text that the type reads, a truth, digits alone (int), or NULL (None)."""

    value: str | int | None
    type: SqlType


@dataclass(frozen=True, slots=True, eq=False)
class Star(Node):
    """All columns: of one item of FROM, or of all."""

    table: str | None = None


# --- calls ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Call(Node):
    """A function, or operator, of DuckDB itself, by its whole name."""

    name: str
    arguments: tuple[Expression, ...]
    type: SqlType


@dataclass(frozen=True, slots=True, eq=False)
class AggregateCall(Node):
    """An aggregate of DuckDB itself; of no argument it is that of all rows: count(*)."""

    name: str
    arguments: tuple[Expression, ...]
    type: SqlType
    distinct: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Ascending(Node):
    """A term of ORDER BY whose direction is written, so that no setting turns it."""

    value: Expression


@dataclass(frozen=True, slots=True, eq=False)
class WindowCall(Node):
    """A function over other rows of its partition."""

    function: Call | AggregateCall
    partition_by: tuple[Expression, ...]
    order_by: tuple[Expression | Ascending, ...]

    @property
    def type(self) -> SqlType:
        return self.function.type


# --- conditions ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Comparison(Condition):
    """left = right and the like."""

    symbol: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Connective(Condition):
    """Conditions joined by one word, AND or OR."""

    word: str
    links: tuple[Expression, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Negation(Condition):
    """NOT x."""

    value: Expression


@dataclass(frozen=True, slots=True, eq=False)
class NullTest(Condition):
    """x IS NULL, or IS NOT NULL."""

    value: Expression
    negated: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class RangeTest(Condition):
    """x BETWEEN low AND high."""

    value: Expression
    low: Expression
    high: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Membership(Condition):
    """x IN (members)."""

    value: Expression
    members: tuple[Expression, ...]


# --- branches and conversions --------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Choice(Node):
    """CASE WHEN test THEN value ... ELSE otherwise END."""

    branches: tuple[tuple[Expression, Expression], ...]
    otherwise: Expression | None
    type: SqlType


@dataclass(frozen=True, slots=True, eq=False)
class FirstPresent(Node):
    """COALESCE(x, y, ...)."""

    values: tuple[Expression, ...]
    type: SqlType


@dataclass(frozen=True, slots=True, eq=False)
class Conversion(Node):
    """CAST(x AS type), or TRY_CAST."""

    value: Expression
    type: SqlType
    safe: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Grouped(Node):
    """What stands in parentheses."""

    value: Expression

    @property
    def type(self) -> SqlType:
        return self.value.type


@dataclass(frozen=True, slots=True, eq=False)
class ScalarSubquery(Node):
    """The one value of a query of one row and column."""

    query: SelectQuery
    type: SqlType


Expression = (
    ColumnRef
    | Literal
    | Call
    | AggregateCall
    | WindowCall
    | Comparison
    | Connective
    | Negation
    | NullTest
    | RangeTest
    | Membership
    | Choice
    | FirstPresent
    | Conversion
    | Grouped
    | ScalarSubquery
)
