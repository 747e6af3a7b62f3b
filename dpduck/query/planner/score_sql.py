"""Score SQL: what is read for each question, as layers of fresh SELECTs.

The innermost layer lists the rows: keys k0, k1, ..., the unit, and a value where one is asked. Rows of
nobody, and rows whose key is no candidate, are left out there. Where a bound on groups or rows is
relied on, the next layers keep that many per unit, chosen by a hash of the unit and the group (or value):
a function of the unit's own rows, never of the alphabet or of other people, and another choice for each
unit, so that no group loses everybody. Then each unit becomes one part of each of its groups, and the
last layer adds the parts up.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction

from dpduck.catalog.model import Domain, RangeDomain, ValuesDomain
from dpduck.catalog.types import SqlType, Value, decimal_from_ticks, parse_type
from dpduck.query.block.privacy_units import Owned
from dpduck.query.plan import grid_sql
from dpduck.query.plan.aggregates import Count, Distinct, Mean, Mode, Quantile, Request, Sum
from dpduck.query.plan.model import Passes
from dpduck.query.write.emit import GIVEN, HELD, call, compared, identifier, is_short, literal
from dpduck.query.write.expression import Typed
from dpduck.query.write.keys import Key

_COUNT = f"{call('count', '*')} AS score"
_BIGINT, _DOUBLE = parse_type("BIGINT"), parse_type("DOUBLE")
_MEDIAN = call("quantile_disc", "t.value", literal(0.5, _DOUBLE))

_YEARS: dict[str, tuple[Value, Value]] = {
    "date": (date.min, date.max),
    "timestamp": (datetime.min, datetime.max),
}

_AS_TEXT = ("HUGEINT", "UHUGEINT")  # Arrow has no types for them

# A unit's total is bounded before it is clamped: no row counts for more than this many bounds.
_SPAN = 2**20

_FEW = 1 << 16


@dataclass(frozen=True)
class GroupKeys:
    """The groups of a question: their keys, and the most that one unit may be in (None: all)."""

    keys: tuple[tuple[Key, Typed], ...]
    most: int | None = None

    @property
    def are_few(self) -> bool:
        """Whether domains say that there are few groups."""
        sizes = [None if key.domain is None else key.domain.size for key, _ in self.keys]
        return None not in sizes and math.prod(size for size in sizes if size is not None) <= _FEW

    @property
    def names(self) -> list[str]:
        return [f"t.k{i}" for i in range(len(self.keys))]


def score_sql(owned: Owned, groups: GroupKeys, request: Request, salt: int) -> str:
    """The scores of a request, a row for each group: its keys, the value asked for (if any), `score`."""
    return _Writer(owned, groups, salt).write(request)


def passes_of(owned: Owned, groups: GroupKeys, request: Request, salt: int) -> Passes | None:
    """How the scores are read where that takes two passes."""
    return _Writer(owned, groups, salt).passes(request) if isinstance(request, Quantile) else None


class _Writer:
    def __init__(self, owned: Owned, groups: GroupKeys, salt: int) -> None:
        self._owned = owned
        self._groups = groups
        self._salt = literal(salt, _BIGINT)
        self._keys = groups.names

    def write(self, request: Request) -> str:
        match request:
            case Count(rows=None):
                return self._count_units(request)
            case Count():
                return self._count_rows(request)
            case Distinct():
                return self._count_values(request)
            case Sum():
                return self._sum(request)
            case Mean():
                return self._mean(request)
            case Quantile():
                return self._quantile(request)
            case Mode():
                return self._mode(request)
        raise TypeError("a request of this kind has no score SQL")

    # --- one method for each request -------------------------------------------------------------

    def _count_units(self, request: Count) -> str:
        """Each unit once in each of its groups.

        Where there may be many groups, DuckDB counts distinct units faster than it groups by both.
        """
        rows = self._rows(request.conditions)
        if self._owned.has_one_row_in(self._groups.keys):
            return self._total(rows, _COUNT)
        if not self._groups.are_few:
            return self._total(rows, f"{call('count', 'DISTINCT t.unit')} AS score")
        return self._total(_select([*self._keys, "t.unit"], rows, grouped=True), _COUNT)

    def _count_rows(self, request: Count) -> str:
        most = literal(int(request.rows or 1), _BIGINT)
        counted = call("count", "*")
        part = f"{call('least', counted, most)} AS part"
        return self._total(self._parts(self._rows(request.conditions), part), _score_sum())

    def _count_values(self, request: Distinct) -> str:
        value = request.value
        short = [is_short(value.sql)] if value.type.kind == "text" and value.domain is None else []
        rows = self._rows((*request.conditions, *_present(value), *short), value.sql)
        chosen = self._choose_values(rows, request.values)
        values = _select([*self._keys, "t.value"], chosen, grouped=True)
        return self._total(values, _COUNT)

    def _sum(self, request: Sum) -> str:
        value = request.value
        fixed = _fixed_point(value, request)
        rows = self._rows((*request.conditions, *_present(value)), fixed)
        low, high = (f"CAST('{bound:f}' AS {request.ticks})" for bound in (request.low, request.high))
        total = f"CAST({call('sum', 't.value')} AS {request.ticks})"
        part = f"{_clamped(total, low, high)} AS part"
        return self._total(self._parts(rows, part), _score_sum(request.ticks))

    def _mean(self, request: Mean) -> str:
        """`score`: the weight at the high end of the range, in ticks; `units`: how many weights there are."""
        value = request.value
        rows = self._rows((*request.conditions, *_present(value)), _position(value, request))
        if request.rows is None:
            mean = call("//", call("sum", "t.value"), call("count", "*"))
            parts = self._parts(rows, f"CAST({mean} AS BIGINT) AS part")
        else:
            parts = _select([*self._keys, "t.value AS part"], self._choose_rows(rows, request.rows))
        return self._total(parts, f"{_score_sum()}, {call('count', '*')} AS units")

    def _quantile(self, request: Quantile) -> str:
        return self._count_numbers(self._numbers(request, self._width(request)), request)

    # --- quantiles -------------------------------------------------------------------------------

    def passes(self, request: Quantile) -> Passes | None:
        """How a quantile is read whose grid has too many points for one pass."""
        width = self._width(request)
        if width == 1:
            return None
        if request.rows is None and self._owned.one_row:
            near = self._numbers(request, near=not self._keys)
            return Passes(width, self._quantile(request), self._points(near))
        held = f"SELECT * FROM {HELD}"
        bins = _select([*self._keys, f"{grid_sql.divided('t.value', width)} AS value"], held)
        return Passes(width, self._count_numbers(bins, request), self._points(held), self._numbers(request))

    def _width(self, request: Quantile) -> int:
        return grid_sql.bin_width(request.grid.size, grouped=bool(self._keys))

    def _numbers(self, request: Quantile, width: int = 1, *, near: bool = False) -> str:
        """For each value that counts, the number of its grid point, or of its bin of `width` points.

        `near`: of values in the one window given, and perhaps of others.
        """
        value = request.value
        limits = _near(value) if near else []
        rows = self._rows((*request.conditions, *_present(value), *limits), value.sql)
        if request.rows is not None:
            rows = self._choose_rows(rows, request.rows)
        elif not self._owned.one_row:
            rows = self._parts(rows, f"{_MEDIAN} AS value")
        inside = grid_sql.clamped("t.value", request.grid, value.type)
        number = grid_sql.numbered("t.value", request.grid, value.type, width)
        return _select(
            [*self._keys, f"{number} AS value"], _select([*self._keys, f"{inside} AS value"], rows)
        )

    def _count_numbers(self, numbers: str, request: Quantile) -> str:
        return self._total(numbers, _COUNT, value=Key(request.key.name, "BIGINT", None))

    def _points(self, numbers: str) -> str:
        """The points that hold the ranks of the windows given. See `Passes`."""
        near = ["t.value >= g.low", "t.value <= g.high"]
        near += [_same(f"t.k{i}", f"g.k{i}", key) for i, (key, _) in enumerate(self._groups.keys)]
        rows = f"({numbers}) AS t JOIN {GIVEN} AS g ON {' AND '.join(near)}"
        counted = f"SELECT g.place, t.value, {_COUNT} FROM {rows} GROUP BY g.place, t.value"
        upto = f"{call('sum', 't.score')} OVER (PARTITION BY t.place ORDER BY t.value ASC)"
        ranked = _select(["t.*", f"CAST({upto} AS BIGINT) AS upto"], counted)
        below = call("-", "t.upto", "t.score")
        return (
            f"SELECT t.place, t.value, t.score, t.upto FROM ({ranked}) AS t "
            f"JOIN {GIVEN} AS g ON t.place = g.place WHERE t.upto > g.first AND {below} <= g.last"
        )

    def _mode(self, request: Mode) -> str:
        value = request.value
        within = _within(value, request.key.domain)
        rows = self._rows((*request.conditions, *([within] if within else [])), value.sql)
        if self._owned.one_row:
            return self._total(rows, _COUNT, value=request.key)
        pairs = _select([*self._keys, "t.value", "t.unit"], rows, grouped=True)
        return self._total(pairs, _COUNT, value=request.key)

    # --- layers ----------------------------------------------------------------------------------

    def _rows(self, conditions: Sequence[str], value: str | None = None) -> str:
        """The rows that count: of somebody, in a candidate group, of at most `most` groups per unit."""
        owned = self._owned
        within = [_within(typed, key.domain) for key, typed in self._groups.keys]
        somebody = [f"{owned.unit} IS NOT NULL", *([is_short(owned.unit)] if owned.unit_is_text else [])]
        tests = [*somebody, *owned.rows.conditions, *conditions, *filter(None, within)]
        items = [f"{typed.sql} AS k{i}" for i, (_, typed) in enumerate(self._groups.keys)]
        items += [f"{value} AS value"] if value is not None else []
        items += [f"{owned.unit} AS unit"]
        rows = f"SELECT {', '.join(items)} FROM {owned.rows.source} WHERE {' AND '.join(tests)}"
        if self._groups.most is None or not self._keys:
            return rows
        order = f"{call('hash', 't.unit', *self._keys, self._salt)}, {', '.join(self._keys)}"
        place = f"{call('dense_rank')} OVER (PARTITION BY t.unit ORDER BY {order}) AS place"
        kept = compared(self._groups.most, _BIGINT)
        return f"SELECT * FROM ({_select(['t.*', place], rows)}) AS t WHERE t.place <= {kept}"

    def _parts(self, rows: str, part: str) -> str:
        """One row for each unit in each group."""
        return _select([*self._keys, part], rows, by=[*self._keys, "t.unit"])

    def _choose_rows(self, rows: str, most: int) -> str:
        """At most that many rows of each unit in each group, chosen by their values."""
        within = ", ".join(["t.unit", *self._keys])
        order = f"{call('hash', 't.unit', 't.value', self._salt)}, t.value"
        place = f"{call('row_number')} OVER (PARTITION BY {within} ORDER BY {order}) AS turn"
        return (
            f"SELECT * FROM ({_select(['t.*', place], rows)}) AS t WHERE t.turn <= {compared(most, _BIGINT)}"
        )

    def _choose_values(self, rows: str, most: int) -> str:
        """At most that many distinct values of each unit in each group."""
        return self._choose_rows(_select([*self._keys, "t.value", "t.unit"], rows, grouped=True), most)

    def _total(self, parts: str, score: str, *, value: Key | None = None) -> str:
        """The last layer, with the names that the plan gives the keys."""
        items = [
            f"{_exported(sql, key)} AS {identifier(key.name)}"
            for sql, (key, _) in zip(self._keys, self._groups.keys, strict=True)
        ]
        by = list(self._keys)
        if value is not None:
            items.append(f"{_exported('t.value', value)} AS {identifier(value.name)}")
            by.append("t.value")
        return _select([*items, score], parts, by=by)


def _select(
    items: Sequence[str],
    source: str,
    *,
    grouped: bool = False,
    by: Sequence[str] = (),
) -> str:
    by = items if grouped else by
    text = f"SELECT {', '.join(items)} FROM ({source}) AS t"
    return text + (f" GROUP BY {', '.join(by)}" if by else "")


def _exported(sql: str, key: Key) -> str:
    """A key as it leaves DuckDB: Arrow has no type for the largest numbers, which go as text."""
    return f"CAST({sql} AS VARCHAR)" if key.type == "UHUGEINT" else sql


def _near(value: Typed) -> list[str]:
    """Conditions by which DuckDB need not compute the numbers of values far from the window given.

    They compare the column as it is, so that they are tested where it is scanned.
    """
    target = grid_sql.candidate_type(value.type).name
    return [
        f"{value.sql} {compares} CAST((SELECT g.{end} FROM {GIVEN} AS g) AS {target})"
        for compares, end in ((">=", "since"), ("<=", "until"))
    ]


def _same(sql: str, given: str, key: Key) -> str:
    """Whether a key is a given one, which has left DuckDB and come back."""
    if key.type in _AS_TEXT or parse_type(key.type).kind == "enum":
        sql, target = f"CAST({sql} AS VARCHAR)", "VARCHAR"
    else:
        target = key.type
    return f"{sql} IS NOT DISTINCT FROM CAST({given} AS {target})"


def _score_sum(ticks: str = "HUGEINT") -> str:
    """The sum of all parts, of the type that DuckDB gives it."""
    total, zero = call("sum", "t.part"), literal(0, parse_type(ticks))
    return f"CASE WHEN {total} IS NULL THEN {zero} ELSE {total} END AS score"


def _present(value: Typed) -> list[str]:
    present = [f"{value.sql} IS NOT NULL"]
    if value.type.kind == "float":
        present.append(f"(NOT {call('isnan', value.sql)})")
    return present


def _clamped(total: str, low: str, high: str) -> str:
    """A unit's total within its bounds.

    By functions, not by comparisons: DuckDB 2.0.0 believes that a sum is 0 above a LEFT JOIN whose condition
    no row can meet, and then drops `sum > high` as never true.
    """
    return call("least", call("greatest", total, low), high)


def _fixed_point(value: Typed, request: Sum) -> str:
    """The value in exact ticks, cut at its own bounds, or so far outside that no total overflows.

    Bounds are below 2^66 ticks (see `clamps`), so a row is below 2^86, and 2^41 of them fit the 127 bits of a
    sum. In ticks, not in whole units: an error that one person's rows could cause would tell of them.
    """
    tick = Decimal((0, (1,), -request.scale))
    span = _SPAN * max(abs(request.low), abs(request.high), tick)
    low, high = (_edge(bound, value.type) for bound in request.each or (-span, span))
    sql = value.sql
    inside = f"CASE WHEN {sql} < {low} THEN {low} WHEN {sql} > {high} THEN {high} ELSE {sql} END"
    return f"CAST({inside} AS {request.ticks})"


def _edge(bound: Decimal, sql_type: SqlType) -> str:
    """A bound as a constant of the type, or the end of the type that it lies beyond."""
    if sql_type.kind == "float":
        return literal(float(bound), sql_type)
    low, high = sql_type.ticks
    ticks = min(max(int(Fraction(bound) * 10**sql_type.scale), low), high)
    return literal(ticks if sql_type.kind == "integer" else decimal_from_ticks(ticks, sql_type), sql_type)


def _position(value: Typed, request: Mean) -> str:
    """Where the clamped value lies between the ends, in ticks from 0 to `request.ticks`."""
    low, high = literal(float(request.low), _DOUBLE), literal(float(request.high), _DOUBLE)
    ticks = literal(float(request.ticks), _DOUBLE)
    sql = f"CAST({value.sql} AS DOUBLE)"
    share = call("/", call("-", sql, low), literal(float(request.high - request.low), _DOUBLE))
    ticked = call("floor", call("+", call("*", share, ticks), literal(0.5, _DOUBLE)))
    return (
        f"CASE WHEN {sql} <= {low} THEN CAST('0' AS BIGINT) "
        f"WHEN {sql} >= {high} THEN {literal(request.ticks, _BIGINT)} "
        f"ELSE CAST({ticked} AS BIGINT) END"
    )


def _within(value: Typed, domain: Domain | None) -> str | None:
    """The condition that a key is a candidate, or None if every value is one."""
    sql, sql_type = value.sql, value.type
    if domain is None:
        return _found(sql, sql_type)
    if isinstance(domain, RangeDomain):
        return grid_sql.on_grid(sql, domain, sql_type)
    if _holds_all(domain, sql_type):
        return f"{sql} IS NOT NULL"
    text = f"CAST({sql} AS VARCHAR)" if sql_type.kind == "enum" else sql
    return f"{text} IN ({', '.join(compared(member, sql_type) for member in domain)})"


def _found(sql: str, sql_type: SqlType) -> str | None:
    """The condition that a key without a public domain is a candidate.

    Dates and timestamps are in the years 1 to 9999 only: others, and infinite ones, have no value in Python,
    and an error about one would tell that it is there. Nor are decimals candidates of more digits than their
    type has, which a column may hold; nor texts beyond a length, since DuckDB fails on those that take all
    memory.
    """
    if sql_type.kind in _YEARS:
        first, last = (compared(end, sql_type) for end in _YEARS[sql_type.kind])
        return f"{sql} >= {first} AND {sql} <= {last}"
    if sql_type.kind == "decimal":
        first, last = (compared(decimal_from_ticks(end, sql_type), sql_type) for end in sql_type.ticks)
        return f"({sql} IS NULL OR {sql} BETWEEN {first} AND {last})"
    return f"({sql} IS NULL OR {is_short(sql)})" if sql_type.kind == "text" else None


def _holds_all(domain: ValuesDomain, sql_type: SqlType) -> bool:
    if sql_type.kind == "boolean":
        return domain.size == 2
    return bool(sql_type.members) and set(domain.values) == set(sql_type.members)
