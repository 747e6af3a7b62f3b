"""The types of constants, and the types that operators and branches give, as DuckDB has them.

Where DuckDB's versions differ (DECIMAL(18,3) + 1 is DECIMAL(18,3) in 1.5 and DECIMAL(19,3) in 2.0) the rule
is that of 2.0, whatever runs; a test asks DuckDB for every pair.
"""

from __future__ import annotations

from dpduck.catalog.types import INTEGER_RANGES, SqlType, parse_type
from dpduck.query.tree.nodes import BOOLEAN as BOOLEAN
from dpduck.query.tree.nodes import NULL as NULL
from dpduck.query.tree.nodes import VARCHAR as VARCHAR

DATE, TIMESTAMP = map(parse_type, ("DATE", "TIMESTAMP"))
INTEGER, BIGINT, HUGEINT, UHUGEINT = map(parse_type, ("INTEGER", "BIGINT", "HUGEINT", "UHUGEINT"))
FLOAT, DOUBLE = map(parse_type, ("FLOAT", "DOUBLE"))

NUMBERS = ("integer", "decimal", "float")
MAX_WIDTH = 38
_NARROW_WIDTH = 18  # up to here a DECIMAL is a 64-bit number
_SIGNED = {8: "TINYINT", 16: "SMALLINT", 32: "INTEGER", 64: "BIGINT", 128: "HUGEINT"}


def decimal(width: int, scale: int) -> SqlType:
    """DECIMAL of that many digits in all and after the point."""
    return parse_type(f"DECIMAL({width},{scale})")


def is_signed(sql_type: SqlType) -> bool:
    """Whether an integer type has negative values."""
    return INTEGER_RANGES[sql_type.name][0] < 0


def bits(sql_type: SqlType) -> int:
    """The size of an integer type."""
    return INTEGER_RANGES[sql_type.name][1].bit_length() + is_signed(sql_type)


def literal_type(text: str) -> SqlType | None:
    """The type of a number as it is written, or None if it is beyond all types.

    >>> [literal_type(text).name for text in ("7", "-3000000000", "0.50", "1e3")]
    ['INTEGER', 'BIGINT', 'DECIMAL(3,2)', 'DOUBLE']
    """
    digits = text.lstrip("+-")
    if "e" in digits.lower():
        return DOUBLE
    if "." in digits:
        whole, _, fraction = digits.partition(".")
        width = len(whole) + len(fraction)
        return decimal(width, len(fraction)) if width <= MAX_WIDTH else DOUBLE
    holding = (sql_type for sql_type in (INTEGER, BIGINT, HUGEINT) if holds(sql_type, int(text)))
    return next(holding, None)


def holds(sql_type: SqlType, number: int) -> bool:
    """Whether an integer type has that value."""
    low, high = INTEGER_RANGES[sql_type.name]
    return low <= number <= high


def as_decimal(sql_type: SqlType) -> SqlType:
    """The DECIMAL that holds an integer type."""
    if sql_type.kind == "decimal":
        return sql_type
    return decimal(min(MAX_WIDTH, len(str(INTEGER_RANGES[sql_type.name][1]))), 0)


def operand_type(left: SqlType, right: SqlType) -> SqlType | None:
    """The type in which DuckDB computes left + right and its like; None if it has none.

    Of two DECIMALs it is the one that holds both, without a cap on its width.
    """
    if left.kind not in NUMBERS or right.kind not in NUMBERS:
        return None
    if left.kind == right.kind == "integer":
        return _integers(left, right)
    if "float" in (left.kind, right.kind):
        return DOUBLE if "DOUBLE" in (left.name, right.name) else FLOAT
    return _holding_both(left, right)


def _integers(left: SqlType, right: SqlType) -> SqlType | None:
    """A signed type must be the wider one; else the choice of DuckDB's operators is BIGINT or HUGEINT."""
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


def sum_type(left: SqlType, right: SqlType) -> SqlType:
    """The DECIMAL of left + right: one digit more, while there is room."""
    both = _holding_both(left, right)
    return decimal(min(MAX_WIDTH, both.width + 1), both.scale)


def product_type(left: SqlType, right: SqlType) -> SqlType | None:
    """The DECIMAL of left * right, or None if it has too many places for any."""
    one, two = as_decimal(left), as_decimal(right)
    width, scale = one.width + two.width, one.scale + two.scale
    if scale > MAX_WIDTH:
        return None
    if width > _NARROW_WIDTH and max(one.width, two.width) <= _NARROW_WIDTH and scale < _NARROW_WIDTH:
        return decimal(_NARROW_WIDTH, scale)
    return decimal(min(MAX_WIDTH, width), scale)


def remainder_type(left: SqlType, right: SqlType) -> SqlType:
    """The type of left % right with a DECIMAL among them."""
    both = _holding_both(left, right)
    return decimal(both.width, both.scale) if both.width <= MAX_WIDTH else DOUBLE


def common_type(left: SqlType, right: SqlType) -> SqlType | None:
    """The type of CASE, coalesce, greatest and comparisons over both; None if there is no safe one."""
    if left == right or right == NULL:
        return left
    if left == NULL:
        return right
    if left.kind in NUMBERS and right.kind in NUMBERS:
        return _common_number(left, right)
    if {left.kind, right.kind} == {"date", "timestamp"}:
        return TIMESTAMP
    return None


def compares_exactly(left: SqlType, right: SqlType) -> bool:
    """Whether two values that are compared as equal are the same: neither is rounded to a common type.

    Else a value equals many of a key: 256 whole numbers are one DOUBLE near 2^60.

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
        return decimal(MAX_WIDTH, MAX_WIDTH - (both.width - both.scale))  # places give way to digits
    return decimal(min(MAX_WIDTH, both.width), both.scale)


def _common_integer(left: SqlType, right: SqlType) -> SqlType | None:
    """The narrowest type that holds both."""
    if is_signed(left) == is_signed(right):
        return max(left, right, key=bits)
    signed, unsigned = (left, right) if is_signed(left) else (right, left)
    name = _SIGNED.get(max(bits(signed), bits(unsigned) * 2))
    return None if name is None else parse_type(name)
