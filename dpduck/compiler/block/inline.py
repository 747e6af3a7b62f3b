"""Replaces CTEs and views by subqueries, so that the query names tables only.

As in DuckDB, a name in FROM is the innermost CTE of that name defined before it, else a table or view of
the database. The owner writes views, but they pass the same validator as the analyst's queries.
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp
from sqlglot.dialects.duckdb import DuckDB
from sqlglot.errors import SqlglotError

from dpduck.compiler.functions import private_refusals as refusals
from dpduck.compiler.parse.nodes import refusal
from dpduck.compiler.parse.statements import Select
from dpduck.compiler.validate import MAX_NODES, validate
from dpduck.kernel.catalog.model import Catalog, View, fold
from dpduck.kernel.errors import UnsupportedSqlError

MAX_VIEWS = 100  # expanded in one statement

Ctes = Mapping[str, exp.CTE]


def inline(query: exp.Query, catalog: Catalog) -> exp.Query:
    """Return a copy of the query with its CTEs and the database's views expanded.

    Errors: UnsupportedSqlError.
    """
    root = exp.Subquery(this=query.copy())
    _Inliner(catalog).expand(root, {}, frozenset())
    inlined = root.this
    assert isinstance(inlined, exp.Query)
    return inlined


class _Inliner:
    """Replaces names in a tree, in place. Counts the nodes it adds, since nested CTEs grow exponentially."""

    def __init__(self, catalog: Catalog) -> None:
        self._databases = {fold(table.database) for table in catalog.tables}
        self._views = {(fold(view.schema), fold(view.name)): view for view in catalog.views}
        self._nodes = 0
        self._expanded = 0

    def expand(self, node: exp.Expr, ctes: Ctes, views: frozenset[View]) -> None:
        """Expand the names below a node. It recurses into WITH and views only, not into long conditions."""
        ctes = self._defined(node, ctes, views)
        stack = list(node.iter_expressions())
        while stack:
            child = stack.pop()
            if child.args.get("with_") is not None:
                self.expand(child, ctes, views)
            elif isinstance(child, exp.Table):
                stack.extend(child.args.get("joins") or ())
                self._replace(child, ctes, views)
            else:
                stack.extend(child.iter_expressions())

    def _defined(self, node: exp.Expr, ctes: Ctes, views: frozenset[View]) -> Ctes:
        """Return the CTEs visible in a query, and remove its WITH. Each CTE sees those before it."""
        clause = node.args.get("with_")
        if clause is None:
            return ctes
        known = dict(ctes)
        for cte in clause.expressions:
            if known.get(fold(cte.alias)) in clause.expressions:
                raise refusal(f"two CTEs are named {cte.alias}", "Either could be meant.", "Rename one.", cte)
            self.expand(cte, known, views)
            known[fold(cte.alias)] = cte
        node.set("with_", None)
        return known

    def _replace(self, node: exp.Table, ctes: Ctes, views: frozenset[View]) -> None:
        self._check_database(node)
        name = fold(node.name)
        if not node.db and name in ctes:
            self._place(node, ctes[name].this.copy(), ctes[name].args.get("alias"))
            return
        schema = fold(node.db or "main")
        view = self._views.get(("main" if schema == "public" else schema, name))
        if view is not None:
            self._expanded += 1
            if view in views or self._expanded > MAX_VIEWS:
                raise _view_error(view, "It refers to itself, or to too many views.")
            holder = exp.Subquery(this=validate(Select(_definition(view))).expression)
            self.expand(holder, {}, views | {view})
            name_only = exp.TableAlias(this=exp.to_identifier(view.name, quoted=True))
            self._place(node, holder.this, name_only)

    def _check_database(self, node: exp.Table) -> None:
        """Drop the database of a name of three parts, which must be the one that has the tables."""
        if not node.catalog:
            return
        if fold(node.catalog) not in self._databases:
            raise refusals.of_argument(node, "catalog")
        node.set("catalog", None)

    def _place(self, node: exp.Table, query: exp.Expr, default: exp.TableAlias | None) -> None:
        """Replace a name by its query as a subquery, with the alias from FROM or else `default`."""
        self._nodes += sum(1 for _ in query.walk())
        if self._nodes > MAX_NODES:
            raise refusal(
                "the query is too large with its CTEs and views",
                f"It may have {MAX_NODES} parts once they are expanded.",
                "Use each of them fewer times.",
            )
        given = node.args.get("alias") or exp.TableAlias()
        columns = given.args.get("columns") or (default.args.get("columns") if default else None) or []
        name = given.this or (default.this if default else node.this)
        alias = exp.TableAlias(this=name.copy(), columns=[column.copy() for column in columns])
        others = {name: value for name, value in node.args.items() if name not in ("this", "db", "alias")}
        node.replace(exp.Subquery(**{**others, "this": query, "alias": alias}))


def _definition(view: View) -> exp.Query:
    """Return the query of a view, with the column names of CREATE VIEW v(a, b)."""
    tree: exp.Expr | None = None
    try:
        tree = DuckDB().parse(view.sql)[0]
    except SqlglotError:
        tree = None
    query = tree.args.get("expression") if isinstance(tree, exp.Create) else None
    if not isinstance(tree, exp.Create) or not isinstance(query, exp.Query) or tree.kind != "VIEW":
        raise _view_error(view, "Its definition is not understood.")
    for node in list(query.find_all(exp.Anonymous)):
        if node.name.lower() == "count_star" and not node.expressions:  # how DuckDB stores count(*)
            node.replace(exp.Count(this=exp.Star(), big_int=True))
    schema = tree.this
    names = [part.name for part in schema.expressions] if isinstance(schema, exp.Schema) else []
    return _named(query, names) if names else query


def _named(query: exp.Query, names: list[str]) -> exp.Query:
    """Return SELECT * FROM (query) AS v(a, b)."""
    columns = [exp.to_identifier(name, quoted=True) for name in names]
    alias = exp.TableAlias(this=exp.to_identifier("v", quoted=True), columns=columns)
    source = exp.Subquery(this=query, alias=alias)
    return exp.Select(expressions=[exp.Star()], from_=exp.From(this=source))


def _view_error(view: View, reason: str) -> UnsupportedSqlError:
    return refusal(
        f"view {view.name} cannot be expanded", reason, "Query the tables that it reads, with a subquery."
    )
