"""Propagates domains through operators and functions of numbers; see `domains`."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction

from dpduck.compiler.private.domains import listed, mapped, members
from dpduck.compiler.private.operands import Constant, Operand
from dpduck.kernel.catalog.model import Domain, RangeDomain, ValuesDomain
from dpduck.kernel.catalog.types import SqlType
from dpduck.kernel.plan.expression import Typed

SIGNS = ValuesDomain((-1, 0, 1))
MAX_WHOLE = 10_000  # values of a list computed from a range: enough for the hours of a year
_EXACT_DOUBLES = 2**53


def integers(low: int, high: int, step: int, sql_type: SqlType) -> Domain | None:
    """Return the grid from low to high, cut to the range of the type; None if it is empty."""
    floor, ceiling = sql_type.ticks
    if low < floor:
        low += -(-(floor - low) // step) * step
    if high > ceiling:
        high -= -(-(high - ceiling) // step) * step
    if low >= high:
        return ValuesDomain((low,)) if low == high else None
    return RangeDomain(low, low + (high - low) // step * step, step)


def within(values: Domain | None, sql_type: SqlType) -> Domain | None:
    """Return a list of integers without those that overflow the type."""
    floor, ceiling = sql_type.ticks
    return mapped(values, lambda value: value if floor <= int(value) <= ceiling else None)  # type: ignore[arg-type]


def whole(grid: RangeDomain) -> tuple[int, int, int]:
    """Return low, high and step of a grid of integers."""
    return int(grid.low), int(grid.high), int(grid.step)  # type: ignore[arg-type]


def of_integer_operator(symbol: str, left: Operand, right: Operand, result: SqlType) -> Domain | None:
    """Return the domain of x op c, c + x, c * x and c - x, for a column x and a constant c; else None."""
    if isinstance(left, Typed) and isinstance(right, Constant) and isinstance(right.value, int):
        return _of_integers(left.domain, symbol, right.value, result)
    if isinstance(right, Typed) and isinstance(left, Constant) and isinstance(left.value, int):
        if symbol in ("+", "*"):
            return _of_integers(right.domain, symbol, left.value, result)
        if symbol == "-":
            return _of_integers(_of_integers(right.domain, "*", -1, None), "+", left.value, result)
    return None


def _of_integers(domain: Domain | None, symbol: str, number: int, result: SqlType | None) -> Domain | None:
    if number == 0 and symbol in ("//", "%"):
        return None
    if isinstance(domain, RangeDomain) and isinstance(domain.low, int):
        low, high, step = _RANGE_RULES[symbol](*whole(domain), number)
        if result is None:
            return RangeDomain(low, high, step)
        return integers(low, high, step, result)
    if not isinstance(domain, ValuesDomain) or not all(type(value) is int for value in domain):
        return None
    rule = _INTEGER_RULES[symbol]
    image = mapped(domain, lambda value: rule(int(value), number))  # type: ignore[arg-type]
    return image if result is None else within(image, result)


def quotient(dividend: int, divisor: int) -> int:
    """Compute dividend // divisor as DuckDB does, truncated towards zero."""
    count = abs(dividend) // abs(divisor)
    return count if (dividend < 0) == (divisor < 0) else -count


def _remainder(dividend: int, divisor: int) -> int:
    return dividend - divisor * quotient(dividend, divisor)


_INTEGER_RULES: dict[str, Callable[[int, int], int]] = {
    "+": lambda value, number: value + number,
    "-": lambda value, number: value - number,
    "*": lambda value, number: value * number,
    "//": quotient,
    "%": _remainder,
}


def _scaled_range(low: int, high: int, step: int, number: int) -> tuple[int, int, int]:
    endpoints = sorted((low * number, high * number))
    return endpoints[0], endpoints[1], max(1, step * abs(number))


def _divided_range(low: int, high: int, step: int, number: int) -> tuple[int, int, int]:
    endpoints = sorted((quotient(low, number), quotient(high, number)))
    exact = step % number == 0 and low % number == 0
    return endpoints[0], endpoints[1], step // abs(number) if exact else 1


def _remainder_range(low: int, high: int, step: int, number: int) -> tuple[int, int, int]:
    most = abs(number) - 1
    if -most <= low and high <= most:
        return low, high, step
    return max(-most, min(low, 0)), min(most, max(high, 0)), 1


