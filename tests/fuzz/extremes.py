"""A grammar of row expressions that go to the ends of all types: every function, every kind of operand.

Forms are filled by `rowwise.Rowwise` over the columns of `tests.query.samples`, whose rows hold extreme
values of every type.
"""

from __future__ import annotations

from dpduck.catalog.types import INTEGER_RANGES, SqlType, parse_type
from dpduck.query.private.datetimes import COUNTABLE
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

FORMS: dict[str, tuple[str, ...]] = {
    "integer": (
        *(f"({{integer}} {sign} {{integer}})" for sign in ("+", "-", "*", "//", "%")),
        *(f"({{integer}} {sign} {{i}})" for sign in ("+", "-", "*", "//", "%")),
        *(f"({{i}} {sign} {{integer}})" for sign in ("+", "-", "*", "//", "%")),
        *(f"({{i}} {sign} {{i}})" for sign in ("+", "-", "*", "//", "%")),
        "(- {integer})",
        "(- {i})",
        "abs({integer})",
        "sign({number})",
        "round({integer}, {p})",
        "trunc({integer}, {p})",
        "coalesce({integer}, {i})",
        "coalesce({i}, {integer}, {i})",
        "nullif({integer}, {i})",
        "nullif({i}, {integer})",
        "greatest({integer}, {i}, {integer})",
        "least({i}, {integer})",
        "length({text})",
        "strlen({text})",
        "strpos({text}, {s})",
        "CASE WHEN {test} THEN {integer} ELSE {i} END",
        "CASE WHEN {test} THEN {i} ELSE {i} END",
        "CASE WHEN {test} THEN {i} END",
        "CASE {integer} WHEN {i} THEN {i} WHEN {integer} THEN {integer} END",
        "if({test}, {i}, {integer})",
        "CAST({pure} AS {whole})",
        "CAST({number} AS {whole})",
        "CAST({i} AS {whole})",
        "TRY_CAST({number} AS {whole})",
        "CAST({bool} AS {whole})",
        "date_part('{unit}', {date})",
        "date_part('{unit}', {moment})",
        "extract(epoch FROM {moment})::BIGINT",
        "date_diff('{unit}', {date}, {moment})",
        "date_diff('{unit}', {date}, {date})",
        "date_sub('{unit}', {moment}, {moment})",
        "epoch_ms({moment})",
        "({date} - {date})",
        "({d} - {date})",
    ),
    "number": (
        "{integer}",
        *(f"({{number}} {sign} {{number}})" for sign in ("+", "-", "*", "/", "//", "%")),
        *(f"({{number}} {sign} {{n}})" for sign in ("+", "-", "*", "/", "//", "%")),
        *(f"({{n}} {sign} {{number}})" for sign in ("+", "-", "*", "/", "//", "%")),
        *(f"({{n}} {sign} {{n}})" for sign in ("+", "-", "*", "/", "//", "%")),
        "(- {number})",
        "abs({number})",
        "sqrt({number})",
        "cbrt({number})",
        "ln({number})",
        "log2({number})",
        "log10({number})",
        "exp({number})",
        "pow({number}, {number})",
        "floor({number})",
        "ceil({number})",
        "round({number})",
        "round({number}, {p})",
        "round({n}, {p})",
        "trunc({number})",
        "trunc({number}, {p})",
        "CAST({number} AS {type})",
        "CAST({n} AS {type})",
        "CAST({pure} AS {type})",
        "CAST({bool} AS {type})",
        "round(CAST({number} AS {type}), {p})",
        "coalesce({number}, {n})",
        "coalesce({number}, {number})",
        "nullif({number}, {number})",
        "greatest({number}, {n})",
        "least({number}, {number})",
        "CASE WHEN {test} THEN {number} ELSE {number} END",
        "CASE WHEN {test} THEN {n} ELSE {number} END",
        "CASE WHEN {test} THEN {n} WHEN {test} THEN {n} END",
        "CASE {number} WHEN {n} THEN {number} ELSE {n} END",
    ),
    "text": (
        "lower({text})",
        "upper({text})",
        "reverse({text})",
        "trim({text})",
        "ltrim({text}, 'aé')",
        "substr({text}, {integer}, {integer})",
        "substr({text}, {i}, {integer})",
        "substr({text}, {place}, {place})",
        "left({text}, {integer})",
        "right({text}, {place})",
        "replace({text}, 'a', 'éé')",
        "split_part({text}, ',', {place})",
        "({text} || {t})",
        "({number} || {text})",
        "({text} || {n})",
        "concat({text}, {number}, {moment})",
        "concat_ws('-', {text}, {d}, {bool})",
        "coalesce({text}, {t})",
        "nullif({text}, {t})",
        "greatest({text}, {t})",
        "CASE WHEN {test} THEN {text} ELSE {t} END",
        "CAST({number} AS VARCHAR)",
        "CAST({n} AS VARCHAR)",
        "CAST({date} AS VARCHAR)",
        "CAST({moment} AS VARCHAR)",
        "regexp_replace({text}, '[a-f]|日', '<\\0>', 'g')",
        "regexp_extract({text}, '([0-9]+)', 1)",
        "regexp_extract({t}, '(.*)', 1)",
        "strftime({date}, '%Y-%m-%d %a %b %j %u %V')",
        "strftime({moment}, '%c %x %X %f %g %p')",
        "dayname({date})",
        "monthname({moment})",
    ),
    "date": (
        "CAST({moment} AS DATE)",
        "CAST({pure} AS DATE)",
        "({date} + {integer})",
        "({date} - {integer})",
        "({integer} + {date})",
        "({date} + {days})",
        "({d} + {integer})",
        "last_day({date})",
        "last_day({moment})",
        "coalesce({date}, {d})",
        "greatest({date}, {date})",
        "nullif({date}, {d})",
        "CASE WHEN {test} THEN {date} ELSE {d} END",
    ),
    "moment": (
        "date_trunc('{unit}', {moment})",
        "date_trunc('{unit}', {date})",
        "date_trunc('{unit}', {m})",
        "({moment} + INTERVAL {length})",
        "({moment} - INTERVAL {length})",
        "({date} + INTERVAL {length})",
        "({m} - INTERVAL {length})",
        "time_bucket(INTERVAL {width}, {moment})",
        "time_bucket(INTERVAL {width}, {date})",
        "date_bin(INTERVAL 7 DAY, {moment}, TIMESTAMP '0001-01-01')",
        "CAST({date} AS TIMESTAMP)",
        "CAST({pure} AS TIMESTAMP)",
        "coalesce({moment}, {date})",
        "least({moment}, {m})",
        "CASE WHEN {test} THEN {moment} ELSE {date} END",
    ),
    "bool": ("({test})",),
    "test": (
        *(f"{{number}} {sign} {{number}}" for sign in ("=", "<>", "<", ">=", "IS DISTINCT FROM")),
        *(f"{{number}} {sign} {{n}}" for sign in ("=", "<", ">", "IS NOT DISTINCT FROM")),
        "{n} <= {number}",
        "{i} < {i}",
        "{number} BETWEEN {n} AND {number}",
        "{integer} IN ({i}, {i}, {i})",
        "{number} NOT IN ({n}, NULL)",
        "{number} IS NULL",
        "{text} < {text}",
        "{text} = {t}",
        "{text} IN ({t}, {t})",
        "{text} LIKE '%é_a%'",
        "{text} ILIKE 'a%'",
        "starts_with({text}, 'a')",
        "contains({text}, '')",
        "regexp_matches({text}, '^[a-h]+$')",
        "regexp_matches({t}, '[0-9]')",
        "{date} >= {moment}",
        "{date} < {d}",
        "{moment} > {m}",
        "{moment} BETWEEN {date} AND {m}",
        "{moment} IS NOT DISTINCT FROM {date}",
        "isfinite({date})",
        "isinf({moment})",
        "isnan({number})",
        "isfinite({number})",
        "{bool}",
        "{bool} = {bool}",
        "{bool} IS NOT TRUE",
        "NOT ({test})",
        "({test} AND {test})",
        "({test} OR {test})",
    ),
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
