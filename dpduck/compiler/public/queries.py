"""Translates queries: SELECT, set operations, VALUES, and subqueries in expressions."""

from __future__ import annotations

import re
from dataclasses import replace

from sqlglot import exp

from dpduck.compiler.functions import refusals
from dpduck.compiler.parse.constant_calls import folded
from dpduck.compiler.parse.nodes import refusal
from dpduck.compiler.public.context import QUERY_DEPTH, Block, Context
from dpduck.compiler.public.expansion import check_expansion, check_sets
from dpduck.compiler.public.expressions import named_column
from dpduck.compiler.public.ordering import order_by
from dpduck.compiler.public.registry import (
    allow,
    check,
    expression,
    expressions,
    query,
    translates,
    translates_query,
)
from dpduck.compiler.public.sources import from_clause, sources_of, values
from dpduck.compiler.public.windows import window_spec
from dpduck.compiler.write import column_names
from dpduck.kernel.catalog.model import fold
from dpduck.kernel.tree.emit import identifier

MAX_ROWS_DIGITS = 18

allow((exp.Where, exp.Having, exp.Qualify), "this")
allow((exp.Group,), "expressions all")
allow((exp.Rollup, exp.Cube, exp.GroupingSets), "expressions")
allow((exp.Limit, exp.Offset), "expression")
allow((exp.Star,), "except_ replace rename")
allow((exp.Alias,), "this alias")


# --- SELECT --------------------------------------------------------------------------------------


@translates_query(
    exp.Select,
    arguments="distinct expressions from_ joins where group having windows qualify order limit offset",
)
def _select(node: exp.Expr, context: Context) -> str:
    check_expansion(node)
    block = Block(sources_of(node), _aliases(node), context.block)
    inside = context.within(block)
    after_select = context.within(replace(block, sees_aliases=True))
    parts = [
        _select_list(node, inside),
        from_clause(node, inside),
        _condition("WHERE", node.args.get("where"), inside),
        _group(node, after_select),
        _condition("HAVING", node.args.get("having"), after_select),
        _windows(node, after_select),
        _condition("QUALIFY", node.args.get("qualify"), after_select),
        _tail(node, after_select),
    ]
    return "".join(parts)


def _aliases(select: exp.Expr) -> frozenset[str]:
    return frozenset(fold(item.alias) for item in select.expressions if isinstance(item, exp.Alias))


def _condition(word: str, clause: exp.Expr | None, context: Context) -> str:
    if clause is None:
        return ""
    check(clause)
    return f" {word} {expression(clause.this, context)}"


def _windows(node: exp.Expr, context: Context) -> str:
    windows = node.args.get("windows") or []
    texts = []
    for window in windows:
        check(window)
        if not isinstance(window.this, exp.Identifier) or window.args.get("alias"):
            raise refusals.of_node(window)
        texts.append(f"{identifier(window.this.name)} AS ({window_spec(window, context)})")
    return f" WINDOW {', '.join(texts)}" if texts else ""


def _tail(node: exp.Expr, context: Context) -> str:
    """Translate ORDER BY, LIMIT and OFFSET, each after a blank; an empty string without them."""
    order = node.args.get("order")
    text = ""
    if order is not None:
        check(order)
        text = f" ORDER BY {order_by(order, context)}"
    limit, offset = constant_limit(node)
    text += "" if limit is None else f" LIMIT {limit}"
    return text + ("" if node.args.get("offset") is None else f" OFFSET {offset}")


def constant_limit(node: exp.Expr) -> tuple[int | None, int]:
    """Return LIMIT (or None) and OFFSET (or 0) of a query. Errors: UnsupportedSqlError if not constant."""
    limit, offset = node.args.get("limit"), node.args.get("offset")
    return (
        None if limit is None else _row_count("LIMIT", limit),
        0 if offset is None else _row_count("OFFSET", offset),
    )


def _row_count(word: str, clause: exp.Expr) -> int:
    check(clause)
    number = folded(clause.args["expression"])
    digits = number.name if isinstance(number, exp.Literal) and not number.is_string else ""
    if not re.fullmatch(r"[0-9]+", digits) or len(digits) > MAX_ROWS_DIGITS:
        raise refusal(
            f"{word} takes a whole number",
            "It must be a constant, and not negative.",
            f"Write {word} 10.",
            clause,
        )
    return int(digits)


# --- the select list -----------------------------------------------------------------------------


