"""One value from the client's bytes: the text and binary formats of each scalar parameter type.

A timestamptz becomes its time in UTC, a UUID or json its text.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from decimal import Decimal
from uuid import UUID

from dpduck.compiler.parse.bind import Single
from dpduck.doors.gateway.encoding.pgtypes import BY_OID

_SHOWN = 40  # characters of a value quoted in an error
_MAX_PLACES = 60  # digits before the point, and after it
_EPOCH = datetime(2000, 1, 1)
_DAY, _MOST_EAST = timedelta(days=1), timedelta(hours=16)
_INTEGERS = {"int2": "!h", "int4": "!i", "int8": "!q", "oid": "!I"}
_FLOATS = {"float4": "!f", "float8": "!d"}
_TEXTS = ("text", "varchar", "bpchar", "name", "char", "unknown", "json")
_TRUE = ("t", "tr", "tru", "true", "y", "ye", "yes", "on", "1")
_FALSE = ("f", "fa", "fal", "fals", "false", "n", "no", "of", "off", "0")
_INTEGER = re.compile(r"[+-]?[0-9]{1,30}", re.ASCII)
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?", re.ASCII)
# What clients write of PostgreSQL's input: 2024-1-31, 20240131, 2024-01-31T12:30:00.5+02, 20240131T123000Z.
_MOMENT = re.compile(
    r"([0-9]{4})(?:-([0-9]{1,2})-([0-9]{1,2})|([0-9]{2})([0-9]{2}))"
    r"(?:(?:[ ]+|T)(?:([0-9]{1,2}):([0-9]{1,2})(?::([0-9]{1,2})(?:\.([0-9]*))?)?"
    r"|([0-9]{2})([0-9]{2})([0-9]{2})(?:\.([0-9]*))?))?"
    r" ?(?:Z|UTC|GMT|([+-])([0-9]{1,2})(?::?([0-9]{2}))?(?::([0-9]{2}))?)?",
    re.ASCII | re.IGNORECASE,
)
_INFINITE = ("infinity", "+infinity", "-infinity")
_NO_DATETIME, _NOT_IN_RANGE = "22007", "22008"
# Postgres's whitespace; Python's own includes more characters.
BLANKS = " \t\n\r\v\f"
_NUMERIC_SPECIAL = 0xC000
_NUMERIC_NEGATIVE = 0x4000


class InvalidError(ValueError):
    """The payload is not a value of the type; the text says what it should be. `sqlstate`: PostgreSQL's."""

    def __init__(self, reason: str, sqlstate: str | None = None) -> None:
        super().__init__(reason)
        self.sqlstate = sqlstate


def scalar(oid: int, binary: bool, payload: bytes) -> Single:
    """Decode the value. Errors: InvalidError."""
    name = BY_OID[oid].name if oid in BY_OID else "unknown" if oid == 0 else ""
    if name in _TEXTS:
        return text_of(payload)
    readers = _BINARY if binary else _TEXT
    if name not in readers:
        raise InvalidError("is of a type that dpduck takes no parameters of: cast it to text")
    if binary:
        return _BINARY[name](payload)
    return _TEXT[name](text_of(payload).strip(BLANKS))


def text_of(payload: bytes) -> str:
    """UTF-8 without NUL. Errors: InvalidError."""
    try:
        text = payload.decode()
    except UnicodeDecodeError:
        text = None
    if text is None:
        raise InvalidError("must be text in UTF-8")
    if "\0" in text:
        raise InvalidError("holds a NUL character, which text cannot")
    return text


def _shown(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "...")


def _unpack(layout: str, payload: bytes) -> tuple[int, ...]:
    if len(payload) != struct.calcsize(layout):
        raise InvalidError(f"must be of {struct.calcsize(layout)} bytes in binary format, not {len(payload)}")
    return struct.unpack(layout, payload)


