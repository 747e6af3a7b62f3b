"""Values of rows and totals of units as clamped whole numbers, in SQL that can neither fail nor overflow."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from dpduck.kernel.catalog.types import SqlType, decimal_from_ticks, parse_type
from dpduck.kernel.plan.aggregates import (
    Axis,
    ClampedSum,
    Mean,
    Sum,
)
from dpduck.kernel.plan.expression import Typed
from dpduck.kernel.tree import build
from dpduck.kernel.tree.build import call, literal
from dpduck.kernel.tree.nodes import (
    BOOLEAN,
    ColumnRef,
    Comparison,
    Expression,
    Literal,
)

_BIGINT, _DOUBLE = map(parse_type, ("BIGINT", "DOUBLE"))
# Each value is clamped to this many times the bound of a unit's total, so that no total overflows.
_SPAN = 2**20


def is_number(value: Typed) -> list[Expression]:
    """Return the conditions that a value is a number: neither NULL nor NaN."""
    present: list[Expression] = [build.is_present(value.node)]
    if value.type.kind == "float":
        present.append(build.negated(call("isnan", BOOLEAN, value.node)))
    return present


def clamped_total(total: Expression, low: Expression, high: Expression) -> Expression:
    """Clamp a unit's total to its bounds.

    It uses functions, not comparisons: above a LEFT JOIN whose condition no row can meet, DuckDB 2.0.0
    infers that a sum is 0, and then drops `sum > high` as never true.
    """
    return call("least", total.type, call("greatest", total.type, total, low), high)


def fixed_point(value: Typed, request: Sum | ClampedSum) -> Expression:
    """Return the value in exact ticks, clamped to its own bounds, or else to a range that prevents overflow.

    Bounds are below 2^66 ticks (see `value_bounds`), so a value is below 2^86, and 2^41 of them fit the
    127 bits of a sum. An overflow would be an error that the rows of one unit could cause, and so reveal.

    Where a private clamp can only lower a sum, nothing here may raise it: values that are no whole number of
    ticks are rounded down. Nor may it be below 0, whatever policies say of values.
    """
    least, most = request.each or _span_of(request)
    only_lowers = isinstance(request, ClampedSum) and request.above_zero
    low, high = (
        _edge(bound, value.type) for bound in (max(least, Decimal(0)) if only_lowers else least, most)
    )
    x = value.node
    inside: Expression = build.choice(
        (Comparison("<", x, low), low), (Comparison(">", x, high), high), otherwise=x
    )
    if only_lowers and value.type.kind == "float":
        inside = _less_half_a_tick(inside, request.scale)
    return build.converted(inside, parse_type(request.ticks))


def _less_half_a_tick(x: Expression, scale: int) -> Expression:
    """Return a number of at least 0 less half a tick, so that it is rounded down, and not below 0.

    Half less a thousandth: a double that stands for a whole number of ticks may be a little below it.
    """
    half = literal(float(Fraction(499, 1000 * 10**scale)), _DOUBLE)
    return call(
        "greatest", _DOUBLE, call("-", _DOUBLE, build.converted(x, _DOUBLE), half), literal(0.0, _DOUBLE)
    )


def level_of(size: ColumnRef, request: ClampedSum) -> Expression:
    """Return the level of a total: the least whose clamp is at least its size, the last one at most."""
    clamps = (Literal(f"{request.clamp(level):f}", size.type) for level in range(request.steps))
    within = ((Comparison("<=", size, clamp), literal(level, _BIGINT)) for level, clamp in enumerate(clamps))
    last = literal(request.steps, _BIGINT)
    return build.choice(*within, otherwise=last) if request.steps else last


def _span_of(request: Sum | ClampedSum) -> tuple[Decimal, Decimal]:
    """Return the range of a value beyond which it is clamped, so that no total overflows."""
    if isinstance(request, ClampedSum):
        return -request.ceiling, request.ceiling
    tick = Decimal((0, (1,), -request.scale))
    span = _SPAN * max(abs(request.low), abs(request.high), tick)
    return -span, span


def _edge(bound: Decimal, sql_type: SqlType) -> Literal:
    """Return a bound as a constant of the type, clamped to the range of the type."""
    if sql_type.kind == "float":
        return literal(float(bound), sql_type)
    low, high = sql_type.ticks
    ticks = min(max(int(Fraction(bound) * 10**sql_type.scale), low), high)
    return literal(ticks if sql_type.kind == "integer" else decimal_from_ticks(ticks, sql_type), sql_type)


def position_of(value: Typed, request: Mean | Axis) -> Expression:
    """Return the position of the clamped value in the range, in ticks from 0 to `request.ticks`."""
    low, high = literal(float(request.low), _DOUBLE), literal(float(request.high), _DOUBLE)
    ticks = literal(float(request.ticks), _DOUBLE)
    x = build.converted(value.node, _DOUBLE)
    width = literal(float(request.high - request.low), _DOUBLE)
    share = call("/", _DOUBLE, call("-", _DOUBLE, x, low), width)
    half = literal(0.5, _DOUBLE)
    ticked = call("floor", _DOUBLE, call("+", _DOUBLE, call("*", _DOUBLE, share, ticks), half))
    return build.choice(
        (Comparison("<=", x, low), literal(0, _BIGINT)),
        (Comparison(">=", x, high), literal(request.ticks, _BIGINT)),
        otherwise=build.converted(ticked, _BIGINT),
    )
