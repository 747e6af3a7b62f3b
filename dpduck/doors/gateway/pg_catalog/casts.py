"""Casts: Postgres's type names, and the types whose values are objects (regclass and the like).

'orders'::regclass is an OID that is displayed as a name. Here a string is converted to its OID immediately,
and an OID to the name where it is displayed: as a column of the answer, or as text.
"""

from __future__ import annotations

import re

from sqlglot import exp

from dpduck.compiler.parse.postgres_names import type_name
from dpduck.doors.gateway.pg_catalog.nodes import call, cast, literal, outside, unwrap
from dpduck.doors.gateway.pg_catalog.vocabulary import OID, OIDS, REG_TYPES, TEXT, TYPES, VECTORS, Vocabulary
from dpduck.kernel.errors import UnsupportedSqlError

_TEXT_CALLS = ("quote_ident", "concat", "concat_ws", "format", "lower", "upper", "replace")
_COMPARISONS = (exp.EQ, exp.NEQ, exp.In, exp.Any)
_ARRAY_ITEM = r'"(?:[^"\\\\]|\\\\.)*"|[^{}",\\\\]+'
_ARRAY_LITERAL = re.compile(rf"\{{((?:{_ARRAY_ITEM})(?:,(?:{_ARRAY_ITEM}))*)?\}}")


def duckdb_type(node: exp.Expr, *, as_input: bool = False) -> str:
    """DuckDB's type. `as_input`: for the operand of a cast, where the name of an object is text.

    Errors: UnsupportedSqlError.
    """
    if _is_array(node):
        return duckdb_type(node.expressions[0], as_input=as_input) + "[]"
    name = type_name(node)
    if name in REG_TYPES:
        return TEXT if as_input else OID
    if name in VECTORS:
        return "SMALLINT[]" if name == "int2vector" else f"{OID}[]"
    if name not in TYPES:
        raise UnsupportedSqlError("this type is not supported in a catalog query")
    return TYPES[name]


def _is_array(node: exp.Expr) -> bool:
    return isinstance(node, exp.DataType) and node.this == exp.DataType.Type.ARRAY and bool(node.expressions)


def rewrite_cast(node: exp.Expr, vocabulary: Vocabulary) -> exp.Expr:
    """Translate a cast to DuckDB. Errors: UnsupportedSqlError."""
    target = node.args["to"]
    inner, name = node.this, type_name(target)
    if name in REG_TYPES:
        return _object_cast(node, name, vocabulary)
    if _items(target) == "regtype" and _is_shown(node):
        return call("own", "regtypes_out", inner)
    if _items(target) in REG_TYPES:
        return _objects(inner, type_name(target.expressions[0]))
    wanted = duckdb_type(target)
    if wanted.endswith("[]") and isinstance(unwrap(inner), exp.Literal):
        return array_of(str(unwrap(inner).this), wanted, vector=name in VECTORS)
    if wanted == TEXT and isinstance(unwrap(inner), exp.Column):
        return _column_text(inner, vocabulary)
    return cast(inner, wanted)


def _items(target: exp.Expr) -> str | None:
    """The name of the type of an array's items; None if it is no array."""
    is_array = isinstance(target, exp.DataType) and target.this == exp.DataType.Type.ARRAY
    return type_name(target.expressions[0]) if is_array and target.expressions else None


def array_of(text: str, wanted: str, *, vector: bool = False) -> exp.Expr:
    """The array denoted by Postgres's text: '{a,b}', or 'a b' for a vector."""
    values = [literal(item) for item in text.split()] if vector else _array_items(text)
    return cast(exp.Array(expressions=values), wanted)


def _array_items(text: str) -> list[exp.Expr]:
    match = _ARRAY_LITERAL.fullmatch(text.strip())
    if match is None:
        raise UnsupportedSqlError("an array is written as '{a,b}' in a catalog query")
    return [_array_item(item.strip()) for item in re.findall(_ARRAY_ITEM, match[1] or "")]


def _objects(inner: exp.Expr, name: str) -> exp.Expr:
    """The OIDs of objects by name, as '{int4,text}'::regtype[] has them."""
    inner = unwrap(inner)
    if not isinstance(inner, exp.Literal):
        return cast(inner, OIDS)
    found = [call("own", f"{_kind(name)}_in", item) for item in _array_items(str(inner.this))]
    return cast(exp.Array(expressions=found), OIDS)


def _kind(name: str) -> str:
    return name.replace("procedure", "proc")


def _array_item(text: str) -> exp.Expr:
    if text.startswith('"'):
        return literal(re.sub(r"\\(.)", r"\1", text[1:-1]))
    return exp.Null() if text.lower() == "null" else literal(text)


def _column_text(inner: exp.Expr, vocabulary: Vocabulary) -> exp.Expr:
    name = unwrap(inner).name
    declared = vocabulary.declared.get(name)
    if declared in VECTORS:
        return call("own", "vector_out", inner)
    if declared == "regproc":
        return call("own", "regproc_out", inner)
    if vocabulary.columns.get(name, "").endswith("[]"):
        return call("own", "array_out", inner)
    return cast(inner, TEXT)


def _object_cast(node: exp.Expr, name: str, vocabulary: Vocabulary) -> exp.Expr:
    inner, kind = node.this, _kind(name)
    number = call("own", f"{kind}_in", inner) if _is_text(inner, vocabulary) else inner
    return call("own", f"{kind}_out", number) if _is_shown(node) else number


def _is_text(node: exp.Expr, vocabulary: Vocabulary) -> bool:
    node = unwrap(node)
    if isinstance(node, exp.Literal):
        return bool(node.is_string)
    if isinstance(node, exp.Column):
        return vocabulary.columns.get(node.name) == TEXT
    if isinstance(node, exp.Cast):
        return str(node.to.sql("duckdb")) in (TEXT, "TEXT")
    if isinstance(node, exp.Dot):
        node = node.expression
    return isinstance(node, exp.DPipe) or (
        isinstance(node, exp.Anonymous) and node.name.lower() in _TEXT_CALLS
    )


def _is_shown(node: exp.Expr) -> bool:
    parent = outside(node)
    if isinstance(parent, exp.Cast):
        return type_name(parent.to) in ("text", "varchar", "name")
    if isinstance(parent, exp.DPipe):
        return True
    return isinstance(parent, exp.Alias) and _is_answer(parent)


def _is_answer(alias: exp.Expr) -> bool:
    """Whether the column is one of the answer, rather than of a subquery in a comparison."""
    select = alias.parent
    around = None if select is None else select.parent
    while isinstance(around, (exp.Subquery, exp.SetOperation, exp.Paren)):
        around = around.parent
    return isinstance(select, exp.Select) and not isinstance(around, _COMPARISONS)


def shown_column(node: exp.Expr, vocabulary: Vocabulary) -> exp.Expr:
    """A column of the answer as Postgres displays it: a vector as '1 2', a function as its name."""
    declared = vocabulary.declared.get(node.name)
    if declared not in (*VECTORS, "regproc"):
        return node
    parent = outside(node)
    select = parent.parent if isinstance(parent, exp.Alias) else None
    if not isinstance(select, exp.Select) or not _is_root(select):
        return node
    return call("own", "regproc_out" if declared == "regproc" else "vector_out", node.copy())


def _is_root(select: exp.Expr) -> bool:
    around = select.parent
    while isinstance(around, exp.SetOperation):
        around = around.parent
    return isinstance(around, exp.Subquery) and around.parent is None
