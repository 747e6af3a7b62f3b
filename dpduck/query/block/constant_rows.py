"""Rows that a query writes itself, beside private rows: VALUES, series, and subqueries over such alone.

They are public tables without a name in the database. All of their values are computed once when the query is
planned, so that none can fail later, on some rows of a join only.
"""

from __future__ import annotations

from contextlib import suppress
from math import prod

import duckdb
from sqlglot import exp

from dpduck.catalog.model import Column, Table
from dpduck.query import public
from dpduck.query.parse.nodes import refusal
from dpduck.query.public.series import MAX_ROWS, is_list_of_constants, most_elements, series_of
from dpduck.query.tree.answer import AnswerExpression
from dpduck.query.tree.emit import identifier, row_alias
from dpduck.query.write.empty_database import cursor_of_nothing


def constant_table(item: exp.Expr) -> Table | None:
    """Return an item of FROM as a public table, if it reads no table; else None.

    Errors: UnsupportedSqlError for one that cannot be computed, or has too many rows.
    """
    if not _is_constant(item):
        return None
    alone = item.copy()
    alone.set("joins", None)
    most = _most_rows(alone)
    if most > MAX_ROWS:
        raise refusal(
            f"these constants make more than {MAX_ROWS:,} rows",
            f"Multiplied with each other they are {most:,}.",
            "Write fewer, or put them into a public table.",
            item,
        )
    query = exp.Select(expressions=[exp.Star()], from_=exp.From(this=alone))
    text = f"({public.public_query(query, _NoTables())})"
    columns = _columns(text)
    if columns is None:
        raise refusal(
            "these constants cannot be computed",
            "DuckDB finds no value for one of them, or no common type for a column.",
            "Write constants of one type in each column.",
            item,
        )
    return Table("", "", item.alias, columns, public=True, scan=_typed(columns, text))


def _is_constant(item: exp.Expr) -> bool:
    if isinstance(item, exp.Unnest):
        return len(item.expressions) == 1 and is_list_of_constants(item.expressions[0])
    if isinstance(item, exp.Table):
        return isinstance(item.this, exp.GenerateSeries)
    if not isinstance(item, (exp.Values, exp.Subquery)) or item.find(exp.Lateral):
        return False
    made = list(item.find_all(exp.Values, exp.Explode, exp.Unnest, exp.GenerateSeries))
    return bool(made) and not any(isinstance(one.this, exp.Identifier) for one in item.find_all(exp.Table))


def _most_rows(item: exp.Expr) -> int:
    """Return a bound on the number of rows: as if each list met all others."""
    lists = item.find_all(exp.Values, exp.Explode, exp.Unnest, exp.GenerateSeries)
    return prod(max(1, _size(one)) for one in lists)


def _size(node: exp.Expr) -> int:
    if isinstance(node, exp.Values):
        return len(node.expressions)
    if isinstance(node, exp.GenerateSeries):
        return series_of(node).most
    listed = node.expressions[0] if isinstance(node, exp.Unnest) else node.this
    is_series = isinstance(listed, exp.GenerateSeries)  # which counts by itself
    return 1 if is_series or not is_list_of_constants(listed) else most_elements(listed)


def _columns(text: str) -> tuple[Column, ...] | None:
    """Return the columns of a query without tables, whose rows are all computed; None if that fails."""
    with suppress(duckdb.Error), cursor_of_nothing() as cursor:
        cursor.execute(f"SELECT system.main.bit_xor(system.main.hash(t)) FROM {text} AS t").fetchall()
        described = cursor.execute(f"DESCRIBE FROM {text} AS t").fetchall()
        return tuple(Column(name, kind) for name, kind, *_ in described)
    return None


def _typed(columns: tuple[Column, ...], text: str) -> str:
    """Return the same rows, whose columns have their types whatever DuckDB knows of the digits in them."""
    names = [(identifier(column.name), column.type) for column in columns]
    items = ", ".join(f"CAST({name} AS {kind}) AS {name}" for name, kind in names)
    return f"(SELECT {items} FROM {text} AS {row_alias(Table('', '', '', columns))})"


class _NoTables:
    """The relations of SQL that reads no table."""

    def table(self, node: exp.Table) -> str | None:  # noqa: ARG002 (there is none)
        return None

    def block(self, node: exp.Query) -> str | None:  # noqa: ARG002 (there is none)
        return None

    def value(self, node: exp.Expr) -> AnswerExpression | None:  # noqa: ARG002 (nothing is known)
        return None

    def constant(self, sql: str) -> None:
        """All constants are computed."""
