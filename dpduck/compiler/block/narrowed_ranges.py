"""Narrows public ranges of numbers by the conditions that the rows of an aggregate meet.

A row that an aggregate counts meets every condition of WHERE, of inner joins and of its own FILTER. So where
one compares a value with a constant, no value that counts is beyond that, whether or not it is in a declared
domain: to clamp it to this range as well does not change it. Any public range is sound; a narrower one needs
less noise. A NaN, which is greater than every number, meets `x >= 0` as before and no upper end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from sqlglot import exp

from dpduck.compiler.functions.expressions import endpoints_of
from dpduck.compiler.private.bounds import Bounds, ends_of_domain
from dpduck.kernel.catalog.types import parse_number
from dpduck.kernel.plan.expression import Columns, Ends, Typed
from dpduck.kernel.tree.nodes import Comparison, Expression, Literal, Membership, RangeTest
from dpduck.kernel.tree.walk import every_part, ungrouped

MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "="}
_NUMBERS = ("integer", "decimal", "float")
_NONE: Ends = (None, None)
# The least width of a range, relative to its ends: means and moments compute in doubles.
_NARROWEST = Fraction(1, 2**40)

Limits = Mapping[Expression, Ends]


def limits_of(tests: Iterable[Expression]) -> Limits:
    """Return the ends between which conditions leave each number that they compare with constants."""
    found: dict[Expression, Ends] = {}
    for test in tests:
        for subject, ends in _limits(ungrouped(test)):
            found[subject] = both(found.get(subject, _NONE), ends)
    return found


def _limits(test: Expression) -> Iterable[tuple[Expression, Ends]]:
    match test:
        case RangeTest(value, Literal() as low, Literal() as high):
            yield from _limits(Comparison(">=", value, low))
            yield from _limits(Comparison("<=", value, high))
        case Comparison(symbol, Literal() as constant, value) if symbol in MIRRORED:
            yield from _limits(Comparison(MIRRORED[symbol], value, constant))
        case Comparison(symbol, value, Literal() as constant) if symbol in MIRRORED:
            number = _number(constant, value)
            if number is not None:
                yield value, _half(symbol, number, value)
        case Membership(value, members):
            numbers = [_number(one, value) if isinstance(one, Literal) else None for one in members]
            known = [number for number in numbers if number is not None]
            if known and len(known) == len(numbers):
                yield value, (min(known), max(known))


def _number(constant: Literal, value: Expression) -> Fraction | None:
    """Return a constant that a number is compared with, as both are in one type; None for any other."""
    if isinstance(value, Literal) or value.type.kind not in _NUMBERS or constant.type.kind not in _NUMBERS:
        return None
    return None if constant.value is None else parse_number(constant.value)


def _half(symbol: str, end: Fraction, value: Expression) -> Ends:
    beyond = 1 if value.type.kind == "integer" and symbol in ("<", ">") and end.denominator == 1 else 0
    low = end + beyond if symbol in (">", ">=", "=") else None
    high = end - beyond if symbol in ("<", "<=", "=") else None
    return low, high


def is_limited(node: Expression, limits: Limits) -> bool:
    """Whether conditions limit an expression, or a part of it."""
    return bool(limits) and any(part in limits for part in every_part(node))


def both(one: Ends, other: Ends) -> Ends:
    """Return the ends of the intersection of two ranges."""
    lows = [ends[0] for ends in (one, other) if ends[0] is not None]
    highs = [ends[1] for ends in (one, other) if ends[1] is not None]
    return max(lows, default=None), min(highs, default=None)


def within(bounds: Bounds | None, ends: Ends) -> Bounds | None:
    """Return a range within further ends: the same where these leave next to nothing, or nothing, of it."""
    low, high = both(_NONE if bounds is None else (bounds.low, bounds.high), ends)
    if low is None or high is None or high - low <= max(abs(low), abs(high)) * _NARROWEST:
        return bounds
    return Bounds(low, high)


@dataclass(frozen=True)
class NarrowedColumns:
    """The columns that a block can see, with the ranges that conditions leave."""

    columns: Columns
    limits: Limits

    def resolve(self, node: exp.Column) -> Typed:
        """Return the expression that a column name denotes, with its range in place of a wider domain."""
        value = self.columns.resolve(node)
        if value.type.kind not in _NUMBERS or not is_limited(value.node, self.limits):
            return value
        own = ends_of_domain(value.domain) if value.domain is not None else value.ends or _NONE
        narrow = both(own, self.limits.get(ungrouped(value.node), _NONE))
        if value.origin is not None:
            inner, columns = value.origin
            narrow = both(narrow, endpoints_of(inner, NarrowedColumns(columns, self.limits)))
        low, high = narrow
        if narrow == own or (low is not None and high is not None and low > high):
            return value
        return replace(value, domain=None, origin=None, ends=narrow)

    def subquery(self, node: exp.Expr) -> Typed:
        """Return the value of a subquery beside the columns."""
        return self.columns.subquery(node)


def narrowed_range(
    argument: exp.Expr, value: Typed, bounds: Bounds | None, columns: Columns, limits: Limits
) -> Bounds | None:
    """Return the range of an argument that conditions leave; None if it has none.

    Input: `value`: the argument; `bounds`: its range without these conditions.
    """
    return within(bounds, narrowed_ends(argument, value, columns, limits))


def narrowed_ends(argument: exp.Expr, value: Typed, columns: Columns, limits: Limits) -> Ends:
    """Return the ends between which conditions leave an argument, as far as they do."""
    if value.type.kind not in _NUMBERS or not is_limited(value.node, limits):
        return _NONE
    ends = endpoints_of(argument, NarrowedColumns(columns, limits))
    return both(ends, limits.get(ungrouped(value.node), _NONE))
