"""A grammar of row expressions that go to the ends of all types: every function, every kind of operand.

The forms are those of `tests.query.function_cases`, filled by `rowwise.Rowwise` over the columns of
`tests.query.samples`, whose rows hold extreme values of every type.
"""

from __future__ import annotations

import re
from itertools import product

from dpduck.compiler.private.datetimes import COUNTABLE
from dpduck.kernel.catalog.types import INTEGER_RANGES, SqlType, parse_type
from tests.query.function_cases import forms as forms_of
from tests.query.samples import TYPES

_DECIMALS = (
    "DECIMAL(1,0)",
    "DECIMAL(4,4)",
    "DECIMAL(9,2)",
    "DECIMAL(18,0)",
    "DECIMAL(18,18)",
    "DECIMAL(19,4)",
)
_LONG_DECIMALS = ("DECIMAL(37,0)", "DECIMAL(38,0)", "DECIMAL(38,10)", "DECIMAL(38,37)", "DECIMAL(38,38)")
NUMBER_TYPES = (*INTEGER_RANGES, *_DECIMALS, *_LONG_DECIMALS, "FLOAT", "DOUBLE")
_UNITS = (*sorted(COUNTABLE), "isoyear", "dow", "doy", "isodow", "epoch", "era", "yearweek")

COLUMNS = {
    name: {"date": "date", "timestamp": "moment", "boolean": "bool"}.get(kind, kind)
    for name, kind in ((name, parse_type(type_name).kind) for name, type_name in TYPES.items())
    if kind != "other"
}


def ends_of(type_name: str) -> list[str]:
    """The least and the greatest value of a type of numbers, as digits."""
    sql_type = parse_type(type_name)
    if sql_type.kind == "float":
        large = "1.7976931348623157e308" if type_name == "DOUBLE" else "3.4028234e38"
        return [f"-{large}", large]
    return [_digits(tick, sql_type) for tick in sql_type.ticks]


def _digits(ticks: int, sql_type: SqlType) -> str:
    sign, text = "-" if ticks < 0 else "", str(abs(ticks)).rjust(sql_type.scale + 1, "0")
    places = sql_type.scale
    return sign + (f"{text[:-places]}.{text[-places:]}" if places else text)


_ENDS = tuple(dict.fromkeys(end for name in NUMBER_TYPES for end in ends_of(name)))
_WHOLE_ENDS = tuple(end for end in _ENDS if end.lstrip("-").isdigit() and len(end) < 40)

# What is no function; the holes are filled as `rowwise` says.
_PLAIN = {"number": ("{integer}",), "bool": ("({test})",), "test": ("{bool}",)}
FORMS: dict[str, tuple[str, ...]] = {
    kind: (*_PLAIN.get(kind, ()), *forms_of(kind))
    for kind in ("integer", "number", "text", "date", "moment", "bool", "test")
}
CONSTANTS: dict[str, tuple[str, ...]] = {
    "i": ("0", "1", "-1", "2", "7", "-100000", "100000", "NULL", *_WHOLE_ENDS),
    "n": ("0", "-1", "0.0", "2.5", "-0.5", "1e3", "1e308", "-1e-308", "1e39", "NULL", *_ENDS),
    "p": (
        "-40",
        "-38",
        "-37",
        "-19",
        "-10",
        "-5",
        "-4",
        "-3",
        "-2",
        "-1",
        "0",
        "1",
        "2",
        "4",
        "10",
        "38",
        "40",
    ),
    "place": ("0", "1", "-1", "3", "-3", "4294967295", "-4294967295"),
    "days": ("0", "1", "100000000", "-100000000"),
    "t": (
        "''",
        "'a'",
        "'x''y'",
        "'ü'",
        "'日本'",
        "'1'",
        "'9999999999999999999999999999999999999999'",
        "NULL",
    ),
    "s": ("'a'", "''", "'é'"),
    "d": ("DATE '0001-01-01'", "DATE '9999-12-31'", "DATE '2024-02-29'"),
    "m": ("TIMESTAMP '0001-01-01'", "TIMESTAMP '9999-12-31 23:59:59.999999'", "NULL"),
    "unit": _UNITS,
    "type": NUMBER_TYPES,
    "whole": tuple(INTEGER_RANGES),
    "length": ("1 DAY", "10000 YEAR", "9999 YEAR", "-10000 YEAR", "'1 month 1 microsecond'", "3652425 DAY"),
    "width": ("1 MICROSECOND", "1 SECOND", "7 DAY", "3652425 DAY", "1 MONTH", "9999 YEAR"),
}
_OPERANDS = {"number": ("number", "integer"), "moment": ("moment", "date"), "text": ("text", "pure")}
_HOLE = re.compile(r"\{([a-z]+)\}")


def forms_of_one(operand: str) -> list[str]:
    """The forms of one operand, of the kind, left open as {}: those with a unit of time with each."""
    found = []
    for form, unit in product((form for forms in FORMS.values() for form in forms), _UNITS):
        text = form.replace("{unit}", unit)
        holes = _HOLE.findall(text)
        if len(holes) == 1 and holes[0] in _OPERANDS[operand]:
            found.append(_HOLE.sub("{}", text))
    return list(dict.fromkeys(found))
