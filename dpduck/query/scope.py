"""Names of a query resolved against the catalog: one private table and its columns."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from dpduck.catalog import Catalog, Column, Table, fold, written
from dpduck.errors import PolicyError, UnknownNameError
from dpduck.query import emit
from dpduck.query.nodes import position_of, refusal, unwrap
from dpduck.sqltypes import SqlType, parse_type


@dataclass(frozen=True)
class Scope:
    """The table of a query. `alias`: what qualifies its columns in the query; `rows`: in the score SQL."""

    table: Table
    alias: str | None
    rows: str

    def resolve(self, node: exp.Column) -> Column:
        """The column that the node names. Errors: UnknownNameError."""
        self._check_qualifier(node)
        try:
            return self.table.column(node.name)
        except UnknownNameError as error:
            error.position = position_of(node)
            raise

    def names(self, node: exp.Expr, column: str | None) -> bool:
        """Whether the node is that column of the table."""
        node = unwrap(node)
        if not isinstance(node, exp.Column) or isinstance(node.this, exp.Star) or column is None:
            return False
        return fold(self.resolve(node).name) == fold(column)

    def sql(self, column: Column) -> str:
        """The column in the score SQL."""
        return f"{self.rows}.{emit.identifier(column.name)}"

    def _check_qualifier(self, node: exp.Column) -> None:
        if isinstance(node.this, exp.Star):
            raise refusal(
                "* is not supported here",
                "Rows of a private table never leave it.",
                "Write count(*), or name one column.",
                node,
            )
        schema_matches = not node.db or (self.alias is None and _schema(node.db) == fold(self.table.schema))
        if schema_matches and (not node.table or fold(node.table) == fold(self.alias or self.table.name)):
            return
        known = self.alias or self.table.name
        raise UnknownNameError(
            f"there is no table {node.table} in this query",
            hint=f"Its columns are qualified by {known}.",
            position=position_of(node),
        )


def type_of(column: Column) -> SqlType:
    """The column's type, parsed."""
    return parse_type(column.type)


def open_scope(select: exp.Select, catalog: Catalog) -> Scope:
    """Find the one private table that the query reads.

    Errors: UnknownNameError; PolicyError for a table that its owner has not opened.
    """
    source = select.args.get("from_")
    node = source.this if isinstance(source, exp.From) else None
    if node is None:
        raise refusal(
            "a query needs FROM", "There is nothing to protect without a table.", "Write SELECT ... FROM t."
        )
    if not isinstance(node, exp.Table) or not isinstance(node.this, exp.Identifier):
        raise refusal(
            "FROM takes one table",
            "Table functions and files are not protected by a policy.",
            "Name a table of the database.",
            node,
        )
    table = _find_table(node, catalog)
    _check_policy(table, node)
    return Scope(table, node.alias or None, emit.row_alias(table))


def _find_table(node: exp.Table, catalog: Catalog) -> Table:
    try:
        return catalog.table(node.name, node.db or None)
    except UnknownNameError as error:
        error.position = position_of(node)
        raise


def _check_policy(table: Table, node: exp.Table) -> None:
    if table.public:
        raise refusal(
            f"table {table.name} is public",
            "Its rows need no protection, and no budget.",
            "Query it on a plain DuckDB connection.",
            node,
        )
    if table.unit is None:
        raise PolicyError(
            f"table {table.name} has no privacy policy",
            detail="A table is closed until its owner says whose rows it holds, or that it is public.",
            hint=f"The owner can run ALTER TABLE {written(table.name)} ADD PRIVACY_KEY (column), "
            f"or ALTER TABLE {written(table.name)} SET PUBLIC.",
            position=position_of(node),
        )


def _schema(name: str) -> str:
    return "main" if fold(name) == "public" else fold(name)