def _select_list(select: exp.Expr, context: Context) -> str:
    """Translate SELECT [DISTINCT [ON (...)]] and its items, each aliased to the name that DuckDB gives it."""
    if not select.expressions:
        raise refusal("the select list is empty", "There is nothing to answer.", "Write SELECT *.", select)
    items = ", ".join(_item(item, context) for item in select.expressions)
    return f"SELECT {_distinct(select, context)}{items}"


def _distinct(select: exp.Expr, context: Context) -> str:
    distinct = select.args.get("distinct")
    if distinct is None:
        return ""
    check(distinct)
    on = distinct.args.get("on")
    if on is None:
        return "DISTINCT "
    keys = on.expressions if isinstance(on, exp.Tuple) else [on]
    return f"DISTINCT ON ({expressions(keys, context)}) "


def _item(item: exp.Expr, context: Context) -> str:
    if isinstance(item, exp.Star) or (isinstance(item, exp.Column) and isinstance(item.this, exp.Star)):
        return _star(item, context)
    if isinstance(item, exp.Alias):
        check(item)
        _check_digits(item)
        return f"{expression(item.this, context)} AS {identifier(item.alias)}"
    text = expression(item, context)
    if isinstance(item, exp.Column) and not named_column([p.name for p in item.parts], context.block)[1]:
        return text  # DuckDB names it as the table declares it, with its case
    return f"{text} AS {identifier(column_names.name_of(item))}"


def _check_digits(item: exp.Alias) -> None:
    """Refuse 1_000, which the parser reads as 1 with the alias _000, and DuckDB as one number."""
    alias, last = item.args["alias"], item.this
    while last is not None and not isinstance(last, exp.Literal):
        last = last.args.get("expression") or last.args.get("this")
        last = last if isinstance(last, exp.Expr) else None
    number = last is not None and not last.args.get("is_string")
    if number and not alias.args.get("quoted") and re.match(r"_[0-9]", alias.name):
        raise refusal(
            "underscores in numbers are not supported",
            "They are read in different ways.",
            "Write 1000, or AS before a name.",
            alias,
        )


def _star(item: exp.Expr, context: Context) -> str:
    """Translate * and t.*, with EXCLUDE, REPLACE and RENAME."""
    check(item)
    star, table = (item.this, item.args.get("table")) if isinstance(item, exp.Column) else (item, None)
    check(star)
    if item.args.get("db") is not None:
        raise refusal("* takes a table's name or alias", "A schema is not needed.", "Write t.*.", item)
    words = ["*" if table is None else f"{identifier(table.name)}.*"]
    if star.args.get("except_"):
        words.append(f"EXCLUDE ({', '.join(_column_name(column) for column in star.args['except_'])})")
    if star.args.get("replace"):
        words.append(f"REPLACE ({', '.join(_replaced(alias, context) for alias in star.args['replace'])})")
    if star.args.get("rename"):
        words.append(f"RENAME ({', '.join(_renamed(alias) for alias in star.args['rename'])})")
    return " ".join(words)


def _column_name(node: exp.Expr) -> str:
    parts = [node] if isinstance(node, exp.Identifier) else []
    if isinstance(node, exp.Column) and not node.args.get("db"):
        parts = [part for part in (node.args.get("table"), node.this) if part is not None]
    if not parts or not all(isinstance(part, exp.Identifier) for part in parts):
        raise refusals.of_node(node)
    return ".".join(identifier(part.name) for part in parts)


def _replaced(alias: exp.Expr, context: Context) -> str:
    if not isinstance(alias, exp.Alias):
        raise refusals.of_node(alias)
    check(alias)
    return f"{expression(alias.this, context)} AS {identifier(alias.alias)}"


def _renamed(alias: exp.Expr) -> str:
    if not isinstance(alias, exp.Alias):
        raise refusals.of_node(alias)
    check(alias)
    return f"{_column_name(alias.this)} AS {identifier(alias.alias)}"


# --- GROUP BY ------------------------------------------------------------------------------------

_SETS: dict[type[exp.Expr], str] = {exp.Rollup: "ROLLUP", exp.Cube: "CUBE", exp.GroupingSets: "GROUPING SETS"}


def _group(node: exp.Expr, context: Context) -> str:
    group = node.args.get("group")
    if group is None:
        return ""
    check(group)
    check_sets(group)
    if bool(group.expressions) == bool(group.args.get("all")):
        raise refusal(
            "GROUP BY takes keys, or ALL", "ALL stands for all columns.", "Write GROUP BY 1, 2.", group
        )
    words = ["ALL"] if group.args.get("all") else []
    words += [_group_item(item, context) for item in group.expressions]
    return f" GROUP BY {', '.join(words)}"


