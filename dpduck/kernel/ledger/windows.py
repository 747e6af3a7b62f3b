"""Calendar windows in UTC: the period in which a charge counts, and when the next one begins."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from dpduck.kernel.catalog.statements import Window


def period_of(window: Window | None, at: datetime) -> str:
    """The name of the period that contains a time; '' without a window.

    >>> moment = datetime(2026, 11, 21, 23, 59)
    >>> [period_of(window, moment) for window in ("day", "week", "month", None)]
    ['2026-11-21', '2026-W47', '2026-11', '']
    """
    match window:
        case "day":
            return at.date().isoformat()
        case "week":
            year, week, _ = at.isocalendar()
            return f"{year:04}-W{week:02}"
        case "month":
            return f"{at.year:04}-{at.month:02}"
    return ""


def next_period(window: Window, at: datetime) -> date:
    """The day on which the next period begins.

    >>> moment = datetime(2026, 12, 31)
    >>> [str(next_period(window, moment)) for window in ("day", "week", "month")]
    ['2027-01-01', '2027-01-04', '2027-01-01']
    """
    today = at.date()
    match window:
        case "day":
            return today + timedelta(days=1)
        case "week":
            return today + timedelta(days=7 - today.weekday())
    return (today.replace(day=28) + timedelta(days=4)).replace(day=1)
