"""A released number beside how far off it may be, for people: 1,204 ± 12, or 340,000 ± 310,000.

Privacy: post-processing. The number and the ends of its interval are released; the digits that are left out
are noise.
"""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_HALF_EVEN, Context, Decimal
from typing import Final

_DIGITS = 2  # of an error, and so of what is known of its number
_MOST_DIGITS = 15  # before the point that are written out
_EXACT: Final = Context(prec=1000)  # holds each number that DuckDB writes


def plus_minus(text: str, low: object, high: object, error: float | None = None) -> str:
    """A number without the digits that its noise leaves unknown, and how far the ends of its interval are.

    That is from the number that is shown to the end that is further off, rounded up to two digits: so what is
    shown holds as often as the interval does.

    Input: the number as DuckDB writes it; the ends, of which one may be None as it is not known; what its
        error stays within, if that is known: it says more than the distance to an only end that is 0, since
        the truth is not below, whatever the noise is.
    Output: the number alone if it has no interval, or is no number; no ± where nothing says how noisy it is.

    >>> plus_minus("1204", 1192.3, 1215.7), plus_minus("0.51234567", 0.5, 0.52), plus_minus("7", None, None)
    ('1,204 ± 12', '0.512 ± 0.012', '7')
    >>> plus_minus("335576.09", 40000.0, 631152.18)
    '340,000 ± 300,000'
    >>> plus_minus("40", 31.0, None)
    '40 ± 9, or higher'
    >>> plus_minus("-29", 0.0, None, 479.0), plus_minus("-29", 0.0, None)
    ('-30 ± 480, or higher', '-29 (0 or higher)')
    >>> plus_minus("60", None, 69.0)
    '60 ± 9, or lower'
    """
    value, lower, upper = _number(text), _number(low), _number(high)
    if value is None or (lower is None and upper is None):
        return text
    if lower is None and upper is not None:
        return f"{_beside(text, value, [upper])}, or lower"
    ends = [end for end in (lower, upper) if end is not None]
    if upper is None and lower == 0:
        if error is None or not math.isfinite(error):
            return f"{text if value.adjusted() > _MOST_DIGITS else _written(value)} (0 or higher)"
        ends.append(_EXACT.subtract(value, Decimal(repr(error))))
    return _beside(text, value, ends) + ("" if upper is not None else ", or higher")


def plus_error(text: str, error: float) -> str:
    """A number without the digits that its noise leaves unknown, and what its error stays within.

    >>> plus_error("1204", 11.7)
    '1,204 ± 12'
    """
    value = _number(text)
    if value is None or not math.isfinite(error):
        return text
    width = Decimal(repr(error))
    return _beside(text, value, [_EXACT.subtract(value, width), _EXACT.add(value, width)])


def rounded_error(error: float) -> str:
    """What an error stays within, with two digits.

    >>> rounded_error(296431.2), rounded_error(11.7), rounded_error(0.0)
    ('300,000', '12', '0')
    """
    return _written(_rounded_up(Decimal(repr(error)))) if math.isfinite(error) else "an unknown number"


def _number(value: object) -> Decimal | None:
    if value is None or isinstance(value, bool):
        return None
    try:
        number = Decimal(str(value))
    except ArithmeticError:
        return None
    return number if number.is_finite() else None


def _beside(text: str, value: Decimal, ends: list[Decimal]) -> str:
    """A number and how far the ends are from it as it is shown."""
    place = _place(max(_distance(value, end) for end in ends))
    exponent = value.as_tuple().exponent
    assert isinstance(exponent, int)
    shown = value.quantize(Decimal(1).scaleb(place), ROUND_HALF_EVEN, _EXACT) if exponent < place else value
    width = _rounded_up(max(_distance(shown, end) for end in ends), place)
    return f"{text if value.adjusted() > _MOST_DIGITS else _written(shown)} ± {_written(width)}"


def _distance(value: Decimal, end: Decimal) -> Decimal:
    return _EXACT.abs(_EXACT.subtract(value, end))


def _place(width: Decimal) -> int:
    """The power of ten of the last digit that a width has.

    >>> _place(Decimal(296431)), _place(Decimal(9)), _place(Decimal("0.0123"))
    (4, -1, -3)
    """
    return width.adjusted() - (_DIGITS - 1) if width else -_MOST_DIGITS


def _rounded_up(width: Decimal, place: int | None = None) -> Decimal:
    """A width with no digits beyond a place: its own, if none is given."""
    place = _place(width) if place is None else place
    return width.quantize(Decimal(1).scaleb(place), ROUND_CEILING, _EXACT)


def _written(number: Decimal) -> str:
    """A number in digits, those before the point in threes; one of very many in powers of ten."""
    if number.adjusted() > _MOST_DIGITS:
        return f"{number:.{_DIGITS - 1}e}"
    text = f"{number:,f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text
