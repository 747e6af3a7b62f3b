"""Propagates domains through functions of dates and timestamps; see `domains`."""

from __future__ import annotations

import calendar
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta

from dpduck.compiler.private.domains import listed, mapped, members
from dpduck.compiler.private.type_rules import TIMESTAMP
from dpduck.kernel.catalog.model import Domain, RangeDomain, ValuesDomain
from dpduck.kernel.plan.expression import Typed

_MONTHS_OF_YEAR = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September"),
    *("October", "November", "December"),
)
_DAYS_OF_WEEK = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
MONTH_NAMES, DAY_NAMES = ValuesDomain(_MONTHS_OF_YEAR), ValuesDomain(_DAYS_OF_WEEK)
NATURAL = {
    "month": RangeDomain(1, 12, 1),
    "day": RangeDomain(1, 31, 1),
    "hour": RangeDomain(0, 23, 1),
    "minute": RangeDomain(0, 59, 1),
    "second": RangeDomain(0, 59, 1),
    "dow": RangeDomain(0, 6, 1),
    "isodow": RangeDomain(1, 7, 1),
    "doy": RangeDomain(1, 366, 1),
    "week": RangeDomain(1, 53, 1),
    "quarter": RangeDomain(1, 4, 1),
}

_DAY = timedelta(days=1)
_MICROSECONDS_OF_DAY = 86_400_000_000
MICROSECONDS = {
    "microsecond": 1,
    "millisecond": 1_000,
    "second": 1_000_000,
    "minute": 60_000_000,
    "hour": 3_600_000_000,
}
MONTHS = {"month": 1, "quarter": 3, "year": 12, "decade": 120, "century": 1_200, "millennium": 12_000}
STEPS = {**MICROSECONDS, "day": _MICROSECONDS_OF_DAY, "week": 7 * _MICROSECONDS_OF_DAY}


def extent_of(domain: Domain | None) -> tuple[datetime, datetime] | None:
    """Return the first and last timestamp of a domain of dates or timestamps; None for other domains."""
    if domain is None:
        return None
    values = [domain.low, domain.high] if isinstance(domain, RangeDomain) else list(domain.values)
    timestamps = [_as_timestamp(value) for value in values if isinstance(value, date)]
    return (min(timestamps), max(timestamps)) if timestamps and len(timestamps) == len(values) else None


def _as_timestamp(value: date) -> datetime:
    return value if isinstance(value, datetime) else datetime(value.year, value.month, value.day)


def _range(low: date, high: date, step: int) -> Domain:
    """Return the grid of dates (step in days) or timestamps (step in microseconds)."""
    return ValuesDomain((low,)) if low >= high else RangeDomain(low, high, step)


def as_timestamps(domain: Domain | None) -> Domain | None:
    """Return a domain of dates as timestamps at midnight."""
    if isinstance(domain, RangeDomain) and isinstance(domain.low, date) and isinstance(domain.high, date):
        if isinstance(domain.low, datetime):
            return domain
        step = int(domain.step) * _MICROSECONDS_OF_DAY
        return RangeDomain(_as_timestamp(domain.low), _as_timestamp(domain.high), step)
    return mapped(domain, lambda value: _as_timestamp(value) if isinstance(value, date) else None)


def days(domain: Domain) -> Domain | None:
    """Return the dates of a domain of timestamps."""
    if isinstance(domain, ValuesDomain):
        return mapped(domain, lambda value: value.date() if isinstance(value, datetime) else None)
    extent = extent_of(domain)
    if extent is None:
        return None
    step = int(domain.step)
    days = step // _MICROSECONDS_OF_DAY if step % _MICROSECONDS_OF_DAY == 0 else 1
    return _range(extent[0].date(), extent[1].date(), days)


def of_part(unit: str, value: Typed) -> Domain | None:
    """Return the domain of date_part(unit, x): that of the calendar, or the years of the domain of x."""
    if unit in NATURAL:
        return NATURAL[unit]
    extent = extent_of(value.domain)
    if unit not in ("year", "isoyear") or extent is None:
        return None
    low, high = extent[0].year, extent[1].year
    if unit == "isoyear":
        low, high = extent[0].isocalendar().year, extent[1].isocalendar().year
    return RangeDomain(low, high, 1) if low < high else ValuesDomain((low,))


def of_trunc(unit: str, value: Typed) -> Domain | None:
    """Return the domain of date_trunc(unit, x)."""
    extent = extent_of(value.domain)
    if extent is None:
        return None
    if isinstance(value.domain, ValuesDomain):
        starts = [truncated(unit, _as_timestamp(day)) for day in value.domain if isinstance(day, date)]
        return None if None in starts else listed(starts)
    low, high = truncated(unit, extent[0]), truncated(unit, extent[1])
    if low is None or high is None:
        return None
    if unit in STEPS:
        return _range(low, high, _common_step(value.domain, STEPS[unit]))
    return listed(_points(unit, low, high))


def _common_step(domain: Domain | None, unit: int) -> int:
    """Return the step of the domain if it is a multiple of the unit, else the unit, in microseconds."""
    if not isinstance(domain, RangeDomain):
        return unit
    own = int(domain.step) * (1 if isinstance(domain.low, datetime) else _MICROSECONDS_OF_DAY)
    return own if own % unit == 0 else unit


