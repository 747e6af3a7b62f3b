"""Reads the 5, 15 and 30 minute grains that BI tools write for PostgreSQL as the time_bucket that they are.

Weeks that begin on Sunday are read as weeks, too (`_sunday`).

    date_trunc('hour', ts) + INTERVAL '15 minutes' * floor(extract(minute FROM ts) / 15)
    time_bucket(INTERVAL '15 minutes', ts)

The two are equal at all times if 15 divides 60: then buckets begin at whole hours, and what the product adds
to the hour is the largest multiple of 15 minutes that has passed. The same holds of seconds in a minute and
of hours in a day.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from dpduck.compiler.parse.nodes import unwrap

_CALLS: dict[str, type[exp.Expr]] = {"second": exp.Second, "minute": exp.Minute, "hour": exp.Hour}
_WHOLES = {"second": ("minute", 60), "minute": ("hour", 60), "hour": ("day", 24)}


def with_buckets(tree: exp.Expr) -> exp.Expr:
    """The tree with each such sum replaced by a bucket."""
    for node in list(tree.find_all(exp.Add)):
        bucket = _bucket(node) or _sunday(node)
        if bucket is not None:
            bucket.meta.update(node.meta)
            if node is tree:
                return bucket
            node.replace(bucket)
    return tree


def _bucket(node: exp.Add) -> exp.Expr | None:
    start = unwrap(node.this)
    if not isinstance(start, (exp.DateTrunc, exp.TimestampTrunc)):
        return None
    factors = list(_factors(node.expression))
    intervals = [part for part in factors if isinstance(part, exp.Interval)]
    floors = [part for part in factors if isinstance(part, exp.Floor)]
    numbers = [_whole(part) for part in factors if isinstance(part, exp.Literal)]
    if len(intervals) != 1 or len(floors) != 1 or len(factors) != 2 + len(numbers) or None in numbers:
        return None
    unit, width = _interval(intervals[0])
    for number in numbers:
        width *= number or 0
    if unit not in _WHOLES or width <= 0 or _WHOLES[unit][1] % width:
        return None
    if start.text("unit").lower() != _WHOLES[unit][0] or not _counts(floors[0], unit, width, start.this):
        return None
    interval = exp.Interval(this=exp.Literal.string(str(width)), unit=exp.Var(this=unit.upper()))
    return exp.DateBin(this=interval, expression=start.this.copy())


def _sunday(node: exp.Add) -> exp.Expr | None:
    """A week that begins on Sunday, as Tableau writes it: the day, less the days since Sunday.

    date_trunc('day', ts) + -extract(dow FROM ts) * INTERVAL '1 day'
    date_trunc('week', ts + INTERVAL '1 day') - INTERVAL '1 day'
    """
    start, product = unwrap(node.this), unwrap(node.expression)
    if not isinstance(start, (exp.DateTrunc, exp.TimestampTrunc)) or not isinstance(product, exp.Mul):
        return None
    negative, day = unwrap(product.this), unwrap(product.expression)
    if start.text("unit").lower() != "day" or not isinstance(negative, exp.Neg):
        return None
    if not isinstance(day, exp.Interval) or _interval(day) != ("day", 1):
        return None
    source, counted = unwrap(start.this), unwrap(negative.this)
    if isinstance(source, exp.Cast) and source.to.this is exp.DType.DATE:
        source = unwrap(source.this)
    if not isinstance(counted, exp.Extract) or counted.name.lower() != "dow" or counted.expression != source:
        return None
    one = exp.Interval(this=exp.Literal.string("1"), unit=exp.Var(this="DAY"))
    moved = exp.Add(this=source.copy(), expression=one)
    week = start.copy()
    week.args["unit"].set("this", "WEEK")
    week.set("this", moved)
    return exp.Sub(this=week, expression=one.copy())


def _factors(node: exp.Expr) -> Iterator[exp.Expr]:
    """The factors of a product."""
    waiting = [node]
    while waiting:
        part = unwrap(waiting.pop())
        if isinstance(part, exp.Mul):
            waiting += [part.this, part.expression]
        else:
            yield part


def _interval(node: exp.Interval) -> tuple[str, int]:
    """The unit in the singular, and how many; of what is not whole, none."""
    unit = node.text("unit").lower().removesuffix("s")
    return unit, (_whole(node.this) or 0) if node.this is not None else 0


def _counts(floor: exp.Floor, unit: str, width: int, source: exp.Expr) -> bool:
    """Whether this is floor(extract(unit FROM source) / width)."""
    part = unwrap(floor.this)
    if not isinstance(part, exp.Div) or floor.args.get("decimals") or _whole(part.expression) != width:
        return False
    taken = unwrap(part.this)
    while isinstance(taken, exp.Cast):
        taken = unwrap(taken.this)
    return _taken(taken, unit) == source


def _taken(node: exp.Expr, unit: str) -> exp.Expr | None:
    """The time of which extract(minute FROM ts), date_part('minute', ts) or minute(ts) takes the unit."""
    part: exp.Expr | None = None
    if isinstance(node, exp.Extract) and node.name.lower() == unit:
        part = node.expression
    if isinstance(node, exp.Anonymous) and node.name.lower() == "date_part" and len(node.expressions) == 2:
        part = node.expressions[1] if node.expressions[0].name.lower() == unit else None
    if type(node) is _CALLS[unit]:
        part = node.this
    return part


def _whole(node: exp.Expr) -> int | None:
    """The value of a literal such as 15, 15.0 or '15'; None if it is no whole number."""
    node = unwrap(node)
    if not isinstance(node, exp.Literal):
        return None
    text = str(node.this).strip()
    whole, _, rest = text.partition(".")
    return int(whole) if whole.isdecimal() and len(whole) < 6 and not rest.strip("0") else None
