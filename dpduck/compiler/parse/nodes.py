"""Helper functions on sqlglot nodes that parsing, validation and planning share."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal

from sqlglot import exp

from dpduck.kernel.catalog.types import Scalar, has_offset, parse_moment, parse_number
from dpduck.kernel.errors import UnsupportedSqlError
from dpduck.kernel.errors.advice import Hint

TIMESTAMPS = (exp.DType.TIMESTAMPNTZ, exp.DType.TIMESTAMP, exp.DType.TIMESTAMPTZ)  # the last one in UTC
LITERAL_NODES = (exp.Literal, exp.Boolean, exp.Null, exp.Neg, exp.Cast)

_TEXTS = (exp.DType.VARCHAR, exp.DType.TEXT)
_INTEGER_BITS = {exp.DType.SMALLINT: 16, exp.DType.INT: 32, exp.DType.BIGINT: 64}

PLACE = "dpduck_place"  # in `meta` of a parameter: the index of its first character in the text


def position_of(node: exp.Expr) -> int | None:
    """Return the 1-based text position of the first name inside the node; None if the parser kept none."""
    for inner in node.walk():
        start = inner.meta.get("start")
        if isinstance(start, int):
            return start + 1
    return None


def refusal(message: str, detail: str, hint: Hint | str, node: exp.Expr | None = None) -> UnsupportedSqlError:
    """Return the error for SQL that is understood but refused, with the node's position in the text."""
    return UnsupportedSqlError(
        message, detail=detail, hint=hint, position=None if node is None else position_of(node)
    )


def unwrap(node: exp.Expr) -> exp.Expr:
    """The node without the parentheses around it."""
    while isinstance(node, exp.Paren):
        node = node.this
    return node


def if_a_text(node: exp.Expr) -> str:
    """What to write if a name in double quotes is meant as a text, after another hint; nothing for others.

    >>> from sqlglot import parse_one
    >>> if_a_text(parse_one('"home"')), if_a_text(parse_one("home"))
    (" A text stands in single quotes: 'home'.", '')
    """
    node = unwrap(node)
    if not isinstance(node, exp.Column) or node.table or not node.this.args.get("quoted"):
        return ""
    return f" A text stands in single quotes: {exp.Literal.string(node.name).sql('duckdb')}."


class FieldColumn(exp.Column):
    """The name of a field of a STRUCT: that of a column, and `fields`, the names that follow."""

    arg_types = {**exp.Column.arg_types, "fields": True}  # noqa: RUF012 (the form that sqlglot prescribes)


def field_of(node: exp.Expr) -> FieldColumn | None:
    """Return the name of a field that is written as an expression over a column; None for any other node.

    `address.country` is no expression, but the name of a column until the columns are known.

    >>> from sqlglot import parse_one
    >>> texts = ("(t.a).b.c", "struct_extract(a, 'b')", "a['b']", "a.b", "a[1]")
    >>> found = [field_of(parse_one(text, read="duckdb")) for text in texts]
    >>> [one and [part.name for part in one.parts] + one.args["fields"] for one in found]
    [['t', 'a', 'b', 'c'], ['a', 'b'], ['a', 'b'], None, None]
    """
    fields: list[str] = []
    node = unwrap(node)
    while (inside := _around_field(node)) is not None:
        name, node = inside
        fields.insert(0, name)
        node = unwrap(node)
    if not fields or not isinstance(node, exp.Column) or isinstance(node.this, exp.Star):
        return None
    return FieldColumn(**{name: part and part.copy() for name, part in node.args.items()}, fields=fields)


def _around_field(node: exp.Expr) -> tuple[str, exp.Expr] | None:
    """Return the field that a node takes, and the node of which it takes it."""
    if isinstance(node, exp.Dot) and isinstance(node.expression, exp.Identifier):
        return node.expression.name, node.this
    given = node.args.get("expression") if isinstance(node, exp.StructExtract) else None
    if isinstance(node, exp.Bracket) and len(node.expressions) == 1:
        [given] = node.expressions
    if isinstance(given, exp.Literal) and given.is_string:
        return str(given.this), node.this
    return None


