"""Public ranges of numeric expressions, by interval arithmetic over the domains of their columns.

Sums and means clamp values to this range, so any public range gives a valid sensitivity, even where rows
lie outside the declared domains.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction

from sqlglot import exp

from dpduck.catalog.model import RangeDomain, ValuesDomain, ticks
from dpduck.catalog.types import parse_number
from dpduck.query.parse.nodes import field_of, function_key, unwrap
from dpduck.query.private import datetime_domains
from dpduck.query.private.operands import constant_of
from dpduck.query.private.type_rules import NUMBERS
from dpduck.query.write.expression import Columns

_DAY = 86_400_000_000  # microseconds
_SHORTEST_MONTH = 28 * _DAY
_UNITS = {*datetime_domains.STEPS, "month", "quarter", "year"}  # of a year at most
_SECOND_YEAR = datetime(2, 1, 2)
_SECOND_DAY = datetime(1, 1, 2)
_MOMENTS = (exp.DType.DATE, exp.DType.TIMESTAMP)
_FLOATS = (exp.DType.DOUBLE, exp.DType.FLOAT)


@dataclass(frozen=True)
class Bounds:
    """A range [low, high] of numbers."""

    low: Fraction
    high: Fraction

    @classmethod
    def over(cls, *endpoints: Fraction) -> Bounds:
        return cls(min(endpoints), max(endpoints))


# An unknown endpoint is None: least(x, 100) is at most 100 for every x.
Endpoints = tuple[Fraction | None, Fraction | None]
_UNKNOWN: Endpoints = (None, None)


class Ranges:
    """Computes public ranges of expressions over some columns. `rules`: the range rule of each function."""

    def __init__(self, columns: Columns, rules: Mapping[type[exp.Expr] | str, RangeRule]) -> None:
        self.columns = columns
        self.rules = rules

    def of(self, node: exp.Expr) -> Bounds | None:
        """Return the public range of an expression, or None if an endpoint is unknown."""
        low, high = self.endpoints(node)
        return None if low is None or high is None else Bounds(low, high)

    def endpoints(self, node: exp.Expr) -> Endpoints:
        """Return the endpoints of the public range, of which one or both may be unknown."""
        node = field_of(node) or unwrap(node)
        constant = constant_number(node)
        if constant is not None:
            return constant, constant
        if isinstance(node, exp.Subquery):
            return self.columns.subquery(node).ends or _UNKNOWN
        rule = _of_column if isinstance(node, exp.Column) else self.rules.get(function_key(node))
        found = None if rule is None else rule(node, self)
        return (found.low, found.high) if isinstance(found, Bounds) else found or _UNKNOWN

    def of_operands(self, node: exp.Expr) -> tuple[Bounds, Bounds] | None:
        left, right = self.of(node.this), self.of(node.args["expression"])
        return None if left is None or right is None else (left, right)


RangeRule = Callable[[exp.Expr, Ranges], Bounds | Endpoints | None]


def constant_number(node: exp.Expr) -> Fraction | None:
    """Return the number of a numeric literal; None for any other node."""
    constant = constant_of(node)
    return None if constant is None or constant.type.kind not in NUMBERS else parse_number(constant.value)


def _of_column(node: exp.Expr, ranges: Ranges) -> Bounds | Endpoints | None:
    assert isinstance(node, exp.Column)
    value = ranges.columns.resolve(node)
    domain = value.domain
    if domain is None and value.origin is not None:
        origin, columns = value.origin
        return Ranges(columns, ranges.rules).endpoints(origin)
    if domain is None and value.ends is not None:
        return value.ends
    if isinstance(domain, RangeDomain):
        endpoints = [_number(domain.low), _number(domain.high)]
    else:
        endpoints = [_number(member) for member in domain] if isinstance(domain, ValuesDomain) else []
    known = [endpoint for endpoint in endpoints if endpoint is not None]
    return Bounds.over(*known) if known and len(known) == len(endpoints) else None


def _number(value: object) -> Fraction | None:
    if isinstance(value, float):
        return Fraction(repr(value))
    if isinstance(value, (int, Decimal)) and not isinstance(value, bool):
        return Fraction(value)
    return None


def of_sum(node: exp.Expr, ranges: Ranges) -> Bounds | None:
    pair = ranges.of_operands(node)
    return pair and Bounds(pair[0].low + pair[1].low, pair[0].high + pair[1].high)


def of_difference(node: exp.Expr, ranges: Ranges) -> Bounds | None:
    pair = ranges.of_operands(node)
    return pair and Bounds(pair[0].low - pair[1].high, pair[0].high - pair[1].low)


def of_product(node: exp.Expr, ranges: Ranges) -> Bounds | None:
    pair = ranges.of_operands(node)
    if pair is None:
        return None
    one, two = pair
    return Bounds.over(*(a * b for a in (one.low, one.high) for b in (two.low, two.high)))


def of_quotient(node: exp.Expr, ranges: Ranges) -> Bounds | None:
    """Return the range of a quotient; None if the divisor's range contains 0, near which it is unbounded."""
    pair = ranges.of_operands(node)
    if pair is None or pair[1].low <= 0 <= pair[1].high:
        return None
    one, two = pair
    return Bounds.over(*(a / b for a in (one.low, one.high) for b in (two.low, two.high)))


