"""Finds the public range of an aggregate's argument, to which sums and means clamp and quantiles are limited.

The call sets it (`contribution_bounds_per_row => (0, 100)`), or it follows from the domains of the columns.
Any public range is sound, since values outside are clamped to it.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import reduce

from sqlglot import exp

from dpduck.compiler.block.missing_range import example_ends, no_range
from dpduck.compiler.block.narrowed_ranges import both, limits_of, narrowed_ends, narrowed_range
from dpduck.compiler.block.narrowing import between, cut_grid, split
from dpduck.compiler.functions.expressions import bounds_of, endpoints_of
from dpduck.compiler.parse.nodes import is_literal, refusal, scalar
from dpduck.compiler.private.bounds import Bounds, ends_of_domain
from dpduck.kernel.catalog.model import Bound, RangeDomain, ValuesDomain, ticks
from dpduck.kernel.catalog.ranges import RANGE_KINDS, RangeError, coarse, make_range
from dpduck.kernel.catalog.types import (
    ConversionError,
    Scalar,
    SqlType,
    convert,
    decimal_from_ticks,
    parse_number,
)
from dpduck.kernel.errors import DpduckError
from dpduck.kernel.errors.advice import PER_GROUP, PER_ROW, Hint
from dpduck.kernel.plan.expression import Columns, Typed
from dpduck.kernel.scores import SCORE_LIMIT
from dpduck.kernel.tree.nodes import Call, Choice, Conversion, Expression, Grouped, Literal

_TICKS_LIMIT = 2**66  # of a unit's total: the totals of 2^60 units then fit the 127 bits of a sum
_DATETIMES = ("date", "timestamp")
_EXACT = ("integer", "decimal")
_NUMBERS = ("integer", "decimal", "float")
_LARGEST = 10**18  # of a bound that the query sets
LEAST_TICKS = 2**32  # the range of a float has at least so many ticks, where noise is in proportion to it
FINE_TICKS = 2**46  # and so many where noise is in proportion to a clamp that may be far below it,
FINEST_TICKS = 2**60  # or if it is that of a total, above which no clamp is
FLOAT_SCALE = 6  # decimal places of a float of which no range is known: totals of 7e13 still fit


class Tests:
    """The conditions that each row meets which an aggregate counts, and the ranges that they leave."""

    def __init__(self, *conditions: Expression) -> None:
        self.conditions = split(conditions)
        self.limits = limits_of(self.conditions)


@dataclass(frozen=True)
class Clamp:
    """Bounds set in the call. `total`: they clamp a unit's total within a group, else each value."""

    low: Scalar
    high: Scalar
    total: bool

    @classmethod
    def read(cls, low: exp.Expr, high: exp.Expr, *, total: bool) -> Clamp:
        """Read the bounds. Errors: UnsupportedSqlError unless both are constants."""
        for end in (low, high):
            if not is_literal(end):
                raise refusal(
                    "contribution bounds are constants",
                    "They are public, and hold for every row.",
                    Hint.of("Write sum(x, ", PER_GROUP if total else PER_ROW, ")."),
                    end,
                )
        return cls(scalar(low), scalar(high), total)


def number_range(
    argument: exp.Expr, value: Typed, clamp: Clamp | None, columns: Columns, tests: Tests
) -> Bounds | None:
    """Return the range of a number; None if it has none. Errors: UnsupportedSqlError if none is possible."""
    if clamp is not None:
        return _written_range(clamp, argument)
    return _public_range(argument, value, columns, tests)


def _public_range(argument: exp.Expr, value: Typed, columns: Columns, tests: Tests) -> Bounds | None:
    """Return the range that follows from domains and conditions, within that of the argument's type.

    Output: None if none follows.

    Errors: UnsupportedSqlError if the type holds no value of the range: then the argument is always NULL.
    """
    bounds = known_range(argument, value, columns, tests)
    if bounds is None or value.type.kind not in _NUMBERS:
        return bounds
    least, most = value.type.ends
    if bounds.high < least or most < bounds.low:
        raise refusal(
            f"no value of this expression is one of type {value.type.name}",
            "Its public range lies beyond what the type holds, so every row has NULL there.",
            "Convert it to a wider type.",
            argument,
        )
    return Bounds(max(bounds.low, least), min(bounds.high, most))


def known_range(argument: exp.Expr, value: Typed, columns: Columns, tests: Tests) -> Bounds | None:
    """Return the range that follows from domains and conditions, whatever the call sets; None without one."""
    bounds = bounds_of(argument, columns) if value.domain is None else _ends(value)
    return narrowed_range(argument, value, bounds, columns, tests.limits)


