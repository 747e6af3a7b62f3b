"""The public range of a numeric expression, by interval arithmetic over the domains of its columns.

Sums and means clamp to this range, so any public range is sound: rows outside the declared domains are
cut, never believed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from sqlglot import exp

from dpduck.catalog.model import RangeDomain, ValuesDomain, ticks
from dpduck.catalog.types import parse_number
from dpduck.query.parse.nodes import unwrap
from dpduck.query.private import datetime_domains
from dpduck.query.private.operands import constant_of
from dpduck.query.private.type_rules import NUMBERS
from dpduck.query.write.expression import Columns


@dataclass(frozen=True)
class Bounds:
    """All values lie in [low, high]."""

    low: Fraction
    high: Fraction

    @classmethod
    def over(cls, *ends: Fraction) -> Bounds:
        return cls(min(ends), max(ends))


def bounds_of(node: exp.Expr, columns: Columns) -> Bounds | None:
    """The range of the expression, or None if it has no public one."""
    low, high = _range(node, columns)
    return None if low is None or high is None else Bounds(low, high)


# An end that is not known is None: least(x, 100) is at most 100, whatever x is.
_Range = tuple[Fraction | None, Fraction | None]
_NOTHING: _Range = (None, None)


def _range(node: exp.Expr, columns: Columns) -> _Range:
    node = unwrap(node)
    if isinstance(node, (exp.Greatest, exp.Least)):
        return _extreme(node, columns)
    constant = _constant(node)
    if constant is not None:
        return constant, constant
    rule = _RULES.get(type(node))
    bounds = None if rule is None else rule(node, columns)
    return _NOTHING if bounds is None else (bounds.low, bounds.high)


def _constant(node: exp.Expr) -> Fraction | None:
    """The number that a node writes."""
    constant = constant_of(node)
    return None if constant is None or constant.type.kind not in NUMBERS else parse_number(constant.value)


def _extreme(node: exp.Greatest | exp.Least, columns: Columns) -> _Range:
    """The value is one of the parts, and NULLs are passed over: only a constant is sure to take part."""
    parts = _values([node.this, *node.expressions])
    ranges = [_range(part, columns) for part in parts]
    lows = [low for low, _ in ranges if low is not None]
    highs = [high for _, high in ranges if high is not None]
    low = min(lows) if 0 < len(lows) == len(parts) else None
    high = max(highs) if 0 < len(highs) == len(parts) else None
    constants = [constant for constant in map(_constant, parts) if constant is not None]
    if isinstance(node, exp.Greatest):
        return max((end for end in (low, *constants) if end is not None), default=None), high
    return low, min((end for end in (high, *constants) if end is not None), default=None)


def _values(nodes: list[exp.Expr | None]) -> list[exp.Expr]:
    """The parts that have a value: NULL adds nothing."""
    return [node for node in nodes if node is not None and not isinstance(unwrap(node), exp.Null)]


def _column(node: exp.Expr, columns: Columns) -> Bounds | None:
    assert isinstance(node, exp.Column)
    value = columns.resolve(node)
    domain = value.domain
    if domain is None and value.origin is not None:
        return bounds_of(*value.origin)
    if isinstance(domain, RangeDomain):
        ends = [_number(domain.low), _number(domain.high)]
    else:
        ends = [_number(member) for member in domain] if isinstance(domain, ValuesDomain) else []
    known = [end for end in ends if end is not None]
    return Bounds.over(*known) if known and len(known) == len(ends) else None


def _number(value: object) -> Fraction | None:
    if isinstance(value, float):
        return Fraction(repr(value))
    if isinstance(value, (int, Decimal)) and not isinstance(value, bool):
        return Fraction(value)
    return None


def _operands(node: exp.Expr, columns: Columns) -> tuple[Bounds, Bounds] | None:
    left, right = bounds_of(node.this, columns), bounds_of(node.args["expression"], columns)
    return None if left is None or right is None else (left, right)


def _sum(node: exp.Expr, columns: Columns) -> Bounds | None:
    pair = _operands(node, columns)
    return pair and Bounds(pair[0].low + pair[1].low, pair[0].high + pair[1].high)


def _difference(node: exp.Expr, columns: Columns) -> Bounds | None:
    pair = _operands(node, columns)
    return pair and Bounds(pair[0].low - pair[1].high, pair[0].high - pair[1].low)


def _product(node: exp.Expr, columns: Columns) -> Bounds | None:
    pair = _operands(node, columns)
    if pair is None:
        return None
    one, two = pair
    return Bounds.over(*(a * b for a in (one.low, one.high) for b in (two.low, two.high)))


def _quotient(node: exp.Expr, columns: Columns) -> Bounds | None:
    """Only by a number that is not 0: anything else has no bound near 0."""
    pair = _operands(node, columns)
    if pair is None or pair[1].low <= 0 <= pair[1].high:
        return None
    one, two = pair
    return Bounds.over(*(a / b for a in (one.low, one.high) for b in (two.low, two.high)))


def _seconds(node: exp.Expr, columns: Columns) -> Bounds | None:
    """epoch(x), extract(epoch FROM x) of a column: the seconds from 1970 to the ends of its domain."""
    part = node.this
    if isinstance(node, exp.Extract):
        if part.name.lower() not in ("epoch", "epochs"):
            return None
        part = node.args["expression"]
    part = unwrap(part)
    if not isinstance(part, exp.Column):
        return None
    ends = datetime_domains.ends_of(columns.resolve(part).domain)
    return ends and Bounds.over(*(ticks(end) / 1_000_000 for end in ends))


def _negative(node: exp.Expr, columns: Columns) -> Bounds | None:
    inner = bounds_of(node.this, columns)
    return inner and Bounds(-inner.high, -inner.low)


def _absolute(node: exp.Expr, columns: Columns) -> Bounds | None:
    inner = bounds_of(node.this, columns)
    if inner is None:
        return None
    low = Fraction(0) if inner.low <= 0 <= inner.high else min(abs(inner.low), abs(inner.high))
    return Bounds(low, max(abs(inner.low), abs(inner.high)))


def _branches(node: exp.Expr, columns: Columns) -> Bounds | None:
    """CASE, coalesce: any of the branches."""
    if isinstance(node, exp.Case):
        nodes = [branch.args["true"] for branch in node.args["ifs"]] + [node.args.get("default")]
    elif isinstance(node, exp.If):
        nodes = [node.args["true"], node.args.get("false")]
    else:
        nodes = [node.this, *node.expressions]
    found = [bounds_of(branch, columns) for branch in _values(nodes)]
    known = [bounds for bounds in found if bounds is not None]
    if not known or len(known) != len(found):
        return None
    return Bounds(min(b.low for b in known), max(b.high for b in known))


def _rounded(node: exp.Expr, columns: Columns) -> Bounds | None:
    """floor, ceil, trunc and round to places after the point: between the whole numbers around the range."""
    inner = bounds_of(node.this, columns)
    places = node.args.get("decimals")
    count = Fraction(0) if places is None else _constant(unwrap(places))
    if inner is None or count is None or count < 0:
        return None
    return Bounds(Fraction(math.floor(inner.low)), Fraction(math.ceil(inner.high)))


def _converted(node: exp.Expr, columns: Columns) -> Bounds | None:
    """CAST to a number, which may round to a whole one."""
    target = node.args["to"].this
    if target not in exp.DataType.NUMERIC_TYPES:
        return None
    return bounds_of(node.this, columns) if target in _FLOATS else _rounded(node, columns)


_FLOATS = (exp.DType.DOUBLE, exp.DType.FLOAT)
_RULES: dict[type[exp.Expr], Callable[[exp.Expr, Columns], Bounds | None]] = {
    exp.Column: _column,
    exp.Add: _sum,
    exp.Sub: _difference,
    exp.Mul: _product,
    exp.Div: _quotient,
    **dict.fromkeys((exp.Extract, exp.TimeToUnix), _seconds),
    exp.Neg: _negative,
    exp.Abs: _absolute,
    **dict.fromkeys((exp.Floor, exp.Ceil, exp.Trunc, exp.Round), _rounded),
    **dict.fromkeys((exp.Cast, exp.TryCast), _converted),
    exp.Case: _branches,
    exp.If: _branches,
    exp.Coalesce: _branches,
}