def function_key(node: exp.Expr) -> type[exp.Expr] | str:
    """Return the class of a node, or the lower-case name of a function for which sqlglot has no class."""
    return str(node.name).lower() if isinstance(node, exp.Anonymous) else type(node)


def without_cast(node: exp.Expr) -> exp.Expr:
    """Return the node without parentheses and without a cast that does not change its value.

    Drivers write such casts: of strings to text, and of integers to an integer type that holds them.

    >>> from sqlglot import parse_one
    >>> texts = "'a'::TEXT", "(-7::INT)", "'7'::INT", "70000::SMALLINT"
    >>> [without_cast(parse_one(text)).sql() for text in texts]
    ["'a'", '-7', "CAST('7' AS INT)", 'CAST(70000 AS SMALLINT)']
    """
    node = unwrap(node)
    if isinstance(node, exp.Neg):
        inner = without_cast(node.this)
        return exp.Neg(this=inner.copy()) if isinstance(inner, exp.Literal) else node
    if not isinstance(node, exp.Cast) or type(node) is not exp.Cast or node.to.expressions:
        return node
    inner = unwrap(node.this)
    if isinstance(inner, exp.Literal) and inner.is_string:
        return inner if node.to.this in _TEXTS else node
    bits = _INTEGER_BITS.get(node.to.this)
    number = scalar(inner) if bits is not None and isinstance(inner, (exp.Literal, exp.Neg)) else None
    if bits is None or type(number) is not int:
        return node
    return inner if -(2 ** (bits - 1)) <= number < 2 ** (bits - 1) else node


def is_literal(node: exp.Expr) -> bool:
    """Whether the node has the form of a constant that `scalar` accepts."""
    return isinstance(unwrap(node), LITERAL_NODES)


def scalar(node: exp.Expr) -> Scalar:
    """Return the value of a literal node. Errors: UnsupportedSqlError if it is not a literal."""
    node = unwrap(node)
    if isinstance(node, exp.Literal):
        return str(node.this) if node.is_string else _number(node)
    if isinstance(node, exp.Boolean):
        return bool(node.this)
    if isinstance(node, exp.Null):
        return None
    if isinstance(node, exp.Neg) and isinstance(node.this, exp.Literal) and not node.this.is_string:
        return _number(node.this, "-")
    if isinstance(node, exp.Cast):
        return _typed_literal(node)
    raise _not_a_literal(node)


def _number(node: exp.Literal, sign: str = "") -> int | Decimal:
    """Return the exact number. The sign is part of the text: negating a Decimal rounds it to 28 digits."""
    text = str(node.this)
    if parse_number(text) is None:
        raise _not_a_literal(node)
    return int(sign + text) if text.isdigit() else Decimal(sign + text)


def _typed_literal(node: exp.Cast) -> date | datetime:
    kind = node.to.this
    text = str(node.this.this) if isinstance(node.this, exp.Literal) else ""
    moment = parse_moment(text, in_utc=kind == exp.DType.TIMESTAMPTZ)
    is_day = moment is not None and moment.time() == datetime.min.time() and not has_offset(text)
    if moment is not None and kind == exp.DType.DATE and is_day:
        return moment.date()
    if moment is not None and kind in TIMESTAMPS:
        return moment
    raise refusal(
        "this cast is not supported",
        "Only DATE '2024-01-31', TIMESTAMP '2024-01-31 12:30:00' and TIMESTAMPTZ '2024-01-31 12:30:00+00' "
        "are typed literals; a cast of a column may fail on a private row.",
        "Write the constant alone: it is read as the type of the column that it is compared with.",
        node,
    )


def _not_a_literal(node: exp.Expr) -> UnsupportedSqlError:
    return refusal(
        "a constant is expected here",
        "It must be a number, a string, TRUE, FALSE, NULL, DATE '...' or TIMESTAMP '...'.",
        "Write the value itself, or pass it as a parameter.",
        node,
    )
