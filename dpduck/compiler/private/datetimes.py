"""Functions of dates and timestamps, as total functions; see `ordinary_datetimes`."""

from __future__ import annotations

import re
from collections.abc import Callable

from sqlglot import exp

from dpduck.compiler.parse.nodes import refusal, unwrap
from dpduck.compiler.private import datetime_domains
from dpduck.compiler.private.datetime_domains import MICROSECONDS, MONTHS
from dpduck.compiler.private.operands import (
    Constant,
    ExpressionReader,
    Operand,
    constant_argument,
    constant_of,
    literal,
    only_argument,
    typed_constant,
    wrong_type,
)
from dpduck.compiler.private.ordinary_datetimes import ordinary
from dpduck.compiler.private.type_rules import BIGINT, DATE, DOUBLE, TIMESTAMP, VARCHAR
from dpduck.compiler.private.utc import with_zone_of, without_zone
from dpduck.kernel.catalog.types import SqlType
from dpduck.kernel.plan.expression import Typed
from dpduck.kernel.tree import build
from dpduck.kernel.tree.nodes import Expression

MAX_FORMAT = 100

DAYS = {"day": 1, "week": 7}
UNITS = {
    **{name: name for name in (*MICROSECONDS, *DAYS, *MONTHS)},
    **dict.fromkeys(("microseconds", "us", "usec", "usecs", "usecond", "useconds"), "microsecond"),
    **dict.fromkeys(("milliseconds", "ms", "msec", "msecs", "msecond", "mseconds"), "millisecond"),
    **dict.fromkeys(("seconds", "s", "sec", "secs"), "second"),
    **dict.fromkeys(("minutes", "m", "min", "mins"), "minute"),
    **dict.fromkeys(("hours", "h", "hr", "hrs"), "hour"),
    **dict.fromkeys(("days", "d", "dayofmonth"), "day"),
    **dict.fromkeys(("weeks", "w", "weekofyear"), "week"),
    **dict.fromkeys(("months", "mon", "mons"), "month"),
    **dict.fromkeys(("quarters",), "quarter"),
    **dict.fromkeys(("years", "y", "yr", "yrs"), "year"),
    **dict.fromkeys(("decades", "dec", "decs"), "decade"),
    **dict.fromkeys(("centuries", "cent", "c"), "century"),
    **dict.fromkeys(("millennia", "mil", "mils", "millenniums"), "millennium"),
    **dict.fromkeys(("dayofweek", "weekday", "dow"), "dow"),
    **dict.fromkeys(("dayofyear", "doy"), "doy"),
    **{name: name for name in ("isodow", "isoyear", "yearweek", "epoch", "era")},
}
_TRUNCABLE = frozenset((*MICROSECONDS, *DAYS, *MONTHS, "isoyear"))
COUNTABLE = frozenset((*MICROSECONDS, *DAYS, *MONTHS))
_TOTAL_PARTS = frozenset(UNITS.values()) - {"week", "isoyear", "yearweek"}
_OF_ERA = ("year", "decade")  # of a time with a zone, whose years before Christ are positive in DuckDB
_PART_FUNCTIONS = {"dow": "dayofweek", "doy": "dayofyear"}  # date_part(NULL) would be a DOUBLE
_UNIT_HINT = "Write one of year, quarter, month, week, day, hour, minute, second."

# %h is left out: DuckDB 1.5 and 2.0 write bytes of uninitialised memory for it.
_FORMAT = re.compile(r"(?:[^%]|%-?[dmyHIMSj]|%[aAbBpYfgGuUVwWnxXc%])*")


def datetime_argument(reader: ExpressionReader, node: exp.Expr, part: exp.Expr) -> Typed:
    """Return an argument that is a date or timestamp, without its time zone: it is a TIMESTAMP in UTC."""
    return without_zone(zoned_argument(reader, node, part))


