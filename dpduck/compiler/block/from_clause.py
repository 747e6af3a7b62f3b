"""Reads the tables, joins and filters of a block into one FROM and WHERE.

Subqueries that only filter and project are flattened: their columns become expressions over the tables,
and their conditions are added to the WHERE. Other subqueries become derived tables, which are computed for
each privacy unit apart (see `unit_local`). So each row of the score SQL is a join of rows whose privacy unit
is known (see `privacy_units`), and the score SQL uses no name of the query.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from math import prod

import duckdb
from sqlglot import exp

from dpduck.compiler import public
from dpduck.compiler.block.joins import equalities, joined
from dpduck.compiler.block.rows import Instance, Scope, SourceRows, Visible, column_value, qualified
from dpduck.compiler.functions.aggregates import is_computed
from dpduck.compiler.functions.expressions import conditions, expression
from dpduck.compiler.parse.nodes import position_of, refusal, unwrap
from dpduck.compiler.public.series import MAX_ROWS, is_list_of_constants, most_elements, series_of
from dpduck.kernel.catalog.model import Catalog, Column, Table, fold
from dpduck.kernel.empty_database import cursor_of_nothing
from dpduck.kernel.errors import PolicyError, UnknownNameError
from dpduck.kernel.errors.advice import Hint, OpenTable
from dpduck.kernel.tree.answer import AnswerExpression
from dpduck.kernel.tree.emit import identifier, row_alias
from dpduck.kernel.tree.nodes import Expression

MAX_TABLES = 20
_CLAUSES = ("group", "having", "qualify", "distinct", "limit", "offset", "order", "windows", "sample")


def read_rows(select: exp.Select, scope: Scope) -> SourceRows:
    """Read a block's FROM, JOINs and WHERE.

    Errors: UnsupportedSqlError, UnknownNameError; PolicyError for a table without a policy.
    """
    rows = read_from(select, scope)
    where = select.args.get("where")
    if where is None:
        return rows
    kept = rows.where(*conditions_of_where(where, rows))
    return replace(kept, equal=kept.equal | equalities(where.this, rows))


def conditions_of_where(where: exp.Expr, rows: SourceRows) -> tuple[Expression, ...]:
    """Return the conditions of a WHERE over rows."""
    return conditions(where.this, rows)


def read_from(select: exp.Select, scope: Scope) -> SourceRows:
    """Read a block's FROM and JOINs. Errors: as of `read_rows`."""
    source = select.args.get("from_")
    if not isinstance(source, exp.From) and select.parent is not None:
        raise refusal(
            "a subquery without FROM is not supported here",
            "It reads no table, and so is its values alone.",
            "Write the values: x = 3, or x IN ('a', 'b').",
        )
    if not isinstance(source, exp.From):
        raise refusal(
            "a query needs FROM", "There is nothing to protect without a table.", "Write SELECT ... FROM t."
        )
    rows = _with_joins(_read_item(source.this, scope), select, scope)
    if len(rows.instances) > MAX_TABLES:
        raise refusal(f"more than {MAX_TABLES} tables are joined", "One is enough for most.", "Join fewer.")
    return rows


def _with_joins(rows: SourceRows, node: exp.Expr, scope: Scope) -> SourceRows:
    """Add the joins of a node: a SELECT, or a table or subquery in parentheses."""
    for join in node.args.get("joins") or ():
        unnested = scope.unnest(rows, join, scope)
        rows = joined(rows, _read_item(join.this, scope), join, scope) if unnested is None else unnested
    return rows


def _read_item(node: exp.Expr, scope: Scope) -> SourceRows:
    if isinstance(node, exp.Table) and isinstance(node.this, exp.Identifier):
        return _with_joins(_read_table(node, scope), node, scope)
    constants = constant_table(node)
    if constants is not None:
        rows = _rows_of(constants, scope, [column.name for column in constants.columns], node.alias or None)
        return _with_joins(rows, node, scope)
    if isinstance(node, exp.Subquery):
        _check_bare(node, "alias", "joins")
        if isinstance(node.this, exp.Select):
            rows = _renamed(subquery_rows(node.this, scope), node)
        else:
            rows = _read_item(node.this, scope)
            rows = _renamed(rows, node) if node.alias else rows
        return _with_joins(rows, node, scope)
    reason = "What it makes is not protected by a policy."
    if isinstance(node, exp.Subquery) and isinstance(node.this, exp.SetOperation):
        reason = "One person's rows could hide, or be hidden by, those of others."
    raise refusal(
        "this FROM is not supported beside private rows",
        reason,
        "Name a table of the database, or a subquery that filters and projects one.",
        node,
    )


def _check_bare(node: exp.Expr, *known: str) -> None:
    """Refuse arguments of the node other than its name and those in `known`. Errors: UnsupportedSqlError."""
    for name, value in node.args.items():
        if value and name not in ("this", "db", *known):
            raise refusal(
                f"{name.rstrip('_').upper()} is not supported at this place of FROM",
                "Only tables, joins, and subqueries that filter and project are read here.",
                "Write it at the end of the query.",
                node,
            )


