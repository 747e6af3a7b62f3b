"""What score SQL reads: tables, what stands in FROM, and SELECT."""

from __future__ import annotations

from dataclasses import dataclass

from dpduck.catalog.model import Table
from dpduck.query.tree.nodes import Ascending, Expression, Node, Star


@dataclass(frozen=True, slots=True, eq=False)
class TableScan(Node):
    """A table of the catalog, or the file that stands for it."""

    table: Table
    alias: str


@dataclass(frozen=True, slots=True, eq=False)
class ReaderTable(Node):
    """What a reader has beside the tables: the rows that it holds, or those that it is given."""

    name: str  # `emit.HELD` or `emit.GIVEN`
    alias: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class DerivedTable(Node):
    """A query in FROM."""

    query: SelectQuery
    alias: str


@dataclass(frozen=True, slots=True, eq=False)
class JoinedTables(Node):
    """Two items of FROM joined: JOIN, LEFT JOIN or CROSS JOIN. `on`: all of them must hold."""

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
    """One column of a query and its name, which is ours or, in quotes, that of a key."""

    value: Expression
    name: str
    is_ours: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class SelectQuery(Node):
    """SELECT items FROM source. `where`, `having`: all of them must hold. `limit`: of rows."""

    items: tuple[SelectItem | Expression | Star, ...]
    source: Relation
    where: tuple[Expression, ...] = ()
    group_by: tuple[Expression, ...] = ()
    having: tuple[Expression, ...] = ()
    order_by: tuple[Expression | Ascending, ...] = ()
    limit: int | None = None
    distinct: bool = False