def of_whole_quotient(node: exp.Expr, ranges: Ranges) -> Bounds | None:
    """Return the range of x // y, which cuts a quotient towards zero or down."""
    found = of_quotient(node, ranges)
    return found and Bounds(Fraction(math.floor(found.low)), Fraction(math.ceil(found.high)))


def of_seconds(node: exp.Expr, ranges: Ranges) -> Bounds | None:
    """Return the range of epoch(x) or extract(epoch FROM x) of a column, in seconds since 1970."""
    part = node.this
    if isinstance(node, exp.Extract):
        if part.name.lower() not in ("epoch", "epochs"):
            return None
        part = node.args["expression"]
    part = unwrap(part)
    if not isinstance(part, exp.Column):
        return None
    endpoints = datetime_domains.extent_of(ranges.columns.resolve(part).domain)
    return endpoints and Bounds.over(*(ticks(endpoint) / 1_000_000 for endpoint in endpoints))


def of_days(node: exp.Expr, ranges: Ranges) -> Bounds | None:
    """Return the range of x - y: of numbers, or of dates in days."""
    return of_difference(node, ranges) or _between(node.this, node.args["expression"], _DAY, ranges)


def of_date_diff(node: exp.Expr, ranges: Ranges) -> Bounds | None:
    """Return the range of date_diff('unit', start, end), of which `this` is the end."""
    unit = str(node.args["unit"].name).lower().rstrip("s")
    length = datetime_domains.STEPS.get(unit) or datetime_domains.MONTHS.get(unit, 0) * _SHORTEST_MONTH
    return _between(node.this, node.args["expression"], length, ranges) if length else None


def _between(end: exp.Expr, start: exp.Expr, unit: int, ranges: Ranges) -> Bounds | None:
    """Return the range of the number of units of that many microseconds between two columns of dates."""
    after, before = (_extent(unwrap(side), ranges) for side in (end, start))
    if after is None or before is None:
        return None
    (first, last), (from_, upto) = after, before
    return Bounds(
        *(Fraction(_units(gap, unit)) for gap in (ticks(first) - ticks(upto), ticks(last) - ticks(from_)))
    )


def _extent(node: exp.Expr, ranges: Ranges) -> tuple[datetime, datetime] | None:
    """Return the first and last moment of a column or constant, or of one that is truncated or cast."""
    constant = constant_of(node)
    if constant is not None and isinstance(constant.value, date):
        return datetime_domains.extent_of(ValuesDomain((constant.value,)))
    if isinstance(node, exp.Column):
        return datetime_domains.extent_of(ranges.columns.resolve(node).domain)
    if isinstance(node, (exp.TimestampTrunc, exp.DateTrunc)) and node.args["unit"].name.lower() in _UNITS:
        inner = _extent(unwrap(node.this), ranges)
        return inner and (max(inner[0], _SECOND_YEAR) - timedelta(days=366), inner[1])
    if isinstance(node, exp.Cast) and node.args["to"].this in _MOMENTS:
        inner = _extent(unwrap(node.this), ranges)
        return inner and (
            max(inner[0], _SECOND_DAY) - timedelta(days=1),
            inner[1],
        )  # DATE cuts less than a day
    return None