def least_value(argument: exp.Expr, value: Typed, columns: Columns, tests: Tests) -> Fraction | None:
    """Return what no value that counts is below, by its type, domains and conditions; None if unknown.

    It may be known where the range has no upper end.
    """
    ends = endpoints_of(argument, columns) if value.domain is None else ends_of_domain(value.domain)
    low, _ = both(ends, narrowed_ends(argument, value, columns, tests.limits))
    least = Fraction(value.type.ends[0]) if value.type.kind in ("integer", "decimal") else None
    return max((end for end in (low, least) if end is not None), default=None)


def is_within(inner: Bounds | None, outer: Bounds | None) -> bool:
    """Whether one range lies in another; False if either is unknown."""
    return inner is not None and outer is not None and outer.low <= inner.low and inner.high <= outer.high


def ends_of(grid: RangeDomain) -> Bounds | None:
    """Return the range of a grid of numbers; None for one of dates or timestamps."""
    low, high = _exact(grid.low), _exact(grid.high)
    return None if low is None or high is None else Bounds(low, high)


def _written_range(clamp: Clamp, node: exp.Expr) -> Bounds:
    low, high = (None if isinstance(end, str) else parse_number(end) for end in (clamp.low, clamp.high))
    if low is None or high is None or low > high or max(abs(low), abs(high)) > _LARGEST:
        raise _bad_bounds("they are two numbers, the lower one first, and not larger than 1e18", clamp, node)
    return Bounds(low, high)


def _bad_bounds(reason: str, clamp: Clamp, node: exp.Expr) -> DpduckError:
    return refusal(
        "these contribution bounds are not possible",
        f"{reason[:1].upper()}{reason[1:]}.",
        Hint.of("Write ", PER_GROUP if clamp.total else PER_ROW, "."),
        node,
    )


def grid_of(
    argument: exp.Expr, value: Typed, clamp: Clamp | None, columns: Columns, tests: Tests
) -> RangeDomain | None:
    """Return the grid of points among which a quantile is selected; None if the argument has no range.

    Errors: UnsupportedSqlError if none is possible.
    """
    if value.type.kind not in RANGE_KINDS:
        raise no_range(value, argument, columns)
    grid = (
        _declared_grid(argument, value, columns, tests)
        if clamp is None
        else _written_grid(clamp, value, argument)
    )
    if grid is None:
        return None
    grid = coarse(grid)
    largest = max(abs(ticks(grid.low)), abs(ticks(grid.high))) * 10**value.type.scale
    if max(largest, grid.size) >= SCORE_LIMIT:
        raise refusal(
            "the range is too wide for a quantile",
            "Its ends, in the last place of the type, must be below 2^62.",
            Hint.of("Declare a narrower PRIVACY DOMAIN, or write ", PER_ROW, "."),
            argument,
        )
    return grid


def _declared_grid(argument: exp.Expr, value: Typed, columns: Columns, tests: Tests) -> RangeDomain | None:
    if value.type.kind in _DATETIMES and value.domain is not None:
        domain = value.domain
        grid = domain if isinstance(domain, RangeDomain) else _grid_around(domain, value.type)
        return grid and cut_grid(grid, value.node, tests.conditions)
    if isinstance(value.domain, RangeDomain):
        return _points_in(value.domain, known_range(argument, value, columns, tests))
    bounds = _public_range(argument, value, columns, tests)
    if bounds is None:
        return None
    try:
        return make_range(value.type, *_inside(bounds, value.type))
    except RangeError:
        return None


def _points_in(grid: RangeDomain, bounds: Bounds | None) -> RangeDomain:
    """Return the points of a grid in a range: all of them where that is less than two."""
    left = grid if bounds is None else between(grid, bounds.low, bounds.high, exclusive=False)
    return left if isinstance(left, RangeDomain) else grid


def _grid_around(domain: ValuesDomain, sql_type: SqlType) -> RangeDomain | None:
    """Return the grid of all dates or timestamps from the first of a list to the last; None if it has one."""
    moments = [value for value in domain if isinstance(value, date)]
    try:
        return make_range(sql_type, min(moments), max(moments)) if moments else None
    except RangeError:
        return None


def _written_grid(clamp: Clamp, value: Typed, node: exp.Expr) -> RangeDomain:
    try:
        low, high = (_bound(end, value.type) for end in (clamp.low, clamp.high))
        return make_range(value.type, low, high)
    except (ConversionError, RangeError) as error:
        reason = str(error)
    raise _bad_bounds(reason, clamp, node)


def _bound(end: Scalar, sql_type: SqlType) -> Bound:
    bound = convert(end, sql_type)
    if isinstance(bound, (str, bool)):
        raise ConversionError(f"values of type {sql_type.name} have no range")
    return bound


