"""Public ranges of differences of dates and timestamps, from the first and last moments of both sides.

The number of boundaries between two moments grows with the later one and falls with the earlier one, so its
ends are those of the extreme pairs.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import date, datetime, timedelta
from fractions import Fraction

from sqlglot import exp

from dpduck.compiler.parse.nodes import unwrap
from dpduck.compiler.private import datetime_domains
from dpduck.compiler.private.bounds import Bounds, Endpoints, Ranges, branches_of, of_difference
from dpduck.compiler.private.datetime_domains import MONTHS, STEPS, extent_of
from dpduck.compiler.private.datetimes import unit_of
from dpduck.compiler.private.intervals import interval_of
from dpduck.compiler.private.operands import constant_of
from dpduck.kernel.catalog.model import Domain, ValuesDomain, ticks

Extent = tuple[datetime, datetime]  # the first and last moment

_SECOND_YEAR = datetime(2, 1, 2)
_SECOND_DAY = datetime(1, 1, 2)
_MOMENTS = (exp.DType.DATE, exp.DType.TIMESTAMP, exp.DType.TIMESTAMPTZ)
_UP_TO_A_YEAR = {*STEPS, "month", "quarter", "year"}
_CHOICES = (exp.Case, exp.If, exp.Coalesce, exp.Greatest, exp.Least)


def of_seconds(node: exp.Expr, ranges: Ranges) -> Bounds | None:
    """Return the range of epoch(x) or extract(epoch FROM x), in seconds since 1970."""
    part = node.this
    if isinstance(node, exp.Extract):
        if part.name.lower() not in ("epoch", "epochs"):
            return None
        part = node.args["expression"]
    ends = _extent(part, ranges)
    return ends and Bounds.over(*(ticks(end) / 1_000_000 for end in ends))


def of_days(node: exp.Expr, ranges: Ranges) -> Bounds | Endpoints | None:
    """Return the range of x - y: of numbers, or of dates in days."""
    found = of_difference(node, ranges)
    return found if found != (None, None) else _between("day", node.args["expression"], node.this, ranges)


def of_date_diff(node: exp.Expr, ranges: Ranges) -> Bounds | None:
    """Return the range of date_diff('unit', start, end), of which `this` is the end."""
    return _between(unit_of(node.args["unit"], node), node.args["expression"], node.this, ranges)


def of_date_sub(node: exp.Expr, ranges: Ranges) -> Bounds | None:
    """Return the range of date_sub('unit', start, end): complete units, at most one less than boundaries."""
    unit, start, end = node.expressions
    found = _between(unit_of(unit, node), start, end, ranges)
    return found and Bounds(found.low - (found.low > 0), found.high + (found.high < 0))


def _between(unit: str, start: exp.Expr, end: exp.Expr, ranges: Ranges) -> Bounds | None:
    before, after = _extent(start, ranges), _extent(end, ranges)
    if before is None or after is None:
        return None
    lows, highs = _units(unit, before[1], after[0]), _units(unit, before[0], after[1])
    return None if lows is None or highs is None else Bounds(Fraction(lows[0]), Fraction(highs[1]))


def _units(unit: str, start: datetime, end: datetime) -> tuple[int, int] | None:
    """Return the least and the largest number of units that may lie between two moments; None: unknown unit.

    Of weeks and of longer units than a year they differ: versions of DuckDB begin them differently.
    """
    if unit in ("year", "quarter", "month"):
        length = MONTHS[unit]
        count = (end.year * 12 + end.month - 1) // length - (start.year * 12 + start.month - 1) // length
        return count, count
    if unit in MONTHS:
        return _parts(end.year - start.year, MONTHS[unit] // 12)
    if unit == "week":
        return _parts(end.toordinal() - start.toordinal(), 7)
    if unit in STEPS:
        count = ticks(end) // STEPS[unit] - ticks(start) // STEPS[unit]
        return count, count
    return None


def _parts(count: int, length: int) -> tuple[int, int]:
    return math.floor(Fraction(count, length)), math.ceil(Fraction(count, length))


def _extent(node: exp.Expr, ranges: Ranges) -> Extent | None:
    """Return the first and last moment of an expression, or moments beyond them; None if they are unknown."""
    node = unwrap(node)
    constant = constant_of(node)
    if constant is not None:
        return extent_of(ValuesDomain((constant.value,))) if isinstance(constant.value, date) else None
    if isinstance(node, exp.Column):
        return _extent_of_column(node, ranges)
    return extent_of(ranges.domain(node)) or _extent_by_parts(node, ranges)


def _extent_of_column(node: exp.Column, ranges: Ranges) -> Extent | None:
    value = ranges.columns.resolve(node)
    if value.domain is not None or value.origin is None:
        return extent_of(value.domain)
    inner, columns = value.origin
    return _extent(inner, ranges.over(columns))


def _extent_by_parts(node: exp.Expr, ranges: Ranges) -> Extent | None:
    """Return the extent of what has no domain, since its parts have none in common."""
    if isinstance(node, _CHOICES):
        return _joint(_extent(branch, ranges) for branch in branches_of(node))
    if isinstance(node, exp.Nullif):
        return _extent(node.this, ranges)
    if (
        isinstance(node, (exp.TimestampTrunc, exp.DateTrunc))
        and unit_of(node.args["unit"], node) in _UP_TO_A_YEAR
    ):
        return _earlier(_extent(node.this, ranges), _SECOND_YEAR, timedelta(days=366))
    if isinstance(node, exp.Cast) and node.args["to"].this in _MOMENTS:  # DATE cuts less than a day
        return _earlier(_extent(node.this, ranges), _SECOND_DAY, timedelta(days=1))
    if isinstance(node, (exp.Add, exp.Sub, exp.DateAdd)) and isinstance(
        unwrap(node.args["expression"]), exp.Interval
    ):
        return _moved(node, ranges)
    return None


def _joint(extents: Iterable[Extent | None]) -> Extent | None:
    """Return the extent of all; None if one is unknown."""
    found = list(extents)
    known = [extent for extent in found if extent is not None]
    if not known or len(known) < len(found):
        return None
    return min(low for low, _ in known), max(high for _, high in known)


def _earlier(extent: Extent | None, least: datetime, by: timedelta) -> Extent | None:
    return extent and (max(extent[0], least) - by, extent[1])


def _moved(node: exp.Expr, ranges: Ranges) -> Extent | None:
    """Return the extent of x + INTERVAL and x - INTERVAL, which keep the order of moments."""
    extent = _extent(node.this, ranges)
    if extent is None:
        return None
    interval = interval_of(node.args["expression"])
    moved = interval.negated() if isinstance(node, exp.Sub) else interval
    ends: Domain | None = ValuesDomain(extent)
    return extent_of(datetime_domains.moved(ends, moved.months, moved.days, moved.microseconds))
