"""Relations of score SQL: the items of FROM, and SELECT."""

from __future__ import annotations

from dataclasses import dataclass

from dpduck.kernel.catalog.model import Table
from dpduck.kernel.tree.nodes import Expression, Node, SortKey, Star


@dataclass(frozen=True, slots=True, eq=False)
class TableScan(Node):
    """A table of the catalog, or its file."""

    table: Table
    alias: str


@dataclass(frozen=True, slots=True, eq=False)
class ReaderTable(Node):
    """A temporary table of the reader: its materialized scores, or the rows that the query is sent with."""

    name: str  # `emit.HELD` or `emit.GIVEN`
    alias: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class DerivedTable(Node):
    """A query in FROM."""

    query: SelectQuery
    alias: str


@dataclass(frozen=True, slots=True, eq=False)
class JoinedTables(Node):
    """Two items of FROM joined by JOIN, LEFT JOIN or CROSS JOIN. `on`: conditions joined by AND."""

    left: Relation
    kind: str
    right: Relation
    on: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class GroupedTables(Node):
    """A join in parentheses."""

    tables: Relation


Relation = TableScan | ReaderTable | DerivedTable | JoinedTables | GroupedTables


@dataclass(frozen=True, slots=True, eq=False)
class SelectItem(Node):
    """A column of a query with its name. `is_ours`: dpduck chose the name; others are quoted."""

    value: Expression
    name: str
    is_ours: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class SelectQuery(Node):
    """SELECT items FROM source. `where`, `having`: conditions joined by AND. `limit`: number of rows."""

    items: tuple[SelectItem | Expression | Star, ...]
    source: Relation
    where: tuple[Expression, ...] = ()
    group_by: tuple[Expression, ...] = ()
    having: tuple[Expression, ...] = ()
    order_by: tuple[Expression | SortKey, ...] = ()
    limit: int | None = None
    distinct: bool = False
