"""Which rows and columns of public tables stand beside released rows in an answer."""

from __future__ import annotations

from sqlglot import exp

from dpduck.compiler.parse.nodes import refusal
from dpduck.kernel.catalog.model import Table, fold
from dpduck.kernel.plan.compound import MOST_PUBLIC_ROWS, RowsBeside
from dpduck.kernel.plan.model import Output
from dpduck.kernel.plan.public_facts import PublicValues
from dpduck.kernel.tree import emit


def public_rows(table: Table, query: exp.Query, facts: PublicValues, node: exp.Expr) -> RowsBeside:
    """Return the rows of a public table, with the columns that a query may read.

    Errors: UnsupportedSqlError if the table has too many rows.
    """
    if facts.count(table) > MOST_PUBLIC_ROWS:
        raise refusal(
            f"table {table.name} has more than {MOST_PUBLIC_ROWS:,} rows",
            "So many public rows are not joined with an answer about private rows.",
            f"Join {table.name} inside the block that aggregates.",
            node,
        )
    read = _names(query)
    columns = [column for column in table.columns if read is None or fold(column.name) in read]
    outputs = tuple(Output(column.name, column.type) for column in columns or table.columns[:1])
    items = ", ".join(f"CAST({emit.identifier(column.name)} AS VARCHAR)" for column in outputs)
    return RowsBeside(table, outputs, f"SELECT {items} FROM {emit.table_name(table)}")


def _names(query: exp.Query) -> frozenset[str] | None:
    """Return all names in a query, folded, of columns and other things; None if it selects all columns."""
    for star in query.find_all(exp.Star):
        if isinstance(star.parent, (exp.Select, exp.Column)):
            return None
    if any(join.method.upper() == "NATURAL" for join in query.find_all(exp.Join)):
        return None
    return frozenset(fold(identifier.name) for identifier in query.find_all(exp.Identifier))
