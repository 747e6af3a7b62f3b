"""DuckDB's type rules: the types of literals, the result types of operators, and common types.

Where versions differ (DECIMAL(18,3) + 1 is DECIMAL(18,3) in 1.5 and DECIMAL(19,3) in 2.0) the rule is that
of 2.0, on every version; a test compares each pair of types with DuckDB.
"""

from __future__ import annotations

from dpduck.kernel.catalog.types import INTEGER_RANGES, SqlType, parse_type
from dpduck.kernel.tree.nodes import BOOLEAN as BOOLEAN
from dpduck.kernel.tree.nodes import NULL as NULL
from dpduck.kernel.tree.nodes import VARCHAR as VARCHAR

DATE, TIMESTAMP, TIMESTAMPTZ = map(parse_type, ("DATE", "TIMESTAMP", "TIMESTAMP WITH TIME ZONE"))
INTEGER, BIGINT, HUGEINT, UHUGEINT = map(parse_type, ("INTEGER", "BIGINT", "HUGEINT", "UHUGEINT"))
FLOAT, DOUBLE = map(parse_type, ("FLOAT", "DOUBLE"))

NUMBERS = ("integer", "decimal", "float")
MAX_WIDTH = 38
_NARROW_WIDTH = 18  # the most digits of a DECIMAL that is stored in 64 bits
_SIGNED = {8: "TINYINT", 16: "SMALLINT", 32: "INTEGER", 64: "BIGINT", 128: "HUGEINT"}


def decimal(width: int, scale: int) -> SqlType:
    """Return DECIMAL(width, scale)."""
    return parse_type(f"DECIMAL({width},{scale})")


def is_signed(sql_type: SqlType) -> bool:
    """Whether an integer type is signed."""
    return INTEGER_RANGES[sql_type.name][0] < 0


def bits(sql_type: SqlType) -> int:
    """Return the size of an integer type in bits."""
    return INTEGER_RANGES[sql_type.name][1].bit_length() + is_signed(sql_type)


def literal_type(text: str) -> SqlType | None:
    """Return the type of a numeric literal, or None if it overflows every type.

    The sign comes after the type: -2147483648 is a BIGINT, though INTEGER holds it.

    >>> [literal_type(text).name for text in ("7", "-2147483648", "0.50", "1e3")]
    ['INTEGER', 'BIGINT', 'DECIMAL(3,2)', 'DOUBLE']
    """
    digits = text.lstrip("+-")
    if "e" in digits.lower():
        return DOUBLE
    if "." in digits:
        whole, _, fraction = digits.partition(".")
        width = len(whole) + len(fraction)
        return decimal(width, len(fraction)) if width <= MAX_WIDTH else DOUBLE
    if holds(INTEGER, int(digits)):
        return INTEGER
    return next((wider for wider in (BIGINT, HUGEINT) if holds(wider, int(text))), None)


def holds(sql_type: SqlType, number: int) -> bool:
    """Whether a number is in the range of an integer type."""
    low, high = INTEGER_RANGES[sql_type.name]
    return low <= number <= high


def as_decimal(sql_type: SqlType) -> SqlType:
    """Return the DECIMAL to which DuckDB converts an integer type; a DECIMAL as it is."""
    if sql_type.kind == "decimal":
        return sql_type
    return decimal(min(MAX_WIDTH, len(str(INTEGER_RANGES[sql_type.name][1]))), 0)


def operand_type(left: SqlType, right: SqlType) -> SqlType | None:
    """Return the type to which DuckDB converts the operands of arithmetic; None if there is none.

    For two DECIMALs it is the one that holds both, whose width may exceed `MAX_WIDTH`.
    """
    if left.kind not in NUMBERS or right.kind not in NUMBERS:
        return None
    if left.kind == right.kind == "integer":
        return _integers(left, right)
    if "float" in (left.kind, right.kind):
        return DOUBLE if "DOUBLE" in (left.name, right.name) else FLOAT
    return _holding_both(left, right)


