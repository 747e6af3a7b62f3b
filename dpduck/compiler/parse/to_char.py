"""PostgreSQL's to_char(moment, 'YYYY-MM') as DuckDB's strftime, where both write the same text.

Patterns are those of PostgreSQL's documentation, "Template Patterns for Date/Time Formatting", in upper or in
lower case where case does not matter. What strftime cannot write is left as it is, and refused: quarters,
weeks that begin with the year, ordinals, names in capitals, and all patterns of numbers. Of years before
1000 and after 9999 the texts differ.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from sqlglot import exp

_NUMBERS = {
    "YYYY": "Y",
    "YY": "y",
    "MM": "m",
    "DDD": "j",
    "DD": "d",
    "HH24": "H",
    "HH12": "I",
    "HH": "I",
    "MI": "M",
    "SS": "S",
    "MS": "g",
    "US": "f",
    "IYYY": "G",
    "IW": "V",
    "ID": "u",
}
_NAMES = {"Mon": "b", "Dy": "a", "AM": "p", "PM": "p"}
_PADDED = {"Month": "B", "Day": "A"}  # with blanks to nine characters, but for FM
_WIDTH = 9
_NEVER_PADDED = ("Mon", "Dy")
_UNPADDED = ("MM", "DDD", "DD", "HH24", "HH12", "HH", "MI", "SS")
# Beginnings of other patterns, which would be taken for shorter ones.
_OTHERS = ("SSSSS", "SSSS", "IDDD", "IYY", "YYYYY", "YYY", "TH", "th")
_CODES = {**_NUMBERS, **{name.lower(): code for name, code in _NUMBERS.items()}, **_NAMES}
_WORDS = sorted({*_CODES, *_PADDED, *_OTHERS}, key=len, reverse=True)
_PART = re.compile(rf'(FM)?({"|".join(_WORDS)})|"([^"\\%]*)"|([-/., :;]+)')


def to_char(arguments: Sequence[exp.Expr]) -> exp.Expr:
    """Return strftime of a moment, or to_char as it is written if that is not the same.

    >>> to_char([exp.column("d"), exp.Literal.string("YYYY-MM")]).sql(dialect="duckdb")
    "STRFTIME(d, '%Y-%m')"
    >>> to_char([exp.column("d"), exp.Literal.string("FMDay")]).sql(dialect="duckdb")
    "STRFTIME(d, '%A')"
    """
    if len(arguments) != 2:
        return exp.Anonymous(this="to_char", expressions=list(arguments))
    moment, pattern = arguments
    text = pattern.name if isinstance(pattern, exp.Literal) and pattern.is_string else ""
    if text in _PADDED:
        return _padded(_written(moment, f"%{_PADDED[text]}"))
    found = strftime_format(text)
    return exp.ToChar(this=moment, format=pattern) if found is None else _written(moment, found)


def strftime_format(pattern: str) -> str | None:
    """Return the format of strftime that writes the same as a pattern of to_char; None if there is none.

    >>> strftime_format("DD.MM.YYYY HH24:MI"), strftime_format('YYYY-"W"IW'), strftime_format("Q")
    ('%d.%m.%Y %H:%M', '%Y-W%V', None)
    """
    parts, place = [], 0
    while place < len(pattern):
        found = _PART.match(pattern, place)
        code = None if found is None else _code(found)
        if found is None or code is None:
            return None
        parts.append(code)
        place = found.end()
    text = "".join(parts)
    return text if "%" in text else None


def _code(found: re.Match[str]) -> str | None:
    modifier, word, quoted, between = found.groups()
    if word is None:
        return str(between if quoted is None else quoted)
    if modifier is None:
        return f"%{_CODES[word]}" if word in _CODES else None
    if word in _PADDED:
        return f"%{_PADDED[word]}"
    if word in _NEVER_PADDED:
        return f"%{_CODES[word]}"
    return f"%-{_CODES[word]}" if word.upper() in _UNPADDED else None


def _written(moment: exp.Expr, text: str) -> exp.Expr:
    return exp.TimeToStr(this=moment, format=exp.Literal.string(text))


def _padded(name: exp.Expr) -> exp.Expr:
    """A name with blanks behind it, to nine characters."""
    blanks = exp.Literal.string(" " * _WIDTH)
    joined = exp.DPipe(this=name, expression=blanks, safe=True)
    return exp.Left(this=joined, expression=exp.Literal.number(_WIDTH))