def _integer_reader(layout: str) -> Callable[[str], Single]:
    bits = 8 * struct.calcsize(layout)
    low, high = (0, 2**bits - 1) if layout == "!I" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)

    def read(text: str) -> Single:
        if not _INTEGER.fullmatch(text) or not low <= int(text) <= high:
            raise InvalidError(f"must be a whole number from {low} to {high}, not {_shown(text)}")
        return int(text)

    return read


def _integer_unpacker(layout: str) -> Callable[[bytes], Single]:
    return lambda payload: _unpack(layout, payload)[0]


def _float_unpacker(layout: str) -> Callable[[bytes], Single]:
    return lambda payload: _finite(_unpack(layout, payload)[0])


def _finite(number: float) -> float:
    if not math.isfinite(number):
        raise InvalidError("must be a finite number, not NaN or Infinity")
    return number


def _float_text(text: str) -> Single:
    if not _NUMBER.fullmatch(text):
        raise InvalidError(f"must be a finite number such as 0.5, not {_shown(text)}")
    return _finite(float(text))


def _numeric_text(text: str) -> Single:
    if len(text) > 3 * _MAX_PLACES or not _NUMBER.fullmatch(text):
        raise InvalidError(f"must be a number such as 0.5, not {_shown(text)}")
    return _bounded(Decimal(text))


def _bounded(number: Decimal) -> Decimal:
    """As plain digits. A number of thousands of digits is not a value of any DuckDB type."""
    exponent = int(number.as_tuple().exponent)
    if exponent < -_MAX_PLACES or number.adjusted() >= _MAX_PLACES:
        raise InvalidError(f"must be a number of at most {_MAX_PLACES} digits before and after the point")
    return number if exponent <= 0 else Decimal(format(number, "f"))


