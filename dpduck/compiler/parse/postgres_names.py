"""The names that PostgreSQL gives to the columns of a query that have no alias, such as count for count(*).

Source: FigureColname in PostgreSQL's parse_target.c. A name is a function of the tree alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

UNNAMED = "?column?"

_FIXED: dict[type[exp.Expr], str] = {
    exp.Case: "case",
    exp.If: "case",
    exp.Array: "array",
    exp.Exists: "exists",
    exp.CurrentUser: "current_user",
    exp.SessionUser: "session_user",
    exp.CurrentRole: "current_role",
    exp.CurrentSchema: "current_schema",
    exp.CurrentCatalog: "current_catalog",
    exp.CurrentDate: "current_date",
    exp.CurrentTime: "current_time",
    exp.CurrentTimestamp: "current_timestamp",
    exp.Localtime: "localtime",
    exp.Localtimestamp: "localtimestamp",
    exp.Substring: "substring",
    exp.StrPosition: "position",
    exp.AtTimeZone: "timezone",
    exp.Extract: "extract",
    exp.Boolean: "bool",
    exp.Interval: "interval",
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
_THROUGH = (exp.Paren, exp.Filter, exp.Window, exp.WithinGroup, exp.Bracket, exp.Collate)


def type_name(node: exp.Expr) -> str:
    """The name of a Postgres type in lower case, without schema and modifiers."""
    kind = node.args.get("kind")
    if kind is not None:
        return str((kind.expression if isinstance(kind, exp.Dot) else kind).name).lower()
    this = node.this
    return str(this.value if hasattr(this, "value") else this).lower()


def root_selects(tree: exp.Expr) -> Iterator[exp.Select]:
    """The SELECTs whose columns are those of the query."""
    if isinstance(tree, exp.Select):
        yield tree
    elif isinstance(tree, exp.SetOperation):
        yield from root_selects(tree.this)
        yield from root_selects(tree.expression)
    elif isinstance(tree, (exp.Subquery, exp.Paren)):
        yield from root_selects(tree.this)


def postgres_name(node: exp.Expr) -> str:
    """The name of a select-list item without an alias; `UNNAMED` if PostgreSQL has none.

    >>> from sqlglot import parse_one
    >>> [postgres_name(parse_one(sql, read="postgres")) for sql in ("t.x", "1 + 1", "x::date", "'a'::date")]
    ['x', '?column?', 'x', 'date']
    """
    fixed = _FIXED.get(type(node))
    if fixed is not None:
        return _of_case(node, fixed)
    if isinstance(node, (exp.Column, exp.Dot)):
        last = node.this if isinstance(node, exp.Column) else node.expression
        return postgres_name(last) if not isinstance(last, exp.Identifier) else folded(last)
    if isinstance(node, exp.Anonymous):
        return str(node.name).lower()
    if isinstance(node, exp.Cast):
        return _of_cast(node)
    if isinstance(node, exp.Trim):
        return _TRIMS.get(str(node.args.get("position") or ""), "btrim")
    if isinstance(node, _THROUGH):
        return postgres_name(node.this)
    if isinstance(node, exp.Subquery):
        return _of_subquery(node)
    return _of_call(node)


def _of_case(node: exp.Expr, fixed: str) -> str:
    """CASE is named by its ELSE, if that has a name."""
    otherwise = node.args.get("default") if isinstance(node, exp.Case) else None
    inner = UNNAMED if otherwise is None else postgres_name(otherwise)
    return fixed if inner == UNNAMED else inner


def _of_cast(node: exp.Cast) -> str:
    inner = node.this
    while isinstance(inner, (exp.Cast, exp.Paren)):
        inner = inner.this
    name = postgres_name(inner)
    return _SHORT.get(type_name(node.to), type_name(node.to)) if name == UNNAMED else name


def _of_subquery(node: exp.Subquery) -> str:
    first = next(root_selects(node), None)
    item = first.expressions[0] if first is not None and first.expressions else None
    if item is None:
        return UNNAMED
    return str(item.alias) if isinstance(item, exp.Alias) else postgres_name(item)


def _of_call(node: exp.Expr) -> str:
    """The name of a function as it was written, which dpduck's parser keeps."""
    written = node.meta.get("name")
    return written.lower() if isinstance(node, exp.Func) and isinstance(written, str) else UNNAMED


def folded(identifier: exp.Identifier) -> str:
    """The name as PostgreSQL reads it: lower case unless it is quoted."""
    return str(identifier.this) if identifier.args.get("quoted") else str(identifier.this).lower()
