"""The names and types of a query that lists private rows, which is answered only if it shows none."""

from __future__ import annotations

from sqlglot import exp

from dpduck.compiler.block.from_clause import columns_of
from dpduck.compiler.block.rows import SourceRows, Visible
from dpduck.compiler.functions.expressions import expression
from dpduck.compiler.parse.nodes import refusal, unwrap
from dpduck.compiler.write import column_names
from dpduck.kernel.catalog.model import fold
from dpduck.kernel.errors.advice import Hint, SetTo
from dpduck.kernel.errors.notices import Notice, Rank
from dpduck.kernel.tree import emit

PREVIEW = "private rows are not listed, and dp_preview = empty asks for names and types alone"
PREVIEW_NOTICE = Notice(
    Rank.MEANING,
    "This preview shows columns alone: private rows are never listed.",
    "This preview shows the names and types of the columns; private rows are never listed.",
    Hint.of(SetTo("dp_preview", "off"), " refuses such queries instead."),
)


def check_reads_columns(select: exp.Select) -> None:
    """Refuse a preview of a list without any column: SELECT 1 ... LIMIT 1 asks whether a row exists.

    No row would say that none does, whatever there is. Errors: UnsupportedSqlError.
    """
    if not any(node.find(exp.Column, exp.Star) for node in select.expressions):
        raise refusal(
            "whether private rows exist is not told by a preview",
            "dp_preview = empty answers with names and types of columns, and this list has no column.",
            "Write SELECT count(*) AS n, dp_low(n), dp_high(n) FROM t WHERE ..., which costs epsilon.",
            select,
        )


def empty_listing(select: exp.Select, rows: SourceRows) -> str:
    """Return the SQL of an answer with the columns of a select list over private rows, and no row.

    Errors: as of any expression over private rows.
    """
    listed = [(node, column) for node in select.expressions for column in columns_of(node, rows)]
    items = ", ".join(
        f"CAST(NULL AS {column.value.type.name}) AS {emit.identifier(_name(node, column, rows))}"
        for node, column in listed
    )
    _check_order(select, rows)
    return f"SELECT {items} WHERE FALSE"


def _name(node: exp.Expr, column: Visible, rows: SourceRows) -> str:
    """Return the name that DuckDB gives a column of the answer: as it was defined, unless it has an alias."""
    if not column.name:
        return column_names.name_of(unwrap(node))
    known = () if isinstance(node, exp.Alias) else rows.columns
    return next((one.name for one in known if fold(one.name) == fold(column.name)), column.name)


def _check_order(select: exp.Select, rows: SourceRows) -> None:
    """Read the terms of ORDER BY other than positions and aliases, for their errors alone."""
    order = select.args.get("order")
    aliases = {fold(node.alias) for node in select.expressions if isinstance(node, exp.Alias)}
    for term in [] if order is None else order.expressions:
        node = unwrap(term.this)
        is_alias = isinstance(node, exp.Column) and not node.table and fold(node.name) in aliases
        if not is_alias and not isinstance(node, (exp.Literal, exp.Var)):
            expression(node, rows)
