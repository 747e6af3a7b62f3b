"""Exact budget quantities: epsilon and delta as fractions, parsed from what people write.

An epsilon written as a SQL decimal is that decimal, never its nearest double, so that sums in the
ledger are exact and a cap can be reached exactly.
"""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

from dpduck.kernel.errors import ParameterError

EPSILON_MIN = Fraction(1, 10_000)
EPSILON_MAX = Fraction(20)
EPSILON_PLACES = 9
DELTA_PLACES = 18
RHO_PLACES = 12
MU_SQUARED_PLACES = 12

# ASCII digits only: Python's own parsers also accept '1_0' and digits of other scripts.
_DECIMAL = re.compile(r"[+-]?[0-9]{1,40}(\.[0-9]{0,40})?([eE][+-]?[0-9]{1,3})?", re.ASCII)

_MEMORY = re.compile(r"[1-9][0-9]{0,5}(MB|GB|MiB|GiB)", re.ASCII)
_BYTES = {"MB": 10**6, "GB": 10**9, "MiB": 2**20, "GiB": 2**30}

Number = int | float | str | Decimal | Fraction


def parse_epsilon(value: object) -> Fraction:
    """Parse epsilon, the privacy loss of one query.

    Input: an int, Decimal or Fraction (exact), or a float or string (its shortest decimal).
    Output: the exact fraction, from 0.0001 to 20 with at most 9 decimal places.
    Errors: ParameterError, before anything is charged or drawn.

    >>> parse_epsilon("0.5"), parse_epsilon(0.1)
    (Fraction(1, 2), Fraction(1, 10))
    """
    epsilon = parse_decimal(value, "epsilon")
    if not EPSILON_MIN <= epsilon <= EPSILON_MAX:
        raise ParameterError(
            f"epsilon {_shown(value)} is out of range",
            detail="One query may use an epsilon from 0.0001 to 20.",
            hint="Write a decimal such as 0.5.",
        )
    return _with_places(epsilon, EPSILON_PLACES, "epsilon", value)


def parse_budget(value: object, name: str = "budget") -> Fraction:
    """Parse a cap in epsilon: a non-negative exact decimal with at most 9 places.

    Errors: ParameterError.
    """
    budget = parse_decimal(value, name)
    if not 0 <= budget <= 10**6:
        raise ParameterError(
            f"{name} {_shown(value)} is out of range",
            detail="A budget is an epsilon from 0 to 1000000.",
            hint="Write a decimal such as 3.0.",
        )
    return _with_places(budget, EPSILON_PLACES, name, value)


def parse_delta(value: object) -> Fraction:
    """Parse delta, the probability that the epsilon bound may fail.

    Output: the exact fraction, at least 0 and below 1, with at most 18 decimal places.
    Errors: ParameterError.
    """
    delta = parse_decimal(value, "delta")
    if not 0 <= delta < 1:
        raise ParameterError(
            f"delta {_shown(value)} is out of range",
            detail="Delta is a probability of failure: at least 0 and below 1.",
            hint="Write a small decimal such as 1e-6.",
        )
    return _with_places(delta, DELTA_PLACES, "delta", value)


def parse_decimal(value: object, name: str) -> Fraction:
    """Parse any exact decimal; `name` is used in the error message. Errors: ParameterError."""
    if isinstance(value, Fraction):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return Fraction(value)
    text = None
    if isinstance(value, (float, Decimal)):
        text = float.__repr__(value) if isinstance(value, float) else str(value)
    elif isinstance(value, str):
        text = value.strip(" ")
    if text is not None and _DECIMAL.fullmatch(text):
        return Fraction(text)
    raise ParameterError(
        f"{name} {_shown(value)} is not a decimal number",
        detail="It must be an exact decimal written with the digits 0 to 9.",
        hint="Write it as 0.5, without underscores or words.",
    )


def _with_places(amount: Fraction, places: int, name: str, value: object) -> Fraction:
    scaled = amount * 10**places
    if scaled.denominator == 1:
        return amount
    nearest = Fraction(round(scaled), 10**places)
    raise ParameterError(
        f"{name} {_shown(value)} has more than {places} decimal places",
        detail="Budgets are added exactly, so each amount must be a short decimal.",
        hint=f"Did you mean {float(nearest)!r}?",
    )


def _shown(value: object) -> str:
    if not isinstance(value, (str, int, float, Decimal, Fraction)):  # it may be private data
        return f"of type {type(value).__name__[:40]}"
    try:
        return repr(value[:40]) if isinstance(value, str) else str(value)[:40]
    except ValueError:  # Python prints no integer of more than 4300 digits
        return "with thousands of digits"


def half_of(memory: str) -> str:
    """Halve a size of memory.

    >>> half_of("300MB"), half_of("1GiB")
    ('150MB', '512MiB')
    """
    unit = memory[-3:] if memory.endswith("iB") else memory[-2:]
    number = int(memory.removesuffix(unit))
    if unit.startswith("G"):
        return f"{number * (512 if unit == 'GiB' else 500)}{unit.replace('G', 'M')}"
    return f"{max(number // 2, 1)}{unit}"


def parse_memory(text: str) -> str:
    """Check a size of memory in DuckDB's notation, and return it. Errors: ParameterError.

    >>> parse_memory("2GB")
    '2GB'
    """
    if _MEMORY.fullmatch(text) is None:
        raise ParameterError(
            f"{text[:40]!r} is not a size of memory",
            detail="It is a whole number of MB, GB, MiB or GiB.",
            hint="Write 4GB.",
        )
    return text


def bytes_of(size: str) -> int:
    """The bytes of a size that `parse_memory` has checked.

    >>> bytes_of("2GB"), bytes_of("1MiB")
    (2000000000, 1048576)
    """
    number, unit = int(size.rstrip("BGMi")), size.lstrip("0123456789")
    return number * _BYTES[unit]


def size_text(size: int) -> str:
    """Bytes for people, with as many figures as matter.

    >>> [size_text(n) for n in (512, 21_300, 1_840_000, 250_000_000)]
    ['1 kB', '21 kB', '1.8 MB', '250 MB']
    """
    if size < 10**6:
        return f"{max(round(size / 1000), 1 if size else 0)} kB"
    return f"{size / 10**6:,.1f} MB" if size < 10**7 else f"{size / 10**6:,.0f} MB"
