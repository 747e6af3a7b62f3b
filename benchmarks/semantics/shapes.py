"""What an argument is written as: a column, a literal, a cast literal, NULL, an end, a subquery, a list.

A hole of a form names the kind of its argument, such as {number}. A capital letter does not stand in it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

from benchmarks.semantics.rows import COLUMNS
from dpduck.kernel.catalog.types import INTEGER_RANGES, parse_type
from tests.fuzz.extremes import CONSTANTS, NUMBER_TYPES, ends_of

_DECIMALS = ("DECIMAL(5,0)", "DECIMAL(3,1)", "DECIMAL(9,2)", "DECIMAL(18,3)", "DECIMAL(38,10)")
_OF_KIND: Mapping[str, tuple[str, ...]] = {
    "integer": tuple(INTEGER_RANGES),
    "decimal": _DECIMALS,
    "number": (*INTEGER_RANGES, *_DECIMALS, "DOUBLE", "FLOAT"),
    "text": ("VARCHAR",),
    "date": ("DATE",),
    "moment": ("TIMESTAMP", "DATE"),
    "zoned": ("TIMESTAMPTZ",),
    "bool": ("BOOLEAN",),
    "interval": ("INTERVAL",),
    "blob": ("BLOB",),
    "bit": ("BIT",),
    "time": ("TIME",),
}
_TYPES_OF_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "integer": ("integer",),
    "decimal": ("decimal",),
    "number": ("integer", "decimal", "float"),
    "text": ("text", "enum"),
    "date": ("date",),
    "moment": ("timestamp", "date"),
    "bool": ("boolean",),
}
_BY_NAME = {"zoned": ["tz"], "list": ["l"], "numbers": ["l"]}
_LITERALS: Mapping[str, tuple[str, ...]] = {
    "integer": ("0", "1", "-1", "2", "3", "7", "100", "'1'", "'7'", "' 12 '"),
    "decimal": ("0.0", "0.5", "-2.5", "1.25", "2.50", "'2.5'"),
    "number": ("0", "1", "-1", "2", "7", "0.5", "-2.5", "2.50", "1e3", "1e-3", "'7'", "'2.5'", "'inf'"),
    "text": (
        *("''", "'a'", "'abc'", "'ABC'", "'%'", "'a%'", "'_'", "'a,b'", "'a,b,c'", "'é'", "'日本'"),
        *("'1'", "'2024-02-29'", "'low'", "'  x  '", "'0.5'", "'inf'"),
    ),
    "date": ("DATE '2024-02-29'", "'2024-02-29'", "DATE '1970-01-01'", "'2024-02-29 13:30:00'"),
    "moment": (
        *("TIMESTAMP '2024-02-29 23:59:59.999999'", "'2024-02-29 23:59:59.999999'", "DATE '2024-02-29'"),
        *("'2024-02-29'", "TIMESTAMP '1970-01-01'", "'2024-01-01 12:00:00+02'", "'1970-01-01T00:00:00Z'"),
    ),
    "zoned": ("TIMESTAMPTZ '2024-02-29 23:59:59+00'", "'2024-01-01 12:00:00+02'", "'2024-02-29'"),
    "bool": ("TRUE", "FALSE", "'true'", "'f'"),
    "interval": ("INTERVAL 1 DAY", "INTERVAL '1 month 2 days'", "INTERVAL 36 HOUR"),
    "blob": ("'abc'::BLOB", r"'\xAA\x00'::BLOB"),
    "bit": ("'0101'::BIT",),
    "time": ("TIME '12:34:56.789'", "'12:00:00'"),
    "list": ("[1, 2, NULL]", "['a', 'b']", "[]", "[0.5, 2.5]", "[DATE '2024-02-29']"),
    "texts": ("['a', 'b', NULL]", "['abc']"),
    "numbers": ("[1.0, 2.5]", "[1, 2]::DOUBLE[]", "[0.5, 1.5]::DOUBLE[]"),
}
_CAST_TEXTS: Mapping[str, tuple[str, ...]] = {
    "integer": ("'7'", "7", "2.5", "'-1'", "1.5", "3"),
    "decimal": ("2.5", "'2.5'", "0.45", "-0.5", "'1.25'", "7"),
    "number": ("2.5", "'2.5'", "0.45", "-0.5", "7", "'7'", "1.25"),
    "text": ("'abc'", "7", "2.50", "DATE '2024-02-29'", "TRUE", "1e3"),
    "date": ("'2024-02-29'", "'2024-02-29 13:30:00'", "TIMESTAMP '2024-02-29 13:30:00'"),
    "moment": ("'2024-02-29 13:30:00'", "'2024-01-01 12:00:00+02'", "'2024-02-29'", "DATE '1970-01-01'"),
    "zoned": ("'2024-02-29 13:30:00+00'", "TIMESTAMP '2024-02-29 13:30:00'", "'2024-01-01 12:00:00+02'"),
    "bool": ("'true'", "1", "0", "'f'"),
    "interval": ("'1 day'",),
    "blob": ("'abc'",),
    "bit": ("'0101'",),
    "time": ("'12:34:56'",),
}
_ENDS: Mapping[str, tuple[str, ...]] = {
    "text": ("''", f"'{'9' * 40}'", "chr(0)"),
    "date": ("DATE '0001-01-01'", "DATE '9999-12-31'", "DATE 'infinity'", "'-infinity'"),
    "moment": ("TIMESTAMP '0001-01-01'", "TIMESTAMP '9999-12-31 23:59:59.999999'", "'infinity'"),
    "zoned": ("TIMESTAMPTZ '9999-12-31 23:59:59.999999+00'",),
}
_CONSTANT_HOLES = {"i": "integer", "n": "number", "t": "text", "s": "text", "d": "date", "m": "moment"}
_ANY = ("integer", "decimal", "number", "text", "date", "moment", "zoned", "bool")
_LISTS = ("list", "texts", "numbers")


def column(kind: str, chance: random.Random) -> str:
    names = _BY_NAME.get(kind) or [
        name for name, type_name in COLUMNS.items() if _kind(type_name) in _TYPES_OF_COLUMNS.get(kind, ())
    ]
    return chance.choice(names) if names else literal(kind, chance)


def literal(kind: str, chance: random.Random) -> str:
    return chance.choice(_LITERALS[kind])


def cast_literal(kind: str, chance: random.Random) -> str:
    if kind in _LISTS:
        return literal(kind, chance)
    text, target = chance.choice(_CAST_TEXTS[kind]), chance.choice(_OF_KIND[kind])
    forms = ("CAST({} AS {})", "({})::{}", "TRY_CAST({} AS {})")
    return chance.choice(forms[:2] * 2 + forms[2:]).format(text, target)


def null(kind: str, chance: random.Random) -> str:
    return chance.choice(("NULL", f"NULL::{chance.choice(_OF_KIND[kind])}")) if kind in _OF_KIND else "NULL"


def end(kind: str, chance: random.Random) -> str:
    if kind in _ENDS:
        return chance.choice(_ENDS[kind])
    types = [name for name in _OF_KIND.get(kind, ()) if name in NUMBER_TYPES]
    if not types:
        return literal(kind, chance)
    target = chance.choice(types)
    return chance.choice(("{}", "({})::{}", "CAST('{}' AS {})")).format(
        chance.choice(ends_of(target)), target
    )


def subquery(kind: str, chance: random.Random) -> str:
    return f"(SELECT {chance.choice((literal, cast_literal))(kind, chance)})"


Shape = Callable[[str, random.Random], str]
SHAPES: Mapping[str, Shape] = {
    "column": column,
    "literal": literal,
    "cast literal": cast_literal,
    "NULL": null,
    "end": end,
    "subquery": subquery,
}
CONSTANT_SHAPES = tuple(name for name in SHAPES if name != "column")


def filled(hole: str, chance: random.Random) -> tuple[str, str]:
    """An argument for a hole, and the name of its shape."""
    if hole in CONSTANTS and hole not in _CONSTANT_HOLES:
        return chance.choice(CONSTANTS[hole]), "word"
    if hole == "test":
        return f"{column('number', chance)} > {literal('number', chance)}", "test"
    kind = {"any": chance.choice(_ANY), "pure": "text"}.get(hole, _CONSTANT_HOLES.get(hole, hole))
    names = CONSTANT_SHAPES if hole in _CONSTANT_HOLES else ("column", "column", "column", *SHAPES)
    name = chance.choice(names)
    return SHAPES[name](kind, chance), "list" if kind in _LISTS and name != "column" else name


def _kind(type_name: str) -> str:
    return parse_type(type_name).kind