def zoned_argument(reader: ExpressionReader, node: exp.Expr, part: exp.Expr) -> Typed:
    """Return an argument that is a date or timestamp; a string literal is coerced to TIMESTAMP."""
    return _moment(reader.operand(part), TIMESTAMP, node)


def _moment(value: Operand, text_type: SqlType, node: exp.Expr) -> Typed:
    """Return an operand that is a date or timestamp; a string literal is coerced to a type of these."""
    if isinstance(value, Constant):
        if isinstance(value.value, str):
            return Typed(literal(value, text_type, node), text_type)
        value = typed_constant(value) if value.value is not None else Typed.of(build.null(TIMESTAMP))
    if value.type.kind not in ("date", "timestamp"):
        raise wrong_type(node, value, "a date or timestamp", "Convert text with CAST(x AS DATE).")
    return value


def unit_of(node: exp.Expr | None, call: exp.Expr) -> str:
    """Return the canonical name of a unit of time. Errors: UnsupportedSqlError for an unknown one."""
    node = None if node is None else unwrap(node)
    name = node.name if isinstance(node, exp.Var) else None
    if name is None:
        constant = constant_argument(node, call, "the unit", _UNIT_HINT)
        name = constant.value if isinstance(constant.value, str) else ""
    unit = UNITS.get(name.lower())
    if unit is None:
        raise refusal(f"{name!r} is no unit of time here", "Units are words such as month.", _UNIT_HINT, call)
    return unit


def _check_unit(unit: str, units: frozenset[str], call: exp.Expr) -> None:
    if unit not in units:
        raise refusal(f"{unit!r} is not supported here", "It is no length of time.", _UNIT_HINT, call)


# --- parts ---------------------------------------------------------------------------------------


def _part(unit: str, given: Typed) -> Typed:
    value = without_zone(given)
    domain = datetime_domains.of_part(unit, value)
    if given.type.is_zoned and unit in _OF_ERA:
        return Typed.of(_year_of_era(value.node, unit), domain)
    is_total = unit in _TOTAL_PARTS or value.type == TIMESTAMP
    x = value.node if is_total else ordinary(value.node, value.type)
    result = DOUBLE if unit == "epoch" else BIGINT
    return Typed.of(build.call(_PART_FUNCTIONS.get(unit, unit), result, x), domain)


def _year_of_era(x: Expression, unit: str) -> Expression:
    """Return the year or decade of a TIMESTAMP, counted from 1 before Christ too."""
    year, one = build.call("year", BIGINT, x), build.literal(1, BIGINT)
    found = build.call("greatest", BIGINT, year, build.call("-", BIGINT, one, year))
    return found if unit == "year" else build.call("//", BIGINT, found, build.literal(10, BIGINT))


def part(unit: str) -> Callable[[exp.Expr, ExpressionReader], Typed]:
    """Return the writer of year(x), month(x) and the like."""

    def handler(node: exp.Expr, reader: ExpressionReader) -> Typed:
        argument = only_argument(node)
        return _part(unit, zoned_argument(reader, node, argument))

    return handler


