"""Translates FROM: tables of the caller, subqueries, VALUES and their joins. Nothing else is allowed."""

from __future__ import annotations

from sqlglot import exp

from dpduck.compiler.functions import refusals
from dpduck.compiler.parse.nodes import position_of, refusal
from dpduck.compiler.public.context import QUERY_DEPTH, Context, FromItem
from dpduck.compiler.public.registry import allow, check, expression, expressions, query
from dpduck.compiler.public.series import series_of, unnested_constants
from dpduck.kernel.catalog.model import fold
from dpduck.kernel.errors import UnknownNameError
from dpduck.kernel.tree.emit import identifier

allow((exp.From,), "this")
allow((exp.Table,), "this db alias joins")
allow((exp.TableAlias,), "this columns")
allow((exp.Join,), "this on using side kind method")
allow((exp.Lateral,), "this alias")

# The SQL of a join by its method, side and kind in the parser.
_JOINS = {
    ("", "", ""): "JOIN",
    ("", "", "INNER"): "JOIN",
    ("", "", "CROSS"): "CROSS JOIN",
    ("", "", "SEMI"): "SEMI JOIN",
    ("", "", "ANTI"): "ANTI JOIN",
    **{("", side, kind): f"{side} JOIN" for side in ("LEFT", "RIGHT", "FULL") for kind in ("", "OUTER")},
    ("NATURAL", "", ""): "NATURAL JOIN",
    ("NATURAL", "", "INNER"): "NATURAL JOIN",
    **{
        ("NATURAL", side, kind): f"NATURAL {side} JOIN"
        for side in ("LEFT", "RIGHT", "FULL")
        for kind in ("", "OUTER")
    },
    ("ASOF", "", ""): "ASOF JOIN",
    ("ASOF", "LEFT", ""): "ASOF LEFT JOIN",
}


# --- the scope of names --------------------------------------------------------------------------


def sources_of(select: exp.Expr) -> tuple[FromItem, ...]:
    """Return the items of FROM, in order, without translating them."""
    clause = select.args.get("from_")
    items = [clause.this] if isinstance(clause, exp.From) else []
    items += [join.this for join in select.args.get("joins") or []]
    return tuple(source for item in items for source in _sources_in(item))


def _sources_in(item: exp.Expr) -> list[FromItem]:
    own: list[FromItem] = []
    joined = isinstance(item, exp.Subquery) and isinstance(item.this, (exp.Table, exp.Subquery))
    if joined and not item.alias:
        own = _sources_in(item.this)
    elif not isinstance(item, exp.Table) or item.alias:
        own = [FromItem(fold(item.alias) if item.alias else None, item.alias or None)]
    elif isinstance(item.this, exp.GenerateSeries):
        own = [FromItem(series_of(item.this).name, None)]
    else:
        own = [FromItem(fold(item.name), item.name, _schema(item))]
    for join in item.args.get("joins") or []:
        own += _sources_in(join.this)
    return own


def _schema(table: exp.Table) -> str:
    return "main" if not table.db or fold(table.db) == "public" else fold(table.db)


# --- the clause ----------------------------------------------------------------------------------


def from_clause(select: exp.Expr, context: Context) -> str:
    """Translate FROM and its joins; an empty string without FROM."""
    clause = select.args.get("from_")
    if clause is None and not select.args.get("joins"):
        return ""
    if clause is None:
        raise refusal(
            "JOIN needs FROM", "There is nothing to join to.", "Write FROM a JOIN b ON ....", select
        )
    check(clause)
    joins = _joins(select.args.get("joins") or [], context)
    return f" FROM {_with_joins(clause.this, context)}{joins}"


def _with_joins(item: exp.Expr, context: Context) -> str:
    return f"{source(item, context)}{_joins(item.args.get('joins') or [], context)}"


def _joins(joins: list[exp.Expr], context: Context) -> str:
    return "".join(_join(join, context) for join in joins)


