"""Reads forms that BI tools and foreign tables write around constants as the constants that they are.

    (SELECT TIMESTAMP '2024-01-01')           TIMESTAMP '2024-01-01'    Looker, around each end of a range
    (-30 || ' day')::INTERVAL                 INTERVAL '-30' DAY        Looker; also '30 days'::INTERVAL
    count(*) > '100'::NUMERIC                 count(*) > 100            Cube, of a filter's parameter
    percentile_cont(0.5::DOUBLE PRECISION)    percentile_cont(0.5)      postgres_fdw

A query of constants has one row: where a value stands it is its value. What takes rows, such as IN or EXISTS,
keeps it: DuckDB refuses i IN (SELECT 'a') as it binds, but i IN ('a') as it runs. Over private rows IN takes
it for a list (`listed`). A number that is cast and compared is written as what the cast makes of it; a cast
that fails stays, and is refused before a charge.
"""

from __future__ import annotations

import re
import struct
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import TypeVar, cast

from sqlglot import exp

from dpduck.compiler.parse.nodes import unwrap

Tree = TypeVar("Tree", bound=exp.Expr)

_SPAN = re.compile(r"\s*([+-]?[0-9]{1,9})\s*(second|minute|hour|day|week|month|year)s?\s*", re.ASCII | re.I)
_NUMBER = re.compile(r"(-?)([0-9]{1,15}(?:\.[0-9]{1,3})?)", re.ASCII)
_COMPARED = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Between, exp.In)
_FRACTIONS = (exp.PercentileCont, exp.PercentileDisc)
_PLAIN = (  # what a constant is made of: each the same wherever and how often it is computed in a query
    *(exp.Literal, exp.Boolean, exp.Null, exp.Paren, exp.Neg, exp.Add, exp.Sub, exp.Mul, exp.DPipe),
    *(exp.Cast, exp.DataType, exp.DataTypeParam, exp.Interval, exp.Var, exp.DateTrunc, exp.TimestampTrunc),
    *(exp.CurrentDate, exp.CurrentTimestamp, exp.AtTimeZone),
)
_WHOLE = ((exp.DType.INT, 2**31 - 1), (exp.DType.BIGINT, 2**63 - 1))  # types of digits, and their ends
_FORMATS = {exp.DType.DOUBLE: "d", exp.DType.FLOAT: "f"}  # how `struct` writes floating point numbers
_TAKE_ROWS = (exp.From, exp.Join, exp.SetOperation, exp.Exists, exp.Any, exp.All, exp.Array, exp.Anonymous)
_WIDEST = 38  # digits of a DECIMAL
_EXACT = Context(prec=60)


def plain_tree(tree: Tree) -> Tree:
    """The tree with each such form replaced; the tree itself if it has none.

    >>> from sqlglot import parse_one
    >>> plain_tree(parse_one("SELECT 1 WHERE d >= (SELECT DATE '2024-01-31')", read="duckdb")).sql("duckdb")
    "SELECT 1 WHERE d >= (CAST('2024-01-31' AS DATE))"
    >>> plain_tree(parse_one("SELECT d + (-30 || ' day')::INTERVAL", read="duckdb")).sql("duckdb")
    "SELECT d + INTERVAL '-30' DAY"
    """
    if tree.find(exp.Cast) is not None:
        tree = cast(Tree, tree.transform(_without_cast))
    if tree.find(exp.Subquery) is not None:
        tree = tree.copy()
        for node in reversed(list(tree.find_all(exp.Subquery))):  # those within others first
            value = None if _is_listed(node) else _constant(node)
            if value is not None:
                node.replace(_told(value, node))
    return tree


def listed(node: exp.In) -> exp.In:
    """IN over a query of one constant as IN over a list of it; the node itself if it is no such query.

    >>> from sqlglot import parse_one
    >>> listed(parse_one("x IN (SELECT 1)", read="duckdb")).sql("duckdb")
    'x IN ((1))'
    """
    query = node.args.get("query")
    while isinstance(query, exp.Subquery) and isinstance(query.this, exp.Subquery):
        query = query.this
    if not isinstance(query, exp.Subquery):
        return node
    value = _constant(query)
    if value is None:
        return node
    new = node.copy()
    new.set("query", None)
    new.set("expressions", [_told(value, query)])
    return new


def _is_listed(node: exp.Subquery) -> bool:
    """Whether it is the query of IN, in however many parentheses."""
    around: exp.Expr = node
    while isinstance(around.parent, exp.Subquery):
        around = around.parent
    return isinstance(around.parent, exp.In) and around.arg_key == "query"


def _without_cast(node: exp.Expr) -> exp.Expr:
    if type(node) is not exp.Cast:
        return node
    found = _span(node) if node.to.this is exp.DType.INTERVAL else _number(node)
    return node if found is None else _told(found, node)


def _told(new: exp.Expr, old: exp.Expr) -> exp.Expr:
    """With the place of what it replaces, for errors."""
    new.meta.update(old.meta)
    return new


