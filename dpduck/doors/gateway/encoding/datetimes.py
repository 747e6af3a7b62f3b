"""Dates and times: Arrow's counts since 1970 as Postgres's counts since 2000, and as its ISO text.

Values beyond Postgres's range (before 4714 BC, after the year 294276 or, for dates, 5874897) become
-infinity or infinity. Nanoseconds are rounded to microseconds, as Postgres rounds them in text input.
"""

from __future__ import annotations

from datetime import date

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from dpduck.doors.gateway.encoding.byte_columns import Numbers, numbers_of, patched, text_bytes, validity

DATE_INFINITY = 2**31 - 1
TIMESTAMP_INFINITY = 2**63 - 1
DAY = 86_400_000_000  # microseconds
_EPOCH_DAYS = 10_957  # from 1970-01-01 to 2000-01-01
_EPOCH_MICROS = _EPOCH_DAYS * DAY
_DATE_RANGE = (-2_451_545, 2_145_031_949)  # days of Postgres's date, the second excluded
_FIRST_TIMESTAMP = -211_813_488_000_000_000
_PLAIN_DAYS = (
    -719_162,
    2_932_897,
)  # 0001-01-01 to 9999-12-31, since 1970: Arrow and Postgres agree on their text
_CYCLE_DAYS = 146_097  # 400 years
_PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}


def days_of(array: pa.Array) -> Numbers:
    """Days since 2000-01-01 of a date32 column."""
    days = numbers_of(array, pa.int32()).astype(np.int64) - _EPOCH_DAYS
    low, end = _DATE_RANGE
    days = np.where(days >= end, DATE_INFINITY, days)
    return np.where(days < low, -DATE_INFINITY - 1, days)


def micros_of(array: pa.Array) -> Numbers:
    """Microseconds since 2000-01-01 of a timestamp column of any unit."""
    raw = numbers_of(array, pa.int64())
    micros, limit = _to_micros(raw, array.type.unit)
    early = (raw <= -limit) | (micros < _FIRST_TIMESTAMP + _EPOCH_MICROS)
    micros = np.where(early, 0, micros) - _EPOCH_MICROS
    return np.where(early, -TIMESTAMP_INFINITY - 1, np.where(raw >= limit, TIMESTAMP_INFINITY, micros))


def _to_micros(raw: Numbers, unit: str) -> tuple[Numbers, int]:
    """Convert to microseconds; also the count from which on a value is infinity (2**63 - 1 in DuckDB)."""
    if unit == "ns":
        limit = TIMESTAMP_INFINITY - 500
        return (np.clip(raw, -limit, limit) + 500) // 1000, limit
    factor = 10**6 // _PER_SECOND[unit]
    limit = TIMESTAMP_INFINITY // factor
    return np.clip(raw, -limit, limit) * factor, limit


def time_micros_of(array: pa.Array) -> Numbers:
    """Microseconds since midnight of a time64 column; 24:00:00 is valid."""
    raw = numbers_of(array, pa.int64())
    return (raw + 500) // 1000 if array.type.unit == "ns" else raw


def date_text(array: pa.Array) -> pa.Array:
    """A date32 column in Postgres's text."""
    days = days_of(array) + _EPOCH_DAYS
    plain = _is_plain(days)
    kept = pa.array(np.where(plain, days, 0).astype(np.int32)).view(pa.date32())
    odd = [_odd_date(day - _EPOCH_DAYS) for day in days[~plain].tolist()]
    return _with_nulls(patched(text_bytes(kept), ~plain, odd), array)


def timestamp_text(array: pa.Array, zone: bytes = b"") -> pa.Array:
    """A timestamp column in Postgres's text. Input: the suffix after the time, +00 for timestamptz."""
    micros = micros_of(array)
    # Infinity must not overflow, and no finite time reaches the year 300000 that represents it here.
    unix = np.clip(micros, -TIMESTAMP_INFINITY, TIMESTAMP_INFINITY - _EPOCH_MICROS) + _EPOCH_MICROS
    plain = _is_plain(unix // DAY)
    kept = pa.array(np.where(plain, unix, 0)).view(pa.timestamp("us"))
    text = _trimmed(text_bytes(kept), has_fraction=bool((unix % 10**6)[plain].any()))
    if zone:
        text = pc.binary_join_element_wise(text, pa.scalar(zone, text.type), pa.scalar(b"", text.type))
    odd = [_odd_timestamp(moment, zone) for moment in micros[~plain].tolist()]
    return _with_nulls(patched(text, ~plain, odd), array)


def time_text(array: pa.Array) -> pa.Array:
    """A time64 column in Postgres's text."""
    micros = time_micros_of(array)
    midnight = micros >= DAY
    kept = pa.array(np.where(midnight, 0, micros)).view(pa.time64("us"))
    text = _trimmed(text_bytes(kept), has_fraction=bool((micros % 10**6).any()))
    return _with_nulls(patched(text, midnight, [b"24:00:00"] * int(midnight.sum())), array)


def _is_plain(unix_days: Numbers) -> Numbers:
    return (unix_days >= _PLAIN_DAYS[0]) & (unix_days < _PLAIN_DAYS[1])


def _trimmed(text: pa.Array, *, has_fraction: bool) -> pa.Array:
    """Remove the trailing zeros, and the point, that Arrow writes after seconds."""
    if not has_fraction:
        return pc.binary_slice(text, 0, -len(".000000"))
    utf8 = pc.ascii_rtrim(pc.ascii_rtrim(text.cast(pa.large_string()), "0"), ".")
    return utf8.cast(text.type)


def _with_nulls(text: pa.Array, array: pa.Array) -> pa.Array:
    return pc.if_else(array.is_valid(), text, pa.scalar(None, text.type)) if validity(array) else text


def _odd_date(day: int) -> bytes:
    if day >= DATE_INFINITY:
        return b"infinity"
    if day < _DATE_RANGE[0]:
        return b"-infinity"
    text, era = _calendar(day)
    return (text + era).encode()


def _odd_timestamp(micros: int, zone: bytes) -> bytes:
    if micros == TIMESTAMP_INFINITY:
        return b"infinity"
    if micros < _FIRST_TIMESTAMP:
        return b"-infinity"
    day, rest = divmod(micros, DAY)
    text, era = _calendar(day)
    return f"{text} {clock(rest)}".encode() + zone + era.encode()


def _calendar(day: int) -> tuple[str, str]:
    """The date and era of a day counted from 2000-01-01: the calendar repeats every 400 years."""
    cycles, rest = divmod(day + _EPOCH_DAYS - _PLAIN_DAYS[0], _CYCLE_DAYS)
    start = date.fromordinal(rest + 1)
    year = start.year + 400 * cycles
    return f"{year if year > 0 else 1 - year:04}-{start:%m-%d}", "" if year > 0 else " BC"


def clock(micros: int) -> str:
    """Hours (any number), minutes and seconds, without trailing zeros of the fraction.

    >>> clock(3_600_000_000 * 100 + 500_000)
    '100:00:00.5'
    """
    seconds, fraction = divmod(micros, 10**6)
    text = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{text}.{fraction:06}".rstrip("0") if fraction else text