def _units(gap: Fraction, unit: int) -> int:
    """Return the number of units that a gap touches, rounded away from zero."""
    return math.ceil(gap / unit) if gap > 0 else math.floor(gap / unit)


def of_negative(node: exp.Expr, ranges: Ranges) -> Bounds | None:
    inner = ranges.of(node.this)
    return inner and Bounds(-inner.high, -inner.low)


def of_absolute(node: exp.Expr, ranges: Ranges) -> Bounds | None:
    inner = ranges.of(node.this)
    if inner is None:
        return None
    low = Fraction(0) if inner.low <= 0 <= inner.high else min(abs(inner.low), abs(inner.high))
    return Bounds(low, max(abs(inner.low), abs(inner.high)))


def of_branches(node: exp.Expr, ranges: Ranges) -> Endpoints:
    """Return the range of CASE, IF or coalesce: the union over branches."""
    if isinstance(node, exp.Case):
        nodes = [branch.args["true"] for branch in node.args["ifs"]] + [node.args.get("default")]
    elif isinstance(node, exp.If):
        nodes = [node.args["true"], node.args.get("false")]
    else:
        nodes = [node.this, *node.expressions]
    found = [ranges.endpoints(branch) for branch in _non_null(nodes)]
    lows = [low for low, _ in found if low is not None]
    highs = [high for _, high in found if high is not None]
    low = min(lows) if 0 < len(lows) == len(found) else None
    high = max(highs) if 0 < len(highs) == len(found) else None
    return low, high


def of_rounding(node: exp.Expr, ranges: Ranges) -> Bounds | None:
    """Return the range of floor, ceil, trunc or round to a scale of 0 or more, widened to integers."""
    inner = ranges.of(node.this)
    places = node.args.get("decimals")
    count = Fraction(0) if places is None else constant_number(unwrap(places))
    if inner is None or count is None or count < 0:
        return None
    return Bounds(Fraction(math.floor(inner.low)), Fraction(math.ceil(inner.high)))


def of_cast(node: exp.Expr, ranges: Ranges) -> Bounds | None:
    """Return the range of a CAST to a number, which may round to an integer."""
    target = node.args["to"].this
    if target not in exp.DataType.NUMERIC_TYPES:
        return None
    if _is_boolean(node.this, ranges):
        return Bounds(Fraction(0), Fraction(1))
    return ranges.of(node.this) if target in _FLOATS else of_rounding(node, ranges)


def _is_boolean(node: exp.Expr, ranges: Ranges) -> bool:
    """Whether an expression is a BOOLEAN, which is 0 or 1 as a number."""
    node = unwrap(node)
    if isinstance(node, exp.Column):
        return ranges.columns.resolve(node).type.kind == "boolean"
    return isinstance(node, (exp.Predicate, exp.Connector, exp.Not, exp.Boolean))


def of_greatest(node: exp.Expr, ranges: Ranges) -> Endpoints:
    """Return the endpoints of greatest(...). It ignores NULL: only a constant surely raises the lower."""
    low, high, constants = _extreme_endpoints(node, ranges)
    return max((endpoint for endpoint in (low, *constants) if endpoint is not None), default=None), high


def of_least(node: exp.Expr, ranges: Ranges) -> Endpoints:
    """Return the endpoints of least(...), the mirror image of `of_greatest`."""
    low, high, constants = _extreme_endpoints(node, ranges)
    return low, min((endpoint for endpoint in (high, *constants) if endpoint is not None), default=None)


def _extreme_endpoints(
    node: exp.Expr, ranges: Ranges
) -> tuple[Fraction | None, Fraction | None, list[Fraction]]:
    """Return the least low and greatest high of all operands, None if one is unknown, and the constants."""
    parts = _non_null([node.this, *node.expressions])
    found = [ranges.endpoints(part) for part in parts]
    lows = [low for low, _ in found if low is not None]
    highs = [high for _, high in found if high is not None]
    low = min(lows) if 0 < len(lows) == len(parts) else None
    high = max(highs) if 0 < len(highs) == len(parts) else None
    return low, high, [constant for constant in map(constant_number, parts) if constant is not None]


def _non_null(nodes: list[exp.Expr | None]) -> list[exp.Expr]:
    """Return the nodes without None and NULL literals, which do not widen a range."""
    return [node for node in nodes if node is not None and not isinstance(unwrap(node), exp.Null)]
