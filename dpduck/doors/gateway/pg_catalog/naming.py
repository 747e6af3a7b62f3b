"""Name the columns of a catalog query as Postgres does."""

from __future__ import annotations

from sqlglot import exp

from dpduck.compiler.parse.postgres_names import folded, postgres_name, root_selects, type_name
from dpduck.doors.gateway.pg_catalog.vocabulary import VECTORS, Vocabulary

_WIRE_TYPES = ("oid", "name", "name[]", "char", *VECTORS)


def name_projections(tree: exp.Query, vocabulary: Vocabulary) -> tuple[tuple[str, str | None], ...] | None:
    """Name every column of every SELECT. Output: the columns of the whole query, None if it has `*`."""
    for select in list(tree.find_all(exp.Select)):
        select.set("expressions", [_named(item) for item in select.expressions])
    first = next(root_selects(tree), None)
    if first is None or any(item.is_star for item in first.expressions):
        return None
    return tuple((item.alias, _wire_type(item.this, vocabulary)) for item in first.expressions)


def _named(item: exp.Expr) -> exp.Expr:
    if isinstance(item, exp.Alias):
        alias = item.args["alias"]
        if not alias.args.get("quoted"):
            item.set("alias", exp.to_identifier(alias.name.lower(), quoted=True))
        return item
    if item.is_star:
        return item
    return exp.Alias(this=item, alias=exp.to_identifier(postgres_name(item), quoted=True))


def _wire_type(node: exp.Expr, vocabulary: Vocabulary) -> str | None:
    """oid, name, char or a vector, for a column or cast of that type."""
    while isinstance(node, exp.Paren):
        node = node.this
    found = None
    if isinstance(node, exp.Column) and isinstance(node.this, exp.Identifier):
        found = vocabulary.declared.get(folded(node.this))
    elif isinstance(node, exp.Cast):
        is_array = node.to.this == exp.DataType.Type.ARRAY and bool(node.to.expressions)
        found = f"{type_name(node.to.expressions[0])}[]" if is_array else type_name(node.to)
    elif _wire_type_of_items(node, vocabulary) == "name":
        return "name[]"
    return found if found in _WIRE_TYPES else None


def _wire_type_of_items(node: exp.Expr, vocabulary: Vocabulary) -> str | None:
    """The type of what array_agg or ARRAY makes an array of; None for other nodes."""
    if isinstance(node, exp.Anonymous) and node.name.lower() == "array_agg" and node.expressions:
        item = node.expressions[0]
        return _wire_type(item.this if isinstance(item, exp.Order) else item, vocabulary)
    if isinstance(node, exp.Anonymous) and node.name.lower() != "array":
        return None
    if isinstance(node, (exp.Array, exp.Anonymous)) and node.expressions:
        first = next(root_selects(node.expressions[0]), None)
        item = node.expressions[0] if first is None else first.expressions[0]
        return _wire_type(item.unalias(), vocabulary)
    return None
