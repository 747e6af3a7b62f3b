"""Score trees in few words."""

from __future__ import annotations

from collections.abc import Iterable

from dpduck.kernel.catalog.types import parse_type
from dpduck.kernel.tree.nodes import (
    AggregateCall,
    Call,
    Choice,
    ColumnRef,
    Comparison,
    Conversion,
    Exists,
    Expression,
    Literal,
    NullTest,
    ScalarSubquery,
    SortKey,
    WindowCall,
)
from dpduck.kernel.tree.relations import (
    DerivedTable,
    JoinedTables,
    Relation,
    SelectItem,
    SelectQuery,
    TableScan,
)
from tests.kernel.people import CATALOG

INTEGER, BIGINT, HUGEINT, DOUBLE, VARCHAR, DECIMAL, BOOLEAN = map(
    parse_type, ("INTEGER", "BIGINT", "HUGEINT", "DOUBLE", "VARCHAR", "DECIMAL(38,2)", "BOOLEAN")
)


def scan(name: str, alias: str = "t") -> TableScan:
    return TableScan(CATALOG.table(name), alias)


def col(text: str) -> ColumnRef:
    """A column, such as t.n or (of no alias) n of t."""
    alias, _, name = text.rpartition(".")
    return ColumnRef(alias or "t", name, BIGINT)


def num(number: int) -> Expression:
    return Literal(number, INTEGER) if number >= 0 else Conversion(Literal(str(number), HUGEINT), HUGEINT)


def call(name: str, *arguments: Expression) -> Call:
    return Call(name, arguments, HUGEINT)


def count(*arguments: Expression, distinct: bool = False) -> AggregateCall:
    return AggregateCall("count", arguments, BIGINT, distinct)


def total(value: Expression) -> AggregateCall:
    return AggregateCall("sum", (value,), HUGEINT)


def as_huge(value: Expression) -> Conversion:
    return Conversion(value, HUGEINT)


def clamp(value: Expression, low: int, high: int) -> Call:
    return call("least", call("greatest", as_huge(value), as_huge(num(low))), as_huge(num(high)))


def case(*branches: tuple[Expression, Expression], otherwise: Expression | None = None) -> Choice:
    return Choice(branches, otherwise, HUGEINT)


def at_most(left: Expression, right: int) -> Comparison:
    return Comparison("<=", left, num(right))


def equal(left: str, right: str) -> Comparison:
    return Comparison("=", col(left), col(right))


def is_there(text: str) -> NullTest:
    return NullTest(col(text), negated=True)


def window(
    function: str, partition: Iterable[str], order: Iterable[str] = (), value: Expression | None = None
) -> WindowCall:
    inside = Call(function, (), BIGINT) if value is None else AggregateCall(function, (value,), HUGEINT)
    return WindowCall(
        inside, tuple(map(col, partition)), tuple(SortKey(col(one), nulls="LAST") for one in order)
    )


def query(
    source: Relation | SelectQuery,
    items: dict[str, Expression],
    *where: Expression,
    by: Iterable[str] = (),
    distinct: bool = False,
) -> SelectQuery:
    """SELECT items FROM source, which is t if it is a query, WHERE ... GROUP BY columns."""
    relation = DerivedTable(source, "t") if isinstance(source, SelectQuery) else source
    named = tuple(SelectItem(value, name) for name, value in items.items())
    return SelectQuery(named, relation, where, tuple(map(col, by)), distinct=distinct)


def columns(*names: str) -> dict[str, Expression]:
    return {name: col(name) for name in names}


def join(
    left: Relation, kind: str, right: Relation | SelectQuery, *on: Expression, alias: str = "q"
) -> JoinedTables:
    return JoinedTables(
        left, kind, DerivedTable(right, alias) if isinstance(right, SelectQuery) else right, on
    )


def exists(source: Relation, *where: Expression) -> Exists:
    return Exists(query(source, {"found": num(1)}, *where))


def scalar(value: Expression, source: Relation, *where: Expression) -> ScalarSubquery:
    return ScalarSubquery(query(source, {"found": value}, *where), BIGINT)