# --- tables --------------------------------------------------------------------------------------


def _read_table(node: exp.Table, scope: Scope) -> SourceRows:
    _check_bare(node, "alias", "joins")
    table = find_table(node, scope.catalog)
    check_open(table, node)
    names = _column_aliases(node, [column.name for column in table.columns])
    qualifier, schema = (node.alias, None) if node.alias else (table.name, table.schema)
    return _rows_of(table, scope, names, qualifier, schema)


def _rows_of(
    table: Table, scope: Scope, names: list[str], qualifier: str | None, schema: str | None = None
) -> SourceRows:
    """Return the rows of a table, whose columns have these names in the block."""
    instance = Instance(table, scope.aliases.next())
    columns = tuple(
        Visible(name, column_value(instance, column), qualifier, schema)
        for name, column in zip(names, table.columns, strict=True)
    )
    return SourceRows((instance,), instance.relation, (), columns, scope=scope)


def find_table(node: exp.Table, catalog: Catalog) -> Table:
    """Return the table that the node names. Errors: UnknownNameError."""
    try:
        return catalog.table(node.name, node.db or None)
    except UnknownNameError as error:
        error.position = position_of(node)
        raise


def check_open(table: Table, node: exp.Expr) -> None:
    """Refuse a table without a valid policy. Errors: PolicyError."""
    if table.public or table.private:
        return
    if table.misfit is not None:
        raise PolicyError(
            f"table {table.name} is closed, since its privacy policy no longer holds",
            detail=f"When it is applied: {table.misfit.reason}.",
            hint=Hint.of("The owner can mend it: ", table.misfit.remedy),
            position=position_of(node),
        )
    raise PolicyError(
        f"table {table.name} has no privacy policy",
        detail="A table is closed until its owner says whose rows it holds, or that it is public.",
        hint=Hint.of(OpenTable(table.name), "."),
        position=position_of(node),
    )


def _column_aliases(node: exp.Expr, names: list[str]) -> list[str]:
    """Return the column names after an alias such as FROM t AS a(x, y), which renames the first columns."""
    alias = node.args.get("alias")
    given = (
        [part.name for part in alias.args.get("columns") or ()] if isinstance(alias, exp.TableAlias) else []
    )
    if len(given) > len(names):
        raise refusal(
            "too many column aliases", f"The table has {len(names)} columns.", "Leave some out.", node
        )
    return [*given, *names[len(given) :]]


# --- subqueries ----------------------------------------------------------------------------------


def subquery_rows(select: exp.Select, scope: Scope) -> SourceRows:
    """Read a subquery: flatten it if it filters and projects, else derive it."""
    select = scope.spread(select)
    if is_flat(select):
        return flattened(select, read_rows(select, scope))
    return scope.derive(select, scope)


def is_flat(select: exp.Select) -> bool:
    """Whether a subquery only filters and projects: each of its rows is made of one row of its FROM."""
    if any(select.args.get(word) for word in _CLAUSES):
        return False
    return not any(is_computed(part) for node in select.expressions for part in node.walk())


def flattened(select: exp.Select, rows: SourceRows) -> SourceRows:
    """Return the rows with the columns of the select list."""
    columns = [column for node in select.expressions for column in columns_of(node, rows)]
    return replace(rows, columns=tuple(columns))


def columns_of(node: exp.Expr, rows: SourceRows) -> list[Visible]:
    """Return the columns that an item of a select list over rows stands for: several if it is `*`."""
    star = node if isinstance(node, exp.Star) else node.this if isinstance(node, exp.Column) else None
    if isinstance(star, exp.Star):
        left_out = _left_out(star)
        return [
            Visible(column.name, column.value)
            for column in rows.columns
            if (qualified(node, column) if node.args.get("table") else not column.hidden)  # type: ignore[arg-type]
            and fold(column.name) not in left_out
        ]
    value = unwrap(node.this if isinstance(node, exp.Alias) else node)
    name = node.alias if isinstance(node, exp.Alias) else value.name if isinstance(value, exp.Column) else ""
    return [Visible(name, replace(expression(value, rows), origin=(value, rows)))]


def _left_out(star: exp.Star) -> set[str]:
    """Return the folded names of * EXCLUDE (a, b)."""
    for name in ("replace", "rename"):
        if star.args.get(name):
            raise refusal(
                f"* {name.upper()} is not supported over private rows",
                "It gives a column another meaning or name.",
                "Name the columns: SELECT age + 1 AS age, page FROM t.",
                star,
            )
    return {fold(node.name) for node in star.args.get("except_") or ()}


def _renamed(rows: SourceRows, node: exp.Subquery) -> SourceRows:
    names = _column_aliases(node, [column.name for column in rows.columns])
    columns = (
        Visible(name, column.value, node.alias or None)
        for name, column in zip(names, rows.columns, strict=True)
    )
    return replace(rows, columns=tuple(columns))


# Rows that a query writes itself, beside private rows: VALUES, series, and subqueries over such alone.
#
# They are public tables without a name in the database. All of their values are computed once when the
# query is planned, so that none can fail later, on some rows of a join only.


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
