"""Expressions of score SQL: frozen nodes, each with its DuckDB type.

Two nodes are equal if they have the same class and equal parts. The SQL text and the hash of a node are
cached on it, so that a node with several parents is written and hashed once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dpduck.kernel.catalog.types import SqlType, parse_type

if TYPE_CHECKING:
    from dpduck.kernel.tree.relations import SelectQuery

BOOLEAN, VARCHAR = parse_type("BOOLEAN"), parse_type("VARCHAR")
NULL = SqlType('"NULL"', "null")  # the type of a bare NULL, which converts to every other type


class Node:
    """A node of a tree. Its subclasses are frozen dataclasses."""

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
    """A column of the item of FROM with the alias `table`. `is_ours`: dpduck chose its name; no quotes.

    `path`: of a field of a STRUCT its column and the fields that lead to it, whose names `name` joins.
    """

    table: str
    name: str
    type: SqlType
    is_ours: bool = False
    path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Literal(Node):
    """A constant: a string that its type parses, a bool, bare digits (int), or NULL (None)."""

    value: str | int | None
    type: SqlType


@dataclass(frozen=True, slots=True, eq=False)
class Star(Node):
    """`*`: all columns of one item of FROM, or of all items."""

    table: str | None = None


# --- calls ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Call(Node):
    """A call of a built-in DuckDB function or operator, which is written with its schema."""

    name: str
    arguments: tuple[Expression, ...]
    type: SqlType


@dataclass(frozen=True, slots=True, eq=False)
class AggregateCall(Node):
    """A call of a built-in DuckDB aggregate; without arguments it is written as count(*)."""

    name: str
    arguments: tuple[Expression, ...]
    type: SqlType
    distinct: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class SortKey(Node):
    """A term of ORDER BY with its direction and the place of NULLs, which no setting of DuckDB changes then.

    `nulls`: "FIRST" or "LAST"; "" where the value is never NULL.
    """

    value: Expression
    descending: bool = False
    nulls: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class WindowCall(Node):
    """A window function: function OVER (PARTITION BY ... ORDER BY ...).

    `frame`: the ends of ROWS BETWEEN ... AND ..., such as ("6 PRECEDING", "CURRENT ROW"); None: the default.
    """

    function: Call | AggregateCall
    partition_by: tuple[Expression, ...]
    order_by: tuple[Expression | SortKey, ...]
    frame: tuple[str, str] | None = None

    @property
    def type(self) -> SqlType:
        return self.function.type


# --- conditions ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Comparison(Condition):
    """left symbol right, where symbol is =, <, IS NOT DISTINCT FROM and the like."""

    symbol: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Connective(Condition):
    """Conditions joined by AND or OR."""

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
    """An expression in parentheses."""

    value: Expression

    @property
    def type(self) -> SqlType:
        return self.value.type


@dataclass(frozen=True, slots=True, eq=False)
class ScalarSubquery(Node):
    """A scalar subquery: a query that returns one row and one column."""

    query: SelectQuery
    type: SqlType


@dataclass(frozen=True, slots=True, eq=False)
class Exists(Condition):
    """EXISTS (query). The query may read columns of the query around it."""

    query: SelectQuery


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
    | Exists
)
