"""A released number beside how far off it may be, for people: 1,204 ± 12.

Privacy: post-processing. The number and the ends of its interval are released; the digits that are left out
are noise.
"""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, Decimal

_DIGITS = 2  # of an error


def plus_minus(text: str, low: object, high: object, error: float | None = None) -> str:
    """A number, and the larger distance to the ends of its interval, rounded up to two digits.

    Input: the number as DuckDB writes it; the ends, of which one may be None as it is not known; what its
        error stays within, if that is known: it says more than the distance to an only end that is 0, since
        the truth is not below.
    Output: the number alone if it has no interval, or is no number.

    >>> plus_minus("1204", 1192.3, 1215.7), plus_minus("0.51234567", 0.5, 0.52), plus_minus("7", None, None)
    ('1204 ± 12', '0.512 ± 0.013', '7')
    >>> plus_minus("40", 31.0, None)
    '40 ± 9, or more'
    >>> plus_minus("-29", 0.0, None, 479.0)
    '-29 ± 479, or more'
    """
    value, lower, upper = _number(text), _number(low), _number(high)
    if value is None or (lower is None and upper is None):
        return text
    distances = [abs(value - end) for end in (lower, upper) if end is not None]
    if upper is None and lower == 0 and error is not None and math.isfinite(error):
        distances.append(Decimal(repr(error)))
    width, places = _rounded_up(max(distances))
    more = "" if upper is not None else ", or more"
    return f"{_short(text, value, places)} ± {width}{more}"


def plus_error(text: str, error: float) -> str:
    """A number, and what its error stays within.

    >>> plus_error("1204", 11.7)
    '1204 ± 12'
    """
    value = _number(text)
    if value is None or not math.isfinite(error):
        return text
    width, places = _rounded_up(Decimal(repr(error)))
    return f"{_short(text, value, places)} ± {width}"


def _number(value: object) -> Decimal | None:
    if value is None or isinstance(value, bool):
        return None
    try:
        number = Decimal(str(value))
    except ArithmeticError:
        return None
    return number if number.is_finite() else None


def _rounded_up(width: Decimal) -> tuple[str, int]:
    """A width with two digits at most, of large ones all before the point; and its decimal places."""
    places = max(_DIGITS - 1 - width.adjusted(), 0) if width else 0
    rounded = width.quantize(Decimal(1).scaleb(-places), ROUND_CEILING)
    text = f"{rounded:f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text), places


def _short(text: str, value: Decimal, places: int) -> str:
    """A number without the digits that are far below its error; as it is if it has no more than that."""
    exponent = value.as_tuple().exponent
    written = -exponent if isinstance(exponent, int) else 0
    return f"{round(value, places):f}" if written > places else text