def truncated(unit: str, timestamp: datetime) -> datetime | None:
    """Compute date_trunc(unit, timestamp); None before the year 1, or for an unsupported unit.

    >>> truncated("week", datetime(2024, 5, 5)), truncated("quarter", datetime(2024, 5, 5, 7))
    (datetime.datetime(2024, 4, 29, 0, 0), datetime.datetime(2024, 4, 1, 0, 0))
    """
    if unit in MONTHS:
        count = timestamp.year * 12 + timestamp.month - 1
        count -= count % MONTHS[unit]
        return datetime(count // 12, count % 12 + 1, 1) if count >= 12 else None
    if unit not in STEPS:
        return None
    if unit == "week":
        day = _as_timestamp(timestamp.date())
        return day - _DAY * day.weekday() if day.toordinal() > day.weekday() else None
    midnight = _as_timestamp(timestamp.date())
    step = timedelta(microseconds=STEPS[unit])
    return midnight + (timestamp - midnight) // step * step


def _points(unit: str, low: datetime, high: datetime) -> Iterator[datetime]:
    """Yield the first days of months, quarters, years, ... from low to high."""
    months = MONTHS[unit]
    for count in range(low.year * 12 + low.month - 1, high.year * 12 + high.month, months):
        if count // 12 <= 9999:
            yield datetime(count // 12, count % 12 + 1, 1)


def moved(domain: Domain | None, months: int, days: int, microseconds: int) -> Domain | None:
    """Return a domain of dates or timestamps plus an interval, as timestamps; months are added first."""
    step = timedelta(days=days, microseconds=microseconds)
    try:
        shifted = as_timestamps(domain)
        if months == 0 and isinstance(shifted, RangeDomain):
            return RangeDomain(shifted.low + step, shifted.high + step, shifted.step)  # type: ignore[operator]
        return mapped(shifted, lambda value: _plus_months(value, months) + step)  # type: ignore[arg-type]
    except (OverflowError, ValueError):
        return None


def _plus_months(timestamp: datetime, months: int) -> datetime:
    count = timestamp.year * 12 + timestamp.month - 1 + months
    year, month = count // 12, count % 12 + 1
    return timestamp.replace(
        year=year, month=month, day=min(timestamp.day, _last_of_month(date(year, month, 1)).day)
    )


def moved_days(domain: Domain | None, days: int) -> Domain | None:
    """Return a domain of dates shifted by a number of days."""
    try:
        if isinstance(domain, RangeDomain):
            return RangeDomain(domain.low + _DAY * days, domain.high + _DAY * days, domain.step)  # type: ignore[operator]
        return mapped(domain, lambda value: value + _DAY * days)  # type: ignore[operator]
    except OverflowError:
        return None


def of_bucket(microseconds: int, value: Typed, origin: datetime | None = None) -> Domain | None:
    """Return the domain of time_bucket: the starts of buckets of a fixed width.

    Input: `origin`: a start of a bucket, by default DuckDB's: Monday, 3 January 2000.
    """
    first = origin or _ORIGIN
    extent = extent_of(value.domain)
    if extent is None or value.type != TIMESTAMP:
        return None
    width = timedelta(microseconds=microseconds)
    try:
        low, high = (first + (timestamp - first) // width * width for timestamp in extent)
    except OverflowError:
        return None
    return _range(low, high, microseconds)


_ORIGIN = datetime(2000, 1, 3)


def of_last_day(value: Typed) -> Domain | None:
    """Return the domain of last_day(x): the last days of months."""
    months = of_trunc("month", value)
    return mapped(months, _last_of_month)  # type: ignore[arg-type]


def _last_of_month(day: date) -> date:
    return date(day.year, day.month, calendar.monthrange(day.year, day.month)[1])


def of_format(text: str, value: Typed) -> Domain | None:
    """Return the domain of strftime(x, text): one string for each value of the finest unit in the format."""
    codes = [text[place + 1] for place in range(len(text) - 1) if text[place] == "%"]
    if not codes or any(code not in _FORMATS for code in codes) or "%%" in text or "%-" in text:
        return None
    finest = min((_FORMATS[code][0] for code in codes), key=_FINENESS.index)
    starts = members(of_trunc(finest, value))
    if starts is None or any(not isinstance(start, datetime) or start.year < 1000 for start in starts):
        return None
    return listed(_formatted(text, start) for start in starts)  # type: ignore[arg-type]


_FINENESS = ["second", "minute", "hour", "day", "month", "year"]
_FORMATS: dict[str, tuple[str, Callable[[datetime], str]]] = {
    "Y": ("year", lambda t: f"{t.year}"),
    "m": ("month", lambda t: f"{t.month:02}"),
    "d": ("day", lambda t: f"{t.day:02}"),
    "H": ("hour", lambda t: f"{t.hour:02}"),
    "M": ("minute", lambda t: f"{t.minute:02}"),
    "S": ("second", lambda t: f"{t.second:02}"),
    "B": ("month", lambda t: _MONTHS_OF_YEAR[t.month - 1]),
    "b": ("month", lambda t: _MONTHS_OF_YEAR[t.month - 1][:3]),
    "A": ("day", lambda t: _DAYS_OF_WEEK[t.isoweekday() % 7]),
    "a": ("day", lambda t: _DAYS_OF_WEEK[t.isoweekday() % 7][:3]),
    "y": ("year", lambda t: f"{t.year % 100:02}"),
    "j": ("day", lambda t: f"{t.timetuple().tm_yday:03}"),
}


def _formatted(text: str, timestamp: datetime) -> str:
    pieces = text.split("%")
    return pieces[0] + "".join(_FORMATS[piece[0]][1](timestamp) + piece[1:] for piece in pieces[1:])
