"""Texts of the page for amounts, numbers and forecasts."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from fractions import Fraction

from dpduck.doors.page.forecast import Forecast
from dpduck.kernel.errors import decimal_text
from dpduck.kernel.ledger import Cap

_MOST_TEXT = 300  # characters of a query


def epsilon_text(amount: Fraction) -> str:
    """An epsilon with at most four decimals.

    >>> [epsilon_text(Fraction(text)) for text in ("2.416742595", "0.50", "0", "0.000001")]
    ['2.4167', '0.5', '0', 'under 0.0001']
    """
    short = round(amount, 4)
    return decimal_text(short) if short or not amount else "under 0.0001"


def delta_text(amount: Fraction) -> str:
    """A delta with at most three digits.

    >>> [delta_text(Fraction(text)) for text in ("0.0000027", "1e-5", "0")]
    ['2.7e-6', '1e-5', '0']
    """
    return _digits(amount, 3)


def of_limit(text: str, limit: str | None) -> str:
    """An amount, and its limit if there is one.

    >>> of_limit("2", "10"), of_limit("2", None)
    ('2 of 10', '2')
    """
    return text if limit is None else f"{text} of {limit}"


_PARTS = {"mu_squared": "mu squared", "keys_delta": "delta"}  # of a cost, whose names are no words


def terms(cap: Cap) -> str:
    """The terms of a cap besides its amounts.

    >>> terms(Cap(Fraction(1), per_query=Fraction(1, 2), window="day"))
    'per day, at most 0.5 per query'
    """
    parts = (
        f"per {cap.window}" if cap.window else "",
        f"added up as {cap.measure.notion}" if cap.measure else "",
        f"at most {epsilon_text(cap.per_query)} per query" if cap.per_query is not None else "",
    )
    return ", ".join(filter(None, parts))


def when(ahead: Forecast) -> str:
    """When a budget runs out.

    >>> when(Forecast("unused"))
    'no charges yet'
    """
    return _WHEN[ahead.state](ahead)


def refills(ahead: Forecast) -> str:
    """When a budget's next window begins; '' if it has none."""
    return "" if ahead.refills is None else f"refills on {ahead.refills}"


def taken_from(ahead: Forecast) -> str:
    """The pace, and the time over which it was measured; '' if there is none."""
    pace = ahead.pace
    if pace is None:
        return ""
    days = pace.time // timedelta(days=1)
    time = ("the last hours", "the last day")[days] if days < 2 else f"the last {days} days"
    rate = _digits(getattr(pace.after(Fraction(1)), ahead.part), 2)
    return f"{time}: {counted(pace.charges, 'charge')}, {_PARTS.get(ahead.part, ahead.part)} {rate} a day"


def counted(number: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "day"), counted(2000, "charge")
    ('1 day', '2,000 charges')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def shortened(text: str) -> str:
    """A query shortened to fit the page."""
    return text if len(text) <= _MOST_TEXT else f"{text[:_MOST_TEXT]}…"


def _ends(ahead: Forecast) -> str:
    days = int(ahead.days or 0)
    soon = f"in {counted(days, 'day')}" if days else "within a day"
    return f"about {ahead.day}, {soon}" + (" (its delta)" if ahead.part.endswith("delta") else "")


_WHEN: dict[str, Callable[[Forecast], str]] = {
    "uncapped": lambda _: "never: not capped",
    "spent": lambda _: "spent",
    "unused": lambda _: "no charges yet",
    "unknown": lambda _: "not known: others spend here too",
    "never": lambda _: "never at this pace",
    "lasts": lambda _: "not at this pace",
    "far": lambda _: "in more than 100 years",
    "ends": _ends,
}


def _digits(amount: Fraction, digits: int) -> str:
    return f"{float(amount):.{digits}g}".replace("e-0", "e-")
