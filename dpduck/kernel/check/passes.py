"""Two passes over the same values: the points of the second are those that the first has counted in bins.

Setting. A mechanism that looks at the values near some ranks reads them in two passes. The first gives B, the
number or weight of a group's values in each bin of `width` whole numbers. The second is sent windows, of
groups and numbers between `low` and `high`, and gives of each the numbers that hold certain ranks within it,
with how much there is up to there.

Theorem. Let H(k, v) be the number of rows of group k with the whole number v, or what a column of these adds
up to. If the bins are those of rows N with v // width in place of v, and the points are computed of N, both
are functions of H and of what is sent. If one unit adds numbers to B that are never below 0 and together at
most m in a group, it adds as much to H.
Proof. B(k, b) is the sum of H(k, v) over v // width = b, as groups of bins join groups of numbers. The rows
of a window are those of N with its keys and a number within it, so their counts by number are H there, and
running sums and what ranks they hold are computed of these alone. The rows of a unit in N are those in bins,
one for one, and what each adds is not below 0, so that it is as much by numbers as by bins. QED
Lemma `quotient`. (x // a) // b = x // (a b) for a whole x and whole a, b > 0, as both are rounded towards 0.
Lemma `near`. A test that a value is at least the `since` of what is sent, and at most its `until`, leaves
rows out whose numbers are in no window: that is what these ends are (`kernel.plan.grid_sql.around`, which is
believed). It changes nothing of what windows count.
"""

from __future__ import annotations

from dataclasses import replace

from dpduck.kernel.check.functions import UNNEST
from dpduck.kernel.check.spans import constant
from dpduck.kernel.check.units import UnboundedError, World
from dpduck.kernel.tree import emit
from dpduck.kernel.tree.duckdb import sql
from dpduck.kernel.tree.nodes import (
    Call,
    ColumnRef,
    Comparison,
    Conversion,
    Expression,
    ScalarSubquery,
)
from dpduck.kernel.tree.relations import DerivedTable, JoinedTables, SelectItem, SelectQuery
from dpduck.kernel.tree.walk import every_part, ungrouped

# The second pass, by the number or weight of rows of numbers.
_RUNNING = "CAST(system.main.sum(t.score) OVER (PARTITION BY t.place ORDER BY t.value ASC) AS BIGINT) AS upto"
_POINTS = (
    f"SELECT t.place, t.value, t.score, t.upto FROM (SELECT t.*, {_RUNNING} FROM "
    "(SELECT g.place, t.value, {score} FROM ({rows}) AS t JOIN {given} AS g ON {tests} "
    "GROUP BY g.place, t.value) AS t) AS t JOIN {given} AS g ON t.place = g.place "
    'WHERE t.upto > g.first AND system.main."-"(t.upto, t.score) <= g.last'
)
_WITHIN = ("t.value >= g.low", "t.value <= g.high")


def check_passes(bins: SelectQuery, points: SelectQuery, world: World, width: int) -> None:
    """Check that a second pass reads the values that the first counts in bins. Errors: UnboundedError."""
    match bins, points:
        case (
            SelectQuery((*_, score), DerivedTable(binned, "t"), (), (*keys, value)),
            SelectQuery(source=JoinedTables(DerivedTable(SelectQuery(source=DerivedTable(counted))))),
        ):
            counting = counted.source
        case _:
            raise UnboundedError("points of another form")
    if not isinstance(counting, JoinedTables) or not isinstance(counting.left, DerivedTable):
        raise UnboundedError("points of another form")
    rows, tests = counting.left.query, counting.on
    within = " AND ".join(map(sql, tests))
    if sql(points) != _POINTS.format(score=sql(score), rows=sql(rows), given=emit.GIVEN, tests=within):
        raise UnboundedError("points of another form")
    if tuple(map(sql, tests[:2])) != _WITHIN or sql(value) != "t.value":
        raise UnboundedError("points of other windows")
    if sorted(map(_same_key, tests[2:])) != sorted(map(sql, keys)):
        raise UnboundedError("points of other groups")
    if not _are_binned(binned, rows, width) or world.read(binned, world).span("value", {})[2] != "int":
        raise UnboundedError("points of other values")


def _same_key(test: Expression) -> str:
    """The key that a test compares with that of a window; empty if it may take two keys for one."""
    match test:
        case Comparison("IS NOT DISTINCT FROM", left, Conversion(ColumnRef("g", name), target, False)):
            key = ungrouped(left.value) if isinstance(left, Conversion) else left
            is_text = isinstance(left, Conversion) and left.type.name == "VARCHAR" and not left.safe
            if isinstance(key, ColumnRef) and (key.table, key.name) == ("t", name):
                return sql(key) if left.type == target and (left is key or is_text) else ""
    return ""


def _are_binned(binned: SelectQuery, rows: SelectQuery, width: int) -> bool:
    """Whether some rows are others with value // width in place of the value."""
    value, others = _value(binned), _without_value(binned)
    if value is None or not _keeps_rows(binned):
        return False
    base, parts = _quotient(value)
    if binned.source == DerivedTable(rows, "t"):  # those that the reader holds
        is_plain = all(isinstance(item, ColumnRef) and item.table == "t" for item in others.items)
        return is_plain and not binned.where and sql(base) == "t.value" and parts == width
    whole = _value(rows)
    if whole is None or not _keeps_rows(rows) or (base, parts) != _binned(whole, width):
        return False
    return others == _anywhere(_without_value(rows))


def _binned(value: Expression, width: int) -> tuple[Expression, int]:
    base, parts = _quotient(value)
    return base, parts * width


def _keeps_rows(query: SelectQuery) -> bool:
    """Whether each row is of one row of FROM."""
    rest = query.group_by or query.having or query.order_by or query.distinct or query.limit is not None
    values = [item.value for item in query.items if isinstance(item, SelectItem)]
    parts = (part for value in values for part in every_part(value))
    return not rest and not any(isinstance(part, Call) and part.name == UNNEST for part in parts)


def _value(rows: SelectQuery) -> Expression | None:
    found = [item.value for item in rows.items if isinstance(item, SelectItem) and item.name == "value"]
    return ungrouped(found[0]) if len(found) == 1 else None


def _without_value(rows: SelectQuery) -> SelectQuery:
    kept = (item for item in rows.items if not isinstance(item, SelectItem) or item.name != "value")
    return replace(rows, items=tuple(kept))


def _quotient(node: Expression) -> tuple[Expression, int]:
    """x and a of x // a: lemma `quotient`."""
    match ungrouped(node):
        case Call("//", (inside, number)) if (by := constant(number)) is not None and by >= 1:
            base, parts = _quotient(inside)
            return base, parts * int(by)
        case base:
            return base, 1


def _anywhere(rows: SelectQuery) -> SelectQuery:
    """The rows without tests of what is sent: lemma `near`."""
    source = rows.source
    if isinstance(source, DerivedTable):
        source = replace(source, query=_anywhere(source.query))
    where = tuple(test for test in rows.where if not _is_near(test, _value(rows)))
    return replace(rows, source=source, where=where)


def _is_near(test: Expression, value: Expression | None) -> bool:
    match test:
        case Comparison(">=" | "<=" as symbol, tested, Conversion(ScalarSubquery(query), _, False)):
            end = "since" if symbol == ">=" else "until"
            sent = f"SELECT system.main.max(g.{end}) FROM {emit.GIVEN} AS g"
            return value is not None and ungrouped(tested) == value and sql(query) == sent
    return False
