"""Lists a long range of times by its minutes, hours, days or months, where expressions need no more.

`month(ts)` and `ts::DATE < DATE '2024-05-05'` are the same at all times of one day. Where this holds of all
that is asked of a column, the first moments of the days in its domain give every value that its times give.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from dpduck.compiler.private.datetime_domains import extent_of, truncated
from dpduck.compiler.private.ordinary_datetimes import ordinary
from dpduck.kernel.catalog.model import Domain, RangeDomain, ValuesDomain
from dpduck.kernel.catalog.types import Value
from dpduck.kernel.tree.nodes import (
    Call,
    Choice,
    ColumnRef,
    Comparison,
    Conversion,
    Expression,
    Literal,
    NullTest,
)
from dpduck.kernel.tree.walk import columns_in, parts_of, ungrouped

GRAINS = ("minute", "hour", "day", "month")  # each is made of whole ones of the grain before
_STEPS = {"minute": timedelta(minutes=1), "hour": timedelta(hours=1), "day": timedelta(days=1)}
_DAYS = ("day", "week", "isoyear", "yearweek", "dow", "dayofweek", "isodow", "doy", "dayofyear", "dayname")
_MONTHS = ("month", "quarter", "year", "decade", "century", "millennium", "era", "monthname", "last_day")
_UNITS = {
    "minute": "minute",
    "hour": "hour",
    **dict.fromkeys(_DAYS, "day"),
    **dict.fromkeys(_MONTHS, "month"),
}
_CODE = re.compile(r"%-?(.)")
_CODES = {
    **dict.fromkeys("M", "minute"),
    **dict.fromkeys("HIp", "hour"),
    **dict.fromkeys("djaAwuVWUGx", "day"),
    **dict.fromkeys("YymBb%", "month"),
}


def grain_of(column: ColumnRef, domain: Domain | None, nodes: Sequence[Expression], most: int) -> str | None:
    """Return the coarsest grain that tells apart what expressions of a column tell apart; None if none does.

    Input: `domain`: of the column; `most`: how many grains it may have. Expressions that need a finer grain
    than has so few do not count.
    """
    if not isinstance(domain, RangeDomain) or column.type.kind not in ("date", "timestamp"):
        return None
    few = [grain for grain in GRAINS if _count(domain, grain) <= most]
    told = [node for node in nodes if few and is_of_grain(node, column, few[0])]
    return next((g for g in reversed(few) if told and all(is_of_grain(one, column, g) for one in told)), None)


def starts_of(domain: Domain, grain: str, column: ColumnRef) -> ValuesDomain:
    """Return the first moments of all grains that meet a range of times, as values of the column."""
    extent = extent_of(domain)
    assert extent is not None
    is_date = column.type.kind == "date"
    values: list[Value] = [start.date() if is_date else start for start in _starts(*extent, grain)]
    return ValuesDomain(tuple(values))


def _starts(low: datetime, high: datetime, grain: str) -> Iterator[datetime]:
    start = truncated(grain, low)
    while start is not None and start <= high:
        yield start
        start = _next(start, grain)


def _next(start: datetime, grain: str) -> datetime | None:
    try:
        if grain == "month":
            return start.replace(year=start.year + start.month // 12, month=start.month % 12 + 1)
        return start + _STEPS[grain]
    except (OverflowError, ValueError):
        return None


def _count(domain: RangeDomain, grain: str) -> int:
    """Return the number of grains that meet a range of times."""
    extent = extent_of(domain)
    if extent is None:
        return 0
    low, high = extent
    if grain == "month":
        return (high.year - low.year) * 12 + high.month - low.month + 1
    return (high - low) // _STEPS[grain] + 2


def is_of_grain(node: Expression, column: ColumnRef, grain: str) -> bool:
    """Whether an expression has one value at all times of each grain of a column, in the years 1 to 9999.

    It has if the column stands only in what cuts it off to whole grains, and where it is compared with the
    beginning of one.
    """
    node = ungrouped(node)
    if node == column:
        return False
    if column not in set(columns_in(node)):
        return True
    found = _is_cut(node, column, grain) if isinstance(node, Call) else None
    if found is not None:
        return found
    match node:
        case Conversion(value, kind) if kind.name == "DATE":
            return _holds("day", value, column, grain)
        case Comparison(symbol, value, Literal(str() as text)) if _is_plain(value, column):
            return symbol in ("<", ">=") and _is_start(text, grain)
        case NullTest(value) if _is_plain(value, column):
            return True
    return all(is_of_grain(part, column, grain) for part in parts_of(node))


def _is_cut(node: Call, column: ColumnRef, grain: str) -> bool | None:
    """Whether a call cuts off to whole grains; None if it is no such function."""
    match node:
        case Call("date_trunc", (Literal(str() as unit), value)):
            return _holds(unit, value, column, grain)
        case Call("date_diff", (Literal(str() as unit), *ends)):
            return all(_holds(unit, end, column, grain) for end in ends)
        case Call("strftime", (value, Literal(str() as text))) if _is_plain(value, column):
            return all(_is_coarse(_CODES.get(code), grain) for code in _CODE.findall(text))
        case Call(name, (value,)) if name in _UNITS:
            return _holds(name, value, column, grain)
    return None


def _holds(unit: str, value: Expression, column: ColumnRef, grain: str) -> bool:
    """Whether what a function that cuts off to whole units gives is of a grain."""
    if _is_plain(value, column):
        return _is_coarse(_UNITS.get(unit), grain)
    return is_of_grain(value, column, grain)


def _is_coarse(unit: str | None, grain: str) -> bool:
    return unit is not None and GRAINS.index(unit) >= GRAINS.index(grain)


def _is_plain(node: Expression, column: ColumnRef) -> bool:
    """Whether a node is the column: grouped, as a TIMESTAMP in UTC, or guarded against other years."""
    node = ungrouped(node)
    match node:
        case Choice(((_, value),), None):
            return ungrouped(ordinary(value, value.type)) == node and _is_plain(value, column)
        case Conversion(value, kind) if kind.name == "TIMESTAMP" and value.type.kind == "date":
            return _is_plain(value, column)
        case Call("make_timestamp", (Call("epoch_us", (value,)),)):
            return _is_plain(value, column)
    return node == column


def _is_start(text: str, grain: str) -> bool:
    """Whether a constant is the first moment of a grain."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return False
    return moment.tzinfo is None and truncated(grain, moment) == moment
