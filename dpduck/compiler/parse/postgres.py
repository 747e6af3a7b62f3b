"""How a query is read for clients of PostgreSQL: its search path, its temporary views, its names of columns.

All of it is a rewriting of the tree before it is validated, so that nothing behind knows of it:

    SELECT page, count(*) FROM recent GROUP BY 1      recent: CREATE TEMP VIEW recent AS SELECT ...
    SELECT page, count(*) AS count FROM (SELECT ...) AS recent GROUP BY 1
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from sqlglot import exp

from dpduck.compiler.parse.postgres_names import postgres_name, root_selects
from dpduck.compiler.parse.statements import Select, parse
from dpduck.kernel.catalog.model import Catalog, fold
from dpduck.kernel.errors import UnknownNameError, UnsupportedSqlError

_PUBLIC, _MAIN = "public", "main"
_MAX_VIEWS_READ = 100  # in one query, those in views included: a view of two views of two views ... ends
_LOOKED_THROUGH = (
    "$user",
    "pg_catalog",
    "pg_temp",
    "information_schema",
)  # which hold no tables of the owner


@dataclass(frozen=True)
class TemporaryView:
    """A view of one session. `text`: its query, with the column names that it gives, if any."""

    name: str
    text: str
    columns: tuple[str, ...] = ()


@dataclass(frozen=True)
class PostgresReading:
    """How one session reads queries. Its repr is a key: what is equal reads every query alike.

    `schemas`: the search path; None: the default one. `database`: what the client calls the one it is in, so
    that database.schema.table is a name of it.
    """

    schemas: tuple[str, ...] | None = None
    views: tuple[TemporaryView, ...] = ()
    database: str | None = None

    def others(self, name: str) -> tuple[TemporaryView, ...]:
        """The views but the one of that name."""
        return tuple(view for view in self.views if view.name != name)

    def has_view(self, name: str) -> bool:
        """Whether the session has a view of that name."""
        return any(view.name == name for view in self.views)

    def read(self, select: Select, catalog: Catalog) -> Select:
        """The query as the session means it. Errors: UnknownNameError; those of parsing a view."""
        tree = select.expression.copy()
        for table in tree.find_all(exp.Table):
            if table.catalog and table.catalog == self.database:
                table.set("catalog", None)
        for column in tree.find_all(exp.Column):
            if column.args.get("catalog") and column.catalog == self.database:
                column.set("catalog", None)
        self._find_tables(tree, catalog)
        for query in _named_queries(tree):
            for part in root_selects(query):
                part.set("expressions", [_named(item) for item in part.expressions])
        return replace(select, expression=tree)

    def _find_tables(self, tree: exp.Query, catalog: Catalog) -> None:
        views, count = {view.name: view for view in self.views}, 0
        waiting = list(_unqualified(tree))
        while waiting:
            table = waiting.pop()
            view = views.get(fold(table.name))
            if view is None:
                self._qualify(table, catalog)
                continue
            count += 1
            if count > _MAX_VIEWS_READ:
                raise UnknownNameError(
                    f"a query reads at most {_MAX_VIEWS_READ} temporary views",
                    detail="A view of views reads those too.",
                    hint="Write a part of it as a query of its own.",
                )
            query = parse(view.text)
            if not isinstance(query, Select):
                raise UnsupportedSqlError(
                    "a view takes a query", hint="Write CREATE TEMP VIEW name AS SELECT ...."
                )
            waiting += _unqualified(query.expression)
            table.replace(_inlined(query.expression, view, table))

    def _qualify(self, table: exp.Table, catalog: Catalog) -> None:
        """Write the schema before a table's name, as the search path has it."""
        if self.schemas is None:
            return
        places = [name for name in self.schemas if name not in _LOOKED_THROUGH]
        found = next((schema for schema in places if catalog.has(table.name, schema)), None)
        if found is not None:
            table.set("db", exp.to_identifier(_MAIN if found == _PUBLIC else found, quoted=True))
        elif catalog.has(table.name, _PUBLIC):
            raise UnknownNameError(
                f"table {table.name} is in no schema of the search path",
                detail=f"The search path is {', '.join(self.schemas) or 'empty'}.",
                hint=f"Write {_PUBLIC}.{table.name}, or SET search_path = {_PUBLIC}.",
            )


def _unqualified(tree: exp.Query) -> Iterator[exp.Table]:
    """The tables that are named without a schema, except those of WITH."""
    local = {fold(part.alias) for part in tree.find_all(exp.CTE)}
    for table in list(tree.find_all(exp.Table)):
        if isinstance(table.this, exp.Identifier) and not table.db and fold(table.name) not in local:
            yield table


def _inlined(query: exp.Query, view: TemporaryView, table: exp.Table) -> exp.Subquery:
    """The view as a derived table, with the alias, joins and other parts that the table has."""
    alias = table.args.get("alias") or exp.TableAlias(this=exp.to_identifier(table.name, quoted=True))
    if view.columns and not alias.args.get("columns"):
        alias.set("columns", [exp.to_identifier(name, quoted=True) for name in view.columns])
    parts = {
        name: value for name, value in table.args.items() if name not in ("this", "alias", "db", "catalog")
    }
    return exp.Subquery(this=query, alias=alias, **parts)


def _named_queries(tree: exp.Query) -> Iterator[exp.Expr]:
    """The query itself, and those whose columns others name: of WITH, and in FROM."""
    yield tree
    for part in tree.find_all(exp.CTE, exp.Subquery):
        if isinstance(part, exp.CTE) or isinstance(part.parent, (exp.From, exp.Join, exp.Lateral)):
            yield part.this


def _named(item: exp.Expr) -> exp.Expr:
    """A select-list item with the name that PostgreSQL gives it; `*` and columns have theirs."""
    if isinstance(item, (exp.Alias, exp.Column, exp.Dot, exp.Columns)) or item.is_star:
        return item
    return exp.Alias(this=item, alias=exp.to_identifier(postgres_name(item), quoted=True))