_RANGE_RULES: dict[str, Callable[[int, int, int, int], tuple[int, int, int]]] = {
    "+": lambda low, high, step, number: (low + number, high + number, step),
    "-": lambda low, high, step, number: (low - number, high - number, step),
    "*": _scaled_range,
    "//": _divided_range,
    "%": _remainder_range,
}


def of_absolute(value: Typed) -> Domain | None:
    """Return the domain of abs(x) of an integer."""
    domain = value.domain
    if value.type.kind != "integer":
        return None
    if isinstance(domain, RangeDomain) and domain.step == 1:
        low, high, _ = whole(domain)
        least = 0 if low <= 0 <= high else min(abs(low), abs(high))
        return integers(least, max(abs(low), abs(high)), 1, value.type)
    return within(mapped(domain, lambda number: abs(int(number))), value.type)  # type: ignore[arg-type]


def as_doubles(domain: Domain | None) -> Domain | None:
    """Return a domain of integers as doubles."""
    values = members(domain)
    if values is None or not all(type(value) is int for value in values):
        return None
    return listed(float(value) for value in values)  # type: ignore[arg-type]


def of_float_operator(symbol: str, left: Operand, right: Operand) -> Domain | None:
    """Return the domain of x op c in doubles, for an integer or double x and a constant c; else None."""
    rule = _FLOAT_RULES.get(symbol)
    if rule is None or not isinstance(left, Typed) or not isinstance(right, Constant):
        return None
    domain = as_doubles(left.domain) if left.type.kind == "integer" else left.domain
    number = _double(right)
    if number is None or (symbol == "/" and number == 0) or left.type.name == "FLOAT":
        return None
    return _finite(mapped(domain, lambda value: rule(value, number) if isinstance(value, float) else None))


def _double(constant: Constant) -> float | None:
    value = constant.value
    return float(value) if isinstance(value, (int, Decimal)) and not isinstance(value, bool) else None


_FLOAT_RULES: dict[str, Callable[[float, float], float]] = {
    "+": lambda value, number: value + number,
    "-": lambda value, number: value - number,
    "*": lambda value, number: value * number,
    "/": lambda value, number: value / number,
}


def of_rounding(name: str, value: Typed) -> Domain | None:
    """Return the domain of floor(x), ceil(x), round(x) or trunc(x) of doubles."""
    if value.type.name != "DOUBLE":
        return None
    rule = _ROUNDING[name]
    return _finite(mapped(value.domain, lambda x: float(rule(x)) if isinstance(x, float) else None))


def whole_doubles(name: str, low: Fraction, high: Fraction) -> Domain | None:
    """Return the domain of floor(x) or ceil(x) for low <= x <= high; None for over `MAX_WHOLE` values."""
    rule = math.floor if name == "floor" else math.ceil
    first, last = rule(low), rule(high)
    if last - first >= MAX_WHOLE or max(abs(first), abs(last)) >= _EXACT_DOUBLES:
        return None
    return listed(float(number) for number in range(first, last + 1))


def _half_away(value: float) -> float:
    below = math.floor(abs(value))
    return math.copysign(below + (abs(value) - below >= 0.5), value)


_ROUNDING: dict[str, Callable[[float], float]] = {
    "floor": math.floor,
    "ceil": math.ceil,
    "trunc": math.trunc,
    "round": _half_away,
}


def _finite(domain: Domain | None) -> Domain | None:
    return mapped(domain, lambda value: value if math.isfinite(value) else None)  # type: ignore[arg-type]


def of_extreme(name: str, parts: Sequence[Operand], result: SqlType) -> Domain | None:
    """Return the domain of greatest(x, c) or least(x, c) of integers. It contains c, as x may be NULL."""
    values = [part for part in parts if isinstance(part, Typed)]
    limits = [part.value for part in parts if isinstance(part, Constant) and part.value is not None]
    if len(values) != 1 or values[0].type.kind != "integer" or result.kind != "integer":
        return None
    if not limits or not all(type(limit) is int for limit in limits):
        return None
    pick = max if name == "greatest" else min
    limit = pick(int(limit) for limit in limits)  # type: ignore[arg-type]
    domain = values[0].domain
    if isinstance(domain, RangeDomain):
        low, high, step = whole(domain)
        if (limit - low) % step == 0:
            far = pick(low, high, limit)
            return integers(min(limit, far), max(limit, far), step, result)
    numbers = members(domain)
    return None if numbers is None else listed([limit, *(pick(int(value), limit) for value in numbers)])  # type: ignore[arg-type]
