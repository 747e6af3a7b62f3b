"""Arithmetic of dates and timestamps with constant intervals, and time_bucket; see `datetimes`."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from sqlglot import exp

from dpduck.compiler.parse.nodes import refusal, unwrap
from dpduck.compiler.private import arithmetic, datetime_domains
from dpduck.compiler.private.casts import cast
from dpduck.compiler.private.datetime_domains import MICROSECONDS, MONTHS
from dpduck.compiler.private.datetimes import COUNTABLE, DAYS, UNITS, zoned_argument
from dpduck.compiler.private.operands import (
    Constant,
    ExpressionReader,
    Operand,
    as_typed,
    constant_of,
    value_in,
)
from dpduck.compiler.private.ordinary_datetimes import is_infinite, ordinary
from dpduck.compiler.private.type_rules import BIGINT, DATE, INTEGER, TIMESTAMP
from dpduck.compiler.private.utc import with_zone_of, without_zone
from dpduck.kernel.catalog.types import parse_type
from dpduck.kernel.errors import UnsupportedSqlError
from dpduck.kernel.plan.expression import Typed
from dpduck.kernel.tree import build
from dpduck.kernel.tree.nodes import Expression, Literal

# Adding MAX_DAYS to a date between these does not overflow.
_FIRST_DAY, _LAST_DAY = Literal("5000000-01-01 (BC)", DATE), Literal("5000000-12-31", DATE)
_INTERVAL = parse_type("INTERVAL")
MAX_DAYS = 100_000_000  # days that are added to a date
MAX_YEARS = 10_000  # length of an interval
_INTERVAL_PART = re.compile(r"\s*([+-]?[0-9]{1,18})\s*([A-Za-z]+)\s*")


@dataclass(frozen=True)
class Interval:
    """A constant interval."""

    months: int
    days: int
    microseconds: int

    @property
    def node(self) -> Literal:
        """A cast of a string: INTERVAL 1 DAY would call to_days(), which a user's macro may replace."""
        text = f"{self.months} months {self.days} days {self.microseconds} microseconds"
        return Literal(text, _INTERVAL)

    def negated(self) -> Interval:
        return Interval(-self.months, -self.days, -self.microseconds)


def interval_of(node: exp.Expr) -> Interval:
    """Return the interval of an INTERVAL literal. Errors: UnsupportedSqlError for any other node."""
    node = unwrap(node)
    parts = _interval_parts(node) if isinstance(node, exp.Interval) else None
    if not parts:
        raise _no_interval(node)
    months = days = microseconds = 0
    for count, name in parts:
        unit = UNITS.get(name.lower(), "")
        months += count * MONTHS.get(unit, 0)
        days += count * DAYS.get(unit, 0)
        microseconds += count * MICROSECONDS.get(unit, 0)
        if unit not in COUNTABLE:
            raise _no_interval(node)
    if abs(months) / 12 + abs(days) / 366 + abs(microseconds) / 86_400_000_000 / 366 > MAX_YEARS:
        raise refusal(
            "this interval is too long",
            f"It may be {MAX_YEARS} years, so that no date overflows.",
            "Write a shorter one.",
            node,
        )
    return Interval(months, days, microseconds)


def _interval_parts(node: exp.Interval) -> list[tuple[int, str]] | None:
    constant = None if node.this is None else constant_of(node.this)
    if constant is None:
        return None
    text = str(constant.value)
    unit = node.args.get("unit")
    if unit is not None:
        text = f"{text} {unit.name}" if isinstance(unit, exp.Var) else ""
    found = _INTERVAL_PART.findall(text)
    return [(int(count), name) for count, name in found] if _INTERVAL_PART.sub("", text) == "" else None


def _no_interval(node: exp.Expr) -> UnsupportedSqlError:
    return refusal(
        "this interval is not supported",
        "It must be a constant of whole years, months, weeks, days, hours, minutes or seconds.",
        "Write INTERVAL 7 DAY, or INTERVAL '1 day 12 hours'.",
        node,
    )


def sum_or_difference(symbol: str) -> Callable[[exp.Expr, ExpressionReader], Operand]:
    """Return the writer of + or -, of numbers, of dates and days, and of dates and intervals."""

    def handler(node: exp.Expr, reader: ExpressionReader) -> Operand:
        parts = (node.this, node.args["expression"])
        if any(isinstance(unwrap(part), exp.Interval) for part in parts):
            return plus_interval(node, reader)
        left, right = (reader.operand(part) for part in parts)
        if {"date", "timestamp"} & {left.type.kind, right.type.kind}:
            return _plus_or_minus(symbol, left, right, node)
        return arithmetic.compute(symbol, left, right, node)

    return handler


