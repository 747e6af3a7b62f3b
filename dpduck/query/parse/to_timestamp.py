"""Folds Postgres' TO_TIMESTAMP('2024-01-31 12:30:00', 'YYYY-MM-DD HH24:MI:SS') and TO_DATE to constants.

Both arguments are constants, so the call is one too: TIMESTAMP '2024-01-31 12:30:00'. Times are in UTC.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from sqlglot import exp

_DAY = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
_TIME = "[0-9]{2}:[0-9]{2}:[0-9]{2}"
_FORMATS = {
    "YYYY-MM-DD": _DAY,
    "YYYY-MM-DD HH24:MI:SS": f"{_DAY} {_TIME}",
    "YYYY-MM-DD HH24:MI:SS.MS": f"{_DAY} {_TIME}[.][0-9]{{3}}",
    "YYYY-MM-DD HH24:MI:SS.US": f"{_DAY} {_TIME}[.][0-9]{{6}}",
}


def fold_constant(name: str, arguments: Sequence[exp.Expr], kind: exp.DType) -> exp.Expr:
    """Return the typed literal that a string and its format denote.

    For other arguments it returns the call, which the validator refuses since no allow-list contains it.

    >>> from sqlglot import parse_one
    >>> texts = [parse_one("'2024-01-31'"), parse_one("'YYYY-MM-DD'")]
    >>> fold_constant("to_date", texts, exp.DType.DATE).sql()
    "CAST('2024-01-31' AS DATE)"
    """
    call = exp.Anonymous(this=name, expressions=arguments)
    if len(arguments) != 2 or not all(isinstance(one, exp.Literal) and one.is_string for one in arguments):
        return call
    text, form = (str(one.this) for one in arguments)
    pattern = _FORMATS.get(form.upper())
    if pattern is None or re.fullmatch(pattern, text, re.ASCII) is None:
        return call
    return exp.cast(exp.Literal.string(text[:10] if kind is exp.DType.DATE else text), kind)
