"""The order of rows that describe columns, where a query asks for none.

Postgres promises no order either, but gives columns in that of their tables, which clients take for the
order of the columns.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

_KEYS = {
    ("pg", "pg_attribute"): ("attrelid", "attnum"),
    ("info", "columns"): ("table_schema", "table_name", "ordinal_position"),
}
_AGGREGATES = ("count", "min", "max", "sum", "avg", "bool_and", "bool_or", "every", "array_agg", "string_agg")
_OTHER_CLAUSES = ("order", "group", "having", "distinct")


def order_columns(tree: exp.Query) -> exp.Query:
    """Sort a translated query by the first table of columns that it reads, if it is a plain SELECT."""
    if not isinstance(tree, exp.Select) or any(tree.args.get(clause) for clause in _OTHER_CLAUSES):
        return tree
    if any(call.name.lower() in _AGGREGATES for item in tree.expressions for call in _calls(item)):
        return tree
    for table in _tables(tree):
        keys = _KEYS.get((table.db, table.name))
        if keys is not None:
            return tree.order_by(*(exp.column(key, table.alias_or_name, quoted=True) for key in keys))
    return tree


def _tables(select: exp.Select) -> Iterator[exp.Table]:
    """The tables of FROM and its joins, not those of subqueries."""
    for part in (select.args.get("from_"), *(select.args.get("joins") or ())):
        if part is not None and isinstance(part.this, exp.Table):
            yield part.this


def _calls(item: exp.Expr) -> Iterator[exp.Anonymous]:
    """The calls in a column of the answer, not those of its subqueries."""
    for node in item.walk(prune=lambda one: isinstance(one, exp.Query)):
        if isinstance(node, exp.Anonymous):
            yield node
