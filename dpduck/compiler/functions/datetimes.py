"""Functions of dates, timestamps and intervals."""

from __future__ import annotations

from sqlglot import exp

from dpduck.compiler.functions.entry import (
    TRANSLATED,
    Entries,
    SparkCall,
    SqlFunction,
    public_calls,
    public_names,
)
from dpduck.compiler.private import datetime_bounds, datetimes, intervals, zones

_BINARY = "this expression"


def _part(name: str, part: str, spark: str = "", added: int = 0) -> SqlFunction:
    """Return the entry of a part of a date or timestamp, an integer. `added`: to Spark's result."""
    call = SparkCall(spark, "a moment", added=added) if spark else None
    return SqlFunction(name, datetimes.part(part), spark=call)


def _name(name: str, pattern: str) -> SqlFunction:
    call = SparkCall("date_format", "a moment", (pattern,))
    return SqlFunction(name, datetimes.name_of_part(name), spark=call)


ENTRIES: Entries = {
    exp.Extract: SqlFunction(TRANSLATED, datetimes.extract, _BINARY, range=datetime_bounds.of_seconds),
    exp.Year: _part("year", "year", "year"),
    exp.Quarter: _part("quarter", "quarter", "quarter"),
    exp.Month: _part("month", "month", "month"),
    exp.Week: _part("week", "week", "weekofyear"),
    exp.WeekOfYear: _part("weekofyear", "week"),
    exp.Day: _part("day", "day", "dayofmonth"),
    exp.DayOfMonth: _part("dayofmonth", "day"),
    exp.DayOfWeek: _part("dayofweek", "dow", "dayofweek", -1),
    exp.DayOfWeekIso: _part("isodow", "isodow", "weekday", 1),
    exp.DayOfYear: _part("dayofyear", "doy", "dayofyear"),
    exp.Hour: _part("hour", "hour", "hour"),
    exp.Minute: _part("minute", "minute", "minute"),
    exp.Second: _part("second", "second", "second"),
    exp.TimeToUnix: SqlFunction("epoch", datetimes.part("epoch"), range=datetime_bounds.of_seconds),
    exp.UnixToTime: SqlFunction(TRANSLATED, datetimes.epoch_milliseconds, "this scale"),
    exp.Dayname: _name("dayname", "EEEE"),
    exp.Monthname: _name("monthname", "MMMM"),
    exp.TimestampTrunc: SqlFunction(TRANSLATED, datetimes.date_trunc, "this unit"),
    exp.DateTrunc: SqlFunction(TRANSLATED, datetimes.date_trunc, "this unit"),
    exp.DateBin: SqlFunction(
        "time_bucket", intervals.time_bucket, _BINARY, private_arguments=f"{_BINARY} unit"
    ),
    exp.DateDiff: SqlFunction(
        TRANSLATED,
        datetimes.date_diff,
        "this expression unit",
        "date_part_boundary",
        range=datetime_bounds.of_date_diff,
    ),
    exp.DateAdd: SqlFunction("+", intervals.plus_interval, _BINARY),
    exp.LastDay: SqlFunction("last_day", datetimes.last_day),
    exp.TimeToStr: SqlFunction("strftime", datetimes.strftime, "this format"),
    exp.AtTimeZone: SqlFunction("timezone", zones.at_time_zone, "zone this"),
    exp.DateFromParts: SqlFunction("make_date", None, "year month day"),
    exp.StrToTime: SqlFunction("strptime", None, "this format"),
    exp.TimeFromParts: SqlFunction("make_time", None, "hour min sec"),
    exp.TimestampFromParts: SqlFunction("make_timestamp", None, "year month day hour min sec"),
    **public_calls("to_days"),
    **{name: SqlFunction(name, datetimes.date_part) for name in ("date_part", "datepart")},
    **{
        name: SqlFunction(name, datetimes.date_sub, range=datetime_bounds.of_date_sub)
        for name in ("date_sub", "datesub")
    },
    "timezone": SqlFunction("timezone", zones.timezone),
    "weekday": _part("weekday", "dow"),
    **{name: _part(name, name) for name in ("isoyear", "yearweek", "decade", "century", "millennium", "era")},
    **public_names(
        """
        epoch_ns epoch_us julian make_timestamp_ms make_timestamp_ns microsecond millisecond nanosecond
        normalized_interval timezone_hour timezone_minute to_centuries to_decades to_hours
        to_microseconds to_millennia to_milliseconds to_minutes to_months to_quarters to_seconds to_weeks
        to_years try_strptime
        """
    ),
}