def _group_item(item: exp.Expr, context: Context) -> str:
    word = _SETS.get(type(item))
    if word is None and not isinstance(item, exp.Tuple):
        return expression(item, context)
    check(item)
    return f"{word or ''}({', '.join(_group_item(part, context) for part in item.expressions)})"


# --- set operations, VALUES, subqueries ----------------------------------------------------------

_OPERATIONS: dict[type[exp.Expr], str] = {
    exp.Union: "UNION",
    exp.Except: "EXCEPT",
    exp.Intersect: "INTERSECT",
}


@translates_query(*_OPERATIONS, arguments="this expression distinct by_name order limit offset")
def _set_operation(node: exp.Expr, context: Context) -> str:
    """Translate a set operation with its operands in parentheses, a chain of UNIONs without recursion."""
    inside = context.deeper(node, QUERY_DEPTH)
    chain = [node]
    while _chained(chain[-1], chain[-1].this, context):
        chain.append(chain[-1].this)
    parts = [f"({query(chain[-1].this, inside)})"]
    for operation in reversed(chain):
        parts += [_operation(operation), f"({query(operation.args['expression'], inside)})"]
    block = Block(aliases=_first_aliases(node), sees_aliases=True)
    return " ".join(parts) + _tail(node, context.within(block))


def _operation(node: exp.Expr) -> str:
    word = _OPERATIONS[type(node)] + ("" if node.args.get("distinct") else " ALL")
    return word + (" BY NAME" if node.args.get("by_name") else "")


def _chained(node: exp.Expr, left: exp.Expr, context: Context) -> bool:
    """Whether the left operand continues a chain of UNIONs, which are left-associative in DuckDB, too."""
    if not isinstance(node, exp.Union) or not isinstance(left, exp.Union):
        return False
    if any(left.args.get(name) for name in ("order", "limit", "offset")):
        return False
    if context.relations.block(left) is not None:
        return False
    check(left)
    return True


def _first_aliases(node: exp.Expr) -> frozenset[str]:
    """Return the aliases of the first query of a set operation, which name the columns of the result."""
    while isinstance(node, (exp.SetOperation, exp.Subquery)):
        node = node.this
    return _aliases(node) if isinstance(node, exp.Select) else frozenset()


@translates_query(exp.Values, arguments="expressions alias")
def _values(node: exp.Expr, context: Context) -> str:
    assert isinstance(node, exp.Values)
    return values(node, context)


@translates_query(exp.Subquery, arguments="this alias joins order limit offset")
def _in_parentheses(node: exp.Expr, context: Context) -> str:
    text = query(node.this, context.deeper(node))
    block = Block(aliases=_first_aliases(node), sees_aliases=True)
    tail = _tail(node, context.within(block))
    return f"({text}){tail}" if tail else text


@translates(exp.Subquery, arguments="this alias joins order limit offset")
def _scalar(node: exp.Expr, context: Context) -> str:
    return f"({_inner(node, context)})"


@translates(exp.Exists, arguments="this")
def _exists(node: exp.Expr, context: Context) -> str:
    return f"EXISTS ({_inner(node.this, context)})"


@translates(exp.Any, exp.All, arguments="this")
def _quantified(node: exp.Expr, context: Context) -> str:
    """Translate the right side of a quantified comparison: x = ANY (SELECT ...)."""
    compared = isinstance(node.parent, _QUANTIFIABLE) and node.parent.args["expression"] is node
    if not isinstance(node.this, exp.Query) or not compared:
        raise refusal(
            "ANY and ALL take a subquery after a comparison",
            "A list says the same by a function.",
            "Write x IN (SELECT ...), or list_contains(l, x).",
            node,
        )
    return f"{'ANY' if isinstance(node, exp.Any) else 'ALL'} ({_inner(node.this, context)})"


_QUANTIFIABLE = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE)


def _inner(node: exp.Expr, context: Context) -> str:
    if not isinstance(node, exp.Query):
        raise refusals.of_node(node)
    if node.alias or node.args.get("joins"):
        raise refusals.of_argument(node, "alias" if node.alias else "joins")
    return query(node, context.in_subquery(node).deeper(node, QUERY_DEPTH))
