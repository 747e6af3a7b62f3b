"""Unnests lists of private rows: each row becomes as many as its list has elements.

A row's list is a function of the row, so the rows that it becomes have the unit of the row: this is a
derived table (see `unit_local`). A list may be long, as one person may have many rows in a table: the rows of
a unit are unbounded unless the owner bounds them, and multiply those of another table once at most.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sqlglot import exp

from dpduck.compiler.block.derived_tables import DerivedTableWriter
from dpduck.compiler.block.rows import Scope, SourceRows, Visible
from dpduck.compiler.functions.aggregates import is_computed
from dpduck.compiler.functions.expressions import expression
from dpduck.compiler.parse.nodes import refusal, unwrap
from dpduck.compiler.private.lists import as_read, element_type
from dpduck.compiler.write import column_names
from dpduck.kernel.catalog.model import fold
from dpduck.kernel.catalog.nested import element_of
from dpduck.kernel.catalog.types import SqlType, parse_type
from dpduck.kernel.plan.expression import Typed
from dpduck.kernel.tree import build
from dpduck.kernel.tree.nodes import Comparison, Expression

_NAME = "unnest"  # of a column without an alias
_FORM = "Write FROM t, unnest(t.tags) AS u(tag), or FROM (SELECT id, unnest(tags) AS tag FROM t)."


# --- in a select list ----------------------------------------------------------------------------


def spread(select: exp.Select) -> exp.Select:
    """Return SELECT x, unnest(l) AS e FROM t as SELECT x, u.e FROM t, unnest(l) AS u(e).

    Errors: UnsupportedSqlError for several, beside aggregates, or inside an expression.
    """
    found = [node for item in select.expressions for node in _own(item) if isinstance(node, exp.Explode)]
    if not found:
        return select
    _check_alone(select, found)
    copied = select.copy()
    [node] = [node for item in copied.expressions for node in _own(item) if isinstance(node, exp.Explode)]
    item = next(item for item in copied.expressions if any(part is node for part in _own(item)))
    name = exp.to_identifier(_free_name(copied), quoted=True)
    column = exp.Column(this=exp.to_identifier(_NAME, quoted=True), table=name.copy())
    if item is node:
        column = exp.alias_(column, column_names.name_of(node), quoted=True)  # type: ignore[assignment]
    unnested = exp.Unnest(
        expressions=[node.this.copy()],
        alias=exp.TableAlias(this=name, columns=[exp.to_identifier(_NAME, quoted=True)]),
    )
    node.replace(column)
    copied.append("joins", exp.Join(this=unnested, kind="CROSS"))
    return copied


def _own(node: exp.Expr) -> Iterator[exp.Expr]:
    """Yield the parts of an expression outside of its subqueries."""
    stack = [node]
    while stack:
        part = stack.pop()
        yield part
        if not isinstance(part, exp.Query):
            stack.extend(part.iter_expressions())


def _check_alone(select: exp.Select, found: Sequence[exp.Expr]) -> None:
    computed = any(is_computed(part) for item in select.expressions for part in _own(item))
    if computed or any(select.args.get(word) for word in ("group", "having", "qualify", "windows")):
        raise refusal(
            "unnest beside aggregates is not supported",
            "A list becomes rows after they are computed.",
            "Unnest in a subquery: SELECT tag, count(*) FROM (SELECT id, unnest(tags) AS tag FROM t) "
            "GROUP BY tag.",
            found[0],
        )
    if len(found) > 1:
        raise refusal(
            "several lists are unnested in one select list",
            "Their elements would be put side by side by their places.",
            "Unnest one in a subquery, and the other outside: each element meets each.",
            found[1],
        )


def _free_name(select: exp.Select) -> str:
    taken = {fold(node.name) for node in select.find_all(exp.Identifier)}
    name = "unnested"
    while name in taken:
        name += "_"
    return name


# --- in FROM -------------------------------------------------------------------------------------


def unnested(rows: SourceRows, join: exp.Join, scope: Scope) -> SourceRows | None:
    """Return rows joined with the elements of one of their lists; None if the join is of another kind.

    Errors: UnsupportedSqlError, UnknownNameError.
    """
    item = _unnest_of(join.this)
    if item is None:
        return None
    [argument] = item.expressions if len(item.expressions) == 1 else [None]
    if argument is not None and argument.find(exp.Column) is None:
        return None  # a list of constants, which is a public relation
    keeps = _check_join(join, item)
    if argument is None or item.args.get("offset"):
        raise refusal("unnest takes one list here", "Which element is which is not numbered.", _FORM, join)
    value = expression(unwrap(argument), rows)
    element = _element_of(value, join)
    if keeps:
        value = replace(value, node=_or_null(value, element))
    table = DerivedTableWriter.over(rows, scope, join)
    made, elements = table.with_elements(_named(rows, join), value, element)
    return replace(made, columns=(*made.columns, _visible(item, elements, element)))


def _unnest_of(item: exp.Expr) -> exp.Unnest | None:
    """Return the unnest of unnest(l), LATERAL unnest(l), or LATERAL (SELECT unnest(l) AS e); else None."""
    if isinstance(item, exp.Unnest):
        return item
    if not isinstance(item, exp.Lateral):
        return None
    inner, alias = item.this, item.args.get("alias")
    columns: list[exp.Expr] = list(alias.args.get("columns") or ()) if alias is not None else []
    if isinstance(inner, exp.Subquery) and not inner.alias:
        select = inner.this
        clauses = {name for name, value in select.args.items() if value}
        found = select.expressions[0] if clauses == {"expressions"} and len(select.expressions) == 1 else None
        if found is None or not isinstance(found.unalias(), exp.Explode):
            return None
        columns = columns or [exp.to_identifier(found.alias or _NAME)]
        inner = exp.Unnest(expressions=[found.unalias().this])
    if not isinstance(inner, exp.Unnest):
        return None
    name = alias.this if alias is not None else None
    made = exp.TableAlias(this=name and name.copy(), columns=[column.copy() for column in columns])
    return exp.Unnest(expressions=[inner.expressions[0].copy()], alias=made, offset=inner.args.get("offset"))


def _check_join(join: exp.Join, item: exp.Unnest) -> bool:
    """Return whether rows without elements are kept, as by LEFT JOIN. Errors: UnsupportedSqlError."""
    on, keeps = join.args.get("on"), join.side == "LEFT"
    is_plain = on is None or (isinstance(unwrap(on), exp.Boolean) and bool(unwrap(on).this))
    if join.args.get("using") or join.method or join.side not in ("", "LEFT") or not is_plain:
        raise refusal(
            "this join with a list is not supported",
            "The elements of a row's list are joined with that row, and no condition says more.",
            "Write FROM t, unnest(t.tags) AS u(tag), or LEFT JOIN unnest(t.tags) AS u(tag) ON true.",
            item,
        )
    return keeps


def _element_of(value: Typed, node: exp.Expr) -> SqlType:
    name = element_of(value.type.name)
    found = None if name is None else parse_type(name)
    if found is None or not (element_type(value.type) is not None or found.name.startswith("STRUCT(")):
        raise refusal(
            "unnest takes a list of numbers, texts, dates, booleans or STRUCTs",
            f"{value.name or 'Its argument'} is of type {value.type.name}.",
            "Use a column of type VARCHAR[], INTEGER[] or the like.",
            node,
        )
    return found


def _or_null(value: Typed, element: SqlType) -> Expression:
    """Return a list that has NULL as its element if it has none."""
    length = build.call("len", parse_type("BIGINT"), value.node)
    nothing = build.call("list_value", value.type, build.null(element))
    return build.choice((Comparison(">", length, build.digits(0)), value.node), otherwise=nothing)


def _named(rows: SourceRows, join: exp.Join) -> list[Visible]:
    """Return the columns that the block names, among them fields, which are columns from now on."""
    select = join.find_ancestor(exp.Select)
    if select is None:
        return list(rows.columns)
    names = [node for node in select.find_all(exp.Column) if not isinstance(node.this, exp.Star)]
    given = {
        fold(name.name) for one in select.args.get("joins") or () for name in one.args.get("using") or ()
    }
    given |= {fold(node.name) for node in names}
    is_whole = any(not isinstance(star.parent, exp.Count) for star in select.find_all(exp.Star))
    found = [one for one in rows.columns if is_whole or fold(one.name) in given]
    return [*found, *_fields(names, rows)]


def _fields(names: list[exp.Column], rows: SourceRows) -> Iterator[Visible]:
    seen = set[tuple[str, str, str]]()
    for node in names:
        place = fold(node.name), fold(node.table), fold(node.db)
        if node.table and place not in seen and rows.known(node) and not rows.is_column(node):
            seen.add(place)
            yield Visible(node.name, rows.resolve(node), node.table, node.db or None, hidden=True)


def _visible(item: exp.Unnest, elements: Typed, element: SqlType) -> Visible:
    alias = item.args.get("alias")
    columns = (alias.args.get("columns") or ()) if isinstance(alias, exp.TableAlias) else ()
    if len(columns) > 1:
        raise refusal("too many column aliases", "A list has one column.", _FORM, item)
    name = columns[0].name if columns else _NAME
    value = replace(elements, node=as_read(elements.node, element))
    return Visible(name, value, (item.alias or None) if alias is not None else None)