def _join(join: exp.Expr, context: Context) -> str:
    check(join)
    words = tuple(str(join.args.get(name) or "").upper() for name in ("method", "side", "kind"))
    word, condition = _JOINS.get((words[0], words[1], words[2])), _join_condition(join, context)
    if word is None:
        raise refusal(
            f"{' '.join(filter(None, words))} JOIN is not supported",
            "Joins are inner, LEFT, RIGHT, FULL, CROSS, SEMI, ANTI, NATURAL and ASOF.",
            "Write FROM a JOIN b ON a.x = b.x.",
            join,
        )
    item = join.this
    text = _with_joins(item, context)
    if item.args.get("joins"):
        text = f"({text})"
    if not condition and not any(words):
        return f", {text}"
    if bool(condition) == (word.startswith("NATURAL") or word == "CROSS JOIN"):
        raise refusal(
            f"{word} {'takes no condition' if condition else 'needs a condition'}",
            "Which rows belong together is said by ON or USING, and by nothing else.",
            "Write FROM a JOIN b ON a.x = b.x, or FROM a CROSS JOIN b for all pairs.",
            join,
        )
    return f" {word} {text}{condition}"


def _join_condition(join: exp.Expr, context: Context) -> str:
    if join.args.get("on") is not None:
        return f" ON {expression(join.args['on'], context)}"
    names = join.args.get("using") or []
    return f" USING ({', '.join(identifier(name.name) for name in names)})" if names else ""


def source(item: exp.Expr, context: Context) -> str:
    """Translate one item of FROM with its alias, without its joins."""
    if isinstance(item, exp.Table) and isinstance(item.this, exp.GenerateSeries):
        check(item)
        context.seen.references += 1
        return f"{series_of(item.this).sql}{_alias(item)}"
    if isinstance(item, exp.Table):
        return _table(item, context)
    if isinstance(item, exp.Unnest) and (text := unnested_constants(item, context)) is not None:
        check(item)
        return f"{text}{_alias(item)}"
    if isinstance(item, exp.Subquery):
        return _subquery(item, context)
    if isinstance(item, exp.Values):
        check(item)
        return f"({values(item, context)}){_alias(item)}"
    if isinstance(item, exp.Lateral) and isinstance(item.this, exp.Subquery):
        check(item)
        return f"LATERAL {_subquery(item.this, context)}{_alias(item)}"
    raise refusals.of_source(item)


def _table(node: exp.Table, context: Context) -> str:
    if not isinstance(node.this, exp.Identifier):
        raise refusals.of_source(node)
    check(node)
    text = context.relations.table(node)
    if text is None:
        raise UnknownNameError(f"table {node.name} does not exist", position=position_of(node))
    return f"{text}{_alias(node) or f' AS {identifier(node.name)}'}"


def _subquery(node: exp.Subquery, context: Context) -> str:
    """Translate a subquery, or a table or join in parentheses, whose names stay in scope."""
    if isinstance(node.this, exp.Table):
        check(node)
        _check_no_clauses(node)
        return f"({_with_joins(node.this, context)}){_alias(node)}"
    if isinstance(node.this, exp.Subquery) and not _is_query(node.this):
        check(node)
        _check_no_clauses(node)
        return f"({_with_joins(node.this, context)}){_alias(node)}"
    return f"({query(node, context.deeper(node, QUERY_DEPTH))}){_alias(node)}"


def _is_query(node: exp.Expr) -> bool:
    """Whether parentheses contain a query rather than tables."""
    while isinstance(node, exp.Subquery):
        if node.alias or node.args.get("joins"):
            return False
        node = node.this
    return not isinstance(node, exp.Table)


def _check_no_clauses(node: exp.Subquery) -> None:
    for name in ("order", "limit", "offset"):
        if node.args.get(name):
            raise refusals.of_argument(node, name)


def _alias(node: exp.Expr) -> str:
    alias = node.args.get("alias")
    if alias is None:
        return ""
    check(alias)
    columns = alias.args.get("columns") or []
    if not isinstance(alias.this, exp.Identifier):
        raise refusal("columns are renamed with the table", "Both have a name.", "Write t(a, b).", node)
    names = f"({', '.join(identifier(column.name) for column in columns)})" if columns else ""
    return f" AS {identifier(alias.name)}{names}"


def values(node: exp.Values, context: Context) -> str:
    """Translate VALUES (...), (...)."""
    rows = []
    for row in node.expressions:
        if not isinstance(row, exp.Tuple):
            raise refusals.of_node(row)
        check(row)
        if not row.expressions:
            raise refusal("a row of VALUES is empty", "It has no column.", "Write VALUES (1, 'a').", row)
        rows.append(f"({expressions(row.expressions, context)})")
    return f"VALUES {', '.join(rows)}"
