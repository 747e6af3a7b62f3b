"""Functions of lists in a row: len(l), list_contains(l, 'de') and l[1]. None of them fails on any list.

Their cost is that of reading the list, which a scan of its column does anyway.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from dpduck.compiler.parse.nodes import refusal
from dpduck.compiler.private import domains
from dpduck.compiler.private.casts import within_width
from dpduck.compiler.private.operands import (
    Constant,
    ExpressionReader,
    constant_argument,
    in_type,
    only_argument,
)
from dpduck.compiler.private.type_rules import BIGINT, BOOLEAN
from dpduck.compiler.write import call_names
from dpduck.kernel.catalog.nested import element_of
from dpduck.kernel.catalog.types import SqlType, parse_number, parse_type
from dpduck.kernel.plan.expression import Typed
from dpduck.kernel.tree import build
from dpduck.kernel.tree.nodes import Comparison, Expression

Writer = Callable[[exp.Expr, ExpressionReader], Typed]

_KINDS = frozenset({"integer", "decimal", "float", "text", "boolean", "date", "timestamp", "enum"})
_LAST_INDEX = 2**31 - 1
# The first values that DuckDB's functions accept. Parquet may hold earlier ones, also in lists.
_FIRST = {
    "DATE": "5877642-06-25 (BC)",
    "TIMESTAMP": "290309-12-22 (BC) 00:00:00",
    "TIMESTAMP WITH TIME ZONE": "290309-12-22 (BC) 00:00:00+00",
}
_NO_LIST = "Use a column of type VARCHAR[] or the like; a part of a text is substr(x, 1, 1)."


def element_type(sql_type: SqlType) -> SqlType | None:
    """Return the type of the elements of a list of plain values; None for any other type."""
    name = element_of(sql_type.name)
    found = None if name is None else parse_type(name)
    return found if found is not None and found.kind in _KINDS else None


def as_read(element: Expression, sql_type: SqlType) -> Expression:
    """Return an element as functions may take it: NULL for a value that a file has and DuckDB does not."""
    if sql_type.name in _FIRST:
        first, none = (build.typed(text, sql_type) for text in (_FIRST[sql_type.name], "-infinity"))
        later = Comparison(">=", element, first), Comparison("=", element, none)
        return build.only_where(build.any_of(*later), element)
    return within_width(element, sql_type)


def length_or(of_text: Writer) -> Writer:
    """Return the writer of length(x): the number of elements of a list, or what it is of a text."""

    def write(node: exp.Expr, reader: ExpressionReader) -> Typed:
        value = reader.raw(only_argument(node))
        is_list = isinstance(value, Typed) and element_of(value.type.name) is not None
        return length(node, reader) if is_list else of_text(node, reader)

    return write


def length(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """Translate len(l), array_length(l) or cardinality(l)."""
    arguments = node.expressions if isinstance(node, exp.Anonymous) else [node.this]
    dimension = node.args.get("expression")
    if len(arguments) != 1 or dimension is not None:
        raise refusal("the length of a list takes the list", "A list has one.", "Write len(l).", node)
    value = _list(arguments[0], node, reader, any_element=True)
    return Typed.of(build.call("len", BIGINT, value.node))


def contains_or(of_text: Writer) -> Writer:
    """Return the writer of contains(x, y): of a list, or what it is of a text."""

    def write(node: exp.Expr, reader: ExpressionReader) -> Typed:
        value = reader.raw(node.this)
        is_list = isinstance(value, Typed) and element_of(value.type.name) is not None
        return contains(node, reader) if is_list else of_text(node, reader)

    return write


def contains(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """Translate list_contains(l, 'a') with a constant."""
    value = _list(node.this, node, reader)
    element = element_type(value.type)
    assert element is not None
    hint = "Write list_contains(l, 'a')."
    wanted = constant_argument(node.args["expression"], node, "what a list is searched for", hint)
    searched = in_type(wanted, element, node)
    return Typed.of(build.call("list_contains", BOOLEAN, value.node, searched), domains.BOOLEANS)


def item(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """Translate l[1] or list_extract(l, 1) with a constant: from 1, or from the end if negative."""
    if isinstance(node, exp.Bracket):
        given, index = node.this, _index(node)
    elif len(node.expressions) == 2:
        given, index = node.expressions[0], _whole(node.expressions[1], node)
    else:
        raise _no_index(node)
    value = _list(given, node, reader)
    element = element_type(value.type)
    assert element is not None
    found = build.call("list_extract", element, value.node, build.literal(index, BIGINT))
    return Typed(as_read(found, element), element, value.elements, column=value.column)


def _index(node: exp.Bracket) -> int:
    """Return the index as DuckDB counts; the parser counts from 0, and moves negative numbers as well."""
    if len(node.expressions) != 1 or isinstance(node.expressions[0], exp.Slice):
        raise _no_index(node)
    return _whole(node.expressions[0], node) + 1


def _whole(node: exp.Expr, call: exp.Expr) -> int:
    constant = constant_argument(node, call, "the place in a list", "Write l[1] for the first element.")
    number = parse_number(constant.value) if not isinstance(constant.value, str) else None
    if number is None or number.denominator != 1 or abs(number) >= _LAST_INDEX:
        raise _no_index(call)
    return int(number)


def _no_index(node: exp.Expr) -> Exception:
    return refusal(
        "a place in a list is one whole number",
        "Rows hold plain values here, and not parts of lists.",
        "Write l[1] for the first element, l[-1] for the last one.",
        node,
    )


def _list(node: exp.Expr, call: exp.Expr, reader: ExpressionReader, *, any_element: bool = False) -> Typed:
    """Return an argument that is a list. Errors: UnsupportedSqlError for other types."""
    value = reader.raw(node)
    is_list = any_element and element_of(value.type.name) is not None
    if isinstance(value, Constant) or not (is_list or element_type(value.type) is not None):
        name = "x[...]" if isinstance(call, exp.Bracket) else call_names.short_name_of(call)
        raise refusal(
            f"{name} takes a list of numbers, texts, dates or booleans",
            f"The argument is of type {value.type.name}.",
            _NO_LIST,
            call,
        )
    return value