def extract(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """Translate extract(unit FROM x)."""
    return _part(unit_of(node.this, node), zoned_argument(reader, node, node.args["expression"]))


def date_part(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """Translate date_part('unit', x)."""
    if len(node.expressions) != 2:
        raise refusal(
            "date_part takes a unit and a date",
            "DuckDB has no other form.",
            "Write date_part('year', x).",
            node,
        )
    unit, value = node.expressions
    return _part(unit_of(unit, node), zoned_argument(reader, node, value))


def epoch_milliseconds(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """Translate epoch_ms(x) of a date or timestamp."""
    value = datetime_argument(reader, node, node.this)
    return Typed.of(build.call("epoch_ms", BIGINT, ordinary(value.node, value.type)))


def name_of_part(name: str) -> Callable[[exp.Expr, ExpressionReader], Typed]:
    """Return the writer of dayname(x) or monthname(x)."""
    domain = datetime_domains.DAY_NAMES if name == "dayname" else datetime_domains.MONTH_NAMES

    def handler(node: exp.Expr, reader: ExpressionReader) -> Typed:
        return Typed.of(build.call(name, VARCHAR, datetime_argument(reader, node, node.this).node), domain)

    return handler


# --- truncation ----------------------------------------------------------------------------------


def date_trunc(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """Translate date_trunc('unit', x), a TIMESTAMP, with a time zone if x has one."""
    unit = unit_of(node.args.get("unit"), node)
    _check_unit(unit, _TRUNCABLE, node)
    given = zoned_argument(reader, node, node.this)
    value = without_zone(given)
    x = ordinary(value.node, value.type)
    found = build.call("date_trunc", TIMESTAMP, build.string(unit), x)
    return with_zone_of(given, Typed.of(found, datetime_domains.of_trunc(unit, value)))


def last_day(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """last_day(x): the last day of the month."""
    value = datetime_argument(reader, node, node.this)
    found = build.call("last_day", DATE, ordinary(value.node, value.type))
    return Typed.of(found, datetime_domains.of_last_day(value))


def strftime(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """strftime(x, format) with a constant format, in either order."""
    first, second = node.this, node.args["format"]
    if constant_of(first) is not None and constant_of(second) is None:
        first, second = second, first
    hint = "Write strftime(x, '%Y-%m-%d')."
    text = constant_argument(second, node, "the format of strftime", hint).value
    if not isinstance(text, str) or not _is_format(text):
        raise refusal(
            "this format is not supported",
            f"It has up to {MAX_FORMAT} characters, and % before some of aAbBcdfgGHIjmMnpSuUVwWxXyY%.",
            hint,
            node,
        )
    value = datetime_argument(reader, node, first)
    found = build.call("strftime", VARCHAR, ordinary(value.node, value.type), build.string(text))
    return Typed.of(found, datetime_domains.of_format(text, value))


def _is_format(text: str) -> bool:
    """Whether a strftime format is supported. It must hold %: the parser reads '' as 'None'."""
    return len(text) <= MAX_FORMAT and "%" in text and "\0" not in text and bool(_FORMAT.fullmatch(text))


# --- differences ---------------------------------------------------------------------------------


def date_diff(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """Translate date_diff('unit', start, end): the number of unit boundaries between them."""
    return _difference("date_diff", node.args.get("unit"), node.args["expression"], node.this, node, reader)


def date_sub(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """Translate date_sub('unit', start, end): the number of complete units between them."""
    if len(node.expressions) != 3:
        raise refusal(
            "date_sub takes a unit and two dates",
            "DuckDB has no other form.",
            "Write date_sub('day', a, b), or a - INTERVAL 1 DAY.",
            node,
        )
    unit, start, end = node.expressions
    return _difference("date_sub", unit, start, end, node, reader)


def _difference(
    name: str,
    unit_node: exp.Expr | None,
    start: exp.Expr,
    end: exp.Expr,
    node: exp.Expr,
    reader: ExpressionReader,
) -> Typed:
    unit = unit_of(unit_node, node)
    _check_unit(unit, COUNTABLE | {"isoyear"}, node)
    operands = [reader.operand(start), reader.operand(end)]
    # A text beside a date is a date, whatever time it says.
    text_type = DATE if any(operand.type == DATE for operand in operands) else TIMESTAMP
    values = [without_zone(_moment(operand, text_type, node)) for operand in operands]
    target = DATE if all(value.type == DATE for value in values) else TIMESTAMP
    bounds = [_as_type(value, target) for value in values]
    return Typed.of(build.call(name, BIGINT, build.string(unit), *bounds))


def _as_type(value: Typed, target: SqlType) -> Expression:
    x = ordinary(value.node, value.type)
    return x if value.type == target else build.converted(x, target)