def _numeric_binary(payload: bytes) -> Single:
    if len(payload) < 8:
        raise InvalidError("must be of 8 bytes or more in binary format")
    count, weight, sign, scale = struct.unpack("!hhHH", payload[:8])
    if sign & _NUMERIC_SPECIAL == _NUMERIC_SPECIAL:
        raise InvalidError("must be a finite number, not NaN or Infinity")
    if count < 0 or len(payload) != 8 + 2 * count or sign not in (0, _NUMERIC_NEGATIVE):
        raise InvalidError("is no numeric in binary format")
    if max(count, abs(weight), scale // 4) > _MAX_PLACES:
        raise InvalidError(f"must be a number of at most {_MAX_PLACES} digits before and after the point")
    groups = struct.unpack(f"!{count}H", payload[8:])
    if any(group > 9999 for group in groups):
        raise InvalidError("is no numeric in binary format")
    return _bounded(_decimal(groups, weight, scale, negative=sign == _NUMERIC_NEGATIVE))


def _decimal(groups: tuple[int, ...], weight: int, scale: int, *, negative: bool) -> Decimal:
    """The number of groups of four digits; the first group counts 10000 to the power of the weight."""
    digits = "".join(f"{group:04}" for group in groups) or "0"
    exponent = 4 * (weight - len(groups) + 1) if groups else 0
    # Cut to the digits after the point that the client declared, which may drop zeros of the last group.
    shift = exponent + scale
    digits = digits + "0" * shift if shift >= 0 else digits[:shift] or "0"
    return Decimal((int(negative), tuple(map(int, digits)), -scale))


def _bool_text(text: str) -> Single:
    if text.lower() not in _TRUE + _FALSE:
        raise InvalidError(f"must be true or false, not {_shown(text)}")
    return text.lower() in _TRUE


def _bool_binary(payload: bytes) -> Single:
    return _unpack("!B", payload)[0] != 0


def _date_text(text: str) -> Single:
    """A day; a time and a zone beside it are read and left out, as PostgreSQL does."""
    return _moment(text, "a day such as 2024-01-31")[0].date()


def _date_binary(payload: bytes) -> Single:
    return _after_epoch(timedelta, _unpack("!i", payload)[0]).date()


def _timestamp_text(text: str) -> Single:
    """A time without a zone; one that is written is left out, as PostgreSQL does."""
    return _moment(text, "a time such as 2024-01-31 12:30:00")[0]


def _timestamptz_text(text: str) -> Single:
    moment, east = _moment(text, "a time such as 2024-01-31 12:30:00+00")
    return _shifted(moment, -east)


def _moment(text: str, wanted: str) -> tuple[datetime, timedelta]:
    """The time that is written, and how far east of UTC its zone is. Errors: InvalidError."""
    match = _MOMENT.fullmatch(text)
    if match is None:
        known = text.lower() in _INFINITE
        raise InvalidError(f"must be {wanted}, not {_shown(text)}", _NOT_IN_RANGE if known else _NO_DATETIME)
    year, month, day = (int(match[1]), *(int(match[a] or match[b]) for a, b in ((2, 4), (3, 5))))
    hour, minute, second = (int(match[a] or match[b] or 0) for a, b in ((6, 10), (7, 11), (8, 12)))
    part = timedelta(microseconds=round(Decimal(f"0.{match[9] or match[13] or 0}") * 1_000_000))
    offset = timedelta(hours=int(match[15] or 0), minutes=int(match[16] or 0), seconds=int(match[17] or 0))
    time = timedelta(hours=hour, minutes=minute, seconds=second) + part
    fits = minute < 60 and second <= 60 and time <= _DAY and int(match[16] or 0) < 60 and offset < _MOST_EAST
    found = None
    with suppress(ValueError):
        found = datetime(year, month, day) if fits else None
    if found is None:
        raise InvalidError(f"must be {wanted}, not {_shown(text)}", _NOT_IN_RANGE)
    return _shifted(found, time), -offset if match[14] == "-" else offset


def _timestamp_binary(payload: bytes) -> Single:
    return _after_epoch(_microseconds, _unpack("!q", payload)[0])


def _microseconds(count: int) -> timedelta:
    return timedelta(microseconds=count)


def _after_epoch(unit: Callable[[int], timedelta], count: int) -> datetime:
    try:
        span = unit(count)
    except OverflowError:
        span = timedelta.max
    return _shifted(_EPOCH, span)


def _shifted(moment: datetime, span: timedelta) -> datetime:
    try:
        shifted = moment + span
    except OverflowError:
        shifted = None
    if shifted is None:
        raise InvalidError("must be a time of the years 1 to 9999", _NOT_IN_RANGE)
    return shifted


def _uuid_text(text: str) -> Single:
    digits = text.removeprefix("{").removesuffix("}").replace("-", "")
    if not re.fullmatch("[0-9a-fA-F]{32}", digits):
        raise InvalidError(f"must be a UUID of 32 hexadecimal digits, not {_shown(text)}")
    return str(UUID(digits))


def _uuid_binary(payload: bytes) -> Single:
    if len(payload) != 16:
        raise InvalidError(f"must be of 16 bytes in binary format, not {len(payload)}")
    return str(UUID(bytes=payload))


_TEXT: dict[str, Callable[[str], Single]] = {
    "bool": _bool_text,
    **{name: _integer_reader(layout) for name, layout in _INTEGERS.items()},
    **dict.fromkeys(_FLOATS, _float_text),
    "numeric": _numeric_text,
    "date": _date_text,
    "timestamp": _timestamp_text,
    "timestamptz": _timestamptz_text,
    "uuid": _uuid_text,
}
_BINARY: dict[str, Callable[[bytes], Single]] = {
    "bool": _bool_binary,
    **{name: _integer_unpacker(layout) for name, layout in _INTEGERS.items()},
    **{name: _float_unpacker(layout) for name, layout in _FLOATS.items()},
    "numeric": _numeric_binary,
    "date": _date_binary,
    **dict.fromkeys(("timestamp", "timestamptz"), _timestamp_binary),
    "uuid": _uuid_binary,
}
