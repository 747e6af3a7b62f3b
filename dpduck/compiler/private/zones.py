"""AT TIME ZONE with a constant zone, and the zones that there are."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from difflib import get_close_matches
from functools import cache

from sqlglot import exp

from dpduck.compiler.parse.nodes import refusal
from dpduck.compiler.private.datetime_domains import as_timestamps
from dpduck.compiler.private.datetimes import zoned_argument
from dpduck.compiler.private.domains import listed, members
from dpduck.compiler.private.operands import ExpressionReader, constant_argument
from dpduck.compiler.private.ordinary_datetimes import ordinary
from dpduck.compiler.private.type_rules import DATE, TIMESTAMP, TIMESTAMPTZ
from dpduck.compiler.private.utc import from_utc, in_utc
from dpduck.kernel.catalog.model import Domain, RangeDomain, ticks
from dpduck.kernel.catalog.types import SqlType
from dpduck.kernel.empty_database import cursor_of_nothing
from dpduck.kernel.errors import UnsupportedSqlError
from dpduck.kernel.plan.expression import Typed
from dpduck.kernel.tree import build
from dpduck.kernel.tree.nodes import Expression

_UTC = ("UTC", "Etc/UTC")
_HINT = "Write x AT TIME ZONE 'Europe/Berlin'."
_MOST_NEAR, _ALIKE = 5, 0.6
_EPOCH, _MICROSECOND, _DAY = datetime(1970, 1, 1), timedelta(microseconds=1), timedelta(days=1)
_SHIFTED = """
    SELECT epoch_us(timezone($zone, {make}(us))) FROM (SELECT unnest($counts::BIGINT[]) AS us)
"""


def at_time_zone(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """Translate x AT TIME ZONE 'zone': a TIMESTAMP of a value with a zone, and the other way round."""
    return _shifted(zoned_argument(reader, node, node.this), _zone_of(node.args.get("zone"), node))


def timezone(node: exp.Expr, reader: ExpressionReader) -> Typed:
    """Translate timezone('zone', x), which is x AT TIME ZONE 'zone'."""
    if len(node.expressions) != 2:
        raise refusal("timezone takes a zone and a timestamp", "Times are in UTC here.", _HINT, node)
    zone, value = node.expressions
    return _shifted(zoned_argument(reader, node, value), _zone_of(zone, node))


def _zone_of(node: exp.Expr | None, call: exp.Expr) -> str:
    """Return DuckDB's spelling of a zone. Errors: UnsupportedSqlError if it knows none of that name."""
    name = constant_argument(node, call, "the time zone", _HINT).value
    known = _zones().get(str(name).lower()) if isinstance(name, str) else None
    if known is None:
        raise _no_zone(str(name), call)
    return known


def _no_zone(name: str, call: exp.Expr) -> UnsupportedSqlError:
    near = get_close_matches(name.lower(), _zones(), _MOST_NEAR, _ALIKE)
    named = f"Did you mean {', '.join(_zones()[one] for one in near)}?"
    return refusal(
        f"{name[:40]!r} is not a time zone",
        "Zones are names of places such as Europe/Berlin, and UTC.",
        named if near else _HINT,
        call,
    )


def _shifted(value: Typed, zone: str) -> Typed:
    source, target = value.type, TIMESTAMP if value.type.is_zoned else TIMESTAMPTZ
    domain = _domain(value.domain, zone, source)
    if zone in _UTC and source != DATE:
        return Typed.of(in_utc(value.node) if source.is_zoned else from_utc(value.node), domain)
    x: Expression = ordinary(value.node, source)
    if source == DATE:
        x = build.converted(x, TIMESTAMP)
    return Typed.of(build.call("timezone", target, build.string(zone), x), domain)


# --- domains -------------------------------------------------------------------------------------


def _domain(domain: Domain | None, zone: str, source: SqlType) -> Domain | None:
    """Return the domain in the zone. A grid that is too fine to list becomes one that is not smaller."""
    moments = as_timestamps(domain)
    if isinstance(moments, RangeDomain) and (moments.step == 1 or members(moments) is None):
        return _range(moments, zone, source)
    values = members(moments) or []
    known = [value for value in values if isinstance(value, datetime)]
    return listed(_moved(known, zone, source)) if known and len(known) == len(values) else None


def _range(grid: RangeDomain, zone: str, source: SqlType) -> Domain | None:
    """Return a grid of microseconds. Where the clock is put back near an end, the grid is wider."""
    assert isinstance(grid.low, datetime) and isinstance(grid.high, datetime)
    try:
        ends = _moved([grid.low, grid.low + _DAY, grid.high, grid.high - _DAY], zone, source)
        if None in ends:
            return None
        low, later, high, earlier = (end for end in ends if end is not None)
        return RangeDomain(min(low, later - _DAY), max(high, earlier + _DAY), 1)
    except OverflowError:
        return None


def _moved(values: Sequence[datetime], zone: str, source: SqlType) -> list[datetime | None]:
    """Return AT TIME ZONE of timestamps; None for one that is not in the years 1 to 9999."""
    query = _SHIFTED.format(make="make_timestamptz" if source.is_zoned else "make_timestamp")
    counts = [int(ticks(value)) for value in values]
    with cursor_of_nothing() as cursor:
        found = cursor.execute(query, {"zone": zone, "counts": counts}).fetchall()
    return [_moment(count) for (count,) in found]


def _moment(count: int) -> datetime | None:
    try:
        return _EPOCH + count * _MICROSECOND
    except OverflowError:
        return None


@cache
def _zones() -> dict[str, str]:
    """Return DuckDB's names of zones, by their lower-case spellings."""
    with cursor_of_nothing() as cursor:
        names = cursor.execute("SELECT name FROM pg_timezone_names() ORDER BY name").fetchall()
    return {name.lower(): name for (name,) in names}