def plus_interval(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """Translate x + INTERVAL, x - INTERVAL, INTERVAL + x and date_add(x, INTERVAL), a TIMESTAMP.

    It has a time zone if x has one. Days and months are those of UTC.
    """
    left, right = node.this, node.args["expression"]
    if isinstance(unwrap(left), exp.Interval) and not isinstance(node, exp.Sub):
        left, right = right, left
    given, interval = zoned_argument(reader, node, left), interval_of(right)
    value = without_zone(given)
    symbol = "-" if isinstance(node, exp.Sub) else "+"
    moved = interval.negated() if symbol == "-" else interval
    domain = datetime_domains.moved(value.domain, moved.months, moved.days, moved.microseconds)
    found = build.call(symbol, TIMESTAMP, ordinary(value.node, value.type), interval.node)
    return with_zone_of(given, Typed.of(found, domain))


def _plus_or_minus(symbol: str, left: Operand, right: Operand, node: exp.Expr) -> Typed:
    """Return date + days, days + date, date - days or date - date."""
    if left.type.kind == "integer" and symbol == "+":
        left, right = right, left
    if left.type == DATE and right.type.kind == "integer":
        return _plus_days(symbol, left, right, node)
    if left.type == right.type == DATE and symbol == "-":
        return Typed.of(build.call("-", BIGINT, as_typed(left).node, as_typed(right).node))
    if left.type.kind == "timestamp" and right.type.kind in ("date", "timestamp"):
        detail, hint = "It would be an INTERVAL.", "Write date_diff('second', a, b), which gives a number."
    else:
        detail = f"The types are {left.type.name} and {right.type.name}."
        hint = "Write d + 7 with a DATE and an INTEGER, or t + INTERVAL 7 DAY."
    raise refusal(f"this {'sum' if symbol == '+' else 'difference'} is not supported", detail, hint, node)


def _plus_days(symbol: str, value: Operand, days: Operand, node: exp.Expr) -> Typed:
    x = as_typed(value).node
    inside = build.between(x, _FIRST_DAY, _LAST_DAY)
    bounded = build.only_where(build.any_of(inside, is_infinite(x)), x)
    domain = None
    if isinstance(days, Constant) and isinstance(days.value, int):
        if abs(days.value) > MAX_DAYS:
            raise refusal(
                "too many days are added", f"They may be {MAX_DAYS:,}.", "Write a smaller number.", node
            )
        count: Expression = build.literal(days.value, INTEGER)
        moved = days.value if symbol == "+" else -days.value
        domain = datetime_domains.moved_days(value.domain, moved) if isinstance(value, Typed) else None
    else:
        n = cast(as_typed(days).node, days.type, BIGINT)  # signed, to compare with -MAX_DAYS
        least, most = build.compared(-MAX_DAYS, BIGINT), build.compared(MAX_DAYS, BIGINT)
        count = cast(build.only_where(build.between(n, least, most), n), BIGINT, INTEGER)
    return Typed.of(build.call(symbol, DATE, bounded, count), domain)


def time_bucket(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """Translate time_bucket(INTERVAL, x) and date_bin(INTERVAL, x, origin), where `origin` starts a bucket.

    The width may also be a string literal. It is positive, and mixes no months with smaller units.
    """
    interval = _width(node.this)
    given = zoned_argument(reader, node, node.args["expression"])
    value = without_zone(given)
    parts = (interval.months, interval.days * 86_400_000_000 + interval.microseconds)
    if min(parts) != 0 or max(parts) == 0:
        raise refusal(
            "the width of a bucket is one positive length of time",
            "Months have no fixed length, and go with nothing smaller.",
            "Write time_bucket(INTERVAL 1 HOUR, x).",
            node,
        )
    origin = None if node.args.get("unit") is None else _origin(node, parts[1], value)
    domain = datetime_domains.of_bucket(parts[1], value, origin) if parts[1] else None
    begins = [] if origin is None else [build.literal(origin, TIMESTAMP)]
    x = ordinary(value.node, value.type)
    return with_zone_of(
        given, Typed.of(build.call("time_bucket", value.type, interval.node, x, *begins), domain)
    )


def _width(node: exp.Expr) -> Interval:
    constant = constant_of(node)
    if constant is not None and isinstance(constant.value, str):
        return interval_of(exp.Interval(this=exp.Literal.string(constant.value)))
    return interval_of(node)


def _origin(node: exp.Expr, microseconds: int, value: Typed) -> datetime:
    """Return the origin of buckets, a constant. It needs a TIMESTAMP and a width of fixed length."""
    constant = constant_of(node.args["unit"])
    if constant is None or value.type != TIMESTAMP or not microseconds:
        raise refusal(
            "this origin of buckets is not supported",
            "It is a constant, of buckets of TIMESTAMPs that are days or less wide.",
            "Write time_bucket(INTERVAL 1 HOUR, x, TIMESTAMP '2000-01-01').",
            node,
        )
    origin = value_in(constant, TIMESTAMP, node)
    assert isinstance(origin, datetime)
    return origin