def _inside(bounds: Bounds, sql_type: SqlType) -> tuple[Bound, Bound]:
    """Return the smallest and largest value of the type within the bounds."""
    if sql_type.kind == "float":
        return float(bounds.low), float(bounds.high)
    low, high = math.ceil(bounds.low * 10**sql_type.scale), math.floor(bounds.high * 10**sql_type.scale)
    if sql_type.kind == "decimal":
        return decimal_from_ticks(low, sql_type), decimal_from_ticks(high, sql_type)
    return low, high


def _ends(value: Typed) -> Bounds | None:
    domain = value.domain
    if isinstance(domain, RangeDomain):
        return ends_of(domain)
    members = tuple(domain or ())
    numbers = [member for member in members if isinstance(member, (int, Decimal, float))]
    if not numbers or len(numbers) < len(members):
        return None
    low, high = _exact(min(numbers)), _exact(max(numbers))
    return None if low is None or high is None else Bounds(low, high)


def _exact(value: object) -> Fraction | None:
    if isinstance(value, bool) or not isinstance(value, (int, Decimal, float)):
        return None
    return Fraction(repr(value)) if isinstance(value, float) else Fraction(value)


def example_grid(sql_type: SqlType) -> RangeDomain | None:
    """Return the grid that the error of a missing range suggests; None if the type does not hold its ends."""
    try:
        low, high = (_bound(end, sql_type) for end in example_ends(sql_type))
        return coarse(make_range(sql_type, low, high))
    except (ConversionError, RangeError):
        return None


# --- sums in fixed point -------------------------------------------------------------------------


def fixed_point(
    sql_type: SqlType,
    low: Fraction,
    high: Fraction,
    node: exp.Expr,
    wanted: int = LEAST_TICKS,
    least: int = 0,
    places: int | None = None,
) -> tuple[int, str]:
    """Return the decimal scale and the type in which a sum of totals within [low, high] is exact.

    Input: how many ticks the range of a float has at least, and how many decimal places; how many decimal
        places values have at most, if that is known (`places_of`): a ladder of clamps begins at their unit.
    Errors: UnsupportedSqlError if there is none.
    """
    scale = max(sql_type.scale, least)
    if places is not None:
        scale = max(places, *map(_places_of_end, (low, high)))
    elif sql_type.kind == "float":
        while scale < 18 and (high - low) * 10**scale < wanted:
            scale += 1
    if max(abs(low), abs(high)) * 10**scale >= _TICKS_LIMIT:
        raise refusal(
            "the range is too wide for a sum",
            "The sum of all rows might not fit its type.",
            "Declare a narrower PRIVACY DOMAIN.",
            node,
        )
    return scale, "HUGEINT" if scale == 0 else f"DECIMAL(38,{scale})"


def places_of(value: Expression) -> int | None:
    """Return how many decimal places a number has at most, whatever its type may hold; None if not known.

    A whole number that is cast to DECIMAL(18, 3) is whole.
    """
    kind = getattr(value, "type", None)
    own = kind.scale if isinstance(kind, SqlType) and kind.kind in _EXACT else None
    match value:
        case Grouped():
            return places_of(value.value)
        case Literal(value=None):
            return 0
        case Literal(value=str(text)) if own is not None:
            return len(text.partition(".")[2].rstrip("0"))
        case Conversion():
            found = places_of(value.value)
        case Choice():
            results = [result for _, result in value.branches]
            return _most(max, *results, *([] if value.otherwise is None else [value.otherwise]))
        case Call(name="+" | "-") if own is not None:
            found = _most(max, *value.arguments)
        case Call(name="*") if own is not None:
            found = _most(operator.add, *value.arguments)
        case _:
            found = own
    return own if found is None else found if own is None else min(found, own)


def _most(both: Callable[[int, int], int], *values: Expression) -> int | None:
    """Return the decimal places of what is computed from numbers; None if those of one are not known."""
    places = [places_of(value) for value in values]
    known = [one for one in places if one is not None]
    return reduce(both, known) if known and len(known) == len(places) else None


def _places_of_end(end: Fraction) -> int:
    """Return how many decimal places a bound has, as far as sums have them.

    >>> _places_of_end(Fraction(5, 4)), _places_of_end(Fraction(1, 3))
    (2, 18)
    """
    return next((places for places in range(18) if (end * 10**places).denominator == 1), 18)


def range_of_type(sql_type: SqlType) -> Bounds:
    """Return the range of a type of numbers, as far as sums of it are exact: of floats in `FLOAT_SCALE`."""
    least, most = sql_type.ends
    end = Fraction(_TICKS_LIMIT - 1, 10 ** (FLOAT_SCALE if sql_type.kind == "float" else sql_type.scale))
    return Bounds(max(Fraction(least), -end), min(Fraction(most), end))


def in_ticks(bound: Fraction, scale: int) -> Decimal:
    """Return the bound, rounded to that many decimal places."""
    return Decimal((int(bound < 0), tuple(map(int, str(abs(round(bound * 10**scale))))), -scale))
