"""Values that may be stored, but that DuckDB's functions fail on: they are read as NULL.

A date before the first that DuckDB computes with, or a decimal of more digits than declared, comes out of
other programs' files and arrays. One would make each query that computes with its column fail.
"""

from __future__ import annotations

import re
from decimal import Decimal

DECIMAL = re.compile(r"DECIMAL\(([0-9]+),([0-9]+)\)", re.ASCII)
# The first values that DuckDB's functions accept.
_FIRST = {
    "DATE": "5877642-06-25 (BC)",
    "TIMESTAMP": "290309-12-22 (BC) 00:00:00",
    "TIMESTAMP WITH TIME ZONE": "290309-12-22 (BC) 00:00:00+00",
    "TIMESTAMP_NS": "1677-09-22 00:00:00",
}


def limits(kind: str, name: str) -> str | None:
    """SQL of whether a value is within what functions accept; None if each value of the type is.

    Input: DuckDB's name of the type; SQL of the value.
    """
    decimal = DECIMAL.fullmatch(kind)
    if decimal:
        most = format(Decimal(f"{'9' * int(decimal[1])}e-{decimal[2]}"), "f")
        ends = [f"CAST('{sign}{most}' AS {kind})" for sign in ("-", "")]
        return f"{name} BETWEEN {ends[0]} AND {ends[1]}"
    if kind in _FIRST:
        return f"({name} >= {kind} '{_FIRST[kind]}' OR {name} = {kind} '-infinity')"
    return None