def _constant(node: exp.Subquery) -> exp.Expr | None:
    """The value of a query that is one expression of constants."""
    select = node.this
    if isinstance(node.parent, _TAKE_ROWS) or _others(node, "this"):
        return None
    if type(select) is not exp.Select or _others(select, "expressions") or len(select.expressions) != 1:
        return select.copy() if isinstance(select, _PLAIN) else None
    value = select.expressions[0].unalias()
    if not all(type(part) in _PLAIN for part in value.walk()):
        return None
    return exp.Paren(this=value.copy() if _is_compared_number(node, value) else _typed(value))


def _is_compared_number(node: exp.Subquery, value: exp.Expr) -> bool:
    """Whether a number is compared, which comes to the same for every type that holds it."""
    above = node.parent
    while isinstance(above, exp.Paren):
        above = above.parent
    return isinstance(above, _COMPARED) and not unwrap(value).is_string


def _typed(value: exp.Expr) -> exp.Expr:
    """A constant with the type that it has in a query of its own, where nothing beside it gives it another.

    >>> _typed(exp.Literal.number("7")).sql("duckdb"), _typed(exp.Literal.string("7")).sql("duckdb")
    ('CAST(7 AS INT)', "CAST('7' AS TEXT)")
    """
    copy, inner = value.copy(), unwrap(value)
    literal = unwrap(inner.this) if isinstance(inner, exp.Neg) else inner
    if not isinstance(literal, exp.Literal):
        return copy
    if literal.is_string:
        return exp.cast(copy, exp.DType.VARCHAR)
    number = int(literal.name) if literal.name.isdigit() else None
    kind = next((kind for kind, most in _WHOLE if number is not None and number <= most), None)
    return copy if kind is None else exp.cast(copy, kind)


def _others(node: exp.Expr, name: str) -> bool:
    """Whether a node has a clause besides the one that is named."""
    return any(value for key, value in node.args.items() if key != name)


def _span(node: exp.Cast) -> exp.Interval | None:
    """An interval, of a text such as '30 days', or of a number and a unit that are joined."""
    inner = unwrap(node.this)
    text = inner.name if isinstance(inner, exp.Literal) and inner.is_string else None
    if isinstance(inner, exp.DPipe):
        number, unit = unwrap(inner.this), unwrap(inner.expression)
        sign = "-" if isinstance(number, exp.Neg) else ""
        number = unwrap(number.this) if sign else number
        literals = isinstance(number, exp.Literal) and isinstance(unit, exp.Literal) and unit.is_string
        text = f"{sign}{number.name}{unit.name}" if literals else None
    found = None if text is None else _SPAN.fullmatch(text)
    if found is None:
        return None
    return exp.Interval(this=exp.Literal.string(str(int(found[1]))), unit=exp.Var(this=found[2].upper()))


def _number(node: exp.Cast) -> exp.Expr | None:
    """What a cast makes of a number, where a number without a cast means the same."""
    inner, kind = unwrap(node.this), node.to.this
    negated = isinstance(inner, exp.Neg)
    literal = unwrap(inner.this) if negated else inner
    if not isinstance(literal, exp.Literal) or (negated and literal.is_string):
        return None
    above = node.parent
    while isinstance(above, (exp.Paren, exp.Neg)):
        above = above.parent
    is_share = isinstance(above, _FRACTIONS) and not negated and not literal.is_string
    if is_share and kind in _FORMATS and float(literal.name) <= 1:
        return _as_floating(literal, _FORMATS[kind])
    found = _NUMBER.fullmatch(literal.name)
    if found is None or kind is not exp.DType.DECIMAL or not isinstance(above, _COMPARED):
        return None
    number = _as_decimal(Decimal(found[2]), node.to)
    if number is None:
        return None
    plain = exp.Literal.number(f"{_EXACT.normalize(number):f}")
    return exp.Neg(this=plain) if found[1] or negated else plain


def _as_floating(literal: exp.Literal, form: str) -> exp.Expr:
    """A share as a number of floating point: as a FLOAT 0.45 is a little less.

    >>> [_as_floating(exp.Literal.number(text), "f").name for text in ("0.5", "0.45")]
    ['0.5', '0.44999998807907104']
    """
    (value,) = struct.unpack(form, struct.pack(form, float(literal.name)))
    is_kept = value == float(literal.name)
    return literal.copy() if is_kept else exp.Literal.number(repr(value))


def _as_decimal(number: Decimal, kind: exp.DataType) -> Decimal | None:
    """A number as a DECIMAL, rounded as DuckDB rounds it: halves away from zero. None if it does not fit.

    >>> [_as_decimal(Decimal("2.45"), exp.DataType.build(kind)) for kind in ("DECIMAL(5,1)", "DECIMAL(1,1)")]
    [Decimal('2.5'), None]
    """
    digits = [part.name for part in kind.expressions]
    if len(digits) > 2 or not all(map(str.isdigit, digits)):
        return None
    width, scale = (*map(int, digits), 0)[:2] if digits else (18, 3)
    if not scale <= width <= _WIDEST:
        return None
    rounded = number.quantize(Decimal(1).scaleb(-scale), ROUND_HALF_UP, _EXACT)
    return rounded if rounded < 10 ** (width - scale) else None
