"""Computes what is written with constants alone, where SQL over private rows takes constants only.

These are sums, differences and products of numbers, joined texts, lower and upper, make_date(2024, 1, 31),
and Postgres' TO_TIMESTAMP('2024-01-31 12:30:00', 'YYYY-MM-DD HH24:MI:SS') and TO_DATE. Times are in UTC.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date
from decimal import Context, Decimal, Inexact, InvalidOperation

from sqlglot import exp

from dpduck.compiler.parse.nodes import unwrap, without_cast

_DAY = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
_TIME = "[0-9]{2}:[0-9]{2}:[0-9]{2}"
_FORMATS = {
    "YYYY-MM-DD": _DAY,
    "YYYY-MM-DD HH24:MI:SS": f"{_DAY} {_TIME}",
    "YYYY-MM-DD HH24:MI:SS.MS": f"{_DAY} {_TIME}[.][0-9]{{3}}",
    "YYYY-MM-DD HH24:MI:SS.US": f"{_DAY} {_TIME}[.][0-9]{{6}}",
}
_EXACT = Context(prec=38, traps=[Inexact, InvalidOperation])
_ARITHMETIC: dict[type[exp.Expr], Callable[[Decimal, Decimal], Decimal]] = {
    exp.Add: _EXACT.add,
    exp.Sub: _EXACT.subtract,
    exp.Mul: _EXACT.multiply,
}
_PLAIN = re.compile(r"[0-9]{1,38}([.][0-9]{1,37})?", re.ASCII)
# Of ASCII, as Python and DuckDB know different versions of Unicode.
_CASES: dict[type[exp.Expr], Callable[[str], str]] = {exp.Lower: str.lower, exp.Upper: str.upper}
_LONGEST = 1000  # characters of a joined text


def fold_constant(name: str, arguments: Sequence[exp.Expr], kind: exp.DType) -> exp.Expr:
    """Return the typed literal that a string and its format denote.

    For other arguments it returns the call, which the validator refuses since no allow-list contains it.

    >>> from sqlglot import parse_one
    >>> texts = [parse_one("'2024-01-31'"), parse_one("'YYYY-MM-DD'")]
    >>> fold_constant("to_date", texts, exp.DType.DATE).sql()
    "CAST('2024-01-31' AS DATE)"
    """
    call = exp.Anonymous(this=name, expressions=arguments)
    if len(arguments) != 2 or not all(isinstance(one, exp.Literal) and one.is_string for one in arguments):
        return call
    text, form = (str(one.this) for one in arguments)
    pattern = _FORMATS.get(form.upper())
    if pattern is None or re.fullmatch(pattern, text, re.ASCII) is None:
        return call
    return exp.cast(exp.Literal.string(text[:10] if kind is exp.DType.DATE else text), kind)


def folded_date(node: exp.DateFromParts) -> exp.Expr:
    """Return the DATE of make_date with three whole numbers; the call for other arguments.

    >>> from sqlglot import parse_one
    >>> folded_date(parse_one("make_date(2024, 2, 29)", read="duckdb")).sql()
    "CAST('2024-02-29' AS DATE)"
    """
    parts = [_number(node.args[name]) for name in ("year", "month", "day") if node.args.get(name)]
    if len(parts) != len(node.args) or any(part is None or part != int(part) for part in parts):
        return node
    try:
        day = date(*(int(part) for part in parts if part is not None))
    except (TypeError, ValueError, OverflowError):
        return node
    return exp.cast(exp.Literal.string(day.isoformat()), exp.DType.DATE)


def folded(node: exp.Expr) -> exp.Expr:
    """Return the literal that an expression of literals denotes; any other node as it is, without a cast.

    >>> from sqlglot import parse_one
    >>> [folded(parse_one(text)).sql() for text in ("1200 + 1", "2 * -1.50", "'%' || 'te' || '%'", "x + 1")]
    ['1201', '-3.00', "'%te%'", 'x + 1']
    >>> folded(parse_one("concat(lower('%@GMAIL'), upper('.com'))")).sql()
    "'%@gmail.COM'"
    """
    node = without_cast(node)
    if isinstance(node, exp.DateFromParts):
        return folded_date(node)
    text = _text(node) if isinstance(node, (exp.DPipe, exp.Concat, *_CASES)) else None
    if text is not None:
        return exp.Literal.string(text)
    number = _number(node) if isinstance(node, tuple(_ARITHMETIC)) else None
    if number is None:
        return node
    literal = exp.Literal.number(f"{abs(number):f}")
    return exp.Neg(this=literal) if number < 0 else literal


def _number(node: exp.Expr) -> Decimal | None:
    node = unwrap(node)
    if isinstance(node, exp.Literal) and not node.is_string:
        return Decimal(str(node.this)) if _PLAIN.fullmatch(str(node.this)) else None
    if isinstance(node, exp.Neg):
        inner = _number(node.this)
        return None if inner is None else -inner
    compute = _ARITHMETIC.get(type(node))
    if compute is None:
        return None
    left, right = _number(node.this), _number(node.args["expression"])
    try:
        return None if left is None or right is None else compute(left, right)
    except (Inexact, InvalidOperation):
        return None


def _text(node: exp.Expr) -> str | None:
    node = unwrap(node)
    if isinstance(node, exp.Literal) and node.is_string:
        return str(node.this)
    if type(node) in _CASES:
        text = _text(node.this)
        return _CASES[type(node)](text) if text is not None and text.isascii() else None
    if isinstance(node, exp.DPipe):
        parts = [_text(node.this), _text(node.args["expression"])]
    elif isinstance(node, exp.Concat):
        parts = [_text(part) for part in node.expressions]
    else:
        return None
    known = [part for part in parts if part is not None]
    return "".join(known) if len(known) == len(parts) and sum(map(len, known)) <= _LONGEST else None
