"""Intervals and times with a zone, parsed from DuckDB's text, since Arrow cannot hold them all."""

from __future__ import annotations

import re
import struct

from dpduck.doors.gateway.encoding.datetimes import clock

_INTERVAL = re.compile(
    r"(?:(-?[0-9]+) years? ?)?(?:(-?[0-9]+) months? ?)?(?:(-?[0-9]+) days? ?)?"
    r"(?:(-?)([0-9]+):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?)?",
    re.ASCII,
)
_TIMETZ = re.compile(
    r"([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?([+-])([0-9]{2})(?::([0-9]{2}))?(?::([0-9]{2}))?",
    re.ASCII,
)


def parse_interval(text: str) -> tuple[int, int, int]:
    """Months, days and microseconds of an interval in DuckDB's text.

    >>> parse_interval("1 year 2 months -3 days -04:05:06.5")
    (14, -3, -14706500000)
    """
    match = _INTERVAL.fullmatch(text)
    if match is None:
        raise ValueError("not an interval as DuckDB writes them")
    years, months, days = (int(match[group] or 0) for group in (1, 2, 3))
    micros = _micros(match[5], match[6], match[7], match[8])
    return 12 * years + months, days, -micros if match[4] else micros


def interval_text(text: str) -> bytes:
    """An interval in Postgres's text: signs are repeated where they change, and months are mons.

    >>> interval_text("-1 month 400 days 01:00:00"), interval_text("00:00:00")
    (b'-1 mons +400 days 01:00:00', b'00:00:00')
    """
    months, days, micros = parse_interval(text)
    years, rest = divmod(abs(months), 12)
    sign = -1 if months < 0 else 1
    parts: list[str] = []
    negative = False
    for amount, unit in ((sign * years, "year"), (sign * rest, "mon"), (days, "day")):
        if amount:
            parts.append(
                f"{'+' if negative and amount > 0 else ''}{amount} {unit}{'' if amount == 1 else 's'}"
            )
            negative = amount < 0
    if micros or not parts:
        mark = "-" if micros < 0 else "+" if negative else ""
        parts.append(mark + clock(abs(micros)))
    return " ".join(parts).encode()


def interval_binary(text: str) -> bytes:
    """Microseconds, days, months."""
    months, days, micros = parse_interval(text)
    return struct.pack("!qii", micros, days, months)


def timetz_binary(text: str) -> bytes:
    """Microseconds, and seconds west of Greenwich.

    >>> timetz_binary("00:00:01+01").hex()
    '00000000000f4240fffff1f0'
    """
    match = _TIMETZ.fullmatch(text)
    if match is None:
        raise ValueError("not a time with a zone as DuckDB writes them")
    east = int(match[6]) * 3600 + int(match[7] or 0) * 60 + int(match[8] or 0)
    west = east if match[5] == "-" else -east
    return struct.pack("!qi", _micros(match[1], match[2], match[3], match[4]), west)


def _micros(hours: str | None, minutes: str | None, seconds: str | None, fraction: str | None) -> int:
    whole = int(hours or 0) * 3600 + int(minutes or 0) * 60 + int(seconds or 0)
    return whole * 10**6 + int((fraction or "").ljust(6, "0")[:6])
