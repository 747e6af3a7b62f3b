"""Without one unit, no score of an accepted query moves by more than its mechanism allows for.

The score SQL of every golden query runs twice: on the database, and on one from which all rows of a unit
are gone. What may differ is what `requests` says of each kind, and nothing may differ in its sign.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest

from dpduck.answers.results import Result
from dpduck.kernel.mechanisms.distinct_values import ladder
from dpduck.kernel.plan.aggregates import (
    Aggregate,
    ChosenDistinct,
    ClampedSum,
    Count,
    Distinct,
    Mean,
    Moments,
    Quantile,
    Quantiles,
    Sum,
    scores_of,
)
from dpduck.kernel.plan.model import EveryKey, FoundKeys, LargestKeys, Plan
from tests.depth import part
from tests.query import golden
from tests.query.test_golden import OPENERS, catalog_of, plan_of

_NO_CUSTOMER = (
    "DELETE FROM items WHERE order_id IN (SELECT order_id FROM orders WHERE customer_id = {0}); "
    "DELETE FROM orders WHERE customer_id = {0}; DELETE FROM tickets WHERE customer_id = {0}; "
    "DELETE FROM customers WHERE customer_id = {0}; DELETE FROM clicks WHERE visitor = 'v{1}'"
)
_NO_BUYER = (
    "DELETE FROM lineitem WHERE l_orderkey IN (SELECT o_orderkey FROM orders WHERE o_custkey = {0}); "
    "DELETE FROM orders WHERE o_custkey = {0}; DELETE FROM customer WHERE c_custkey = {0}"
)
WITHOUT = {
    "nested": [
        f"DELETE FROM baskets WHERE member = {u}; DELETE FROM members WHERE id = {u}" for u in (7, 38)
    ],
    "shop": [f"DELETE FROM visits WHERE uid = {u}; DELETE FROM people WHERE id = {u}" for u in (3, 12)],
    "store": [_NO_CUSTOMER.format(1, 14), _NO_CUSTOMER.format(91, 39)],  # 91 has orders, but is no customer
    "tpch": [_NO_BUYER.format(38), _NO_BUYER.format(100)],
}
Score = Decimal | int
Scores = dict[tuple[object, ...], tuple[Score, ...]]
Connections = dict[str, list[duckdb.DuckDBPyConnection]]


@pytest.fixture(scope="module")
def databases() -> Iterator[Connections]:
    """Each database as it is, then without one unit."""
    opened: Connections = {name: [] for name in OPENERS}
    for name, opener in OPENERS.items():
        for change in ("", *WITHOUT[name]):
            connection = opener()
            connection.execute(change or "SELECT 1")
            opened[name].append(connection)
    yield opened
    for connections in opened.values():
        for connection in connections:
            connection.close()


def scores(connection: duckdb.DuckDBPyConnection, sql: str, width: int) -> Scores:
    """Scores by key; `width`: how many score columns there are."""
    rows = Result(sql, connection.cursor).fetchall()
    return {tuple(map(repr, row[:-width])): row[-width:] for row in rows}


@pytest.mark.parametrize("path", golden.files("accepted"), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_one_unit(path: Path, databases: Connections) -> None:
    full, *lesser = databases[path.parent.name]
    catalog = catalog_of(full)
    for case in part(golden.cases(path), 5):
        made = plan_of(case.query, catalog, full)
        if not isinstance(made, Plan):
            continue
        for request, groups, sql in _parts(made):
            width = 1 if request is None else scores_of(request)
            before = scores(full, sql, width)
            for connection in lesser:
                moved = _differences(before, scores(connection, sql, width), width)
                _check_scores(request, moved, case.query)
                if groups is not None:
                    assert len({key[: len(made.keys)] for key in moved}) <= groups, case.query


def _parts(made: Plan) -> list[tuple[Aggregate | None, int | None, str]]:
    """Each request (None: that of the selection), the most groups that a unit may be in, and its SQL."""
    selection = made.selection
    parts: list[tuple[Aggregate | None, int | None, str]] = []
    if selection.score_sql:
        by_sums = isinstance(selection, LargestKeys) and selection.spread
        parts.append((made.asked.ranked if by_sums else None, selection.groups, selection.score_sql))
    relied = isinstance(selection, (EveryKey, FoundKeys)) or not made.keys
    return parts + [(m.request, m.groups if relied else None, m.score_sql) for m in made.measures]


def _differences(before: Scores, after: Scores, width: int) -> Scores:
    """How much each score falls, where it does not stay."""
    none: tuple[Score, ...] = (0,) * width
    falls: Scores = {}
    for key in before.keys() | after.keys():
        pairs = zip(before.get(key, none), after.get(key, none), strict=True)
        fall = tuple(left - right for left, right in pairs)
        if any(fall):
            falls[key] = fall
    return falls


def _check_scores(request: Aggregate | None, moved: Scores, query: str) -> None:
    if isinstance(request, ChosenDistinct):
        _check_levels(request, moved, query)
        return
    if isinstance(request, ClampedSum):
        _check_totals(request, moved, query)
        return
    if isinstance(request, Quantiles):
        request = request.of
    for fall in moved.values():
        low, high = _range(request, fall)
        assert low <= fall[0] <= high, (query, moved)
    if isinstance(request, Quantile):  # all values of a unit in a group together
        values = Counter[tuple[object, ...]]()
        for key, fall in moved.items():
            values[key[:-1]] += int(fall[0])
        assert max(values.values(), default=0) <= request.most, (query, moved)


def _check_levels(request: ChosenDistinct, moved: Scores, query: str) -> None:
    """Of each group, the values up to each level fall by no more than the level."""
    for group in {key[:-1] for key in moved}:
        fall: Score = 0
        for number, level in enumerate(ladder(request.most)):
            fall += moved.get((*group, repr(number)), (0,))[0]
            assert 0 <= fall <= level, (query, moved)


def _check_totals(request: ClampedSum, moved: Scores, query: str) -> None:
    """One total of each group falls, at its level, and one unit there: each tail of a group by 0 or 1."""
    assert len({key[:-1] for key in moved}) == len(moved), (query, moved)
    levels = [int(key[-1]) for key in moved]
    for level, (total, sign, units) in zip(levels, moved.values(), strict=True):
        assert abs(total) <= request.clamp(level), (query, moved)
        assert sign == (total > 0) - (total < 0), (query, moved)
        assert units == 1, (query, moved)


def _range(request: Aggregate | None, fall: tuple[Score, ...]) -> tuple[Score, Score]:
    """Between which numbers a unit's part of one score lies."""
    match request:
        case Sum(low=low, high=high):
            return min(low, Decimal(0)), max(high, Decimal(0))
        case Mean(ticks=ticks, rows=rows):
            assert 0 <= fall[1] <= (rows or 1)
            return 0, ticks * int(fall[1])
        case Moments(whole=whole, rows=rows):
            assert min(fall) >= 0
            return 0, (rows or 1) * whole - sum(fall[1:])
        case Distinct(values=values):
            return 0, values
        case Quantile(most=most):
            return 0, most
        case Count(rows=rows):
            return 0, rows or 1
    return 0, 1  # of units, by group or by value
