"""The names and types that Postgres gives to the columns of a query."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from dpduck.gateway.pg_catalog.casts import type_name
from dpduck.gateway.pg_catalog.vocabulary import VECTORS, Vocabulary

_UNNAMED = "?column?"
_WIRE_TYPES = ("oid", "name", "name[]", "char", *VECTORS)
_FIXED: dict[type[exp.Expr], str] = {
    exp.Case: "case",
    exp.Array: "array",
    exp.Exists: "exists",
    exp.CurrentUser: "current_user",
    exp.SessionUser: "session_user",
    exp.CurrentRole: "current_role",
    exp.CurrentSchema: "current_schema",
    exp.CurrentCatalog: "current_catalog",
    exp.CurrentDate: "current_date",
    exp.CurrentTimestamp: "current_timestamp",
    exp.Substring: "substring",
    exp.StrPosition: "position",
}
_TRIMS = {"LEADING": "ltrim", "TRAILING": "rtrim"}
_SHORT = {
    **dict.fromkeys(("int", "integer"), "int4"),
    "smallint": "int2",
    "bigint": "int8",
    "boolean": "bool",
    "real": "float4",
    "float": "float4",
    "double": "float8",
    "decimal": "numeric",
    "timestampntz": "timestamp",
}


def name_projections(tree: exp.Query, vocabulary: Vocabulary) -> tuple[tuple[str, str | None], ...] | None:
    """Name every column of every SELECT. Output: the columns of the whole query, None if it has `*`."""
    for select in list(tree.find_all(exp.Select)):
        select.set("expressions", [_named(item) for item in select.expressions])
    first = next(root_selects(tree), None)
    if first is None or any(item.is_star for item in first.expressions):
        return None
    return tuple((item.alias, _wire_type(item.this, vocabulary)) for item in first.expressions)


def root_selects(tree: exp.Expr) -> Iterator[exp.Select]:
    """The SELECTs whose columns are those of the query."""
    if isinstance(tree, exp.Select):
        yield tree
    elif isinstance(tree, exp.SetOperation):
        yield from root_selects(tree.this)
        yield from root_selects(tree.expression)
    elif isinstance(tree, (exp.Subquery, exp.Paren)):
        yield from root_selects(tree.this)


def _named(item: exp.Expr) -> exp.Expr:
    if isinstance(item, exp.Alias):
        alias = item.args["alias"]
        if not alias.args.get("quoted"):
            item.set("alias", exp.to_identifier(alias.name.lower(), quoted=True))
        return item
    if item.is_star:
        return item
    return exp.Alias(this=item, alias=exp.to_identifier(_name(item), quoted=True))


def _name(node: exp.Expr) -> str:
    fixed = _FIXED.get(type(node))
    if fixed is not None:
        inner = _name(node.args["default"]) if isinstance(node, exp.Case) and node.args.get("default") else ""
        return inner if inner not in ("", _UNNAMED) else fixed
    if isinstance(node, (exp.Column, exp.Dot)):
        last = node.this if isinstance(node, exp.Column) else node.expression
        return _name(last) if not isinstance(last, exp.Identifier) else _folded(last)
    if isinstance(node, exp.Anonymous):
        return str(node.name).lower()
    return _name_of_wrapped(node)


def _name_of_wrapped(node: exp.Expr) -> str:
    if isinstance(node, exp.Cast):
        inner = node.this
        while isinstance(inner, (exp.Cast, exp.Paren)):
            inner = inner.this
        name = _name(inner)
        return _SHORT.get(type_name(node.to), type_name(node.to)) if name == _UNNAMED else name
    if isinstance(node, exp.Trim):
        return _TRIMS.get(str(node.args.get("position") or ""), "btrim")
    if isinstance(node, (exp.Paren, exp.Filter, exp.Window, exp.Bracket, exp.Collate)):
        return _name(node.this)
    if isinstance(node, exp.Subquery):
        first = next(root_selects(node), None)
        item = first.expressions[0] if first is not None and first.expressions else None
        if item is not None:
            return str(item.alias) if isinstance(item, exp.Alias) else _name(item)
    return _UNNAMED


def _folded(identifier: exp.Identifier) -> str:
    return str(identifier.this) if identifier.args.get("quoted") else str(identifier.this).lower()


def _wire_type(node: exp.Expr, vocabulary: Vocabulary) -> str | None:
    """oid, name, char, a vector or an array of names, for a column, cast or array of that type."""
    while isinstance(node, exp.Paren):
        node = node.this
    found = None
    if isinstance(node, exp.Column) and isinstance(node.this, exp.Identifier):
        found = vocabulary.declared.get(_folded(node.this))
    elif isinstance(node, exp.Cast):
        found = type_name(node.to.expressions[0]) + "[]" if _is_array(node.to) else type_name(node.to)
    elif isinstance(node, exp.Anonymous) and node.name.lower() in ("array", "array_agg") and node.expressions:
        found = f"{_wire_type(_collected(node.expressions[0]), vocabulary)}[]"
    return found if found in _WIRE_TYPES else None


def _is_array(kind: exp.Expr) -> bool:
    return isinstance(kind, exp.DataType) and kind.this == exp.DataType.Type.ARRAY and bool(kind.expressions)


def _collected(item: exp.Expr) -> exp.Expr:
    """What array_agg(x ORDER BY y) and ARRAY(SELECT x) collect: x."""
    if isinstance(item, exp.Select) and item.expressions:
        first: exp.Expr = item.expressions[0]
        return first.this if isinstance(first, exp.Alias) else first
    return item.this if isinstance(item, exp.Order) else item