def _integers(left: SqlType, right: SqlType) -> SqlType | None:
    """Return the wider type if it holds negative values where one is signed; else BIGINT or HUGEINT."""
    if is_signed(left) == is_signed(right):
        return max(left, right, key=bits)
    signed, unsigned = (left, right) if is_signed(left) else (right, left)
    if bits(signed) > bits(unsigned):
        return signed
    return None if unsigned == UHUGEINT else (HUGEINT if bits(unsigned) == 64 else BIGINT)


def _holding_both(left: SqlType, right: SqlType) -> SqlType:
    one, two = as_decimal(left), as_decimal(right)
    scale = max(one.scale, two.scale)
    return SqlType("", "decimal", max(one.width - one.scale, two.width - two.scale) + scale, scale)


def wider(sql_type: SqlType) -> SqlType:
    """Return the next wider signed integer type.

    >>> wider(parse_type("TINYINT")).name
    'SMALLINT'
    """
    return parse_type(_SIGNED[2 * bits(sql_type)])


def sum_type(left: SqlType, right: SqlType) -> SqlType:
    """Return the DECIMAL of left + right: one digit wider, up to `MAX_WIDTH`."""
    both = _holding_both(left, right)
    return decimal(min(MAX_WIDTH, both.width + 1), both.scale)


def product_type(left: SqlType, right: SqlType) -> SqlType | None:
    """Return the DECIMAL of left * right, or None if its scale exceeds `MAX_WIDTH`."""
    one, two = as_decimal(left), as_decimal(right)
    width, scale = one.width + two.width, one.scale + two.scale
    if scale > MAX_WIDTH:
        return None
    if width > _NARROW_WIDTH and max(one.width, two.width) <= _NARROW_WIDTH and scale < _NARROW_WIDTH:
        return decimal(_NARROW_WIDTH, scale)
    return decimal(min(MAX_WIDTH, width), scale)


def remainder_type(left: SqlType, right: SqlType) -> SqlType:
    """Return the type of left % right, of which at least one is a DECIMAL."""
    both = _holding_both(left, right)
    return decimal(both.width, both.scale) if both.width <= MAX_WIDTH else DOUBLE


def common_type(left: SqlType, right: SqlType) -> SqlType | None:
    """Return the type to which CASE, greatest and comparisons convert both; None if none is safe."""
    if left == right or right == NULL:
        return left
    if left == NULL:
        return right
    if left.kind in NUMBERS and right.kind in NUMBERS:
        return _common_number(left, right)
    if {left.kind, right.kind} <= {"date", "timestamp"}:
        return TIMESTAMPTZ if left.is_zoned or right.is_zoned else TIMESTAMP
    return None


def compares_exactly(left: SqlType, right: SqlType) -> bool:
    """Whether a comparison of two types is exact: conversion to the common type rounds neither.

    Else one value may equal many keys: near 2^60, 256 integers convert to one DOUBLE.

    >>> compares_exactly(decimal(9, 2), decimal(4, 1)), compares_exactly(DOUBLE, INTEGER)
    (True, False)
    """
    both = common_type(left, right)
    if both is None:
        return {left.kind, right.kind} <= {"enum", "text"}
    return all(_holds_exactly(both, one) for one in (left, right))


def _holds_exactly(target: SqlType, own: SqlType) -> bool:
    if target.kind == "float":
        return own.kind == "float"
    return target.kind != "decimal" or target.scale >= own.scale


def _common_number(left: SqlType, right: SqlType) -> SqlType | None:
    if left.kind == right.kind == "integer":
        return _common_integer(left, right)
    both = operand_type(left, right)
    if both is None or both.kind == "float":
        return both
    if both.width > MAX_WIDTH and left.kind == right.kind:
        return decimal(
            MAX_WIDTH, MAX_WIDTH - (both.width - both.scale)
        )  # the scale shrinks to make room for integer digits
    return decimal(min(MAX_WIDTH, both.width), both.scale)


def _common_integer(left: SqlType, right: SqlType) -> SqlType | None:
    """Return the narrowest integer type that holds both; None if there is none."""
    if is_signed(left) == is_signed(right):
        return max(left, right, key=bits)
    signed, unsigned = (left, right) if is_signed(left) else (right, left)
    name = _SIGNED.get(max(bits(signed), bits(unsigned) * 2))
    return None if name is None else parse_type(name)
