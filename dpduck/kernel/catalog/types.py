"""The DuckDB column types that dpduck reads values of, and exact conversion of literals.

A literal is converted in Python, never by the engine: a cast in DuckDB may round (1.7 to 2) or raise
an error that quotes the value, and the meaning of a query must be fixed before any private row is read.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

Scalar = int | Decimal | str | bool | date | datetime | None
Value = int | Decimal | float | str | bool | date | datetime

_SIGNED = {"TINYINT": 8, "SMALLINT": 16, "INTEGER": 32, "BIGINT": 64, "HUGEINT": 128}
INTEGER_RANGES: dict[str, tuple[int, int]] = {
    **{name: (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for name, bits in _SIGNED.items()},
    **{"U" + name: (0, 2**bits - 1) for name, bits in _SIGNED.items()},
}
_KINDS = {
    **dict.fromkeys(INTEGER_RANGES, "integer"),
    "FLOAT": "float",
    "DOUBLE": "float",
    "VARCHAR": "text",
    "BOOLEAN": "boolean",
    "DATE": "date",
    "TIMESTAMP": "timestamp",
    "TIMESTAMP WITH TIME ZONE": "timestamp",
}
_LARGEST_FLOATS = {"FLOAT": Fraction(2**128 - 2**104), "DOUBLE": Fraction(2**1024 - 2**971)}
_DECIMAL_TYPE = re.compile(r"DECIMAL\(([0-9]{1,2}),([0-9]{1,2})\)", re.ASCII)
_ENUM_TYPE = re.compile(r"ENUM\('((?:[^']|'')*)'(?:, '(?:[^']|'')*')*\)", re.ASCII)
_ENUM_MEMBER = re.compile(r"'((?:[^']|'')*)'")

# ASCII digits only: Python's own parsers also take '1_0' and digits of other scripts.
_NUMBER = re.compile(r"[+-]?([0-9]{1,60}(\.[0-9]{0,60})?|\.[0-9]{1,60})([eE][+-]?[0-9]{1,3})?", re.ASCII)
_DATE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})", re.ASCII)
_TIMESTAMP = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"([ T]([0-9]{2}):([0-9]{2})(:([0-9]{2})(\.([0-9]{1,6}))?)?(?:Z|([+-])([0-9]{2})(?::?([0-9]{2}))?)?)?",
    re.ASCII,
)


class ConversionError(ValueError):
    """A literal is not a value of the type; the text says what such values look like."""


@dataclass(frozen=True)
class SqlType:
    """A DuckDB type. `kind` is one of integer, decimal, float, text, boolean, date, timestamp, enum
    or other; dpduck converts no literals to an `other` type. `scale`: the decimal places of a decimal.
    Values with a time zone are timestamps, too: here they are their times in UTC.
    """

    name: str
    kind: str
    width: int = 0
    scale: int = 0
    members: tuple[str, ...] = ()

    @property
    def is_zoned(self) -> bool:
        """Whether this is TIMESTAMP WITH TIME ZONE."""
        return self.kind == "timestamp" and self.name != "TIMESTAMP"

    @property
    def ticks(self) -> tuple[int, int]:
        """The range of an integer or decimal type, in units of its last place."""
        if self.kind == "decimal":
            return 1 - 10**self.width, 10**self.width - 1
        return INTEGER_RANGES[self.name]

    @property
    def ends(self) -> tuple[Fraction, Fraction]:
        """The smallest and largest number of a numeric type; of floats, the finite ones."""
        if self.kind == "float":
            largest = _LARGEST_FLOATS[self.name]
            return -largest, largest
        low, high = self.ticks
        return Fraction(low, 10**self.scale), Fraction(high, 10**self.scale)


@lru_cache(maxsize=4096)
def parse_type(name: str) -> SqlType:
    """Parse a type as duckdb_columns() prints it; an unknown one is `other`.

    >>> parse_type("DECIMAL(9,2)").scale, parse_type("ENUM('a', 'it''s')").members
    (2, ('a', "it's"))
    >>> parse_type("INTEGER[]").kind
    'other'
    """
    decimal = _DECIMAL_TYPE.fullmatch(name)
    if decimal:
        return SqlType(name, "decimal", int(decimal[1]), int(decimal[2]))
    if _ENUM_TYPE.fullmatch(name):
        members = (member.replace("''", "'") for member in _ENUM_MEMBER.findall(name[len("ENUM(") : -1]))
        return SqlType(name, "enum", members=tuple(members))
    return SqlType(name, _KINDS.get(name, "other"))


def parse_number(value: Scalar) -> Fraction | None:
    """The exact number that a literal denotes, or None if it is not a number.

    >>> parse_number("1.50"), parse_number(Decimal("0.1")), parse_number("1_0")
    (Fraction(3, 2), Fraction(1, 10), None)
    """
    if isinstance(value, (int, Decimal)) and not isinstance(value, bool):
        return Fraction(value)
    if isinstance(value, str) and _NUMBER.fullmatch(value.strip(" ")):
        return Fraction(value.strip(" "))
    return None


READ_AS_TEXT = ("date", "timestamp")  # since Python cannot hold all of their values


def public_value(cell: Value, sql_type: SqlType) -> Value:
    """Return a value that was read from a public table. Input: of the types `READ_AS_TEXT`, as text.

    Errors: ConversionError for one that no constant of a query denotes, such as an infinite date.

    >>> public_value("2024-02-29", parse_type("DATE")), public_value(7, parse_type("INTEGER"))
    (datetime.date(2024, 2, 29), 7)
    """
    if sql_type.kind in READ_AS_TEXT:
        return convert(str(cell), sql_type)
    if sql_type.kind == "text" and "\0" in str(cell):
        raise ConversionError("text has no NUL")
    return cell


def convert(value: Scalar, sql_type: SqlType) -> Value:
    """Convert a literal to a value of the type, exactly: nothing is rounded or truncated.

    Errors: ConversionError, also for NULL.

    >>> convert("7", parse_type("INTEGER")), convert("2024-02-29", parse_type("DATE"))
    (7, datetime.date(2024, 2, 29))
    """
    converter = _CONVERTERS.get(sql_type.kind)
    if converter is None:
        raise ConversionError(f"literals of type {sql_type.name} are not supported")
    return converter(value, sql_type)


def _to_integer(value: Scalar, sql_type: SqlType) -> int:
    number = parse_number(value)
    low, high = sql_type.ticks
    if number is None or number.denominator != 1 or not low <= number <= high:
        raise ConversionError(f"{sql_type.name} holds whole numbers from {low} to {high}")
    return int(number)


def _to_decimal(value: Scalar, sql_type: SqlType) -> Decimal:
    number = parse_number(value)
    low, high = sql_type.ticks
    scaled = None if number is None else number * 10**sql_type.scale
    if scaled is None or scaled.denominator != 1 or not low <= scaled <= high:
        whole = sql_type.width - sql_type.scale
        raise ConversionError(
            f"{sql_type.name} holds numbers of {whole} digits before and {sql_type.scale} after the point"
        )
    return decimal_from_ticks(int(scaled), sql_type)


def decimal_from_ticks(ticks: int, sql_type: SqlType) -> Decimal:
    """The decimal of that many last places, exact in any context: 150 at scale 2 is 1.50."""
    digits = tuple(int(digit) for digit in str(abs(ticks)))
    return Decimal((int(ticks < 0), digits, -sql_type.scale))


def _to_float(value: Scalar, sql_type: SqlType) -> float:
    number = parse_number(value)
    if number is None:
        raise ConversionError(f"{sql_type.name} holds numbers such as 0.5")
    try:
        nearest = float(number)
        if sql_type.name == "FLOAT":
            nearest = float(struct.unpack("<f", struct.pack("<f", nearest))[0])
    except OverflowError:
        raise ConversionError(f"the number is too large for {sql_type.name}") from None
    return nearest if math.isfinite(nearest) else 0.0


def _to_text(value: Scalar, sql_type: SqlType) -> str:
    if not isinstance(value, str) or "\0" in value:
        raise ConversionError(f"{sql_type.name} holds text, written in single quotes")
    return value


def _to_member(value: Scalar, sql_type: SqlType) -> str:
    if not isinstance(value, str) or value not in sql_type.members:
        raise ConversionError(f"its values are {', '.join(sql_type.members[:20])}")
    return value


def _to_boolean(value: Scalar, sql_type: SqlType) -> bool:
    if isinstance(value, str) and value.lower() in ("true", "false"):
        return value.lower() == "true"
    if not isinstance(value, bool):
        raise ConversionError(f"{sql_type.name} holds TRUE and FALSE")
    return value


def _to_date(value: Scalar, sql_type: SqlType) -> date:
    moment = None if has_offset(value) else parse_moment(value)
    if moment is None or moment.time() != datetime.min.time():
        raise ConversionError(
            f"{sql_type.name} holds days from 0001-01-01 to 9999-12-31, such as '2024-01-31'"
        )
    return moment.date()


def _to_timestamp(value: Scalar, sql_type: SqlType) -> datetime:
    moment = parse_moment(value, in_utc=sql_type.is_zoned)
    if moment is None:
        raise ConversionError(f"{sql_type.name} holds times such as '2024-01-31 12:30:00'")
    return moment


def parse_moment(value: Scalar, *, in_utc: bool = False) -> datetime | None:
    """The timestamp that a literal denotes; else None. A date is its midnight.

    Input: `in_utc`: whether an offset that the text says counts, as beside TIMESTAMP WITH TIME ZONE. Beside
    TIMESTAMP, DuckDB ignores it (since 1.4).

    >>> parse_moment("2024-01-31 12:30+02").isoformat(), parse_moment("2024-02-30")
    ('2024-01-31T12:30:00', None)
    >>> parse_moment("2024-01-31 12:30+02", in_utc=True).isoformat()
    '2024-01-31T10:30:00'
    """
    if isinstance(value, datetime):
        return value if value.tzinfo is None else utc_of(value)
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day)
    match = _TIMESTAMP.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        return None
    day = _DATE.fullmatch(match[1])
    if day is None:
        return None
    hour, minute, second = (int(match[group] or 0) for group in (3, 4, 6))
    microseconds = int((match[8] or "").ljust(6, "0"))
    try:
        local = datetime(int(day[1]), int(day[2]), int(day[3]), hour, minute, second, microseconds)
        offset = _offset(match[9], match[10], match[11])
        return local - offset if in_utc else local
    except (ValueError, OverflowError):
        return None


def has_offset(value: Scalar) -> bool:
    """Whether a literal says how far its time is from UTC, as in '2024-01-31 12:30:00+02'."""
    match = _TIMESTAMP.fullmatch(value) if isinstance(value, str) else None
    return match is not None and match[9] is not None


def _offset(sign: str | None, hours: str | None, minutes: str | None) -> timedelta:
    """The offset from UTC. Errors: ValueError if it is a day or more."""
    offset = timedelta(hours=int(hours or 0), minutes=int(minutes or 0))
    if offset >= timedelta(days=1) or int(minutes or 0) > 59:
        raise ValueError
    return -offset if sign == "-" else offset


def utc_of(value: datetime) -> datetime | None:
    """The time in UTC of a datetime with a zone, without the zone; None before the year 1 or after 9999."""
    try:
        return value.astimezone(UTC).replace(tzinfo=None)
    except OverflowError:
        return None


_CONVERTERS: dict[str, Callable[[Scalar, SqlType], Value]] = {
    "integer": _to_integer,
    "decimal": _to_decimal,
    "float": _to_float,
    "text": _to_text,
    "enum": _to_member,
    "boolean": _to_boolean,
    "date": _to_date,
    "timestamp": _to_timestamp,
}
