"""Public ranges of numeric expressions, by interval arithmetic over the domains of their columns.

Sums and means clamp values to this range, so any public range gives a valid sensitivity, even where rows
lie outside the declared domains.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from sqlglot import exp

from dpduck.compiler.parse.nodes import field_of, function_key, unwrap
from dpduck.compiler.private.operands import ExpressionReader, constant_of
from dpduck.compiler.private.type_rules import NUMBERS
from dpduck.kernel.catalog.model import Domain, RangeDomain
from dpduck.kernel.catalog.types import parse_number
from dpduck.kernel.errors import UnsupportedSqlError
from dpduck.kernel.plan.expression import Columns, Typed

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
    """Computes public ranges of expressions over some columns.

    `rules`: the range rule of each function. `reader_of`: reads expressions over columns, for their domains.
    """

    def __init__(
        self,
        columns: Columns,
        rules: Mapping[type[exp.Expr] | str, RangeRule],
        reader_of: Callable[[Columns], ExpressionReader],
    ) -> None:
        self.columns = columns
        self.rules = rules
        self.reader_of = reader_of
        self._reader: ExpressionReader | None = None

    def over(self, columns: Columns) -> Ranges:
        """Return the ranges of expressions over other columns."""
        return Ranges(columns, self.rules, self.reader_of)

    def domain(self, node: exp.Expr) -> Domain | None:
        """Return the public domain of an expression; None if it is unknown, and for constants."""
        value = self._typed(node)
        return None if value is None else value.domain

    def _typed(self, node: exp.Expr) -> Typed | None:
        if self._reader is None:
            self._reader = self.reader_of(self.columns)
        try:
            value = self._reader.raw(node)
        except UnsupportedSqlError:
            return None  # no expression by itself, as an INTERVAL that is added
        return value if isinstance(value, Typed) else None

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
        if isinstance(node, exp.Column):
            return _of_column(node, self)
        rule = self.rules.get(function_key(node))
        found = None if rule is None else rule(node, self)
        low, high = (found.low, found.high) if isinstance(found, Bounds) else found or _UNKNOWN
        if low is not None and high is not None:
            return low, high
        least, most = ends_of_domain(self.domain(node))
        return (least if low is None else low), (most if high is None else high)

    def are_same(self, one: exp.Expr, other: exp.Expr) -> bool:
        """Whether two expressions are the same one, and so have the same value in each row."""
        pair = [self._typed(node) for node in (one, other)]
        return pair[0] is not None and pair[1] is not None and pair[0].node == pair[1].node

    def ends_of_operands(self, node: exp.Expr) -> tuple[Endpoints, Endpoints]:
        return self.endpoints(node.this), self.endpoints(node.args["expression"])

    def of_operands(self, node: exp.Expr) -> tuple[Bounds, Bounds] | None:
        left, right = self.of(node.this), self.of(node.args["expression"])
        return None if left is None or right is None else (left, right)


def _negated(end: Fraction | None) -> Fraction | None:
    return None if end is None else -end


def _added(one: Fraction | None, other: Fraction | None) -> Fraction | None:
    return None if one is None or other is None else one + other


def _product(one: Endpoints, other: Endpoints) -> Endpoints:
    """Return the endpoints of the products of numbers from two ranges, of which any may have no end."""
    (low, high), (least, most) = _closed(one), _closed(other)
    corners = [_times(x, y) for x in (low, high) for y in (least, most)]
    first, last = min(corners), max(corners)
    if None in (*one, *other) and not isinstance(first, float) and not isinstance(last, float):
        return _UNKNOWN  # of 0 and infinity, which is NaN
    return None if isinstance(first, float) else first, None if isinstance(last, float) else last


def _closed(ends: Endpoints) -> tuple[Fraction | float, Fraction | float]:
    low, high = ends
    return -math.inf if low is None else low, math.inf if high is None else high


def _times(one: Fraction | float, other: Fraction | float) -> Fraction | float:
    """Multiply two ends, of which only infinite ones are floats; of 0 and infinity it is 0."""
    if not one or not other:
        return Fraction(0)
    if isinstance(one, float) or isinstance(other, float):
        return math.inf if (one > 0) == (other > 0) else -math.inf
    return one * other


RangeRule = Callable[[exp.Expr, Ranges], Bounds | Endpoints | None]


def constant_number(node: exp.Expr) -> Fraction | None:
    """Return the number of a numeric literal; None for any other node."""
    constant = constant_of(node)
    return None if constant is None or constant.type.kind not in NUMBERS else parse_number(constant.value)


def _of_column(node: exp.Column, ranges: Ranges) -> Endpoints:
    value = ranges.columns.resolve(node)
    if value.domain is None and value.origin is not None:
        origin, columns = value.origin
        return ranges.over(columns).endpoints(origin)
    return value.ends or _UNKNOWN if value.domain is None else ends_of_domain(value.domain)


def ends_of_domain(domain: Domain | None) -> Endpoints:
    """Return the ends of a domain of numbers."""
    values = (domain.low, domain.high) if isinstance(domain, RangeDomain) else tuple(domain or ())
    numbers = [value for value in values if isinstance(value, (int, Decimal, float))]
    if not numbers or len(numbers) < len(values):
        return _UNKNOWN
    low, high = _number(min(numbers)), _number(max(numbers))
    return _UNKNOWN if low is None or high is None else (low, high)


def _number(value: object) -> Fraction | None:
    if isinstance(value, float):
        return Fraction(repr(value))
    if isinstance(value, (int, Decimal)) and not isinstance(value, bool):
        return Fraction(value)
    return None


def of_sum(node: exp.Expr, ranges: Ranges) -> Endpoints:
    (low, high), (least, most) = ranges.ends_of_operands(node)
    return _added(low, least), _added(high, most)


def of_difference(node: exp.Expr, ranges: Ranges) -> Endpoints:
    (low, high), (least, most) = ranges.ends_of_operands(node)
    return _added(low, _negated(most)), _added(high, _negated(least))


def of_product(node: exp.Expr, ranges: Ranges) -> Endpoints:
    """Return the endpoints of a product, of which those of a square are never below 0."""
    one, two = ranges.ends_of_operands(node)
    low, high = _product(one, two)
    is_square = (low is None or low < 0) and ranges.are_same(node.this, node.args["expression"])
    return (Fraction(0) if is_square else low), high


def of_power(node: exp.Expr, ranges: Ranges) -> Endpoints:
    """Return the endpoints of x ** y: no even power, and no power of a number above 0, is below 0.

    Nor is one of 0 with an exponent of at least 0; but (-0.0) ** -1 is -infinity, and -0.0 >= 0.
    """
    exponent = constant_number(unwrap(node.args["expression"]))
    low, _ = ranges.endpoints(node.this)
    is_even = exponent is not None and exponent % 2 == 0
    is_rising = exponent is not None and exponent >= 0
    is_positive = low is not None and (low > 0 or (low == 0 and is_rising))
    return (Fraction(0) if is_even or is_positive else None), None


def of_root(node: exp.Expr, ranges: Ranges) -> Endpoints:  # noqa: ARG001 (of all numbers alike)
    """Return the endpoints of sqrt(x) and exp(x), which are never below 0."""
    return Fraction(0), None


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


def of_negative(node: exp.Expr, ranges: Ranges) -> Endpoints:
    low, high = ranges.endpoints(node.this)
    return _negated(high), _negated(low)


def of_absolute(node: exp.Expr, ranges: Ranges) -> Endpoints:
    low, high = ranges.endpoints(node.this)
    beyond = [end for end in (low, _negated(high)) if end is not None and end > 0]  # of 0, on one side
    return max([Fraction(0), *beyond]), None if low is None or high is None else max(-low, high)


def of_branches(node: exp.Expr, ranges: Ranges) -> Endpoints:
    """Return the range of CASE, IF or coalesce: the union over branches."""
    found = [ranges.endpoints(branch) for branch in branches_of(node)]
    lows = [low for low, _ in found if low is not None]
    highs = [high for _, high in found if high is not None]
    low = min(lows) if 0 < len(lows) == len(found) else None
    high = max(highs) if 0 < len(highs) == len(found) else None
    return low, high


def branches_of(node: exp.Expr) -> list[exp.Expr]:
    """Return the operands one of which CASE, IF, coalesce, greatest or least gives, other than NULL."""
    if isinstance(node, exp.Case):
        return _non_null([branch.args["true"] for branch in node.args["ifs"]] + [node.args.get("default")])
    if isinstance(node, exp.If):
        return _non_null([node.args["true"], node.args.get("false")])
    return _non_null([node.this, *node.expressions])


def of_first(node: exp.Expr, ranges: Ranges) -> Endpoints:
    """Return the range of nullif(x, y): that of x."""
    return ranges.endpoints(node.this)


def of_length(node: exp.Expr, ranges: Ranges) -> Endpoints:  # noqa: ARG001 (of texts and lists alike)
    """Return the endpoints of a number of elements or characters: no length is below 0."""
    return Fraction(0), None


def of_rounding(node: exp.Expr, ranges: Ranges) -> Endpoints:
    """Return the range of floor, ceil, trunc or round to a scale of 0 or more, widened to integers."""
    places = node.args.get("decimals")
    count = Fraction(0) if places is None else constant_number(unwrap(places))
    return _UNKNOWN if count is None or count < 0 else _widened(ranges.endpoints(node.this), 0)


def _widened(ends: Endpoints, scale: int) -> Endpoints:
    """Return a range widened to numbers of so many decimal places, to which values are rounded."""
    (low, high), unit = ends, 10**scale
    return (
        None if low is None else Fraction(math.floor(low * unit), unit),
        None if high is None else Fraction(math.ceil(high * unit), unit),
    )


def of_cast(node: exp.Expr, ranges: Ranges) -> Endpoints:
    """Return the range of a CAST to a number, which may round to its last place. A text may say a number."""
    kind = node.args["to"]
    if kind.this not in exp.DataType.NUMERIC_TYPES:
        return _UNKNOWN
    if _is_boolean(node.this, ranges):
        return Fraction(0), Fraction(1)
    number = _number_said(unwrap(node.this))
    ends = ranges.endpoints(node.this) if number is None else (number, number)
    return ends if kind.this in _FLOATS else _widened(ends, _scale_of(kind))


def _number_said(node: exp.Expr) -> Fraction | None:
    """Return the number that a literal says, also in quotes; None for any other node."""
    constant = constant_of(node)
    return None if constant is None else parse_number(constant.value)


def _scale_of(kind: exp.DataType) -> int:
    """Return the decimal places of a type of exact numbers; 0 if it is not understood."""
    numbers = [str(parameter.this) for parameter in kind.expressions]
    return int(numbers[1]) if len(numbers) == 2 and numbers[1].isdigit() else 0


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
    parts = branches_of(node)
    found = [ranges.endpoints(part) for part in parts]
    lows = [low for low, _ in found if low is not None]
    highs = [high for _, high in found if high is not None]
    low = min(lows) if 0 < len(lows) == len(parts) else None
    high = max(highs) if 0 < len(highs) == len(parts) else None
    return low, high, [constant for constant in map(constant_number, parts) if constant is not None]


def _non_null(nodes: list[exp.Expr | None]) -> list[exp.Expr]:
    """Return the nodes without None and NULL literals, which do not widen a range."""
    return [node for node in nodes if node is not None and not isinstance(unwrap(node), exp.Null)]
